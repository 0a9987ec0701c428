"""Telling somebody something, once for each cause."""

from datetime import datetime
from uuid import UUID

from sqlalchemy.dialects.postgresql import insert
from sqlmodel import col

from rewards_app.core import live
from rewards_app.core.database import AsyncSession, run
from rewards_app.core.ids import new_id
from rewards_app.features.notifications.rules import Kind
from rewards_app.models import Notification

TOLD = "notified"
"""Announced with the account's id."""


async def tell(
    session: AsyncSession,
    account_id: UUID,
    kind: Kind,
    *,
    link: str,
    cause: str,
    now: datetime,
    **params: str | int,
) -> bool:
    """Tell this person; False when the same cause has told them before."""
    row = insert(Notification).values(
        id=new_id(),
        account_id=account_id,
        kind=kind.value,
        params=params,
        link=link,
        cause=cause,
        created_at=now,
    )
    told = await run(session, row.on_conflict_do_nothing().returning(col(Notification.id)))
    if told.first() is None:
        return False
    live.announce_after(session, TOLD, str(account_id))
    return True
