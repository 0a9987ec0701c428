"""Topics, replies, likes and drafts on a real database: by the right people, each once."""

import asyncio
from collections.abc import Sequence
from contextlib import nullcontext
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

import pytest

from rewards_app.core import limits
from rewards_app.core.actor import Actor, Role
from rewards_app.core.clock import utc_now
from rewards_app.core.database import rows, transaction
from rewards_app.core.errors import TooManyAttempts
from rewards_app.core.ids import new_id
from rewards_app.features.accounts import restrictions
from rewards_app.features.accounts.restriction_rules import Kind
from rewards_app.features.forum import (
    again,
    calls,
    drafts,
    leaving,
    likes,
    replies,
    rules,
    search,
    seen,
    things,
    topics,
)
from rewards_app.features.forum import figures as forum_figures
from rewards_app.features.forum.desk_rules import LIFTED, NotThere, Target
from rewards_app.features.forum.talk import Listed, Post, Reply, Written
from rewards_app.features.moderation.rules import EDITION
from rewards_app.features.notifications import repository as told
from rewards_app.features.profile import service as profiles
from tests.ads import the_actor
from tests.forum import row
from tests.guardians import has_consent, is_born
from tests.people import an_account, born_years_ago

pytestmark = pytest.mark.usefixtures("database")
MINUTE = timedelta(minutes=1)
CRUEL = "Nobody likes you, so get lost."
"""Nothing of it is shown."""
SELF_HARM = "I want to kill myself, nothing helps any more."


@pytest.fixture(autouse=True)
def fresh_limits() -> None:
    limits.forget_everything()


async def somebody(name: str, role: Role = Role.PLAYER) -> Actor:
    long_ago = utc_now() - timedelta(days=30)
    email = f"{name.lower()}@example.com"
    return the_actor(await an_account(email, role, name=name, now=long_ago))


@pytest.fixture
async def maja(database: str) -> Actor:
    return await somebody("Maja")


@pytest.fixture
async def lars(database: str) -> Actor:
    return await somebody("Lars")


async def posts(
    actor: Actor,
    title: str = "Where do you land?",
    content: str = "The harbour is full within seconds.",
    *,
    category: str = "fortnite",
    language: str = "en",
    at: datetime | None = None,
) -> Written:
    async with transaction() as session:
        return await topics.post(
            session, actor, category, title, content, language=language, now=at or utc_now()
        )


async def post_of(actor: Actor, **changes) -> UUID:
    written = await posts(actor, **changes)
    assert written.id
    return written.id


async def answers(
    actor: Actor, post_id: UUID, text: str = "At the lighthouse.", *, at: datetime | None = None
) -> Written:
    async with transaction() as session:
        return await replies.reply(
            session, actor, post_id, text, language="en", now=at or utc_now()
        )


async def reads(actor: Actor, post_id: UUID) -> Post:
    async with transaction() as session:
        return await topics.topic(session, actor, post_id)


async def replies_read_by(actor: Actor, post_id: UUID) -> list[Reply]:
    async with transaction() as session:
        return list((await replies.replies_to(session, actor, post_id)).items)


async def list_of(actor: Actor, category: str = "") -> list[Post]:
    async with transaction() as session:
        return list((await topics.latest(session, actor, category=category)).items)


async def becomes(state: str, thing: UUID, target: Target = Target.POST) -> None:
    async with transaction() as session:
        await things.set_state(session, target, thing, state, "spam", now=utc_now())


async def is_lifted(post_id: UUID) -> None:
    """A person has decided that it is shown as it was written."""
    async with transaction() as session:
        await rows(
            session,
            "update forum_posts set rules_edition = %(lifted)s, shown_content = content"
            " where id = %(id)s returning id",
            {"lifted": LIFTED, "id": post_id},
        )


async def kinds_told(actor: Actor) -> list[str]:
    async with transaction() as session:
        found = await told.newest(session, actor.user_id, before=None, limit=20)
    return [one.kind for one in found]


