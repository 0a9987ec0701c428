"""Likes: one of each person for each topic and reply, whatever is pressed how often."""

from datetime import datetime
from typing import LiteralString
from uuid import UUID

from rewards_app.core import limits, live
from rewards_app.core.actor import Actor
from rewards_app.core.database import AsyncSession, rows, write
from rewards_app.core.errors import DomainError
from rewards_app.core.ids import new_id
from rewards_app.features.forum.desk_rules import NotThere, Target
from rewards_app.features.forum.things import CHANGED

LIKES_PER_ACCOUNT = limits.parse("60/minute")


class OwnLike(DomainError):
    code = "forum.own_like"


LIKE: LiteralString = """
with liked as (
    insert into forum_likes (id, {column}, account_id, created_at)
    values (%(id)s, %(thing)s, %(account)s, %(now)s)
    on conflict do nothing returning id
)
update {table} set likes_count = likes_count + (select count(*) from liked)
where id = %(thing)s returning likes_count
"""
UNLIKE: LiteralString = """
with unliked as (
    delete from forum_likes where {column} = %(thing)s and account_id = %(account)s returning id
)
update {table} set likes_count = likes_count - (select count(*) from unliked)
where id = %(thing)s returning likes_count
"""
TABLES: dict[Target, tuple[LiteralString, LiteralString]] = {
    Target.POST: ("forum_posts", "post_id"),
    Target.REPLY: ("forum_replies", "reply_id"),
}
KNOWN_POST: LiteralString = """
select author_id, id from forum_posts
where id = %(thing)s and state = 'shown' and shown_content <> '' for update
"""
KNOWN_REPLY: LiteralString = """
select reply.author_id, reply.post_id
from forum_replies reply join forum_posts post on post.id = reply.post_id
where reply.id = %(thing)s and reply.state = 'shown' and reply.shown_content <> ''
    and post.state = 'shown'
for update of reply
"""


async def like(
    session: AsyncSession,
    actor: Actor,
    target: Target,
    thing_id: UUID,
    is_liked: bool,
    *,
    now: datetime,
) -> int:
    """From now on this person likes it, or no more; how many do. Only a shown text is liked."""
    is_post = target is Target.POST
    await limits.spend(LIKES_PER_ACCOUNT, "forum.like", str(actor.user_id))
    found = await rows(session, KNOWN_POST if is_post else KNOWN_REPLY, {"thing": thing_id})
    if not found:
        raise NotThere
    author_id, post_id = found[0]
    if author_id == actor.user_id:
        raise OwnLike
    query = LIKE if is_liked else UNLIKE
    table, column = TABLES[target]
    values = {"id": new_id(), "thing": thing_id, "account": actor.user_id, "now": now}
    counted = await write(
        session, query.replace("{table}", table).replace("{column}", column), values
    )
    live.announce_after(session, CHANGED, str(post_id))
    return counted[0]
