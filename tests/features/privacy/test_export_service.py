"""Asking for a copy, one at a time; making it; what becomes of it when nobody does."""

import asyncio
import os
import signal
from collections.abc import Generator
from contextlib import contextmanager
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

import psutil
import psycopg
import pytest
from sqlmodel import select

from rewards_app.core import apart
from rewards_app.core.actor import Actor, Role
from rewards_app.core.caller import digest
from rewards_app.core.clock import utc_now
from rewards_app.core.database import transaction
from rewards_app.features.accounts import sessions
from rewards_app.features.privacy import export_rules, exports, gathering
from rewards_app.features.privacy.export_rules import Status
from rewards_app.features.privacy.exports import ExportBroke
from rewards_app.models import DataExport
from tests.features.privacy.archives import Opened, kept_archive
from tests.people import NOON, a_browser, an_account, signed_in
from tests.processes import below_us
from tests.queued import letters
from tests.waiting import are_waiting, until

pytestmark = pytest.mark.usefixtures("database")
DAY, SECOND = timedelta(days=1), timedelta(seconds=1)
A_SECOND_PIECE = "insert into data_export_parts (export_id, position, content) values (%s, 1, '')"
LOCKS_OF_THEIR_OWN = """
    select count(*) from pg_locks join pg_database on pg_database.oid = database
    where locktype = 'advisory' and datname = current_database()
"""


async def an_actor(email: str = "maja@example.com", role: Role = Role.PLAYER) -> Actor:
    account = await an_account(email, role)
    secret = await signed_in(account.id, a_browser(email))
    actor = await sessions.find_actor(digest(secret), now=NOON)
    assert actor
    return actor


async def ask(actor: Actor, *, at: datetime = NOON) -> UUID:
    async with transaction() as session:
        await exports.ask(session, actor, now=at)
    return (await newest_row(actor)).id


async def newest_row(actor: Actor) -> DataExport:
    async with transaction() as session:
        query = select(DataExport).where(DataExport.account_id == actor.user_id)
        return (await session.exec(query)).all()[-1]


async def shown(actor: Actor, *, at: datetime = NOON) -> exports.Shown:
    async with transaction() as session:
        found = await exports.newest(session, actor, now=at)
    assert found
    return found


async def tidy(at: datetime) -> dict[str, int]:
    async with transaction() as session:
        return await exports.tidy(session, now=at)


def change(url: str, words: str, *values: Any) -> None:
    with psycopg.connect(url) as connection:
        connection.execute(words.encode(), values)


def count(url: str, words: str) -> int:
    with psycopg.connect(url) as connection:
        found = connection.execute(words.encode()).fetchone()
    assert found
    return found[0]


def pieces(url: str) -> int:
    return count(url, "select count(*) from data_export_parts")


class TestAsking:
    async def test_queues_the_copy(self, database: str):
        maja = await an_actor()
        await ask(maja)
        assert (await shown(maja)).status is Status.WAITING
        jobs = f"select count(*) from procrastinate_jobs where task_name = '{exports.MAKE}'"
        assert count(database, jobs) == 1

    async def test_is_refused_while_one_is_made(self):
        maja = await an_actor()
        await ask(maja)
        with pytest.raises(export_rules.ExportIsMade):
            await ask(maja, at=NOON + SECOND)

    async def test_of_somebody_else_is_no_hindrance(self):
        await ask(await an_actor())
        await ask(await an_actor("otto@example.com"))

    async def test_at_once_in_many_windows_makes_one(self, database: str):
        maja = await an_actor()
        asked = await asyncio.gather(*(ask(maja) for _ in range(8)), return_exceptions=True)
        refused = [one for one in asked if isinstance(one, export_rules.ExportIsMade)]
        assert len(refused) == 7
        assert count(database, "select count(*) from data_exports") == 1

    async def test_is_for_three_a_day(self, database: str):
        maja = await an_actor()
        for hour in range(3):
            await ask(maja, at=NOON + hour * timedelta(hours=1))
            change(database, "update data_exports set status = 'taken'")
        with pytest.raises(export_rules.TooManyExports):
            await ask(maja, at=NOON + DAY - SECOND)
        await ask(maja, at=NOON + DAY)

    async def test_counts_none_that_failed(self, database: str):
        maja = await an_actor()
        for _ in range(5):
            await ask(maja)
            change(database, "update data_exports set status = 'failed'")

    async def test_replaces_one_that_was_not_fetched(self, database: str):
        maja = await an_actor()
        old = await ask(maja)
        await exports.make(old)
        await ask(maja, at=NOON + SECOND)
        assert pieces(database) == 0
        status = "select count(*) from data_exports where status = 'expired'"
        assert count(database, status) == 1