class TestPosting:
    async def test_shows_the_topic_to_everybody_at_once(self, maja: Actor, lars: Actor):
        post_id = await post_of(maja)
        seen = await reads(lars, post_id)
        assert (seen.title, seen.author, seen.category) == (
            "Where do you land?",
            "Maja",
            "fortnite",
        )
        assert (seen.is_own, seen.can_edit, seen.written_content) == (False, False, "")
        assert [post.id for post in await list_of(lars)] == [post_id]
        assert await list_of(lars, "roblox") == []

    async def test_leads_to_its_author_where_they_have_a_profile(self, maja: Actor, lars: Actor):
        company = await somebody("Acme", Role.COMPANY)
        topics_of = {actor: await post_of(actor) for actor in (maja, lars, company)}
        for actor in topics_of:
            await answers(actor, topics_of[maja])
        async with transaction() as session:
            await restrictions.begin(
                session, lars.user_id, Kind.SUSPENDED, "spam", by=None, now=utc_now()
            )
        known = {one.author: one.is_public for one in await list_of(maja)}
        assert known == {"Maja": True, "Lars": False, "Acme": False}
        said = await replies_read_by(maja, topics_of[maja])
        assert {one.author: one.is_public for one in said} == known

    async def test_leads_to_no_author_who_waits_for_a_guardian(self, maja: Actor, lars: Actor):
        topic = await post_of(maja, content="Ask @maja or @lars.")
        await answers(maja, topic)
        await is_born(maja, born_years_ago(15))
        [said] = await replies_read_by(lars, topic)
        known = [*await list_of(lars), await reads(lars, topic), said]
        assert [one.is_public for one in known] == [False] * 3
        async with transaction() as session:
            assert await calls.leading_somewhere(session, ["@maja and @lars"]) == {"lars"}
        await has_consent(maja)
        assert (await reads(lars, topic)).is_public

    async def test_masks_before_anybody_else_sees_it_and_says_so(self, maja: Actor, lars: Actor):
        written = await posts(maja, content="Ranked is garbage, whatever they say.")
        assert written.shown_content == "Ranked is *******, whatever they say."
        assert written.violations[0]["words"] == ["garbage"]
        assert written.id
        assert (await reads(lars, written.id)).content == written.shown_content
        assert (await reads(maja, written.id)).written_content.startswith("Ranked is garbage")

    async def test_keeps_what_bullies_from_everybody(self, maja: Actor, lars: Actor):
        post_id = await post_of(maja, content="nobody likes you, get lost")
        seen = await reads(lars, post_id)
        assert (seen.removed, seen.content) == ("bullying", "")

    async def test_of_self_harm_waits_for_a_person(self, maja: Actor, lars: Actor):
        written = await posts(maja, content=SELF_HARM)
        assert written.is_waiting
        assert written.id
        assert await list_of(lars) == []
        with pytest.raises(NotThere):
            await reads(lars, written.id)
        assert (await reads(maja, written.id)).state == "waiting"

    async def test_too_soon_after_the_last_one_is_refused_to_a_new_account(self):
        new = the_actor(await an_account("new@example.com", name="New", now=utc_now()))
        await posts(new)
        with pytest.raises(rules.TooSoon):
            await posts(new)
        assert len(await list_of(new)) == 1

    async def test_at_once_from_two_tabs_is_one_topic_of_a_new_account(self):
        new = the_actor(await an_account("new@example.com", name="New", now=utc_now()))
        at = utc_now()
        done = await asyncio.gather(*(posts(new, at=at) for _ in range(5)), return_exceptions=True)
        assert sum(isinstance(one, Written) for one in done) == 1
        assert len(await list_of(new)) == 1

    async def test_more_than_20_an_hour_is_refused_to_everybody(self, maja: Actor):
        start = utc_now()
        for number in range(20):
            await posts(maja, at=start + timedelta(seconds=number))
        with pytest.raises(rules.TooMany):
            await posts(maja, at=start + MINUTE)

    async def test_with_three_links_is_refused_to_a_new_account(self):
        new = the_actor(await an_account("new@example.com", name="New", now=utc_now()))
        with pytest.raises(rules.TooManyLinks):
            await posts(new, content="https://a.example https://b.example https://c.example")

    async def test_keeps_markup_as_text(self, maja: Actor, lars: Actor):
        hostile = "<script>alert(1)</script> <b>bold</b> [x](javascript:1)"
        post_id = await post_of(maja, content=hostile)
        assert (await reads(lars, post_id)).content == hostile


class TestPages:
    async def test_lead_on_by_the_last_topic(self, maja: Actor):
        start = utc_now() - timedelta(hours=5)
        ids = [await post_of(maja, at=start + 10 * number * MINUTE) for number in range(5)]
        async with transaction() as session:
            first = await topics.latest(session, maja, length=2)
            second = await topics.latest(session, maja, length=2, before=first.next_cursor)
            third = await topics.latest(session, maja, length=2, before=second.next_cursor)
        shown = [post.id for part in (first, second, third) for post in part.items]
        assert shown == ids[::-1]
        assert third.next_cursor is None

    async def test_count_what_has_appeared_since(self, maja: Actor):
        start = utc_now() - timedelta(hours=2)
        first = await post_of(maja, at=start)
        await posts(maja, at=start + MINUTE, category="roblox")
        listed = Listed([first], down_to=first, up_to=first, newest=first)
        async with transaction() as session:
            assert await topics.news(session, listed) == 1
            assert await topics.news(session, listed, category="fortnite") == 0


