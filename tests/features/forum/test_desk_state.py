"""What the desk keeps of what is looked at, and who may sit at it."""

from collections.abc import AsyncIterator
from typing import Any
from uuid import UUID

import pytest

from rewards_app.core.access import access_of
from rewards_app.core.actor import Actor, Role
from rewards_app.core.clock import utc_now
from rewards_app.core.database import transaction
from rewards_app.core.errors import BadArguments, DoneNotShown, StorageAway
from rewards_app.core.ids import new_id
from rewards_app.features.accounts import closing
from rewards_app.features.forum import casebook
from rewards_app.features.forum import desk as queue_page
from rewards_app.features.forum.appeal_state import ForumAppealState
from rewards_app.features.forum.desk_rules import Deed, Target, Why
from rewards_app.features.forum.desk_state import (
    LONGEST_EXCERPT,
    DeskCountState,
    DeskState,
    ModerationLogState,
)
from rewards_app.features.forum.report_state import ReportState
from rewards_app.features.notifications.rules import NOBODY
from rewards_app.features.profile import repository as profiles
from rewards_app.models import Profile
from tests.ads import the_actor, the_player
from tests.features.forum.test_desk import (
    MINUTE,
    MORE,
    WORDS,
    a_moderator,
    appeals_it,
    changes,
    decides,
    is_reported_by,
    reports_it,
)
from tests.forum import a_topic, row
from tests.people import NOON, an_account
from tests.states import acting, calls, failing
from tests.tickets import replies as replies_in_ticket


@pytest.fixture(autouse=True)
async def linnea(database: str) -> AsyncIterator[Actor]:
    with acting(await a_moderator()) as actor:
        yield actor


@pytest.fixture
async def desk(page: Any) -> Any:
    return await page.get_state(DeskState)


async def a_reported_topic(**changes: str) -> UUID:
    topic = await a_topic(await the_player(), **changes)
    await reports_it(await the_player("Sven"), topic, reason="hateful", text="Look at this.")
    return topic


