"""Views and the ledger lie in the month of what they came of, and the next months are there."""

from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from typing import Any
from uuid import UUID

import psycopg
import pytest
import time_machine
from psycopg import errors as postgres

from alembic import command
from rewards_app import launch
from rewards_app.core.clock import utc_now
from rewards_app.core.database import dispose_engine, transaction
from rewards_app.core.ids import id_at
from rewards_app.core.postgres import months, schema
from rewards_app.core.postgres.months import (
    AD_VIEWS,
    AHEAD,
    COIN_ENTRIES,
    CUTS,
    month_of,
    months_after,
)
from rewards_app.features.ads.lately import LONGEST_DAY, LONGEST_VIEW, lately
from rewards_app.features.ads.repository import PAY, WATCHED
from rewards_app.features.coins import service as coins
from rewards_app.features.coins.rules import Kind
from tests.ads import an_ad, starts, the_player, were_watched
from tests.plans import plan_of

NEW_YEARS_EVE = datetime(2026, 12, 31, 23, 59, 59, 999_000, tzinfo=UTC)
ENTRY = """
insert into coin_entries
    (month, account_id, amount, kind, cause, subject, balance_after, created_at)
values (%s, %s, 15, 'ad', %s, '', 15, now())
"""


@pytest.fixture
def connection(database: str) -> Iterator[psycopg.Connection[Any]]:
    with psycopg.connect(database, autocommit=True) as opened:
        yield opened


@pytest.fixture
def made_at(connection: psycopg.Connection[Any]) -> datetime:
    """When the template was, right after its server had started: maybe in the month before."""
    [(started,)] = connection.execute("select pg_postmaster_start_time()").fetchall()
    return started.astimezone(UTC)


def where(connection: psycopg.Connection[Any], table: str) -> list[str]:
    found = connection.execute(f"select tableoid::regclass::text from {table} order by 1")  # pyright: ignore
    return [name for (name,) in found]


class TestMonth:
    def test_is_that_of_the_identifier_in_a_cause(self, connection: psycopg.Connection[Any]):
        for moment, month in (
            (NEW_YEARS_EVE, date(2026, 12, 1)),
            (datetime(2027, 1, 1, tzinfo=UTC), date(2027, 1, 1)),
            (datetime(1999, 6, 15, tzinfo=UTC), date(1999, 6, 1)),
        ):
            cause = f"ad:{id_at(moment)}"
            found = connection.execute("select month_of_cause(%s)", [cause]).fetchone()
            assert found == (month,)

    def test_of_a_cause_without_a_moment_is_always_the_same(
        self, connection: psycopg.Connection[Any]
    ):
        for cause in ("welcome:x", "", f"bench:{UUID(int=7)}", "ad:019b7000-0000-4000"):
            found = connection.execute("select month_of_cause(%s)", [cause]).fetchone()
            assert found == (date(1970, 1, 1),)

    def test_begins_for_views_where_identifiers_do(self, connection: psycopg.Connection[Any]):
        for moment in (NEW_YEARS_EVE, datetime(2027, 1, 1, tzinfo=UTC)):
            found = connection.execute("select first_id_since(%s)", [moment]).fetchone()
            assert found
            assert found[0].int >> 80 == id_at(moment).int >> 80

    def test_is_counted_over_years(self):
        assert months_after(date(2026, 11, 1), 3) == date(2027, 2, 1)
        assert months_after(date(2026, 1, 1), -13) == date(2024, 12, 1)


