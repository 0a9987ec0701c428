"""The forum is no way into what others wrote, and no argument brings more than a refusal."""

from typing import Any
from uuid import UUID

import pytest

from rewards_app.core.clock import utc_now
from rewards_app.core.database import transaction
from rewards_app.core.ids import new_id
from rewards_app.features.accounts import repository as accounts
from rewards_app.features.forum import drafts
from rewards_app.models import Profile
from tests.ads import the_actor
from tests.forum import a_reply, a_topic
from tests.hostile.bad_arguments import PLANTED, are_refused
from tests.hostile.client import APP, Browser
from tests.hostile.evidence import Vault
from tests.hostile.handlers import short
from tests.hostile.identities import IDENTITIES, Person, a_new_email
from tests.people import an_account
from tests.serving import Served

_OF = f"{APP}.rewards_app___features___forum"
BOARD = f"{_OF}___board_state____board_state"
NEW_POST = f"{_OF}___new_post_state____new_post_state"
TOPIC = f"{_OF}___topic_state____topic_state"
REPLY = f"{_OF}___reply_state____reply_state"
OWN = f"{_OF}___own_state____own_state"
REPORT = f"{_OF}___report_state____report_state"
DESK = f"{_OF}___desk_state____desk_state"
ALL_THAT_IS_KEPT = """
select md5(coalesce(string_agg(line, '|' order by line), '')) from (
    select forum_posts::text as line from forum_posts union all
    select forum_replies::text from forum_replies union all
    select forum_likes::text from forum_likes union all
    select forum_drafts::text from forum_drafts
) as lines
"""
ALL_REPORTS = "select count(*) from forum_reports"
SOMETHING = str(UUID(int=7))
TYPED = {"title": PLANTED, "content": f"{PLANTED} and more"}
NO_IDENTIFIERS = (5, None, "x", [PLANTED], {"$gt": ""}, "0" * 36)
NO_TEXTS = (5, None, ["x"], {"x": 1}, "a\0b", "\ud800")
WHO_HAVE_NO_FORUM = ("visitor", "admin")
CALLS: dict[str, dict[str, Any]] = {
    f"{BOARD}.like": {"post_id": SOMETHING, "is_liked": True},
    f"{NEW_POST}.note": {"turn": 0, "category": "apex", **TYPED},
    f"{NEW_POST}.post": {"category": "apex", **TYPED},
    f"{TOPIC}.like": {"target": "post", "thing_id": SOMETHING, "is_liked": True},
    f"{REPLY}.note": {"turn": 0, "post_id": SOMETHING, "content": PLANTED},
    f"{REPLY}.send": {"post_id": SOMETHING, "content": PLANTED},
    f"{OWN}.ask": {"what": "delete", "target": "post", "thing_id": SOMETHING},
    f"{OWN}.save": TYPED,
    f"{OWN}.delete": {},
}
BAD: dict[str, list[dict[str, Any]]] = {
    f"{BOARD}.like": [
        *({"post_id": value, "is_liked": True} for value in NO_IDENTIFIERS),
        *({"post_id": SOMETHING, "is_liked": value} for value in (1, "true", None, [])),
    ],
    f"{BOARD}.load_more": [{"before": value} for value in NO_IDENTIFIERS],
    f"{NEW_POST}.post": [
        *({"category": "apex", "title": "Fine", "content": value} for value in NO_TEXTS),
        *({"category": "apex", "title": value, "content": "Fine"} for value in NO_TEXTS),
        *({"category": value, "title": "Fine", "content": "Fine"} for value in NO_TEXTS),
    ],
    f"{NEW_POST}.note": [
        {"turn": value, "category": "", **TYPED} for value in ("0", None, 1.5, [0])
    ],
    f"{TOPIC}.like": [
        {"target": value, "thing_id": SOMETHING, "is_liked": True}
        for value in ("account", "profile", "forum_posts; --", 5, None, "")
    ],
    f"{TOPIC}.load_more": [{"after": value} for value in NO_IDENTIFIERS],
    f"{REPLY}.send": [
        *({"post_id": SOMETHING, "content": value} for value in NO_TEXTS),
        *({"post_id": value, "content": "Fine"} for value in NO_IDENTIFIERS),
    ],
    f"{OWN}.ask": [
        *({"what": "delete", "target": "post", "thing_id": value} for value in NO_IDENTIFIERS),
        {"what": "hide", "target": "post", "thing_id": SOMETHING},
        *(
            {"what": "delete", "target": value, "thing_id": SOMETHING}
            for value in ("account", "profile")
        ),
    ],
}


def _a_report_of(owner: UUID) -> dict[str, Any]:
    return {"target": "profile", "thing_id": str(owner), "form": {"reason": "spam", "text": ""}}


@pytest.fixture
async def maja(beside: Served) -> Any:
    return the_actor(await an_account(a_new_email(), name="Maja", now=utc_now()))


class TestBadArguments:
    @pytest.fixture
    def eva(self, eva_all_along: Person) -> Person:
        return eva_all_along

    @pytest.mark.parametrize("name", BAD, ids=short)
    async def test_are_refused_and_change_nothing(self, eva: Person, vault: Vault, name: str):
        await are_refused(
            eva.browser,
            "/forum",
            name,
            [*BAD[name], {"role": "admin"}],
            kept=lambda: vault.one(ALL_THAT_IS_KEPT),
            is_told_more=True,
        )

    async def test_that_are_too_much_are_refused_beside_the_field(self, eva: Person, vault: Vault):
        before = vault.one(ALL_THAT_IS_KEPT)
        async with eva.browser.tab("/forum") as tab:
            typed = {"category": "apex", "title": "Fine", "content": "x" * 100_000}
            await tab.call(f"{NEW_POST}.post", typed)
            assert tab.says("refusal")["params"] == {"field": "content", "count": 5000}
            await tab.call(f"{NEW_POST}.post", typed | {"category": "tetris"})
            assert tab.says("refusal")["params"] == {"field": "category"}
        assert vault.one(ALL_THAT_IS_KEPT) == before


