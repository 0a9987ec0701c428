"""A forum of very many posts, whose words are as common and as rare as words of people are."""

import itertools
import random
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import LiteralString
from uuid import UUID

import psycopg

from bench.completions import PERSON
from bench.ledgers import QUICKLY

SEED = 7
WORDS = 40_000
WORDS_A_TITLE, WORDS_A_POST, WORDS_A_REPLY = 6, 34, 12
WRITERS = 20_000
REPLIES = (0, 0, 1, 0, 4)
"""Of a topic, of the next one and so on, again and again: nearly as many as there are topics."""
MINUTES_BETWEEN = 1
CATEGORIES = ("fortnite", "roblox", "minecraft", "apex", "general")
AT_ONCE = 2
LONG_AGO, LATELY = "winterfestival", "springfestival"
"""Of the first tenth every twentieth post had the one word, of the last one the other."""
SYLLABLES = ("ka", "lo", "mir", "ten", "su", "vra", "pel", "dor", "ni", "gash", "fu", "bel")

PEOPLE: tuple[LiteralString, ...] = (
    """insert into accounts (id, email, email_verified_at, password_changed_at, role,
        asked_for_admin, username, display_name, country, language, created_at)
    select person(n), 'writer-' || n || '@example.com', now(), now(), 'player', false, 'W' || n,
        'Writer ' || n, 'SE', 'en', now() - interval '1 year'
    from generate_series(1, %(writers)s) n""",
    """insert into account_handles (handle, account_id)
    select 'w' || n, person(n) from generate_series(1, %(writers)s) n""",
)
COPY: LiteralString = """
copy forum_posts (id, author_id, category, language, title, content, shown_title, shown_content,
    violations, rules_edition, state, state_reason, is_hot, replies_count, likes_count, created_at,
    dictionary) from stdin
"""
COPY_REPLIES: LiteralString = """
copy forum_replies (id, post_id, author_id, language, content, shown_content, violations,
    rules_edition, state, state_reason, likes_count, created_at) from stdin
"""
AFTER: tuple[LiteralString, ...] = (
    "create index ix_forum_posts_search on forum_posts using gin (search) with (fastupdate = off)",
    """insert into forum_writers (account_id, posts, replies)
    select author_id, count(*), 0 from forum_posts group by author_id""",
    """create index ix_forum_replies_search on forum_replies using gin (search)
        with (fastupdate = off) where state = 'shown'""",
)


def vocabulary() -> list[str]:
    """Made-up words, the commonest first: no dictionary knows or shortens them."""
    made = ("".join(parts) for parts in itertools.product(SYLLABLES, repeat=5))
    return list(itertools.islice(made, WORDS))


def _weights() -> list[float]:
    """As often as people's words: the second half as often as the first, and so on."""
    return list(itertools.accumulate(1 / (rank + 2.7) for rank in range(WORDS)))


def fill(url: str, *, posts: int, edition: int) -> None:
    """As many posts, one a minute up to now, written by thousands of people."""
    with psycopg.connect(url, autocommit=True, cursor_factory=psycopg.ClientCursor) as connection:
        connection.execute(PERSON)
        _be_quick(connection)
        for statement in PEOPLE:
            connection.execute(statement, {"writers": WRITERS})
        connection.execute("drop index ix_forum_posts_search, ix_forum_replies_search")
        now = datetime.now(UTC)
        for copy in (
            partial(_copy, url, COPY, _posts),
            partial(_copy, url, COPY_REPLIES, _replies),
        ):
            with ThreadPoolExecutor(AT_ONCE) as both:
                list(both.map(lambda part, of=copy: of(posts, part, edition, now), range(AT_ONCE)))
        for statement in AFTER:
            connection.execute(statement)
        connection.execute("vacuum analyze")
        connection.execute("checkpoint")


def _be_quick(connection: psycopg.Connection) -> None:
    for statement in QUICKLY:
        connection.execute(statement)


def _copy(
    url: str,
    query: LiteralString,
    rows: Callable[..., Iterator[Sequence[object]]],
    *which: object,
) -> None:
    with psycopg.connect(url, autocommit=True) as connection:
        _be_quick(connection)
        with connection.cursor() as cursor, cursor.copy(query) as copy:
            for row in rows(*which):
                copy.write_row(row)


def _posts(posts: int, part: int, edition: int, now: datetime) -> Iterator[Sequence[object]]:
    chance = random.Random(SEED + part)
    words, weights = vocabulary(), _weights()
    for number in range(part, posts, AT_ONCE):
        said = chance.choices(words, cum_weights=weights, k=WORDS_A_TITLE + WORDS_A_POST)
        if chance.random() < 0.05 and (festival := _festival(number / posts)):
            said[-1] = festival
        title, content = " ".join(said[:WORDS_A_TITLE]), " ".join(said[WORDS_A_TITLE:])
        at, replies = _at(now, posts, number), REPLIES[number % len(REPLIES)]
        author = UUID(int=1 + chance.randrange(WRITERS))
        category = chance.choice(CATEGORIES)
        yield (
            *(identifier(at, number), author, category, "en", title, content, title, content),
            *("[]", edition, "shown", "", False, replies, 0, at, "english"),
        )


def _replies(posts: int, part: int, edition: int, now: datetime) -> Iterator[Sequence[object]]:
    """A second after their topic, the first of them."""
    chance = random.Random(f"{SEED} {part}")
    words, weights = vocabulary(), _weights()
    for number in range(part, posts, AT_ONCE):
        at = _at(now, posts, number)
        for seconds in range(1, 1 + REPLIES[number % len(REPLIES)]):
            content = " ".join(chance.choices(words, cum_weights=weights, k=WORDS_A_REPLY))
            author, said = UUID(int=1 + chance.randrange(WRITERS)), at + timedelta(seconds=seconds)
            yield (
                *(identifier(said, number), identifier(at, number), author, "en", content),
                *(content, "[]", edition, "shown", "", 0, said),
            )


def _at(now: datetime, posts: int, number: int) -> datetime:
    return now - timedelta(minutes=MINUTES_BETWEEN * (posts - number), seconds=5)


def _festival(share: float) -> str:
    if share < 0.1:
        return LONG_AGO
    return LATELY if share >= 0.9 else ""


def identifier(at: datetime, number: int) -> UUID:
    """A UUIDv7 of that moment, and of no other row."""
    milliseconds = int(at.timestamp() * 1000)
    return UUID(int=(milliseconds << 80) | (0x7 << 76) | (0x2 << 62) | number)
