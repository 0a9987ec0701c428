"""The ledger is counted exactly once, whoever writes, counts or dies meanwhile."""

import asyncio
from collections.abc import Awaitable, Callable
from datetime import timedelta
from typing import Any
from uuid import UUID, uuid4

import psycopg
import pytest
import time_machine

from rewards_app.core import live
from rewards_app.core.database import transaction
from rewards_app.core.queue import turns
from rewards_app.features.accounts import restrictions
from rewards_app.features.accounts.restriction_rules import Kind as Restriction
from rewards_app.features.ads.days import PLATFORM_CALENDAR, day_at
from rewards_app.features.coins import service as coins
from rewards_app.features.coins.rules import Kind
from rewards_app.features.leaderboard import counting, rebuilding_repository, service
from rewards_app.features.leaderboard.boards import boards
from rewards_app.features.leaderboard.folding import Folding, keep_folding
from rewards_app.features.leaderboard.rules import Period
from tests.ads import SECOND, the_players
from tests.boards import all_in, earns
from tests.ledger import spoil
from tests.people import NOON

DAY = timedelta(days=1)
ENTER = """
with paid as (
    insert into coin_balances as known (account_id, total, balance, held, ads)
    values (%(account)s, 15, 15, 0, 1)
    on conflict (account_id) do update set total = known.total + 15,
        balance = known.balance + 15, ads = known.ads + 1
    returning balance
)
insert into coin_entries
    (month, account_id, amount, kind, cause, balance_after, subject, created_at)
select month_of_cause(%(cause)s), %(account)s, 15, 'ad', %(cause)s, balance, '', %(now)s from paid
"""


async def coins_of(account_id: UUID) -> int:
    return (await service.standing(account_id, period=Period.ALL, now=NOON)).coins


async def is_right() -> bool:
    async with transaction() as session:
        return await counting.check(session, now=NOON) == 0


def enter(connection: psycopg.Connection, account_id: UUID) -> None:
    """Written, and not committed yet."""
    connection.execute(ENTER, {"account": account_id, "cause": f"test:{uuid4()}", "now": NOON})


async def count_and_die() -> None:
    async with transaction() as session:
        await service.fold(session, now=NOON)
        raise RuntimeError