class TestOthers:
    @pytest.mark.parametrize("identity", [i for i in IDENTITIES if i in WHO_HAVE_NO_FORUM])
    @pytest.mark.parametrize("name", CALLS, ids=short)
    async def test_who_have_no_forum_change_nothing(
        self, known: dict[str, Browser], vault: Vault, identity: str, name: str
    ):
        before = vault.one(ALL_THAT_IS_KEPT)
        async with known[identity].tab("/forum") as tab:
            answer = await tab.call(name, CALLS[name])
        assert answer.refused_as in ("not_allowed", "session_expired")
        assert vault.one(ALL_THAT_IS_KEPT) == before

    @pytest.mark.parametrize("state", ["hidden", "waiting", "deleted"])
    async def test_reach_nothing_that_is_not_shown(
        self, eva: Person, maja: Any, vault: Vault, state: str
    ):
        topic = await a_topic(maja, PLANTED, state=state, now=utc_now())
        before = vault.one(ALL_THAT_IS_KEPT)
        async with eva.browser.tab(f"/forum/topic?id={topic}") as tab:
            await tab.call(f"{TOPIC}.load")
            assert tab.says("found") == "missing"
            wanted = {"post_id": str(topic)}
            for name, payload in (
                (f"{REPLY}.send", wanted | {"content": "Hello"}),
                (f"{BOARD}.like", wanted | {"is_liked": True}),
                (f"{OWN}.ask", {"what": "edit", "target": "post", "thing_id": str(topic)}),
            ):
                answer = await tab.call(name, payload)
                assert answer.refused_as == "forum.not_there"
            assert PLANTED not in tab.everything()
        assert vault.one(ALL_THAT_IS_KEPT) == before

    async def test_reach_no_draft_and_change_no_words(self, eva: Person, maja: Any, vault: Vault):
        topic = await a_topic(maja, now=utc_now())
        reply = await a_reply(maja, topic, now=utc_now())
        async with transaction() as session:
            await drafts.keep(
                session, maja, post_id=topic, content=f"{PLANTED} draft", now=utc_now()
            )
        before = vault.one(ALL_THAT_IS_KEPT)
        async with eva.browser.tab(f"/forum/topic?id={topic}") as tab:
            await tab.call(f"{TOPIC}.load")
            await tab.call(f"{REPLY}.load")
            await tab.call(f"{NEW_POST}.open", {"category": ""})
            for target, thing in (("post", topic), ("reply", reply), ("reply", new_id())):
                for what in ("edit", "delete"):
                    payload = {"what": what, "target": target, "thing_id": str(thing)}
                    answer = await tab.call(f"{OWN}.ask", payload)
                    assert answer.refused_as == "forum.not_there"
            await tab.call(f"{OWN}.save", TYPED)
            await tab.call(f"{OWN}.delete")
            assert PLANTED not in tab.everything()
        assert vault.one(ALL_THAT_IS_KEPT) == before

    async def test_report_no_profile_twice_nor_their_own_nor_one_that_is_private(
        self, eva: Person, maja: Any, vault: Vault
    ):
        private = the_actor(await an_account(a_new_email(), name="Nova", now=utc_now()))
        async with transaction() as session:
            session.add(Profile(account_id=private.user_id, is_public=False))
            own = await accounts.account_by_email(session, eva.email)
        assert own
        before = vault.one(ALL_REPORTS)
        async with eva.browser.tab("/forum") as tab:
            for owner, refused in (
                (own.id, "forum.own_thing"),
                (private.user_id, "forum.not_there"),
                (new_id(), "forum.not_there"),
            ):
                payload = _a_report_of(owner)
                assert (await tab.call(f"{REPORT}.send", payload)).refused_as == refused
            assert vault.one(ALL_REPORTS) == before
            await tab.call(f"{REPORT}.send", _a_report_of(maja.user_id))
            again = await tab.call(f"{REPORT}.send", _a_report_of(maja.user_id))
            assert again.refused_as == "forum.reported_before"
        assert vault.one(ALL_REPORTS) == before + 1

    async def test_decide_nothing_as_players(self, eva: Person, maja: Any, vault: Vault):
        topic = await a_topic(maja, now=utc_now())
        before = vault.one(ALL_THAT_IS_KEPT)
        async with eva.browser.tab("/forum") as tab:
            for name, payload in (
                (f"{DESK}.look_at", {"target": "post", "thing_id": str(topic)}),
                (f"{DESK}.ask", {"deed": "hide"}),
                (f"{DESK}.decide", {"form": {"reason": "spam"}}),
            ):
                assert (await tab.call(name, payload)).refused_as == "not_allowed"
        assert vault.one(ALL_THAT_IS_KEPT) == before

    async def test_like_once_however_often_they_press(self, eva: Person, maja: Any, vault: Vault):
        topic = await a_topic(maja, now=utc_now())
        async with eva.browser.tab("/forum") as tab:
            for _ in range(20):
                await tab.call(f"{BOARD}.like", {"post_id": str(topic), "is_liked": True})
        assert vault.one("select likes_count from forum_posts where id = %s", topic) == 1
        assert vault.one("select count(*) from forum_likes where post_id = %s", topic) == 1