class TestTheDesk:
    async def test_lists_looks_asks_and_decides(self, desk):
        topic = await a_reported_topic()
        await calls(DeskState.load, desk)
        assert [item["id"] for item in desk.queue] == [str(topic)]
        await calls(DeskState.look_at, desk, target="post", thing_id=topic)
        assert [one["text"] for one in desk.reports] == ["Look at this."]
        await calls(DeskState.ask, desk, deed="hide")
        await calls(DeskState.decide, desk, form={"reason": "hateful", "note": "Not here."})
        assert (desk.queue, desk.case, desk.deed) == ([], {}, "")
        assert desk.notice["title"] == "forum.desk.done.hide"
        assert (await row("forum_posts", topic))["state_reason"] == "hateful\nNot here."

    async def test_names_nobody_whose_account_is_closed(self, desk):
        topic = await a_reported_topic()
        author = UUID((await row("forum_posts", topic))["author_id"])
        async with transaction() as session:
            await closing.close(session, author, now=NOON)
        await calls(DeskState.look_at, desk, target="post", thing_id=topic)
        await calls(DeskState.ask, desk, deed="hide")
        await calls(DeskState.decide, desk, form={"reason": "hateful", "note": ""})
        assert desk.notice["params"]["who"] == [NOBODY]

    async def test_keeps_what_was_looked_at_when_a_decision_is_refused(self, desk):
        topic = await a_reported_topic()
        await calls(DeskState.look_at, desk, target="post", thing_id=topic)
        await calls(DeskState.ask, desk, deed="hide")
        await calls(DeskState.decide, desk, form={"reason": "", "note": "x" * 5000})
        assert desk.refusal["params"]["field"] == "reason"
        assert (desk.case["id"], desk.deed, desk.is_busy) == (str(topic), "hide", False)

    async def test_never_tells_a_decision_as_failed_where_the_rest_cannot_be_read(
        self, desk, monkeypatch
    ):
        topic = await a_reported_topic()
        await calls(DeskState.look_at, desk, target="post", thing_id=topic)
        await calls(DeskState.ask, desk, deed="hide")
        monkeypatch.setattr(casebook, "queue", failing(StorageAway))
        await calls(DeskState.decide, desk, form={"reason": "hateful"})
        assert desk.notice["title"] == DoneNotShown.title
        assert (desk.case, desk.is_busy) == ({}, False)
        assert (await row("forum_posts", topic))["state_reason"] == "hateful"

    async def test_tells_who_comes_second(self, desk):
        topic = await a_reported_topic()
        await calls(DeskState.load, desk)
        await calls(DeskState.look_at, desk, target="post", thing_id=topic)
        await calls(DeskState.ask, desk, deed="hide")
        await decides(await a_moderator("Ola"), topic, Deed.HIDE)
        await calls(DeskState.decide, desk, form={"reason": "hateful"})
        assert desk.is_stale

    async def test_leaves_open_what_was_reported_since_it_was_looked_at(self, desk):
        topic = await a_reported_topic()
        await calls(DeskState.load, desk)
        await calls(DeskState.look_at, desk, target="post", thing_id=topic)
        await is_reported_by([await the_player("Ola")], topic, text="Late", at=NOON - MINUTE)
        await calls(DeskState.refresh, desk)
        await calls(DeskState.ask, desk, deed="dismiss")
        await calls(DeskState.decide, desk, form={"reason": Why.FITS.value})
        assert [item["reporters"] for item in desk.queue] == [1]
        await calls(DeskState.look_at, desk, target="post", thing_id=topic)
        assert [one["text"] for one in desk.reports] == ["Late"]

    async def test_hears_that_somebody_else_decided(self, desk):
        topic = await a_reported_topic()
        await calls(DeskState.load, desk)
        await calls(DeskState.look_at, desk, target="post", thing_id=topic)
        await decides(await a_moderator("Ola"), topic, Deed.LOCK)
        await calls(DeskState.refresh, desk)
        assert desk.is_stale

    async def test_hears_that_an_author_has_said_more_and_reads_it(self, desk):
        maja = await the_player()
        topic = await a_topic(maja)
        await decides(await a_moderator("Ola"), topic, Deed.HIDE)
        number = await appeals_it(maja, topic, at=NOON + MINUTE)
        await calls(DeskState.load, desk)
        await calls(DeskState.look_at, desk, target="post", thing_id=topic)
        assert (desk.case["appeal"], desk.added) == (WORDS, [])
        await replies_in_ticket(maja, number, MORE)
        await calls(DeskState.refresh, desk)
        assert desk.is_stale
        await calls(DeskState.look_at, desk, target="post", thing_id=topic)
        assert ([one["text"] for one in desk.added], desk.is_stale) == ([MORE], False)
        await calls(DeskState.close, desk)
        assert desk.added == []

    async def test_that_is_looked_at_again_keeps_the_deed_where_it_is_still_possible(self, desk):
        topic, other = await a_reported_topic(), await a_topic(await the_player("Emil"))
        await calls(DeskState.look_at, desk, target="post", thing_id=topic)
        await calls(DeskState.ask, desk, deed="hide")
        ola = await a_moderator("Ola")
        await decides(ola, topic, Deed.LOCK)
        await calls(DeskState.decide, desk, form={"reason": "hateful", "note": "Third time."})
        assert (desk.is_stale, desk.deed) == (True, "hide")
        await calls(DeskState.look_at, desk, target="post", thing_id=topic)
        assert (desk.is_stale, desk.deed) == (False, "hide")
        await decides(ola, topic, Deed.HIDE)
        await calls(DeskState.look_at, desk, target="post", thing_id=topic)
        assert desk.deed == ""
        await calls(DeskState.ask, desk, deed="restore")
        await calls(DeskState.look_at, desk, target="post", thing_id=other)
        assert desk.deed == ""

    async def test_says_that_a_text_was_changed_and_which_reports_are_of_earlier_words(self, desk):
        maja = await the_player("Maja")
        topic = await a_topic(maja, "Earlier words.")
        await reports_it(await the_player("Emil"), topic, text="First.")
        await calls(DeskState.look_at, desk, target="post", thing_id=topic)
        assert (desk.case["edited_at"], desk.reports[0]["is_of_earlier_words"]) == ("", False)
        await changes(maja, topic, Target.POST, "Later words, all friendly.", at=NOON + MINUTE)
        await reports_it(await the_player("Eva"), topic, text="Second.", at=NOON + 2 * MINUTE)
        await calls(DeskState.look_at, desk, target="post", thing_id=topic)
        assert desk.case["edited_at"] == (NOON + MINUTE).isoformat()
        said = [(one["text"], one["is_of_earlier_words"]) for one in desk.reports]
        assert said == [("Second.", False), ("First.", True)]

    async def test_offers_nothing_on_ones_own_words(self, linnea: Actor, desk):
        topic = await a_topic(linnea)
        await calls(DeskState.look_at, desk, target="post", thing_id=topic)
        assert desk.case["is_own"]
        await calls(DeskState.ask, desk, deed="hide")
        assert desk.deed == ""

    async def test_asks_only_for_what_can_be_decided(self, desk):
        await calls(DeskState.look_at, desk, target="post", thing_id=await a_reported_topic())
        for deed in ("turn_down", "unlock", "delete", ""):
            await calls(DeskState.ask, desk, deed=deed)
            assert desk.deed == ""
        await calls(DeskState.decide, desk, form={"reason": "hateful"})
        assert desk.queue == []

    async def test_refuses_what_never_was(self, desk):
        await calls(DeskState.look_at, desk, target="reply", thing_id=new_id())
        assert desk.case == {}
        await calls(DeskState.look_at, desk, target="account", thing_id=new_id())
        assert desk.refusal["code"] == BadArguments.code

    async def test_is_narrowed_down_by_why_things_wait(self, desk):
        await a_reported_topic()
        waiting = await a_topic(await the_player(), state="waiting")
        await calls(DeskState.load, desk)
        assert desk.counts == {"all": 2, "reported": 1, "waiting": 1, "appealed": 0}
        await calls(DeskState.choose, desk, kind="waiting")
        assert [item["id"] for item in desk.queue] == [str(waiting)]
        await calls(DeskState.choose, desk, kind="everything")
        assert desk.kind == "waiting"

    async def test_lists_how_a_text_begins_and_shows_all_of_it_when_it_is_looked_at(self, desk):
        topic = await a_reported_topic(content="word " * 900)
        await calls(DeskState.load, desk)
        assert len(desk.queue[0]["content"]) == LONGEST_EXCERPT
        await calls(DeskState.look_at, desk, target="post", thing_id=topic)
        assert desk.case["content"] == "word " * 900

    async def test_says_why_things_wait_and_how_many_wait_beyond_its_end(
        self, desk, monkeypatch: pytest.MonkeyPatch
    ):
        monkeypatch.setattr(casebook, "MOST_IN_QUEUE", 1)
        topics = [await a_reported_topic() for _ in range(2)]
        await calls(DeskState.load, desk)
        assert [(item["id"], item["gravest"]) for item in desk.queue] == [
            (str(topics[-1]), "hateful")
        ]
        assert (desk.has_more, desk.counts["all"]) == (False, 2)
        shown = str(queue_page.desk().render())
        assert "lists.shown_of" in shown
        assert "forum.reports.reasons." in shown

    async def test_counts_for_whoever_may_come(self, page: Any):
        await a_reported_topic()
        counter = await page.get_state(DeskCountState)
        await calls(DeskCountState.count, counter)
        assert counter.waiting == 1

    async def test_keeps_markup_as_words(self, desk):
        markup = "<img src=x onerror=alert(1)> {{who}} [link](javascript:alert(1))"
        topic = await a_reported_topic(content=markup, title=markup)
        await calls(DeskState.look_at, desk, target="post", thing_id=topic)
        assert desk.case["content"] == desk.case["title"] == markup


