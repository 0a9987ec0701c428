"""What the pages of support keep: of the sender's own, and of the inbox."""

from collections.abc import AsyncIterator
from contextlib import nullcontext
from typing import Any

import pytest

from rewards_app.core.access import access_of
from rewards_app.core.actor import Actor
from rewards_app.core.database import transaction
from rewards_app.core.errors import BadArguments, DoneNotShown, StorageAway
from rewards_app.features.accounts import closing
from rewards_app.features.admin.state import AdminState
from rewards_app.features.admin.support_state import SupportDeskState
from rewards_app.features.notifications import service as notifications
from rewards_app.features.support import appeals, inbox, service, tickets
from rewards_app.features.support.restriction_state import RestrictionState
from rewards_app.features.support.rules import ASKING_ROLES, SaidMeanwhile, TicketSettled
from rewards_app.features.support.state import SupportState
from tests.ads import the_player
from tests.measures import APPEAL, suspends
from tests.people import NOON
from tests.review import an_admin
from tests.states import a_page, acting, at, calls, failing
from tests.tickets import (
    ANSWER,
    QUESTION,
    a_form,
    answers,
    asks,
    closes,
    looks_into,
    mailed,
    replies,
)

MORE = "It is still not here, sorry to say."


@pytest.fixture
async def maja(database: str) -> Actor:
    return await the_player("Maja")


@pytest.fixture
async def linnea(database: str) -> Actor:
    return await an_admin()


@pytest.fixture
async def page(maja: Actor) -> AsyncIterator[SupportState]:
    with acting(maja):
        yield await a_page().get_state(SupportState)


@pytest.fixture
async def desk(linnea: Actor) -> AsyncIterator[SupportDeskState]:
    root = a_page()
    (await root.get_state(AdminState)).tab = "support"
    with acting(linnea):
        yield await root.get_state(SupportDeskState)


