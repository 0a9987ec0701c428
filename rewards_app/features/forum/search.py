"""Searching the forum: topics, what was replied to them, their authors; quick for every word."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any
from uuid import UUID

from rewards_app.core.actor import Actor
from rewards_app.core.clock import utc_now
from rewards_app.core.database import AsyncSession, plan_for_these_values
from rewards_app.features.forum import again, calls, rules, topics
from rewards_app.features.forum import search_repository as repository
from rewards_app.features.forum import talk_repository as talk
from rewards_app.features.forum.judging import is_outdated
from rewards_app.features.forum.search_repository import Asked, Hit
from rewards_app.features.forum.talk import FoundIn, Post, Stretch
from rewards_app.features.guardians import service as guardians

A_PAGE = topics.A_PAGE
WINDOW = 5000
"""So many of the newest are looked through one by one: common words are found there at once."""
REPLIES = 2000
"""So many of the replies to them: each of these costs more."""
STRETCHES = 5
"""So many times as many where the newest topics fill the page: what they have is common."""
OF_A_TOPIC = 100
"""So many of its replies are among these: one long talk does not hide all others."""
NAMES, AUTHORS = 200, 50
"""So many people whose name begins so are looked up; so many of them may have written."""
SAMPLE, RARE = 1000, 10
"""Words are rare that stand in so few of so many of the newest topics."""
TURNS = 3
"""So often is searched again where what was found has changed by the rules of today at most."""


async def search(
    session: AsyncSession,
    actor: Actor,
    query: str,
    *,
    category: str = "",
    before: UUID | None = None,
    length: int = A_PAGE,
) -> Stretch[Post]:
    """Topics that are shown and have these words, or a reply that has them, or this author; the
    newest first. Quotes, `or` and `-` work as everywhere."""
    wanted = rules.query_from(query)
    if not wanted:
        return Stretch([], None)
    await plan_for_these_values(session)
    asked = replace(
        await _asked(session, wanted), category=category, before=before, limit=length + 1
    )
    now = utc_now()
    hits, found, said = await _by_rules_of_today(session, actor.user_id, asked, now=now)
    posts = _as_posts(found[:length], said, hits, actor.user_id, now=now)
    items = await calls.as_others_open(session, posts, now=now)
    return Stretch(items, hits[length - 1].post_id if len(hits) > length else None)


async def still_found(
    session: AsyncSession,
    actor: Actor,
    query: str,
    listed: Mapping[UUID, UUID | None],
    *,
    now: datetime,
) -> list[Post]:
    """Those of these topics that are shown, as they are by now, where the reply in which the words
    were found still has them; the newest first."""
    await plan_for_these_values(session)
    asked = await _asked(session, rules.query_from(query))
    hits = [Hit(*one) for one in listed.items()]
    found, said = await _read(session, actor.user_id, asked, hits)
    if await _were_judged_anew(session, found, said, now=now):
        found, said = await _read(session, actor.user_id, asked, hits)
    posts = _as_posts(found, said, hits, actor.user_id, now=now)
    return await calls.as_others_open(session, posts, now=now)


async def _asked(session: AsyncSession, query: str) -> Asked:
    words = await repository.words_of(session, query, is_begun=rules.is_last_word_begun(query))
    return Asked(words, query, excludes="-" in query)


async def _by_rules_of_today(
    session: AsyncSession, reader: UUID, asked: Asked, *, now: datetime, turns: int = TURNS
) -> tuple[list[Hit], Sequence[Any], Sequence[Any]]:
    """What was masked just now may be what was searched for: then it is searched again."""
    hits = await _hits(session, asked)
    found, said = await _read(session, reader, asked, hits)
    if turns and await _were_judged_anew(session, found, said, now=now):
        return await _by_rules_of_today(session, reader, asked, now=now, turns=turns - 1)
    return hits, found, said


async def _hits(session: AsyncSession, asked: Asked) -> list[Hit]:
    """What is common is common lately; what is rare, the index finds."""
    of_authors = await _of_authors(session, asked)
    if not asked.words.all:
        return of_authors
    found = await _lately(session, asked)
    if found is None:
        found = await _ever(session, asked)
    return _newest([*of_authors, *found], asked.limit)


async def _lately(session: AsyncSession, asked: Asked) -> list[Hit] | None:
    """As far down as both topics and replies were looked through; None where that is not enough."""
    of_topics = await repository.topics_lately(session, asked, window=WINDOW)
    is_full = len(of_topics) >= asked.limit
    hits, rest, found, is_all = list(of_topics), asked, list[Hit](), False
    for _ in range(STRETCHES if is_full else 1):
        of_replies = await repository.replies_lately(
            session,
            rest,
            after=of_topics[-1].post_id if is_full else None,
            window=WINDOW,
            replies=REPLIES,
            of_a_topic=OF_A_TOPIC,
        )
        hits += of_replies.found
        found = _newest((hit for hit in hits if hit.post_id > of_replies.down_to), asked.limit)
        if len(found) >= asked.limit:
            return found
        is_all = of_replies.is_all
        # Where it ended may be in the middle of a topic.
        rest = replace(asked, before=UUID(int=of_replies.down_to.int + 1))
    return found if is_all and await _are_all(session, asked) else None


async def _are_all(session: AsyncSession, asked: Asked) -> bool:
    """Whether there are no more topics than are looked through: not every category has many."""
    return await repository.count_topics(session, asked, most=WINDOW + 1) <= WINDOW


async def _ever(session: AsyncSession, asked: Asked) -> list[Hit]:
    """The index finds one word beside a million others, but collects all that begin alike: where
    the words before are rare, it is asked for these alone."""
    words, index = asked.words, asked.words.all
    if words.before_last:
        is_common = await repository.are_common(
            session, words.before_last, sample=SAMPLE, of_them=RARE
        )
        index = index if is_common else words.surely
    return await repository.ever(session, asked, index=index)


async def _of_authors(session: AsyncSession, asked: Asked) -> list[Hit]:
    name = asked.query.removeprefix("@").strip()
    if not name:
        return []
    authors = await repository.authors(
        session, name, is_begun=rules.is_begun(name), names=NAMES, limit=AUTHORS
    )
    may_be_seen = await guardians.seen_among(session, authors, now=utc_now())
    seen = [author for author in authors if author in may_be_seen]
    return await repository.by_authors(session, asked, seen) if seen else []


def _newest(hits: Iterable[Hit], limit: int) -> list[Hit]:
    """Each topic once; a reply leads only to what its topic does not say itself."""
    each: dict[UUID, Hit] = {}
    for hit in hits:
        if hit.post_id not in each or hit.reply_id is None:
            each[hit.post_id] = hit
    return sorted(each.values(), key=lambda hit: hit.post_id, reverse=True)[:limit]


async def _read(
    session: AsyncSession, reader: UUID, asked: Asked, hits: Sequence[Hit]
) -> tuple[Sequence[Any], Sequence[Any]]:
    found = await talk.these(session, reader, [hit.post_id for hit in hits])
    replies = [hit.reply_id for hit in hits if hit.reply_id]
    return found, await repository.said(session, asked, replies)


async def _were_judged_anew(
    session: AsyncSession, found: Sequence[Any], said: Sequence[Any], *, now: datetime
) -> bool:
    of_topics = await again.posts_again(session, found, now=now)
    of_replies = await again.replies_again(session, said, now=now)
    return of_topics or of_replies


def _as_posts(
    found: Sequence[Any], said: Sequence[Any], hits: Sequence[Hit], reader: UUID, *, now: datetime
) -> list[Post]:
    """What the rules of today have not looked at, nobody finds."""
    wanted = {hit.post_id: hit.reply_id for hit in hits}
    texts = {
        row.id: rules.excerpt(row.marked.replace(repository.MARK, ""), row.shown_content)
        for row in said
        if not is_outdated(row.rules_edition)
    }
    posts = []
    for row in found:
        if row.state != "shown" or is_outdated(row.rules_edition):
            continue
        post, reply_id = topics.as_post(row, reader, now=now), wanted[row.id]
        if reply_id is None:
            posts.append(post)
        elif reply_id in texts:
            posts.append(replace(post, found_in=FoundIn(reply_id, texts[reply_id])))
    return posts