class TestMaking:
    @pytest.mark.parametrize("role", Role)
    async def test_ends_with_a_link_and_a_letter(self, database: str, role: Role):
        maja = await an_actor(role=role)
        export_id = await ask(maja)
        await exports.make(export_id)
        ready = await shown(maja)
        assert ready.status is Status.READY
        assert ready.token == exports.token_of(export_id)
        [letter] = [one for one in await letters() if one.get("name") == "export_ready"]
        assert letter["recipient"] == "maja@example.com"
        assert letter["link"].endswith(f"/gdpr?export={ready.token}")

    async def test_keeps_the_hash_of_the_link_alone(self, database: str):
        maja = await an_actor()
        export_id = await ask(maja)
        await exports.make(export_id)
        row = await newest_row(maja)
        assert row.token_hash == digest(exports.token_of(export_id))
        assert exports.token_of(export_id) not in str(row.model_dump())

    async def test_keeps_the_file_sealed(self, database: str):
        maja = await an_actor()
        export_id = await ask(maja)
        await exports.make(export_id)
        with psycopg.connect(database) as connection:
            kept = b"".join(
                content
                for (content,) in connection.execute("select content from data_export_parts")
            )
        assert b"README" not in kept
        assert Opened(kept_archive(database, export_id)).readme

    async def test_leaves_in_pieces_of_one_size(self, database: str):
        maja = await an_actor()
        much_news(database, maja.user_id, 20_000)
        export_id = await ask(maja)
        await exports.make(export_id)
        sizes = kept_sizes(database)
        assert len(sizes) > 2
        assert len(set(sizes[:-1])) == 1
        opened = Opened(kept_archive(database, export_id))
        assert opened.zip.testzip() is None
        assert len(opened.read("account/notifications.csv").splitlines()) == 20_001
        row = await newest_row(maja)
        assert row.rows_done == row.rows_expected >= 20_000
        assert row.size == len(kept_archive(database, export_id))

    async def test_of_nobody_any_more_ends_quietly(self, database: str):
        maja = await an_actor()
        export_id = await ask(maja)
        change(database, "delete from data_exports")
        await exports.make(export_id)

    async def test_a_second_time_changes_nothing(self, database: str):
        maja = await an_actor()
        export_id = await ask(maja)
        await exports.make(export_id)
        before = await newest_row(maja)
        await exports.make(export_id)
        assert (await newest_row(maja)).model_dump() == before.model_dump()

    async def test_is_taken_up_after_its_process_died(self, database: str):
        maja = await an_actor()
        much_news(database, maja.user_id, 60_000)
        export_id = await ask(maja)
        with held_up(database, export_id):
            making = asyncio.create_task(exports.make(export_id))
            await are_waiting(database)
            assert pieces(database) > 0
            (process,) = gatherers()
            os.kill(process.pid, signal.SIGKILL)
        with pytest.raises(ExportBroke):
            await making
        await nothing_is_locked(database)
        assert (await shown(maja)).status is Status.RUNNING
        await exports.make(export_id)
        assert (await shown(maja)).status is Status.READY
        opened = Opened(kept_archive(database, export_id))
        assert opened.zip.testzip() is None

    async def test_ends_with_whoever_started_it(self, database: str):
        maja = await an_actor()
        much_news(database, maja.user_id, 60_000)
        export_id = await ask(maja)
        with held_up(database, export_id):
            making = asyncio.create_task(exports.make(export_id))
            await are_waiting(database)
            making.cancel()
            await asyncio.gather(making, return_exceptions=True)
            assert not gatherers()
        await nothing_is_locked(database)

    async def test_twice_at_once_makes_one(self, database: str):
        maja = await an_actor()
        much_news(database, maja.user_id, 20_000)
        export_id = await ask(maja)
        ends = await asyncio.gather(
            *(exports.make(export_id) for _ in range(3)), return_exceptions=True
        )
        assert all(end is None or isinstance(end, ExportBroke) for end in ends)
        assert Opened(kept_archive(database, export_id)).zip.testzip() is None
        letters = "select count(*) from procrastinate_jobs where args->>'name' = 'export_ready'"
        assert count(database, letters) == 1


