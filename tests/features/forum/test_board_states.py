"""What the forum's pages keep, refuse and say: the list, a topic, drafts, one's own words."""

from collections.abc import AsyncIterator, Iterator
from datetime import timedelta
from typing import Any
from urllib.parse import quote
from uuid import UUID

import pytest
import time_machine
from reflex.istate.data import RouterData

from rewards_app.core import limits, tabs
from rewards_app.core.access import access_of
from rewards_app.core.actor import Actor, Role
from rewards_app.core.clock import utc_now
from rewards_app.core.database import transaction
from rewards_app.core.gate import current_actor, current_caller
from rewards_app.core.ids import new_id
from rewards_app.core.state import AppState
from rewards_app.features.forum import (
    board_page,
    board_state,
    decision_repository,
    drafts,
    preview,
    replies,
    things,
    topic_state,
    topics,
)
from rewards_app.features.forum import calls as calls_of
from rewards_app.features.forum.board_state import BoardState
from rewards_app.features.forum.desk_rules import Target
from rewards_app.features.forum.new_post_state import NewPostState
from rewards_app.features.forum.own_state import OwnState
from rewards_app.features.forum.reply_state import ReplyState
from rewards_app.features.forum.rules import FORUM_ROLES, LONGEST_DRAFT, ONLINE_WITHIN
from rewards_app.features.forum.topic_state import MISSING, SHOWN, TopicState
from rewards_app.features.notifications import service as notifications
from rewards_app.features.notifications.rules import Kind
from tests.ads import the_actor
from tests.forum import a_reply, a_topic
from tests.people import NOON, a_browser, an_account
from tests.serving import Redis
from tests.states import calls

STATES = (BoardState, NewPostState, TopicState, ReplyState, OwnState)
A_MINUTE = timedelta(minutes=1)
TEXT = "Where do you land in solo?"


@pytest.fixture(autouse=True)
async def maja(database: str) -> AsyncIterator[Actor]:
    actor = the_actor(await an_account(name="Maja"))
    before, tab = current_actor.set(actor), current_caller.set(a_browser())
    yield actor
    current_actor.reset(before)
    current_caller.reset(tab)


@pytest.fixture
async def ola(database: str) -> Actor:
    return the_actor(await an_account("ola@example.com", name="Ola"))


@pytest.fixture(autouse=True)
def no_tabs() -> Iterator[None]:
    yield
    tabs.keep_only(())


def at(page: Any, address: str) -> None:
    page.router = RouterData.from_router_data(
        {"asPath": address, "headers": {"origin": "http://localhost:8300"}}
    )


async def opens_a_page(page: Any, address: str = "/forum") -> None:
    at(page, address)
    await calls(AppState.enter, await page.get_state(AppState))


async def the_board(page: Any, address: str = "/forum") -> BoardState:
    at(page, address)
    board = await page.get_state(BoardState)
    await calls(BoardState.load, board)
    return board


async def the_topic(page: Any, topic: object) -> TopicState:
    at(page, f"/forum/topic?id={topic}")
    shown = await page.get_state(TopicState)
    await calls(ReplyState.load, await page.get_state(ReplyState))
    await calls(TopicState.load, shown)
    return shown


def ids(rows: list[dict[str, Any]]) -> list[str]:
    return [row["id"] for row in rows]


async def the_draft(actor: Actor, post_id: UUID | None = None) -> str:
    async with transaction() as session:
        found = await drafts.draft(session, actor, post_id=post_id)
    return found.content if found else ""


class TestHandlers:
    @pytest.mark.parametrize("state", STATES, ids=lambda state: state.__name__)
    def test_are_for_the_forum_s_people_alone(self, state: type[Any]):
        own = [handler for handler in state.event_handlers.values() if access_of(handler.fn)]
        for handler in own:
            access = access_of(handler.fn)
            assert access
            if handler.fn.__module__ == state.__module__:
                assert access.roles == FORUM_ROLES
                assert Role.ADMIN not in access.roles


