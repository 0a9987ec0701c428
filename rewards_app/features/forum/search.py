"""Searching topics: in the language of each, the newest hits first, quick for every word."""

from typing import Any, LiteralString
from uuid import UUID

from rewards_app.core.actor import Actor
from rewards_app.core.clock import utc_now
from rewards_app.core.database import AsyncSession, plan_for_these_values, rows
from rewards_app.features.forum import rules, topics
from rewards_app.features.forum import talk_repository as repository
from rewards_app.features.forum.talk import Post, Stretch

A_PAGE = topics.A_PAGE
WINDOW = 5000
"""So many of the newest are looked through one by one: common words are found there at once."""

ASKED: LiteralString = """
select string_agg(distinct '(' || asked::text || ')', ' | ') from unnest(array[
    websearch_to_tsquery('english', %(query)s), websearch_to_tsquery('french', %(query)s),
    websearch_to_tsquery('german', %(query)s), websearch_to_tsquery('italian', %(query)s),
    websearch_to_tsquery('russian', %(query)s), websearch_to_tsquery('simple', %(query)s),
    websearch_to_tsquery('spanish', %(query)s), websearch_to_tsquery('swedish', %(query)s)
]) as asked where numnode(asked) > 0
"""
"""A word in each language's own stem: whichever language a topic has, one of them is its own.
Most languages agree on most words: looked for once, they take half the time."""
MATCHES: LiteralString = """
search @@ %(asked)s::tsquery
    and (not %(excludes)s or search @@ websearch_to_tsquery(dictionary, %(query)s))
"""
"""What is left out must be left out in the topic's own language."""
SHOWN: LiteralString = """
state = 'shown' and id < %(before)s and (%(category)s = '' or category = %(category)s)
"""
LATELY: LiteralString = f"""
select id from (
    select id, search, dictionary from forum_posts where {SHOWN} order by id desc limit %(window)s
) as lately
where {MATCHES} order by id desc limit %(limit)s
"""  # noqa: S608  (all parts are ours)
EVER: LiteralString = f"""
with found as materialized (select id from forum_posts where {SHOWN} and {MATCHES})
select id from found order by id desc limit %(limit)s
"""  # noqa: S608  (all parts are ours)


async def search(
    session: AsyncSession,
    actor: Actor,
    query: str,
    *,
    category: str = "",
    before: UUID | None = None,
    length: int = A_PAGE,
) -> Stretch[Post]:
    """Topics that are shown and have these words; quotes, `or` and `-` work as everywhere."""
    wanted = rules.query_from(query)
    reader, now = actor.user_id, utc_now()
    if not wanted:
        return Stretch([], None)
    ids = await _ids(session, wanted, category=category, before=before, limit=length + 1)
    found = await topics.rows_shown(session, reader, ids, now=now)
    return topics.as_stretch(found, reader, length=length, now=now)


async def _ids(
    session: AsyncSession, query: str, *, category: str, before: UUID | None, limit: int
) -> list[UUID]:
    """What is common is common lately; what is rare, the index finds."""
    asked = (await rows(session, ASKED, {"query": query}))[0][0]
    if asked is None:
        return []
    values: dict[str, Any] = {
        "query": query,
        "asked": asked,
        "excludes": "-" in query,
        "category": category,
        "before": before or repository.LAST,
        "window": WINDOW,
        "limit": limit,
    }
    await plan_for_these_values(session)
    lately = await rows(session, LATELY, values)
    found = lately if len(lately) >= limit else await rows(session, EVER, values)
    return [post_id for (post_id,) in found]
