"""Made people who wait for the doors to open."""

from datetime import datetime, timedelta

from rewards_app.core.database import transaction
from rewards_app.core.ids import new_id
from rewards_app.models import WaitlistEntry
from tests.people import NOON


async def somebody_waits(
    email: str = "", *, notified: bool = False, is_confirmed: bool = True, at: datetime = NOON
) -> WaitlistEntry:
    entry = WaitlistEntry(
        confirmed_at=at if is_confirmed else None,
        stands_at=at if is_confirmed else None,
        email=email or f"waiting-{new_id().hex[-12:]}@example.com",
        notified=notified,
        created_at=at,
        asked_at=at,
    )
    async with transaction() as session:
        session.add(entry)
    return entry


async def people_wait(count: int, *, at: datetime = NOON) -> list[WaitlistEntry]:
    """One a minute, the newest first."""
    return [await somebody_waits(at=at - number * timedelta(minutes=1)) for number in range(count)]