class TestOnce:
    async def test_what_was_counted_is_not_counted_again(self, database: str):
        [player] = await the_players(1)
        for times in range(1, 6):
            await earns(player.user_id, 15)
            await service.fold(now=NOON)
            await service.fold(now=NOON)
            assert await coins_of(player.user_id) == 15 * times

    async def test_an_entry_that_is_committed_late_is_counted_though_newer_ones_were(
        self, database: str
    ):
        slow, quick = await the_players(2)
        await service.fold(now=NOON)
        with psycopg.connect(database) as connection:
            enter(connection, slow.user_id)
            for times in range(1, 5):
                await earns(quick.user_id, 15)
                await service.fold(now=NOON)
                # A long transaction keeps nobody else's coins off the boards.
                assert await coins_of(quick.user_id) == 15 * times
            connection.commit()
        assert await coins_of(slow.user_id) == 0
        for _ in range(3):
            await service.fold(now=NOON)
        assert await coins_of(slow.user_id) == 15
        assert await is_right()

    async def test_an_entry_is_counted_though_an_older_transaction_has_taken_a_newer_number(
        self, database: str
    ):
        slow, quick = await the_players(2)
        await service.fold(now=NOON)
        with psycopg.connect(database) as older, psycopg.connect(database) as younger:
            older.execute("select pg_current_xact_id()")
            enter(younger, slow.user_id)
            enter(older, quick.user_id)
            older.commit()
            for _ in range(3):
                await service.fold(now=NOON)
            younger.commit()
        for _ in range(3):
            await service.fold(now=NOON)
        assert [await coins_of(one.user_id) for one in (slow, quick)] == [15, 15]
        assert await is_right()

    async def test_an_entry_that_is_committed_after_everything_was_made_anew_is_counted(
        self, database: str
    ):
        slow, quick = await the_players(2)
        with psycopg.connect(database) as connection:
            enter(connection, slow.user_id)
            making = asyncio.create_task(service.rebuild(now=NOON))
            await asyncio.sleep(0.3)
            connection.commit()
            await making
        await earns(quick.user_id, 15)
        await service.fold(now=NOON)
        assert [await coins_of(one.user_id) for one in (slow, quick)] == [15, 15]

    async def test_what_is_rolled_back_is_never_counted(self, database: str):
        [player] = await the_players(1)
        await service.fold(now=NOON)
        with psycopg.connect(database) as connection:
            enter(connection, player.user_id)
            await service.fold(now=NOON)
            connection.rollback()
        await service.fold(now=NOON)
        assert await coins_of(player.user_id) == 0

    async def test_coins_come_while_several_workers_count(self, database: str):
        players = await the_players(8)
        done = asyncio.Event()

        async def count() -> None:
            while not done.is_set():
                await service.fold(now=NOON)

        workers = [asyncio.create_task(count()) for _ in range(3)]
        for _ in range(10):
            await asyncio.gather(*(earns(player.user_id, 15) for player in players))
        done.set()
        await asyncio.gather(*workers)
        await service.fold(now=NOON)
        assert {await coins_of(player.user_id) for player in players} == {150}
        assert await is_right()

    async def test_whoever_dies_while_counting_leaves_nothing_half_counted(self, database: str):
        [player] = await the_players(1)
        await service.fold(now=NOON)
        await earns(player.user_id, 15)
        with pytest.raises(RuntimeError):
            await count_and_die()
        assert await coins_of(player.user_id) == 0
        await service.fold(now=NOON)
        assert await coins_of(player.user_id) == 15

    @pytest.mark.parametrize("counts", [service.fold, service.rebuild])
    async def test_what_is_written_by_whoever_counts_is_counted_by_the_next_one(
        self, database: str, counts: Callable[..., Awaitable[object]]
    ):
        [player] = await the_players(1)
        await service.fold(now=NOON)
        async with transaction() as session:
            cause = f"test:{uuid4()}"
            await coins.credit(session, player.user_id, 15, Kind.AD, cause, now=NOON)
            await counts(session, now=NOON)
        await service.fold(now=NOON)
        await service.fold(now=NOON)
        assert await coins_of(player.user_id) == 15

    async def test_a_second_one_who_counts_says_that_it_did_not(self, database: str):
        await service.fold(now=NOON)
        async with transaction() as session:
            assert not (await service.fold(session, now=NOON)).is_busy
            assert (await service.fold(now=NOON)).is_busy

    async def test_settled_entries_are_not_read_again(self, database: str):
        [player] = await the_players(1)
        for _ in range(4):
            await earns(player.user_id, 15)
            await service.fold(now=NOON)
        [(settled, newest)] = all_in(database, "select settled_to, newest from board_progress")
        assert (settled, newest) == (3, 4)


class TestAnew:
    async def test_a_ledger_from_before_the_boards_is_counted_at_the_first_start(
        self, database: str
    ):
        [player] = await the_players(1)
        await earns(player.user_id, 15)
        spoil(database, "update coin_entries set written_by = null")
        for _ in range(3):
            await service.fold(now=NOON)
        assert await coins_of(player.user_id) == 15
        assert await is_right()

    async def test_a_database_from_a_server_that_counted_further_is_counted_anew(
        self, database: str
    ):
        [player] = await the_players(1)
        await earns(player.user_id, 15)
        await service.fold(now=NOON)
        far = 2**40 + 500
        spoil(
            database,
            f"update board_progress set counted = '{far}:{far}:', open_until = {far}",
            f"update coin_entries set written_by = {far}",
        )
        await earns(player.user_id, 15)
        for _ in range(3):
            await service.fold(now=NOON)
        assert await coins_of(player.user_id) == 30

    async def test_a_restored_database_may_begin_anew(self, database: str):
        [player] = await the_players(1)
        await earns(player.user_id, 15)
        await service.fold(now=NOON)
        async with transaction() as session:
            await counting.forget_progress(session)
        # As everybody reads who does not wait for it.
        assert await coins.distributed() == 15
        await service.fold(now=NOON)
        assert await coins_of(player.user_id) == 15
        assert await coins.distributed() == 15

    async def test_coins_are_given_while_everything_is_made_anew(self, database: str):
        players = await the_players(4)
        await service.fold(now=NOON)
        for _ in range(5):
            await asyncio.gather(
                service.rebuild(now=NOON), *(earns(player.user_id, 15) for player in players)
            )
        await service.fold(now=NOON)
        assert {await coins_of(player.user_id) for player in players} == {75}
        assert await is_right()


