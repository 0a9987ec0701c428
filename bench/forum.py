"""The forum with a million posts: search, pages and moderation, each against its own measure.

Search is asked for common words, rare ones, words of long ago and words that never meet; without
the index PostgreSQL may answer in whichever other way it likes best. A page is asked for in turns
with one row by its key. What is moderated and stored are the posts of the demo, in eight languages.
"""

import asyncio
import tempfile
import time
from collections import defaultdict
from collections.abc import Awaitable, Callable, Sequence
from statistics import median, quantiles
from typing import LiteralString
from uuid import UUID

import psycopg

from bench import ledgers, posts
from bench.completions import a_database
from bench.report import Row
from bench.sites import Sites
from rewards_app.core.actor import Actor, Role
from rewards_app.core.clock import utc_now
from rewards_app.core.database import AsyncSession, dispose_engine, rows, transaction, write
from rewards_app.core.ids import new_id
from rewards_app.features.forum import figures, search, topics
from rewards_app.features.forum.demo_talk import TALK
from rewards_app.features.moderation.rules import EDITION, moderate

POSTS = 1_000_000
PAGES = 1000
TIMES, WARM_UP, SEARCHES = 40, 10, 8
MODERATED_TIMES = 20
SEARCH_GOAL, PAGE_GOAL, LATER_GOAL, MODERATION_GOAL = 0.02, 20, 1.5, 1.0

VIEWER = UUID(int=1)
A_KEY: LiteralString = "select * from forum_posts where id = %(id)s"
WITHOUT_INDEX: LiteralString = """
select id from forum_posts
where state = 'shown' and search @@ websearch_to_tsquery('english', %s)
order by id desc limit 21
"""
STORE: LiteralString = """
insert into forum_posts (id, author_id, category, language, title, content, shown_title,
    shown_content, violations, rules_edition, state, state_reason, is_hot, replies_count,
    likes_count, created_at, dictionary)
values (%(id)s, %(author)s, %(category)s, %(language)s, %(title)s, %(text)s, %(title)s, %(text)s,
    '[]', 1, 'shown', '', false, 0, 0, %(now)s, 'english') returning id
"""


def _queries() -> dict[str, str]:
    word = posts.vocabulary()
    return {
        "the commonest word": word[0],
        "a common word": word[10],
        "one in a hundred": word[200],
        "one in a thousand": word[1500],
        "a rare word": word[20_000],
        "the rarest word": word[-1],
        "no word of any post": "zyxwvut",
        "a word of long ago": posts.LONG_AGO,
        "two common words": f"{word[1]} {word[5]}",
        "a common word and a rare one": f"{word[0]} {word[25_000]}",
        "two words that never meet": f"{posts.LONG_AGO} {posts.LATELY}",
        "either of two": f"{word[300]} or {word[400]}",
        "one without another": f"{word[100]} -{word[0]}",
        "a phrase": f'"{word[0]} {word[1]}"',
        "five words": " ".join(word[:5]),
        "the beginning of common words": word[0][:6],
        "a rare word and the beginning of common ones": f"{word[25_000]} {word[0][:4]}",
        "the beginning of a rare word": word[-1][:-1],
        "an author": "Writer 4711",
        "how many authors are called": "Writer",
    }


Waits = dict[str, list[float]]
KEY, FIRST, OF_ONE, SECOND, LATER, SIDE = (
    "a row by its key",
    "first page",
    "first page of a category",
    "Load More",
    "page 1,000",
    "figures beside it",
)


def measure(_: Sites | None, *, count: int = POSTS, pages: int = PAGES) -> list[Row]:
    with (
        tempfile.TemporaryDirectory(prefix="rewards-bench-") as folder,
        a_database(folder) as url,
    ):
        posts.fill(url, posts=count, edition=EDITION)
        ledgers.use(url)
        before = _cursor(url, pages)
        waits = asyncio.run(_pages(before))
        found = asyncio.run(_searched())
        plain = _searched_without_index(url)
        moderated = _moderation()
    return [*_of_pages(waits, count), *_of_search(found, plain, count), moderated]


def _of_pages(waits: Waits, count: int) -> list[Row]:
    key = median(waits[KEY])
    rows = [
        Row(
            f"forum, {name} of {count:,} posts / {KEY}",
            median(waits[name]) / key,
            "x",
            PAGE_GOAL,
            f"{median(waits[name]) * 1e3:.2f} ms / {key * 1e3:.2f} ms, medians of"
            f" {len(waits[KEY])}, in turns",
        )
        for name in (FIRST, OF_ONE, SECOND, LATER, SIDE)
    ]
    return [
        *rows,
        Row(
            f"forum, {LATER} / {FIRST}, {count:,} posts",
            median(waits[LATER]) / median(waits[FIRST]),
            "x",
            LATER_GOAL,
            f"{median(waits[LATER]) * 1e3:.2f} ms / {median(waits[FIRST]) * 1e3:.2f} ms",
        ),
    ]


