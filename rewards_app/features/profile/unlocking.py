"""Unlocking achievements: soon after the deed, each once, and the moment in which that is seen."""

import math
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from time import monotonic
from uuid import UUID

import structlog

from rewards_app.core import live, tabs
from rewards_app.core.clock import utc_now
from rewards_app.core.database import AsyncSession, transaction
from rewards_app.core.rounds import rounds
from rewards_app.features.coins import service as coins
from rewards_app.features.notifications import service as notifications
from rewards_app.features.notifications.rules import Kind
from rewards_app.features.profile import achievements, repository
from rewards_app.features.profile.achievements import Achievement
from rewards_app.features.shop import buying

_log = structlog.get_logger(__name__)

UNLOCKED = "achievement_unlocked"
"""Announced with the account's id."""
SHOWN_AT = "/profile#achievements"
LOOK_EVERY_SECONDS = 1.0
LOOK_AGAIN_AFTER_SECONDS = 6.0
"""Days in a row are counted a little later than coins are."""
SWEEP_EVERY_SECONDS = 20.0
AT_ONCE = 500


async def check(
    session: AsyncSession,
    accounts: Collection[UUID],
    *,
    since: datetime | None = None,
    now: datetime,
) -> list[tuple[UUID, Achievement]]:
    """Unlock what these players have reached; what was unlocked before stays as it is.

    `since` is when their last day began; where it is not said, that was lately.
    """
    found = await repository.deeds_of(session, accounts, since=since, now=now)
    new = [
        (known.account_id, achievement)
        for known in found
        for achievement in achievements.newly_met(known.deeds, known.unlocked)
    ]
    # In one order: workers that unlock the same ones wait for each other in line.
    return [one for one in sorted(new) if await _unlock(session, *one, now=now)]


async def _unlock(
    session: AsyncSession, account_id: UUID, achievement: Achievement, *, now: datetime
) -> bool:
    if not await repository.unlock(session, account_id, achievement, now=now):
        return False
    await notifications.tell(
        session,
        account_id,
        Kind.ACHIEVEMENT,
        link=SHOWN_AT,
        cause=f"achievement:{achievement}",
        now=now,
        name=[f"achievements.{achievement}"],
    )
    live.announce_after(session, UNLOCKED, str(account_id))
    _log.info("achievement.unlocked", account_id=str(account_id), achievement=achievement.value)
    return True


@dataclass
class Lookout:
    """Whom this worker looks at next: people with an open tab. Others are met when they come."""

    soon: set[UUID] = field(default_factory=set[UUID])
    later: dict[UUID, float] = field(default_factory=dict[UUID, float])
    swept_at: float = -math.inf

    async def note(self, key: str) -> None:
        """Somebody's coins or orders have changed."""
        account_id = UUID(key)
        if tabs.plays(account_id):
            self.soon.add(account_id)
            # Whoever earns without a pause is looked at again all the same.
            self.later.setdefault(account_id, monotonic() + LOOK_AGAIN_AFTER_SECONDS)

    def take(self, now: float) -> list[UUID]:
        """Those who are due, each once; now and then everybody."""
        due = self.soon | {account_id for account_id, at in self.later.items() if at <= now}
        self.soon = set()
        for account_id in due:
            if self.later.get(account_id, now + 1) <= now:
                del self.later[account_id]
        if now - self.swept_at >= SWEEP_EVERY_SECONDS:
            self.swept_at = now
            due |= tabs.players()
        return sorted(due)


lookout = Lookout()


def listen() -> None:
    for topic in (coins.CHANGED, buying.CHANGED):
        live.on(topic, lookout.note)


async def keep_looking() -> None:
    """Run for the life of a worker; who is missed once is looked at in the next sweep."""
    await rounds(
        lambda: look_at(lookout.take(monotonic())), LOOK_EVERY_SECONDS, "achievements.not_checked"
    )


async def look_at(accounts: Sequence[UUID]) -> None:
    for start in range(0, len(accounts), AT_ONCE):
        async with transaction() as session:
            await check(session, accounts[start : start + AT_ONCE], now=utc_now())


async def waiting(account_id: UUID) -> int:
    """How many achievements this player has not been congratulated on."""
    return await repository.uncelebrated(account_id)


async def note_reading(session: AsyncSession, account_id: UUID, *, now: datetime) -> None:
    """This player is shown what they have unlocked."""
    await notifications.read_there(session, account_id, [SHOWN_AT], now=now)


async def celebrate(session: AsyncSession, account_id: UUID, *, now: datetime) -> list[Achievement]:
    """What is to be celebrated now, in the table's order; nobody is told of it again."""
    told = await repository.celebrate(session, account_id, now=now)
    return [one for one in achievements.RULES if one.value in told]
