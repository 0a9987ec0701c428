"""The last day on which somebody was here: written once a day, and with every sign-in."""

from datetime import UTC, datetime, timedelta
from uuid import UUID

import psycopg
import pytest

from rewards_app.core.caller import digest
from rewards_app.core.database import transaction
from rewards_app.features.accounts import activity, sessions
from tests.people import NOON, a_browser, an_account, signed_in

LONG_AGO = datetime(2020, 1, 1, tzinfo=UTC)
MIDNIGHT = NOON.replace(hour=0)
SECOND = timedelta(seconds=1)


@pytest.fixture
async def maja(database: str) -> UUID:
    return (await an_account()).id


def was_here(database: str, account_id: UUID, at: datetime) -> None:
    with psycopg.connect(database) as connection:
        connection.execute(
            "update accounts set last_active_at = %s where id = %s", (at, account_id)
        )


def last_here(database: str, account_id: UUID) -> datetime:
    with psycopg.connect(database) as connection:
        found = connection.execute(
            "select last_active_at from accounts where id = %s", (account_id,)
        ).fetchone()
    assert found
    return found[0]


async def is_here(account_id: UUID, *, now: datetime = NOON) -> None:
    async with transaction() as session:
        await activity.note(session, account_id, now=now)


class TestActivity:
    async def test_is_written_on_a_new_day(self, database: str, maja: UUID):
        was_here(database, maja, MIDNIGHT - SECOND)
        await is_here(maja)
        assert last_here(database, maja) == NOON

    async def test_is_written_once_a_day(self, database: str, maja: UUID):
        was_here(database, maja, MIDNIGHT)
        await is_here(maja)
        assert last_here(database, maja) == MIDNIGHT

    async def test_of_one_is_not_that_of_another(self, database: str, maja: UUID):
        emil = (await an_account("emil@example.com", name="Emil")).id
        was_here(database, emil, LONG_AGO)
        was_here(database, maja, LONG_AGO)
        await is_here(maja)
        assert last_here(database, emil) == LONG_AGO

    async def test_is_signing_in(self, database: str, maja: UUID):
        was_here(database, maja, LONG_AGO)
        await signed_in(maja, a_browser())
        assert last_here(database, maja) == NOON

    async def test_is_what_anybody_does_who_is_signed_in(self, database: str, maja: UUID):
        secret = await signed_in(maja, a_browser())
        actor = await sessions.find_actor(digest(secret), now=NOON)
        assert actor
        was_here(database, maja, LONG_AGO)
        async with transaction() as session:
            await sessions.note_activity(session, actor, now=NOON)
        assert last_here(database, maja) == NOON
