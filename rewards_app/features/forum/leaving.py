"""What somebody leaves behind in the forum when they are forgotten: places without words."""

import re
from collections.abc import Sequence
from datetime import datetime
from typing import Any, LiteralString
from uuid import UUID

from rewards_app.core.database import AsyncSession, rows
from rewards_app.features.forum import things
from rewards_app.features.forum.desk_rules import Target, about
from rewards_app.features.forum.rules import LONGEST_DRAFT

IN_PLACE = "@deleted"
"""Stands where others called them."""

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
        or reply_id in (select id from forum_replies where author_id = %(account)s))
returning id
"""


async def abouts_of(session: AsyncSession, account_id: UUID) -> list[str]:
    """How decisions name what they wrote."""
    values = {"account": account_id}
    posts = await rows(session, "select id from forum_posts where author_id = %(account)s", values)
    replies = await rows(
        session, "select id from forum_replies where author_id = %(account)s", values
    )
    return [
        *(about(Target.POST, row[0]) for row in posts),
        *(about(Target.REPLY, row[0]) for row in replies),
    ]


async def empty(session: AsyncSession, account_id: UUID, *, now: datetime) -> None:
    """Take every word of theirs; threads of others stay whole, and every count true."""
    values = {"account": account_id, "now": now}
    for (post_id,) in await rows(session, UNANSWERED, values):
        await things.set_state(session, Target.POST, post_id, "deleted", "", now=now)
    for (reply_id,) in await rows(session, NOT_SHOWN, values):
        await things.set_state(session, Target.REPLY, reply_id, "deleted", "", now=now)
    for query in (EMPTY_POSTS, EMPTY_REPLIES, SETTLE_REPORTS):
        await rows(session, query, values)


TEXTS: dict[LiteralString, Sequence[tuple[LiteralString, int]]] = {
    "forum_posts": (
        *(("title", 120), ("content", 5000)),
        *(("shown_title", 120), ("shown_content", 5000)),
    ),
    "forum_replies": (("content", 3000), ("shown_content", 3000)),
    "forum_drafts": (("title", LONGEST_DRAFT), ("content", LONGEST_DRAFT)),
}
"""Where people call each other, and how long it may be."""
CALLED_IN_TITLES: LiteralString = """
select id, params->>'title' from notifications
where strpos(lower(params->>'title'), %(called)s) > 0 order by id for update
"""
RETITLE: LiteralString = """
update notifications set params = params || jsonb_build_object('title', %(title)s::text)
where id = %(id)s returning id
"""


async def uncall(session: AsyncSession, handle: str) -> None:
    """Nobody's text calls that handle any more; what is searched is made anew with it."""
    if not handle:
        return
    called = re.compile(rf"(?<![\w@.-])@{re.escape(handle)}(?!\w|[.-]+\w)", re.IGNORECASE)
    values = {"called": f"@{handle.lower()}"}
    for table, columns in TEXTS.items():
        names: LiteralString = ", ".join(name for name, _ in columns)
        text: LiteralString = " || ' ' || ".join(name for name, _ in columns)
        query: LiteralString = (
            f"select id, {names} from {table}"  # noqa: S608  (all parts are ours)
            f" where strpos(lower({text}), %(called)s) > 0 order by id for update"
        )
        for thing_id, *texts in await rows(session, query, values):
            said = [
                called.sub(IN_PLACE, said)[:most]
                for said, (_, most) in zip(texts, columns, strict=True)
            ]
            if said != texts:
                await _change(session, table, columns, thing_id, said)
    # The bell keeps what a topic was called when it told of it.
    for told_id, title in await rows(session, CALLED_IN_TITLES, values):
        await rows(session, RETITLE, {"id": told_id, "title": called.sub(IN_PLACE, title)})


async def _change(
    session: AsyncSession,
    table: LiteralString,
    columns: Sequence[tuple[LiteralString, int]],
    thing_id: UUID,
    texts: Sequence[str],
) -> None:
    changes: LiteralString = ", ".join(f"{name} = %({name})s" for name, _ in columns)
    values: dict[str, Any] = {
        name: said for (name, _), said in zip(columns, texts, strict=True)
    } | {"id": thing_id}
    query: LiteralString = f"update {table} set {changes} where id = %(id)s returning id"  # noqa: S608
    await rows(session, query, values)