class TestPartitions:
    def test_are_there_before_their_month_begins(self, made_at: datetime):
        for standing in months.standings():
            assert standing.ahead(now=made_at) == AHEAD
            assert not standing.has_later_rows

    def test_are_made_once(self, made_at: datetime):
        assert months.make_ahead(now=made_at) == 0
        later = datetime(made_at.year + 1, made_at.month, 1, tzinfo=UTC)
        assert months.make_ahead(now=later) == 12 * len(CUTS)
        assert months.make_ahead(now=later) == 0
        assert [one.ahead(now=later) for one in months.standings()] == [AHEAD] * len(CUTS)

    def test_are_made_when_an_app_starts_that_slept_for_a_year(self, database: str):
        later = utc_now() + timedelta(days=365)
        with time_machine.travel(later, tick=False):
            launch.migrate()
        assert [one.ahead(now=later) for one in months.standings()] == [AHEAD] * len(CUTS)

    async def test_take_the_rows_that_were_there_before_them(
        self, connection: psycopg.Connection[Any]
    ):
        """As when the job did not run for months."""
        ad = await an_ad()
        far = datetime.combine(months_after(month_of(utc_now()), 6), utc_now().timetz())
        await were_watched(ad, 3, price=0, day=far.date())
        assert [one.has_later_rows for one in months.standings()] == [True, True]
        before = connection.execute("select * from coin_entries order by number").fetchall()
        months.make_ahead(now=far)
        assert [one.has_later_rows for one in months.standings()] == [False, False]
        name = months.name_of(AD_VIEWS, month_of(far))
        assert where(connection, "ad_views") == [name] * 3
        assert (
            where(connection, "coin_entries") == [months.name_of(COIN_ENTRIES, month_of(far))] * 3
        )
        assert connection.execute("select * from coin_entries order by number").fetchall() == before

    async def test_are_made_while_somebody_watches(self, connection: psycopg.Connection[Any]):
        """An ad that runs is there already, and runs on."""
        far = datetime.combine(months_after(month_of(utc_now()), 6), utc_now().timetz())
        player = await the_player(now=far)
        await starts(player, await an_ad(), now=far)
        running = connection.execute("select * from running_views").fetchall()
        assert months.make_ahead(now=far) > 0
        assert connection.execute("select * from running_views").fetchall() == running
        assert where(connection, "ad_views") == [months.name_of(AD_VIEWS, month_of(far))]
        [(_, view_id)] = running
        connection.execute("update ad_views set status = 'given_up' where id = %s", [view_id])
        assert connection.execute("select * from running_views").fetchall() == []

    async def test_of_the_ledger_are_as_append_only_as_it_is(
        self, connection: psycopg.Connection[Any]
    ):
        await were_watched(await an_ad(), 1, price=0, day=utc_now().date())
        months.make_ahead(now=datetime(utc_now().year + 1, 1, 1, tzinfo=UTC))
        for month in months.attached(connection, COIN_ENTRIES):
            with pytest.raises(postgres.RaiseException, match="append-only"):
                connection.execute(f"truncate {months.name_of(COIN_ENTRIES, month)}")
        for part in where(connection, "coin_entries"):
            with pytest.raises(postgres.RaiseException, match="append-only"):
                connection.execute(f"delete from {part}")


@pytest.mark.usefixtures("spoilt_books")
class TestOnce:
    async def test_a_cause_is_entered_once_whatever_month_is_claimed(
        self, connection: psycopg.Connection[Any]
    ):
        player = await the_player()
        cause = f"ad:{id_at(NEW_YEARS_EVE)}"
        connection.execute(ENTRY, (date(2026, 12, 1), player.user_id, cause))
        with pytest.raises(postgres.UniqueViolation):
            connection.execute(ENTRY, (date(2026, 12, 1), player.user_id, cause))
        for month in (date(2026, 11, 1), date(2027, 1, 1), date(1970, 1, 1)):
            with pytest.raises(postgres.CheckViolation):
                connection.execute(ENTRY, (month, player.user_id, cause))

    async def test_a_player_has_one_running_view_even_where_a_month_ends(
        self, connection: psycopg.Connection[Any]
    ):
        player, ad = await the_player(), await an_ad()
        begin = """
            insert into ad_views (id, account_id, ad_id, status, started_at, required_seconds,
                reward_coins, expires_at, paused_ms, tab_hash, device_hash, day, price, holds_place,
                invalid_reason)
            values (%s, %s, %s, 'running', now(), 5, 15, now(), 0, '', '', current_date, 0, false,
                '')
        """
        first = id_at(NEW_YEARS_EVE)
        connection.execute(begin, (first, player.user_id, ad.id))
        second = id_at(datetime(2027, 1, 1, tzinfo=UTC))
        with pytest.raises(postgres.UniqueViolation, match="one_running_view_a_player"):
            connection.execute(begin, (second, player.user_id, ad.id))
        connection.execute("update ad_views set status = 'given_up' where id = %s", [first])
        connection.execute(begin, (second, player.user_id, ad.id))
        with pytest.raises(postgres.UniqueViolation, match="one_running_view_a_player"):
            connection.execute("update ad_views set status = 'running' where id = %s", [first])
        connection.execute("delete from ad_views where id = %s", [second])
        assert connection.execute("select * from running_views").fetchall() == []


