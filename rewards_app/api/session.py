"""The session's cookie: an event handler cannot set one, so a ticket is exchanged for it here."""

import structlog
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from rewards_app.api.callers import caller_of
from rewards_app.core.caller import session_cookie
from rewards_app.core.clock import utc_now
from rewards_app.core.database import transaction
from rewards_app.core.sealed import short_mark
from rewards_app.core.settings import settings
from rewards_app.features.accounts import rules, sessions

_log = structlog.get_logger(__name__)
LANDING = "/landing"
SIGN_IN = "/auth?mode=login"
LONGEST_TICKET = 100


async def start(request: Request) -> Response:
    """Exchange a ticket for a session. A ticket that does not open leads back to the sign-in."""
    ticket = request.query_params.get("ticket", "")
    secret = None
    if ticket and len(ticket) <= LONGEST_TICKET:
        async with transaction() as session:
            secret = await sessions.redeem_ticket(
                session, ticket, caller_of(request), now=utc_now()
            )
    if secret is None:
        _log.warning("ticket.refused", place=short_mark(caller_of(request).address))
        return _leading(SIGN_IN)
    return with_session(_leading("/"), secret)


async def end(request: Request) -> Response:
    """Take the cookie of an ended session away; ending it was the sign-out's own work.

    A session that is alive keeps its cookie: any page may send a browser here.
    """
    if await sessions.find_actor(caller_of(request).session_hash, now=utc_now()):
        return _leading("/")
    answer = _leading(LANDING)
    answer.delete_cookie(session_cookie(), path="/", secure=settings().is_https, httponly=True)
    return answer


def with_session(answer: Response, secret: str) -> Response:
    answer.set_cookie(
        session_cookie(),
        secret,
        max_age=int(rules.SESSION_LIFETIME.total_seconds()),
        path="/",
        secure=settings().is_https,
        httponly=True,
        samesite="lax",
    )
    return answer


def _leading(path: str) -> Response:
    return RedirectResponse(path, status_code=303, headers={"Cache-Control": "no-store"})


ROUTES = [
    Route("/session/start", start, methods=["GET"]),
    Route("/session/end", end, methods=["GET"]),
]
