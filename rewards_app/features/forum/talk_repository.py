"""Topics and replies in the database, with what their readers see beside them."""

import json
from collections.abc import Sequence
from datetime import datetime
from typing import Any, LiteralString
from uuid import UUID

from rewards_app.core.database import AsyncSession, rows, write
from rewards_app.core.ids import first_id_since
from rewards_app.features.forum.judging import Judged
from rewards_app.features.forum.rules import AN_HOUR, Writer, dictionary_of

LAST = UUID(int=2**128 - 1)
FIRST = UUID(int=0)

# As profiles say it: companies have none, and of who is suspended none is shown.
_HAS_PROFILE: LiteralString = """
account.closed_at is null and coalesce(profile.is_public, true)
    and account.role in ('player', 'moderator') and not exists (
        select from account_restrictions held where held.account_id = account.id
            and held.kind = 'suspended' and held.ended_at is null)
"""
# Whose thing it is sees it in every state but deleted; others see what is shown.
POST_ROW: LiteralString = f"""
select post.id, post.author_id, account.display_name as author,
    coalesce(known.handle, '') as handle,
    {_HAS_PROFILE} as is_public,
    account.role, post.category, post.language, post.title, post.content, post.shown_title,
    post.shown_content, post.violations, post.rules_edition, post.state, post.state_reason,
    post.is_hot, post.locked_at, post.replies_count, post.likes_count, post.edited_at,
    post.created_at, mine.id is not null as is_liked
from picked join forum_posts post on post.id = picked.id
    join accounts account on account.id = post.author_id
    left join account_handles known
        on known.account_id = account.id and account.closed_at is null
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
    {_HAS_PROFILE} as is_public,
    account.role, reply.language, reply.content, reply.shown_content, reply.violations,
    reply.rules_edition, reply.state, reply.state_reason, reply.likes_count, reply.edited_at,
    reply.created_at, mine.id is not null as is_liked,
    topic.state = 'shown' and topic.locked_at is null as is_topic_open
from picked join forum_replies reply on reply.id = picked.id
    join forum_posts topic on topic.id = reply.post_id
    join accounts account on account.id = reply.author_id
    left join account_handles known
        on known.account_id = account.id and account.closed_at is null
    left join profiles profile on profile.account_id = account.id
    left join forum_likes mine on mine.reply_id = reply.id and mine.account_id = %(reader)s
"""  # noqa: S608  (all parts are ours)
_READABLE: LiteralString = "(state = 'shown' or (author_id = %(reader)s and state <> 'deleted'))"
REPLIES: LiteralString = f"""
with picked as materialized (
    select id from forum_replies
    where post_id = %(post)s and id > %(after)s and {_READABLE}
    order by id limit %(limit)s
)
"""  # noqa: S608  (all parts are ours)
ONE_REPLY: LiteralString = "with picked as (select %(id)s::uuid as id)"


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
    session: AsyncSession, reader: UUID, post_id: UUID, *, after: UUID | None, limit: int
) -> Sequence[Any]:
    values = {"reader": reader, "post": post_id, "after": after or FIRST, "limit": limit}
    return await rows(session, f"{REPLIES} {REPLY_ROW} order by reply.id", values)


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


async def reply(session: AsyncSession, reader: UUID, reply_id: UUID) -> Any | None:
    found = await rows(session, f"{ONE_REPLY} {REPLY_ROW}", {"reader": reader, "id": reply_id})
    return found[0] if found else None


NEWER: LiteralString = """
select count(*) from (
    select from forum_posts
    where state = 'shown' and (%(category)s = '' or category = %(category)s) and id > %(after)s
    limit 100
) as newer
"""


async def newer(session: AsyncSession, *, category: str, after: UUID) -> int:
    return (await rows(session, NEWER, {"category": category, "after": after}))[0][0]