class TestTheList:
    async def test_is_of_the_category_that_the_address_says(self, page: Any, ola: Actor):
        await a_topic(ola, title="In Roblox", category="roblox")
        await a_topic(ola, title="In Minecraft", category="minecraft")
        board = await the_board(page, "/forum?category=roblox")
        assert [post["title"] for post in board.posts] == ["In Roblox"]
        assert board.by_category == {
            "": 2,
            "fortnite": 0,
            "roblox": 1,
            "minecraft": 1,
            "apex": 0,
            "general": 0,
        }

    @pytest.mark.parametrize("category", ["tetris", "' or 1=1", "\x00", "x" * 9_000])
    async def test_is_of_all_of_them_for_a_strange_one(self, page: Any, ola: Actor, category: str):
        await a_topic(ola)
        board = await the_board(page, f"/forum?category={quote(category)}")
        assert (board.category, len(board.posts)) == ("", 1)

    @pytest.mark.parametrize("query", ["lighthouse", '"the lighthouse"', "-harbour lighthouse"])
    async def test_finds_what_is_searched_for(self, page: Any, ola: Actor, query: str):
        await a_topic(ola, "We land at the lighthouse.", title="Lighthouse")
        await a_topic(ola, "We land at the harbour.", title="Harbour")
        board = await the_board(page, f"/forum?q={quote(query)}")
        assert [post["title"] for post in board.posts] == ["Lighthouse"]

    async def test_leads_to_the_reply_in_which_the_words_were_found(self, page: Any, ola: Actor):
        topic = await a_topic(ola)
        reply = await a_reply(ola, topic, "Turbo building is a setting.")
        [shown] = (await the_board(page, "/forum?q=turbo")).posts
        assert (shown["id"], shown["found_in"]) == (str(topic), str(reply))
        assert shown["excerpt"] == "Turbo building is a setting."

    async def test_loses_what_was_found_in_a_reply_that_is_gone(self, page: Any, ola: Actor):
        topics_found = [await a_topic(ola), await a_topic(ola)]
        kept, hidden = [await a_reply(ola, topic, "Turbo!") for topic in topics_found]
        board = await the_board(page, "/forum?q=turbo")
        assert ids(board.posts) == [str(topic) for topic in reversed(topics_found)]
        async with transaction() as session:
            await things.set_state(session, Target.REPLY, hidden, "hidden", "spam", now=utc_now())
        await calls(BoardState.refresh, board)
        assert [post["found_in"] for post in board.posts] == [str(kept)]

    @pytest.mark.parametrize("query", ["((((", '"', "& | ! <->", "\x00\x07", "%", "x" * 5_000])
    async def test_takes_any_search_as_words(self, page: Any, ola: Actor, query: str):
        await a_topic(ola)
        board = await the_board(page, f"/forum?q={quote(query)}")
        assert (board.is_loaded, board.has_failed) == (True, False)

    async def test_says_so_when_it_cannot_be_loaded(
        self, page: Any, monkeypatch: pytest.MonkeyPatch
    ):
        async def breaks(*_: Any, **__: Any) -> None:
            raise RuntimeError("the database is away")

        monkeypatch.setattr(topics, "latest", breaks)
        board = await the_board(page)
        assert (board.is_loaded, board.has_failed) == (True, True)
        assert board.notice["title"] == "forum.error"
        assert board.notice["text"] == "forum.not_loaded"

    async def test_says_who_talks_now_and_what_was_moderated(self, page: Any, ola: Actor):
        with time_machine.travel(utc_now() - ONLINE_WITHIN - A_MINUTE):
            topic = await a_topic(ola, "You are stupid")
        await a_topic(ola)
        await a_reply(ola, topic)
        board = await the_board(page)
        assert board.figures == {"posts": 2, "writers": 1, "online": 2, "moderated": 1}
        shown = str(board_page.board().render())
        for said in ("forum.stats.online", "forum.ai_moderated", "24/7 ", "forum.stats.moderated"):
            assert said in shown

    async def test_says_who_wrote_in_the_last_fifteen_minutes(self, page: Any, ola: Actor):
        with time_machine.travel(utc_now() - 16 * A_MINUTE):
            topic = await a_topic(ola)
        assert (await the_board(page)).figures["online"] == 0
        with time_machine.travel(utc_now() - 14 * A_MINUTE):
            await a_reply(ola, topic)
        assert (await the_board(page)).figures["online"] == 1

    async def test_forgets_who_wrote_before_that_though_nobody_writes(self, page: Any, ola: Actor):
        await a_topic(ola)
        board = await the_board(page)
        assert board.figures["online"] == 1
        with time_machine.travel(utc_now() + ONLINE_WITHIN):
            await calls(BoardState.count, board)
        assert board.figures["online"] == 0
        assert "board_state.count" in str(board_page.board().render())

    async def test_stays_where_it_is_while_topics_appear(self, page: Any, ola: Actor):
        await a_topic(ola, title="First")
        board = await the_board(page)
        await a_topic(ola, title="Second")
        await calls(BoardState.refresh, board)
        assert ([post["title"] for post in board.posts], board.news) == (["First"], 1)
        await calls(BoardState.show_news, board)
        assert [post["title"] for post in board.posts] == ["Second", "First"]
        assert board.news == 0

    @pytest.mark.parametrize("state", ["waiting", "hidden"])
    async def test_hears_of_older_topics_that_are_shown_since(
        self, page: Any, ola: Actor, state: str
    ):
        await a_topic(ola, title="First")
        older = await a_topic(ola, title="Older", state=state)
        await a_topic(ola, title="Last")
        board = await the_board(page)
        async with transaction() as session:
            await things.set_state(session, Target.POST, older, "shown", "", now=utc_now())
        await calls(BoardState.refresh, board)
        assert ([post["title"] for post in board.posts], board.news) == (["Last", "First"], 1)
        await calls(BoardState.show_news, board)
        assert [post["title"] for post in board.posts] == ["Last", "Older", "First"]
        assert board.news == 0

    async def test_hears_of_its_only_topic_that_is_shown_again(self, page: Any, ola: Actor):
        only = await a_topic(ola)
        board = await the_board(page)
        for state, shown in (("hidden", (0, 0)), ("shown", (0, 1))):
            async with transaction() as session:
                await things.set_state(session, Target.POST, only, state, "", now=utc_now())
            await calls(BoardState.refresh, board)
            assert (len(board.posts), board.news) == shown

    async def test_does_not_call_new_what_is_further_down(self, page: Any, ola: Actor):
        older = await a_topic(ola, state="waiting")
        for number in range(topics.A_PAGE + 1):
            await a_topic(ola, title=f"Topic {number}")
        board = await the_board(page)
        async with transaction() as session:
            await things.set_state(session, Target.POST, older, "shown", "", now=utc_now())
        await calls(BoardState.refresh, board)
        assert board.news == 0

    async def test_loses_what_was_taken_away(self, page: Any, ola: Actor):
        gone = await a_topic(ola, title="Gone")
        await a_topic(ola, title="Stays")
        board = await the_board(page)
        async with transaction() as session:
            await topics.delete(session, ola, gone, now=utc_now())
        await calls(BoardState.refresh, board)
        assert [post["title"] for post in board.posts] == ["Stays"]

    async def test_loses_what_was_hidden_further_down(self, page: Any, ola: Actor):
        first = await a_topic(ola, title="First")
        for number in range(topics.A_PAGE + 4):
            await a_topic(ola, title=f"Topic {number}")
        board = await the_board(page)
        await calls(BoardState.load_more, board, before=UUID(board.next_before))
        assert board.posts[-1]["id"] == str(first)
        async with transaction() as session:
            await things.set_state(session, Target.POST, first, "hidden", "", now=utc_now())
        await calls(BoardState.refresh, board)
        assert (len(board.posts), board.news) == (topics.A_PAGE + 4, 0)
        assert str(first) not in ids(board.posts)

    async def test_loses_what_was_found_and_hidden(self, page: Any, ola: Actor):
        gone = await a_topic(ola, title="The lighthouse")
        await a_topic(ola, title="At the lighthouse")
        board = await the_board(page, "/forum?q=lighthouse")
        await a_topic(ola, title="Another lighthouse")
        async with transaction() as session:
            await things.set_state(session, Target.POST, gone, "hidden", "", now=utc_now())
        await calls(BoardState.refresh, board)
        assert [post["title"] for post in board.posts] == ["At the lighthouse"]
        assert board.news == 0

    async def test_goes_on_once_however_often_it_is_asked(self, page: Any, ola: Actor):
        for number in range(25):
            await a_topic(ola, title=f"Topic {number}")
        board = await the_board(page)
        cursor = UUID(board.next_before)
        await calls(BoardState.load_more, board, before=cursor)
        await calls(BoardState.load_more, board, before=cursor)
        assert len({post["id"] for post in board.posts}) == len(board.posts) == 25

    async def test_calls_nothing_new_that_was_shown_before_it_lost_its_beginning(
        self, page: Any, ola: Actor, monkeypatch: pytest.MonkeyPatch
    ):
        monkeypatch.setattr(board_state, "MOST_AT_ONCE", 40)
        for number in range(70):
            await a_topic(ola, title=f"Topic {number}")
        board = await the_board(page)
        first = board.posts[0]["id"]
        while board.posts[0]["id"] == first:
            await calls(BoardState.load_more, board, before=UUID(board.next_before))
        await calls(BoardState.refresh, board)
        assert board.news == 0
        await a_topic(ola, title="New")
        await calls(BoardState.refresh, board)
        assert board.news == 1

    async def test_settles_a_like_that_was_refused(self, page: Any, maja: Actor):
        own = await a_topic(maja)
        board = await the_board(page)
        await calls(BoardState.like, board, post_id=own, is_liked=True)
        assert board.refusal["code"] == "forum.own_like"
        assert (board.settled, board.settled_of) == (1, str(own))
        assert board.posts[0]["likes"] == 0


