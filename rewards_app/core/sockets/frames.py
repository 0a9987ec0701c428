"""What pages say, at the pace at which they listen, and what they are answered without detours."""

import asyncio
from collections.abc import Mapping
from contextlib import suppress
from functools import partial
from typing import Any
from urllib.parse import parse_qs

import orjson
import reflex as rx
import structlog
from engineio.async_drivers.asgi import WebSocket
from engineio.async_socket import AsyncSocket
from engineio.exceptions import SocketIsClosedError
from reflex_base.utils.format import json_dumps
from reflex_base.utils.serializers import serialize
from socketio import AsyncServer
from socketio.exceptions import ConnectionRefusedError
from socketio.packet import CONNECT, DISCONNECT, EVENT

from rewards_app.core.caller import without_secrets

_log = structlog.get_logger(__name__)

FROM_PAGES = ("event", "ping", "client_error")
GOES, STILL_THERE, MESSAGE = "1", "3", "4"
"""Engine.IO's kinds of packets that a page sends."""
MOST_WAITING = 50
"""Of one socket: no page has as much to say before it hears an answer."""
MOST_UNREAD = 500
"""Answers and news: whoever has left so many unread asks anew when it listens again."""
SECONDS_BETWEEN_LOOKS = 0.05
LONGEST_NAME = 500
"""Of a handler. One that is much longer keeps everybody waiting while it is looked for and told."""
LONGEST_TOKEN = 100
"""Of a tab. Reflex makes shorter ones; all that Redis keeps of it stands under its token."""
LONGEST_ADDRESS = 8_000
WHERE_IT_IS = ("pathname", "asPath")
LEFT_TO_REFLEX = orjson.OPT_PASSTHROUGH_DATETIME | orjson.OPT_PASSTHROUGH_DATACLASS
NONSENSE = (ValueError, TypeError, KeyError, IndexError, AttributeError, RecursionError)
"""What a packet leads to that is none. Of ours nothing runs here: events wait for their turn."""


class PageSocket(WebSocket):
    """A page comes in once, says events, answers pings and goes; anything else ends its socket.

    Engine.IO and Socket.IO know more: packets whose attachments they keep until all have come,
    and others that are answered at once, however much the sender has left unread.
    """

    def __init__(self, namespace: str, *engine: Any) -> None:
        super().__init__(*engine)
        self._comes = f"{MESSAGE}{CONNECT}{namespace},"
        self._says = tuple(f"{MESSAGE}{kind}{namespace}," for kind in (DISCONNECT, EVENT))
        self._is_in = False

    async def wait(self) -> str:
        said = await super().wait()  # pyright: ignore[reportUnknownVariableType, reportUnknownMemberType]
        if not isinstance(said, str) or not self._is_known(said):
            _log.warning("socket.nonsense", reason="no page says that")
            raise OSError
        return said

    def _is_known(self, said: str) -> bool:
        if said.startswith(self._comes):
            was_in, self._is_in = self._is_in, True
            return not was_in
        return said in (STILL_THERE, GOES) or said.startswith(self._says)


