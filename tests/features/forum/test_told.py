"""What people were told of in the forum, once they can read it no more: no title, and no mail."""

from datetime import timedelta
from typing import Any
from uuid import UUID

import pytest

from rewards_app.core import limits
from rewards_app.core.actor import Actor
from rewards_app.core.database import rows, transaction
from rewards_app.core.ids import new_id
from rewards_app.core.settings import settings
from rewards_app.features.accounts import closing
from rewards_app.features.accounts import service as accounts
from rewards_app.features.forum import calls, replies, things, told, topics
from rewards_app.features.forum.appeal_state import ForumAppealState
from rewards_app.features.forum.desk_rules import Deed, Target
from rewards_app.features.forum.replies import A_PAGE
from rewards_app.features.forum.topic_state import MISSING, TopicState
from rewards_app.features.notifications import letters, places
from rewards_app.features.notifications import service as notifications
from rewards_app.features.notifications.places import Place
from rewards_app.features.notifications.rules import NOBODY, ONE_MAIL_EVERY
from rewards_app.features.notifications.state import BellState
from rewards_app.rewards_app import app
from tests.ads import the_actor, the_player
from tests.features.forum.test_desk import a_moderator, decides
from tests.features.profile.test_service import somebody
from tests.forum import a_reply, a_topic
from tests.people import NOON, an_account
from tests.states import a_page, acting, at
from tests.states import calls as handles
from tests.tickets import mailed

pytestmark = pytest.mark.usefixtures("database")
MINUTE = timedelta(minutes=1)
TITLE = "Best place to land"


@pytest.fixture(autouse=True)
def fresh_limits() -> None:
    limits.forget_everything()


async def answers(actor: Actor, topic: UUID, *, at=NOON) -> UUID:
    async with transaction() as session:
        written = await replies.reply(
            session, actor, topic, "At the lighthouse.", language="en", now=at
        )
    assert written.id
    return written.id


async def becomes(state: str, thing: UUID, target: Target = Target.POST) -> None:
    async with transaction() as session:
        await things.set_state(session, target, thing, state, "spam", now=NOON)


async def wants_mails(actor: Actor) -> None:
    async with transaction() as session:
        await notifications.choose(session, actor, "replies", True)


async def gathers(at=NOON) -> list[str]:
    """The titles in all letters until now."""
    async with transaction() as session:
        await letters.tell_gathered(session, now=at)
    return [str(letter.params["title"]) for letter in await mailed("gathered")]


async def bell_of(actor: Actor) -> list[dict[str, Any]]:
    with acting(actor):
        bell = await a_page().get_state(BellState)
        await handles(BellState.open, bell)
    return [one["says"]["params"] for one in bell.told]


async def titles_in_the_bell_of(actor: Actor) -> list[str]:
    return [said["title"] for said in await bell_of(actor)]


async def names_in_the_bell_of(actor: Actor) -> list[str | list[str]]:
    return [said["who"] for said in await bell_of(actor)]


async def closes(actor: Actor) -> None:
    async with transaction() as session:
        await closing.close(session, actor.user_id, now=NOON)


async def renames(actor: Actor, name: str) -> None:
    async with transaction() as session:
        await accounts.rename(session, actor.user_id, name, now=NOON)


async def loses_their_name(actor: Actor) -> None:
    """A moderator replaces it."""
    async with transaction() as session:
        await accounts.replace_name(session, actor.user_id, now=NOON)


async def keeps(actor: Actor) -> None:
    async with transaction() as session:
        await closing.reopen(session, actor.user_id, now=NOON)


def test_the_app_asks_the_forum():
    assert app
    assert told.gone in places.LOOKS
    assert told.named_now in places.NAMINGS


