"""What the frame shows: players online, and of each player the balance and the ads of today.

Each worker tells whom it is connected to, everybody counts all of them.
"""

from collections.abc import Collection
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from uuid import UUID

from rewards_app.core.actor import Actor
from rewards_app.core.database import AsyncSession, transaction
from rewards_app.core.errors import StorageAway, StorageFull
from rewards_app.features.accounts import service as accounts
from rewards_app.features.ads import standings
from rewards_app.features.advertiser import membership
from rewards_app.features.advertiser.rules import Status
from rewards_app.features.coins import service as coins
from rewards_app.features.profile import unlocking
from rewards_app.features.shell import repository

TELL_EVERY = timedelta(seconds=5)
SILENT_AFTER = timedelta(seconds=30)
LEARN_EVERY = timedelta(minutes=10)
ESTIMATED_PERCENT = 15
NEVER = datetime.min.replace(tzinfo=UTC)


async def players_online(
    session: AsyncSession, worker_id: UUID, here: Collection[UUID], *, now: datetime
) -> int:
    """Tell who is connected here; how many players are connected anywhere."""
    await repository.tell(session, worker_id, here, forgotten=now - 10 * SILENT_AFTER, now=now)
    return await repository.count(session, since=now - SILENT_AFTER)


class Estimate:
    """How many players are online where nobody can count them: a share of all that were known."""

    def __init__(self) -> None:
        self._players = 0
        self._learned_at = self._counted_at = NEVER

    async def learn(self, *, now: datetime) -> None:
        """They could be counted just now; how many there are in all is asked once in a while."""
        self._counted_at = now
        if now - self._learned_at >= LEARN_EVERY:
            self._players, self._learned_at = await accounts.players(), now

    def at(self, now: datetime) -> int | None:
        """None while the last count stands: as long as a worker may be silent."""
        if now - self._counted_at <= SILENT_AFTER:
            return None
        return self._players * ESTIMATED_PERCENT // 100


@dataclass(frozen=True, slots=True)
class Bar:
    """What the second bar shows of a player."""

    balance: int
    ads_today: int
    time_zone: str
    """As the server knows it; empty while no browser has told it."""
    day_ends_at: datetime


async def bar(account_id: UUID, *, now: datetime) -> Bar:
    """With every page, so here a day begins, also without an ad."""
    standing = await standings.standing(account_id, now=now)
    if standing.is_new_day:
        # Else with the next page.
        with suppress(StorageAway, StorageFull):
            await _begin_day(account_id, now=now)
    balance = await coins.balance_of(account_id)
    return Bar(balance.balance, standing.ads_today, standing.time_zone, standing.day_ends_at)


async def _begin_day(account_id: UUID, *, now: datetime) -> None:
    async with transaction() as session:
        # What the day before was good for is found on it alone, and nobody may have looked yet.
        last = await standings.last_day(session, account_id, now=now)
        await unlocking.check(session, [account_id], since=last.starts_at, now=now)
        await standings.begin_day(session, account_id, now=now)


async def company_of(account_id: UUID) -> str:
    """The company that a player acts for; empty where they act for none, or it is not approved."""
    async with transaction() as session:
        found = await membership.membership_of(session, account_id)
    return found.company if found and found.status is Status.APPROVED else ""


async def tell_time_zone(session: AsyncSession, actor: Actor, zone: str, *, now: datetime) -> None:
    await standings.tell_time_zone(session, actor, zone, now=now)
