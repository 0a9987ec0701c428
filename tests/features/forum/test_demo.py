"""The demo's forum: talk in eight languages that went the way of every other talk."""

import pytest

from rewards_app.core.actor import Actor, Role
from rewards_app.core.clock import utc_now
from rewards_app.core.database import transaction
from rewards_app.features.accounts import repository as accounts
from rewards_app.features.forum import figures, replies, topics
from rewards_app.features.forum.demo_talk import TALK
from rewards_app.features.forum.rules import CATEGORIES, DICTIONARIES
from rewards_app.features.forum.talk import Post
from rewards_app.features.notifications import repository as notifications
from tests.ads import the_actor

pytestmark = pytest.mark.usefixtures("database")


@pytest.fixture
def template(demo: str) -> str:
    return demo


@pytest.fixture
async def player() -> Actor:
    async with transaction() as session:
        account = await accounts.account_by_email(session, f"{Role.PLAYER}@demo.watchcoins.example")
    assert account
    return the_actor(account)


async def posts_for(player: Actor) -> list[Post]:
    async with transaction() as session:
        return list((await topics.latest(session, player, length=50)).items)


class TestTheDemosTalk:
    def test_is_in_every_language_and_category(self):
        assert {topic.language for topic in TALK} == set(DICTIONARIES)
        assert {topic.category for topic in TALK} == set(CATEGORIES)

    async def test_is_listed_the_newest_first_with_its_replies_and_likes(self, player: Actor):
        found = await posts_for(player)
        said = sorted(TALK, key=lambda topic: topic.ago)
        assert [(post.replies, post.likes) for post in found] == [
            (len(topic.replies), topic.likes) for topic in said
        ]
        assert [post.written_title for post in found if post.is_own] == ["Show your first house"]
        assert any(post.is_hot for post in found)

    async def test_was_moderated_like_any_other(self, player: Actor):
        found = await posts_for(player)
        kinds = {violation["kind"] for post in found for violation in post.violations}
        assert kinds == {"language", "scam", "capitals"}
        assert [post.removed for post in found if post.removed] == ["scam"]
        [rude] = [post for post in found if "tonight" in post.title]
        async with transaction() as session:
            answers = (await replies.replies_to(session, player, rude.id)).items
        assert [answer.removed for answer in answers] == ["bullying", "", ""]

    async def test_leaves_what_is_friendly_as_it_was_written(self, player: Actor):
        found = await posts_for(player)
        changed = [post for post in found if post.violations]
        assert len(changed) == 4

    async def test_is_counted(self, player: Actor):
        async with transaction() as session:
            counted = await figures.figures(session, now=utc_now())
        assert counted.posts == len(TALK)
        assert counted.writers == len(
            {topic.who for topic in TALK} | {said.who for topic in TALK for said in topic.replies}
        )

    async def test_has_called_the_player(self, player: Actor):
        # Mentioned twice; of two answers to their own topic one mentions them.
        assert await notifications.unread(player.user_id, most=9) == 3
