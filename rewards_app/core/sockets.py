"""Sockets: the three messages that pages send, at their own pace, and answers without detours."""

import asyncio
from contextlib import suppress
from typing import Any

import orjson
import reflex as rx
import structlog
from engineio.exceptions import SocketIsClosedError
from reflex_base.utils.format import json_dumps
from reflex_base.utils.serializers import serialize
from socketio import AsyncServer
from socketio.packet import EVENT

_log = structlog.get_logger(__name__)

FROM_PAGES = ("event", "ping", "client_error")
WITH_ATTACHMENTS = ("5", "6")
"""How packets begin whose bytes come after them, as many as the client says."""
MOST_WAITING = 50
"""Of one socket: no page has as much to say before it hears an answer."""
SECONDS_BETWEEN_LOOKS = 0.05
LEFT_TO_REFLEX = orjson.OPT_PASSTHROUGH_DATETIME | orjson.OPT_PASSTHROUGH_DATACLASS
NONSENSE = (ValueError, TypeError, KeyError, IndexError, AttributeError, RecursionError)
"""What a packet leads to that is none. Of ours nothing runs here: events wait for their turn."""


def hear_pages_only(app: rx.App) -> None:
    """Drop every other message, and read no faster than what was said is done and answered.

    python-socketio hands a client's message named "connect" to the method that meets new sockets:
    whoever sends one would choose their own address, headers and token. It keeps the attachments
    of a packet until all have come; Reflex keeps each event until the one before it is done, and
    each answer until the client has read it. Unread, a socket costs nobody anything but its sender.
    """
    sockets = app.sio
    assert sockets
    hand_over = sockets._handle_event  # pyright: ignore[reportPrivateUsage]

    async def hand_over_known(eio_sid: str, namespace: str | None, id: Any, data: Any) -> None:
        if isinstance(data, list) and data[:1] and data[0] in FROM_PAGES:  # pyright: ignore[reportUnknownArgumentType]
            while _waiting(app, eio_sid, namespace) >= MOST_WAITING:  # noqa: ASYNC110 nobody tells
                await asyncio.sleep(SECONDS_BETWEEN_LOOKS)
            await hand_over(eio_sid, namespace, id, data)

    async def hear_text(eio_sid: str, data: object) -> None:
        if not isinstance(data, str) or data.startswith(WITH_ATTACHMENTS):
            return
        try:
            await sockets._handle_eio_message(eio_sid, data)  # pyright: ignore[reportPrivateUsage]
        except NONSENSE as refusal:
            _log.warning("socket.nonsense", reason=type(refusal).__name__)

    sockets._handle_event = hand_over_known  # pyright: ignore[reportPrivateUsage]
    sockets.eio.on("message", hear_text)


def answer_directly(app: rx.App) -> None:
    """What is said goes to one page, and is text.

    python-socketio would look for bytes in it, list who is in a room, and make a task for each.
    """
    sockets, names = app.sio, app.event_namespace
    assert sockets
    assert names
    namespace = names.namespace

    async def emit(event: str, data: object, *, to: str) -> None:
        socket = sockets.manager.eio_sid_from_sid(to, namespace)
        if socket is None:
            return
        text = f"{EVENT}{namespace},{text_of([event, data])}"
        # Whoever has gone meanwhile asks anew.
        with suppress(SocketIsClosedError):
            await sockets.eio.send(socket, text)

    names.emit = emit  # pyright: ignore[reportAttributeAccessIssue]


def text_of(data: object) -> str:
    """As Reflex writes it, but faster, and what is no number is null.

    What orjson refuses, keys of numbers say, is left to Reflex.
    """
    try:
        return orjson.dumps(data, default=serialize, option=LEFT_TO_REFLEX).decode()
    except TypeError:
        return json_dumps(data, separators=(",", ":"))


def open_sockets(sockets: AsyncServer) -> int:
    return len(sockets.eio.sockets)


def _waiting(app: rx.App, eio_sid: str, namespace: str | None) -> int:
    """So many events of its page wait for their turn, or answers for somebody who reads them."""
    assert app.sio
    assert app.event_namespace
    socket = app.sio.eio.sockets.get(eio_sid)
    if socket is None or socket.closed:
        return 0
    sid = app.sio.manager.sid_from_eio_sid(eio_sid, namespace or "/")
    token = app.event_namespace.sid_to_token.get(str(sid), "")
    events = app.event_processor._token_queues.get(token, ())  # pyright: ignore[reportPrivateUsage]
    return max(len(events), socket.queue.qsize())
