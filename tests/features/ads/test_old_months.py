"""Months of views are let go when nobody asks for them any more, and nothing else is touched."""

import re
from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from typing import Any

import psycopg
import pytest
from psycopg import sql
from psycopg.errors import LockNotAvailable

from rewards_app.core.clock import utc_now
from rewards_app.core.database import transaction
from rewards_app.core.postgres import months, old_months
from rewards_app.core.postgres.months import AD_VIEWS, month_of, months_after
from rewards_app.core.settings import settings
from rewards_app.features.ads.old_months import let_go
from rewards_app.features.advertiser import books
from rewards_app.features.coins import service as coins
from tests.ads import an_ad, starts, the_player, were_watched
from tests.serving import PROJECT

# What is gone cannot be compared any more.
pytestmark = pytest.mark.usefixtures("spoilt_books")

KEPT = 13
NOW = datetime.combine(utc_now().date(), datetime.min.time(), UTC)


@pytest.fixture(autouse=True)
def _kept(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(settings(), "ad_views_kept_months", KEPT)


@pytest.fixture
def connection(database: str) -> Iterator[psycopg.Connection[Any]]:
    with psycopg.connect(database, autocommit=True) as opened:
        yield opened


def later(count: int) -> datetime:
    """The first of a month so many after the present one."""
    month = months_after(month_of(NOW), count)
    return datetime(month.year, month.month, 1, tzinfo=UTC)


def is_there(connection: psycopg.Connection[Any], month: date) -> bool:
    name = months.name_of(AD_VIEWS, month)
    found = connection.execute("select to_regclass(%s)", [name]).fetchone()
    return found is not None and found[0] is not None


def count(connection: psycopg.Connection[Any], table: str) -> int:
    found = connection.execute(f"select count(*) from {table}").fetchone()  # pyright: ignore
    assert found
    return found[0]


def as_growth_says(connection: psycopg.Connection[Any], month: date) -> str:
    """With the bounds that the month itself shows, as they are typed."""
    page = (PROJECT / "docs/growth.md").read_text("utf-8")
    [said] = re.findall(r"^```sql\n(.+?)^```$", page, re.MULTILINE | re.DOTALL)
    name = months.name_of(AD_VIEWS, month)
    [(check,)] = connection.execute(
        "select pg_get_constraintdef(oid) from pg_constraint"
        " where conrelid = to_regclass(%s) and pg_get_constraintdef(oid) like '%%id >=%%'",
        [name],
    ).fetchall()
    for bound in re.findall(r"'([\w-]+)'::uuid", check):
        said = said.replace("…", bound, 1)
    return said.replace("ad_views_2026_11", name).replace("2026-11-01", month.isoformat())


class TestLetGo:
    async def test_cuts_off_whole_months_only_once_they_are_old(
        self, connection: psycopg.Connection[Any]
    ):
        await were_watched(await an_ad(), 3, price=0, day=NOW.date())
        assert let_go(now=later(KEPT)) == {"cut_off": 0, "dropped": 0}
        assert let_go(now=later(KEPT + 1)) == {"cut_off": 1, "dropped": 0}
        assert count(connection, "ad_views") == 0
        assert count(connection, "coin_entries") == 3
        assert connection.execute("select month, rows from detached_months").fetchall() == [
            (month_of(NOW), 3)
        ]

    async def test_drops_them_a_month_later(self, connection: psycopg.Connection[Any]):
        await were_watched(await an_ad(), 1, price=0, day=NOW.date())
        let_go(now=later(KEPT + 1))
        assert is_there(connection, month_of(NOW))
        almost = later(KEPT + 1) + old_months.KEPT_APART
        # Where that month is over by then, as a February is, the one after this is cut off, too.
        follows = int(month_of(almost) == months_after(month_of(NOW), KEPT + 2))
        assert let_go(now=almost) == {"cut_off": follows, "dropped": 0}
        assert let_go(now=almost + timedelta(seconds=1)) == {"cut_off": 0, "dropped": 1}
        assert not is_there(connection, month_of(NOW))
        assert let_go(now=almost + timedelta(seconds=1)) == {"cut_off": 0, "dropped": 0}

    async def test_waits_for_nobody_long(
        self,
        connection: psycopg.Connection[Any],
        database: str,
        monkeypatch: pytest.MonkeyPatch,
    ):
        monkeypatch.setattr(old_months, "PATIENCE", "set local lock_timeout = '1s'")
        month = month_of(NOW)
        old_months.note(connection, AD_VIEWS, month, now=NOW)
        assert old_months.cut_off(connection) == 1
        connection.execute("update detached_months set detached_at = %s", [later(0)])
        name = sql.Identifier(months.name_of(AD_VIEWS, month))
        with psycopg.connect(database) as reading:
            reading.execute(sql.SQL("select from {}").format(name))
            with pytest.raises(LockNotAvailable):
                old_months.drop(connection, now=later(3))

    async def test_never_drops_what_was_attached_again(self, connection: psycopg.Connection[Any]):
        await were_watched(await an_ad(), 1, price=0, day=NOW.date())
        let_go(now=later(KEPT + 1))
        name, first = months.name_of(AD_VIEWS, month_of(NOW)), AD_VIEWS.begins(month_of(NOW))
        last = AD_VIEWS.begins(months_after(month_of(NOW), 1))
        connection.execute(
            f"alter table ad_views attach partition {name}"  # pyright: ignore
            f" for values from ('{first}') to ('{last}')"
        )
        assert old_months.drop(connection, now=later(KEPT + 5)) == 0
        assert count(connection, "ad_views") == 1

    async def test_leaves_what_came_back_by_hand_while_it_is_kept_so_long(
        self, connection: psycopg.Connection[Any], monkeypatch: pytest.MonkeyPatch
    ):
        await were_watched(await an_ad(), 1, price=0, day=NOW.date())
        let_go(now=later(KEPT + 1))
        connection.execute(as_growth_says(connection, month_of(NOW)))  # pyright: ignore
        monkeypatch.setattr(settings(), "ad_views_kept_months", KEPT + 1)
        assert let_go(now=later(KEPT + 1)) == {"cut_off": 0, "dropped": 0}
        assert count(connection, "ad_views") == 1
        monkeypatch.setattr(settings(), "ad_views_kept_months", KEPT)
        assert let_go(now=later(KEPT + 1)) == {"cut_off": 1, "dropped": 0}

    async def test_takes_up_what_was_only_noted(self, connection: psycopg.Connection[Any]):
        """The job was killed between the note and the deed."""
        await were_watched(await an_ad(), 1, price=0, day=NOW.date())
        old_months.note(connection, AD_VIEWS, month_of(NOW), now=NOW)
        assert old_months.cut_off(connection) == 1
        assert old_months.cut_off(connection) == 0

    async def test_leaves_a_month_in_which_an_ad_still_runs(
        self, connection: psycopg.Connection[Any]
    ):
        await starts(await the_player(), await an_ad(), now=NOW)
        assert let_go(now=later(KEPT + 1)) == {"cut_off": 0, "dropped": 0}

    async def test_leaves_months_behind_one_that_stays(self, connection: psycopg.Connection[Any]):
        await starts(await the_player(), await an_ad(), now=NOW)
        assert let_go(now=later(KEPT + 3)) == {"cut_off": 0, "dropped": 0}

    async def test_keeps_all_for_ever_where_the_setting_says_so(
        self, connection: psycopg.Connection[Any], monkeypatch: pytest.MonkeyPatch
    ):
        monkeypatch.setattr(settings(), "ad_views_kept_months", 0)
        assert let_go(now=later(500)) == {"cut_off": 0, "dropped": 0}

    async def test_leaves_books_that_add_up(self, connection: psycopg.Connection[Any]):
        await were_watched(await an_ad(), 4, price=0, day=NOW.date())
        let_go(now=later(KEPT + 1))
        async with transaction() as session:
            assert (await coins.check(session)).is_clean
            assert (await books.check(session)).is_clean
