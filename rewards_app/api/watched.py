"""Every HTTP answer, counted and traced by its route: an address of ours may name somebody."""

import time
from collections.abc import Sequence

from starlette.routing import Mount, Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from rewards_app.core.watching import traces, watch

FOLDERS = ("/assets/", "/_event", "/fonts/", "/icons/", "/ads/")
PAGE = "page"
METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})


class Watched:
    """ASGI middleware around everything."""

    def __init__(self, app: ASGIApp, routes: Sequence[Route | Mount]) -> None:
        self.app = app
        self.routes = routes

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        begun, status = time.perf_counter(), 500
        method = scope["method"] if scope["method"] in METHODS else "other"
        route = self.route_of(scope["path"])

        async def send_on(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        try:
            with traces.span(
                f"{method} {route}", "server", http__request__method=method, http__route=route
            ) as span:
                await self.app(scope, receive, send_on)
                if span:
                    span.set_attribute("http.response.status_code", status)
        finally:
            seconds = time.perf_counter() - begun
            watch.REQUESTS.labels(method, route, str(status)).observe(seconds)

    def route_of(self, path: str) -> str:
        for route in self.routes:
            if route.path_regex.match(path):
                return route.path
        return next((f"{name}*" for name in FOLDERS if path.startswith(name)), PAGE)
