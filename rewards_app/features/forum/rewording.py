"""What follows where a player's profile says something else than before."""

from datetime import datetime
from uuid import UUID

from rewards_app.core import live
from rewards_app.core.database import AsyncSession
from rewards_app.features.forum import desk_repository, desk_rules, profiles
from rewards_app.features.forum.desk_rules import Target
from rewards_app.features.forum.reports import DESK
from rewards_app.features.support import service as support


async def begin(session: AsyncSession, account_id: UUID) -> None:
    """After the account and before what is written: as it is locked by whoever decides on it."""
    await desk_repository.lock_appeal(session, Target.PROFILE, account_id)


async def says_something_else(session: AsyncSession, account_id: UUID, *, now: datetime) -> None:
    """Once it was written. Whoever has changed all that was hidden takes their appeal back."""
    await profiles.note_said(session, account_id, now=now)
    is_hidden = await profiles.hidden_at(session, account_id) is not None
    if not is_hidden:
        await support.withdraw(session, desk_rules.about(Target.PROFILE, account_id), now=now)
    if is_hidden or await profiles.is_reported(session, account_id):
        live.announce_after(session, DESK, str(account_id))
    live.announce_after(session, profiles.CHANGED, str(account_id))
