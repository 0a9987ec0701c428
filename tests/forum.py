"""Made topics and replies, with the figures that belong to them."""

from datetime import datetime
from uuid import UUID

from rewards_app.core.actor import Actor
from rewards_app.core.database import rows, transaction
from rewards_app.features.forum import counts
from rewards_app.features.forum.judging import judge
from rewards_app.features.moderation.rules import EDITION, moderate
from rewards_app.models import ForumPost, ForumReply
from tests.people import NOON


async def a_topic(
    author: Actor,
    content: str = "Where do you land in solo?",
    *,
    title: str = "Best place to land",
    category: str = "fortnite",
    state: str = "shown",
    now: datetime = NOON,
) -> UUID:
    judged = judge(title, content, "en")
    post = ForumPost(
        author_id=author.user_id,
        category=category,
        language="en",
        title=title,
        content=content,
        shown_title=judged.shown_title,
        shown_content=judged.shown_content,
        violations=judged.violations,
        rules_edition=EDITION,
        state=state,
        created_at=now,
        dictionary="english",
    )
    async with transaction() as session:
        session.add(post)
        await session.flush()
        if state == "shown":
            changes = {counts.of_category(category): 1}
            await counts.note(session, author.user_id, posts=1, changes=changes)
    return post.id


async def a_reply(
    author: Actor,
    post_id: UUID,
    content: str = "At the lighthouse.",
    *,
    language: str = "en",
    state: str = "shown",
    now: datetime = NOON,
) -> UUID:
    seen = moderate(content, language)
    reply = ForumReply(
        post_id=post_id,
        author_id=author.user_id,
        language=language,
        content=content,
        shown_content=seen.shown,
        violations=[
            {"kind": found.kind.value, "words": list(found.words), "field": "content"}
            for found in seen.violations
        ],
        rules_edition=EDITION,
        state=state,
        created_at=now,
    )
    async with transaction() as session:
        session.add(reply)
        await session.flush()
        if state == "shown":
            query = "update forum_posts set replies_count = replies_count + 1 where id = %(id)s"
            connection = await session.connection()
            await connection.exec_driver_sql(query, {"id": post_id})
            await counts.note(session, author.user_id, replies=1, changes={})
    return reply.id


async def figures() -> dict[str, int]:
    """What the forum says of itself, without zeros."""
    async with transaction() as session:
        found = await rows(session, "select name, value from forum_counts where value <> 0", {})
        return dict(found)


async def row(table: str, thing_id: UUID) -> dict:
    async with transaction() as session:
        query = f"select to_jsonb(thing) from {table} thing where id = %(id)s"
        return (await rows(session, query, {"id": thing_id}))[0][0]  # pyright: ignore[reportArgumentType]