class TestThePage:
    async def test_lists_what_was_asked_and_begins_its_form_anew(self, page: SupportState):
        await calls(SupportState.send, page, form=a_form())
        assert [row["subject"] for row in page.tickets] == ["My code"]
        assert (page.round, page.notice["title"]) == (1, "support.sent_title")
        assert not page.is_busy

    async def test_keeps_its_form_where_something_is_missing(self, page: SupportState):
        await calls(SupportState.send, page, form=a_form(name=""))
        assert page.round == 0
        assert page.refusal["params"] == {"field": "name"}
        assert page.notice["title"] == "support.fields_missing_title"

    async def test_never_tells_as_failed_what_was_sent_where_nothing_can_be_read(
        self, page: SupportState, maja: Actor, monkeypatch
    ):
        monkeypatch.setattr(tickets, "own", failing(StorageAway))
        await calls(SupportState.send, page, form=a_form())
        assert (page.round, page.notice["title"]) == (1, DoneNotShown.title)

    @pytest.mark.parametrize(
        ("handler", "given"),
        [(SupportState.reply, {"form": {"reply": MORE}}), (SupportState.close, {})],
    )
    async def test_never_tells_as_failed_what_was_done_in_a_ticket(
        self, page: SupportState, maja: Actor, handler: Any, given: dict[str, Any], monkeypatch
    ):
        await page._look(await asks(maja))
        monkeypatch.setattr(tickets, "thread", failing(StorageAway))
        await calls(handler, page, **given)
        assert (page.notice["title"], page.is_busy) == (DoneNotShown.title, False)

    async def test_reads_a_ticket_and_keeps_marking_what_was_new(
        self, page: SupportState, maja: Actor, linnea: Actor
    ):
        number = await asks(maja)
        await answers(linnea, number)
        await page._look(number)
        await calls(SupportState.refresh, page)
        assert [row["is_new"] for row in page.said] == [False, True]
        assert page.ticket["status"] == "answered"

    async def test_is_read_in_the_bell_where_it_is_opened_not_where_it_follows_along(
        self, page: SupportState, maja: Actor, linnea: Actor
    ):
        number = await asks(maja)
        await page._look(number)
        await answers(linnea, number)
        await calls(SupportState.refresh, page)
        assert await notifications.unread(maja.user_id) == 1
        at(page, f"/support?ticket={number}")
        await calls(SupportState.load, page)
        assert await notifications.unread(maja.user_id) == 0

    @pytest.mark.parametrize(
        ("handler", "form"),
        [(SupportState.reply, {"form": {"reply": MORE}}), (SupportState.close, {})],
        ids=("reply", "close"),
    )
    async def test_is_read_in_the_bell_by_whoever_goes_on_from_it(
        self,
        page: SupportState,
        maja: Actor,
        linnea: Actor,
        handler: Any,
        form: dict[str, Any],
    ):
        """The answer came while the ticket was open, and with it the bell's word of it."""
        number = await asks(maja)
        await page._look(number)
        await answers(linnea, number)
        await calls(SupportState.refresh, page)
        await calls(handler, page, **form)
        assert await notifications.unread(maja.user_id) == 0

    async def test_stays_new_in_the_bell_where_it_comes_after_the_ticket_was_read(
        self, page: SupportState, maja: Actor, linnea: Actor, monkeypatch: pytest.MonkeyPatch
    ):
        number = await asks(maja)
        reads = tickets.thread

        async def reads_and_is_answered(*args: Any, **kwargs: Any) -> tickets.Thread:
            found = await reads(*args, **kwargs)
            await answers(linnea, number)
            return found

        monkeypatch.setattr(tickets, "thread", reads_and_is_answered)
        at(page, f"/support?ticket={number}")
        await calls(SupportState.load, page)
        assert [row["is_answer"] for row in page.said] == [False]
        assert await notifications.unread(maja.user_id) == 1

    async def test_is_told_as_read_where_it_is_opened_not_where_it_follows_along(
        self, page: SupportState, maja: Actor, linnea: Actor
    ):
        number = await asks(maja)
        await page._look(number)
        await answers(linnea, number)
        await calls(SupportState.refresh, page)
        assert [row["is_new"] for row in page.said] == [False, True]
        assert (await looks_into(linnea, number)).said[-1].seen_at is None
        await page._look(number)
        assert (await looks_into(linnea, number)).said[-1].seen_at

    async def test_of_a_closing_too(self, page: SupportState, maja: Actor, linnea: Actor):
        number = await asks(maja)
        await closes(linnea, number)
        assert await notifications.unread(maja.user_id) == 1
        at(page, f"/support?ticket={number}")
        await calls(SupportState.load, page)
        assert await notifications.unread(maja.user_id) == 0

    async def test_says_that_a_ticket_is_not_there(self, page: SupportState):
        await page._look(4711)
        assert (page.shows, page.ticket) == ("missing", {})
        await calls(SupportState.refresh, page)
        assert page.shows == "missing"

    async def test_does_nothing_in_a_ticket_that_is_not_open(self, page: SupportState):
        await calls(SupportState.reply, page, form={"reply": MORE})
        await calls(SupportState.close, page)
        assert page.notice == {}

    async def test_loads_older_ones_once_and_keeps_them_when_it_looks_again(
        self, page: SupportState, maja: Actor, monkeypatch
    ):
        monkeypatch.setattr(tickets, "A_PAGE", 2)
        numbers = [await asks(maja) for _ in range(5)]
        await page._look(None)
        before = page.next_before
        await calls(SupportState.load_more, page, before=before)
        await calls(SupportState.load_more, page, before=before)
        await calls(SupportState.refresh, page)
        assert [row["number"] for row in page.tickets] == numbers[:0:-1]

    async def test_shows_how_older_ones_stand_once_they_were_read_and_closed(
        self, page: SupportState, maja: Actor, linnea: Actor, monkeypatch
    ):
        monkeypatch.setattr(tickets, "A_PAGE", 2)
        numbers = [await asks(maja) for _ in range(4)]
        await answers(linnea, numbers[0])
        await page._look(None)
        await calls(SupportState.load_more, page, before=page.next_before)
        assert (page.tickets[3]["status"], page.tickets[3]["unread"]) == ("answered", 1)
        await page._look(numbers[0])
        await page._look(None)
        assert (page.tickets[3]["status"], page.tickets[3]["unread"]) == ("answered", 0)
        await page._look(numbers[0])
        await calls(SupportState.close, page)
        await page._look(None)
        assert [row["status"] for row in page.tickets] == ["open"] * 3 + ["closed"]

    def test_is_open_to_whoever_is_suspended(self):
        handlers = [value.fn for value in SupportState.event_handlers.values()]
        declared = [access for access in map(access_of, handlers) if access]
        assert declared
        own = [one for one in declared if one.roles == ASKING_ROLES]
        assert len(own) == 6
        assert all(one.even_suspended for one in own)