class TestReplying:
    async def test_counts_and_tells_the_author_once(self, maja: Actor, lars: Actor):
        post_id = await post_of(maja)
        await answers(lars, post_id)
        assert (await reads(maja, post_id)).replies == 1
        assert [reply.content for reply in await replies_read_by(maja, post_id)] == [
            "At the lighthouse."
        ]
        assert await kinds_told(maja) == ["reply"]

    async def test_to_oneself_tells_nobody(self, maja: Actor):
        await answers(maja, await post_of(maja))
        assert await kinds_told(maja) == []

    @pytest.mark.parametrize("state", ["hidden", "deleted", "waiting"])
    async def test_to_what_is_not_shown_is_refused(self, maja: Actor, lars: Actor, state: str):
        post_id = await post_of(maja)
        await becomes(state, post_id)
        with pytest.raises(NotThere):
            await answers(lars, post_id)

    async def test_to_what_moderation_removed_is_refused(self, maja: Actor, lars: Actor):
        post_id = await post_of(maja, content=CRUEL)
        with pytest.raises(NotThere):
            await answers(lars, post_id)

    async def test_to_a_locked_topic_is_refused(self, maja: Actor, lars: Actor):
        post_id = await post_of(maja)
        async with transaction() as session:
            await rows(
                session,
                "update forum_posts set locked_at = now() where id = %(id)s returning id",
                {"id": post_id},
            )
        with pytest.raises(rules.Locked):
            await answers(lars, post_id)

    async def test_to_nothing_is_refused(self, maja: Actor):
        with pytest.raises(NotThere):
            await answers(maja, new_id())

    async def test_of_self_harm_is_seen_by_its_author_alone_and_tells_nobody(
        self, maja: Actor, lars: Actor
    ):
        post_id = await post_of(maja)
        assert (await answers(lars, post_id, SELF_HARM)).is_waiting
        assert await replies_read_by(maja, post_id) == []
        assert [reply.state for reply in await replies_read_by(lars, post_id)] == ["waiting"]
        assert (await reads(maja, post_id)).replies == 0
        assert await kinds_told(maja) == []

    async def test_while_a_moderator_hides_never_ends_in_a_deadlock(self, maja: Actor):
        post_id = await post_of(maja)
        start = utc_now()
        for number in range(10):
            at = start + timedelta(seconds=number)
            done = await asyncio.gather(
                answers(maja, post_id, at=at),
                becomes("hidden" if number % 2 == 0 else "shown", post_id),
                return_exceptions=True,
            )
            assert all(one is None or isinstance(one, Written | NotThere) for one in done), done


class TestMentions:
    async def test_tell_those_whom_a_text_calls_once(self, maja: Actor, lars: Actor):
        post_id = await post_of(maja, content="What do you think, @lars? And @Lars, and @nobody?")
        assert await kinds_told(lars) == ["mention"]
        await answers(maja, post_id, "@lars are you there?")
        assert await kinds_told(lars) == ["mention", "mention"]

    async def test_of_the_topics_author_are_one_notice_for_one_reply(
        self, maja: Actor, lars: Actor
    ):
        await answers(lars, await post_of(maja), "@maja the lighthouse")
        assert await kinds_told(maja) == ["mention"]

    async def test_call_five_people_at_most(self, maja: Actor):
        crowd = [await somebody(f"Crowd{number}") for number in range(7)]
        await posts(maja, content=" ".join(f"@crowd{number}" for number in range(7)))
        assert sum([len(await kinds_told(one)) for one in crowd]) == 5

    async def test_name_no_title_that_moderation_removed(self, maja: Actor, lars: Actor):
        await posts(maja, "nobody likes you", "Hello @lars, how are you?")
        async with transaction() as session:
            found = await told.newest(session, lars.user_id, before=None, limit=20)
        assert [one.params["title"] for one in found] == ["…"]

    async def test_in_a_text_that_waits_tell_nobody(self, maja: Actor, lars: Actor):
        await posts(maja, content=f"@lars {SELF_HARM}")
        assert await kinds_told(lars) == []

    async def test_of_admins_tell_nobody(self, maja: Actor):
        admin = await somebody("Linnea", Role.ADMIN)
        await posts(maja, content="Hello @linnea, how are you?")
        assert await kinds_told(admin) == []

    async def test_lead_to_those_alone_whose_profile_may_be_opened(self, maja: Actor, lars: Actor):
        linnea, eva, kim = [await somebody(name) for name in ("Linnea", "Eva", "Kim")]
        await somebody("Acme", Role.COMPANY)
        await somebody("Boss", Role.ADMIN)
        texts = ["@lars, @Maja and @nobody.", "@linnea @eva @kim @acme @boss @lars"]

        async def lead() -> frozenset[str]:
            async with transaction() as session:
                return await calls.leading_somewhere(session, texts)

        everybody = {"lars", "maja", "linnea", "eva", "kim"}
        assert await lead() == everybody
        async with transaction() as session:
            await profiles.open_or_close(session, linnea, is_public=False, now=utc_now())
            await restrictions.begin(
                session, eva.user_id, Kind.SUSPENDED, "support", by=None, now=utc_now()
            )
            await rows(
                session,
                "update accounts set closed_at = now() where id = %(id)s returning id",
                {"id": kim.user_id},
            )
        assert await lead() == {"lars", "maja"}
        async with transaction() as session:
            assert await calls.leading_somewhere(session, ["Nobody is called.", ""]) == frozenset()

    def test_name_people_as_they_are_written(self):
        leads = frozenset({"grossmeister", "maja"})
        row = seen.with_calls({"content": "@Großmeister, @MAJA and @nobody."}, leads)
        assert row["calls"] == ["großmeister", "maja"]

    async def test_lead_to_the_first_few_alone_as_who_is_told(self, maja: Actor):
        for number in range(7):
            await somebody(f"Crowd{number}")
        text = " ".join(f"@crowd{number}" for number in range(7))
        async with transaction() as session:
            leads = await calls.leading_somewhere(session, [text])
        assert leads == {f"crowd{number}" for number in range(5)}


