"""Topics and replies in the database, with what their readers see beside them."""

from collections.abc import Sequence
from typing import Any, LiteralString
from uuid import UUID

from rewards_app.core.database import AsyncSession, rows
from rewards_app.features.forum.talk import Listed

LAST = UUID(int=2**128 - 1)
FIRST = UUID(int=0)

# As profiles say it: companies have none, and of who is suspended none is shown. Which of them wait
# for a guardian, only `guardians` knows: ages are sealed.
HAS_PROFILE: LiteralString = """
account.closed_at is null and coalesce(profile.is_public, true)
    and account.role in ('player', 'moderator') and not exists (
        select from account_restrictions held where held.account_id = account.id
            and held.kind = 'suspended' and held.ended_at is null)
"""
# Whose thing it is sees it in every state but deleted; others see what is shown.
POST_ROW: LiteralString = f"""
select post.id, post.author_id, account.display_name as author,
    coalesce(known.handle, '') as handle,
    {HAS_PROFILE} as is_public,
    account.role, post.category, post.language, post.title, post.content, post.shown_title,
    post.shown_content, post.violations, post.rules_edition, post.state, post.state_reason,
    post.is_hot, post.locked_at, post.replies_count, post.likes_count, post.edited_at,
    post.created_at, mine.id is not null as is_liked
from picked join forum_posts post on post.id = picked.id
    join accounts account on account.id = post.author_id
    left join account_handles known
        on known.account_id = account.id and known.retired_at is null
            and account.closed_at is null
    left join profiles profile on profile.account_id = account.id
    left join forum_likes mine on mine.post_id = post.id and mine.account_id = %(reader)s
"""  # noqa: S608  (all parts are ours)
NEWEST: LiteralString = """
with picked as materialized (
    select id from forum_posts where state = 'shown' and id < %(before)s
    order by id desc limit %(limit)s
)
"""
NEWEST_OF_CATEGORY: LiteralString = """
with picked as materialized (
    select id from forum_posts
    where state = 'shown' and category = %(category)s and id < %(before)s
    order by id desc limit %(limit)s
)
"""
ONE_POST: LiteralString = "with picked as (select %(id)s::uuid as id)"
THESE_POSTS: LiteralString = "with picked as (select unnest(%(ids)s::uuid[]) as id)"
BY_ID: LiteralString = "order by post.id desc"

REPLY_ROW: LiteralString = f"""
select reply.id, reply.post_id, reply.author_id, account.display_name as author,
    coalesce(known.handle, '') as handle,
    {HAS_PROFILE} as is_public,
    account.role, reply.language, reply.content, reply.shown_content, reply.violations,
    reply.rules_edition, reply.state, reply.state_reason, reply.likes_count, reply.edited_at,
    reply.created_at, mine.id is not null as is_liked,
    topic.state = 'shown' and topic.locked_at is null as is_topic_open
from picked join forum_replies reply on reply.id = picked.id
    join forum_posts topic on topic.id = reply.post_id
    join accounts account on account.id = reply.author_id
    left join account_handles known
        on known.account_id = account.id and known.retired_at is null
            and account.closed_at is null
    left join profiles profile on profile.account_id = account.id
    left join forum_likes mine on mine.reply_id = reply.id and mine.account_id = %(reader)s
"""  # noqa: S608  (all parts are ours)
_OWN: LiteralString = "(author_id = %(reader)s and state <> 'deleted')"
_READABLE: LiteralString = f"(state = 'shown' or {_OWN})"
REPLIES: LiteralString = f"""
with picked as materialized (
    select id from forum_replies
    where post_id = %(post)s and id > %(after)s and {_READABLE}
    order by id limit %(limit)s
)
"""  # noqa: S608  (all parts are ours)
OWN_REPLIES: LiteralString = f"""
with picked as materialized (
    select id from forum_replies
    where post_id = %(post)s and id > %(after)s and {_OWN}
    order by id limit %(limit)s
)
"""  # noqa: S608  (all parts are ours)


async def newest(
    session: AsyncSession, reader: UUID, *, category: str, before: UUID | None, limit: int
) -> Sequence[Any]:
    values = {"reader": reader, "category": category, "before": before or LAST, "limit": limit}
    picked = NEWEST_OF_CATEGORY if category else NEWEST
    return await rows(session, f"{picked} {POST_ROW} {BY_ID}", values)


async def these(session: AsyncSession, reader: UUID, ids: Sequence[UUID]) -> Sequence[Any]:
    values = {"reader": reader, "ids": list(ids)}
    return await rows(session, f"{THESE_POSTS} {POST_ROW} {BY_ID}", values)


async def post(session: AsyncSession, reader: UUID, post_id: UUID) -> Any | None:
    found = await rows(session, f"{ONE_POST} {POST_ROW}", {"reader": reader, "id": post_id})
    return found[0] if found else None


