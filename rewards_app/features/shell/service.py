"""What the frame shows: players online, and of each player the balance and the ads of today.

Each worker tells whom it is connected to, everybody counts all of them.
"""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from rewards_app.core.actor import Actor
from rewards_app.core.database import AsyncSession
from rewards_app.features.ads import standings
from rewards_app.features.coins import service as coins
from rewards_app.features.shell import repository

TELL_EVERY = timedelta(seconds=5)
SILENT_AFTER = timedelta(seconds=30)


async def players_online(
    session: AsyncSession, worker_id: UUID, here: Collection[UUID], *, now: datetime
) -> int:
    """Tell who is connected here; how many players are connected anywhere."""
    await repository.tell(session, worker_id, here, forgotten=now - 10 * SILENT_AFTER, now=now)
    return await repository.count(session, since=now - SILENT_AFTER)


@dataclass(frozen=True, slots=True)
class Bar:
    """What the second bar shows of a player."""

    balance: int
    ads_today: int
    time_zone: str
    """As the server knows it; empty while no browser has told it."""


async def bar(account_id: UUID, *, now: datetime) -> Bar:
    standing = await standings.standing(account_id, now=now)
    balance = await coins.balance_of(account_id)
    return Bar(balance.balance, standing.ads_today, standing.time_zone)


async def tell_time_zone(session: AsyncSession, actor: Actor, zone: str, *, now: datetime) -> None:
    await standings.tell_time_zone(session, actor, zone, now=now)
