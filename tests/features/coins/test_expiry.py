"""Coins of people who never come any more go by one entry, after two mails, and of nobody else."""

import asyncio
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

import psycopg
import pytest

from rewards_app.core.database import transaction
from rewards_app.core.ids import new_id
from rewards_app.core.settings import settings
from rewards_app.features.accounts import activity
from rewards_app.features.accounts.restriction_rules import Kind as Restriction
from rewards_app.features.accounts.restrictions import begin, end
from rewards_app.features.coins import expiry, service
from rewards_app.features.coins.expiry_repository import AWAY
from rewards_app.features.coins.rules import Balance, Kind
from tests.ads import the_player

DAY = timedelta(days=1)
SECOND = timedelta(seconds=1)
ACTIVE = datetime(2024, 2, 29, 12, tzinfo=UTC)
DUE = datetime(2025, 3, 1, tzinfo=UTC)


@pytest.fixture
async def maja(database: str) -> UUID:
    return await away("Maja", 40, database)


async def away(name: str, coins: int, database: str, *, since: datetime = ACTIVE) -> UUID:
    """Somebody with coins who was here last on a leap day."""
    account_id = (await the_player(name)).user_id
    if coins:
        async with transaction() as session:
            cause = f"gift:{new_id()}"
            await service.credit(session, account_id, coins, Kind.WELCOME, cause, now=ACTIVE)
    was_here(database, account_id, since)
    return account_id


def run(database: str, query: str, *values: Any) -> list[tuple[Any, ...]]:
    with psycopg.connect(database) as connection:
        found = connection.execute(query, values)  # pyright: ignore[reportArgumentType]
        return found.fetchall() if found.description else []


def was_here(database: str, account_id: UUID, at: datetime) -> None:
    run(database, "update accounts set last_active_at = %s where id = %s", at, account_id)


def mails(database: str) -> list[tuple[str, dict[str, Any]]]:
    return run(
        database,
        "select args->>'name', args->'params' from procrastinate_jobs"
        " where task_name = 'send_mail' order by id",
    )  # pyright: ignore[reportReturnType]


def names(database: str) -> list[str]:
    return [name for name, _ in mails(database)]


def entries(database: str, account_id: UUID) -> list[tuple[int, str]]:
    return run(
        database,
        "select amount, kind from coin_entries where account_id = %s order by number",
        account_id,
    )  # pyright: ignore[reportReturnType]


async def goes_on(at: datetime) -> Mapping[str, int]:
    return {name: count for name, count in (await expiry.expire(now=at)).items() if count}


async def is_warned(until: datetime = DUE) -> None:
    """Both mails are sent in time."""
    await goes_on(until - 30 * DAY)
    await goes_on(until - 7 * DAY)


