"""Drafts: what somebody has begun to write waits for them, on whatever device."""

from datetime import datetime
from typing import LiteralString
from uuid import UUID

from rewards_app.core.actor import Actor
from rewards_app.core.database import AsyncSession, rows, write
from rewards_app.core.ids import new_id
from rewards_app.features.forum.rules import LONGEST_DRAFT, category_from
from rewards_app.features.forum.talk import Draft

MOST_REPLIES = 100
"""That one account has begun at once."""

KEEP_TOPIC: LiteralString = """
insert into forum_drafts (id, account_id, post_id, category, title, content, updated_at)
values (%(id)s, %(account)s, null, %(category)s, %(title)s, %(content)s, %(now)s)
on conflict (account_id) where post_id is null do update set category = excluded.category,
    title = excluded.title, content = excluded.content, updated_at = excluded.updated_at
returning id
"""
KEEP_REPLY: LiteralString = """
insert into forum_drafts (id, account_id, post_id, category, title, content, updated_at)
select %(id)s, %(account)s, post.id, '', '', %(content)s, %(now)s
from forum_posts post where post.id = %(post)s
on conflict (account_id, post_id) where post_id is not null do update set
    content = excluded.content, updated_at = excluded.updated_at
returning id
"""
FORGET_OLDEST: LiteralString = """
delete from forum_drafts where id in (
    select id from forum_drafts where account_id = %(account)s and post_id is not null
    order by updated_at desc, id desc offset %(most)s
) returning id
"""
FIND: LiteralString = """
select category, title, content from forum_drafts
where account_id = %(account)s and post_id is not distinct from %(post)s::uuid
"""
FORGET: LiteralString = """
delete from forum_drafts
where account_id = %(account)s and post_id is not distinct from %(post)s::uuid returning id
"""


async def keep(
    session: AsyncSession,
    actor: Actor,
    *,
    post_id: UUID | None,
    category: str = "",
    title: str = "",
    content: str = "",
    now: datetime,
) -> bool:
    """Keep what stands in the form; nothing but spaces is no draft. Whether all of it is kept.

    A reply that is begun beyond MOST_REPLIES takes the place of the oldest.
    """
    if not (title.strip() or content.strip()):
        await forget_draft(session, actor.user_id, post_id)
        return True
    values = {
        "id": new_id(),
        "account": actor.user_id,
        "post": post_id,
        "category": category_from(category),
        "title": title[:LONGEST_DRAFT],
        "content": content[:LONGEST_DRAFT],
        "now": now,
    }
    noted = await write(session, KEEP_REPLY if post_id else KEEP_TOPIC, values)
    if post_id and noted and noted.id == values["id"]:
        await write(session, FORGET_OLDEST, {"account": actor.user_id, "most": MOST_REPLIES})
    return max(len(title), len(content)) <= LONGEST_DRAFT


def kept(content: str) -> str:
    """What a draft of a reply has of it."""
    return content[:LONGEST_DRAFT] if content.strip() else ""


async def draft(session: AsyncSession, actor: Actor, *, post_id: UUID | None) -> Draft | None:
    found = await rows(session, FIND, {"account": actor.user_id, "post": post_id})
    return Draft(*found[0]) if found else None


async def forget_draft(session: AsyncSession, account_id: UUID, post_id: UUID | None) -> None:
    """What it became was posted, it is thrown away, or nothing is left of it."""
    await write(session, FORGET, {"account": account_id, "post": post_id})
