"""Admins and everybody's tickets: found, answered once, closed, and settled where they belong."""

import asyncio
from datetime import timedelta

import pytest

from rewards_app.core.actor import Actor, Role
from rewards_app.core.database import transaction
from rewards_app.core.errors import NotAllowed
from rewards_app.core.mail import composed
from rewards_app.core.settings import settings
from rewards_app.features.audit import log
from rewards_app.features.audit.rules import Action, Search
from rewards_app.features.forum import appeals as forum_appeals
from rewards_app.features.forum import casebook, decisions
from rewards_app.features.forum.desk_rules import Deed, Target, Why
from rewards_app.features.notifications import service as notifications
from rewards_app.features.support import appeals, inbox, rules, tickets
from rewards_app.features.support.rules import Status
from rewards_app.models import Account
from tests.ads import the_actor, the_player
from tests.forum import a_reply, a_topic
from tests.measures import APPEAL, REASON, appeals_against, restores, suspends
from tests.paying import ask
from tests.people import NOON, an_account
from tests.review import an_admin
from tests.serving import text_of
from tests.tickets import (
    ANSWER,
    QUESTION,
    answers,
    asks,
    closes,
    looks_into,
    mailed,
    reads,
    replies,
)

MINUTE = timedelta(minutes=1)


@pytest.fixture
async def maja(database: str) -> Actor:
    return await the_player("Maja")


@pytest.fixture
async def linnea(database: str) -> Actor:
    return await an_admin()


async def finds(text: str = "", status: Status | None = Status.OPEN, **page) -> inbox.Found:
    async with transaction() as session:
        return await inbox.find(session, text, status, **page)


async def numbers(text: str = "", status: Status | None = Status.OPEN) -> list[int]:
    return [entry.number for entry in (await finds(text, status)).shown]


async def bell_of(who: Actor) -> list[tuple[str, str]]:
    async with transaction() as session:
        found = await notifications.told(session, who.user_id)
    return [(one.kind, one.link) for one in found.shown]


async def lines(action: Action) -> list[tuple[str, str, str]]:
    async with transaction() as session:
        found = await log.find(session, Search(action=action))
    return [(line.actor_name, line.about, line.label) for line in found.shown]


