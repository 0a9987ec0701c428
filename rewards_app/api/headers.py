"""Headers of every answer: what browsers may load, frame and remember; and the door's cookie."""

import base64
import hashlib
import re
import secrets
from pathlib import Path

from starlette.datastructures import MutableHeaders
from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from rewards_app.core.caller import door_cookie
from rewards_app.core.settings import settings

INLINE_SCRIPT = re.compile(rb"<script(?![^>]*\bsrc=)[^>]*>(.*?)</script>", re.DOTALL)
DAYS_OF_HTTPS = 365
DAYS_OF_DOOR = 30
BYTES_OF_DOOR = 32
OUR_DOOR = re.compile(r"[\w-]{43}", re.ASCII)
BUILT = "/assets/"
"""What the builder wrote: its name has a hash of its content, so that it never changes."""
FOR_EVER = "public, max-age=31536000, immutable"
ASK_AGAIN = "no-cache"
NOT_MODIFIED = 304
FOUND = {200, 206, NOT_MODIFIED}
SVG = "image/svg+xml"


def inline_script_hashes(document: Path) -> list[str]:
    """The inline scripts of a built document, which alone may run in it."""
    scripts = set(INLINE_SCRIPT.findall(document.read_bytes()))
    digests = (base64.b64encode(hashlib.sha256(script).digest()).decode() for script in scripts)
    return sorted(f"'sha256-{digest}'" for digest in digests)


def content_policy(script_hashes: list[str]) -> str:
    """No eval and no foreign script. Styles are open: emotion and sonner write theirs inline."""
    sockets = " ".join(origin.replace("http", "ws", 1) for origin in settings().origins)
    # Pictures and films of ads come from wherever their companies keep them.
    anywhere = "https:" if settings().is_production else "https: http:"
    counters = [settings().analytics_url] if settings().counts_pages else []
    rules = {
        "default-src": "'self'",
        "script-src": " ".join(["'self'", *script_hashes]),
        "style-src": "'self' 'unsafe-inline'",
        "img-src": f"'self' data: {anywhere}",
        "media-src": f"'self' {anywhere}",
        "font-src": "'self'",
        "connect-src": " ".join(["'self'", sockets, *counters]),
        "object-src": "'none'",
        "base-uri": "'none'",
        "form-action": "'self'",
        "frame-ancestors": "'none'",
    }
    return "; ".join(f"{name} {value}" for name, value in rules.items())


class SafeHeaders:
    """ASGI middleware around everything, the pages' own files included.

    A page's document names its own scripts; what comes for no page has those of `script_hashes`.
    """

    def __init__(self, app: ASGIApp, script_hashes: list[str]) -> None:
        self.app = app
        self.headers = {
            "Content-Security-Policy": content_policy(script_hashes),
            "Referrer-Policy": "no-referrer",
            "X-Content-Type-Options": "nosniff",
            "X-Frame-Options": "DENY",
            "Cross-Origin-Opener-Policy": "same-origin",
            "Permissions-Policy": "camera=(), microphone=(), geolocation=(), payment=()",
        }
        if settings().is_https:
            seconds = DAYS_OF_HTTPS * 24 * 3600
            self.headers["Strict-Transport-Security"] = f"max-age={seconds}; includeSubDomains"

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        door = _door_for(Request(scope).cookies.get(door_cookie()))

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in self.headers.items():
                    headers.setdefault(name, value)
                headers.setdefault("Cache-Control", _caching(scope["path"], message["status"]))
                if headers.get("content-type") == SVG:
                    # Of files, only those of kind text say by themselves how they are written.
                    headers["content-type"] = f"{SVG}; charset=utf-8"
                if door and _is_page(message["status"], headers):
                    headers.append("Set-Cookie", _set_door(door))
            await send(message)

        await self.app(scope, receive, send_with_headers)


def _caching(path: str, status: int) -> str:
    """Whatever else wants to be kept says so itself."""
    return FOR_EVER if path.startswith(BUILT) and status in FOUND else ASK_AGAIN


def _is_page(status: int, headers: MutableHeaders) -> bool:
    """What has not changed names no kind: of that, pages alone differ by who asks for them."""
    if status == NOT_MODIFIED:
        return "Cookie" in headers.get("vary", "")
    return headers.get("content-type", "").startswith("text/html")


def _door_for(known: str | None) -> str | None:
    """A new one, or the one that there is: it lasts as long as its browser comes again."""
    if known is None:
        return secrets.token_urlsafe(BYTES_OF_DOOR)
    return known if OUR_DOOR.fullmatch(known) else None


def _set_door(door: str) -> str:
    secure = "; Secure" if settings().is_https else ""
    seconds = DAYS_OF_DOOR * 24 * 3600
    return f"{door_cookie()}={door}; Path=/; Max-Age={seconds}; HttpOnly; SameSite=Lax{secure}"