class TestTheBell:
    @pytest.mark.parametrize("state", ["hidden", "waiting", "deleted"])
    async def test_says_no_title_of_what_is_not_shown(self, state: str):
        maja, ola, lars = [await the_player(name) for name in ("Maja", "Ola", "Lars")]
        topic, other = await a_topic(maja), await a_topic(lars, title="Another")
        for post_id in (topic, other):
            async with transaction() as session:
                await notifications.tell(
                    session,
                    ola.user_id,
                    notifications.Kind.MENTION,
                    link=calls.place_of(post_id),
                    cause=f"mention:{post_id}",
                    now=NOON,
                    who="Maja",
                    title=TITLE if post_id == topic else "Another",
                )
        assert await titles_in_the_bell_of(ola) == ["Another", TITLE]
        await becomes(state, topic)
        assert await titles_in_the_bell_of(ola) == ["Another", "…"]
        await becomes("shown", topic)
        assert await titles_in_the_bell_of(ola) == ["Another", TITLE]

    async def test_still_says_to_its_author_what_was_hidden_until_they_delete_it(self):
        maja = await the_player("Maja")
        topic = await a_topic(maja)
        await decides(await a_moderator(), topic, Deed.HIDE)
        assert await titles_in_the_bell_of(maja) == [TITLE]
        async with transaction() as session:
            await topics.delete(session, maja, topic, now=NOON)
        assert await titles_in_the_bell_of(maja) == ["…"]


class TestADecisionOnAReplyInATopicThatIsNotShown:
    @pytest.mark.parametrize("state", ["hidden", "deleted"])
    async def test_is_told_without_the_topics_title_and_leads_to_where_it_is_appealed(
        self, state: str
    ):
        maja, ola = await the_player("Maja"), await the_player("Ola")
        topic = await a_topic(maja)
        reply, _ = await a_reply(ola, topic), await a_reply(maja, topic)
        await becomes(state, topic)
        await decides(await a_moderator(), reply, Deed.HIDE, "spam", target=Target.REPLY)
        assert await titles_in_the_bell_of(ola) == ["…"]
        [letter] = await mailed("notified")
        assert TITLE not in str(letter.params)
        place = calls.place_of(topic, reply)
        assert letter.link == f"{settings().origin}{place}"
        with acting(ola):
            page = a_page()
            at(page, place)
            shown = await page.get_state(TopicState)
            await handles(TopicState.load, shown)
            assert (shown.found, shown.topic, shown.next_after) == (MISSING, {}, "")
            [own] = shown.replies
            assert (own["id"], own["state"]) == (str(reply), "hidden")
            assert own["reason_key"] == "forum.desk.reasons.spam"
            dialog = await page.get_state(ForumAppealState)
            await handles(ForumAppealState.ask, dialog, target="reply", thing_id=reply)
            assert (dialog.can_appeal, dialog.can_change) == (True, False)

    async def test_is_found_by_its_link_however_much_its_author_wrote_before(self):
        maja, ola = await the_player("Maja"), await the_player("Ola")
        topic = await a_topic(maja)
        said = [await a_reply(ola, topic, f"Landing {number}.") for number in range(A_PAGE + 2)]
        await becomes("hidden", topic)
        with acting(ola):
            page = a_page()
            at(page, calls.place_of(topic))
            shown = await page.get_state(TopicState)
            await handles(TopicState.load, shown)
            assert [row["id"] for row in shown.replies] == [str(one) for one in said[:A_PAGE]]
            await handles(TopicState.find, shown, reply_id=str(said[-1]))
            assert [row["id"] for row in shown.replies] == [str(one) for one in said]

    async def test_goes_on_by_itself_where_its_author_wrote_much(self):
        maja, ola = await the_player("Maja"), await the_player("Ola")
        topic = await a_topic(maja, state="hidden")
        for number in range(A_PAGE + 2):
            await a_reply(ola, topic, f"Landing {number}.")
        with acting(ola):
            page = a_page()
            at(page, calls.place_of(topic))
            shown = await page.get_state(TopicState)
            await handles(TopicState.load, shown)
            await handles(TopicState.load_more, shown, after=UUID(shown.next_after))
            assert (len(shown.replies), shown.next_after) == (A_PAGE + 2, "")


class TestWhoHasClosedTheirAccount:
    async def test_is_told_of_by_no_name_until_they_keep_it(self):
        maja = the_actor(await an_account(name="Maja"))
        ola, lars = await the_player("Ola"), await the_player("Lars")
        topic = await a_topic(maja)
        await answers(lars, topic)
        await answers(ola, topic)
        async with transaction() as session:
            await topics.post(
                session, ola, "general", "A trio", "@maja, are you in?", language="en", now=NOON
            )
        assert await names_in_the_bell_of(maja) == ["Ola", "Ola", "Lars"]
        await closes(ola)
        assert await names_in_the_bell_of(maja) == [[NOBODY], [NOBODY], "Lars"]
        await keeps(ola)
        assert await names_in_the_bell_of(maja) == ["Ola", "Ola", "Lars"]

    async def test_is_mailed_of_by_no_name(self):
        maja, ola, lars = [await the_player(name) for name in ("Maja", "Ola", "Lars")]
        topic = await a_topic(maja)
        await wants_mails(maja)
        for who in (ola, lars):
            await answers(who, topic)
        await closes(ola)
        await gathers()
        [letter] = await mailed("gathered")
        assert letter.params["lines"] == (
            f"• Deleted player replied to “{TITLE}”\n• Lars replied to “{TITLE}”"
        )


