"""When people were born: told once by its owner, sealed, and never changed."""

from collections.abc import Collection
from datetime import date, datetime
from uuid import UUID

import structlog

from rewards_app.core import limits, live
from rewards_app.core.actor import Actor, Role
from rewards_app.core.database import AsyncSession
from rewards_app.core.errors import NotAllowed
from rewards_app.features.accounts import age_rules, repository, sessions

_log = structlog.get_logger(__name__)

ATTEMPTS_PER_ACCOUNT = limits.parse("10/hour")


async def verify_age(session: AsyncSession, actor: Actor, typed: str, *, now: datetime) -> date:
    """Save the birth date that `actor` typed, for good; every tab of theirs learns of it."""
    if actor.role is Role.ADMIN:
        raise NotAllowed
    if actor.is_age_verified:
        raise age_rules.AgeAlreadyVerified
    await limits.spend(ATTEMPTS_PER_ACCOUNT, "age", str(actor.user_id))
    birth_date = age_rules.accepted_birth_date(typed, today=now.date())
    if not await repository.verify_age(session, actor.user_id, birth_date, now=now):
        raise age_rules.AgeAlreadyVerified
    await live.publish(session, sessions.ACCOUNT_CHANGED, str(actor.user_id))
    _log.info("account.age_verified", account_id=str(actor.user_id))
    return birth_date


async def birth_date_of(account_id: UUID) -> date | None:
    """None for admins and for everybody who has not told it yet."""
    stored = await repository.birth_date_of(account_id)
    return date.fromisoformat(stored) if stored else None


async def latest_birth_date_of(account_id: UUID) -> date | None:
    """The birth date, or the last one that the age told at sign-up allows; None where neither is.

    Who never says when they were born is not taken for older than they said to be.
    """
    told = await repository.told_ages_of(account_id)
    return _latest_birth_date(*told) if told else None


async def latest_birth_dates(
    session: AsyncSession, accounts: Collection[UUID]
) -> dict[UUID, date | None]:
    """The same of several."""
    found = await repository.told_ages(session, accounts)
    return {account_id: _latest_birth_date(*told) for account_id, told in found.items()}


def _latest_birth_date(
    birth_date: str | None, sign_up_age: int | None, signed_up_at: datetime
) -> date | None:
    if birth_date:
        return date.fromisoformat(birth_date)
    if sign_up_age is None:
        return None
    return age_rules.latest_birth_date(sign_up_age, signed_up_at.date())