class TestANewPost:
    async def test_keeps_its_draft_while_it_is_typed(self, page: Any, maja: Actor):
        writing = await page.get_state(NewPostState)
        await calls(NewPostState.open, writing, category="roblox")
        assert writing.draft["category"] == "roblox"
        turn = writing.turn
        await calls(
            NewPostState.note, writing, turn=turn, category="roblox", title="So", content=TEXT
        )
        assert await the_draft(maja) == TEXT
        await calls(NewPostState.open, writing, category="")
        assert (writing.draft["content"], writing.draft["category"]) == (TEXT, "roblox")

    async def test_starts_over_also_where_it_was_emptied_and_begun_again(
        self, page: Any, maja: Actor, ola: Actor
    ):
        for actor in (maja, ola):
            async with transaction() as session:
                await drafts.keep(session, actor, post_id=None, content=TEXT, now=utc_now())
        writing = await page.get_state(NewPostState)
        await calls(NewPostState.open, writing, category="")
        assert writing.has_draft
        for typed in ("", "Something else"):
            await calls(
                NewPostState.note,
                writing,
                turn=writing.turn,
                category="",
                title="",
                content=typed,
            )
        for _ in range(2):
            await calls(NewPostState.start_over, writing)
            assert (writing.draft["content"], writing.has_draft) == ("", False)
        assert (await the_draft(maja), await the_draft(ola)) == ("", TEXT)

    async def test_is_closed_when_the_page_comes_anew_and_waits_as_a_draft(self, page: Any):
        writing = await page.get_state(NewPostState)
        await calls(NewPostState.open, writing, category="")
        turn = writing.turn
        await calls(NewPostState.note, writing, turn=turn, category="", title="So", content=TEXT)
        await opens_a_page(page)
        await calls(NewPostState.arrive, writing)
        assert (writing.is_open, writing.preview) == (False, {})
        await calls(NewPostState.open, writing, category="")
        assert writing.draft["content"] == TEXT

    async def test_stays_for_who_opened_it_while_the_page_was_loading(self, page: Any, maja: Actor):
        writing = await page.get_state(NewPostState)
        await opens_a_page(page)
        await calls(NewPostState.open, writing, category="")
        turn = writing.turn
        await calls(NewPostState.arrive, writing)
        assert (writing.is_open, writing.turn) == (True, turn)
        await calls(NewPostState.note, writing, turn=turn, category="", title="So", content=TEXT)
        assert await the_draft(maja) == TEXT

    async def test_says_what_others_would_read(self, page: Any):
        writing = await page.get_state(NewPostState)
        await calls(NewPostState.open, writing, category="")
        await calls(
            NewPostState.note,
            writing,
            turn=writing.turn,
            category="",
            title="Fine",
            content="what a stupid map",
        )
        assert writing.preview["content"] == "what a ****** map"
        assert writing.preview["masked"] == 1
        await calls(
            NewPostState.note, writing, turn=writing.turn, category="", title="", content=TEXT
        )
        assert writing.preview == {}

    async def test_says_it_within_limits_and_keeps_its_draft_beyond_them(
        self, page: Any, maja: Actor, monkeypatch: pytest.MonkeyPatch
    ):
        monkeypatch.setattr(preview, "PREVIEWS", limits.parse("3 per hour"))
        writing = await page.get_state(NewPostState)
        await calls(NewPostState.open, writing, category="")
        typed = {"turn": writing.turn, "category": "", "title": "Fine"}
        for number in range(5):
            await calls(NewPostState.note, writing, **typed, content=f"{number} a stupid map")
            assert writing.is_outdated is (number > 2)
        assert writing.preview["content"] == "2 a ****** map"
        assert (await the_draft(maja), writing.refusal) == ("4 a stupid map", {})

    async def test_does_not_pass_for_looked_at_where_it_is_typed_too_fast(
        self, page: Any, monkeypatch: pytest.MonkeyPatch
    ):
        monkeypatch.setattr(preview, "PREVIEWS", limits.parse("1 per hour"))
        writing = await page.get_state(NewPostState)
        await calls(NewPostState.open, writing, category="")
        typed = {"turn": writing.turn, "category": "", "title": "Fine"}
        for content, is_outdated in ((TEXT, False), ("a stupid map", True)):
            await calls(NewPostState.note, writing, **typed, content=content)
            assert (writing.preview, writing.is_outdated) == ({}, is_outdated)
        await calls(NewPostState.note, writing, **typed | {"title": ""}, content=" ")
        assert not writing.is_outdated
        await calls(NewPostState.note, writing, **typed, content="a stupid map")
        assert writing.is_outdated
        await calls(NewPostState.start_over, writing)
        assert not writing.is_outdated

    @pytest.mark.usefixtures("in_redis")
    async def test_keeps_its_draft_while_redis_is_away(self, page: Any, maja: Actor, redis: Redis):
        writing = await page.get_state(NewPostState)
        await calls(NewPostState.open, writing, category="")
        typed = {"turn": writing.turn, "category": "", "title": "Fine"}
        with redis.away():
            await calls(NewPostState.note, writing, **typed, content="a stupid map")
        assert await the_draft(maja) == "a stupid map"
        assert (writing.preview, writing.is_outdated, writing.notice) == ({}, True, {})
        await calls(NewPostState.note, writing, **typed, content="a stupid map")
        assert (writing.preview["content"], writing.is_outdated) == ("a ****** map", False)

    @pytest.mark.parametrize("field", ["title", "content"])
    async def test_says_while_it_is_typed_that_its_draft_keeps_only_a_beginning(
        self, page: Any, field: str
    ):
        writing = await page.get_state(NewPostState)
        await calls(NewPostState.open, writing, category="")
        typed = {"turn": writing.turn, "category": "", "title": "So", "content": TEXT}
        for length, is_cut in ((LONGEST_DRAFT + 1, True), (LONGEST_DRAFT, False)):
            await calls(NewPostState.note, writing, **typed | {field: "x" * length})
            assert writing.is_cut is is_cut
        await calls(NewPostState.note, writing, **typed | {field: "x" * 100_000})
        await calls(NewPostState.open, writing, category="")
        assert not writing.is_cut

    async def test_hears_no_form_that_was_sent(self, page: Any, maja: Actor):
        writing = await page.get_state(NewPostState)
        await calls(NewPostState.open, writing, category="")
        turn = writing.turn
        await calls(NewPostState.post, writing, category="apex", title="A trio", content=TEXT)
        await calls(NewPostState.note, writing, turn=turn, category="", title="A", content=TEXT)
        assert await the_draft(maja) == ""

    @pytest.mark.parametrize(
        ("changes", "field"),
        [
            ({"category": ""}, "category"),
            ({"title": "x"}, "title"),
            ({"title": "x" * 100_000}, "title"),
            ({"content": "short"}, "content"),
            ({"content": "x" * 100_000}, "content"),
        ],
    )
    async def test_is_refused_beside_its_field_and_stays_open(
        self, page: Any, changes: dict[str, str], field: str
    ):
        writing = await page.get_state(NewPostState)
        await calls(NewPostState.open, writing, category="")
        turn = writing.turn
        typed = {"category": "apex", "title": "A trio", "content": TEXT} | changes
        await calls(NewPostState.post, writing, **typed)
        assert writing.refusal["params"]["field"] == field
        assert (writing.is_open, writing.turn, writing.is_busy) == (True, turn, False)

    async def test_leads_to_the_topic(self, page: Any):
        writing = await page.get_state(NewPostState)
        await calls(NewPostState.open, writing, category="")
        steps = await calls(
            NewPostState.post, writing, category="apex", title="A trio", content=TEXT
        )
        assert "/forum/topic?id=" in str(steps[-1])
        assert (writing.is_open, writing.notice["title"]) == (False, "forum.posted.title")