class TestPlans:
    """However many months there are, a watched ad and a cause are looked for in one or two."""

    async def test_a_watched_ad_touches_the_months_of_the_last_days(
        self, connection: psycopg.Connection[Any]
    ):
        now = utc_now()
        player, ad = await the_player(), await an_ad()
        view = await starts(player, ad, now=now)
        values = {"view_id": view.view_id, "account_id": player.user_id, "now": now}
        plan = plan_of(connection, WATCHED, values | {"lately": lately(now)})
        looked_at = {name for name in plan.tables if name.startswith("ad_views")}
        present = months.name_of(AD_VIEWS, month_of(now))
        assert present in looked_at
        is_month_young = month_of(now - LONGEST_DAY - LONGEST_VIEW) != month_of(now)
        # The present month is the first here: what was before it lies together.
        assert any(name.endswith("earlier") for name in looked_at) == is_month_young

    async def test_paying_finds_its_view_by_the_key_of_one_month(
        self, connection: psycopg.Connection[Any]
    ):
        now = utc_now()
        player, ad = await the_player(), await an_ad()
        view = await starts(player, ad, now=now)
        values = {
            "view_id": view.view_id,
            "account_id": player.user_id,
            "now": now,
            "over_at": now,
            "client_seconds": 0,
            "paused_ms": 0,
            "paused_at": None,
            "started_at": now,
            "expires_at": now,
            "required_seconds": 1,
            "reward": 1,
        }
        connection.execute("set enable_seqscan = off")
        plan = plan_of(connection, PAY, values)
        parts = [name for name in plan.tables if name.startswith("ad_views_")]
        assert parts == [months.name_of(AD_VIEWS, month_of(now))]
        assert not plan.reads_whole & set(parts)

    async def test_a_cause_is_looked_for_in_its_own_month(
        self, connection: psycopg.Connection[Any]
    ):
        # Of a table with nothing in it any index is as good as another one.
        player, now = await the_player(), utc_now()
        async with transaction() as session:
            for _ in range(100):
                why = f"ad:{id_at(now)}"
                await coins.credit(session, player.user_id, 15, Kind.AD, why, now=now)
        connection.execute("analyze coin_entries")
        connection.execute("set enable_seqscan = off")
        cause = f"ad:{id_at(now)}"
        plan = plan_of(
            connection,
            "select number from coin_entries where cause = %s and month = month_of_cause(%s)",
            (cause, cause),
        )
        assert plan.tables == {months.name_of(COIN_ENTRIES, month_of(now))}
        assert plan.indexes == {"coin_entries_cause_key"}

    async def test_a_page_of_somebodys_history_reads_no_table_whole(
        self, connection: psycopg.Connection[Any]
    ):
        connection.execute("set enable_seqscan = off")
        plan = plan_of(
            connection,
            "select * from coin_entries where account_id = %s and number < %s"
            " order by number desc limit 20",
            ((await the_player()).user_id, 1000),
        )
        assert plan.indexes == {"ix_coin_entries_account_id_number"}
        assert not plan.reads_whole


class TestMigration:
    async def test_goes_back_and_forth_without_losing_a_row(self, database: str):
        player, ad = await the_player(), await an_ad()
        now = utc_now()
        view = await starts(player, ad, now=now)
        await were_watched(ad, 3, price=0, day=date(2026, 3, 31))
        asked = "select id, account_id, status, started_at, price from ad_views order by id"
        books = "select number, cause, balance_after, written_by from coin_entries order by number"
        with psycopg.connect(database, autocommit=True) as connection:
            before = [connection.execute(query).fetchall() for query in (asked, books)]
        await dispose_engine()
        command.downgrade(schema.alembic_config(), "a41c9e27b6d3")
        with psycopg.connect(database, autocommit=True) as connection:
            assert [connection.execute(query).fetchall() for query in (asked, books)] == before
            with pytest.raises(postgres.UniqueViolation, match="one_running_view_a_player"):
                connection.execute(
                    "update ad_views set status = 'running', rewarded_at = null, account_id = %s",
                    [player.user_id],
                )
        schema.upgrade()
        with psycopg.connect(database, autocommit=True) as connection:
            assert [connection.execute(query).fetchall() for query in (asked, books)] == before
            parts = where(connection, "ad_views")
            assert parts.count("ad_views_2026_03") == 3
            assert connection.execute("select view_id from running_views").fetchall() == [
                (view.view_id,)
            ]
        await were_watched(ad, 1, price=0, day=date(2026, 3, 31))
