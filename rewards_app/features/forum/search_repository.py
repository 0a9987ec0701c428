"""What is searched in the database: topics, what was replied to them, and by whom they are."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, LiteralString
from uuid import UUID

from rewards_app.core.database import AsyncSession, rows
from rewards_app.core.like import literally
from rewards_app.features.forum.rules import DICTIONARIES
from rewards_app.features.forum.talk_repository import FIRST, HAS_PROFILE, LAST

_EACH: list[LiteralString] = sorted({*DICTIONARIES.values()})
_IN_EACH: list[LiteralString] = [f"websearch_to_tsquery('{name}', %(query)s)" for name in _EACH]
WORDS: LiteralString = f"""
select coalesce(string_agg(distinct '(' || words || ')', ' | '), ''),
    cast(websearch_to_tsquery('simple', %(query)s) as text),
    cast(websearch_to_tsquery('simple', %(before_last)s) as text)
from (
    select unnest(array[{", ".join(_IN_EACH)}])::text
) as each_language (words)
where words <> ''
"""  # noqa: S608  (all parts are ours)
"""A word in each language's own stem: whichever language a text has, one of them is its own.
Most languages agree on most words: looked for once, they take half the time. Beside them all the
words as they are typed, and those before the last one."""
MATCHES: LiteralString = """
search @@ %(asked)s::tsquery
    and (not %(excludes)s or search @@ websearch_to_tsquery(dictionary, %(query)s))
"""
"""What is left out must be left out in the text's own language."""
SHOWN: LiteralString = """
state = 'shown' and id < %(before)s and (%(category)s = '' or category = %(category)s)
"""
TOPICS_LATELY: LiteralString = f"""
select id from (
    select id, search, dictionary from forum_posts where {SHOWN} order by id desc limit %(window)s
) as lately
where {MATCHES} order by id desc limit %(limit)s
"""  # noqa: S608  (all parts are ours)
REPLIES_LATELY: LiteralString = f"""
with said as materialized (
    select topic.id as post_id, reply.id, {MATCHES} as is_found
    from (
        select id from forum_posts where {SHOWN} and id > %(after)s
        order by id desc limit %(window)s
    ) as topic, lateral (
        select id, search, dictionary from forum_replies
        where post_id = topic.id and state = 'shown' order by id desc limit %(of_a_topic)s
    ) as reply
    order by topic.id desc, reply.id desc limit %(replies)s
), found as (
    select distinct on (post_id) post_id, id from said where is_found
    order by post_id desc, id desc limit %(limit)s
), last as (
    select post_id from said order by post_id limit 1
)
select post_id, id from found
union all
select post_id, null from last where (select count(*) from said) = %(replies)s
union all
select null, null from (
    select from said group by post_id having count(*) = %(of_a_topic)s limit 1
) as long_talk
"""  # noqa: S608  (all parts are ours)
SO_MANY: LiteralString = f"""
select count(*) from (select from forum_posts where {SHOWN} limit %(most)s) as topics
"""  # noqa: S608  (all parts are ours)
SO_COMMON: LiteralString = """
select count(*) from (
    select search from forum_posts where state = 'shown' order by id desc limit %(sample)s
) as lately where search @@ %(words)s::tsquery
"""
FOUND: LiteralString = f"search @@ %(index)s::tsquery and coalesce({MATCHES}, false)"
"""The index is asked for the first, and what it finds is looked through for the second."""
EVER: LiteralString = f"""
with found as materialized (
    select id as post_id, null::uuid as reply_id from forum_posts where {SHOWN} and {FOUND}
    union all
    select post_id, id from forum_replies
    where state = 'shown' and post_id < %(before)s and {FOUND}
), each_topic as (
    select distinct on (post_id) post_id, reply_id from found
    order by post_id desc, reply_id desc nulls first
)
select post_id, reply_id from each_topic join forum_posts on id = post_id
where {SHOWN} order by post_id desc limit %(limit)s
"""  # noqa: S608  (all parts are ours)
BY_AUTHORS: LiteralString = f"""
select topic.id from unnest(%(authors)s::uuid[]) as named (author), lateral (
    select id from forum_posts where author_id = named.author and {SHOWN}
    order by id desc limit %(limit)s
) as topic
order by id desc limit %(limit)s
"""  # noqa: S608  (all parts are ours)
AUTHORS: LiteralString = rf"""
select account.id from (
    (select id from accounts where lower(display_name) like %(name)s escape '\'
    order by lower(display_name) using ~<~ limit %(names)s)
    union
    select account_id from account_handles where handle = %(handle)s and retired_at is null
) as named
    join accounts account on account.id = named.id
    join forum_writers writer on writer.account_id = account.id
    left join profiles profile on profile.account_id = account.id
where writer.posts > 0 and {HAS_PROFILE}
order by lower(account.display_name) using ~<~, account.id limit %(limit)s
"""  # noqa: S608  (all parts are ours)
MARK: LiteralString = "\x02"
AROUND: LiteralString = f"'MinWords=12, MaxWords=24, ShortWord=0, StartSel={MARK}, StopSel={MARK}'"
SAID: LiteralString = f"""
select id, post_id, language, content, shown_content, violations, rules_edition, state,
    case when strpos(by_stems, '{MARK}') > 0 then by_stems
        else ts_headline('simple', shown_content, %(asked)s::tsquery, {AROUND})
    end as marked
from forum_replies, lateral (
    select ts_headline(dictionary, shown_content, %(asked)s::tsquery, {AROUND}) as by_stems offset 0
) as excerpt
where id = any(%(ids)s) and state = 'shown' and {MATCHES}
"""  # noqa: S608  (all parts are ours)
"""A word that was only begun is found by its letters where no stem is the same."""


