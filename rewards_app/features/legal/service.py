"""Telling people of the terms and the privacy policy, and remembering that they were told."""

from datetime import datetime
from uuid import UUID

from rewards_app.core.database import AsyncSession
from rewards_app.features.legal import repository, rules
from rewards_app.features.legal.rules import Document, Edition


async def note_reading(
    session: AsyncSession,
    account_id: UUID,
    document: Document | None = None,
    *,
    at_sign_up: bool = False,
    now: datetime,
) -> None:
    """This person was told of all that is new in `document`, or in both; again changes nothing."""
    news = rules.untold([]) if at_sign_up else await untold(account_id)
    editions = [one for one in news if document in (None, one.document)]
    if editions:
        await repository.note(session, account_id, editions, at_sign_up=at_sign_up, now=now)


async def forget_readings(session: AsyncSession, account_id: UUID) -> None:
    """Of an account that becomes somebody else's, who was told of nothing yet."""
    await repository.forget(session, account_id)


async def untold(account_id: UUID) -> list[Edition]:
    return rules.untold(await repository.read_by(account_id))
