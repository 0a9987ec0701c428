"""Coins come, are held and go on a real database; and nothing is lost or doubled on the way."""

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable, Iterable
from datetime import timedelta
from uuid import UUID

import psycopg
import pytest
from psycopg import errors as postgres

from rewards_app.core.database import transaction
from rewards_app.core.errors import DomainError
from rewards_app.core.ids import new_id
from rewards_app.features.coins import proof_repository, rules, service
from rewards_app.features.coins.rules import BadAmount, Balance, HoldEnded, Kind, NotEnoughCoins
from rewards_app.models import CoinEntry
from tests.ads import NOON, the_player
from tests.ledger import spoil

pytestmark = pytest.mark.usefixtures("database")
AT_ONCE = 20


@pytest.fixture
async def maja(database: str) -> UUID:
    return (await the_player("Maja")).user_id


@pytest.fixture
async def emil(database: str) -> UUID:
    return (await the_player("Emil")).user_id


async def gets(
    owner: UUID, amount: int, kind: Kind = Kind.WELCOME, *, cause: str = "", subject: str = ""
) -> bool:
    async with transaction() as session:
        return await service.credit(
            session, owner, amount, kind, cause or f"gift:{new_id()}", subject=subject, now=NOON
        )


async def holds(owner: UUID, amount: int, *, cause: str = "") -> UUID:
    async with transaction() as session:
        return await service.hold(session, owner, amount, cause or f"order:{new_id()}", now=NOON)


async def settles(hold: UUID, **options) -> bool:
    async with transaction() as session:
        return await service.settle(session, hold, **{"now": NOON} | options)


async def releases(hold: UUID) -> bool:
    async with transaction() as session:
        return await service.release(session, hold, now=NOON)


async def entries_of(owner: UUID, *, before: int | None = None) -> service.Statement:
    async with transaction() as session:
        return await service.statement(session, owner, before=before)


async def all_entries_of(owner: UUID) -> list[CoinEntry]:
    """From the first to the last."""
    found, before = [], None
    while True:
        part = await entries_of(owner, before=before)
        found += part.entries
        before = part.next_before
        if before is None:
            return found[::-1]


async def audit() -> service.Audit:
    async with transaction() as session:
        return await service.check(session)


async def in_parallel(
    calls: Iterable[Callable[[], Awaitable[object]]], *, at_once: int = AT_ONCE
) -> list[object]:
    """What each call returned, or how it was refused; anything else fails the test."""
    slots = asyncio.Semaphore(at_once)

    async def outcome(call: Callable[[], Awaitable[object]]) -> object:
        async with slots:
            try:
                return await call()
            except DomainError as refusal:
                return type(refusal)

    return await asyncio.gather(*(outcome(call) for call in calls))


class TestCredit:
    async def test_gives_coins_that_can_be_spent_and_count_as_earned(self, maja: UUID):
        assert await gets(maja, 15)
        assert await service.balance_of(maja) == Balance(total=15, balance=15)

    async def test_gives_them_once_for_one_cause(self, maja: UUID):
        assert await gets(maja, 15, cause="welcome:maja")
        assert not await gets(maja, 15, cause="welcome:maja")
        assert (await service.balance_of(maja)).balance == 15

    async def test_a_cause_that_paid_one_player_pays_no_other(self, maja: UUID, emil: UUID):
        await gets(maja, 15, cause="code:once")
        assert not await gets(emil, 15, cause="code:once")
        assert await service.balance_of(emil) == Balance()

    async def test_gives_them_once_for_fifty_calls_at_the_same_time(self, maja: UUID):
        outcomes = await in_parallel(lambda: gets(maja, 15, cause="once") for _ in range(50))
        assert Counter(outcomes) == {True: 1, False: 49}
        assert (await service.balance_of(maja)).balance == 15

    async def test_of_a_refund_raises_no_total_and_no_level(self, maja: UUID):
        await gets(maja, 999)
        await gets(maja, 500, Kind.REFUND)
        after = await service.balance_of(maja)
        assert after == Balance(total=999, balance=1499)
        assert after.level == 1

    @pytest.mark.parametrize("amount", [0, -15, 1.5, rules.LARGEST_AMOUNT + 1])
    async def test_refuses_what_is_no_amount(self, maja: UUID, amount):
        with pytest.raises(BadAmount):
            await gets(maja, amount)
        assert (await entries_of(maja)).entries == []

    async def test_leaves_nothing_when_its_transaction_fails(self, maja: UUID):
        async def credit_and_fail() -> None:
            async with transaction() as session:
                await service.credit(session, maja, 15, Kind.WELCOME, "lost", now=NOON)
                raise ZeroDivisionError

        with pytest.raises(ZeroDivisionError):
            await credit_and_fail()
        assert await service.balance_of(maja) == Balance()
        assert await gets(maja, 15, cause="lost")

    async def test_keeps_a_long_subject_as_far_as_there_is_room(self, maja: UUID):
        await gets(maja, 15, subject="Ö" * 500)
        entry = (await entries_of(maja)).entries[0]
        assert entry.subject == "Ö" * service.LONGEST_SUBJECT

    async def test_raises_the_level_at_a_thousand(self, maja: UUID):
        await gets(maja, 999)
        await gets(maja, 1)
        assert (await service.balance_of(maja)).level == 2