class TestItsProcess:
    async def test_inherits_no_secret(self, database: str, monkeypatch: pytest.MonkeyPatch):
        """It is handed the address of the database and the keys, on its standard input."""
        monkeypatch.setenv("SMTP_PASSWORD", "not for it")
        maja = await an_actor()
        export_id = await ask(maja)
        with psycopg.connect(database) as holding:
            holding.execute("lock table data_export_parts in share mode")
            making = asyncio.create_task(exports.make(export_id))
            await are_waiting(database)
            (process,) = gatherers()
            inherited = process.environ()
        await making
        assert "PATH" in inherited
        of_ours = {name for name in inherited if not name.startswith(apart.OF_THE_DRIVER)}
        assert of_ours <= apart.INHERITED
        assert (await shown(maja)).status is Status.READY


class TestTidying:
    async def test_gives_up_what_was_silent_for_five_minutes(self, database: str):
        maja = await an_actor()
        await ask(maja)
        change(database, "update data_exports set status = 'running', heard_at = %s", NOON)
        assert (await tidy(NOON + export_rules.SILENT_AFTER))["failed"] == 0
        assert (await tidy(NOON + export_rules.SILENT_AFTER + SECOND))["failed"] == 1
        assert (await shown(maja)).status is Status.FAILED
        await ask(maja)

    async def test_gives_up_what_nobody_began_for_hours(self):
        maja = await an_actor()
        await ask(maja)
        assert (await tidy(NOON + export_rules.WAITS_AT_MOST))["failed"] == 0
        assert (await tidy(NOON + export_rules.WAITS_AT_MOST + SECOND))["failed"] == 1

    async def test_deletes_the_file_after_seven_days(self, database: str):
        maja = await an_actor()
        await exports.make(await ask(maja, at=utc_now()))
        ends = (await newest_row(maja)).expires_at
        assert ends
        await tidy(ends - SECOND)
        assert pieces(database) > 0
        did = await tidy(ends)
        assert did["expired"] == 1
        assert did["pieces_deleted"] > 0
        assert pieces(database) == 0
        assert (await shown(maja, at=ends)).status is Status.EXPIRED

    async def test_says_that_a_link_has_ended_before_the_job_did(self):
        maja = await an_actor()
        await exports.make(await ask(maja))
        ends = (await newest_row(maja)).expires_at
        assert ends
        assert (await shown(maja, at=ends - SECOND)).token
        over = await shown(maja, at=ends)
        assert (over.status, over.token) == (Status.EXPIRED, "")

    async def test_forgets_after_a_year_that_somebody_asked(self, database: str):
        maja = await an_actor()
        await ask(maja)
        change(database, "update data_exports set status = 'taken'")
        assert (await tidy(NOON + export_rules.KEPT_FOR))["forgotten"] == 0
        assert (await tidy(NOON + export_rules.KEPT_FOR + SECOND))["forgotten"] == 1


def much_news(url: str, account_id: UUID, many: int) -> None:
    """So much that the file takes a moment."""
    with psycopg.connect(url) as connection:
        connection.execute(
            """insert into notifications (id, account_id, kind, params, link, cause, created_at)
            select gen_random_uuid(), %s, 'reply', jsonb_build_object('said', md5(n::text)),
                md5(n::text || 'a'), n::text, now()
            from generate_series(1, %s) n""",
            (account_id, many),
        )


def kept_sizes(url: str) -> list[int]:
    with psycopg.connect(url) as connection:
        query = "select length(content) from data_export_parts order by position"
        return [size for (size,) in connection.execute(query)]


def gatherers() -> list[psutil.Process]:
    return below_us(gathering.__name__)


@contextmanager
def held_up(url: str, export_id: UUID) -> Generator[None]:
    """Its second piece waits for this one: its process does not end while it is looked for."""
    with psycopg.connect(url) as holding:
        holding.execute(A_SECOND_PIECE, (export_id,))
        yield
        holding.rollback()


async def nothing_is_locked(url: str) -> None:
    """PostgreSQL keeps what a process locked until it has noticed that it is gone."""
    await until(lambda: count(url, LOCKS_OF_THEIR_OWN) == 0, within=20)
