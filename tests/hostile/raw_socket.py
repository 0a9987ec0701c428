"""A websocket by hand: frames that no library would write, and a reader that may not read."""

import asyncio
import base64
import contextlib
import os
import socket
import struct
from urllib.parse import urlsplit

from tests import steady
from tests.hostile.client import NAMESPACE, Browser

TEXT, BINARY, CONTINUED, CLOSE, PING = 1, 2, 0, 8, 9
HELLO = f"0{NAMESPACE},"
"""Engine.IO's message (4) comes before it."""


class RawSocket:
    """One connection of a browser. What comes is kept, unless nobody listens."""

    def __init__(self, browser: Browser, *, buffer: int = 0, **headers: str) -> None:
        self.browser = browser
        self.buffer = buffer
        self.headers = headers
        self.heard = b""

    async def connect(self) -> "RawSocket":
        parts = urlsplit(self.browser.served.url)
        raw = socket.socket()
        if self.buffer:
            raw.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, self.buffer)
        raw.setblocking(False)
        await asyncio.get_running_loop().sock_connect(raw, ("127.0.0.1", parts.port))
        limit = {"limit": self.buffer} if self.buffer else {}
        self.reader, self.writer = await asyncio.open_connection(sock=raw, **limit)
        return self

    async def ask(self, path: str) -> str:
        """The upgrade, as a browser asks for it; the first line of the answer."""
        headers = {
            "Host": urlsplit(self.browser.served.url).netloc,
            "Origin": self.browser.served.url,
            "Upgrade": "websocket",
            "Connection": "Upgrade",
            "Sec-WebSocket-Version": "13",
            "Sec-WebSocket-Key": base64.b64encode(os.urandom(16)).decode(),
            **self.browser.headers(),
            **{name.replace("_", "-"): value for name, value in self.headers.items()},
        }
        lines = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
        await self.write(f"GET {path} HTTP/1.1\r\n{lines}\r\n".encode("latin-1"))
        with contextlib.suppress(asyncio.IncompleteReadError, ConnectionError, TimeoutError):
            head = await asyncio.wait_for(self.reader.readuntil(b"\r\n\r\n"), 10)
            return head.split(b"\r\n")[0].decode("latin-1")
        return ""

    async def open(self, token: str = "made-up") -> "RawSocket":
        await self.connect()
        asked = f"{NAMESPACE}/?token={token}&EIO=4&transport=websocket"
        assert " 101 " in await self.ask(asked)
        return self

    async def enter(self) -> "RawSocket":
        """Into the namespace in which pages speak."""
        await self.open()
        await self.send(f"4{HELLO}".encode())
        await self.hears(b'"sid"', b"40")
        return self

    async def send(
        self, payload: bytes, kind: int = TEXT, *, is_last: bool = True, reserved: int = 0
    ) -> None:
        mask = os.urandom(4)
        size = len(payload)
        if size < 126:
            length = bytes([0x80 | size])
        elif size < 1 << 16:
            length = b"\xfe" + struct.pack(">H", size)
        else:
            length = b"\xff" + struct.pack(">Q", size)
        whole = int.from_bytes(payload) ^ int.from_bytes((mask * (size // 4 + 1))[:size])
        first = bytes([(0x80 if is_last else 0) | reserved | kind])
        await self.write(first + length + mask + whole.to_bytes(size))

    async def write(self, data: bytes) -> None:
        """A server that hangs up is an answer, too."""
        with contextlib.suppress(ConnectionError):
            self.writer.write(data)
            # Not by `wait_for`: whoever is cancelled as it ends would write on for ever.
            async with asyncio.timeout(20):
                # Others have their turn, however fast it is read.
                await asyncio.sleep(0)
                await self.writer.drain()

    async def hears(self, *parts: bytes, within: float = 10) -> None:
        async with steady.timeout(within):
            while not all(part in self.heard for part in parts):
                piece = await self.reader.read(65_536)
                assert piece, f"hung up; heard {self.heard[-300:]!r}"
                self.heard += piece

    async def is_hung_up(self, within: float = 10) -> bool:
        """Whether the server has closed it, after all that it still had to say."""
        with contextlib.suppress(TimeoutError, ConnectionError):
            async with steady.timeout(within):
                while piece := await self.reader.read(65_536):
                    self.heard += piece
                    if bytes([0x80 | CLOSE]) in piece:
                        return True
                return True
        return self.reader.at_eof() or self.reader.exception() is not None

    async def close(self) -> None:
        self.writer.transport.abort()
        with contextlib.suppress(ConnectionError):
            await self.writer.wait_closed()