class TestChanging:
    async def changes(
        self, actor: Actor, post_id: UUID, content: str, at: datetime | None = None
    ) -> Written:
        async with transaction() as session:
            written = await topics.edit(
                session, actor, post_id, "A title", content, language="en", now=at or utc_now()
            )
        assert written
        return written

    async def test_ones_own_topic_is_moderated_again(self, maja: Actor, lars: Actor):
        post_id = await post_of(maja)
        written = await self.changes(maja, post_id, "This map is garbage now.")
        assert written.shown_content == "This map is ******* now."
        seen = await reads(lars, post_id)
        assert (seen.content, seen.is_edited) == (written.shown_content, True)

    async def test_nothing_leaves_it_as_it_was(self, maja: Actor, lars: Actor):
        post_id = await post_of(maja, title="A title", content="That was garbage, they said.")
        await is_lifted(post_id)
        for _ in range(61):
            async with transaction() as session:
                written = await topics.edit(
                    session,
                    maja,
                    post_id,
                    " A title",
                    "That was garbage, they said.\r\n",
                    language="de",
                    now=utc_now(),
                )
            assert written is None
        seen = await reads(lars, post_id)
        assert (seen.content, seen.is_edited) == ("That was garbage, they said.", False)

    async def test_nothing_leaves_a_reply_as_it_was(self, maja: Actor, lars: Actor):
        post_id = await post_of(maja)
        answered = await answers(lars, post_id, "That was garbage, they said.")
        assert answered.id
        async with transaction() as session:
            written = await replies.edit(
                session,
                lars,
                answered.id,
                "That was garbage, they said. ",
                language="en",
                now=utc_now(),
            )
        assert written is None
        assert [reply.is_edited for reply in await replies_read_by(maja, post_id)] == [False]

    async def test_calls_nobody(self, maja: Actor, lars: Actor):
        post_id = await post_of(maja)
        await self.changes(maja, post_id, "And you, @lars, what do you think?")
        assert await kinds_told(lars) == []

    async def test_in_a_loop_is_refused(self, maja: Actor):
        post_id = await post_of(maja)
        for number in range(60):
            await self.changes(maja, post_id, f"The {number}th thought of today.")
        with pytest.raises(TooManyAttempts):
            await self.changes(maja, post_id, "One thought more.")

    async def test_of_anothers_is_refused(self, maja: Actor, lars: Actor):
        post_id = await post_of(maja)
        with pytest.raises(NotThere):
            await self.changes(lars, post_id, "Mine now, is it not?")
        async with transaction() as session:
            with pytest.raises(NotThere):
                await topics.delete(session, lars, post_id, now=utc_now())

    async def test_after_half_an_hour_is_refused(self, maja: Actor):
        post_id = await post_of(maja)
        with pytest.raises(rules.EditedTooLate):
            await self.changes(maja, post_id, "Much, much later.", utc_now() + 31 * MINUTE)

    async def test_of_what_was_hidden_is_refused(self, maja: Actor):
        post_id = await post_of(maja)
        await becomes("hidden", post_id)
        with pytest.raises(NotThere):
            await self.changes(maja, post_id, "Let me in again.")

    @pytest.mark.parametrize("change", ["locked_at = now()", "state = 'hidden'", "likes_count = 1"])
    async def test_of_a_reply_is_offered_only_where_its_topic_takes_words(
        self, maja: Actor, change: str
    ):
        post_id = await post_of(maja)
        answered = await answers(maja, post_id)
        assert answered.id
        async with transaction() as session:
            query = f"update forum_posts set {change} where id = %(id)s returning id"
            await rows(session, query, {"id": post_id})  # pyright: ignore[reportArgumentType]
        is_open = change == "likes_count = 1"
        assert [one.can_edit for one in await replies_read_by(maja, post_id)] == [is_open]
        with nullcontext() if is_open else pytest.raises((rules.Locked, NotThere)):
            async with transaction() as session:
                await replies.edit(
                    session, maja, answered.id, "At sea.", language="en", now=utc_now()
                )

    async def test_what_waits_lets_it_wait(self, maja: Actor):
        written = await posts(maja, content=SELF_HARM)
        assert written.id
        assert (await self.changes(maja, written.id, "All is well, really.")).is_waiting

    async def test_what_a_person_lifted_is_judged_anew(self, maja: Actor):
        post_id = await post_of(maja, content="That was garbage, they said.")
        await is_lifted(post_id)
        await self.changes(maja, post_id, "More garbage than before.")
        assert (await reads(maja, post_id)).content == "More ******* than before."


