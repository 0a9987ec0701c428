"""What somebody leaves behind in the forum when they are forgotten: places without words."""

import json
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, LiteralString
from uuid import UUID

from rewards_app.core.database import AsyncSession, rows
from rewards_app.core.errors import Param
from rewards_app.features.forum import things
from rewards_app.features.forum.desk_rules import LONGEST_NOTE, Target, about
from rewards_app.features.forum.rules import (
    LONGEST_DRAFT,
    LONGEST_REPLY,
    LONGEST_TEXT,
    LONGEST_TITLE,
)

IN_PLACE = "@deleted"
"""Stands where others called them."""
LONGEST_REASON = 500
"""As it is kept: a key, or a moderator's note with its own."""

# Where others have answered, the topic stays: it is theirs, too.
UNANSWERED: LiteralString = """
select id from forum_posts post where author_id = %(account)s and state <> 'deleted'
    and (state <> 'shown' or not exists (select from forum_replies reply
        where reply.post_id = post.id and reply.state = 'shown'
            and reply.author_id <> post.author_id))
order by id
"""
NOT_SHOWN: LiteralString = """
select id from forum_replies
where author_id = %(account)s and state not in ('shown', 'deleted') order by id
"""
EMPTY_POSTS: LiteralString = """
update forum_posts set title = '', content = '', shown_title = '', shown_content = '',
    violations = '[]', state_reason = '', is_hot = false
where author_id = %(account)s returning id
"""
EMPTY_REPLIES: LiteralString = """
update forum_replies set content = '', shown_content = '', violations = '[]', state_reason = ''
where author_id = %(account)s returning id
"""
SETTLE_REPORTS: LiteralString = """
update forum_reports report set settled_at = %(now)s
where settled_at is null
    and (post_id in (select id from forum_posts where author_id = %(account)s)
        or reply_id in (select id from forum_replies where author_id = %(account)s)
        or profile_id = %(account)s)
returning id
"""


async def abouts_of(session: AsyncSession, account_id: UUID) -> list[str]:
    """How decisions name what they wrote, and their profile."""
    values = {"account": account_id}
    posts = await rows(session, "select id from forum_posts where author_id = %(account)s", values)
    replies = await rows(
        session, "select id from forum_replies where author_id = %(account)s", values
    )
    return [
        *(about(Target.POST, row[0]) for row in posts),
        *(about(Target.REPLY, row[0]) for row in replies),
        about(Target.PROFILE, account_id),
    ]


async def empty(session: AsyncSession, account_id: UUID, *, now: datetime) -> None:
    """Take every word of theirs; threads of others stay whole, and every count true."""
    values = {"account": account_id, "now": now}
    # Replies before topics, as everywhere.
    for (reply_id,) in await rows(session, NOT_SHOWN, values):
        await things.set_state(session, Target.REPLY, reply_id, "deleted", "", now=now)
    await rows(session, EMPTY_REPLIES, values)
    for (post_id,) in await rows(session, UNANSWERED, values):
        await things.set_state(session, Target.POST, post_id, "deleted", "", now=now)
    for query in (EMPTY_POSTS, SETTLE_REPORTS):
        await rows(session, query, values)


@dataclass(frozen=True, slots=True)
class Said:
    """Columns of a table where people call each other, and how long each may be."""

    columns: Sequence[tuple[LiteralString, int]]
    key: LiteralString = "id"
    among: LiteralString = "true"
    """Which rows can have any, where there are too many to read them all."""


def _has_one(folded: LiteralString) -> LiteralString:
    return f"""exists (
        select from unnest(%(calls)s::text[]) as call where strpos({folded}, call) > 0
    )"""


# Replies before topics, as everywhere; what is said of them, and of people, comes after both.
THINGS: Mapping[LiteralString, Said] = {
    "forum_replies": Said(
        (
            *(("content", LONGEST_REPLY), ("shown_content", LONGEST_REPLY)),
            ("state_reason", LONGEST_REASON),
        )
    ),
    "forum_posts": Said(
        (
            *(("title", LONGEST_TITLE), ("content", LONGEST_TEXT)),
            *(("shown_title", LONGEST_TITLE), ("shown_content", LONGEST_TEXT)),
            ("state_reason", LONGEST_REASON),
        )
    ),
}
TEXTS: Mapping[LiteralString, Said] = {
    "forum_drafts": Said((("title", LONGEST_DRAFT), ("content", LONGEST_DRAFT))),
    "forum_reports": Said((("text", LONGEST_NOTE),)),
    "forum_decisions": Said((("reason", LONGEST_REASON),)),
}
NOWHERE: Mapping[LiteralString, Said] = {}
CALLED_IN_BELLS: LiteralString = f"""
select id, params from notifications
where {_has_one("replace(lower(params::text), 'ß', 'ss')")}
order by id for no key update
"""  # noqa: S608  (all parts are ours)
TELL_AGAIN: LiteralString = """
update notifications set params = %(params)s where id = %(id)s returning id
"""


