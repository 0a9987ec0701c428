"""What is written in topics and replies, from who writes it to what is left when it is deleted."""

import json
from datetime import datetime
from typing import Any, LiteralString
from uuid import UUID

from rewards_app.core.database import AsyncSession, rows, write
from rewards_app.core.ids import first_id_since
from rewards_app.features.forum.judging import Judged
from rewards_app.features.forum.rules import AN_HOUR, Writer, dictionary_of

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