class TestHold:
    async def test_sets_coins_aside_and_lowers_no_total(self, maja: UUID):
        await gets(maja, 315)
        await holds(maja, 100)
        assert await service.balance_of(maja) == Balance(total=315, balance=215, held=100)

    async def test_is_no_entry_yet(self, maja: UUID):
        await gets(maja, 315)
        await holds(maja, 100)
        assert len((await entries_of(maja)).entries) == 1

    async def test_of_everything_leaves_nothing(self, maja: UUID):
        await gets(maja, 100)
        await holds(maja, 100)
        assert await service.balance_of(maja) == Balance(total=100, balance=0, held=100)

    async def test_of_one_coin_too_many_is_refused_with_what_is_missing(self, maja: UUID):
        await gets(maja, 99)
        with pytest.raises(NotEnoughCoins) as refusal:
            await holds(maja, 100)
        assert refusal.value.params == {"count": 1}
        assert await service.balance_of(maja) == Balance(total=99, balance=99)

    async def test_of_a_player_without_coins_is_refused(self, maja: UUID):
        with pytest.raises(NotEnoughCoins):
            await holds(maja, 1)

    async def test_does_not_take_what_is_held_already(self, maja: UUID):
        await gets(maja, 100)
        await holds(maja, 60)
        with pytest.raises(NotEnoughCoins) as refusal:
            await holds(maja, 60)
        assert refusal.value.params == {"count": 20}

    async def test_of_one_cause_is_made_once(self, maja: UUID):
        await gets(maja, 315)
        assert await holds(maja, 100, cause="order:7") == await holds(maja, 100, cause="order:7")
        assert (await service.balance_of(maja)).held == 100

    @pytest.mark.parametrize("amount", [0, -100])
    async def test_refuses_what_is_no_amount(self, maja: UUID, amount: int):
        await gets(maja, 315)
        with pytest.raises(BadAmount):
            await holds(maja, amount)

    async def test_open_ones_are_listed_until_they_end(self, maja: UUID):
        await gets(maja, 315)
        kept, ended = await holds(maja, 100), await holds(maja, 50)
        await releases(ended)
        async with transaction() as session:
            found = await service.open_holds(session, maja)
        assert [hold.id for hold in found] == [kept]


class TestManyHolds:
    """Two thousand that are spent as well are shop/test_many_buyers.py's."""

    async def test_of_a_hundred_on_a_balance_of_315_let_three_win(self, maja: UUID):
        await gets(maja, 315)
        outcomes = await in_parallel(lambda: holds(maja, 100) for _ in range(20))
        won = [outcome for outcome in outcomes if isinstance(outcome, UUID)]
        assert len(won) == 3
        assert Counter(outcomes)[NotEnoughCoins] == 17
        assert await service.balance_of(maja) == Balance(total=315, balance=15, held=300)


class TestSettle:
    @pytest.fixture
    async def held(self, maja: UUID) -> UUID:
        await gets(maja, 315)
        return await holds(maja, 100, cause="order:7")

    async def test_spends_the_held_coins_and_keeps_the_level(self, maja: UUID, held: UUID):
        assert await settles(held, subject="Gift card")
        assert await service.balance_of(maja) == Balance(total=315, balance=215, held=0)

    async def test_is_an_entry_with_the_cause_of_its_hold(self, maja: UUID, held: UUID):
        await settles(held, subject="Gift card")
        entry = (await entries_of(maja)).entries[0]
        assert (entry.amount, entry.kind, entry.cause) == (-100, "purchase", "order:7")
        assert (entry.subject, entry.balance_after) == ("Gift card", 215)

    async def test_happens_once(self, maja: UUID, held: UUID):
        assert await settles(held)
        assert not await settles(held)
        assert (await service.balance_of(maja)).balance == 215

    async def test_happens_once_for_fifty_calls_at_the_same_time(self, maja: UUID, held: UUID):
        outcomes = await in_parallel(lambda: settles(held) for _ in range(50))
        assert Counter(outcomes) == {True: 1, False: 49}

    async def test_refuses_a_released_hold(self, maja: UUID, held: UUID):
        await releases(held)
        with pytest.raises(HoldEnded):
            await settles(held)
        assert (await service.balance_of(maja)).balance == 315

    async def test_refuses_a_hold_that_never_was(self, maja: UUID):
        with pytest.raises(HoldEnded):
            await settles(new_id())

    async def test_of_the_last_coins_leaves_an_account_that_can_earn_again(self, maja: UUID):
        await gets(maja, 50)
        await settles(await holds(maja, 50))
        await gets(maja, 15)
        assert await service.balance_of(maja) == Balance(total=65, balance=15)


