"""A person and their tickets: asked once, mailed both ways, theirs alone, forgotten in time."""

import asyncio
from dataclasses import replace
from datetime import timedelta

import pytest

from rewards_app.core.actor import Actor
from rewards_app.core.database import transaction
from rewards_app.core.errors import TooManyAttempts
from rewards_app.core.mail import composed
from rewards_app.core.settings import settings
from rewards_app.features.support import repository, rules, service, tickets
from rewards_app.features.support.rules import Status
from rewards_app.models import Account
from tests.ads import the_actor, the_player
from tests.paying import ask
from tests.people import NOON, an_account
from tests.review import an_admin
from tests.serving import text_of
from tests.tickets import (
    ANSWER,
    QUESTION,
    a_form,
    answers,
    asks,
    closes,
    looks_into,
    mailed,
    reads,
    replies,
)

MORE = "It is still not here, sorry to say."
DAY = timedelta(days=1)


@pytest.fixture
async def maja(database: str) -> Actor:
    return await the_player("Maja")


@pytest.fixture
async def linnea(database: str) -> Actor:
    return await an_admin()


async def own(who: Actor, before: int | None = None) -> tickets.Tickets:
    async with transaction() as session:
        return await tickets.own(session, who, before=before)


async def forgets(now=NOON) -> int:
    async with transaction() as session:
        return await service.forget(session, now=now)


class TestAsking:
    async def test_keeps_what_was_typed_under_a_number(self, maja: Actor, database: str):
        assert await asks(maja) == 1001
        query = "select name, email, subject, message, about, status from support_tickets"
        assert ask(database, query) == [
            ("Maja Lind", "maja.home@example.com", "My code", QUESTION, "", "open")
        ]

    async def test_is_mailed_to_support_whose_answer_reaches_what_was_typed(self, maja: Actor):
        await asks(maja)
        [letter] = await mailed("support_asked")
        message = composed(letter)
        assert message["To"] == settings().support_email
        assert message["Reply-To"] == "maja.home@example.com"
        assert message["Subject"] == "Support #1001: My code"
        assert QUESTION in text_of(message)
        assert f"{settings().origin}/admin?tab=support&ticket=1001" in text_of(message)

    async def test_is_acknowledged_at_the_own_address_and_never_at_a_typed_one(self, maja: Actor):
        await asks(maja, email="victim@example.com")
        [letter] = await mailed("support_received")
        assert (letter.recipient, letter.reply_to) == (maja.email, "")
        assert "1001" in text_of(composed(letter))
        assert "victim@example.com" not in {one.recipient for one in await mailed()}

    async def test_is_acknowledged_in_the_senders_language(self, database: str):
        account = await an_account("sven@example.com", name="Sven")
        async with transaction() as session:
            (await session.get_one(Account, account.id)).language = "sv"
        await asks(the_actor(account))
        [letter] = await mailed("support_received")
        assert composed(letter)["Subject"] == "Vi har fått ditt meddelande: nr 1001"

    async def test_is_not_acknowledged_at_an_address_that_nobody_proved(self, database: str):
        unproven = the_actor(await an_account("bo@example.com", is_verified=False, name="Bo"))
        await asks(unproven)
        assert [letter.name for letter in await mailed()] == ["support_asked"]

    @pytest.mark.parametrize("address", ["maja", "maja@", "maja@example", "a@b@example.com"])
    async def test_refuses_what_is_no_address(self, maja: Actor, address: str):
        with pytest.raises(rules.BadReplyAddress):
            await asks(maja, email=address)
        assert await mailed() == []

    async def test_takes_an_address_made_for_the_purpose(self, maja: Actor):
        assert await asks(maja, email="maja@mailinator.com")

    async def test_can_be_done_five_times_an_hour(self, maja: Actor):
        for _ in range(5):
            await asks(maja)
        with pytest.raises(TooManyAttempts):
            await asks(maja)
        assert await asks(await the_player("Eva"))

    async def test_does_not_count_what_was_refused(self, maja: Actor):
        for _ in range(8):
            with pytest.raises(rules.MessageTooLong):
                await asks(maja, message="x" * 2001)
        assert await asks(maja)


class TestHeaders:
    @pytest.mark.parametrize("field", ["name", "email", "subject", "message"])
    @pytest.mark.parametrize(
        "typed",
        [
            "x\r\nBcc: everybody@example.com",
            "x\nBcc: everybody@example.com",
            "x\rBcc: everybody@example.com",
            "x\u2028Bcc: everybody@example.com",
            "x\u0085Bcc: everybody@example.com",
            "x\x0bBcc: everybody@example.com",
            "=?utf-8?q?x=0D=0ABcc=3A_everybody=40example=2Ecom?=",
            "x, everybody@example.com",
            "x@example.com, everybody@example.com",
            "<everybody@example.com>",
            'x" <everybody@example.com>, "y@example.com',
            "x@example.com;everybody@example.com",
        ],
        ids=range(12),
    )
    async def test_are_not_written_by_whoever_asks(self, maja: Actor, field: str, typed: str):
        try:
            await asks(maja, **{field: typed})
        except rules.BadReplyAddress:
            assert field == "email"
        for letter in await mailed():
            message = composed(letter)
            assert "Bcc" not in message
            assert message["Cc"] is None
            assert [str(one) for one in message["To"].addresses] in (
                [settings().support_email],
                [maja.email],
            )
            answered_at = message["Reply-To"]
            assert answered_at is None or [str(one) for one in answered_at.addresses] == [
                "maja.home@example.com"
            ]
            raw = message.as_bytes().partition(b"\n\n")[0].lower()
            assert b"\nbcc" not in raw


