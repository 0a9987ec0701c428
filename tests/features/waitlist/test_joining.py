"""Joining the line, confirming it, moving ahead and leaving, on the real database."""

import json
from datetime import datetime, timedelta
from uuid import UUID

import pytest

from rewards_app.core import live
from rewards_app.core.caller import Caller
from rewards_app.core.database import rows, transaction
from rewards_app.core.errors import TooManyAttempts
from rewards_app.core.ids import new_id
from rewards_app.features.accounts.rules import DisposableEmail
from rewards_app.features.waitlist import links, rules, service
from rewards_app.features.waitlist.rules import (
    AlreadyWaiting,
    InvalidEmail,
    Place,
    WaitingLinkOver,
)
from rewards_app.models import WaitlistEntry
from tests.crowds import all_at_once
from tests.people import NOON
from tests.queued import as_read
from tests.review import an_admin
from tests.waitlist import somebody_waits

pytestmark = pytest.mark.usefixtures("database")
MAJA = "maja@example.com"
A_DAY = timedelta(days=1)


def from_somewhere() -> Caller:
    """A caller whom no limit knows yet."""
    return Caller(address=f"address {new_id()}", user_agent="A browser")


async def joins(
    email: str = MAJA,
    *,
    caller: Caller | None = None,
    language: str = "sv",
    friend: str = "",
    at: datetime = NOON,
) -> None:
    async with transaction() as session:
        await service.join(
            session, email, caller or from_somewhere(), language=language, friend=friend, now=at
        )


async def entry_of(email: str = MAJA) -> WaitlistEntry | None:
    async with transaction() as session:
        query = "select id from waitlist where email = %(email)s"
        found = await rows(session, query, {"email": email})
        return await session.get_one(WaitlistEntry, found[0][0]) if found else None


async def waits(email: str = MAJA) -> WaitlistEntry:
    entry = await entry_of(email)
    assert entry
    return entry


async def letters_to(email: str = MAJA) -> list[dict]:
    query = "select args from procrastinate_jobs where task_name = 'send_mail' order by id"
    async with transaction() as session:
        found = [row[0] for row in await rows(session, query, {})]
    known = [json.loads(one) if isinstance(one, str) else one for one in found]
    return [as_read(one) for one in known if one["recipient"] == email]


async def confirms(email: str = MAJA, *, at: datetime = NOON) -> Place:
    entry = await waits(email)
    return await opens(links.confirming_token(entry.id, entry.asked_at), at=at)


async def opens(token: str, *, at: datetime = NOON) -> Place:
    async with transaction() as session:
        return await service.confirm(session, token, from_somewhere(), now=at)


async def leaves(entry_id: UUID, *, at: datetime = NOON) -> service.Leaving | None:
    async with transaction() as session:
        return await service.leave(session, links.leaving_token(entry_id, "sv"), now=at)