class TestATopic:
    @pytest.mark.parametrize(
        "wanted",
        ["", "x", "' or 1=1 --", "\x00", "0193f5e0-0000-7000-8000-000000000000", "9" * 9_000],
    )
    async def test_that_is_not_there_says_so(self, page: Any, wanted: str):
        shown = await the_topic(page, quote(wanted))
        assert (shown.found, shown.topic) == (MISSING, {})

    @pytest.mark.parametrize("state", ["hidden", "waiting", "deleted"])
    async def test_of_somebody_else_is_not_there_unless_shown(
        self, page: Any, ola: Actor, state: str
    ):
        topic = await a_topic(ola, "Planted-Word-of-9", state=state)
        shown = await the_topic(page, topic)
        assert shown.found == MISSING
        assert "Planted" not in str(shown.dict())

    async def test_is_there_again_once_it_is_shown_again(self, page: Any, ola: Actor):
        topic = await a_topic(ola, state="waiting")
        await a_reply(ola, topic)
        shown = await the_topic(page, topic)
        for state, found in (("shown", SHOWN), ("hidden", MISSING), ("shown", SHOWN)):
            async with transaction() as session:
                await things.set_state(session, Target.POST, topic, state, "", now=utc_now())
            await calls(TopicState.refresh, shown)
            assert (shown.found, len(shown.replies)) == (found, int(found == SHOWN))

    async def test_tells_nobody_but_its_author_what_was_written(self, page: Any, ola: Actor):
        topic = await a_topic(ola, "what a stupid map")
        await a_reply(ola, topic, "a stupid idea")
        shown = await the_topic(page, topic)
        assert shown.found == SHOWN
        for thing in (shown.topic, *shown.replies):
            assert (thing["written_content"], thing["is_own"]) == ("", False)
            assert "stupid" not in thing["content"]

    async def test_keeps_the_draft_of_a_reply_apart_from_others(
        self, page: Any, maja: Actor, ola: Actor
    ):
        one, other = await a_topic(ola), await a_topic(ola)
        await the_topic(page, one)
        writing = await page.get_state(ReplyState)
        await calls(ReplyState.note, writing, turn=writing.turn, post_id=one, content="Half a th")
        await the_topic(page, other)
        assert writing.begun == ""
        await the_topic(page, one)
        assert writing.begun == "Half a th"
        assert await the_draft(maja, one) == "Half a th"

    async def test_says_less_often_what_others_would_read_of_a_long_reply(
        self, page: Any, maja: Actor, ola: Actor, monkeypatch: pytest.MonkeyPatch
    ):
        monkeypatch.setattr(preview, "LONG_PREVIEWS", limits.parse("3 per hour"))
        topic, long = await a_topic(ola), "at the harbour " * 70
        await the_topic(page, topic)
        writing = await page.get_state(ReplyState)
        form = {"turn": writing.turn, "post_id": topic}
        for number in range(5):
            words = f"{number} a stupid map {long}"
            await calls(ReplyState.note, writing, **form, content=words)
        assert writing.preview["content"] == f"2 a ****** map {long}"
        assert (await the_draft(maja, topic), writing.refusal) == (f"4 a stupid map {long}", {})
        assert writing.is_outdated
        await calls(ReplyState.note, writing, **form, content="a stupid map")
        assert (writing.preview["content"], writing.is_outdated) == ("a ****** map", False)
        await calls(ReplyState.note, writing, **form, content=words)
        await calls(ReplyState.note, writing, **form, content="")
        assert (writing.preview, writing.is_outdated) == ({}, False)

    @pytest.mark.usefixtures("in_redis")
    async def test_keeps_the_draft_of_a_reply_while_redis_is_away(
        self, page: Any, maja: Actor, ola: Actor, redis: Redis
    ):
        topic = await a_topic(ola)
        await the_topic(page, topic)
        writing = await page.get_state(ReplyState)
        with redis.away():
            await calls(
                ReplyState.note, writing, turn=writing.turn, post_id=topic, content="Half a th"
            )
        assert (await the_draft(maja, topic), writing.begun) == ("Half a th", "Half a th")
        assert (writing.preview, writing.is_outdated, writing.notice) == ({}, True, {})

    async def test_says_what_others_would_read_no_more_often_to_who_comes_again_and_again(
        self, page: Any, maja: Actor, ola: Actor, monkeypatch: pytest.MonkeyPatch
    ):
        monkeypatch.setattr(preview, "PREVIEWS", limits.parse("3 per hour"))
        one, other = await a_topic(ola), await a_topic(ola)
        async with transaction() as session:
            await drafts.keep(session, maja, post_id=one, content="a stupid map", now=utc_now())
        writing = await page.get_state(ReplyState)
        said = []
        for _ in range(4):
            await the_topic(page, one)
            said.append((writing.begun, bool(writing.preview)))
            await the_topic(page, other)
        assert said == [*[("a stupid map", True)] * 3, ("a stupid map", False)]

    async def test_leaves_the_form_alone_in_which_somebody_writes(
        self, page: Any, maja: Actor, ola: Actor
    ):
        one = await a_topic(ola)
        await the_topic(page, one)
        writing = await page.get_state(ReplyState)
        form = writing.turn
        await the_topic(page, one)
        assert (writing.about, writing.turn) == (str(one), form)
        async with transaction() as session:
            await drafts.keep(session, maja, post_id=one, content="Elsewhere", now=utc_now())
        await the_topic(page, one)
        assert (writing.begun, writing.turn) == ("Elsewhere", form + 1)

    async def test_goes_on_with_what_was_noted_where_its_form_comes_again(
        self, page: Any, maja: Actor, ola: Actor
    ):
        topic = await a_topic(ola)
        shown = await the_topic(page, topic)
        writing = await page.get_state(ReplyState)
        form = writing.turn
        await calls(ReplyState.note, writing, turn=form, post_id=topic, content="Half a th")
        for is_locked in (True, False):
            async with transaction() as session:
                at = utc_now() if is_locked else None
                await decision_repository.set_locked(session, topic, at)
            await calls(TopicState.refresh, shown)
            assert (writing.begun, writing.turn) == ("Half a th", form)
        await the_topic(page, topic)
        assert (writing.begun, writing.turn) == ("Half a th", form)
        await calls(ReplyState.send, writing, post_id=topic, content="Half a thought")
        assert (writing.begun, writing.turn) == ("", form + 1)

    async def test_that_came_too_late_keeps_all_that_was_typed(
        self, page: Any, maja: Actor, ola: Actor
    ):
        """The last words were not noted yet: they come with what is sent."""
        topic = await a_topic(ola)
        await the_topic(page, topic)
        writing = await page.get_state(ReplyState)
        await calls(ReplyState.note, writing, turn=writing.turn, post_id=topic, content="Half a th")
        async with transaction() as session:
            await decision_repository.set_locked(session, topic, utc_now())
        await calls(ReplyState.send, writing, post_id=topic, content="Half a thought")
        assert (writing.refusal["code"], writing.begun) == ("forum.locked", "Half a thought")

    async def test_begins_with_what_its_draft_has(self, page: Any, ola: Actor):
        topic = await a_topic(ola)
        await the_topic(page, topic)
        writing = await page.get_state(ReplyState)
        form = writing.turn
        for typed in ("x" * (LONGEST_DRAFT + 1), " \n"):
            await calls(ReplyState.note, writing, turn=form, post_id=topic, content=typed)
            begun = writing.begun
            await the_topic(page, topic)
            assert (writing.begun, writing.turn) == (begun, form)

    async def test_says_while_a_reply_is_typed_that_its_draft_keeps_only_a_beginning(
        self, page: Any, ola: Actor
    ):
        topic = await a_topic(ola)
        await the_topic(page, topic)
        writing = await page.get_state(ReplyState)
        for length, is_cut in ((LONGEST_DRAFT + 1, True), (LONGEST_DRAFT, False)):
            await calls(
                ReplyState.note, writing, turn=writing.turn, post_id=topic, content="x" * length
            )
            assert writing.is_cut is is_cut

    async def test_shows_a_reply_that_was_just_sent(self, page: Any, ola: Actor):
        topic = await a_topic(ola)
        shown = await the_topic(page, topic)
        writing = await page.get_state(ReplyState)
        await calls(ReplyState.send, writing, post_id=topic, content="At the harbour.")
        await calls(TopicState.load_all, shown)
        assert [reply["content"] for reply in shown.replies] == ["At the harbour."]
        assert shown.topic["replies"] == 1

    async def test_shows_as_much_as_was_loaded_when_it_changes(self, page: Any, ola: Actor):
        topic = await a_topic(ola)
        for number in range(replies.A_PAGE + 5):
            await a_reply(ola, topic, f"Reply {number}")
        shown = await the_topic(page, topic)
        assert len(shown.replies) == replies.A_PAGE
        cursor = UUID(shown.next_after)
        await calls(TopicState.load_more, shown, after=cursor)
        await calls(TopicState.load_more, shown, after=cursor)
        assert len(shown.replies) == replies.A_PAGE + 5
        await calls(TopicState.refresh, shown)
        assert len({reply["id"] for reply in shown.replies}) == replies.A_PAGE + 5