WRITING: LiteralString = """
insert into forum_writers (account_id, posts, replies) values (%(author)s, 0, 0)
on conflict (account_id) do update set posts = forum_writers.posts
returning account_id
"""
PACE_OF_TOPICS: LiteralString = """
select account.created_at,
    (select created_at from forum_posts where author_id = account.id order by id desc limit 1),
    recent.count, recent.oldest
from accounts account, lateral (
    select count(*)::int as count, min(created_at) as oldest from forum_posts
    where author_id = account.id and id >= %(first)s and created_at > %(since)s
) as recent
where account.id = %(author)s
"""
PACE_OF_REPLIES: LiteralString = PACE_OF_TOPICS.replace("forum_posts", "forum_replies")


async def writer_of_topics(session: AsyncSession, author: UUID, *, now: datetime) -> Writer:
    """How the author wrote until now; nothing else of theirs is written before this transaction
    ends."""
    return await _writer(session, author, PACE_OF_TOPICS, now=now)


async def writer_of_replies(session: AsyncSession, author: UUID, *, now: datetime) -> Writer:
    return await _writer(session, author, PACE_OF_REPLIES, now=now)


async def _writer(
    session: AsyncSession, author: UUID, pace: LiteralString, *, now: datetime
) -> Writer:
    await write(session, WRITING, {"author": author})
    since = now - AN_HOUR
    values = {"author": author, "since": since, "first": first_id_since(since)}
    found = await rows(session, pace, values)
    return Writer(*found[0])


ADD_POST: LiteralString = """
insert into forum_posts (id, author_id, category, language, title, content, shown_title,
    shown_content, violations, rules_edition, state, state_reason, is_hot, replies_count,
    likes_count, created_at, dictionary)
values (%(id)s, %(author)s, %(category)s, %(language)s, %(title)s, %(content)s, %(shown_title)s,
    %(shown_content)s, %(violations)s, %(edition)s, %(state)s, '', false, 0, 0, %(now)s,
    %(dictionary)s::text::regconfig)
returning id
"""
ADD_REPLY: LiteralString = """
insert into forum_replies (id, post_id, author_id, language, content, shown_content, violations,
    rules_edition, state, state_reason, likes_count, created_at)
values (%(id)s, %(post)s, %(author)s, %(language)s, %(content)s, %(shown_content)s,
    %(violations)s, %(edition)s, %(state)s, '', 0, %(now)s)
returning id
"""


def _judged(judged: Judged, edition: int) -> dict[str, Any]:
    return {
        "shown_title": judged.shown_title,
        "shown_content": judged.shown_content,
        "violations": json.dumps(judged.violations),
        "edition": edition,
    }


async def add_post(
    session: AsyncSession,
    post_id: UUID,
    author: UUID,
    *,
    category: str,
    language: str,
    title: str,
    content: str,
    judged: Judged,
    edition: int,
    state: str,
    now: datetime,
) -> None:
    values = {
        "id": post_id,
        "author": author,
        "category": category,
        "language": language,
        "title": title,
        "content": content,
        "state": state,
        "now": now,
        "dictionary": dictionary_of(language),
    }
    await write(session, ADD_POST, values | _judged(judged, edition))


async def add_reply(
    session: AsyncSession,
    reply_id: UUID,
    post_id: UUID,
    author: UUID,
    *,
    language: str,
    content: str,
    judged: Judged,
    edition: int,
    state: str,
    now: datetime,
) -> None:
    values = {
        "id": reply_id,
        "post": post_id,
        "author": author,
        "language": language,
        "content": content,
        "state": state,
        "now": now,
    }
    await write(session, ADD_REPLY, values | _judged(judged, edition))


LOCK_POST: LiteralString = """
select author_id, state, locked_at, category, title, content, shown_title, shown_content,
    created_at, rules_edition, state_reason
from forum_posts where id = %(id)s for update
"""
LOCK_REPLY: LiteralString = """
select author_id, state, post_id, content, created_at, rules_edition, state_reason
from forum_replies where id = %(id)s for update
"""


async def lock_post(session: AsyncSession, post_id: UUID) -> Any | None:
    """The topic, which nobody changes before this transaction ends."""
    found = await rows(session, LOCK_POST, {"id": post_id})
    return found[0] if found else None


async def lock_reply(session: AsyncSession, reply_id: UUID) -> Any | None:
    found = await rows(session, LOCK_REPLY, {"id": reply_id})
    return found[0] if found else None