class TestWhatIsSentAndCannotBeShown:
    """It is not told as failed: nobody sends it a second time."""

    async def test_is_there_when_it_was_asked(
        self, page: SupportState, maja: Actor, monkeypatch: pytest.MonkeyPatch
    ):
        with monkeypatch.context() as broken:
            broken.setattr(tickets, "own", failing(StorageAway))
            await calls(SupportState.send, page, form=a_form())
        assert page.notice["text"] == DoneNotShown().text_key
        await page._look(None)
        assert [row["subject"] for row in page.tickets] == ["My code"]

    async def test_is_there_when_it_was_said_and_when_it_was_closed(
        self, page: SupportState, maja: Actor, monkeypatch: pytest.MonkeyPatch
    ):
        number = await asks(maja)
        await page._look(number)
        with monkeypatch.context() as broken:
            broken.setattr(tickets, "thread", failing(StorageAway))
            for handler, said in (
                (SupportState.reply, {"form": {"reply": MORE}}),
                (SupportState.close, {}),
            ):
                await calls(handler, page, **said)
                assert page.notice["text"] == DoneNotShown().text_key
        await page._look(number)
        assert (page.said[-1]["text"], page.ticket["status"]) == (MORE, "closed")

    async def test_is_there_when_it_is_an_appeal(
        self, maja: Actor, linnea: Actor, monkeypatch: pytest.MonkeyPatch
    ):
        await suspends(linnea, maja.user_id)
        banner = await a_page().get_state(RestrictionState)
        with acting(maja):
            await calls(RestrictionState.load, banner)
            with monkeypatch.context() as broken:
                broken.setattr(appeals, "held", failing(StorageAway))
                await calls(RestrictionState.appeal, banner, message=APPEAL)
            assert banner.notice["text"] == DoneNotShown().text_key
            await calls(RestrictionState.load, banner)
        assert banner.suspended["ticket"]