class TestTheLog:
    async def test_is_searched_and_narrowed_down(self, page: Any):
        await decides(await a_moderator("Ola"), await a_topic(await the_player()), Deed.LOCK)
        log = await page.get_state(ModerationLogState)
        await calls(ModerationLogState.load, log)
        assert [line["by"] for line in log.lines] == ["Ola"]
        await calls(ModerationLogState.choose, log, action="hide")
        assert log.lines == []
        await calls(ModerationLogState.choose, log, action="'; drop table accounts")
        assert log.action == "hide"

    async def test_finds_nobody_for_more_than_a_handle(self, page: Any):
        """As it was pasted: cut off, it could be somebody's."""
        maja = the_actor(await an_account(name="Maja"))
        await decides(await a_moderator("Ola"), await a_topic(maja), Deed.LOCK)
        log = await page.get_state(ModerationLogState)
        declared = access_of(ModerationLogState.find.fn)
        assert declared
        for pasted, found in (("@maja", 1), ("@maja" + " and Sven" * 40, 0)):
            form = declared.checked({"form": {"handle": pasted}})
            await calls(ModerationLogState.find, log, **form)
            assert len(log.lines) == found


class TestReporting:
    async def test_keeps_the_dialog_open_until_the_report_is_in(self, page: Any):
        topic = await a_topic(await the_player())
        dialog = await page.get_state(ReportState)
        await calls(ReportState.ask, dialog, target="post", thing_id=topic)
        form = {"reason": "other", "text": ""}
        await calls(ReportState.send, dialog, target="post", thing_id=topic, form=form)
        assert (dialog.is_open, dialog.refusal["params"]["field"]) == (True, "text")
        form = {"reason": "other", "text": "It is my own diary."}
        await calls(ReportState.send, dialog, target="post", thing_id=topic, form=form)
        assert (dialog.is_open, dialog.notice["title"]) == (False, "forum.reports.sent_title")

    async def test_in_too_many_words_is_refused_beside_them(self, page: Any):
        topic = await a_topic(await the_player())
        dialog = await page.get_state(ReportState)
        await calls(ReportState.ask, dialog, target="post", thing_id=topic)
        form = {"reason": "spam", "text": "x" * 301}
        await calls(ReportState.send, dialog, target="post", thing_id=topic, form=form)
        assert (dialog.is_open, dialog.refusal["params"]) == (True, {"count": 300, "field": "text"})


