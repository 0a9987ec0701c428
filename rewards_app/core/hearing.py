"""Notices of PostgreSQL as they come: who waits for them takes nothing of the processor meanwhile.

The driver's own way looks ten times a second whether it is to go on waiting.
"""

import asyncio
from collections.abc import AsyncGenerator, Iterable
from contextlib import asynccontextmanager

from psycopg import AsyncConnection, Notify, sql

from rewards_app.core.settings import settings

ASKED_EVERY_SECONDS = 30.0
"""A server may be gone without a word: whoever only listens would never know."""


@asynccontextmanager
async def listening(channels: Iterable[str], *, name: str = "") -> AsyncGenerator[AsyncConnection]:
    """A connection that hears these channels, and calls itself `name`."""
    connection = await AsyncConnection.connect(
        settings().database_url, autocommit=True, application_name=name
    )
    async with connection:
        for channel in channels:
            await connection.execute(sql.SQL("listen {}").format(sql.Identifier(channel)))
        yield connection


async def notices(connection: AsyncConnection) -> AsyncGenerator[Notify]:
    """Without end: a connection that is lost ends it with the driver's error."""
    while True:
        async for notice in connection.notifies(timeout=0):
            yield notice
        if not await _says_something(connection.fileno(), within=ASKED_EVERY_SECONDS):
            await connection.execute("select 1")


async def _says_something(descriptor: int, *, within: float) -> bool:
    loop = asyncio.get_running_loop()
    said: asyncio.Future[None] = loop.create_future()
    loop.add_reader(descriptor, lambda: said.done() or said.set_result(None))
    try:
        async with asyncio.timeout(within):
            await said
    except TimeoutError:
        return False
    finally:
        loop.remove_reader(descriptor)
    return True