class TestTheNightlyCheck:
    @pytest.mark.parametrize(
        "touched",
        [
            "update board_scores set coins = coins + 1",
            "update board_scores set ads = ads + 1 where board = 'all'",
            "update board_steps set players = players + 1 where width = 6",
            "delete from board_steps where width = 18",
            "update boards set players = players + 1",
            "delete from board_scores",
        ],
    )
    async def test_finds_what_was_touched_and_makes_it_right(self, database: str, touched: str):
        players = await the_players(3)
        for player in players:
            await earns(player.user_id, 15)
        await service.fold(now=NOON)
        spoil(database, touched)
        async with transaction() as session:
            assert await counting.check_and_rebuild(session, now=NOON) > 0
        assert await is_right()
        assert all_in(database, "select alert_type, severity from security_alerts") == [
            ("boards_difference", "medium")
        ]

    async def test_is_content_with_coins_that_are_not_counted_yet(self, database: str):
        [player] = await the_players(1)
        await service.fold(now=NOON)
        await earns(player.user_id, 15)
        assert await is_right()


class TestOldBoards:
    async def test_are_forgotten_when_a_week_and_a_month_have_passed(self, database: str):
        [player] = await the_players(1)
        await earns(player.user_id, 15)
        await service.fold(now=NOON)
        later = NOON + 70 * DAY
        await earns(player.user_id, 15, now=later)
        await service.fold(now=later)
        assert await counting.forget_old_boards(now=later) == 2
        for table in ("board_scores", "board_steps", "boards"):
            kept = all_in(database, f"select distinct board from {table} order by 1")
            assert kept == [("all",), ("m:2026-05",), ("w:2026-05-18",)]
        async with transaction() as session:
            assert await counting.check(session, now=later) == 0

    async def test_who_comes_back_among_them_meanwhile_is_no_difference(self, database: str):
        """Boards go at once and their scores bit by bit: in between somebody is shown again."""
        [player] = await the_players(1)
        await earns(player.user_id, 15)
        await service.fold(now=NOON)
        later = NOON + 70 * DAY
        async with transaction() as session:
            await restrictions.begin(
                session, player.user_id, Restriction.SUSPENDED, "bot", by=None, now=later
            )
        await service.fold(looks_at_everybody=True, now=later)
        async with transaction() as session:
            await rebuilding_repository.forget_boards(session, now=later)
            await restrictions.end(
                session, player.user_id, Restriction.SUSPENDED, "not a bot", by=None, now=later
            )
        await service.fold(looks_at_everybody=True, now=later)
        async with transaction() as session:
            assert await rebuilding_repository.forget_scores(session, most=10, now=later) == 2
            assert await counting.check(session, now=later) == 0
        # What came back of them goes in the next night.
        assert await counting.forget_old_boards(now=later) == 0

    async def test_those_of_the_month_before_stay(self, database: str):
        [player] = await the_players(1)
        await earns(player.user_id, 15)
        await service.fold(now=NOON)
        assert await counting.forget_old_boards(now=NOON + 7 * DAY) == 0


class TestAWorker:
    async def test_reads_its_boards_anew_when_they_have_changed(
        self, database: str, monkeypatch: pytest.MonkeyPatch
    ):
        heard: dict[str, list[Any]] = {}
        monkeypatch.setattr(
            live, "on", lambda topic, hear: heard.setdefault(topic, []).append(hear)
        )
        folding = asyncio.create_task(keep_folding())
        async with asyncio.timeout(10):
            while service.CHANGED not in heard:
                await asyncio.sleep(0.01)
        folding.cancel()
        assert boards.note_change in heard[service.CHANGED]
        assert boards.note_change in heard[live.TAKEN_UP]