class TestFinding:
    async def test_shows_those_first_that_have_waited_longest(self, maja: Actor):
        asked = [await asks(maja, now=NOON + n * MINUTE) for n in range(3)]
        assert await numbers() == asked
        await replies(maja, asked[0], "I have something to add.", now=NOON + 9 * MINUTE)
        assert await numbers() == asked

    async def test_shows_who_goes_on_after_an_answer_behind_those_who_waited(
        self, maja: Actor, linnea: Actor
    ):
        asked = [await asks(maja, now=NOON + n * MINUTE) for n in range(3)]
        await answers(linnea, asked[0], now=NOON + 5 * MINUTE)
        await replies(maja, asked[0], "It has not come.", now=NOON + 6 * MINUTE)
        await replies(maja, asked[0], "And not now.", now=NOON + 9 * MINUTE)
        assert await numbers() == [*asked[1:], asked[0]]
        assert (await finds()).shown[-1].at == NOON + 6 * MINUTE

    async def test_narrows_down_to_what_was_answered_or_closed(self, maja: Actor, linnea: Actor):
        waits, answered, closed = [await asks(maja) for _ in range(3)]
        await answers(linnea, answered)
        await closes(linnea, closed)
        assert await numbers() == [waits]
        assert await numbers(status=Status.ANSWERED) == [answered]
        assert await numbers(status=Status.CLOSED) == [closed]
        assert sorted(await numbers(status=None)) == [waits, answered, closed]
        async with transaction() as session:
            assert set((await inbox.counts(session)).values()) == {1}

    async def test_knows_a_number_however_it_stands(self, maja: Actor, linnea: Actor):
        first, second = await asks(maja), await asks(maja)
        await closes(linnea, first)
        assert await numbers(f"#{first}") == [first]
        assert await numbers(str(second)) == [second]
        assert await numbers("9" * 40) == []

    @pytest.mark.parametrize(
        "text", ["lind", "MAJA", "my code", "not come", "five minutes", "  look   again "]
    )
    async def test_reads_names_subjects_and_all_that_was_said(
        self, maja: Actor, linnea: Actor, text: str
    ):
        number = await asks(maja)
        await asks(await the_player("Eva"), name="Eva", subject="Hello", message="Good morning!")
        await answers(linnea, number)
        assert await numbers(text, None) == [number]

    @pytest.mark.parametrize("text", ["%", "_", "\\", "100%", "' or 1=1 --"])
    async def test_takes_what_is_typed_as_it_is(self, maja: Actor, text: str):
        await asks(maja)
        assert await numbers(text) == []

    @pytest.mark.parametrize("status", [Status.OPEN, None])
    async def test_comes_in_stretches_each_once(self, maja: Actor, status: Status | None):
        asked = [await asks(maja, now=NOON + n // 2 * MINUTE) for n in range(5)]
        shown: list[int] = []
        after = None
        while True:
            found = await finds(status=status, after=after, limit=2)
            shown += [entry.number for entry in found.shown]
            if (after := found.next_after) is None:
                break
        assert shown == (asked if status else asked[::-1])


class TestAnswering:
    async def test_tells_the_sender_in_the_ticket_by_bell_and_by_mail(
        self, maja: Actor, linnea: Actor
    ):
        number = await asks(maja)
        await answers(linnea, number)
        thread = await reads(maja, number)
        assert (thread.status, thread.said[-1].text) == (Status.ANSWERED, ANSWER)
        assert await bell_of(maja) == [("support_answer", f"/support?ticket={number}")]
        [letter] = await mailed("support_answered")
        assert letter.recipient == maja.email
        assert ANSWER in text_of(composed(letter))
        assert f"{settings().origin}/support?ticket={number}" in text_of(composed(letter))

    async def test_is_read_in_the_bell_by_whoever_opens_the_ticket(
        self, maja: Actor, linnea: Actor
    ):
        read, other = await asks(maja), await asks(maja)
        for number in (read, other):
            await answers(linnea, number)
        await reads(maja, read)
        assert await notifications.unread(maja.user_id) == 2
        async with transaction() as session:
            await tickets.note_reading(session, maja, read, now=NOON)
        assert await notifications.unread(maja.user_id) == 1

    async def test_says_the_words_of_a_mail_in_the_senders_language(self, linnea: Actor):
        account = await an_account("sven@example.com", name="Sven")
        async with transaction() as session:
            (await session.get_one(Account, account.id)).language = "sv"
        number = await asks(the_actor(account))
        await answers(linnea, number)
        [letter] = await mailed("support_answered")
        assert composed(letter)["Subject"] == f"Besvarat: My code (nr {number})"

    async def test_is_written_down_by_its_number_alone(self, maja: Actor, linnea: Actor):
        number = await asks(maja)
        await answers(linnea, number)
        assert await lines(Action.SUPPORT_ANSWERED) == [
            ("Linnea", f"ticket:{number}", f"#{number}")
        ]

    async def test_at_once_by_two_is_done_by_one(self, maja: Actor, linnea: Actor):
        number, olof = await asks(maja), await an_admin("Olof")
        seen = (await looks_into(linnea, number)).newest
        done = await asyncio.gather(
            answers(linnea, number, "Yes, of course.", seen=seen),
            answers(olof, number, "No, never.", seen=seen),
            return_exceptions=True,
        )
        assert [type(one) for one in done if one] == [rules.SaidMeanwhile]
        assert len((await reads(maja, number)).said) == 2
        assert len(await mailed("support_answered")) == 1

    async def test_waits_for_what_the_sender_wrote_meanwhile(self, maja: Actor, linnea: Actor):
        number = await asks(maja)
        seen = (await looks_into(linnea, number)).newest
        await replies(maja, number, "Forget it, it has come.")
        with pytest.raises(rules.SaidMeanwhile):
            await answers(linnea, number, seen=seen)

    async def test_of_an_unknown_ticket_is_refused(self, linnea: Actor):
        with pytest.raises(rules.UnknownTicket):
            await looks_into(linnea, 4711)

    @pytest.mark.parametrize("role", [Role.PLAYER, Role.MODERATOR, Role.COMPANY])
    async def test_is_for_admins(self, maja: Actor, role: Role):
        number = await asks(maja)
        other = the_actor(await an_account("eva@example.com", role, name="Eva"))
        async with transaction() as session:
            seen = (await inbox.repository.any_of(session, number)).id
        for attempt in (
            looks_into(other, number),
            answers(other, number, seen=seen),
            _closes(other, number, seen),
        ):
            with pytest.raises(NotAllowed):
                await attempt

    async def test_mails_nothing_to_an_unproven_address(self, linnea: Actor):
        bo = the_actor(await an_account("bo@example.com", is_verified=False, name="Bo"))
        number = await asks(bo)
        await answers(linnea, number)
        assert await mailed("support_answered") == []
        assert len(await bell_of(bo)) == 1


async def _closes(who: Actor, number: int, seen) -> None:
    async with transaction() as session:
        await inbox.close(session, who, number, seen=seen, now=NOON)


class TestClosing:
    async def test_is_written_down_and_done_once(self, maja: Actor, linnea: Actor):
        number = await asks(maja)
        await closes(linnea, number)
        await closes(linnea, number)
        assert (await reads(maja, number)).status is Status.CLOSED
        assert len(await lines(Action.SUPPORT_CLOSED)) == 1

    async def test_tells_the_sender_who_still_waited(self, maja: Actor, linnea: Actor):
        number = await asks(maja)
        await closes(linnea, number)
        told = ("support_closed", f"/support?ticket={number}")
        assert await bell_of(maja) == [told]
        await replies(maja, number, "It has not come to this day.")
        await closes(linnea, number)
        assert await bell_of(maja) == [told, told]

    async def test_is_not_told_to_who_was_answered(self, maja: Actor, linnea: Actor):
        number = await asks(maja)
        await answers(linnea, number)
        await closes(linnea, number)
        assert [kind for kind, _ in await bell_of(maja)] == ["support_answer"]

    async def test_leaves_no_problem_with_an_order_without_an_answer(
        self, maja: Actor, linnea: Actor
    ):
        number = await _about_an_order(maja)
        with pytest.raises(rules.AnswerOwed):
            await closes(linnea, number)
        await answers(linnea, number)
        await closes(linnea, number)

    async def test_by_its_own_sender_needs_no_answer_about_an_order(self, maja: Actor):
        number = await _about_an_order(maja)
        async with transaction() as session:
            await tickets.close(session, maja, number, now=NOON)
        assert (await reads(maja, number)).status is Status.CLOSED
        assert await bell_of(maja) == []

    async def test_leaves_no_appeal_without_an_answer(self, maja: Actor, linnea: Actor):
        number = await _suspended(maja, linnea)
        with pytest.raises(rules.AnswerOwed):
            await closes(linnea, number)
        await answers(linnea, number)
        await closes(linnea, number)


async def _about_an_order(maja: Actor) -> int:
    async with transaction() as session:
        return await tickets.ask_about(session, maja, "purchase:1", "COIN-1", QUESTION, now=NOON)


async def _suspended(maja: Actor, linnea: Actor) -> int:
    """The number of an appeal against a suspension."""
    restriction = await suspends(linnea, maja.user_id)
    assert restriction
    return await appeals_against(maja, restriction)


class TestAnAppealAgainstARestriction:
    async def test_that_is_answered_leaves_it_in_force(self, maja: Actor, linnea: Actor):
        number = await _suspended(maja, linnea)
        await answers(linnea, number, "We looked again: it stays as it is.")
        async with transaction() as session:
            [held] = await appeals.held(session, maja.user_id)
            assert held.appeal
            assert (held.appeal.status, await appeals.waiting(session)) == ("answered", [])
        [letter] = await mailed("support_answered")
        assert "Appeal about your account" in composed(letter)["Subject"]

    async def test_that_is_gone_on_with_waits_again(self, maja: Actor, linnea: Actor):
        number = await _suspended(maja, linnea)
        await answers(linnea, number)
        await replies(maja, number, "I have found who it was.")
        async with transaction() as session:
            assert [one.number for one in await appeals.waiting(session)] == [number]

    async def test_made_again_joins_the_one_that_waits(self, maja: Actor, linnea: Actor):
        number = await _suspended(maja, linnea)
        async with transaction() as session:
            [held] = await appeals.held(session, maja.user_id)
        assert await appeals_against(maja, held.id, "And it was my brother.") == number
        assert [said.text for said in (await reads(maja, number)).said] == [
            APPEAL,
            "And it was my brother.",
        ]

    async def test_ends_with_the_restriction_and_says_why(self, maja: Actor, linnea: Actor):
        number = await _suspended(maja, linnea)
        async with transaction() as session:
            [held] = await appeals.held(session, maja.user_id)
        await restores(linnea, held.id, "It was a mistake of ours.")
        thread = await reads(maja, number)
        assert (thread.status, thread.said[-1].text) == (
            Status.CLOSED,
            "It was a mistake of ours.",
        )
        assert await mailed("support_answered") == []
        assert len(await mailed("account_restored")) == 1


class TestAnAppealOfTheForum:
    @pytest.fixture
    async def appealed(self, maja: Actor, linnea: Actor, database: str) -> int:
        topic = await a_topic(maja, "what a stupid map")
        ask(database, "update forum_posts set state = 'hidden' returning id")
        async with transaction() as session:
            return await forum_appeals.appeal(
                session, maja, Target.POST, topic, "It was a quotation.", now=NOON
            )

    async def test_is_answered_where_it_is_decided(self, linnea: Actor, appealed: int):
        case = await looks_into(linnea, appealed)
        assert not case.can_answer
        with pytest.raises(rules.AnsweredElsewhere):
            await answers(linnea, appealed)

    async def test_that_is_turned_down_is_told_in_the_ticket_and_by_one_mail(
        self, maja: Actor, linnea: Actor, appealed: int
    ):
        await _decides(linnea, appealed, Deed.TURN_DOWN, Why.STANDS, "Two players felt hurt.")
        thread = await reads(maja, appealed)
        assert thread.status is Status.CLOSED
        assert thread.said[-1].is_answer
        assert thread.said[-1].text.startswith("Appeal turned down\n")
        assert thread.said[-1].text.endswith("\nTwo players felt hurt.")
        [letter] = await mailed()
        assert letter.name == "support_appeal_turned_down"
        message = composed(letter)
        assert message["Subject"] == f"Your appeal was turned down (#{appealed})"
        assert "Your appeal about “Best place to land” was turned down." in text_of(message)
        assert "Two players felt hurt." in text_of(message)
        [(kind, place)] = await bell_of(maja)
        assert (kind, letter.link) == ("appeal_turned_down", f"{settings().origin}{place}")

    async def test_about_a_reply_in_a_hidden_topic_leads_to_the_ticket_and_names_no_topic(
        self, maja: Actor, linnea: Actor, database: str
    ):
        topic = await a_topic(await the_player("Emil"), title="What was hidden")
        reply = await a_reply(maja, topic)
        for table in ("forum_replies", "forum_posts"):
            ask(database, f"update {table} set state = 'hidden' returning id")
        async with transaction() as session:
            number = await forum_appeals.appeal(
                session, maja, Target.REPLY, reply, "It was a quotation.", now=NOON
            )
        await _decides(linnea, number, Deed.TURN_DOWN, Why.STANDS, "", target=Target.REPLY)
        [letter] = await mailed()
        assert letter.link == f"{settings().origin}/support?ticket={number}"
        assert "What was hidden" not in text_of(composed(letter))

    async def test_that_succeeds_says_so_in_the_ticket(
        self, maja: Actor, linnea: Actor, appealed: int
    ):
        await _decides(linnea, appealed, Deed.RESTORE, Why.MISTAKE, "")
        assert (await reads(maja, appealed)).status is Status.CLOSED
        assert [letter.name for letter in await mailed()] == ["notified"]


async def _decides(
    linnea: Actor,
    number: int,
    deed: Deed,
    why: Why,
    note: str,
    *,
    target: Target = Target.POST,
) -> None:
    thing = rules.thing_of((await looks_into(linnea, number)).about)
    async with transaction() as session:
        case = await casebook.case(session, target, thing)
        seen = decisions.Seen(target, case.item.id, case.item.version, case.read)
        await decisions.decide(session, linnea, seen, deed, why.value, note, now=NOON + MINUTE)


async def test_what_an_admin_reads_of_a_sender_is_what_is_needed(maja: Actor, linnea: Actor):
    number = await asks(maja)
    await suspends(linnea, maja.user_id, REASON)
    case = await looks_into(linnea, number)
    assert (case.typed_name, case.typed_email) == ("Maja Lind", "maja.home@example.com")
    assert (case.sender.name, case.sender.email) == ("Maja", maja.email)
    assert case.sender.restrictions == ["suspended"]
    assert [said.text for said in case.said] == [QUESTION]
