"""A proxy that stands before a server and does to its clients what bad networks do.

It passes what is said, until it is told otherwise: then it refuses, resets, stands still, slows
down or cuts in the middle. It runs in a thread of its own, whatever the test is busy with.
"""

import asyncio
import contextlib
import socket
import struct
import threading
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

from tools.ports import free_port

AT_ONCE = 64 * 1024
RESET_ON_CLOSE = struct.pack("ii", 1, 0)
Streams = tuple[asyncio.StreamReader, asyncio.StreamWriter]
Server = Callable[[], Awaitable[Streams]]


@dataclass(frozen=True, slots=True)
class Weather:
    """How a connection fares."""

    latency: float = 0.0
    """Seconds before each piece goes on."""
    bytes_a_second: float = 0.0
    """None are counted where it is zero."""
    cut_after: int = 0
    """So many bytes pass, in the middle of whatever they are of; zero: all of them."""


CLEAR = Weather()


def at_port(port: int) -> Server:
    return lambda: asyncio.open_connection("127.0.0.1", port)


def at_socket(path: str) -> Server:
    return lambda: asyncio.open_unix_connection(path)


class Lines:
    """The thread in which all proxies of a test work."""

    def __init__(self) -> None:
        self.loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self.loop.run_forever, name="proxies", daemon=True)
        self._thread.start()

    def do(self, work: Any) -> Any:
        return asyncio.run_coroutine_threadsafe(work, self.loop).result(timeout=20)

    def close(self) -> None:
        self.loop.call_soon_threadsafe(self.loop.stop)
        self._thread.join(timeout=10)
        self.loop.close()


class Proxy:
    """One port of this machine, and the server behind it."""

    def __init__(self, lines: Lines, server: Server) -> None:
        self.server = server
        self._lines = lines
        self._weather = CLEAR
        self._listening: asyncio.Server | None = None
        self._under_way: set[Connection] = set()
        self._resets = False
        self._moves = asyncio.Event()
        self.port = free_port()
        self._do(self._listen)

    def _do(self, act: Callable[[], Awaitable[None]]) -> None:
        self._lines.do(act())

    # What it is told

    def passes(self) -> None:
        """Whoever comes is served again; who was cut off is not."""
        self._do(self._pass)

    def refuses(self) -> None:
        """As if the server had ended: who is connected is cut off, and nobody is let in."""
        self._do(self._refuse)

    def resets(self) -> None:
        """Everybody is let in, and thrown out at once."""
        self._do(self._reset)

    def stands_still(self) -> None:
        """Everybody is let in, and hears nothing; what was said goes on when it passes again."""
        self._do(self._stand_still)

    def slows(self, *, latency: float, bytes_a_second: float = 0.0) -> None:
        self._weather = Weather(latency=latency, bytes_a_second=bytes_a_second)

    def cuts(self, *, after: int) -> None:
        """Each connection is cut when so many more bytes have passed."""
        self._weather = Weather(cut_after=after)
        for connection in list(self._under_way):
            connection.passed = 0

    def close(self) -> None:
        self._do(self._refuse)

    # How it does that

    async def _listen(self) -> None:
        self._moves.set()
        if self._listening is None:
            self._listening = await asyncio.start_server(
                self._meet, "127.0.0.1", self.port, reuse_address=True, backlog=512
            )

    async def _pass(self) -> None:
        self._weather, self._resets = CLEAR, False
        await self._listen()

    async def _refuse(self) -> None:
        if self._listening:
            self._listening.close()
            self._listening = None
        self._cut_all()

    async def _reset(self) -> None:
        self._resets = True
        self._cut_all()

    async def _stand_still(self) -> None:
        self._moves.clear()

    def _cut_all(self) -> None:
        for connection in list(self._under_way):
            connection.cut()

    async def _meet(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if self._resets:
            _reset(writer)
            return
        await self._moves.wait()
        try:
            behind = await self.server()
        except OSError:
            _reset(writer)
            return
        connection = Connection(self, (reader, writer), behind)
        self._under_way.add(connection)
        try:
            await connection.run()
        finally:
            self._under_way.discard(connection)

    async def weigh(self, connection: "Connection", said: bytes) -> bytes:
        """What of it may pass now; less than all is the last of its connection."""
        await self._moves.wait()
        weather = self._weather
        if weather.latency or weather.bytes_a_second:
            takes = len(said) / weather.bytes_a_second if weather.bytes_a_second else 0
            await asyncio.sleep(weather.latency + takes)
        if weather.cut_after:
            left = max(0, weather.cut_after - connection.passed)
            connection.passed += len(said)
            return said[:left]
        return said


class Connection:
    """A client and the server, and what each says to the other."""

    def __init__(self, proxy: Proxy, before: Streams, behind: Streams) -> None:
        self.proxy = proxy
        self.before = before
        self.behind = behind
        self.passed = 0

    async def run(self) -> None:
        ways = [
            asyncio.create_task(self._carry(self.before[0], self.behind[1])),
            asyncio.create_task(self._carry(self.behind[0], self.before[1])),
        ]
        await asyncio.wait(ways)
        self.cut(is_over=True)

    async def _carry(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while said := await reader.read(AT_ONCE):
                passing = await self.proxy.weigh(self, said)
                writer.write(passing)
                await writer.drain()
                if len(passing) < len(said):
                    self.cut()
                    return
            writer.write_eof()
        except OSError:
            # One of both has gone without a goodbye; the other one must not wait for it.
            self.cut()

    def cut(self, *, is_over: bool = False) -> None:
        for _, writer in (self.before, self.behind):
            if is_over:
                writer.close()
            else:
                _reset(writer)


def _reset(writer: asyncio.StreamWriter) -> None:
    """Closed without a goodbye; a local socket knows no other way."""
    known = writer.get_extra_info("socket")
    if known is not None and known.family != socket.AF_UNIX:
        with contextlib.suppress(OSError):
            known.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, RESET_ON_CLOSE)
    writer.transport.abort()