@dataclass(frozen=True, slots=True)
class Hit:
    post_id: UUID
    reply_id: UUID | None = None
    """The newest reply that has the words, where the topic itself does not."""


@dataclass(frozen=True, slots=True)
class Words:
    """What is looked for, as PostgreSQL writes it; all of it is empty where there are no words."""

    whole: str = ""
    begun: str = ""
    """The same where the last word may be only begun; empty where it may not."""
    before_last: str = ""
    """Of what is begun, the words before that."""

    @property
    def all(self) -> str:
        return _either(self.whole, self.begun)

    @property
    def surely(self) -> str:
        """What has all of the words has these."""
        return _either(self.whole, self.before_last) if self.before_last else self.all


@dataclass(frozen=True, slots=True)
class Asked:
    """What is looked for, and in which topics."""

    words: Words
    query: str
    excludes: bool
    category: str = ""
    before: UUID | None = None
    limit: int = 0

    @property
    def values(self) -> dict[str, Any]:
        return {
            "asked": self.words.all,
            "query": self.query,
            "excludes": self.excludes,
            "category": self.category,
            "before": self.before or LAST,
            "limit": self.limit,
        }


def _either(one: str, other: str) -> str:
    return " | ".join(f"({words})" for words in (one, other) if words)


async def words_of(session: AsyncSession, query: str, *, is_begun: bool) -> Words:
    before_last = query.rpartition(" ")[0] if is_begun else ""
    values = {"query": query, "before_last": before_last}
    whole, typed, typed_before = (await rows(session, WORDS, values))[0]
    # Where it ends with a sign or nothing, there is no word to go on.
    if not (is_begun and typed.endswith("'")):
        return Words(whole)
    return Words(whole, f"{typed}:*", typed_before)


async def topics_lately(session: AsyncSession, asked: Asked, *, window: int) -> list[Hit]:
    found = await rows(session, TOPICS_LATELY, asked.values | {"window": window})
    return [Hit(post_id) for (post_id,) in found]


@dataclass(frozen=True, slots=True)
class Lately:
    found: list[Hit]
    down_to: UUID
    """All replies to the topics after this one were looked through, or the newest of many."""
    is_all: bool
    """Whether these are all replies to the topics that were looked at."""


async def replies_lately(
    session: AsyncSession,
    asked: Asked,
    *,
    after: UUID | None,
    window: int,
    replies: int,
    of_a_topic: int,
) -> Lately:
    """Topics later than `after`, each with the newest of its replies that has the words."""
    more = {"after": after or FIRST, "window": window, "replies": replies, "of_a_topic": of_a_topic}
    said = await rows(session, REPLIES_LATELY, asked.values | more)
    found = [Hit(*row) for row in said if row[1]]
    signs = [post_id for post_id, reply_id in said if reply_id is None]
    return Lately(found, next(filter(None, signs), FIRST), not signs)


async def count_topics(session: AsyncSession, asked: Asked, *, most: int) -> int:
    return (await rows(session, SO_MANY, asked.values | {"most": most}))[0][0]


async def are_common(session: AsyncSession, words: str, *, sample: int, of_them: int) -> bool:
    found = await rows(session, SO_COMMON, {"words": words, "sample": sample})
    return found[0][0] > of_them


async def ever(session: AsyncSession, asked: Asked, *, index: str) -> list[Hit]:
    """`index`: words that whatever is looked for has; what has them is looked through."""
    return [Hit(*row) for row in await rows(session, EVER, asked.values | {"index": index})]


async def authors(
    session: AsyncSession, name: str, *, is_begun: bool, names: int, limit: int
) -> list[UUID]:
    """Who has written topics, is called so and has a profile that may be opened: of those whose
    name only begins so, the first by the alphabet."""
    values = {
        "name": literally(name.lower()) + ("%" if is_begun else ""),
        "handle": name.lower(),
        "names": names,
        "limit": limit,
    }
    return [account_id for (account_id,) in await rows(session, AUTHORS, values)]


async def by_authors(session: AsyncSession, asked: Asked, authors: Sequence[UUID]) -> list[Hit]:
    found = await rows(session, BY_AUTHORS, asked.values | {"authors": list(authors)})
    return [Hit(post_id) for (post_id,) in found]


async def said(session: AsyncSession, asked: Asked, ids: Sequence[UUID]) -> Sequence[Any]:
    """Those of these replies that are shown and have the words."""
    return await rows(session, SAID, asked.values | {"ids": list(ids)}) if ids else []
