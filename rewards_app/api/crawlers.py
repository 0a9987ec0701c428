"""What search engines ask for: the pages that everybody may see."""

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from rewards_app.core.settings import settings

PUBLIC_PATHS = ("/landing", "/auth", "/terms", "/privacy")


async def sitemap(_request: Request) -> Response:
    places = "".join(f"<url><loc>{settings().origin}{path}</loc></url>" for path in PUBLIC_PATHS)
    document = (
        '<?xml version="1.0" encoding="UTF-8"?>'
        f'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{places}</urlset>'
    )
    return Response(document, media_type="application/xml")


async def robots(_request: Request) -> Response:
    lines = ["User-agent: *", *(f"Allow: {path}" for path in PUBLIC_PATHS)]
    lines += [
        "Disallow: /session/",
        "Disallow: /oauth/",
        f"Sitemap: {settings().origin}/sitemap.xml",
    ]
    return PlainTextResponse("\n".join(lines) + "\n")


ROUTES = [
    Route("/sitemap.xml", sitemap, methods=["GET"]),
    Route("/robots.txt", robots, methods=["GET"]),
]