class TestAppealing:
    async def test_says_whether_it_can_be_done_and_what_waits(self, linnea: Actor, page: Any):
        topic = await a_topic(linnea)
        await decides(await a_moderator("Ola"), topic, Deed.HIDE)
        dialog = await page.get_state(ForumAppealState)
        await calls(ForumAppealState.ask, dialog, target="post", thing_id=topic)
        assert (dialog.is_open, dialog.can_appeal, dialog.waits) == (True, True, "")
        await calls(ForumAppealState.send, dialog, message="no")
        assert dialog.is_open
        await calls(ForumAppealState.send, dialog, message="I only quoted the announcer.")
        assert not dialog.is_open
        await calls(ForumAppealState.ask, dialog, target="post", thing_id=topic)
        assert dialog.waits

    async def test_speaks_of_changing_the_text_only_while_that_can_be_done(
        self, linnea: Actor, page: Any
    ):
        ola = await a_moderator("Ola")
        topic = await a_topic(linnea, "what a stupid map", now=utc_now())
        dialog = await page.get_state(ForumAppealState)
        await calls(ForumAppealState.ask, dialog, target="post", thing_id=topic)
        assert dialog.can_change
        await decides(ola, topic, Deed.HIDE)
        await appeals_it(linnea, topic, at=utc_now())
        await decides(ola, topic, Deed.TURN_DOWN)
        await calls(ForumAppealState.ask, dialog, target="post", thing_id=topic)
        assert (dialog.can_appeal, dialog.can_change) == (False, False)

    async def test_of_anothers_thing_opens_nothing(self, page: Any):
        topic = await a_topic(await the_player())
        dialog = await page.get_state(ForumAppealState)
        await calls(ForumAppealState.ask, dialog, target="post", thing_id=topic)
        assert not dialog.is_open


