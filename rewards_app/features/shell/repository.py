"""Presence in the database."""

from collections.abc import Collection
from datetime import datetime
from uuid import UUID

from sqlalchemy import func
from sqlalchemy.dialects.postgresql import insert
from sqlmodel import col, delete, select

from rewards_app.core.database import AsyncSession, run
from rewards_app.models import Presence


async def tell(
    session: AsyncSession, worker_id: UUID, players: Collection[UUID], *, now: datetime
) -> None:
    """`players`, and nobody else, are connected to this worker."""
    await session.exec(
        delete(Presence).where(
            col(Presence.worker_id) == worker_id, col(Presence.account_id).not_in(players)
        )
    )
    if players:
        rows = [{"worker_id": worker_id, "account_id": one, "seen_at": now} for one in players]
        added = insert(Presence).values(rows)
        await run(
            session,
            added.on_conflict_do_update(
                index_elements=["worker_id", "account_id"], set_={"seen_at": now}
            ),
        )


async def count(session: AsyncSession, *, since: datetime) -> int:
    people = func.count(col(Presence.account_id).distinct())
    return (await session.exec(select(people).where(col(Presence.seen_at) > since))).one()


async def forget_silent(session: AsyncSession, *, before: datetime) -> None:
    await session.exec(delete(Presence).where(col(Presence.seen_at) < before))