class TestFolding:
    async def test_is_due_at_once_when_something_was_heard_and_a_second_apart(self, database: str):
        clock = 100.0
        folding = Folding(lambda: clock)
        assert folding.is_due()
        await folding.fold_if_due()
        await folding.note_change()
        assert not folding.is_due()
        clock += 1
        assert folding.is_due()

    async def test_is_left_to_the_first_of_the_workers_for_five_seconds(
        self, database: str, monkeypatch: pytest.MonkeyPatch
    ):
        clock = 100.0
        folding = Folding(lambda: clock)
        await folding.fold_if_due()
        await folding.note_change()
        monkeypatch.setattr(turns, "_turn", turns.Turn(1, 2))
        clock += 4.9
        assert not folding.is_due()
        clock += 0.1
        assert folding.is_due()

    async def test_is_due_twice_a_minute_when_nothing_was_heard(self, database: str):
        clock = 100.0
        folding = Folding(lambda: clock)
        await folding.fold_if_due()
        clock += 29
        assert not folding.is_due()
        clock += 1
        assert folding.is_due()

    async def test_tells_once_that_a_new_day_has_begun(self, database: str):
        """Nobody earns anything, and a week or a month is over all the same."""
        midnight = day_at(PLATFORM_CALENDAR, NOON).ends_at
        with time_machine.travel(midnight - SECOND, tick=False) as clock:
            folding = Folding(lambda: 100.0)
            await folding.fold_if_due()
            live._waiting.clear()
            await folding.fold_if_due()
            assert not live._waiting
            clock.shift(SECOND)
            for _ in range(2):
                await folding.fold_if_due()
            assert live._waiting == {(service.CHANGED, live.EVERYBODYS): 1}

    async def test_what_could_not_be_counted_is_tried_again(
        self, database: str, monkeypatch: pytest.MonkeyPatch
    ):
        clock = 100.0
        folding = Folding(lambda: clock)

        async def away(**_: object) -> None:
            raise RuntimeError

        with monkeypatch.context() as patched:
            patched.setattr(service, "fold", away)
            with pytest.raises(RuntimeError):
                await folding.fold_if_due()
        clock += 1
        assert folding.is_due()

    async def test_another_who_counts_leaves_the_rest_for_later(self, database: str):
        clock = 100.0
        folding = Folding(lambda: clock)
        await service.fold(now=NOON)
        async with transaction() as session:
            await service.fold(session, now=NOON)
            await folding.fold_if_due()
        clock += 1
        assert folding.is_due()

    async def test_asks_who_competes_when_somebody_changed_and_twice_a_minute(
        self, database: str, monkeypatch: pytest.MonkeyPatch
    ):
        clock, asked = 100.0, list[bool]()
        folding = Folding(lambda: clock)

        async def fold(*, looks_at_everybody: bool, **_: object) -> service.Fold:
            asked.append(looks_at_everybody)
            return service.Fold()

        monkeypatch.setattr(service, "fold", fold)
        await folding.fold_if_due()
        for seconds, hears in ((1, folding.note_change), (1, folding.note_people)):
            clock += seconds
            await hears()
            await folding.fold_if_due()
        clock += 30
        await folding.fold_if_due()
        assert asked == [True, False, True, True]


class TestDaysOfTheLedger:
    """The days are what the ledger adds up to, at every moment: counted or not, and made anew."""

    async def test_are_the_ledger_before_and_after_it_is_counted(self, database: str):
        players = await the_players(3)
        for number, player in enumerate(players):
            await earns(player.user_id, 10 + number)
            assert await tallied(database) == scanned(database)
        async with transaction() as session:
            await service.fold(session, now=NOON)
        assert await tallied(database) == scanned(database)
        await earns(players[0].user_id, 7)
        assert await tallied(database) == scanned(database)
        assert (await coins.distributed(), await coins.ads_watched()) == scanned_earnings(database)

    async def test_miss_nothing_that_another_transaction_is_still_writing(self, database: str):
        [slow, quick] = await the_players(2)
        await service.fold(now=NOON)
        with psycopg.connect(database) as connection:
            enter(connection, slow.user_id)
            await earns(quick.user_id, 15)
            async with transaction() as session:
                await service.fold(session, now=NOON)
            assert await tallied(database) == scanned(database)
        assert await tallied(database) == scanned(database)
        async with transaction() as session:
            await service.fold(session, now=NOON)
        assert await tallied(database) == scanned(database)

    async def test_are_made_anew_with_the_boards(self, database: str):
        [player] = await the_players(1)
        await earns(player.user_id, 15)
        async with transaction() as session:
            await service.fold(session, now=NOON)
        spoil(database, "update ledger_days set amount = amount + 1")
        assert not await is_right()
        await counting.rebuild(now=NOON)
        assert await is_right()
        assert await tallied(database) == scanned(database)


async def tallied(database: str) -> list[tuple[Any, ...]]:
    with psycopg.connect(database) as connection:
        return connection.execute(
            "select day, kind, sum(entries)::bigint, sum(amount)::bigint"
            f" from {coins.TALLIED} as known group by 1, 2 order by 1, 2"
        ).fetchall()


def scanned(database: str) -> list[tuple[Any, ...]]:
    with psycopg.connect(database) as connection:
        return connection.execute(
            "select (created_at at time zone 'Europe/Stockholm')::date, kind, count(*),"
            " sum(amount)::bigint from coin_entries group by 1, 2 order by 1, 2"
        ).fetchall()


def scanned_earnings(database: str) -> tuple[int, int]:
    with psycopg.connect(database) as connection:
        [found] = connection.execute(
            "select sum(total)::bigint, sum(ads)::bigint from coin_balances"
        ).fetchall()
        return found