class TestTheInbox:
    async def test_finds_and_narrows_down(self, desk: SupportDeskState, maja: Actor):
        number = await asks(maja)
        await calls(SupportDeskState.find, desk, form={"search": " lind "})
        assert [row["number"] for row in desk.tickets] == [number]
        await calls(SupportDeskState.choose, desk, status="closed")
        assert desk.tickets == []
        await calls(SupportDeskState.show_all, desk)
        assert (len(desk.tickets), desk.search, desk.status) == (1, "", "open")

    async def test_says_since_when_only_the_open_ones_wait(
        self, desk: SupportDeskState, maja: Actor
    ):
        number = await asks(maja)
        await calls(SupportDeskState.show_all, desk)
        assert desk.is_by_wait
        for status in ("answered", ""):
            await calls(SupportDeskState.choose, desk, status=status)
            assert not desk.is_by_wait
        await calls(SupportDeskState.choose, desk, status="open")
        await calls(SupportDeskState.find, desk, form={"search": f"#{number}"})
        assert not desk.is_by_wait, "a number is found however its ticket stands"

    async def test_shows_what_it_is_still_searched_for_when_it_is_opened_again(
        self, desk: SupportDeskState, maja: Actor
    ):
        await asks(maja)
        untouched = desk.round
        await calls(SupportDeskState.load, desk)
        assert desk.round == untouched, "somebody may be typing already"
        await calls(SupportDeskState.find, desk, form={"search": "nobody"})
        before = desk.round
        await calls(SupportDeskState.load, desk)
        assert (desk.tickets, desk.search) == ([], "nobody")
        assert desk.round != before

    async def test_leads_to_the_orders_of_the_sender_alone(
        self, desk: SupportDeskState, maja: Actor
    ):
        async with transaction() as session:
            number = await service.open_ticket(
                session, maja.user_id, "My code", QUESTION, about="purchase:1", now=NOON
            )
        await desk._open(number)
        assert desk.ticket["decided_at"] == f"/admin?tab=orders&search={maja.user_id}"

    @pytest.mark.parametrize("status", ["lost", "OPEN", "open "])
    async def test_knows_three_statuses(self, desk: SupportDeskState, status: str):
        await calls(SupportDeskState.choose, desk, status=status)
        assert desk.refusal["code"] == BadArguments.code
        assert desk.status == "open"

    async def test_comes_in_stretches_each_once(
        self, desk: SupportDeskState, maja: Actor, monkeypatch
    ):
        monkeypatch.setattr(inbox, "A_PAGE", 2)
        numbers = [await asks(maja) for _ in range(5)]
        await desk._load_first(limit=2)
        after = desk.next_after
        await calls(SupportDeskState.load_more, desk, after=after)
        await calls(SupportDeskState.load_more, desk, after=after)
        assert [row["number"] for row in desk.tickets][:2] == numbers[:2]
        assert len({row["number"] for row in desk.tickets}) == len(desk.tickets)

    async def test_answers_what_is_read(self, desk: SupportDeskState, maja: Actor):
        number = await asks(maja)
        await desk._open(number)
        await calls(SupportDeskState.answer, desk, form={"answer": ANSWER})
        assert [row["text"] for row in desk.said] == [QUESTION, ANSWER]
        assert (desk.ticket["status"], desk.round) == ("answered", 1)
        assert desk.notice["text"] == "admin.support.answered_text"

    async def test_says_that_nothing_is_mailed_to_who_deletes_their_account(
        self, desk: SupportDeskState, maja: Actor
    ):
        number = await asks(maja)
        async with transaction() as session:
            await closing.close(session, maja.user_id, is_silent=True, now=NOON)
        await desk._open(number)
        assert desk.ticket["is_closed"]
        await calls(SupportDeskState.answer, desk, form={"answer": ANSWER})
        assert desk.notice["text"] == "admin.support.answered_unmailed_text"
        assert await mailed("support_answered") == []

    @pytest.mark.parametrize(
        ("about", "says"), [("", "closed_text"), ("purchase:1", "closed_for_good_text")]
    )
    async def test_says_of_what_it_closes_whether_a_reply_opens_it_again(
        self, desk: SupportDeskState, maja: Actor, about: str, says: str
    ):
        async with transaction() as session:
            number = await service.open_ticket(
                session, maja.user_id, "My code", QUESTION, about=about, now=NOON
            )
        await answers(desk._actor, number)
        await desk._open(number)
        await calls(SupportDeskState.close_ticket, desk)
        assert (desk.ticket["status"], desk.notice["text"]) == ("closed", f"admin.support.{says}")
        with nullcontext() if says == "closed_text" else pytest.raises(TicketSettled):
            await replies(maja, number, MORE)

    async def test_says_that_more_was_said_and_sends_nothing_before_it_is_read(
        self, desk: SupportDeskState, maja: Actor
    ):
        number = await asks(maja)
        await desk._open(number)
        await replies(maja, number, MORE)
        await calls(SupportDeskState.answer, desk, form={"answer": ANSWER})
        assert (desk.refusal["code"], desk.is_stale) == (SaidMeanwhile.code, True)
        await calls(SupportDeskState.read_again, desk)
        assert ([row["text"] for row in desk.said], desk.is_stale) == ([QUESTION, MORE], False)

    async def test_hears_that_more_was_said(self, desk: SupportDeskState, maja: Actor):
        number = await asks(maja)
        await desk._open(number)
        await calls(SupportDeskState.refresh, desk)
        assert not desk.is_stale
        await replies(maja, number, MORE)
        await calls(SupportDeskState.refresh, desk)
        assert desk.is_stale
