"""What a tab shows of the first steps, and for how long."""

from collections.abc import AsyncIterator
from typing import Any
from uuid import uuid4

import pytest

from rewards_app.core.access import access_of
from rewards_app.core.actor import Actor, Role
from rewards_app.core.clock import utc_now
from rewards_app.core.database import transaction
from rewards_app.features.coins import service as coins
from rewards_app.features.coins.rules import Kind
from rewards_app.features.dashboard.start_rules import KEPT_AT
from rewards_app.features.dashboard.start_state import FirstStepsState
from rewards_app.features.notifications.start_state import StartAgainState
from tests.ads import the_player
from tests.states import a_page, acting, calls

PLAYERS = {Role.PLAYER, Role.MODERATOR}


@pytest.fixture(autouse=True)
async def maja(database: str) -> AsyncIterator[Actor]:
    with acting(await the_player()) as actor:
        yield actor


async def a_tab() -> Any:
    return await a_page().get_state(FirstStepsState)


@pytest.fixture
async def home() -> Any:
    return await a_tab()


async def is_paid(player: Actor, amount: int) -> None:
    async with transaction() as session:
        await coins.credit(session, player.user_id, amount, Kind.AD, f"ad:{uuid4()}", now=utc_now())


async def test_nothing_is_known_before_the_home_opens(home: Any):
    assert (home.is_known, home.are_shown, home.next_step) == (False, False, "")


async def test_a_newcomer_sees_what_is_next(home: Any):
    await calls(FirstStepsState.open, home)
    assert (home.is_known, home.are_shown, home.next_step) == (True, True, "watch")
    assert home.done == {"verify": True, "watch": False, "coins": False}


async def test_progress_comes_with_a_refresh(maja: Actor, home: Any):
    await calls(FirstStepsState.open, home)
    await is_paid(maja, 15)
    await calls(FirstStepsState.refresh, home)
    assert (home.next_step, home.balance) == ("coins", 15)


async def test_the_last_step_is_celebrated_and_stays_in_sight(maja: Actor, home: Any):
    await calls(FirstStepsState.open, home)
    await is_paid(maja, KEPT_AT)
    await calls(FirstStepsState.refresh, home)
    assert (home.are_shown, home.next_step, home.is_won) == (True, "", True)
    await calls(FirstStepsState.refresh, home)
    assert (home.are_shown, home.is_won) == (True, True)


async def test_the_end_is_gone_when_the_home_opens_again(maja: Actor, home: Any):
    await calls(FirstStepsState.open, home)
    await is_paid(maja, KEPT_AT)
    await calls(FirstStepsState.refresh, home)
    await calls(FirstStepsState.open, home)
    assert not home.are_shown


async def test_steps_done_on_another_page_are_celebrated_at_home(maja: Actor, home: Any):
    await calls(FirstStepsState.open, home)
    await is_paid(maja, KEPT_AT)
    await calls(FirstStepsState.open, home)
    assert (home.are_shown, home.is_won) == (True, True)


async def test_what_another_tab_saw_unfinished_is_not_celebrated_here(maja: Actor, home: Any):
    await calls(FirstStepsState.open, await a_tab())
    await is_paid(maja, KEPT_AT)
    await calls(FirstStepsState.open, home)
    assert (home.are_shown, home.is_won) == (True, False)


async def test_who_was_done_before_there_were_steps_is_shown_none(maja: Actor, home: Any):
    await is_paid(maja, KEPT_AT)
    await calls(FirstStepsState.open, home)
    assert (home.is_known, home.are_shown) == (True, False)


async def test_skipping_is_said_and_seen_in_another_tab(home: Any):
    other = await a_tab()
    for tab in (home, other):
        await calls(FirstStepsState.open, tab)
    await calls(FirstStepsState.skip, home)
    assert (home.are_shown, home.next_step) == (False, "")
    assert home.notice["title"] == "home.steps.skipped"
    await calls(FirstStepsState.refresh, other)
    assert not other.are_shown


async def test_closing_the_end_says_nothing(maja: Actor, home: Any):
    await calls(FirstStepsState.open, home)
    await is_paid(maja, KEPT_AT)
    await calls(FirstStepsState.open, home)
    await calls(FirstStepsState.close, home)
    assert not home.are_shown
    assert not home.notice


async def test_the_settings_bring_them_back(home: Any):
    await calls(FirstStepsState.open, home)
    await calls(FirstStepsState.skip, home)
    again = await a_page().get_state(StartAgainState)
    await calls(StartAgainState.show_first_steps, again)
    await calls(FirstStepsState.open, home)
    assert home.are_shown


@pytest.mark.parametrize("name", ["open", "refresh", "skip", "close"])
def test_they_are_for_players_alone(name: str):
    access = access_of(getattr(FirstStepsState, name).fn)
    assert access
    assert access.roles == PLAYERS


def test_nobody_else_brings_them_back():
    handler: Any = StartAgainState.show_first_steps
    access = access_of(handler.fn)
    assert access
    assert access.roles == PLAYERS
