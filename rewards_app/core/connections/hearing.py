"""Notices of PostgreSQL as they come: who waits for them takes nothing of the processor meanwhile.

The driver's own way looks ten times a second whether it is to go on waiting.
"""

import asyncio
import os
import socket
from collections.abc import AsyncGenerator, Generator, Iterable
from contextlib import asynccontextmanager, contextmanager
from typing import Any

from psycopg import AsyncConnection, Notify, sql

from rewards_app.core.connections.silence import PATIENCE
from rewards_app.core.settings import settings

ASKED_EVERY_SECONDS = 30.0
"""A server may be gone without a word: whoever only listens would never know."""
GATHERED_SECONDS = 0.02
"""Workers tell at the same beat: who waits for a moment hears them all in one go."""
ANSWERS_WITHIN_SECONDS = 10.0
"""One that stands still takes what is said to it, so that the system itself sees nothing wrong."""


@asynccontextmanager
async def listening(channels: Iterable[str], *, name: str = "") -> AsyncGenerator[AsyncConnection]:
    """A connection that hears these channels, and calls itself `name`."""
    patient: dict[str, Any] = dict(PATIENCE)
    connection = await AsyncConnection.connect(
        settings().database_url, autocommit=True, application_name=name, **patient
    )
    async with connection:
        for channel in channels:
            listen = sql.SQL("listen {}").format(sql.Identifier(channel))
            with _hung_up_in_silence(connection):
                await connection.execute(listen)
        yield connection


async def notices(connection: AsyncConnection) -> AsyncGenerator[Notify]:
    """Without end: a connection that is lost ends it with the driver's error."""
    while True:
        async for notice in connection.notifies(timeout=0):
            yield notice
        if await _says_something(connection.fileno(), within=ASKED_EVERY_SECONDS):
            await asyncio.sleep(GATHERED_SECONDS)
        else:
            with _hung_up_in_silence(connection):
                await connection.execute("select 1")


@contextmanager
def _hung_up_in_silence(connection: AsyncConnection) -> Generator[None]:
    """What is asked here fails with the driver's error, also where nobody answers.

    Told to stop waiting, the driver would first wait for the server to say that it has stopped.
    """
    clock = asyncio.get_running_loop()
    hanging_up = clock.call_later(ANSWERS_WITHIN_SECONDS, _hang_up, connection.fileno())
    try:
        yield
    finally:
        hanging_up.cancel()


def _hang_up(descriptor: int) -> None:
    with socket.socket(fileno=os.dup(descriptor)) as line:
        line.shutdown(socket.SHUT_RDWR)


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
