"""The copy of somebody's data, to its owner alone: once."""

import asyncio
from urllib.parse import parse_qs

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from rewards_app.api.callers import caller_of
from rewards_app.api.refusals import FOR_ITS_OWNER, not_found, refused
from rewards_app.api.sheets import attached
from rewards_app.core.clock import utc_now
from rewards_app.core.errors import DomainError
from rewards_app.core.settings import settings
from rewards_app.features.accounts import sessions
from rewards_app.features.privacy import handing
from rewards_app.features.privacy.export_rules import ExportIsBeingTaken
from rewards_app.features.privacy.handing import Handing

LONGEST_FORM = 1000


async def export(request: Request) -> Response:
    """Fetching it is a change: it is posted, and by our own page."""
    now = utc_now()
    actor = await sessions.find_actor(caller_of(request).session_hash, now=now)
    if actor is None or not _is_ours(request):
        return not_found()
    try:
        await handing.spend_a_try(actor)
        leaving = await handing.begin(actor, await _token(request), now=now)
    except ExportIsBeingTaken as refusal:
        return JSONResponse({"error": refusal.code}, status_code=409, headers=FOR_ITS_OWNER)
    except DomainError as refusal:
        return refused(refusal)
    return Leaving(leaving)


class Leaving(Response):
    """Its length is said before, so that a browser tells a whole file from a broken one.

    A browser that has all of it hangs up: what would end with its connection must still be noted.
    """

    def __init__(self, leaving: Handing) -> None:
        self.leaving = leaving
        headers = attached(leaving.name) | {"Content-Length": str(leaving.size)}
        super().__init__(media_type="application/zip", headers=headers)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        hanging_up = asyncio.create_task(_hangs_up(receive))
        try:
            if await self._has_left(send, hanging_up):
                await asyncio.shield(self.leaving.note_taken())
                await send({"type": "http.response.body", "body": b"", "more_body": False})
        finally:
            hanging_up.cancel()
            await asyncio.shield(self.leaving.end())

    async def _has_left(self, send: Send, hanging_up: asyncio.Task[None]) -> bool:
        """Whether somebody was still there for each piece of it."""
        start = {"type": "http.response.start", "status": 200, "headers": self.raw_headers}
        await send(start)
        async for piece in self.leaving.pieces():
            if hanging_up.done():
                return False
            try:
                await send({"type": "http.response.body", "body": piece, "more_body": True})
            except OSError:
                return False
        return True


async def _hangs_up(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


def _is_ours(request: Request) -> bool:
    """Our pages say nothing of where they come from: then the browser itself does."""
    origin = request.headers.get("origin", "null")
    site = request.headers.get("sec-fetch-site", "same-origin")
    return origin in {"null", *settings().origins} and site == "same-origin"


async def _token(request: Request) -> str:
    """Of a short form: whoever sends more is not our page."""
    body = b""
    async for piece in request.stream():
        body += piece
        if len(body) > LONGEST_FORM:
            return ""
    return parse_qs(body.decode("latin-1")).get("token", [""])[0]


ROUTES = [Route("/privacy/export", export, methods=["POST"])]
