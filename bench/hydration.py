"""Bytes that a page's socket receives before the page knows its state, by Chromium's count."""

from playwright.sync_api import BrowserContext, WebSocket

from bench.browser import fresh_visitor
from bench.report import Row
from bench.sites import Site, Sites

HYDRATED = '"is_hydrated_rx_state_":true'
SETTLED_MS = 1000
GOALS = {"visitor on /landing": 8.0, "signed-in player on /": 12.0}


def measure(sites: Sites) -> list[Row]:
    site = sites.ours
    with site.started():
        received = {
            "visitor on /landing": _received(site, "/landing/"),
            "signed-in player on /": _received(site, "/", session=sites.sessions[0]),
        }
    return [
        Row(f"hydration, {who}", sum(sizes) / 1000, "KB", GOALS[who], f"{len(sizes)} messages")
        for who, sizes in received.items()
    ]


def _received(site: Site, path: str, session: str = "") -> list[int]:
    """The size of each message until the page is hydrated and its first loads are done."""
    with fresh_visitor() as visitor:
        _sign_in(visitor, site, session)
        messages: list[str] = []
        page = visitor.new_page()
        page.on("websocket", lambda socket: _listen(socket, messages))
        page.goto(f"{site.origin}{path}", wait_until="networkidle")
        page.wait_for_timeout(SETTLED_MS)
    if not any(HYDRATED in message.replace(" ", "") for message in messages):
        raise RuntimeError(f"{path} was not hydrated")
    return [len(message.encode()) for message in messages]


def _sign_in(visitor: BrowserContext, site: Site, session: str) -> None:
    if session:
        cookie = {"name": "session", "value": session, "url": site.origin, "httpOnly": True}
        visitor.add_cookies([cookie])


def _listen(socket: WebSocket, messages: list[str]) -> None:
    socket.on("framereceived", lambda frame: messages.append(_text(frame)))


def _text(frame: str | bytes) -> str:
    return frame if isinstance(frame, str) else frame.decode()
