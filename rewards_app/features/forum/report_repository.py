"""What players say of topics, replies and profiles, in the database."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, LiteralString
from uuid import UUID

from sqlmodel import col, select

from rewards_app.core.database import AsyncSession, rows, write
from rewards_app.core.ids import new_id
from rewards_app.features.forum.desk_rules import Target
from rewards_app.models import ForumReport

# What was settled was said of other words where it was changed since: it may be said again.
ADD: LiteralString = """
insert into forum_reports (id, {column}, account_id, reason, text, created_at)
values (%(id)s, %(thing)s, %(account)s, %(reason)s, %(text)s, %(now)s)
on conflict ({column}, account_id) where {column} is not null do update set id = excluded.id,
    reason = excluded.reason, text = excluded.text, created_at = excluded.created_at,
    settled_at = null
where forum_reports.settled_at < (
    select {changed_at} from {table} where {key} = %(thing)s
)
returning id
"""


def _add(
    column: LiteralString, table: LiteralString, key: LiteralString, changed_at: LiteralString
) -> LiteralString:
    named = ADD.replace("{column}", column).replace("{table}", table)
    return named.replace("{key}", key).replace("{changed_at}", changed_at)


ADD_OF: dict[Target, LiteralString] = {
    Target.POST: _add("post_id", "forum_posts", "id", "edited_at"),
    Target.REPLY: _add("reply_id", "forum_replies", "id", "edited_at"),
    Target.PROFILE: _add("profile_id", "profiles", "account_id", "said_at"),
}
COLUMNS: dict[Target, Any] = {
    Target.POST: col(ForumReport.post_id),
    Target.REPLY: col(ForumReport.reply_id),
    Target.PROFILE: col(ForumReport.profile_id),
}


async def add_report(
    session: AsyncSession,
    target: Target,
    thing_id: UUID,
    account_id: UUID,
    *,
    reason: str,
    text: str,
    now: datetime,
) -> bool:
    """False where this person reported these words before."""
    values = {
        "id": new_id(),
        "thing": thing_id,
        "account": account_id,
        "reason": reason,
        "text": text,
        "now": now,
    }
    return await write(session, ADD_OF[target], values) is not None


async def is_settled(
    session: AsyncSession, target: Target, thing_id: UUID, account_id: UUID
) -> bool:
    """Whether what this person reported was decided on."""
    query = select(ForumReport.settled_at).where(
        COLUMNS[target] == thing_id, ForumReport.account_id == account_id
    )
    return (await session.exec(query)).first() is not None


@dataclass(frozen=True, slots=True)
class Report:
    """What somebody says of it; who it was does not matter for the decision."""

    id: UUID
    reason: str
    text: str
    created_at: datetime


async def open_reports(session: AsyncSession, target: Target, thing_id: UUID) -> Sequence[UUID]:
    """All of them, the newest first."""
    query = select(ForumReport.id).where(
        COLUMNS[target] == thing_id, col(ForumReport.settled_at).is_(None)
    )
    return (await session.exec(query.order_by(col(ForumReport.id).desc()))).all()


async def said_in(session: AsyncSession, reports: Sequence[UUID]) -> list[Report]:
    """The newest first."""
    query = select(ForumReport.id, ForumReport.reason, ForumReport.text, ForumReport.created_at)
    found = await session.exec(
        query.where(col(ForumReport.id).in_(reports)).order_by(col(ForumReport.id).desc())
    )
    return [Report(*row) for row in found.all()]


# Locked in the order of their ids, as everywhere; an update takes rows as it finds them.
SETTLE: LiteralString = """
with read as materialized (
    select id from forum_reports where id = any(%(read)s::uuid[]) and settled_at is null
    order by id for no key update
)
update forum_reports report set settled_at = %(now)s from read where report.id = read.id
returning report.id
"""


async def settle(session: AsyncSession, read: Collection[UUID], *, now: datetime) -> None:
    """Those that were read, and no other, however low its id: a worker's clock makes it, and
    nobody sees it until it is committed. What was not read waits for another decision."""
    await rows(session, SETTLE, {"read": [*read], "now": now})
