"""What a phone asks before it installs the app: its name, its icons, its colours, its ways in."""

from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from rewards_app.core.page import APP_TITLE
from rewards_app.i18n.languages import wanted
from rewards_app.i18n.mail_text import words
from rewards_app.ui.palette import DARK
from rewards_app.ui.phone import MANIFEST

ICONS = (
    ("/icons/icon-192.png", "192x192", "any"),
    ("/icons/icon-512.png", "512x512", "any"),
    ("/icons/maskable-512.png", "512x512", "maskable"),
)
SHORTCUTS = (("nav.earn", "/watch"), ("nav.shop", "/shop"))


async def manifest(request: Request) -> Response:
    language = wanted(request.headers.get("accept-language", ""))
    return JSONResponse(
        manifest_in(language),
        media_type="application/manifest+json",
        headers={"Content-Language": language, "Vary": "Accept-Language"},
    )


def manifest_in(language: str) -> dict[str, Any]:
    """The app stays the same one, whatever language it was installed in."""
    return {
        "id": "/",
        "start_url": "/",
        "scope": "/",
        "name": APP_TITLE,
        "short_name": APP_TITLE,
        "description": words("landing.lead", language),
        "lang": language,
        "dir": "ltr",
        "display": "standalone",
        "background_color": DARK["bg"],
        "theme_color": DARK["bg"],
        "categories": ["games", "shopping"],
        "icons": [_icon(*icon) for icon in ICONS],
        "shortcuts": [
            {"name": words(name, language), "url": path, "icons": [_icon(*ICONS[0])]}
            for name, path in SHORTCUTS
        ],
    }


def _icon(path: str, size: str, purpose: str) -> dict[str, str]:
    return {"src": path, "sizes": size, "type": "image/png", "purpose": purpose}


ROUTES = [Route(MANIFEST, manifest, methods=["GET"])]