@pytest.mark.parametrize("state", [DeskState, DeskCountState, ModerationLogState])
def test_every_handler_of_the_desk_is_for_moderators_and_admins_alone(state: Any):
    handlers = [one for name, one in state.event_handlers.items() if access_of(one.fn)]
    own = [one for one in handlers if one.fn.__qualname__.startswith(state.__name__)]
    assert own
    for handler in own:
        access = access_of(handler.fn)
        assert access
        assert (access.roles, access.visitors) == ({Role.MODERATOR, Role.ADMIN}, False)


@pytest.mark.parametrize("state", [ReportState, ForumAppealState])
def test_admins_and_visitors_report_and_appeal_nothing(state: Any):
    own = [one for one in state.event_handlers.values() if state.__name__ in one.fn.__qualname__]
    for handler in own:
        access = access_of(handler.fn)
        assert access
        assert not access.visitors
        assert Role.ADMIN not in access.roles


class TestAProfile:
    async def a_reported_player(self) -> UUID:
        player, sven = await the_player("Nova"), await the_player("Sven")
        async with transaction() as session:
            session.add(Profile(account_id=player.user_id, bio="Free boosts!"))
        await reports_it(sven, player.user_id, Target.PROFILE, text="Look at this.")
        return player.user_id

    async def test_is_listed_with_what_it_says(self, desk):
        player = await self.a_reported_player()
        await calls(DeskState.load, desk)
        [item] = desk.queue
        assert (item["target"], item["id"], item["topic"]) == ("profile", str(player), "Nova")
        assert (item["content"], item["reporters"]) == ("Free boosts!", 1)
        assert desk.counts == {"all": 1, "reported": 1, "waiting": 0, "appealed": 0}

    async def test_tells_nobody_who_reported_it(self, desk):
        player = await self.a_reported_player()
        await calls(DeskState.look_at, desk, target="profile", thing_id=player)
        assert "Sven" not in f"{desk.case} {desk.reports}"
        assert [one["text"] for one in desk.reports] == ["Look at this."]

    async def test_that_is_hidden_shows_what_others_see(self, desk):
        player = await self.a_reported_player()
        await decides(await a_moderator("Ola"), player, Deed.HIDE, target=Target.PROFILE)
        await calls(DeskState.look_at, desk, target="profile", thing_id=player)
        assert (desk.case["is_changed"], desk.case["shown_content"]) == (True, "")
        assert desk.case["content"] == "Free boosts!"

    async def test_stays_open_when_its_name_is_replaced(self, desk):
        player = await self.a_reported_player()
        await calls(DeskState.look_at, desk, target="profile", thing_id=player)
        await calls(DeskState.ask, desk, deed="rename")
        await calls(DeskState.decide, desk, form={"reason": "guidelines"})
        assert desk.notice["text"] == "forum.desk.done_profile"
        assert (desk.queue, desk.deed) == ([], "")
        assert (desk.case["id"], desk.case["deeds"]) == (str(player), ["hide"])

    async def test_that_nobody_reads_any_more_is_done_with_once_it_is_decided(self, desk):
        player = await self.a_reported_player()
        await calls(DeskState.look_at, desk, target="profile", thing_id=player)
        async with transaction() as session:
            await profiles.keep(session, player, is_public=False, now=NOON)
        await calls(DeskState.ask, desk, deed="rename")
        await calls(DeskState.decide, desk, form={"reason": "guidelines"})
        assert (desk.notice["text"], desk.case) == ("forum.desk.done_profile", {})

    async def test_that_nobody_reported_is_not_there(self, desk):
        player = await the_player("Nova")
        await calls(DeskState.look_at, desk, target="profile", thing_id=player.user_id)
        assert (desk.case, desk.notice["text"]) == ({}, "errors.forum.not_there")

    async def test_is_reported_by_the_dialog(self, page: Any):
        player = await the_player("Nova")
        state: Any = await page.get_state(ReportState)
        with acting(await the_player("Sven")):
            await calls(ReportState.ask, state, target="profile", thing_id=player.user_id)
            assert (state.is_open, state.target) == (True, "profile")
            form = {"reason": "other", "text": "That is a real person."}
            await calls(
                ReportState.send, state, target="profile", thing_id=player.user_id, form=form
            )
        assert (state.is_open, state.notice["title"]) == (False, "forum.reports.sent_title")