def hear_pages_only(app: rx.App) -> None:
    """Drop what no page says, and read no faster than what was said is done and answered.

    python-socketio hands a client's message named "connect" to the method that meets new sockets:
    whoever sends one would choose their own address, headers and token. Reflex keeps each event
    until the one before it is done, and each answer until the client has read it. Unread, a socket
    costs nobody anything but its sender.
    """
    sockets, names = app.sio, app.event_namespace
    assert sockets
    assert names
    hand_over = sockets._handle_event  # pyright: ignore[reportPrivateUsage]
    meet, hear = names.on_connect, names.on_event

    async def hand_over_known(eio_sid: str, namespace: str | None, id: Any, data: Any) -> None:
        if isinstance(data, list) and data[:1] and data[0] in FROM_PAGES:  # pyright: ignore[reportUnknownArgumentType]
            while _waiting(app, eio_sid, namespace) >= MOST_WAITING:  # noqa: ASYNC110 nobody tells
                await asyncio.sleep(SECONDS_BETWEEN_LOOKS)
            await hand_over(eio_sid, namespace, id, data)

    async def hear_names(sid: str, data: Any) -> None:
        """Also of the event with which a page comes. Reflex would read one within a text, too."""
        if not isinstance(data, dict) or len(str(data.get("name"))) > LONGEST_NAME:  # pyright: ignore[reportUnknownArgumentType, reportUnknownMemberType]
            raise ValueError
        data["router_data"] = _where_it_is(data.get("router_data", {}))  # pyright: ignore[reportUnknownArgumentType, reportUnknownMemberType]
        await hear(sid, data)

    async def meet_or_forget(sid: str, environ: dict[str, Any], auth: Any = None) -> None:
        """Whoever comes with nonsense would stay at the door for ever."""
        try:
            if len(token_of(environ)) > LONGEST_TOKEN:
                raise ValueError
            await meet(sid, environ, auth)
        except NONSENSE as refusal:
            names.on_disconnect(sid)
            _log.warning("socket.nonsense", reason=type(refusal).__name__)
            raise ConnectionRefusedError from None

    async def hear_text(eio_sid: str, data: str) -> None:
        try:
            await sockets._handle_eio_message(eio_sid, data)  # pyright: ignore[reportPrivateUsage]
        except NONSENSE as refusal:
            _log.warning("socket.nonsense", reason=type(refusal).__name__)

    engine = sockets.eio
    engine._async = {**engine._async, "websocket": partial(PageSocket, names.namespace)}
    engine.on("message", hear_text)
    sockets._handle_event = hand_over_known  # pyright: ignore[reportPrivateUsage]
    names.on_connect, names.on_event = meet_or_forget, hear_names


def token_of(environ: Mapping[str, Any]) -> str:
    [token, *_] = parse_qs(environ.get("QUERY_STRING", "")).get("token", [""])
    return token


def _where_it_is(said: Any) -> dict[str, str]:
    """Reflex would keep whatever came beside it, one thing upon another, with the page's state.

    What was asked for stands in the address once more.
    """
    known = {name: said[name] for name in WHERE_IT_IS if name in said}
    for place in known.values():
        if not isinstance(place, str) or len(place) > LONGEST_ADDRESS:
            raise ValueError
    return known


def keep_no_cookies(app: rx.App) -> None:
    """Reflex keeps each header of a page's socket with the page's state, for an hour."""
    names = app.event_namespace
    assert names
    build = names._build_static_router_data  # pyright: ignore[reportPrivateUsage]

    def build_without_secrets(sid: str, environ: dict[str, Any]) -> dict[str, Any]:
        return without_secrets(build(sid, environ))

    names._build_static_router_data = build_without_secrets  # pyright: ignore[reportPrivateUsage]


def answer_directly(app: rx.App) -> None:
    """What is said goes to one page, and is text.

    python-socketio would look for bytes in it, list who is in a room, and make a task for each.
    It is on its way once the handler that says it waits for something.
    """
    sockets, names = app.sio, app.event_namespace
    assert sockets
    assert names
    namespace = names.namespace

    async def emit(event: str, data: object, *, to: str) -> None:
        eio_sid = sockets.manager.eio_sid_from_sid(to, namespace)
        socket = sockets.eio.sockets.get(eio_sid)
        if socket is None:
            return
        if socket.queue.qsize() >= MOST_UNREAD:
            await _hang_up(socket)
            return
        text = f"{EVENT}{namespace},{text_of([event, data])}"
        # Whoever has gone meanwhile asks anew.
        with suppress(SocketIsClosedError):
            await sockets.eio.send(eio_sid, text)

    names.emit = emit  # pyright: ignore[reportAttributeAccessIssue]


def text_of(data: object) -> str:
    """As Reflex writes it, but faster, and with null for what is no number.

    What orjson refuses, keys of numbers say, is left to Reflex: what is no number is `NaN` there,
    which pages understand as well.
    """
    try:
        return orjson.dumps(data, default=_plain, option=LEFT_TO_REFLEX).decode()
    except TypeError:
        return json_dumps(data, separators=(",", ":"))


def _plain(value: object) -> object:
    """Of numbers of another kind, orjson knows the whole ones only."""
    return float(value) if isinstance(value, float) else serialize(value)


def open_sockets(sockets: AsyncServer) -> int:
    return len(sockets.eio.sockets)


async def _hang_up(socket: AsyncSocket) -> None:
    """Not with a word of farewell, which would wait behind all the others."""
    await socket.close(wait=False, abort=True)
    while not socket.queue.empty():
        socket.queue.get_nowait()
    socket.queue.put_nowait(None)


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
