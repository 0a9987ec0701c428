"""What holds an account, as its owner reads it, and their appeal."""

import asyncio
from typing import Any

import pytest

from rewards_app.core import limits
from rewards_app.core.access import access_of
from rewards_app.core.actor import Actor
from rewards_app.core.database import transaction
from rewards_app.core.errors import DoneNotShown, StorageAway, TooManyAttempts
from rewards_app.core.ids import new_id
from rewards_app.features.accounts.restriction_rules import Kind
from rewards_app.features.fraud import measures
from rewards_app.features.support import appeals, rules, tickets
from rewards_app.features.support import service as support
from rewards_app.features.support.appeals import Held
from rewards_app.features.support.restriction_state import RestrictionState
from tests.ads import the_player
from tests.measures import APPEAL, REASON, appeals_against, pauses, restores, resumes, suspends
from tests.paying import ask
from tests.people import NOON
from tests.review import an_admin
from tests.states import acting, calls, failing
from tests.waiting import are_waiting

pytestmark = pytest.mark.usefixtures("database")


@pytest.fixture(autouse=True)
def _a_clean_limiter():
    limits.forget_everything()


async def held(player: Actor) -> list[Held]:
    async with transaction() as session:
        return await appeals.held(session, player.user_id)


class TestWhatHoldsAnAccount:
    async def test_says_why_and_since_when(self):
        linnea, maja = await an_admin(), await the_player()
        await suspends(linnea, maja.user_id)
        [one] = await held(maja)
        assert (one.kind, one.reason, one.since) == (Kind.SUSPENDED, REASON, NOON)
        assert one.appeal is None

    async def test_is_nothing_for_everybody_else(self):
        linnea, maja = await an_admin(), await the_player()
        await suspends(linnea, maja.user_id)
        assert await held(await the_player("Bo")) == []


class TestAppealing:
    async def test_opens_a_ticket_that_its_sender_sees(self, database: str):
        linnea, maja = await an_admin(), await the_player()
        restriction = await suspends(linnea, maja.user_id)
        assert restriction
        number = await appeals_against(maja, restriction)
        [one] = await held(maja)
        assert one.appeal
        assert (one.appeal.number, one.appeal.status) == (number, "open")
        query = "select about, message from support_tickets"
        assert ask(database, query) == [(f"restriction:{restriction}", APPEAL)]

    async def test_is_never_told_as_failed_where_what_is_held_cannot_be_read(
        self, page: Any, monkeypatch: pytest.MonkeyPatch
    ):
        linnea, maja = await an_admin(), await the_player()
        await suspends(linnea, maja.user_id)
        shown = await page.get_state(RestrictionState)
        with acting(maja):
            await calls(RestrictionState.load, shown)
            monkeypatch.setattr(appeals, "held", failing(StorageAway))
            await calls(RestrictionState.appeal, shown, message=APPEAL)
        assert shown.notice["title"] == DoneNotShown.title
        assert (shown.is_appealing, shown.is_busy) == (False, False)

    async def test_in_too_many_words_is_refused_beside_them(self, page: Any):
        linnea, maja = await an_admin(), await the_player()
        await pauses(linnea, maja.user_id)
        shown = await page.get_state(RestrictionState)
        pasted = {"message": "x" * 19_000}
        with acting(maja):
            await calls(RestrictionState.load, shown)
            await calls(RestrictionState.ask, shown)
            declared = access_of(RestrictionState.appeal.fn)
            assert declared
            await calls(RestrictionState.appeal, shown, **declared.checked(pasted))
        assert shown.refusal["params"] == {"count": rules.LONGEST_MESSAGE, "field": "message"}
        assert (shown.is_appealing, shown.is_busy) == (True, False)

    async def test_a_second_time_is_the_same_ticket(self, database: str):
        linnea, maja = await an_admin(), await the_player()
        restriction = await suspends(linnea, maja.user_id)
        assert restriction
        first = await appeals_against(maja, restriction)
        assert await appeals_against(maja, restriction, "And once more, please!") == first
        assert len(ask(database, "select 1 from support_tickets")) == 1

    async def test_after_the_ticket_was_closed_there_can_be_another(self, database: str):
        linnea, maja = await an_admin(), await the_player()
        restriction = await suspends(linnea, maja.user_id)
        assert restriction
        first = await appeals_against(maja, restriction)
        ask(database, "update support_tickets set status = 'closed' returning id")
        assert await appeals_against(maja, restriction) > first
        [one] = await held(maja)
        assert one.appeal
        assert one.appeal.status == "open"

    async def test_each_restriction_has_its_own(self):
        linnea, maja = await an_admin(), await the_player()
        suspended = await suspends(linnea, maja.user_id)
        paused = await pauses(linnea, maja.user_id)
        assert suspended
        assert paused
        assert await appeals_against(maja, suspended) != await appeals_against(maja, paused)

    async def test_against_what_holds_somebody_else_is_refused(self, database: str):
        linnea, maja, bo = await an_admin(), await the_player(), await the_player("Bo")
        restriction = await suspends(linnea, maja.user_id)
        assert restriction
        for wanted in (restriction, new_id()):
            with pytest.raises(rules.NothingToAppeal):
                await appeals_against(bo, wanted)
        assert ask(database, "select 1 from support_tickets") == []

    async def test_against_what_has_ended_is_refused(self):
        linnea, maja = await an_admin(), await the_player()
        restriction = await suspends(linnea, maja.user_id)
        assert restriction
        await restores(linnea, restriction)
        with pytest.raises(rules.NothingToAppeal):
            await appeals_against(maja, restriction)

    async def test_against_what_is_just_being_lifted_is_refused(self, database: str):
        linnea, maja = await an_admin(), await the_player()
        restriction = await suspends(linnea, maja.user_id)
        assert restriction
        async with transaction() as session:
            await measures.restore(session, linnea, restriction, REASON, now=NOON)
            appealing = asyncio.create_task(appeals_against(maja, restriction))
            await are_waiting(database)
        with pytest.raises(rules.NothingToAppeal):
            await appealing
        assert ask(database, "select 1 from support_tickets") == []

    async def test_has_its_limit_and_words(self):
        linnea, maja = await an_admin(), await the_player()
        restriction = await suspends(linnea, maja.user_id)
        assert restriction
        with pytest.raises(rules.MessageTooShort):
            await appeals_against(maja, restriction, "no")
        with pytest.raises(rules.MessageTooLong):
            await appeals_against(maja, restriction, "x" * 2001)
        for _ in range(5):
            await appeals_against(maja, restriction)
        with pytest.raises(TooManyAttempts):
            await appeals_against(maja, restriction)