class TestTheBell:
    async def test_says_no_more_of_what_a_topic_shows_to_who_opens_it(
        self, page: Any, maja: Actor, ola: Actor
    ):
        topic = await a_topic(maja)
        for written in (await a_reply(ola, topic), new_id()):
            await rings(maja, calls_of.place_of(topic, written))
        await the_topic(page, topic)
        assert await notifications.unread(maja.user_id) == 1

    async def test_says_what_comes_while_the_topic_is_open(
        self, page: Any, maja: Actor, ola: Actor
    ):
        topic = await a_topic(maja)
        shown = await the_topic(page, topic)
        await rings(maja, calls_of.place_of(topic, await a_reply(ola, topic)))
        await calls(TopicState.refresh, shown)
        assert len(shown.replies) == 1
        assert await notifications.unread(maja.user_id) == 1


async def rings(who: Actor, link: str) -> None:
    said = {"who": "Ola", "title": "Best place to land"}
    async with transaction() as session:
        await notifications.tell(
            session, who.user_id, Kind.REPLY, link=link, cause=link, now=NOON, **said
        )


class TestALongTopic:
    """Of 70 replies where 60 are shown at once."""

    @pytest.fixture
    async def topic(self, ola: Actor, monkeypatch: pytest.MonkeyPatch) -> UUID:
        monkeypatch.setattr(topic_state, "MOST_AT_ONCE", 60)
        return await a_topic(ola)

    @pytest.fixture
    async def said(self, ola: Actor, topic: UUID) -> list[UUID]:
        return [await a_reply(ola, topic, f"Reply {number}") for number in range(1, 71)]

    async def test_is_read_to_its_end_and_from_its_beginning_again(
        self, page: Any, topic: UUID, said: list[UUID]
    ):
        shown = await the_topic(page, topic)
        met = dict.fromkeys(ids(shown.replies))
        while shown.next_after:
            await calls(TopicState.load_more, shown, after=UUID(shown.next_after))
            met |= dict.fromkeys(ids(shown.replies))
        assert list(met) == [str(one) for one in said]
        assert ids(shown.replies)[-1] == str(said[-1])
        await calls(TopicState.refresh, shown)
        assert ids(shown.replies) == [str(one) for one in said[60:]]
        await calls(TopicState.begin_again, shown)
        assert ids(shown.replies)[0] == str(said[0])
        assert shown.begins_after == ""

    async def test_that_is_gone_while_its_end_is_read_shows_ones_own_from_the_first_on(
        self, page: Any, maja: Actor, ola: Actor, topic: UUID
    ):
        own = await a_reply(maja, topic, "The first of all.")
        for number in range(1, 71):
            await a_reply(ola, topic, f"Reply {number}")
        shown = await the_topic(page, topic)
        while shown.next_after:
            await calls(TopicState.load_more, shown, after=UUID(shown.next_after))
        assert shown.begins_after
        async with transaction() as session:
            await things.set_state(session, Target.POST, topic, "hidden", "", now=utc_now())
        await calls(TopicState.refresh, shown)
        assert (shown.found, ids(shown.replies)) == (MISSING, [str(own)])

    @pytest.mark.usefixtures("said")
    async def test_shows_what_was_just_written_at_its_end(self, page: Any, topic: UUID):
        shown = await the_topic(page, topic)
        writing = await page.get_state(ReplyState)
        content = "Where nobody else lands."
        *_, step = await calls(ReplyState.send, writing, post_id=topic, content=content)
        await calls(step, shown)
        assert shown.replies[-1]["content"] == content
        assert shown.next_after == ""

    @pytest.mark.parametrize("number", [1, 31, 45, 65, 70])
    async def test_is_opened_where_a_link_leads_to(
        self, page: Any, topic: UUID, said: list[UUID], number: int
    ):
        shown = await the_topic(page, topic)
        wanted = str(said[number - 1])
        await calls(TopicState.find, shown, reply_id=wanted)
        assert wanted in ids(shown.replies)
        found = ids(shown.replies)
        await calls(TopicState.refresh, shown)
        assert ids(shown.replies) == found

    @pytest.mark.parametrize("strange", ["", "content", "' or 1=1 --", "9" * 36])
    async def test_stays_where_it_is_for_a_link_to_nothing(
        self, page: Any, topic: UUID, said: list[UUID], strange: str
    ):
        shown = await the_topic(page, topic)
        await calls(TopicState.find, shown, reply_id=strange)
        assert ids(shown.replies)[0] == str(said[0])


