"""What search engines ask for: the pages that everybody may see, and their other languages."""

from xml.sax.saxutils import escape

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from rewards_app.core.settings import settings
from rewards_app.i18n.languages import ADDRESSES

OTHER_PATHS = ("/auth", "/terms", "/privacy")
SITEMAP = (
    '<?xml version="1.0" encoding="UTF-8"?>'
    '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'
    ' xmlns:xhtml="http://www.w3.org/1999/xhtml">{places}</urlset>'
)


async def sitemap(_request: Request) -> Response:
    languages = "".join(
        f'<xhtml:link rel="alternate" hreflang="{code}" href="{_whole(path)}"/>'
        for path, code in ADDRESSES.items()
    )
    places = [f"<url><loc>{_whole(path)}</loc>{languages}</url>" for path in ADDRESSES]
    places += [f"<url><loc>{_whole(path)}</loc></url>" for path in OTHER_PATHS]
    return Response(
        SITEMAP.format(places="".join(places)), media_type="application/xml; charset=utf-8"
    )


def _whole(path: str) -> str:
    return escape(f"{settings().origin}{path}")


async def robots(_request: Request) -> Response:
    lines = [
        "User-agent: *",
        "Allow: /",
        "Disallow: /session/",
        "Disallow: /oauth/",
        f"Sitemap: {settings().origin}/sitemap.xml",
    ]
    return PlainTextResponse("\n".join(lines) + "\n")


ROUTES = [
    Route("/sitemap.xml", sitemap, methods=["GET"]),
    Route("/robots.txt", robots, methods=["GET"]),
]