class TestRelease:
    @pytest.fixture
    async def held(self, maja: UUID) -> UUID:
        await gets(maja, 315)
        return await holds(maja, 100)

    async def test_gives_the_coins_back(self, maja: UUID, held: UUID):
        assert await releases(held)
        assert await service.balance_of(maja) == Balance(total=315, balance=315)

    async def test_is_no_entry(self, maja: UUID, held: UUID):
        await releases(held)
        assert len((await entries_of(maja)).entries) == 1

    async def test_happens_once(self, maja: UUID, held: UUID):
        assert await releases(held)
        assert not await releases(held)
        assert (await service.balance_of(maja)).balance == 315

    async def test_refuses_a_settled_hold(self, maja: UUID, held: UUID):
        await settles(held)
        with pytest.raises(HoldEnded):
            await releases(held)
        assert (await service.balance_of(maja)).balance == 215

    async def test_and_settling_at_the_same_time_exclude_each_other(self, maja: UUID):
        await gets(maja, 1000)
        for _ in range(10):
            held = await holds(maja, 10)
            ends = [settles, releases] * 3
            outcomes = await in_parallel(lambda end=end, held=held: end(held) for end in ends)
            assert Counter(outcomes) == {True: 1, False: 2, HoldEnded: 3}


class TestStatement:
    async def test_of_a_new_player_is_empty(self, maja: UUID):
        assert await entries_of(maja) == service.Statement([], None)

    async def test_shows_the_newest_first(self, maja: UUID):
        for amount in (1, 2, 3):
            await gets(maja, amount)
        assert [entry.amount for entry in (await entries_of(maja)).entries] == [3, 2, 1]

    async def test_shows_only_the_players_own(self, maja: UUID, emil: UUID):
        await gets(emil, 15)
        assert (await entries_of(maja)).entries == []

    async def test_of_exactly_a_page_has_no_more(self, maja: UUID):
        for _ in range(service.A_PAGE):
            await gets(maja, 1)
        assert (await entries_of(maja)).next_before is None

    async def test_of_one_entry_more_goes_on_with_the_oldest(self, maja: UUID):
        for amount in range(1, service.A_PAGE + 2):
            await gets(maja, amount)
        first = await entries_of(maja)
        rest = await entries_of(maja, before=first.next_before)
        assert len(first.entries) == service.A_PAGE
        assert [entry.amount for entry in rest.entries] == [1]
        assert rest.next_before is None

    async def test_what_comes_while_one_reads_shifts_no_page(self, maja: UUID):
        for amount in range(1, service.A_PAGE + 2):
            await gets(maja, amount)
        first = await entries_of(maja)
        await gets(maja, 99)
        rest = await entries_of(maja, before=first.next_before)
        assert [entry.amount for entry in rest.entries] == [1]

    async def test_each_line_leaves_what_the_next_begins_with(self, maja: UUID):
        await gets(maja, 315)
        held = await holds(maja, 100)
        await gets(maja, 15)
        await settles(held)
        await gets(maja, 5, Kind.REFUND)
        lines = await all_entries_of(maja)
        assert [line.balance_after for line in lines] == [315, 330, 230, 235]

    async def test_lines_written_at_the_same_time_follow_each_other_too(self, maja: UUID):
        await in_parallel(lambda amount=n: gets(maja, amount) for n in range(1, 61))
        owned = 0
        for line in await all_entries_of(maja):
            owned += line.amount
            assert line.balance_after == owned


class TestDistributed:
    async def test_is_what_everybody_ever_earned(self, maja: UUID, emil: UUID):
        await gets(maja, 100)
        await gets(emil, 15)
        await gets(emil, 7, Kind.REFUND)
        await settles(await holds(maja, 60))
        assert await service.distributed() == 115

    async def test_is_nothing_in_an_empty_house(self):
        assert await service.distributed() == 0