class TestDeleting:
    async def test_takes_the_words_from_everybody_and_happens_once(self, maja: Actor, lars: Actor):
        post_id = await post_of(maja, content="Something that I regret.")
        for _ in range(2):
            async with transaction() as session:
                await topics.delete(session, maja, post_id, now=utc_now())
        for actor in (maja, lars):
            with pytest.raises(NotThere):
                await reads(actor, post_id)
        async with transaction() as session:
            kept = await rows(
                session,
                "select title, content, shown_title, shown_content from forum_posts",
                {},
            )
            found = await search.search(session, lars, "regret")
        assert tuple(kept[0]) == ("", "", "", "")
        assert not found.items

    async def test_a_reply_counts_one_less(self, maja: Actor, lars: Actor):
        post_id = await post_of(maja)
        written = await answers(lars, post_id)
        assert written.id
        async with transaction() as session:
            await replies.delete(session, lars, written.id, now=utc_now())
        assert (await reads(maja, post_id)).replies == 0
        assert await replies_read_by(maja, post_id) == []


class TestLikes:
    async def likes(self, actor: Actor, thing: UUID, is_liked: bool = True) -> int:
        async with transaction() as session:
            return await likes.like(session, actor, Target.POST, thing, is_liked, now=utc_now())

    async def test_count_each_person_once_however_often_they_press(self, maja: Actor, lars: Actor):
        post_id = await post_of(maja)
        assert [await self.likes(lars, post_id) for _ in range(3)] == [1, 1, 1]
        assert (await reads(lars, post_id)).is_liked
        assert [await self.likes(lars, post_id, False) for _ in range(3)] == [0, 0, 0]

    async def test_of_twenty_at_once_are_twenty(self, maja: Actor):
        post_id = await post_of(maja)
        crowd = [await somebody(f"Crowd{number}") for number in range(21)]
        await asyncio.gather(*(self.likes(one, post_id) for one in crowd))
        seen = await reads(maja, post_id)
        assert (seen.likes, seen.is_hot) == (21, True)

    async def test_of_ones_own_are_refused(self, maja: Actor):
        with pytest.raises(likes.OwnLike):
            await self.likes(maja, await post_of(maja))

    async def test_of_what_is_hidden_are_refused(self, maja: Actor, lars: Actor):
        post_id = await post_of(maja)
        await becomes("hidden", post_id)
        with pytest.raises(NotThere):
            await self.likes(lars, post_id)

    async def test_of_what_moderation_removed_are_refused(self, maja: Actor, lars: Actor):
        post_id = await post_of(maja, content=CRUEL)
        with pytest.raises(NotThere):
            await self.likes(lars, post_id)
        answered = await answers(maja, await post_of(maja), CRUEL)
        assert answered.id
        async with transaction() as session:
            with pytest.raises(NotThere):
                await likes.like(session, lars, Target.REPLY, answered.id, True, now=utc_now())

    async def test_of_a_reply_in_a_hidden_topic_are_refused(self, maja: Actor, lars: Actor):
        post_id = await post_of(maja)
        written = await answers(maja, post_id)
        assert written.id
        await becomes("hidden", post_id)
        async with transaction() as session:
            with pytest.raises(NotThere):
                await likes.like(session, lars, Target.REPLY, written.id, True, now=utc_now())

    async def test_in_a_loop_are_refused(self, maja: Actor, lars: Actor):
        post_id = await post_of(maja)
        for number in range(60):
            await self.likes(lars, post_id, number % 2 == 0)
        with pytest.raises(TooManyAttempts):
            await self.likes(lars, post_id)


