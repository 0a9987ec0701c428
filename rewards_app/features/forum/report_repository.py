"""What players say of topics and replies, in the database."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from sqlalchemy.dialects.postgresql import insert
from sqlmodel import col, select, update

from rewards_app.core.database import AsyncSession, run
from rewards_app.core.ids import new_id
from rewards_app.features.forum.desk_rules import Target
from rewards_app.models import ForumReport


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
    """False where this person reported it before."""
    row = insert(ForumReport).values(
        id=new_id(),
        **{f"{target.value}_id": thing_id},
        account_id=account_id,
        reason=reason,
        text=text,
        created_at=now,
    )
    added = await run(session, row.on_conflict_do_nothing().returning(col(ForumReport.id)))
    return added.first() is not None


@dataclass(frozen=True, slots=True)
class Report:
    """What somebody says of it; who it was does not matter for the decision."""

    id: UUID
    reason: str
    text: str
    created_at: datetime


async def reports_of(
    session: AsyncSession, target: Target, thing_id: UUID, *, limit: int
) -> list[Report]:
    """The open ones, newest first."""
    query = (
        select(ForumReport.id, ForumReport.reason, ForumReport.text, ForumReport.created_at)
        .where(_column(target) == thing_id, col(ForumReport.settled_at).is_(None))
        .order_by(col(ForumReport.id).desc())
        .limit(limit)
    )
    return [Report(*row) for row in (await session.exec(query)).all()]


async def settle_reports(
    session: AsyncSession, target: Target, thing_id: UUID, *, up_to: UUID | None, now: datetime
) -> None:
    """Those that were seen: what comes meanwhile waits for another decision."""
    if up_to is None:
        return
    query = update(ForumReport).where(
        _column(target) == thing_id,
        col(ForumReport.settled_at).is_(None),
        col(ForumReport.id) <= up_to,
    )
    await session.exec(query.values(settled_at=now))


def _column(target: Target) -> Any:
    return col(ForumReport.post_id if target is Target.POST else ForumReport.reply_id)