class TestJoining:
    async def test_keeps_the_address_as_it_is_meant_and_nothing_of_where_it_came_from(self):
        await joins("  Maja@Example.com ")
        entry = await waits()
        assert (entry.email, entry.language, entry.user_agent) == (MAJA, "sv", "A browser")
        assert entry.ip_address is None
        assert (entry.confirmed_at, entry.stands_at, entry.code) == (None, None, None)

    async def test_mails_the_question_in_the_language_of_the_page(self):
        await joins(language="pl")
        [letter] = await letters_to()
        entry = await waits()
        assert (letter["name"], letter["language"]) == ("waitlist_confirm", "pl")
        assert letter["link"] == links.to_confirm(entry.id, NOON)
        assert letter["unsubscribe"] == links.to_leave(entry.id, "pl")

    async def test_a_hundred_times_at_once_is_one_row_and_one_mail(self):
        answers = await all_at_once(joins() for _ in range(100))
        assert [type(one) for one in answers].count(AlreadyWaiting) == 99
        assert len(await letters_to()) == 1
        async with transaction() as session:
            assert len(await rows(session, "select 1 from waitlist", {})) == 1

    @pytest.mark.parametrize(
        "typed",
        [
            "",
            "maja",
            "maja@",
            "@example.com",
            "maja@example",
            "maja@example.com\nBcc: all@example.com",
            "maja@example.com\r\nBcc: all@example.com",
            "maja@exa\0mple.com",
            "mája@example.com",
            "maja@éxample.com",
            "maja@[127.0.0.1]",
            '"maja"@example.com',
            "maja@example.com, all@example.com",
            "m" * 10_000 + "@example.com",
            "\ud800@example.com",
        ],
        ids=range(15),
    )
    async def test_refuses_what_is_no_address(self, typed: str):
        with pytest.raises(InvalidEmail):
            await joins(typed)

    async def test_refuses_addresses_made_to_be_thrown_away(self):
        with pytest.raises(DisposableEmail) as refusal:
            await joins("maja@mailinator.com")
        assert refusal.value.title == InvalidEmail.title

    async def test_twice_says_so_and_mails_nothing_more(self):
        await joins()
        with pytest.raises(AlreadyWaiting):
            await joins("MAJA@example.com", at=NOON + timedelta(minutes=9))
        assert len(await letters_to()) == 1

    async def test_again_after_ten_minutes_mails_the_question_again(self):
        later = NOON + timedelta(minutes=10)
        await joins()
        answers = await all_at_once(joins(at=later, language="de") for _ in range(10))
        assert {type(one) for one in answers} == {AlreadyWaiting}
        first, second = await letters_to()
        entry = await waits()
        assert entry.asked_at == later
        assert (second["language"], second["link"]) == ("sv", links.to_confirm(entry.id, later))
        assert first["link"] != second["link"]

    async def test_again_once_confirmed_mails_nothing(self):
        await joins()
        await confirms()
        with pytest.raises(AlreadyWaiting):
            await joins(at=NOON + A_DAY)
        assert len(await letters_to()) == 1

    async def test_mails_one_address_three_times_a_day_at_most(self):
        await joins()
        for number in range(1, 6):
            with pytest.raises(AlreadyWaiting):
                await joins(at=NOON + number * timedelta(minutes=11))
        assert len(await letters_to()) == 3

    async def test_is_possible_five_times_a_minute_from_one_address(self):
        caller = from_somewhere()
        for number in range(5):
            await joins(f"maja-{number}@example.com", caller=caller)
        with pytest.raises(TooManyAttempts):
            await joins("maja-5@example.com", caller=caller)
        assert await entry_of("maja-5@example.com") is None

    async def test_is_announced(self):
        live._waiting.clear()
        await joins()
        assert (service.CHANGED, "") in live._waiting


class TestConfirming:
    async def test_gives_a_place_and_a_link_of_their_own(self):
        await joins()
        place = await confirms()
        entry = await waits()
        assert (place.number, place.of, place.friends) == (1, 1, 0)
        assert (entry.confirmed_at, entry.stands_at, entry.code) == (NOON, NOON, place.code)
        assert rules.friends_code(place.code)

    async def test_a_second_time_shows_the_place_of_now(self):
        await joins()
        first = await confirms()
        again = await confirms(at=NOON + timedelta(days=400))
        assert again == first

    async def test_at_once_from_many_pages_counts_once(self):
        await joins()
        places = await all_at_once(confirms() for _ in range(20))
        assert len({place.code for place in places}) == 1

    async def test_too_late_is_over_and_changes_nothing(self):
        await joins()
        with pytest.raises(WaitingLinkOver):
            await confirms(at=NOON + timedelta(days=7))
        assert (await waits()).confirmed_at is None

    async def test_works_again_by_the_link_of_the_second_mail(self):
        await joins()
        with pytest.raises(AlreadyWaiting):
            await joins(at=NOON + timedelta(days=6))
        assert (await confirms(at=NOON + timedelta(days=12))).number == 1

    async def test_of_nobody_or_by_a_forged_link_is_over(self):
        for token in ("", "x" * 54, links.confirming_token(new_id(), NOON)):
            with pytest.raises(WaitingLinkOver):
                await opens(token)

    async def test_is_not_done_by_the_link_to_leave(self):
        await joins()
        with pytest.raises(WaitingLinkOver):
            await opens(links.leaving_token((await waits()).id, "sv"))

    async def test_tries_are_counted_by_address(self):
        caller = from_somewhere()
        answers = []
        for _ in range(31):
            try:
                async with transaction() as session:
                    await service.confirm(session, "x", caller, now=NOON)
            except (WaitingLinkOver, TooManyAttempts) as refusal:
                answers.append(type(refusal))
        assert answers == [WaitingLinkOver] * 30 + [TooManyAttempts]


async def in_line(email: str, *, minutes: int) -> Place:
    """Joins and confirms so many minutes after noon."""
    at = NOON + timedelta(minutes=minutes)
    await joins(email, at=at)
    return await confirms(email, at=at)


