"""Each connection of a worker gives up a PostgreSQL or Redis that is gone without a word."""

import runpy
import socket
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Iterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager

import psycopg
import pytest
from redis.asyncio import Redis as RedisClient
from reflex.config import get_config
from reflex.constants import StateManagerMode
from reflex.istate.manager import StateManager
from reflex.utils import prerequisites
from reflex.utils.token_manager import TokenManager

from rewards_app.core import database as databases
from rewards_app.core import jobs, limits
from rewards_app.core.connections import hearing
from rewards_app.core.connections.silence import PATIENCE, patience_with_redis
from rewards_app.core.postgres import replica
from rewards_app.core.settings import settings
from rewards_app.server import PROJECT
from tests.serving import Redis

PATIENT = {name: str(value) for name, value in PATIENCE.items()}


def patience_of(connection: psycopg.AsyncConnection) -> dict[str, str]:
    return {
        name: value for name, value in connection.info.get_parameters().items() if name in PATIENCE
    }


PATIENT_SOCKET = {
    (socket.SOL_SOCKET, socket.SO_KEEPALIVE): 1,
    (socket.SOL_TCP, socket.TCP_USER_TIMEOUT): 15_000,
    (socket.SOL_TCP, socket.TCP_KEEPIDLE): 10,
    (socket.SOL_TCP, socket.TCP_KEEPINTVL): 5,
    (socket.SOL_TCP, socket.TCP_KEEPCNT): 3,
}


async def of_transactions() -> dict[str, str]:
    async with databases.engine().connect() as connection:
        return patience_of((await connection.get_raw_connection()).driver_connection)


async def of_statements() -> dict[str, str]:
    async with databases._statements() as pool, pool.connection() as connection:
        return patience_of(connection)


async def of_the_queue() -> dict[str, str]:
    queue = jobs.queue()
    async with queue.open_async(), queue.connector.pool.connection() as connection:
        return patience_of(connection)


async def of_who_listens() -> dict[str, str]:
    async with hearing.listening(["of_these_tests"]) as connection:
        return patience_of(connection)


@pytest.fixture
async def second(database: str, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[None]:
    monkeypatch.setattr(settings(), "analytics_database_url", database)
    yield
    await replica.dispose()


@pytest.mark.parametrize(
    "of", [of_transactions, of_statements, of_the_queue, of_who_listens], ids=lambda of: of.__name__
)
async def test_of_everybody_who_asks(database: str, of: Callable[[], Awaitable[dict[str, str]]]):
    assert await of() == PATIENT


@pytest.mark.usefixtures("second")
async def test_of_who_asks_for_figures_which_the_first_one_tells_as_well():
    async with replica._engine().connect() as connection:
        raw = await connection.get_raw_connection()
        found = patience_of(raw.driver_connection)
    assert found == PATIENT | {"connect_timeout": str(replica.ANSWERS_WITHIN_SECONDS)}


@asynccontextmanager
async def of_counts() -> AsyncGenerator[RedisClient]:
    async with limits._storage().bridge.get_connection() as client:
        yield client


@asynccontextmanager
async def of_pages() -> AsyncGenerator[RedisClient]:
    manager = StateManager.create()
    yield manager.redis
    await manager.close()


@asynccontextmanager
async def of_tabs() -> AsyncGenerator[RedisClient]:
    async with TokenManager.create().redis as client:
        yield client


@pytest.fixture
def with_redis(redis: Redis, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """As a worker begins that shares what it knows with others."""
    for name in ("REFLEX_OPLOCK_ENABLED", "REFLEX_OPLOCK_HOLD_TIME"):
        monkeypatch.setenv(name, "")
    monkeypatch.setattr(prerequisites, "get_redis", prerequisites.get_redis)
    monkeypatch.setattr(settings(), "redis_url", redis.url)
    monkeypatch.setattr(get_config(), "redis_url", redis.url)
    monkeypatch.setattr(get_config(), "state_manager_mode", StateManagerMode.REDIS)
    limits.forget_everything()
    runpy.run_path(str(PROJECT / "rxconfig.py"))
    yield
    limits.forget_everything()


@pytest.mark.usefixtures("with_redis")
@pytest.mark.parametrize("of", [of_counts, of_pages, of_tabs], ids=lambda of: of.__name__)
async def test_of_everybody_who_asks_redis(
    of: Callable[[], AbstractAsyncContextManager[RedisClient]],
):
    async with of() as client:
        connection = await client.connection_pool.get_connection()
        line = connection._writer.get_extra_info("socket")
        assert {asked: line.getsockopt(*asked) for asked in PATIENT_SOCKET} == PATIENT_SOCKET
        assert connection.socket_connect_timeout == PATIENCE["connect_timeout"]
        await client.connection_pool.release(connection)


def test_of_who_asks_a_redis_on_its_own_machine():
    place = "unix:///run/redis/redis.sock"
    client = RedisClient.from_url(place, **patience_with_redis(place))
    made = client.connection_pool.make_connection()
    assert made.socket_connect_timeout == PATIENCE["connect_timeout"]
