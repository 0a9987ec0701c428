"""Getting in without the second factor: asked, decided, waited for, stopped."""

import asyncio
from collections.abc import Awaitable, Callable
from datetime import datetime, timedelta
from urllib.parse import parse_qs, urlsplit
from uuid import UUID

import pytest
import time_machine
from sqlalchemy import text

from rewards_app.core import limits
from rewards_app.core.actor import Actor
from rewards_app.core.database import run, transaction
from rewards_app.core.errors import TooManyAttempts
from rewards_app.core.ids import new_id
from rewards_app.core.settings import settings
from rewards_app.features.factors import resets, rules, service
from rewards_app.features.factors.jobs import perform_resets
from rewards_app.models import Account
from tests.ads import the_actor
from tests.factors import an_app
from tests.people import NOON, a_browser, an_account
from tests.queued import letters
from tests.review import an_admin

pytestmark = pytest.mark.usefixtures("database")
WHY = "She named her last three orders."


@pytest.fixture(autouse=True)
def nothing_counted():
    limits.forget_everything()


async def ask(account_id: UUID, now: datetime = NOON) -> datetime:
    async with transaction() as session:
        return await resets.ask(session, account_id, now=now)


async def waiting() -> list[resets.Waiting]:
    async with transaction() as session:
        return list(await resets.waiting(session))


async def grant(actor: Actor, reset_id: UUID, reason: str = WHY, now: datetime = NOON) -> datetime:
    async with transaction() as session:
        return await resets.grant(session, actor, reset_id, reason, now=now)


async def refuse(actor: Actor, reset_id: UUID, reason: str = WHY) -> None:
    async with transaction() as session:
        await resets.refuse(session, actor, reset_id, reason, now=NOON)


async def perform(now: datetime) -> int:
    with time_machine.travel(now, tick=False):
        return (await perform_resets(0))["done"]


async def has_factor(account_id: UUID) -> bool:
    async with transaction() as session:
        return (await service.status(session, account_id)).is_on


async def alerts() -> list[tuple[bool, UUID | None]]:
    """Whether each is resolved, and by whom."""
    query = "select resolved, resolved_by from security_alerts order by id"
    async with transaction() as session:
        return [tuple(row) for row in await run(session, text(query))]


async def actions() -> list[str]:
    async with transaction() as session:
        found = await run(session, text("select action from audit_entries order by number"))
        return [row[0] for row in found]


def token_in(letter: dict[str, str]) -> str:
    return parse_qs(urlsplit(letter["link"]).query)["token"][0]


async def look_at(token: str) -> None:
    async with transaction() as session:
        await resets.stopped_by(session, token, a_browser())


async def cancel(token: str) -> None:
    async with transaction() as session:
        await resets.cancel(session, token, a_browser(), now=NOON)


async def somebody(email: str = "maja@example.com") -> Account:
    account = await an_account(email)
    await an_app(account.id)
    return account


class TestAsking:
    async def test_tells_the_owner_and_admins_and_waits(self):
        maja = await somebody()
        ready = await ask(maja.id)
        assert ready == NOON + timedelta(hours=settings().factor_reset_hours)
        (wish,) = await waiting()
        assert (wish.account_id, wish.status) == (maja.id, rules.ResetStatus.WAITING)
        assert [letter["name"] for letter in await letters()] == ["factor_reset_asked"]
        assert await actions() == ["factor_reset_asked"]

    async def test_twice_at_once_is_one_wish_and_one_mail(self):
        maja = await somebody()
        readies = await asyncio.gather(*(ask(maja.id) for _ in range(5)))
        assert len(set(readies)) == len(await waiting()) == len(await letters()) == 1

    async def test_again_and_again_is_refused(self):
        maja = await somebody()
        for number in range(3):
            await ask(maja.id)
            await cancel(token_in((await letters())[2 * number]))
        with pytest.raises(TooManyAttempts):
            await ask(maja.id)

    async def test_takes_nothing_away_by_itself(self):
        maja = await somebody()
        ready = await ask(maja.id)
        assert await perform(ready + timedelta(days=365)) == 0
        assert await has_factor(maja.id)