async def replies(
    session: AsyncSession,
    reader: UUID,
    post_id: UUID,
    *,
    only_own: bool,
    after: UUID | None,
    limit: int,
) -> Sequence[Any]:
    values = {"reader": reader, "post": post_id, "after": after or FIRST, "limit": limit}
    picked = OWN_REPLIES if only_own else REPLIES
    return await rows(session, f"{picked} {REPLY_ROW} order by reply.id", values)


# A topic, or a reply in it: each is shown, or one's own.
UNREADABLE: LiteralString = """
select asked.number from unnest(%(readers)s::uuid[], %(posts)s::uuid[], %(replies)s::uuid[])
        with ordinality as asked (reader, post_id, reply_id, number)
    left join forum_posts post on post.id = asked.post_id and (post.state = 'shown'
        or post.author_id = asked.reader and post.state <> 'deleted')
    left join forum_replies reply on reply.id = asked.reply_id and (reply.state = 'shown'
        or reply.author_id = asked.reader and reply.state <> 'deleted')
where post.id is null or (asked.reply_id is not null and reply.id is null)
"""


async def unreadable(
    session: AsyncSession, asked: Sequence[tuple[UUID, UUID, UUID | None]]
) -> list[int]:
    """Of readers, each with a topic and perhaps a reply: where those who find it no more stand."""
    readers, posts, replies = zip(*asked, strict=True)
    values = {"readers": list(readers), "posts": list(posts), "replies": list(replies)}
    return [number - 1 for (number,) in await rows(session, UNREADABLE, values)]


CALLED_OTHERWISE: LiteralString = """
select asked.number, case when account.closed_at is null then account.display_name else '' end
from unnest(%(posts)s::uuid[], %(replies)s::uuid[])
        with ordinality as asked (post_id, reply_id, number)
    left join forum_posts post on post.id = asked.post_id and asked.reply_id is null
    left join forum_replies reply on reply.id = asked.reply_id
    join accounts account on account.id = coalesce(reply.author_id, post.author_id)
where account.closed_at is not null or exists (select from account_handles known
    where known.account_id = account.id and known.retired_at is not null)
"""


async def called_otherwise(
    session: AsyncSession, asked: Sequence[tuple[UUID, UUID | None]]
) -> list[tuple[int, str]]:
    """Of topics, each perhaps with a reply: where those stand whose author closed their account or
    had their name replaced, with how they are called now."""
    posts, replies = zip(*asked, strict=True)
    values = {"posts": list(posts), "replies": list(replies)}
    found = await rows(session, CALLED_OTHERWISE, values)
    return [(number - 1, name) for number, name in found]


SO_MANY_BEFORE: LiteralString = f"""
select id from forum_replies
where post_id = %(post)s and id < %(reply)s and {_READABLE}
order by id desc offset %(count)s limit 1
"""  # noqa: S608  (all parts are ours)


async def so_many_before(
    session: AsyncSession, reader: UUID, post_id: UUID, reply_id: UUID, *, count: int
) -> UUID | None:
    """The reply after which `count` others come, and then this one; None where there is none."""
    values = {"reader": reader, "post": post_id, "reply": reply_id, "count": count}
    found = await rows(session, SO_MANY_BEFORE, values)
    return found[0][0] if found else None


NEWS: LiteralString = """
select count(*) from (
    select from forum_posts
    where state = 'shown' and (%(category)s = '' or category = %(category)s)
        and id >= %(down_to)s and (id <= %(up_to)s or id > %(newest)s)
        and id <> all(%(ids)s::uuid[])
    limit 100
) as news
"""


async def news(session: AsyncSession, listed: Listed, *, category: str) -> int:
    values = {
        "category": category,
        "ids": list(listed.ids),
        "down_to": listed.down_to,
        "up_to": listed.up_to,
        "newest": listed.newest,
    }
    return (await rows(session, NEWS, values))[0][0]


PLAYERS_CALLED: LiteralString = """
select known.account_id from account_handles known
    join accounts account on account.id = known.account_id
where known.handle = any(%(handles)s) and known.retired_at is null
    and account.role <> 'admin' and account.closed_at is null
"""


async def called(session: AsyncSession, handles: Sequence[str]) -> list[UUID]:
    """Those of the forum whom these handles name."""
    found = await rows(session, PLAYERS_CALLED, {"handles": list(handles)})
    return [account_id for (account_id,) in found]


LEADING_SOMEWHERE: LiteralString = f"""
select known.handle, account.id from account_handles known
    join accounts account on account.id = known.account_id
    left join profiles profile on profile.account_id = account.id
where known.handle = any(%(handles)s) and known.retired_at is null and {HAS_PROFILE}
"""  # noqa: S608  (all parts are ours)


async def leading_somewhere(session: AsyncSession, handles: Sequence[str]) -> dict[str, UUID]:
    """Those of these handles whose owner has a profile that is open, and who that is."""
    found = await rows(session, LEADING_SOMEWHERE, {"handles": list(handles)})
    return dict(tuple(row) for row in found)