class TestTheLine:
    async def test_is_in_the_order_of_confirming(self):
        for number, email in enumerate(("a@example.com", "b@example.com", "c@example.com")):
            assert (await in_line(email, minutes=number)).number == number + 1
        assert await confirms("a@example.com") == Place(
            1, 3, 0, (await waits("a@example.com")).code
        )

    async def test_leaves_out_who_did_not_confirm(self):
        await joins("silent@example.com", at=NOON - A_DAY)
        place = await in_line(MAJA, minutes=0)
        assert (place.number, place.of) == (1, 1)

    async def test_leaves_out_who_was_told_that_the_doors_are_open(self):
        await somebody_waits(notified=True, at=NOON - A_DAY)
        place = await in_line(MAJA, minutes=0)
        assert (place.number, place.of, place.is_told) == (1, 1, False)

    async def test_tells_who_was_told_that_they_wait_no_more(self):
        told = await somebody_waits(MAJA, notified=True)
        assert (await opens(links.confirming_token(told.id, told.asked_at))).is_told

    async def test_has_a_place_for_each_of_the_same_moment(self):
        emails = [f"maja-{number}@example.com" for number in range(5)]
        for email in emails:
            await in_line(email, minutes=0)
        places = [(await confirms(email)).number for email in emails]
        assert sorted(places) == [1, 2, 3, 4, 5]


class TestAFriend:
    async def test_moves_ahead_by_a_day_who_sent_them_once_they_confirm(self):
        await in_line("early@example.com", minutes=0)
        maja = await in_line(MAJA, minutes=1)
        await joins("friend@example.com", friend=maja.code)
        assert (await confirms(MAJA)).friends == 0
        await confirms("friend@example.com")
        now = await confirms(MAJA)
        assert (now.number, now.of, now.friends) == (1, 3, 1)
        assert (await waits()).stands_at == NOON + timedelta(minutes=1) - A_DAY

    async def test_counts_once_however_often_their_link_is_opened(self):
        maja = await in_line(MAJA, minutes=0)
        await joins("friend@example.com", friend=maja.code)
        await all_at_once(confirms("friend@example.com") for _ in range(20))
        assert (await confirms(MAJA)).friends == 1

    async def test_counts_once_however_often_they_leave_and_join_again(self):
        maja = await in_line(MAJA, minutes=0)
        for _ in range(3):
            await joins("friend@example.com", friend=maja.code)
            await confirms("friend@example.com")
            assert (await confirms(MAJA)).friends == 1
            assert (await waits()).stands_at == NOON - A_DAY
            await leaves((await waits("friend@example.com")).id)
            assert (await confirms(MAJA)).friends == 0
            assert (await waits()).stands_at == NOON

    async def test_that_leaves_unconfirmed_takes_nothing_along(self):
        maja = await in_line(MAJA, minutes=0)
        for friend in ("friend@example.com", "silent@example.com"):
            await joins(friend, friend=maja.code)
        await confirms("friend@example.com")
        await leaves((await waits("silent@example.com")).id)
        assert ((await waits()).referrals, (await waits()).stands_at) == (1, NOON - A_DAY)

    async def test_that_moved_nobody_leaves_nobody_behind(self):
        maja = await in_line(MAJA, minutes=0)
        async with transaction() as session:
            entry = await session.get_one(WaitlistEntry, (await waits()).id)
            entry.referrals = 29
        friends = ("thirty@example.com", "more@example.com")
        for friend in friends:
            await joins(friend, friend=maja.code)
            await confirms(friend)
        known = []
        for friend in friends:
            await leaves((await waits(friend)).id)
            known.append(((await waits()).referrals, (await waits()).stands_at))
        assert known == [(30, NOON - A_DAY), (29, NOON)]

    async def test_that_leaves_while_who_sent_them_does_ends_in_no_deadlock(self):
        for number in range(5):
            sent_by, friend = f"maja-{number}@example.com", f"friend-{number}@example.com"
            maja = await in_line(sent_by, minutes=0)
            await joins(friend, friend=maja.code)
            entry, sender = await waits(friend), await waits(sent_by)
            token = links.confirming_token(entry.id, entry.asked_at)
            answers = await all_at_once([opens(token), leaves(sender.id), leaves(entry.id)])
            known = (Place, WaitingLinkOver, service.Leaving)
            assert all(isinstance(one, known) for one in answers), answers
            assert await entry_of(sent_by) is None
            assert await entry_of(friend) is None

    async def test_of_many_at_once_counts_each(self):
        maja = await in_line(MAJA, minutes=0)
        friends = [f"friend-{number}@example.com" for number in range(10)]
        for friend in friends:
            await joins(friend, friend=maja.code)
        await all_at_once(confirms(friend) for friend in friends)
        assert (await confirms(MAJA)).friends == 10
        assert (await waits()).stands_at == NOON - 10 * A_DAY

    async def test_after_the_thirtieth_is_counted_but_moves_nobody(self):
        maja = await in_line(MAJA, minutes=0)
        async with transaction() as session:
            entry = await session.get_one(WaitlistEntry, (await waits()).id)
            entry.referrals = 29
        for friend in ("thirty@example.com", "more@example.com"):
            await joins(friend, friend=maja.code)
            await confirms(friend)
        entry = await waits()
        assert (entry.referrals, entry.stands_at) == (31, NOON - A_DAY)

    @pytest.mark.parametrize("friend", ["", "abcdefgh23", "' or 1=1 --", "x" * 10_000])
    async def test_by_a_code_that_is_nobodys_thanks_nobody(self, friend: str):
        await joins(friend=friend)
        assert (await waits()).referred_by is None

    async def test_cannot_be_oneself(self):
        maja = await in_line(MAJA, minutes=0)
        with pytest.raises(AlreadyWaiting):
            await joins(friend=maja.code)
        assert ((await waits()).referred_by, (await confirms()).friends) == (None, 0)

    async def test_whose_sender_left_confirms_all_the_same(self):
        maja = await in_line(MAJA, minutes=0)
        await joins("friend@example.com", friend=maja.code)
        await leaves((await waits()).id)
        assert (await confirms("friend@example.com")).number == 1