class TestWhoseNameWasReplaced:
    async def test_is_told_of_by_the_name_of_now(self):
        maja, nova, lars = [await somebody(name) for name in ("Maja", "Nova", "Lars")]
        topic = await a_topic(maja)
        await answers(lars, topic)
        await answers(nova, topic)
        await renames(lars, "Lars L")
        await renames(nova, "Nova Rage")
        assert await names_in_the_bell_of(maja) == ["Nova", "Lars"]
        await loses_their_name(nova)
        assert await names_in_the_bell_of(maja) == ["player", "Lars"]
        await renames(nova, "Calm")
        assert await names_in_the_bell_of(maja) == ["Calm", "Lars"]

    async def test_is_told_of_so_where_the_handle_was_neutral(self):
        maja, nova = await somebody("Maja"), await somebody("李")
        topic = await a_topic(maja)
        await answers(nova, topic)
        await loses_their_name(nova)
        assert await names_in_the_bell_of(maja) == ["player"]

    async def test_is_mailed_of_by_the_name_of_now(self):
        maja, nova, lars = [await somebody(name) for name in ("Maja", "Nova", "Lars")]
        topic = await a_topic(maja)
        await wants_mails(maja)
        for who in (nova, lars):
            await answers(who, topic)
        await loses_their_name(nova)
        await gathers()
        [letter] = await mailed("gathered")
        assert letter.params["lines"] == (
            f"• player replied to “{TITLE}”\n• Lars replied to “{TITLE}”"
        )


class TestMails:
    async def test_that_were_put_off_leave_out_what_was_hidden_meanwhile(self):
        maja, ola = await the_player("Maja"), await the_player("Ola")
        topic = await a_topic(maja)
        await wants_mails(maja)
        await answers(ola, topic)
        assert await gathers() == [TITLE]
        await answers(ola, topic, at=NOON + MINUTE)
        assert await gathers(NOON + 2 * MINUTE) == [TITLE]
        async with transaction() as session:
            await topics.delete(session, maja, topic, now=NOON + 3 * MINUTE)
        assert await gathers(NOON + 2 * ONE_MAIL_EVERY) == [TITLE]
        async with transaction() as session:
            query = "select 1 from notifications where mail_at is not null"
            assert await rows(session, query, {}) == []

    async def test_tell_of_the_replies_that_are_left(self):
        maja, ola = await the_player("Maja"), await the_player("Ola")
        topic = await a_topic(maja)
        await wants_mails(maja)
        hidden = await answers(ola, topic)
        await answers(ola, topic, at=NOON + MINUTE)
        await becomes("hidden", hidden, Target.REPLY)
        assert await gathers(NOON + MINUTE) == [TITLE]
        assert [letter.params["count"] for letter in await mailed("gathered")] == [1]


async def test_places_are_gone_for_who_cannot_read_what_is_there():
    maja, ola = await the_player("Maja"), await the_player("Ola")
    topic, hidden = await a_topic(maja), await a_topic(maja, state="hidden")
    reply, waiting = await a_reply(ola, topic), await a_reply(ola, topic, state="waiting")
    links = {
        calls.place_of(topic): set(),
        calls.place_of(hidden): {ola.user_id},
        calls.place_of(topic, reply): set(),
        calls.place_of(topic, waiting): {maja.user_id},
        calls.place_of(hidden, reply): {ola.user_id},
        calls.place_of(new_id()): {maja.user_id, ola.user_id},
        "/forum/topic?id=1": set(),
        "/support?ticket=1001": set(),
    }
    asked = {Place(one.user_id, link) for link in links for one in (maja, ola)}
    async with transaction() as session:
        found = await told.gone(session, asked)
    assert found == {Place(one, link) for link, readers in links.items() for one in readers}