class TestSearch:
    async def finds(self, actor: Actor, query: str, category: str = "") -> list[str]:
        async with transaction() as session:
            found = await search.search(session, actor, query, category=category)
        return [post.title for post in found.items]

    @pytest.fixture
    async def talk(self, maja: Actor) -> None:
        start = utc_now() - timedelta(hours=3)
        said = (
            ("en", "Building villages", "We were building a library together.", "minecraft"),
            ("sv", "Bästa basen", "Vi byggde ett bibliotek och många hus.", "minecraft"),
            ("de", "Ranglisten", "Die Häuser am Hafen sind umkämpft.", "fortnite"),
            ("pl", "Najlepsze miejsce", "Lądujemy przy latarni morskiej.", "fortnite"),
            ("ru", "Лучшие базы", "Мы строили библиотеки и дома.", "minecraft"),
        )
        for number, (language, title, content, category) in enumerate(said):
            await posts(
                maja,
                title,
                content,
                language=language,
                category=category,
                at=start + number * MINUTE,
            )

    @pytest.mark.parametrize(
        ("query", "titles"),
        [
            ("libraries", ["Building villages"]),
            ("BUILD", ["Building villages"]),
            ("bygger", ["Bästa basen"]),
            ("Haus", ["Ranglisten"]),
            ("latarni", ["Najlepsze miejsce"]),
            ("библиотека", ["Лучшие базы"]),
            ('"a library"', ["Building villages"]),
            ("library -together", []),
            ("library or Hafen", ["Ranglisten", "Building villages"]),
            ("nothingofthis", []),
            ("", []),
            ("   ", []),
        ],
    )
    @pytest.mark.usefixtures("talk")
    async def test_finds_words_in_each_language(self, lars: Actor, query: str, titles: list[str]):
        assert await self.finds(lars, query) == titles

    @pytest.mark.usefixtures("talk")
    async def test_keeps_to_the_category(self, lars: Actor):
        assert await self.finds(lars, "library or Hafen", "fortnite") == ["Ranglisten"]

    @pytest.mark.parametrize(
        "query",
        ["'", '"', "(((", "& | !", "a:*", "-", "--", "\\", "%s", "'; drop table x; --", "<->"],
    )
    @pytest.mark.usefixtures("talk")
    async def test_takes_whatever_is_typed(self, lars: Actor, query: str):
        await self.finds(lars, query)

    async def test_refuses_a_query_of_201_characters(self, lars: Actor):
        with pytest.raises(rules.QueryTooLong):
            await self.finds(lars, "x" * 201)

    async def test_finds_no_masked_word_and_nothing_hidden(self, maja: Actor, lars: Actor):
        await posts(maja, "About the map", "The map is garbage today.")
        hidden = await post_of(maja, title="Zanzibar", content="All about Zanzibar here.")
        await becomes("hidden", hidden)
        assert await self.finds(lars, "garbage") == []
        assert await self.finds(lars, "zanzibar") == []

    async def test_finds_what_is_rare_and_old_beyond_the_window(
        self, maja: Actor, lars: Actor, monkeypatch: pytest.MonkeyPatch
    ):
        monkeypatch.setattr(search, "WINDOW", 2)
        start = utc_now() - timedelta(hours=3)
        await posts(maja, "Zanzibar", "All about Zanzibar here.", at=start)
        for number in range(1, 5):
            await posts(maja, at=start + number * MINUTE)
        assert await self.finds(lars, "zanzibar") == ["Zanzibar"]