def _of_search(found: Waits, plain: Waits, count: int) -> list[Row]:
    every = [wait for waits in found.values() for wait in waits]
    scanned = [wait for waits in plain.values() for wait in waits]
    ours, theirs = _p95(every), _p95(scanned)
    worst = max(found, key=lambda name: median(found[name]))
    return [
        Row(
            f"forum, search of {count:,} posts, p95 / without the index",
            ours / theirs,
            "x",
            SEARCH_GOAL,
            f"{ours * 1e3:.1f} ms / {theirs * 1e3:.0f} ms, {len(found)} kinds of words, common and"
            f" rare; slowest: {worst}, {median(found[worst]) * 1e3:.1f} ms",
        ),
        Row(
            "forum, search, median",
            median(every) * 1e3,
            "ms",
            against=f"{median(scanned) * 1e3:.0f} ms without the index",
        ),
    ]


def _p95(waits: Sequence[float]) -> float:
    return quantiles(waits, n=20)[18]


def _actor() -> Actor:
    return Actor(VIEWER, VIEWER, Role.PLAYER, "W1", "w1@example.com", utc_now(), True)


def _cursor(url: str, page: int) -> UUID:
    """After which topic that page begins."""
    with psycopg.connect(url) as connection:
        found = connection.execute(
            "select id from forum_posts order by id desc offset %s limit 1",
            ((page - 1) * topics.A_PAGE - 1,),
        ).fetchone()
    assert found
    return found[0]


async def _pages(before: UUID) -> Waits:
    waits: Waits = defaultdict(list)
    actor = _actor()
    try:
        async with transaction() as session:
            first = await topics.latest(session, actor)
        asked: dict[str, Ask] = {
            KEY: lambda s: rows(s, A_KEY, {"id": first.items[-1].id}),
            FIRST: lambda s: topics.latest(s, actor),
            OF_ONE: lambda s: topics.latest(s, actor, category="minecraft"),
            SECOND: lambda s: topics.latest(s, actor, before=first.next_cursor),
            LATER: lambda s: topics.latest(s, actor, before=before),
            SIDE: lambda s: figures.figures(s, now=utc_now()),
        }
        for number in range(WARM_UP + TIMES):
            for name, ask in asked.items():
                wait = await _timed(ask)
                if number >= WARM_UP:
                    waits[name].append(wait)
    finally:
        await dispose_engine()
    return waits


Ask = Callable[[AsyncSession], Awaitable[object]]


async def _timed(ask: Ask) -> float:
    begun = time.perf_counter()
    async with transaction() as session:
        await ask(session)
    return time.perf_counter() - begun


async def _searched() -> Waits:
    """Each query again and again, as the page asks it."""
    waits: Waits = defaultdict(list)
    actor = _actor()
    try:
        for number in range(1 + SEARCHES):
            for name, query in _queries().items():
                wait = await _timed(lambda s, q=query: search.search(s, actor, q))
                if number:
                    waits[name].append(wait)
    finally:
        await dispose_engine()
    return waits


def _searched_without_index(url: str) -> Waits:
    waits: Waits = defaultdict(list)
    with psycopg.connect(url, autocommit=True) as connection:
        # The index of words can only be read this way.
        connection.execute("set enable_bitmapscan = off")
        for name, query in _queries().items():
            begun = time.perf_counter()
            connection.execute(WITHOUT_INDEX, (query,)).fetchall()
            waits[name].append(time.perf_counter() - begun)
    return waits


def _moderation() -> Row:
    """What moderation takes of a post, against storing it as it is."""
    thinking = [_thought(topic.title, topic.text, topic.language) for topic in TALK * 2]
    storing = asyncio.run(_stored())
    return Row(
        "moderating a post / storing it",
        median(thinking) / median(storing),
        "x",
        MODERATION_GOAL,
        f"{median(thinking) * 1e3:.2f} ms / {median(storing) * 1e3:.2f} ms, medians; the"
        f" {len(TALK)} topics of the demo, in eight languages",
    )


def _thought(title: str, text: str, language: str) -> float:
    moderate(text, language)
    begun = time.perf_counter()
    for _ in range(MODERATED_TIMES):
        moderate(title, language)
        moderate(text, language)
    return (time.perf_counter() - begun) / MODERATED_TIMES


async def _stored() -> list[float]:
    waits: list[float] = []
    try:
        for topic in TALK * MODERATED_TIMES:
            values = {
                "id": new_id(),
                "author": VIEWER,
                "category": topic.category,
                "language": topic.language,
                "title": topic.title,
                "text": topic.text,
                "now": utc_now(),
            }
            begun = time.perf_counter()
            async with transaction() as session:
                await write(session, STORE, values)
            waits.append(time.perf_counter() - begun)
    finally:
        await dispose_engine()
    return waits
