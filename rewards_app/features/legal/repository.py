"""Who was told of which edition, in the database."""

from collections.abc import Iterable
from datetime import datetime
from typing import LiteralString
from uuid import UUID

from sqlalchemy.dialects.postgresql import insert
from sqlmodel import col, delete

from rewards_app.core.database import AsyncSession, lookup_all, run
from rewards_app.features.legal.rules import Edition
from rewards_app.models import LegalReading

READ: LiteralString = "select document, edition from legal_readings where account_id = %s"


async def read_by(account_id: UUID) -> set[tuple[str, int]]:
    return {(document, edition) for document, edition in await lookup_all(READ, (account_id,))}


async def note(
    session: AsyncSession,
    account_id: UUID,
    editions: Iterable[Edition],
    *,
    at_sign_up: bool,
    now: datetime,
) -> None:
    """The first time counts."""
    readings = [
        {
            "account_id": account_id,
            "document": one.document.value,
            "edition": one.number,
            "at_sign_up": at_sign_up,
            "read_at": now,
        }
        for one in editions
    ]
    await run(session, insert(LegalReading).values(readings).on_conflict_do_nothing())


async def forget(session: AsyncSession, account_id: UUID) -> None:
    await run(session, delete(LegalReading).where(col(LegalReading.account_id) == account_id))
