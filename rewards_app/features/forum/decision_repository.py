"""What moderators decided, in the database: what it changed, and the log of it."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any, LiteralString
from uuid import UUID

from rewards_app.core.database import AsyncSession, rows
from rewards_app.features.forum.desk_rules import LIFTED, Target
from rewards_app.models import ForumDecision


async def add_decision(
    session: AsyncSession,
    target: Target,
    thing_id: UUID,
    *,
    action: str,
    reason: str,
    by: UUID,
    now: datetime,
) -> None:
    session.add(
        ForumDecision(
            **{f"{target.value}_id": thing_id},
            action=action,
            reason=reason,
            by_account_id=by,
            created_at=now,
        )
    )


AS_WRITTEN_POST: LiteralString = """
update forum_posts set shown_title = title, shown_content = content, violations = '[]',
    rules_edition = %(edition)s where id = %(id)s
"""
AS_WRITTEN_REPLY: LiteralString = """
update forum_replies set shown_content = content, violations = '[]', rules_edition = %(edition)s
where id = %(id)s
"""


async def show_as_written(session: AsyncSession, target: Target, thing_id: UUID) -> None:
    query = AS_WRITTEN_POST if target is Target.POST else AS_WRITTEN_REPLY
    await _execute(session, query, {"id": thing_id, "edition": LIFTED})


LOCKED: LiteralString = "update forum_posts set locked_at = %(at)s where id = %(id)s"
HOT: LiteralString = "update forum_posts set is_hot = %(is_hot)s where id = %(id)s"


async def set_locked(session: AsyncSession, post_id: UUID, at: datetime | None) -> None:
    await _execute(session, LOCKED, {"at": at, "id": post_id})


async def set_hot(session: AsyncSession, post_id: UUID, is_hot: bool) -> None:
    await _execute(session, HOT, {"is_hot": is_hot, "id": post_id})


async def _execute(session: AsyncSession, query: LiteralString, values: dict[str, Any]) -> None:
    connection = await session.connection()
    await connection.exec_driver_sql(query, values)  # pyright: ignore[reportArgumentType]


LINES: LiteralString = """
select decision.id, decision.action, decision.reason, decision.created_at,
    coalesce(moderator.display_name, '') as by_name,
    case when decision.post_id is not null then 'post'
        when decision.reply_id is not null then 'reply' else 'profile' end as target,
    coalesce(decision.post_id, decision.reply_id, decision.profile_id) as thing_id,
    coalesce(nullif(post.title, ''), nullif(topic.shown_title, ''),
        case when decision.profile_id is not null and author.closed_at is null
            then author.display_name end, '–') as topic,
    author.display_name as author, coalesce(handle.handle, '') as handle
from picked decision
    left join accounts moderator on moderator.id = decision.by_account_id
    left join forum_posts post on post.id = decision.post_id
    left join forum_replies reply on reply.id = decision.reply_id
    left join forum_posts topic on topic.id = reply.post_id
    join accounts author
        on author.id = coalesce(post.author_id, reply.author_id, decision.profile_id)
    left join account_handles handle
        on handle.account_id = author.id and handle.retired_at is null
            and author.closed_at is null