CHANGE_POST: LiteralString = """
update forum_posts set title = %(title)s, content = %(content)s, language = %(language)s,
    dictionary = %(dictionary)s::text::regconfig, shown_title = %(shown_title)s,
    shown_content = %(shown_content)s, violations = %(violations)s, rules_edition = %(edition)s,
    edited_at = %(edited_at)s
where id = %(id)s
returning id
"""
CHANGE_REPLY: LiteralString = """
update forum_replies set content = %(content)s, language = %(language)s,
    shown_content = %(shown_content)s, violations = %(violations)s, rules_edition = %(edition)s,
    edited_at = %(edited_at)s
where id = %(id)s
returning id
"""


async def change_post(
    session: AsyncSession,
    post_id: UUID,
    *,
    language: str,
    title: str,
    content: str,
    judged: Judged,
    edition: int,
    edited_at: datetime,
) -> None:
    """What was written anew, into a topic that is locked."""
    values = {
        "id": post_id,
        "language": language,
        "title": title,
        "content": content,
        "edited_at": edited_at,
        "dictionary": dictionary_of(language),
    }
    await write(session, CHANGE_POST, values | _judged(judged, edition))


async def change_reply(
    session: AsyncSession,
    reply_id: UUID,
    *,
    language: str,
    content: str,
    judged: Judged,
    edition: int,
    edited_at: datetime,
) -> None:
    values = {"id": reply_id, "language": language, "content": content, "edited_at": edited_at}
    await write(session, CHANGE_REPLY, values | _judged(judged, edition))


# Only the words that were judged: meanwhile there may be others, or none.
SHOW_POST: LiteralString = """
update forum_posts set shown_title = %(shown_title)s, shown_content = %(shown_content)s,
    violations = %(violations)s, rules_edition = %(edition)s
where id = %(id)s and rules_edition < %(edition)s and state <> 'deleted'
    and title = %(title)s and content = %(content)s
returning state
"""
SHOW_REPLY: LiteralString = """
update forum_replies set shown_content = %(shown_content)s, violations = %(violations)s,
    rules_edition = %(edition)s
where id = %(id)s and rules_edition < %(edition)s and state <> 'deleted'
    and content = %(content)s
returning state
"""


async def show_post(
    session: AsyncSession, post_id: UUID, *, title: str, content: str, judged: Judged, edition: int
) -> str | None:
    """What later rules leave of these words: the state of the topic, which is locked now; None
    where it has other words meanwhile, or was judged."""
    values = {"id": post_id, "title": title, "content": content}
    found = await write(session, SHOW_POST, values | _judged(judged, edition))
    return found[0] if found else None


async def show_reply(
    session: AsyncSession, reply_id: UUID, *, content: str, judged: Judged, edition: int
) -> str | None:
    values = {"id": reply_id, "content": content}
    found = await write(session, SHOW_REPLY, values | _judged(judged, edition))
    return found[0] if found else None


EMPTY_POST: LiteralString = """
update forum_posts set title = '', content = '', shown_title = '', shown_content = '',
    violations = '[]' where id = %(id)s returning id
"""
EMPTY_REPLY: LiteralString = """
update forum_replies set content = '', shown_content = '', violations = '[]'
where id = %(id)s returning id
"""


async def empty_post(session: AsyncSession, post_id: UUID) -> None:
    """Its words are gone for everybody; that there was a topic stays for those who replied."""
    await write(session, EMPTY_POST, {"id": post_id})


async def empty_reply(session: AsyncSession, reply_id: UUID) -> None:
    await write(session, EMPTY_REPLY, {"id": reply_id})


PLAYERS_CALLED: LiteralString = """
select known.account_id from account_handles known
    join accounts account on account.id = known.account_id
where known.handle = any(%(handles)s) and account.role <> 'admin' and account.closed_at is null
"""


async def called(session: AsyncSession, handles: Sequence[str]) -> list[UUID]:
    """Those of the forum whom these handles name."""
    found = await rows(session, PLAYERS_CALLED, {"handles": list(handles)})
    return [account_id for (account_id,) in found]
