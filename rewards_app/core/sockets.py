"""What a client may send over a socket: the three messages that pages send, and no other."""

from typing import Any

from socketio import AsyncServer

FROM_PAGES = ("event", "ping", "client_error")


def hear_pages_only(sockets: AsyncServer) -> None:
    """Drop every other message.

    python-socketio hands a client's message named "connect" to the method that meets new sockets:
    whoever sends one would choose their own address, headers and token.
    """
    hand_over = sockets._handle_event  # pyright: ignore[reportPrivateUsage]

    async def hand_over_known(eio_sid: str, namespace: str | None, id: Any, data: Any) -> None:
        if isinstance(data, list) and data[:1] and data[0] in FROM_PAGES:  # pyright: ignore[reportUnknownArgumentType]
            await hand_over(eio_sid, namespace, id, data)

    sockets._handle_event = hand_over_known  # pyright: ignore[reportPrivateUsage]


def open_sockets(sockets: AsyncServer) -> int:
    return len(sockets.eio.sockets)