order by decision.id desc
"""
NEWEST: LiteralString = """
with picked as materialized (
    select * from forum_decisions
    where id < %(before)s and (%(action)s = '' or action = %(action)s)
    order by id desc limit %(limit)s
)
"""
OF_AUTHOR: LiteralString = """
with author as (select account_id as id from account_handles where handle = %(handle)s),
picked as materialized (
    select * from forum_decisions
    where id < %(before)s and (%(action)s = '' or action = %(action)s)
        and (post_id in (select id from forum_posts where author_id in (select id from author))
            or reply_id in (
                select id from forum_replies where author_id in (select id from author))
            or profile_id in (select id from author))
    order by id desc limit %(limit)s
)
"""
OF_THING: LiteralString = """
with picked as materialized (
    select * from forum_decisions
    where (%(target)s = 'post' and post_id = %(id)s)
        or (%(target)s = 'reply' and reply_id = %(id)s)
        or (%(target)s = 'profile' and profile_id = %(id)s)
    order by id desc limit %(limit)s
)
"""
LAST = UUID(int=2**128 - 1)


@dataclass(frozen=True, slots=True)
class Decided:
    """A line of the log of moderation."""

    id: UUID
    action: str
    reason: str
    created_at: datetime
    by_name: str
    target: Target
    thing_id: UUID
    topic: str
    author: str
    handle: str


async def log(
    session: AsyncSession, *, handle: str, action: str, before: UUID | None, limit: int
) -> list[Decided]:
    values = {"handle": handle, "action": action, "before": before or LAST, "limit": limit}
    picked = OF_AUTHOR if handle else NEWEST
    return [_decided(row) for row in await rows(session, f"{picked} {LINES}", values)]


async def decisions_on(
    session: AsyncSession, target: Target, thing_id: UUID, *, limit: int
) -> list[Decided]:
    values = {"target": target.value, "id": thing_id, "limit": limit}
    return [_decided(row) for row in await rows(session, f"{OF_THING} {LINES}", values)]


def _decided(row: Any) -> Decided:
    values = list(row)
    values[5] = Target(values[5])
    return Decided(*values)


AGAINST_AUTHOR: LiteralString = """
select count(*) from (
    select from forum_decisions decision join forum_posts post on post.id = decision.post_id
    where post.author_id = %(author)s and decision.action = 'hide' and not exists (
        select from forum_decisions later where later.post_id = decision.post_id
            and later.id > decision.id and later.action in ('restore', 'as_written')
    )
    union all
    select from forum_decisions decision join forum_replies reply on reply.id = decision.reply_id
    where reply.author_id = %(author)s and decision.action = 'hide' and not exists (
        select from forum_decisions later where later.reply_id = decision.reply_id
            and later.id > decision.id and later.action in ('restore', 'as_written')
    )
    union all
    select from forum_decisions decision
    where decision.profile_id = %(author)s and decision.action = 'hide' and not exists (
        select from forum_decisions later where later.profile_id = decision.profile_id
            and later.id > decision.id and later.action = 'restore'
    )
) as hidden
"""


async def hidden_before(session: AsyncSession, author_id: UUID) -> int:
    """How often something of this person was hidden and not shown again."""
    return (await rows(session, AGAINST_AUTHOR, {"author": author_id}))[0][0]


DECIDED_AT: LiteralString = """
select max(created_at) from forum_decisions
where (%(target)s = 'post' and post_id = %(id)s or %(target)s = 'reply' and reply_id = %(id)s
        or %(target)s = 'profile' and profile_id = %(id)s)
    and action in ('hide', 'restore', 'as_written', 'lock')
"""


async def decided_at(session: AsyncSession, target: Target, thing_id: UUID) -> datetime | None:
    values = {"target": target.value, "id": thing_id}
    return (await rows(session, DECIDED_AT, values))[0][0]


LOCK_REASON: LiteralString = """
select reason from forum_decisions where post_id = %(id)s and action = 'lock'
order by id desc limit 1
"""
HIDE_REASON: LiteralString = """
select reason from forum_decisions
where profile_id = %(id)s and action = 'hide' and created_at <= %(at)s
order by id desc limit 1
"""


async def lock_reason(session: AsyncSession, post_id: UUID) -> str:
    """Why a topic was locked the last time; empty where nobody said."""
    return await _reason(session, LOCK_REASON, {"id": post_id})


async def hide_reason(session: AsyncSession, account_id: UUID, *, at: datetime) -> str:
    """Why words of a profile were hidden then; empty where nobody said."""
    return await _reason(session, HIDE_REASON, {"id": account_id, "at": at})


async def _reason(session: AsyncSession, query: LiteralString, values: dict[str, Any]) -> str:
    found = await rows(session, query, values)
    return found[0][0] if found else ""