def calls_of(handles: Collection[str]) -> re.Pattern[str]:
    """Handles are folded: who is `strauss` is called `@Strauß` as well."""
    written = "|".join(re.escape(handle).replace("ss", "(?:ss|ß)") for handle in handles)
    return re.compile(rf"(?<![\w@.-])@(?:{written})(?!\w|[.-]+\w)", re.IGNORECASE)


def _calls(handles: Collection[str]) -> list[str]:
    """As they stand in what is folded."""
    return [f"@{handle.lower()}" for handle in handles]


def _folded(said: Said) -> LiteralString:
    text: LiteralString = " || ' ' || ".join(name for name, _ in said.columns)
    return f"replace(lower({text}), 'ß', 'ss')"


async def hold(session: AsyncSession, account_id: UUID, handles: Collection[str]) -> None:
    """Nobody changes what they wrote, or what calls them, before this transaction ends.

    All of it, and before anything else of theirs is changed: whoever decides on a reply takes its
    topic next, then what was said of both, and the figures of whoever wrote it.
    """
    values = {"account": account_id, "calls": _calls(handles)}
    for table, said in THINGS.items():
        query: LiteralString = (
            f"select id from {table} where author_id = %(account)s"  # noqa: S608  (all parts are ours)
            f" or {_has_one(_folded(said))} order by id for update"
        )
        await rows(session, query, values)


async def uncall(
    session: AsyncSession,
    handles: Collection[str],
    elsewhere: Mapping[LiteralString, Said] = NOWHERE,
) -> None:
    """Nobody's text calls these any more; what is searched is made anew with it. All at once, since
    each table is locked in its turn.

    What moderation wrote stays word for word but for the handle: it may be somebody else's soon.
    """
    called, values = calls_of(handles), {"calls": _calls(handles)}
    for texts in (THINGS, elsewhere, TEXTS):
        for table, said in texts.items():
            await _uncall_in(session, table, said, called, values)
    # The bell keeps what a topic was called when it told of it, and what a moderator wrote.
    for told_id, params in await rows(session, CALLED_IN_BELLS, values):
        said = json.dumps({name: _uncalled(called, value) for name, value in params.items()})
        await rows(session, TELL_AGAIN, {"id": told_id, "params": said})


def _uncalled(called: re.Pattern[str], value: Param) -> Param:
    """Lists hold keys of the catalogues."""
    return called.sub(IN_PLACE, value) if isinstance(value, str) else value


async def _uncall_in(
    session: AsyncSession,
    table: LiteralString,
    said: Said,
    called: re.Pattern[str],
    values: Mapping[str, Sequence[str]],
) -> None:
    names: LiteralString = ", ".join(name for name, _ in said.columns)
    query: LiteralString = (
        f"select {said.key}, {names} from {table}"  # noqa: S608  (all parts are ours)
        f" where {said.among} and {_has_one(_folded(said))}"
        f" order by {said.key} for no key update"
    )
    for key, *texts in await rows(session, query, values):
        left = [
            called.sub(IN_PLACE, text)[:most]
            for text, (_, most) in zip(texts, said.columns, strict=True)
        ]
        if left != texts:
            await _change(session, table, said, key, left)


async def _change(
    session: AsyncSession, table: LiteralString, said: Said, key: UUID, texts: Sequence[str]
) -> None:
    changes: LiteralString = ", ".join(f"{name} = %({name})s" for name, _ in said.columns)
    values: dict[str, Any] = {
        name: text for (name, _), text in zip(said.columns, texts, strict=True)
    } | {"key": key}
    query: LiteralString = f"update {table} set {changes} where {said.key} = %(key)s returning 1"  # noqa: S608
    await rows(session, query, values)