class TestDrafts:
    async def keeps(self, actor: Actor, post_id: UUID | None = None, **typed) -> bool:
        async with transaction() as session:
            return await drafts.keep(session, actor, post_id=post_id, now=utc_now(), **typed)

    async def draft(self, actor: Actor, post_id: UUID | None = None) -> drafts.Draft | None:
        async with transaction() as session:
            return await drafts.draft(session, actor, post_id=post_id)

    async def test_wait_for_their_author_and_nobody_else(self, maja: Actor, lars: Actor):
        await self.keeps(maja, category="roblox", title="Half a ti", content="Half")
        await self.keeps(maja, category="roblox", title="Half a title", content="Half a text")
        known = await self.draft(maja)
        assert known
        assert (known.category, known.title, known.content) == (
            "roblox",
            "Half a title",
            "Half a text",
        )
        assert await self.draft(lars) is None

    async def test_keep_what_is_too_long_to_be_posted_until_it_is_shortened(
        self, maja: Actor, lars: Actor
    ):
        title, content = "T" * 2 * rules.LONGEST_TITLE, "word " * 1_200
        with pytest.raises(rules.TextTooLong):
            await posts(maja, content=content)
        assert await self.keeps(maja, title=title, content=content)
        known = await self.draft(maja)
        assert known
        assert (known.title, known.content) == (title, content)
        post_id = await post_of(lars)
        assert await self.keeps(maja, post_id, content=content)
        begun = await self.draft(maja, post_id)
        assert begun
        assert begun.content == content

    async def test_that_keep_only_a_beginning_say_so(self, maja: Actor):
        assert await self.keeps(maja, content="x" * rules.LONGEST_DRAFT)
        assert not await self.keeps(maja, content="x" * rules.LONGEST_DRAFT + "y")
        known = await self.draft(maja)
        assert known
        assert known.content == "x" * rules.LONGEST_DRAFT
        assert not await self.keeps(maja, title="x" * 100_000)

    async def test_are_gone_once_posted(self, maja: Actor, lars: Actor):
        await self.keeps(maja, title="Half a title")
        post_id = await post_of(maja)
        await self.keeps(lars, post_id, content="Half a reply")
        await answers(lars, post_id)
        assert await self.draft(maja) is None
        assert await self.draft(lars, post_id) is None

    async def test_of_nothing_are_none(self, maja: Actor):
        await self.keeps(maja, title="A title")
        await self.keeps(maja, title="  ", content="\n")
        assert await self.draft(maja) is None

    async def test_of_replies_are_bounded_and_the_oldest_goes_first(
        self, maja: Actor, lars: Actor, monkeypatch: pytest.MonkeyPatch
    ):
        monkeypatch.setattr(drafts, "MOST_REPLIES", 3)
        places = [await post_of(maja) for _ in range(5)]
        await self.keeps(lars, title="Half a title")
        await self.keeps(maja, places[0], content="Hers")
        for number, topic in enumerate(places[:3]):
            await self.keeps(lars, topic, content=f"Half {number}")
        await self.keeps(lars, places[0], content="Half 0, and more")
        for number, topic in enumerate(places[3:], 3):
            await self.keeps(lars, topic, content=f"Half {number}")
        found = [await self.draft(lars, topic) for topic in places]
        assert [one and one.content for one in found] == [
            "Half 0, and more",
            None,
            None,
            "Half 3",
            "Half 4",
        ]
        assert await self.draft(lars)
        assert await self.draft(maja, places[0])

    async def test_to_a_topic_that_never_was_are_none(self, maja: Actor):
        nowhere = new_id()
        await self.keeps(maja, nowhere, content="Half a reply")
        assert await self.draft(maja, nowhere) is None