class TestSomebodyWhoIsAway:
    async def test_is_warned_twice_and_loses_what_can_be_spent(self, database: str, maja: UUID):
        assert await goes_on(DUE - 30 * DAY - SECOND) == {}
        assert await goes_on(DUE - 30 * DAY) == {"warned": 1}
        assert await goes_on(DUE - 30 * DAY) == {}
        assert await goes_on(DUE - 7 * DAY - SECOND) == {}
        assert await goes_on(DUE - 7 * DAY) == {"warned_again": 1}
        assert await goes_on(DUE - SECOND) == {}
        assert await goes_on(DUE) == {"expired": 1}
        assert await goes_on(DUE + DAY) == {}
        assert entries(database, maja) == [(40, "welcome"), (-40, "expiry")]
        assert names(database) == ["coins_expiring", "coins_expiring", "coins_expired"]

    async def test_is_told_how_many_and_when(self, database: str, maja: UUID):
        await is_warned()
        for _, said in mails(database):
            assert said["coins"] == "40\u00a0WatchCoins"
            assert said["months"] == "12\u00a0months"
            assert "2025" in said["day"]

    async def test_keeps_the_level(self, database: str):
        maja = await away("Maja", 2500, database)
        await is_warned()
        await goes_on(DUE)
        found = await service.balance_of(maja)
        assert found == Balance(total=2500, balance=0, held=0, ads=0)
        assert found.level == 3

    async def test_keeps_what_is_held_until_it_is_released(self, database: str, maja: UUID):
        async with transaction() as session:
            hold = await service.hold(session, maja, 15, "order:1", now=ACTIVE)
        await is_warned()
        await goes_on(DUE)
        assert entries(database, maja)[-1] == (-25, "expiry")
        assert await service.balance_of(maja) == Balance(total=40, balance=0, held=15)
        async with transaction() as session:
            await service.release(session, hold, now=DUE)
        # What came free is warned of for its full time.
        again = DUE + DAY
        assert await goes_on(again) == {"warned": 1}
        assert await goes_on(again + 23 * DAY) == {"warned_again": 1}
        assert await goes_on(again + 30 * DAY) == {"expired": 1}
        assert entries(database, maja)[-1] == (-15, "expiry")

    @pytest.mark.parametrize("told", [0, 1, 2])
    async def test_keeps_what_came_back_after_a_mail(self, database: str, maja: UUID, told: int):
        for before in (30, 7)[:told]:
            await goes_on(DUE - before * DAY)
        async with transaction() as session:
            await service.credit(session, maja, 249, Kind.REFUND, "refund:x", now=DUE - 3 * DAY)
        for before in (30, 7)[told:]:
            await goes_on(DUE - before * DAY)
        await goes_on(DUE)
        gone = 289 if not told else 40
        told_of = [params["coins"].split("\xa0")[0] for _, params in mails(database)]
        assert told_of[1:] == [str(gone), str(gone)]
        assert entries(database, maja)[-1] == (-gone, "expiry")
        left = 289 - gone
        assert await service.balance_of(maja) == Balance(total=40, balance=left, held=0)
        # What is left is warned of for its full time.
        again = {"warned": 1} if left else {}
        assert await goes_on(DUE + DAY) == again

    async def test_who_comes_back_loses_nothing(self, database: str, maja: UUID):
        await is_warned()
        async with transaction() as session:
            await activity.note(session, maja, now=DUE - SECOND)
        assert await goes_on(DUE) == {"void": 1}
        assert entries(database, maja) == [(40, "welcome")]

    async def test_with_no_coins_hears_nothing(self, database: str):
        await away("Emil", 0, database)
        assert await goes_on(DUE + 100 * DAY) == {}

    async def test_is_not_somebody_who_was_here_a_day_later(self, database: str, maja: UUID):
        await away("Emil", 10, database, since=ACTIVE + DAY)
        assert await goes_on(DUE - 30 * DAY) == {"warned": 1}
        assert await goes_on(DUE - 29 * DAY) == {"warned": 1}


class TestAJobThatWasDown:
    async def test_warns_first_and_waits_the_whole_time(self, database: str, maja: UUID):
        late = DUE + 50 * DAY
        assert await goes_on(late) == {"warned": 1}
        assert await goes_on(late + 23 * DAY - SECOND) == {}
        assert await goes_on(late + 23 * DAY) == {"warned_again": 1}
        assert await goes_on(late + 30 * DAY - SECOND) == {}
        assert await goes_on(late + 30 * DAY) == {"expired": 1}


class TestTwoWorkersAtOnce:
    async def test_warn_and_take_once(self, database: str, maja: UUID):
        for name in ("Emil", "Ines"):
            await away(name, 10, database)
        for at in (DUE - 30 * DAY, DUE - 7 * DAY, DUE):
            found = await asyncio.gather(*(expiry.expire(now=at) for _ in range(4)))
            assert sum(sum(one.values()) for one in found) == 3
        assert len(mails(database)) == 9
        assert entries(database, maja) == [(40, "welcome"), (-40, "expiry")]


