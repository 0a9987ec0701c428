"""The document of a page, without a detour: `/shop` is answered at once, not led to `/shop/`."""

import mimetypes
from pathlib import Path

from starlette.datastructures import MutableHeaders
from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from rewards_app import documents
from rewards_app.api.headers import content_policy, inline_script_hashes
from rewards_app.core.caller import session_cookie
from rewards_app.documents import FOR_MEMBERS, FRONT

KINDS = {".webp": "image/webp", ".woff2": "font/woff2"}
"""Python 3.11 knows these from the system's list alone, which small systems do not have."""


def name_kinds() -> None:
    for ending, kind in KINDS.items():
        mimetypes.add_type(kind, ending)


class Documents:
    """ASGI middleware in front of the pages' files."""

    def __init__(self, app: ASGIApp, folder: Path) -> None:
        name_kinds()
        self.app = app
        self.places = documents.found_in(folder)
        self.policies = {
            place: content_policy(inline_script_hashes(folder / place.strip("/")))
            for place in self.places.values()
        }

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if "\n" in scope.get("path", ""):
            # No route and no mount meets a path of several lines: as it was written, it is a page
            # that is not there.
            scope = {**scope, "path": scope["path"].replace("\n", "%0A")}
        place = self._place(scope)
        if place is None:
            await self.app(scope, receive, send)
            return

        async def send_fresh(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                headers["Cache-Control"] = "no-cache"
                headers["Content-Security-Policy"] = self.policies[place]
                headers.add_vary_header("Cookie")
            await send(message)

        moved = {"path": place, "raw_path": place.encode()}
        await self.app({**scope, **moved}, receive, send_fresh)

    def _place(self, scope: Scope) -> str | None:
        if scope["type"] != "http" or scope["method"] not in ("GET", "HEAD"):
            return None
        path = scope["path"].rstrip("/") or FRONT
        twin = self.places.get(f"{path}{FOR_MEMBERS}")
        if twin and session_cookie() in Request(scope).cookies:
            return twin
        return self.places.get(path)
