"""The talk of the demo, posted, moderated and liked as anybody's is, at moments of the past."""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from uuid import UUID

from rewards_app.core.actor import Actor, Role
from rewards_app.core.database import AsyncSession
from rewards_app.features.accounts import service as accounts
from rewards_app.features.forum import likes, replies, topics
from rewards_app.features.forum.demo_talk import TALK, THE_MODERATOR, Topic
from rewards_app.features.forum.desk_rules import Target

__all__ = ["THE_MODERATOR"]

A_MINUTE = timedelta(minutes=1)


async def add_talk(
    session: AsyncSession, people: Mapping[str, UUID], viewers: Sequence[UUID], *, now: datetime
) -> None:
    """By those who talk, called by their handles, and those who like what they read."""
    actors = {handle: await _actor(session, known, now=now) for handle, known in people.items()}
    for topic in sorted(TALK, key=lambda topic: topic.ago, reverse=True):
        at = now - topic.ago
        post_id = await _post(session, actors[topic.who], topic, now=at)
        for said in topic.replies:
            await replies.reply(
                session,
                actors[said.who],
                post_id,
                said.text,
                language=topic.language,
                now=at + said.after,
            )
        for number, viewer in enumerate(viewers[: topic.likes], 1):
            reader = await _actor(session, viewer, now=now)
            liked_at = at + number * A_MINUTE
            await likes.like(session, reader, Target.POST, post_id, True, now=liked_at)


async def _actor(session: AsyncSession, account_id: UUID, *, now: datetime) -> Actor:
    account = await accounts.find(session, account_id)
    assert account, "the people of the demo are there"
    name, role = account.display_name, Role(account.role)
    return Actor(account_id, account_id, role, name, account.email, now, is_age_verified=True)


async def _post(session: AsyncSession, author: Actor, topic: Topic, *, now: datetime) -> UUID:
    written = await topics.post(
        session,
        author,
        topic.category,
        topic.title,
        topic.text,
        language=topic.language,
        now=now,
    )
    assert written.id, "what is posted has its place"
    return written.id
