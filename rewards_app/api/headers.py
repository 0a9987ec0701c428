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


def inline_script_hashes(pages: Path) -> list[str]:
    """The inline scripts of the built pages, which alone may run."""
    scripts = {
        script
        for page in pages.rglob("*.html")
        for script in INLINE_SCRIPT.findall(page.read_bytes())
    }
    digests = (base64.b64encode(hashlib.sha256(script).digest()).decode() for script in scripts)
    return sorted(f"'sha256-{digest}'" for digest in digests)


def content_policy(script_hashes: list[str]) -> str:
    """No eval and no foreign script. Styles are open: emotion and sonner write theirs inline."""
    sockets = " ".join(origin.replace("http", "ws", 1) for origin in settings().origins)
    # Pictures and films of ads come from wherever their companies keep them.
    anywhere = "https:" if settings().is_production else "https: http:"
    rules = {
        "default-src": "'self'",
        "script-src": " ".join(["'self'", *script_hashes]),
        "style-src": "'self' 'unsafe-inline'",
        "img-src": f"'self' data: {anywhere}",
        "media-src": f"'self' {anywhere}",
        "font-src": "'self'",
        "connect-src": f"'self' {sockets}",
        "object-src": "'none'",
        "base-uri": "'none'",
        "form-action": "'self'",
        "frame-ancestors": "'none'",
    }
    return "; ".join(f"{name} {value}" for name, value in rules.items())


class SafeHeaders:
    """ASGI middleware around everything, the pages' own files included."""

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
        needs_door = door_cookie() not in Request(scope).cookies

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in self.headers.items():
                    headers.setdefault(name, value)
                if needs_door and headers.get("content-type", "").startswith("text/html"):
                    headers.append("Set-Cookie", _new_door())
            await send(message)

        await self.app(scope, receive, send_with_headers)


def _new_door() -> str:
    secure = "; Secure" if settings().is_https else ""
    seconds = DAYS_OF_DOOR * 24 * 3600
    return (
        f"{door_cookie()}={secrets.token_urlsafe(32)}; Path=/; Max-Age={seconds};"
        f" HttpOnly; SameSite=Lax{secure}"
    )
