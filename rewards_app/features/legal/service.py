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
    """This person knows the newest edition of `document`, or of both; again changes nothing."""
    documents = [document] if document else [*Document]
    editions = [rules.newest(one) for one in documents]
    await repository.note(session, account_id, editions, at_sign_up=at_sign_up, now=now)


async def untold(account_id: UUID) -> list[Edition]:
    return rules.untold(await repository.read_by(account_id))