class TestWhatTheDatabaseRefuses:
    @pytest.fixture
    async def paid(self, maja: UUID) -> UUID:
        await gets(maja, 15)
        return maja

    @pytest.mark.usefixtures("paid")
    @pytest.mark.parametrize(
        "command",
        [
            "update coin_entries set amount = 1000",
            "update coin_entries set cause = 'other'",
            "delete from coin_entries",
            "truncate coin_entries",
            "truncate accounts cascade",
        ],
    )
    def test_entries_are_not_changed_taken_away_or_emptied(self, database: str, command: str):
        with psycopg.connect(database) as connection, pytest.raises(postgres.RaiseException):
            connection.execute(command)

    @pytest.mark.usefixtures("paid")
    def test_an_account_with_coins_is_not_deleted(self, database: str):
        with psycopg.connect(database) as connection, pytest.raises(postgres.RestrictViolation):
            connection.execute("delete from accounts")

    @pytest.mark.usefixtures("paid")
    @pytest.mark.parametrize("column", ["balance", "held", "total"])
    def test_no_balance_goes_below_zero(self, database: str, column: str):
        with psycopg.connect(database) as connection, pytest.raises(postgres.CheckViolation):
            connection.execute(f"update coin_balances set {column} = -1")

    @pytest.mark.usefixtures("paid")
    def test_no_cause_is_entered_twice(self, database: str):
        with psycopg.connect(database) as connection, pytest.raises(postgres.UniqueViolation):
            connection.execute(
                "insert into coin_entries"
                " (month, account_id, amount, kind, cause, subject, balance_after, created_at)"
                " select month, account_id, amount, kind, cause, subject, balance_after, created_at"
                " from coin_entries"
            )


PLANTED = {
    "a coin too many": "update coin_balances set balance = balance + 1",
    "a total that was raised": "update coin_balances set total = total + 1000",
    "a hold that nobody made": "update coin_balances set held = held + 1, balance = balance - 1",
    "an entry that was changed": "update coin_entries set amount = 500 where amount = 15",
    "an entry that is gone": "delete from coin_entries where amount = 15",
    "a balance that is gone": "delete from coin_balances",
    "a hold that ended behind its back": "update coin_holds set status = 'released'",
}


class TestCheck:
    @pytest.fixture
    async def books(self, maja: UUID, emil: UUID) -> UUID:
        """Maja's; Emil's beside them are spoilt by nobody."""
        await gets(maja, 300)
        await gets(maja, 15)
        await holds(maja, 100)
        return maja

    async def test_of_an_empty_ledger_is_clean(self):
        assert await audit() == service.Audit(0, [], [])

    async def test_of_an_honest_ledger_is_clean(self, books: UUID, emil: UUID):
        await gets(emil, 7)
        assert await audit() == service.Audit(2, [], [])

    @pytest.mark.usefixtures("spoilt_books")
    @pytest.mark.parametrize("planted", PLANTED)
    async def test_finds(self, database: str, books: UUID, emil: UUID, planted: str):
        spoil(database, PLANTED[planted])
        await gets(emil, 7)
        found = await audit()
        assert not found.is_clean
        assert [wrong.account_id for wrong in found.wrong] == [books]

    @pytest.mark.usefixtures("spoilt_books")
    async def test_finds_as_much_however_few_accounts_are_read_at_once(
        self, database: str, monkeypatch: pytest.MonkeyPatch, books: UUID, emil: UUID
    ):
        monkeypatch.setattr(proof_repository, "AT_ONCE", 1)
        await gets(emil, 7)
        spoil(database, "update coin_balances set balance = balance + 1")
        found = await audit()
        assert found.accounts == 2
        assert {wrong.account_id for wrong in found.wrong} == {books, emil}

    @pytest.mark.usefixtures("spoilt_books")
    async def test_finds_lines_that_do_not_follow_though_the_sum_is_right(
        self, database: str, books: UUID
    ):
        spoil(database, "update coin_entries set balance_after = 301 where balance_after = 300")
        found = await audit()
        assert found.wrong == []
        assert len(found.skips) == 2

    @pytest.mark.usefixtures("spoilt_books")
    async def test_raises_one_alert_for_each_account(
        self, database: str, maja: UUID, emil: UUID, books: UUID
    ):
        await gets(emil, 7)
        spoil(database, "update coin_balances set balance = balance + 1")
        async with transaction() as session:
            await service.check_and_alert(session, now=NOON)
        assert alerts_in(database) == {("ledger_difference", "critical"): {maja, emil}}

    @pytest.mark.usefixtures("books")
    async def test_raises_none_when_all_is_right(self, database: str):
        async with transaction() as session:
            await service.check_and_alert(session, now=NOON + timedelta(days=1))
        assert alerts_in(database) == {}


def alerts_in(url: str) -> dict[tuple[str, str], set[UUID]]:
    """Which accounts each kind of alert is about; one alert for each."""
    with psycopg.connect(url) as connection:
        rows = connection.execute(
            "select alert_type, severity, account_id from security_alerts"
        ).fetchall()
    assert len(rows) == len(set(rows))
    found: dict[tuple[str, str], set[UUID]] = {}
    for kind, severity, account_id in rows:
        found.setdefault((kind, severity), set()).add(account_id)
    return found
