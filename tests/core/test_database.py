"""One unit of work; what the database refuses becomes words."""

import pytest
from psycopg import errors as postgres
from sqlalchemy import text
from sqlalchemy.exc import OperationalError

from rewards_app.core.database import dispose_engine, run, transaction
from rewards_app.core.errors import StorageAway, StorageFull
from rewards_app.core.settings import settings

pytestmark = pytest.mark.usefixtures("database")


async def failing(cause: Exception) -> None:
    async with transaction():
        raise OperationalError("insert", {}, cause)


class TestTransaction:
    async def test_keeps_all_or_nothing(self):
        async def half() -> None:
            async with transaction() as session:
                await run(session, text("create table half (n int)"))
                raise ZeroDivisionError

        with pytest.raises(ZeroDivisionError):
            await half()
        async with transaction() as session:
            found = await run(session, text("select to_regclass('half')"))
            assert found.scalar() is None

    async def test_a_full_disk_is_said_in_words(self):
        with pytest.raises(StorageFull):
            await failing(postgres.DiskFull("no space left"))

    async def test_a_server_that_stops_is_said_in_words(self):
        with pytest.raises(StorageAway):
            await failing(postgres.AdminShutdown("terminating connection"))

    async def test_a_server_that_is_not_there_is_said_in_words(self, monkeypatch):
        await dispose_engine()
        monkeypatch.setattr(settings(), "database_url", "postgresql://nobody@127.0.0.1:1/none")

        async def ask() -> None:
            async with transaction() as session:
                await run(session, text("select 1"))

        with pytest.raises(StorageAway):
            await ask()
        await dispose_engine()
