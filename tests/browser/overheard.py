"""What pages and servers said last: a test that fails shows it, as it may not fail again."""

from collections import deque
from datetime import datetime
from pathlib import Path

from playwright.async_api import Page, WebSocket

LINES, LETTERS = 60, 400
_said: deque[str] = deque(maxlen=LINES)


def listen_to(page: Page) -> None:
    page.on("websocket", _listen)


def _listen(line: WebSocket) -> None:
    _note("opened")
    line.on("framesent", lambda words: _note(f"> {words!s:.{LETTERS}}"))
    line.on("framereceived", lambda words: _note(f"< {words!s:.{LETTERS}}"))
    line.on("close", lambda _: _note("closed"))


def _note(what: str) -> None:
    _said.append(f"{datetime.now().time().isoformat('milliseconds')} {what}")


def sent_by(page: Page) -> list[str]:
    """What the page tells the server from now on."""
    sent: list[str] = []

    def listen(socket: WebSocket) -> None:
        socket.on("framesent", lambda said: sent.append(str(said)))

    page.on("websocket", listen)
    return sent


def forget() -> None:
    _said.clear()


def on_the_sockets() -> str:
    return "\n".join(_said)


def at_last_in(log: Path) -> str:
    lines = log.read_text(errors="replace").splitlines() if log.exists() else []
    return "\n".join(line[:LETTERS] for line in lines[-LINES:])