class TestLeaving:
    async def test_deletes_the_row_the_letters_that_wait_and_the_name_in_the_log(self):
        admin = await an_admin()
        await joins()
        await confirms()
        entry = await waits()
        async with transaction() as session:
            await service.mark(session, admin, entry.id, notified=True, now=NOON)
        left = await leaves(entry.id)
        assert left == service.Leaving("sv", waits=False)
        assert await entry_of() is None
        assert await letters_to() == []
        async with transaction() as session:
            query = "select label, actor_name, erased_at is not null from audit_entries"
            assert [tuple(row) for row in await rows(session, query, {})] == [("", "", True)]

    async def test_keeps_the_letters_of_others_and_other_letters(self):
        await joins("emil@example.com")
        await joins()
        await leaves((await waits()).id)
        assert len(await letters_to("emil@example.com")) == 1

    async def test_a_second_time_is_done_already(self):
        await joins()
        entry = await waits()
        answers = await all_at_once(leaves(entry.id) for _ in range(5))
        assert set(answers) == {service.Leaving("sv", waits=False)}

    async def test_by_a_link_of_another_purpose_does_nothing(self):
        await joins()
        entry = await waits()
        async with transaction() as session:
            token = links.confirming_token(entry.id, NOON)
            assert await service.leave(session, token, now=NOON) is None
        assert await entry_of()

    async def test_and_confirming_at_once_ends_gone(self):
        await joins()
        entry = await waits()
        token = links.confirming_token(entry.id, entry.asked_at)
        answers = await all_at_once([opens(token), leaves(entry.id), opens(token)])
        assert await entry_of() is None
        assert all(isinstance(one, Place | WaitingLinkOver | service.Leaving) for one in answers)

    async def test_lets_them_join_again_later(self):
        await joins()
        await leaves((await waits()).id)
        await joins(at=NOON + A_DAY)
        assert len(await letters_to()) == 1


class TestForgetting:
    async def test_waits_for_who_was_asked_again(self):
        """The letter says how long its link lives."""
        await joins(at=NOON - timedelta(days=30, seconds=1))
        with pytest.raises(AlreadyWaiting):
            await joins(at=NOON - A_DAY)
        async with transaction() as session:
            assert await service.forget(session, now=NOON) == 0
            assert await service.forget(session, now=NOON + timedelta(days=29, seconds=1)) == 1

    async def test_deletes_after_a_month_who_did_not_confirm_and_nobody_else(self):
        long_ago = NOON - timedelta(days=30, seconds=1)
        await somebody_waits("silent@example.com", is_confirmed=False, at=long_ago)
        await somebody_waits("waits@example.com", at=long_ago)
        await somebody_waits("new@example.com", is_confirmed=False, at=NOON - timedelta(days=30))
        async with transaction() as session:
            assert await service.forget(session, now=NOON) == 1
        assert await entry_of("silent@example.com") is None
        assert await entry_of("waits@example.com")
        assert await entry_of("new@example.com")
