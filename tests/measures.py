"""Restrictions as admins decide them, and as the app does by itself."""

from datetime import datetime
from uuid import UUID

from rewards_app.core.actor import Actor
from rewards_app.core.database import transaction
from rewards_app.features.accounts.restriction_rules import AUTOMATIC_REASON
from rewards_app.features.fraud import measures
from rewards_app.features.signals.rules import Rule
from rewards_app.features.support import appeals
from tests.people import NOON

REASON = "Ads were reported as over before they were."
APPEAL = "My little brother clicked, it was not me."


async def pauses(
    admin: Actor | None, account_id: UUID, reason: str = REASON, *, now: datetime = NOON
) -> UUID | None:
    async with transaction() as session:
        return await measures.pause_earning(session, admin, account_id, reason, now=now)


async def suspends(
    admin: Actor | None, account_id: UUID, reason: str = REASON, *, now: datetime = NOON
) -> UUID | None:
    async with transaction() as session:
        return await measures.suspend(session, admin, account_id, reason, now=now)


async def suspends_by_itself(
    account_id: UUID, *grounds: Rule, risk: int = 95, now: datetime = NOON
) -> UUID | None:
    async with transaction() as session:
        return await measures.suspend(
            session,
            None,
            account_id,
            AUTOMATIC_REASON,
            risk_score=risk,
            grounds=grounds,
            now=now,
        )


async def pauses_by_itself(
    account_id: UUID, *grounds: Rule, risk: int = 75, now: datetime = NOON
) -> UUID | None:
    async with transaction() as session:
        return await measures.pause_earning(
            session,
            None,
            account_id,
            AUTOMATIC_REASON,
            risk_score=risk,
            grounds=grounds,
            now=now,
        )


async def resumes(
    admin: Actor, seen: UUID, reason: str = "It was a mistake.", *, now: datetime = NOON
) -> None:
    async with transaction() as session:
        await measures.resume_earning(session, admin, seen, reason, now=now)


async def restores(
    admin: Actor, seen: UUID, reason: str = "It was a mistake.", *, now: datetime = NOON
) -> None:
    async with transaction() as session:
        await measures.restore(session, admin, seen, reason, now=now)


async def appeals_against(
    player: Actor, restriction_id: UUID, message: str = APPEAL, *, now: datetime = NOON
) -> int:
    async with transaction() as session:
        return await appeals.appeal(session, player, restriction_id, message, now=now)