class TestDeciding:
    async def test_a_granted_wish_waits_and_is_then_done(self):
        maja, linnea = await somebody(), await an_admin()
        ready = await ask(maja.id)
        await grant(linnea, (await waiting())[0].id)
        assert await perform(ready - timedelta(seconds=1)) == 0
        assert await has_factor(maja.id)
        assert await perform(ready) == 1
        assert not await has_factor(maja.id)
        assert await perform(ready) == 0
        assert [letter["name"] for letter in await letters()] == [
            *("factor_reset_asked", "factor_reset_granted", "factor_reset_done"),
        ]
        assert await actions() == [
            *("factor_reset_asked", "factor_reset_granted", "factor_reset_done"),
        ]

    async def test_one_that_is_granted_late_leaves_its_owner_a_day_to_stop_it(self):
        maja, linnea = await somebody(), await an_admin()
        late = await ask(maja.id) + timedelta(days=7)
        ready = await grant(linnea, (await waiting())[0].id, now=late)
        assert ready == late + timedelta(hours=24)
        (wish,) = await waiting()
        assert wish.ready_at == ready
        assert await perform(ready - timedelta(seconds=1)) == 0
        await cancel(token_in((await letters())[-1]))
        assert await perform(ready) == 0
        assert await has_factor(maja.id)

    async def test_a_refused_wish_is_over(self):
        maja, linnea = await somebody(), await an_admin()
        ready = await ask(maja.id)
        (wish,) = await waiting()
        await refuse(linnea, wish.id)
        with pytest.raises(rules.ResetOver):
            await grant(linnea, wish.id)
        assert (await waiting(), await perform(ready)) == ([], 0)

    async def test_is_done_once_by_whoever_was_quicker(self):
        maja, linnea = await somebody(), await an_admin()
        await ask(maja.id)
        (wish,) = await waiting()
        outcomes = await asyncio.gather(
            grant(linnea, wish.id), refuse(linnea, wish.id), return_exceptions=True
        )
        assert sum(isinstance(each, rules.ResetOver) for each in outcomes) == 1

    @pytest.mark.parametrize("decide", [grant, refuse])
    async def test_resolves_the_alert(self, decide: Callable[..., Awaitable[object]]):
        maja, linnea = await somebody(), await an_admin()
        await ask(maja.id)
        assert await alerts() == [(False, None)]
        await decide(linnea, (await waiting())[0].id)
        assert await alerts() == [(True, linnea.user_id)]

    async def test_needs_a_reason_and_somebody_else(self):
        maja, linnea = await somebody(), await an_admin()
        await ask(maja.id)
        (wish,) = await waiting()
        with pytest.raises(rules.ReasonMissing):
            await grant(linnea, wish.id, " ")
        with pytest.raises(rules.OwnReset):
            await grant(the_actor(maja), wish.id)
        with pytest.raises(rules.ResetUnknown):
            await refuse(linnea, new_id())


class TestStopping:
    @pytest.mark.parametrize("which", ["asked", "granted"])
    async def test_works_by_the_link_of_each_mail(self, which: str):
        maja, linnea = await somebody(), await an_admin()
        ready = await ask(maja.id)
        if which == "granted":
            await grant(linnea, (await waiting())[0].id)
        await cancel(token_in((await letters())[-1]))
        assert await perform(ready) == 0
        assert await has_factor(maja.id)
        with pytest.raises(rules.ResetOver):
            await cancel(token_in((await letters())[0]))

    async def test_leaves_nothing_to_decide_and_the_next_wish_is_news(self):
        maja = await somebody()
        await ask(maja.id)
        await cancel(token_in((await letters())[0]))
        assert await alerts() == [(True, None)]
        await ask(maja.id)
        assert await alerts() == [(True, None), (False, None)]

    async def test_is_offered_as_long_as_there_is_something_to_stop(self):
        await ask((await somebody()).id)
        link = token_in((await letters())[0])
        await look_at(link)
        await look_at(link)
        await cancel(link)
        with pytest.raises(rules.ResetOver):
            await look_at(link)
        with pytest.raises(rules.ResetUnknown):
            await look_at("0" * 64)

    async def test_is_not_guessed(self):
        await ask((await somebody()).id)
        for token in ("", "0" * 64):
            with pytest.raises(rules.ResetUnknown):
                await cancel(token)
        assert len(await waiting()) == 1

    async def test_the_link_is_not_readable_in_the_table(self):
        await ask((await somebody()).id)
        async with transaction() as session:
            stored = (await run(session, text("select * from factor_resets"))).all()
        assert token_in((await letters())[0]) not in str(stored)


class TestTheCommandLine:
    async def test_takes_it_away_at_once_and_tells_its_owner(self):
        maja = await somebody()
        async with transaction() as session:
            assert await resets.turn_off(session, maja.email, "Lost phone", now=NOON)
        assert not await has_factor(maja.id)
        assert [letter["name"] for letter in await letters()] == ["factor_reset_done"]
        assert await actions() == ["second_factor_off"]

    async def test_ends_a_wish_for_it_without_a_word_that_it_stays_on(self):
        maja = await somebody()
        await ask(maja.id)
        async with transaction() as session:
            assert await resets.turn_off(session, maja.email, "Lost phone", now=NOON)
        assert not await waiting()
        assert [letter["name"] for letter in await letters()] == [
            *("factor_reset_asked", "factor_reset_done"),
        ]
        assert await alerts() == [(True, None)]

    async def test_says_that_there_was_none(self):
        maja = await an_account()
        async with transaction() as session:
            assert not await resets.turn_off(session, maja.email, "", now=NOON)
        with pytest.raises(rules.UnknownEmail):
            async with transaction() as session:
                await resets.turn_off(session, "nobody@example.com", "", now=NOON)
