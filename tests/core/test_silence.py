"""Each connection of a worker gives up a PostgreSQL that is gone without a word."""

from collections.abc import AsyncIterator, Awaitable, Callable

import psycopg
import pytest

from rewards_app.core import database as databases
from rewards_app.core import hearing, jobs, replica
from rewards_app.core.settings import settings
from rewards_app.core.silence import PATIENCE

PATIENT = {name: str(value) for name, value in PATIENCE.items()}


def patience_of(connection: psycopg.AsyncConnection) -> dict[str, str]:
    return {
        name: value for name, value in connection.info.get_parameters().items() if name in PATIENCE
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
