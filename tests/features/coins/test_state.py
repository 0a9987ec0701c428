"""What the statement keeps of what it has loaded, when more is asked for and when coins come."""

from collections.abc import Iterator
from uuid import uuid4

import pytest

from rewards_app.core.actor import Actor
from rewards_app.core.database import transaction
from rewards_app.core.gate import current_actor
from rewards_app.features.coins import service, state
from rewards_app.features.coins.rules import Kind
from rewards_app.features.coins.state import StatementState
from tests.ads import NOON, the_player
from tests.states import a_page


@pytest.fixture
async def maja(database: str) -> Actor:
    return await the_player("Maja")


@pytest.fixture
async def shown(maja: Actor) -> StatementState:
    return await a_page().get_state(StatementState)


@pytest.fixture(autouse=True)
def acting() -> Iterator[None]:
    before = current_actor.set(None)
    yield
    current_actor.reset(before)


async def earns(player: Actor, *, times: int = 1) -> None:
    async with transaction() as session:
        for _ in range(times):
            cause = f"ad:{uuid4()}"
            await service.credit(
                session, player.user_id, 15, Kind.AD, cause, subject="Drift One", now=NOON
            )


async def loads(shown: StatementState, actor: Actor) -> None:
    current_actor.set(actor)
    await StatementState.load.fn(shown)


async def asks_for_more(shown: StatementState, before: int | None = None) -> None:
    await StatementState.load_more.fn(shown, before=before or shown.next_before)


def amounts_left(shown: StatementState) -> list[int]:
    return [entry["left"] for entry in shown.entries]


def downwards(first: int, last: int) -> list[int]:
    return [15 * number for number in range(first, last - 1, -1)]


class TestLoad:
    async def test_shows_balance_total_and_the_newest_entries(self, shown, maja: Actor):
        await earns(maja, times=26)
        await loads(shown, maja)
        assert (shown.balance, shown.total, shown.held) == (390, 390, 0)
        assert amounts_left(shown) == downwards(26, 2)
        assert shown.entries[0]["subject"] == "Drift One"
        assert shown.next_before > 0

    async def test_shows_what_is_held(self, shown, maja: Actor):
        await earns(maja)
        async with transaction() as session:
            await service.hold(session, maja.user_id, 9, "order:1", now=NOON)
        await loads(shown, maja)
        assert (shown.balance, shown.total, shown.held) == (6, 15, 9)
        assert shown.holds == [{"amount": 9, "since": NOON.isoformat()}]

    async def test_shows_nothing_to_a_newcomer(self, shown, maja: Actor):
        await loads(shown, maja)
        assert (shown.entries, shown.next_before, shown.is_loaded) == ([], 0, True)


class TestLoadMore:
    async def test_adds_older_entries_until_the_first(self, shown, maja: Actor):
        await earns(maja, times=60)
        await loads(shown, maja)
        await asks_for_more(shown)
        assert amounts_left(shown) == downwards(60, 11)
        await asks_for_more(shown)
        assert amounts_left(shown) == downwards(60, 1)
        assert shown.next_before == 0

    async def test_asked_twice_adds_them_once(self, shown, maja: Actor):
        await earns(maja, times=80)
        await loads(shown, maja)
        before = shown.next_before
        await asks_for_more(shown, before)
        await asks_for_more(shown, before)
        assert amounts_left(shown) == downwards(80, 31)

    async def test_never_shows_entries_of_somebody_else(self, shown, maja: Actor):
        emil = await the_player("Emil")
        await earns(maja, times=30)
        await earns(emil, times=30)
        await loads(shown, maja)
        own = shown.next_before
        await asks_for_more(shown, own + 45)
        assert len(shown.entries) == 25
        shown.next_before = own + 45
        await asks_for_more(shown)
        assert amounts_left(shown)[25:] == downwards(30, 6)

    async def test_of_a_very_long_list_starts_it_anew_and_leads_back(
        self, shown, maja: Actor, monkeypatch: pytest.MonkeyPatch
    ):
        monkeypatch.setattr(state, "MOST_AT_ONCE", 50)
        await earns(maja, times=80)
        await loads(shown, maja)
        await asks_for_more(shown)
        await asks_for_more(shown)
        assert (amounts_left(shown), shown.has_newer) == (downwards(30, 6), True)
        await earns(maja)
        await StatementState.refresh.fn(shown)
        assert amounts_left(shown) == downwards(30, 6)
        await loads(shown, maja)
        assert (amounts_left(shown)[0], shown.has_newer) == (81 * 15, False)


class TestRefresh:
    async def test_puts_what_is_new_first_and_keeps_what_was_loaded(self, shown, maja: Actor):
        await earns(maja, times=60)
        await loads(shown, maja)
        await asks_for_more(shown)
        await earns(maja, times=3)
        await StatementState.refresh.fn(shown)
        assert amounts_left(shown) == downwards(63, 11)
        await asks_for_more(shown)
        assert amounts_left(shown) == downwards(63, 1)

    async def test_leaves_no_gap_when_very_much_is_new(self, shown, maja: Actor):
        await earns(maja, times=30)
        await loads(shown, maja)
        await earns(maja, times=40)
        await StatementState.refresh.fn(shown)
        assert amounts_left(shown) == downwards(70, 46)
        await asks_for_more(shown)
        assert amounts_left(shown) == downwards(70, 21)

    async def test_shows_the_first_coins_ever(self, shown, maja: Actor):
        await loads(shown, maja)
        await earns(maja)
        await StatementState.refresh.fn(shown)
        assert (shown.balance, amounts_left(shown)) == (15, [15])
