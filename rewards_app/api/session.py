"""The session's cookie: an event handler cannot set one, so a ticket is exchanged for it here."""

from urllib.parse import parse_qs

import structlog
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from rewards_app.api.bodies import body_of
from rewards_app.api.callers import caller_of
from rewards_app.core.caller import session_cookie
from rewards_app.core.clock import utc_now
from rewards_app.core.database import transaction
from rewards_app.core.errors import StorageAway
from rewards_app.core.routes import SIGN_IN
from rewards_app.core.sealed import short_mark
from rewards_app.core.settings import settings
from rewards_app.features.accounts import rules, sessions

_log = structlog.get_logger(__name__)
LANDING = "/landing"
AWAY = f"{SIGN_IN}&notice={StorageAway.code}"
LATE = f"{SIGN_IN}&notice={rules.StepExpired.code}"
LONGEST_TICKET = 100
LARGEST_FORM = 1024


async def start(request: Request) -> Response:
    """Exchange the ticket of a form for a session: an address alone signs nobody in."""
    return await opened(request, await _ticket_in(request))


async def ask_again(request: Request) -> Response:
    """Whoever comes by an address brings no ticket: a link, or a page of an earlier version."""
    return leading(SIGN_IN)


async def opened(request: Request, ticket: str) -> Response:
    """The session of a ticket. One that does not open leads back to the sign-in, which says so."""
    try:
        secret = await _redeemed(request, ticket)
    except StorageAway:
        return leading(AWAY)
    if secret is None:
        _log.warning("ticket.refused", place=short_mark(caller_of(request).address))
        return leading(LATE)
    return with_session(leading("/"), secret)


async def _redeemed(request: Request, ticket: str) -> str | None:
    if not ticket or len(ticket) > LONGEST_TICKET:
        return None
    async with transaction() as session:
        return await sessions.redeem_ticket(session, ticket, caller_of(request), now=utc_now())


async def end(request: Request) -> Response:
    """Take the cookie of an ended session away; ending it was the sign-out's own work.

    A session that is alive keeps its cookie, for any page may send a browser here; one of which
    nobody can tell does, too: of an ended one it opens nothing.
    """
    try:
        alive = await sessions.find_actor(caller_of(request).session_hash, now=utc_now())
    except StorageAway:
        return leading(LANDING)
    if alive:
        return leading("/")
    answer = leading(LANDING)
    answer.delete_cookie(session_cookie(), path="/", secure=settings().is_https, httponly=True)
    return answer


async def _ticket_in(request: Request) -> str:
    form = await body_of(request, at_most=LARGEST_FORM) or b""
    try:
        [ticket] = parse_qs(form.decode(), max_num_fields=1).get("ticket", [""])
    except ValueError:
        return ""
    return ticket


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


def leading(path: str) -> Response:
    return RedirectResponse(path, status_code=303, headers={"Cache-Control": "no-store"})


ROUTES = [
    Route("/session/start", start, methods=["POST"]),
    Route("/session/start", ask_again, methods=["GET"]),
    Route("/session/end", end, methods=["GET"]),
]