class TestOwnWords:
    async def test_of_others_can_not_be_asked_for(self, page: Any, ola: Actor):
        topic = await a_topic(ola)
        await the_topic(page, topic)
        own = await page.get_state(OwnState)
        for what in ("edit", "delete"):
            await calls(OwnState.ask, own, what=what, target="post", thing_id=topic)
            assert own.refusal["code"] == "forum.not_there"
            assert own.asked == ""

    async def test_change_what_is_shown(self, page: Any, maja: Actor):
        topic = await a_topic(maja, now=utc_now())
        shown = await the_topic(page, topic)
        own = await page.get_state(OwnState)
        await calls(OwnState.ask, own, what="edit", target="post", thing_id=topic)
        await calls(OwnState.save, own, title="A better title", content=TEXT)
        await calls(TopicState.refresh, shown)
        assert (shown.topic["title"], shown.topic["is_edited"]) == ("A better title", True)
        assert own.asked == ""

    async def test_that_stay_as_they_were_are_told_so(self, page: Any, maja: Actor):
        topic = await a_topic(maja, "Where do you land?", title="A title", now=utc_now())
        await the_topic(page, topic)
        own = await page.get_state(OwnState)
        await calls(OwnState.ask, own, what="edit", target="post", thing_id=topic)
        await calls(OwnState.save, own, title="A title", content="Where do you land?")
        assert own.notice["title"] == "forum.own.unchanged_title"
        assert (own.asked, own.is_busy) == ("", False)

    async def test_are_gone_once_deleted(self, page: Any, maja: Actor, ola: Actor):
        topic = await a_topic(ola)
        reply = await a_reply(maja, topic)
        shown = await the_topic(page, topic)
        own = await page.get_state(OwnState)
        await calls(OwnState.ask, own, what="delete", target="reply", thing_id=reply)
        await calls(OwnState.delete, own)
        await calls(TopicState.refresh, shown)
        assert (shown.replies, shown.topic["replies"]) == ([], 0)

    async def test_are_only_deleted_when_that_was_asked(self, page: Any, maja: Actor):
        topic = await a_topic(maja)
        shown = await the_topic(page, topic)
        await calls(OwnState.delete, await page.get_state(OwnState))
        await calls(TopicState.refresh, shown)
        assert shown.found == SHOWN