class TestATicket:
    async def test_is_read_in_the_order_of_what_was_said(self, maja: Actor, linnea: Actor):
        number = await asks(maja)
        await answers(linnea, number)
        await replies(maja, number, MORE)
        thread = await reads(maja, number)
        assert [(said.text, said.is_answer) for said in thread.said] == [
            (QUESTION, False),
            (ANSWER, True),
            (MORE, False),
        ]
        assert thread.status is Status.OPEN

    async def test_shows_what_is_new_until_it_is_read(self, maja: Actor, linnea: Actor):
        number = await asks(maja)
        await answers(linnea, number)
        assert (await own(maja)).shown[0].unread == 1
        assert [said.is_new for said in (await reads(maja, number)).said] == [False, True]
        assert (await own(maja)).shown[0].unread == 0
        assert not any(said.is_new for said in (await reads(maja, number)).said)

    async def test_is_its_senders_alone(self, maja: Actor):
        number, eva = await asks(maja), await the_player("Eva")
        assert (await own(eva)).shown == []
        for attempt in (
            reads(eva, number),
            replies(eva, number, MORE),
            closes_own(eva, number),
        ):
            with pytest.raises(rules.UnknownTicket):
                await attempt
        assert len((await reads(maja, number)).said) == 1

    async def test_that_nobody_has_is_unknown(self, maja: Actor):
        with pytest.raises(rules.UnknownTicket):
            await reads(maja, 4711)

    async def test_comes_in_stretches_the_newest_first(self, maja: Actor, monkeypatch):
        monkeypatch.setattr(tickets, "A_PAGE", 2)
        numbers = [await asks(maja, subject=str(n)) for n in range(5)]
        first = await own(maja)
        second = await own(maja, before=first.next_before)
        third = await own(maja, before=second.next_before)
        shown = [*first.shown, *second.shown, *third.shown]
        assert [line.number for line in shown] == numbers[::-1]
        assert third.next_before is None

    @pytest.mark.parametrize("answered", [True, False], ids=("answer", "reply"))
    async def test_is_not_told_as_read_where_it_was_said_after_they_looked(
        self, maja: Actor, linnea: Actor, database: str, answered: bool
    ):
        number = await asks(maja)

        async def goes_on(text: str) -> None:
            await (answers(linnea, number, text) if answered else replies(maja, number, text))

        await goes_on(MORE)
        async with transaction() as session:
            ticket = await repository.own(session, maja.user_id, number)
            assert ticket
            shown = await repository.messages(session, ticket.id)
            await goes_on("One more thing.")
            assert await repository.note_seen(session, shown, answers=answered, now=NOON)
        query = "select seen_at is not null from support_messages order by id"
        assert ask(database, query) == [(True,), (False,)]


async def closes_own(who: Actor, number: int) -> None:
    async with transaction() as session:
        await tickets.close(session, who, number, now=NOON)


class TestReplying:
    async def test_reopens_a_ticket_and_is_mailed_to_support(self, maja: Actor, linnea: Actor):
        number = await asks(maja)
        await answers(linnea, number)
        await replies(maja, number, MORE)
        assert (await reads(maja, number)).status is Status.OPEN
        [letter] = await mailed("support_replied")
        assert (letter.recipient, letter.reply_to) == (
            settings().support_email,
            "maja.home@example.com",
        )
        assert MORE in text_of(composed(letter))

    async def test_reopens_a_question_that_was_closed(self, maja: Actor, linnea: Actor):
        number = await asks(maja)
        await closes(linnea, number)
        await replies(maja, number, MORE)
        assert (await reads(maja, number)).status is Status.OPEN

    async def test_comes_too_late_for_what_is_settled(self, maja: Actor, linnea: Actor):
        async with transaction() as session:
            number = await service.open_ticket(
                session, maja.user_id, "1000 V-Bucks", QUESTION, about="purchase:1", now=NOON
            )
        await answers(linnea, number)
        await closes(linnea, number)
        assert not (await reads(maja, number)).can_reply
        with pytest.raises(rules.TicketSettled):
            await replies(maja, number, MORE)

    async def test_of_a_ticket_without_a_typed_address_reaches_the_own_one(self, maja: Actor):
        async with transaction() as session:
            number = await service.open_ticket(
                session, maja.user_id, "1000 V-Bucks", QUESTION, about="purchase:1", now=NOON
            )
        await replies(maja, number, MORE)
        [letter] = await mailed("support_replied")
        assert (letter.params["name"], letter.reply_to) == ("Maja", maja.email)

    async def test_types_nothing_into_a_ticket_and_is_answered_where_its_sender_is_now(
        self, maja: Actor, linnea: Actor
    ):
        number = await opens(maja, QUESTION)
        await replies(maja, number, MORE)
        case = await looks_into(linnea, number)
        assert (case.typed_name, case.typed_email) == ("", "")
        await replies(replace(maja, email="maja.new@example.com"), number, MORE)
        assert (await mailed("support_replied"))[-1].reply_to == "maja.new@example.com"

    @pytest.mark.parametrize("text", ["", " \n ", "x" * 2001])
    async def test_follows_the_rules_of_messages(self, maja: Actor, text: str):
        number = await asks(maja)
        with pytest.raises((rules.MessageTooShort, rules.MessageTooLong)) as refusal:
            await replies(maja, number, text)
        assert refusal.value.params["field"] == "reply"

    async def test_can_be_done_twenty_times_an_hour(self, maja: Actor):
        number = await asks(maja)
        for turn in range(20):
            await replies(maja, number, f"{MORE} {turn}")
        with pytest.raises(TooManyAttempts):
            await replies(maja, number, MORE)


