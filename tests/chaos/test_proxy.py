"""The proxy does what it says: on it stands all that bad days prove."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Iterator

import pytest

from tests.chaos.proxy import Lines, Proxy, Streams, at_port

SOON = 0.3
A_WHILE = 10


@pytest.fixture
def lines() -> Iterator[Lines]:
    made = Lines()
    yield made
    made.close()


@pytest.fixture
async def proxy(lines: Lines) -> AsyncIterator[Proxy]:
    """Before a server that says everything again."""

    async def echo(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(OSError):
            while said := await reader.read(1000):
                writer.write(said)
                await writer.drain()
        writer.close()

    async with await asyncio.start_server(echo, "127.0.0.1", 0) as server:
        made = Proxy(lines, at_port(server.sockets[0].getsockname()[1]))
        yield made
        made.close()


async def comes(proxy: Proxy) -> Streams:
    return await asyncio.open_connection("127.0.0.1", proxy.port)


async def hears_again(streams: Streams, said: bytes, within: float = A_WHILE) -> bytes:
    reader, writer = streams
    writer.write(said)
    return await asyncio.wait_for(reader.readexactly(len(said)), within)


class TestAProxy:
    async def test_passes_what_is_said(self, proxy: Proxy):
        assert await hears_again(await comes(proxy), b"hello") == b"hello"

    async def test_refuses_and_cuts_off_who_is_there(self, proxy: Proxy):
        here = await comes(proxy)
        await hears_again(here, b"hello")
        proxy.refuses()
        with pytest.raises((ConnectionError, asyncio.IncompleteReadError)):
            await hears_again(here, b"are you there?")
        with pytest.raises(ConnectionRefusedError):
            await comes(proxy)
        proxy.passes()
        assert await hears_again(await comes(proxy), b"again") == b"again"

    async def test_resets(self, proxy: Proxy):
        proxy.resets()
        with pytest.raises((ConnectionError, asyncio.IncompleteReadError)):
            await hears_again(await comes(proxy), b"hello")

    async def test_stands_still_and_says_it_later(self, proxy: Proxy):
        proxy.stands_still()
        here = await comes(proxy)
        here[1].write(b"hel")
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(here[0].readexactly(3), SOON)
        proxy.passes()
        assert await hears_again(here, b"lo") == b"he"
        assert await asyncio.wait_for(here[0].readexactly(3), A_WHILE) == b"llo"

    async def test_slows_down(self, proxy: Proxy):
        proxy.slows(latency=SOON)
        here = await comes(proxy)
        with pytest.raises(TimeoutError):
            await hears_again(here, b"hello", within=SOON)
        assert await asyncio.wait_for(here[0].readexactly(5), A_WHILE) == b"hello"

    async def test_cuts_in_the_middle(self, proxy: Proxy):
        here = await comes(proxy)
        proxy.cuts(after=8)
        with pytest.raises((ConnectionError, asyncio.IncompleteReadError)):
            await hears_again(here, b"hello")