class TestLookingAgain:
    async def test_judges_by_the_rules_of_today_what_older_ones_let_through(
        self, maja: Actor, lars: Actor
    ):
        post_id = await post_of(maja, content="That was garbage.")
        written = await answers(maja, post_id, "That was garbage, too.")
        assert written.id
        for table in ("forum_posts", "forum_replies"):
            async with transaction() as session:
                query = (
                    f"update {table} set rules_edition = 0, shown_content = content returning id"
                )
                await rows(session, query, {})  # pyright: ignore[reportArgumentType]
        assert [post.content for post in await list_of(lars)] == ["That was *******."]
        assert [one.content for one in await replies_read_by(lars, post_id)] == [
            "That was *******, too."
        ]
        async with transaction() as session:
            kept = await rows(session, "select rules_edition from forum_posts", {})
        assert kept[0][0] == EDITION

    async def test_leaves_what_a_person_has_shown_as_written(self, maja: Actor):
        post_id = await post_of(maja, content="That was garbage.")
        async with transaction() as session:
            await rows(
                session,
                "update forum_posts set rules_edition = %(lifted)s, shown_content = content"
                " returning id",
                {"lifted": LIFTED},
            )
        assert (await reads(maja, post_id)).content == "That was garbage."

    async def test_lets_a_person_look_first_where_the_rules_now_ask_for_it(
        self, maja: Actor, lars: Actor
    ):
        post_id = await post_of(maja)
        async with transaction() as session:
            await rows(
                session,
                "update forum_posts set rules_edition = 0, content = %(text)s returning id",
                {"text": SELF_HARM},
            )
        assert await list_of(lars) == []
        assert (await reads(maja, post_id)).state == "waiting"

    async def test_keeps_shown_what_a_person_has_read_for_self_harm(self, maja: Actor, lars: Actor):
        waited = await posts(maja, content=SELF_HARM)
        assert waited.id
        await becomes("shown", waited.id)
        replied = await answers(maja, waited.id, SELF_HARM)
        assert replied.id
        await becomes("shown", replied.id, Target.REPLY)
        async with transaction() as session:
            for table in ("forum_posts", "forum_replies"):
                query = f"update {table} set rules_edition = 0 returning id"
                await rows(session, query, {})  # pyright: ignore[reportArgumentType]
        assert [post.content for post in await list_of(lars)] == [SELF_HARM]
        assert [one.content for one in await replies_read_by(lars, waited.id)] == [SELF_HARM]

    async def test_does_not_undo_what_was_written_meanwhile(self, maja: Actor):
        post_id = await post_of(maja)
        async with transaction() as session:
            row = (await rows(session, "select * from forum_posts", {}))[0]
        outdated = row._replace(rules_edition=0) if hasattr(row, "_replace") else row
        async with transaction() as session:
            await again.posts_again(session, [outdated], now=utc_now())
        assert (await reads(maja, post_id)).content == "The harbour is full within seconds."

    @pytest.mark.parametrize("done", ["hidden", "deleted", "forgotten", "called"])
    async def test_leaves_alone_what_was_done_meanwhile(self, maja: Actor, lars: Actor, done: str):
        """What was read before is older than that."""
        post_id = await post_of(maja)
        written = await answers(lars, post_id)
        assert written.id
        things_of = {"forum_posts": post_id, "forum_replies": written.id}
        async with transaction() as session:
            for table in things_of:
                query = f"update {table} set rules_edition = 0, content = %(text)s returning id"
                text = f"{SELF_HARM} @lars"
                await rows(session, query, {"text": text})  # pyright: ignore[reportArgumentType]
        before = await self.read(things_of)
        await self.happens(done, maja, lars, things_of)
        known = [await self.stands(table, thing) for table, thing in things_of.items()]
        async with transaction() as session:
            await again.posts_again(session, before["forum_posts"], now=utc_now())
            await again.replies_again(session, before["forum_replies"], now=utc_now())
        assert [await self.stands(table, thing) for table, thing in things_of.items()] == known

    async def read(self, things_of: dict[str, UUID]) -> dict[str, Sequence[Any]]:
        async with transaction() as session:
            return {
                table: await rows(session, f"select * from {table}", {})  # pyright: ignore
                for table in things_of
            }

    async def happens(self, done: str, maja: Actor, lars: Actor, things_of: dict[str, UUID]):
        post_id, reply_id = things_of.values()
        async with transaction() as session:
            match done:
                case "hidden":
                    await things.set_state(
                        session, Target.REPLY, reply_id, "hidden", "", now=utc_now()
                    )
                    await things.set_state(
                        session, Target.POST, post_id, "hidden", "", now=utc_now()
                    )
                case "deleted":
                    await replies.delete(session, lars, reply_id, now=utc_now())
                    await topics.delete(session, maja, post_id, now=utc_now())
                case "forgotten":
                    await leaving.empty(session, maja.user_id, now=utc_now())
                    await leaving.empty(session, lars.user_id, now=utc_now())
                case _:
                    await leaving.uncall(session, ["lars"])

    async def stands(self, table: str, thing: UUID) -> tuple[str, ...]:
        known = await row(table, thing)
        return known.get("title", ""), known["content"], known["state"]


class TestALeftHandle:
    async def test_is_called_no_more_and_another_that_it_would_be_a_pattern_of_is(
        self, maja: Actor
    ):
        topic = await post_of(maja, content="Ask @lara.b, not @larasb.")
        async with transaction() as session:
            await leaving.uncall(session, ["lara.b"])
        known = await row("forum_posts", topic)
        assert known["content"] == f"Ask {leaving.IN_PLACE}, not @larasb."


class TestFigures:
    async def test_are_those_of_the_rows(self, maja: Actor, lars: Actor):
        first = await post_of(maja, content="That was garbage.")
        await posts(lars, category="roblox", at=utc_now() - timedelta(hours=1))
        await answers(lars, first)
        async with transaction() as session:
            known = await forum_figures.figures(session, now=utc_now())
        assert (known.posts, known.writers, known.online_now, known.moderated) == (2, 2, 2, 1)
        assert known.by_category == {
            "fortnite": 1,
            "roblox": 1,
            "minecraft": 0,
            "apex": 0,
            "general": 0,
        }

    async def test_follow_what_is_hidden_and_deleted(self, maja: Actor, lars: Actor):
        first = await post_of(maja)
        await answers(lars, first)
        await becomes("hidden", first)
        async with transaction() as session:
            known = await forum_figures.figures(session, now=utc_now())
        assert (known.posts, known.writers) == (0, 1)
        await becomes("shown", first)
        async with transaction() as session:
            known = await forum_figures.figures(session, now=utc_now())
        assert (known.posts, known.writers) == (1, 2)
