"""A real HTTP server that is told page views, as Plausible and Umami are."""

import asyncio
import json
import threading
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

STEP_SECONDS = 0.1
CALM_SECONDS = 0.7
"""So long after the last view that was waited for, no other one has come."""


@dataclass(frozen=True, slots=True)
class Told:
    path: str
    headers: dict[str, str]
    body: dict[str, Any]

    @property
    def page(self) -> str:
        """The path of the page that was seen, in the words of either kind."""
        return self.body["payload"]["url"] if "payload" in self.body else self.body["url"]


@dataclass
class Counter:
    url: str
    all: list[Told] = field(default_factory=list)

    async def is_told(self, *pages: str, within: float = 15) -> list[Told]:
        """These pages in this order, and no other one."""
        steps = int(within / STEP_SECONDS)
        for _ in range(steps):
            if len(self.all) >= len(pages):
                break
            await asyncio.sleep(STEP_SECONDS)
        await asyncio.sleep(CALM_SECONDS)
        assert [told.page for told in self.all] == list(pages)
        return self.all


class _Server(ThreadingHTTPServer):
    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Door)
        self.counter = Counter(f"http://127.0.0.1:{self.server_port}")


@contextmanager
def counter() -> Generator[Counter]:
    server = _Server()
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield server.counter
    finally:
        server.shutdown()
        server.server_close()
        thread.join(timeout=10)


class _Door(BaseHTTPRequestHandler):
    def do_OPTIONS(self) -> None:
        self._answer(204)

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        headers = {name.lower(): value for name, value in self.headers.items()}
        assert isinstance(self.server, _Server)
        self.server.counter.all.append(Told(self.path, headers, json.loads(body)))
        self._answer(202)

    def _answer(self, status: int) -> None:
        self.send_response(status)
        self.send_header("Access-Control-Allow-Origin", "*")
        self.send_header("Access-Control-Allow-Headers", "*")
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, format: str, *args: Any) -> None:
        """What it was told is in its list."""