class TestManyPeople:
    async def test_are_gone_through_in_stretches(self, database: str, maja: UUID, monkeypatch):
        monkeypatch.setattr(expiry, "AT_ONCE", 2)
        for name in ("Emil", "Ines", "Noor", "Tove"):
            await away(name, 10, database)
        assert await goes_on(DUE - 30 * DAY) == {"warned": 5}

    async def test_are_found_along_an_index(self, database: str, maja: UUID):
        with psycopg.connect(database) as connection:
            connection.execute(
                "insert into accounts (id, email, email_verified_at, role, asked_for_admin,"
                " username, display_name, country, language, password_changed_at, created_at,"
                " last_active_at) select gen_random_uuid(), 'p' || n || '@example.com', now(),"
                " 'player', false, 'p' || n, 'p', 'SE', 'en', now(), now(),"
                " now() - n * interval '1 minute' from generate_series(1, 50000) n"
            )
            connection.execute("analyze accounts")
            plan = connection.execute(
                f"explain {AWAY}",  # pyright: ignore[reportArgumentType]
                {
                    "before": ACTIVE + DAY,
                    "at": ACTIVE,
                    "id": UUID(int=0),
                    "limit": 500,
                    "roles": ["player"],
                },
            ).fetchall()
        assert "ix_accounts_last_active_at" in str(plan)


class TestWhoseCoinsStay:
    @pytest.mark.parametrize("kind", list(Restriction))
    async def test_those_of_somebody_who_is_restricted(
        self, database: str, maja: UUID, kind: Restriction
    ):
        await is_warned()
        async with transaction() as session:
            await begin(session, maja, kind, "a reason", by=None, now=DUE)
        assert await goes_on(DUE) == {"void": 1}
        assert await goes_on(DUE + 400 * DAY) == {}
        # Afterwards both warnings come again.
        later = DUE + 500 * DAY
        async with transaction() as session:
            await end(session, maja, kind, "all is well", by=None, now=later)
        assert await goes_on(later) == {"warned": 1}
        assert await goes_on(later + 29 * DAY) == {"warned_again": 1}
        assert entries(database, maja) == [(40, "welcome")]

    async def test_those_of_an_account_that_is_being_deleted(self, database: str, maja: UUID):
        await is_warned()
        run(database, "update accounts set closed_at = %s where id = %s", DUE - DAY, maja)
        assert await goes_on(DUE) == {"void": 1}
        assert await goes_on(DUE + DAY) == {}

    @pytest.mark.parametrize("role", ["admin", "company"])
    async def test_those_of_people_who_cannot_spend_any(self, database: str, maja: UUID, role: str):
        run(database, "update accounts set role = %s where id = %s", role, maja)
        assert await goes_on(DUE + DAY) == {}

    async def test_everybodys_where_expiry_is_off(self, database: str, maja: UUID, monkeypatch):
        await is_warned()
        monkeypatch.setattr(settings(), "coin_expiry_months", 0)
        assert await goes_on(DUE) == {"void": 1}
        # Switched on again, it begins with the first warning.
        monkeypatch.setattr(settings(), "coin_expiry_months", 12)
        assert await goes_on(DUE + DAY) == {"warned": 1}

    async def test_everybodys_for_as_long_as_the_setting_says(
        self, database: str, maja: UUID, monkeypatch
    ):
        monkeypatch.setattr(settings(), "coin_expiry_months", 24)
        assert await goes_on(DUE) == {}
        assert await goes_on(datetime(2026, 3, 1, tzinfo=UTC) - 30 * DAY) == {"warned": 1}

    async def test_everybodys_after_warnings_of_their_own(
        self, database: str, maja: UUID, monkeypatch
    ):
        """What was told under another setting does not count."""
        await is_warned()
        monkeypatch.setattr(settings(), "coin_expiry_months", 24)
        due = DUE.replace(year=DUE.year + 1)
        assert await goes_on(DUE) == {}
        assert await goes_on(due - 30 * DAY) == {"warned": 1}
        assert await goes_on(due - 30 * DAY) == {}
        assert await goes_on(due - 7 * DAY) == {"warned_again": 1}
        assert await goes_on(due) == {"expired": 1}
