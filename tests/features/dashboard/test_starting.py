"""The first steps of a player, on a real database."""

from datetime import datetime, timedelta
from uuid import uuid4

import pytest

from rewards_app.core.actor import Actor
from rewards_app.core.database import transaction
from rewards_app.features.accounts import first_steps
from rewards_app.features.coins import service as coins
from rewards_app.features.coins.rules import Kind
from rewards_app.features.dashboard import starting
from rewards_app.features.dashboard.start_rules import KEPT_AT, Step
from rewards_app.features.dashboard.starting import FirstSteps
from rewards_app.models import Account
from tests.ads import NOON, an_ad, the_actor, the_player, watches
from tests.people import an_account

pytestmark = pytest.mark.usefixtures("database")
LATER = NOON + timedelta(hours=1)


async def opened(player: Actor, *, now: datetime = LATER) -> FirstSteps | None:
    async with transaction() as session:
        return await starting.opened(session, player, now=now)


async def puts_aside(player: Actor, *, now: datetime = LATER) -> None:
    async with transaction() as session:
        await starting.put_aside(session, player, now=now)


async def takes_up(player: Actor) -> None:
    async with transaction() as session:
        await first_steps.take_up(session, player.user_id, now=LATER)


async def left_at(player: Actor) -> datetime | None:
    async with transaction() as session:
        account = await session.get(Account, player.user_id)
        assert account
        return account.first_steps_left_at


async def earns(player: Actor, amount: int) -> None:
    async with transaction() as session:
        await coins.credit(session, player.user_id, amount, Kind.WELCOME, f"w:{uuid4()}", now=NOON)


async def spends(player: Actor, amount: int) -> None:
    async with transaction() as session:
        held = await coins.hold(session, player.user_id, amount, f"order:{uuid4()}", now=NOON)
        await coins.settle(session, held, subject="800 Robux", now=NOON)


class TestOpened:
    async def test_a_newcomer_who_is_verified_watches_the_first_ad_next(self):
        steps = await opened(await the_player("Maja"))
        assert steps
        assert steps == FirstSteps(frozenset({Step.VERIFY}), balance=0)
        assert steps.next is Step.WATCH

    async def test_who_is_not_verified_does_that_first(self):
        steps = await opened(the_actor(await an_account(is_verified=False)))
        assert steps
        assert steps.next is Step.VERIFY

    async def test_the_first_ad_leads_to_its_coins(self):
        maja = await the_player("Maja")
        await watches(maja, await an_ad(reward=15))
        steps = await opened(maja)
        assert steps
        assert steps == FirstSteps(frozenset({Step.VERIFY, Step.WATCH}), balance=15)
        assert steps.next is Step.COINS

    async def test_spending_a_coin_ends_them(self):
        maja = await the_player("Maja")
        await opened(maja)
        await watches(maja, await an_ad(reward=15))
        await spends(maja, 1)
        assert await opened(maja) == FirstSteps(frozenset(Step), balance=14)

    async def test_coins_that_are_only_held_are_not_spent_yet(self):
        maja = await the_player("Maja")
        await watches(maja, await an_ad(reward=15))
        async with transaction() as session:
            await coins.hold(session, maja.user_id, 5, "order:1", now=NOON)
        steps = await opened(maja)
        assert steps
        assert steps.next is Step.COINS

    async def test_what_another_spends_is_not_theirs(self):
        maja, emil = await the_player("Maja"), await the_player("Emil")
        for player in (maja, emil):
            await earns(player, 15)
        await spends(emil, 15)
        steps = await opened(maja)
        assert steps
        assert Step.COINS not in steps.done

    async def test_their_end_is_shown_once(self):
        maja = await the_player("Maja")
        await opened(maja)
        await watches(maja, await an_ad(reward=15))
        await earns(maja, KEPT_AT - 15)
        steps = await opened(maja)
        assert steps
        assert steps.next is None
        assert await left_at(maja) == LATER
        assert await opened(maja) is None

    async def test_who_was_done_before_they_saw_one_sees_nothing(self):
        maja = await the_player("Maja")
        await watches(maja, await an_ad(reward=15))
        await earns(maja, KEPT_AT - 15)
        assert await opened(maja) is None
        assert await left_at(maja) == LATER

    async def test_steps_that_are_not_done_stay(self):
        maja = await the_player("Maja")
        assert await opened(maja) == await opened(maja)
        assert await left_at(maja) is None


class TestPuttingAside:
    async def test_is_for_good(self):
        maja = await the_player("Maja")
        await puts_aside(maja)
        await watches(maja, await an_ad(reward=15))
        assert await opened(maja) is None

    async def test_twice_is_once(self):
        maja = await the_player("Maja")
        await puts_aside(maja)
        await puts_aside(maja, now=LATER + timedelta(days=1))
        assert await left_at(maja) == LATER

    async def test_concerns_nobody_else(self):
        maja, emil = await the_player("Maja"), await the_player("Emil")
        await puts_aside(maja)
        assert await opened(emil) is not None

    async def test_is_undone_by_taking_them_up(self):
        maja = await the_player("Maja")
        await puts_aside(maja)
        await takes_up(maja)
        assert await opened(maja) is not None

    async def test_an_end_that_was_seen_is_shown_once_more_to_who_asks(self):
        maja = await the_player("Maja")
        await watches(maja, await an_ad(reward=15))
        await spends(maja, 15)
        await opened(maja)
        await takes_up(maja)
        assert await opened(maja) == FirstSteps(frozenset(Step), balance=0)
        assert await opened(maja) is None