class TestWhatIsLifted:
    async def test_is_good_news_once_it_can_be_felt(self, page: Any):
        linnea, maja = await an_admin(), await the_player()
        shown = await page.get_state(RestrictionState)
        paused, suspended = await pauses(linnea, maja.user_id), await suspends(linnea, maja.user_id)
        assert paused
        assert suspended
        with acting(maja):
            await calls(RestrictionState.load, shown)
            await resumes(linnea, paused)
            await calls(RestrictionState.load, shown)
            assert (shown.paused, shown.notice) == ({}, {})
            await restores(linnea, suspended)
            await calls(RestrictionState.load, shown)
        assert shown.notice["title"] == "restrictions.restored_title"

    async def test_of_a_pause_alone_is_that_ads_pay_again(self, page: Any):
        linnea, maja = await an_admin(), await the_player()
        shown = await page.get_state(RestrictionState)
        paused = await pauses(linnea, maja.user_id)
        assert paused
        with acting(maja):
            await calls(RestrictionState.load, shown)
            await resumes(linnea, paused)
            await calls(RestrictionState.load, shown)
        assert shown.notice["title"] == "restrictions.resumed_title"


class TestWhatWaits:
    async def test_is_listed_the_oldest_first_until_it_is_decided(self):
        linnea, maja, bo = await an_admin(), await the_player(), await the_player("Bo")
        first, second = await suspends(linnea, maja.user_id), await pauses(linnea, bo.user_id)
        assert first
        assert second
        await appeals_against(maja, first)
        await appeals_against(bo, second)
        assert await waiting() == [("Maja", Kind.SUSPENDED), ("Bo", Kind.EARNING_PAUSED)]
        await restores(linnea, first)
        assert await waiting() == [("Bo", Kind.EARNING_PAUSED)]

    async def test_is_listed_with_what_was_added_to_it_last(self):
        linnea, maja = await an_admin(), await the_player()
        restriction = await suspends(linnea, maja.user_id)
        assert restriction
        number = await appeals_against(maja, restriction)
        added = [f"Look at the times, part {n}." for n in range(6)]
        for word in added:
            async with transaction() as session:
                await tickets.reply(session, maja, number, word, now=NOON)
        async with transaction() as session:
            (one,) = await appeals.waiting(session)
        assert one.said == (APPEAL, *added[-appeals.MOST_ADDITIONS :])

    async def test_is_settled_with_the_restriction(self, database: str):
        linnea, maja = await an_admin(), await the_player()
        restriction = await suspends(linnea, maja.user_id)
        assert restriction
        await appeals_against(maja, restriction)
        await restores(linnea, restriction)
        assert ask(database, "select status from support_tickets") == [("closed",)]
        async with transaction() as session:
            assert await appeals.waiting_count(session) == 0

    async def test_is_counted_without_other_tickets(self, database: str):
        maja = await the_player()
        async with transaction() as session:
            await support.open_ticket(
                session, maja.user_id, "An order", "Where is my code?", about="purchase:x", now=NOON
            )
            assert await appeals.waiting_count(session) == 0
        assert len(ask(database, "select 1 from support_tickets")) == 1


async def waiting() -> list[tuple[str, Kind]]:
    async with transaction() as session:
        return [(one.name, one.kind) for one in await appeals.waiting(session)]