class TestAskingAboutTheSame:
    async def test_again_joins_what_is_open(self, maja: Actor):
        first = await opens(maja, QUESTION)
        assert await opens(maja, MORE) == first
        assert [said.text for said in (await reads(maja, first)).said] == [QUESTION, MORE]

    async def test_pressed_twice_is_said_once(self, maja: Actor):
        number = await opens(maja, QUESTION)
        await asyncio.gather(*(opens(maja, MORE) for _ in range(5)))
        assert [said.text for said in (await reads(maja, number)).said] == [QUESTION, MORE]

    async def test_never_joins_anybody_elses(self, maja: Actor):
        eva = await the_player("Eva")
        assert await opens(maja, QUESTION) != await opens(eva, MORE)


async def opens(who: Actor, text: str, about: str = "purchase:1") -> int:
    async with transaction() as session:
        return await service.open_ticket(
            session, who.user_id, "1000 V-Bucks", text, about=about, now=NOON
        )


class TestClosing:
    async def test_is_done_by_its_sender_and_again_changes_nothing(self, maja: Actor):
        number = await asks(maja)
        await closes_own(maja, number)
        await closes_own(maja, number)
        assert (await reads(maja, number)).status is Status.CLOSED

    @pytest.mark.parametrize("about", ["forum-post:1", "forum-reply:1", "restriction:1"])
    async def test_leaves_an_appeal_alone_that_nobody_has_decided_on(
        self, maja: Actor, linnea: Actor, about: str
    ):
        number = await opens(maja, QUESTION, about)
        assert not (await reads(maja, number)).can_close
        with pytest.raises(rules.AppealWaits):
            await closes_own(maja, number)
        thread = await reads(maja, number)
        assert (thread.status, thread.can_reply) == (Status.OPEN, True)

    async def test_ends_an_appeal_that_was_answered(self, maja: Actor, linnea: Actor):
        number = await opens(maja, QUESTION, "restriction:1")
        await answers(linnea, number)
        assert (await reads(maja, number)).can_close
        await closes_own(maja, number)
        thread = await reads(maja, number)
        assert (thread.status, thread.can_close) == (Status.CLOSED, False)

    async def test_of_what_is_no_appeal_is_done_at_any_time(self, maja: Actor):
        number = await opens(maja, QUESTION)
        assert (await reads(maja, number)).can_close
        await closes_own(maja, number)
        assert not (await reads(maja, number)).can_close


class TestForgetting:
    async def test_takes_what_was_closed_two_years_ago_with_all_that_was_said(
        self, maja: Actor, linnea: Actor, database: str
    ):
        number = await asks(maja)
        await answers(linnea, number)
        await closes(linnea, number)
        assert await forgets(NOON + rules.KEPT_FOR - DAY) == 0
        assert await forgets(NOON + rules.KEPT_FOR + DAY) == 1
        assert ask(database, "select count(*) from support_messages") == [(0,)]

    async def test_takes_what_was_answered_two_years_ago_and_closed_by_nobody(
        self, maja: Actor, linnea: Actor
    ):
        number = await asks(maja)
        await answers(linnea, number, now=NOON + 100 * DAY)
        assert await forgets(NOON + rules.KEPT_FOR + 99 * DAY) == 0
        assert await forgets(NOON + rules.KEPT_FOR + 101 * DAY) == 1

    async def test_leaves_what_nobody_has_answered(self, maja: Actor):
        await asks(maja)
        assert await forgets(NOON + 2 * rules.KEPT_FOR) == 0

    async def test_counts_from_the_last_word(self, maja: Actor, linnea: Actor):
        number = await asks(maja)
        await closes(linnea, number, now=NOON + 100 * DAY)
        assert await forgets(NOON + rules.KEPT_FOR + 99 * DAY) == 0
        assert await forgets(NOON + rules.KEPT_FOR + 101 * DAY) == 1


def test_the_form_of_these_tests_is_what_the_page_sends():
    assert set(a_form()) == {"name", "email", "subject", "message"}
