"""When people were born: told once by its owner, sealed, and changed by nobody.

Where it was a typo an admin or the operator has it forgotten, and its owner tells it anew.
"""

from collections.abc import Collection
from datetime import date, datetime
from typing import NamedTuple
from uuid import UUID

import structlog

from rewards_app.core import limits, live
from rewards_app.core.actor import Actor, Role
from rewards_app.core.database import AsyncSession
from rewards_app.core.errors import NotAllowed
from rewards_app.features.accounts import age_rules, letters, repository, role_rules, sessions
from rewards_app.features.accounts.repository import ToldAge
from rewards_app.features.audit import service as audit
from rewards_app.models import Account

_log = structlog.get_logger(__name__)

ATTEMPTS_PER_ACCOUNT = limits.parse("10/hour")


class Answer(NamedTuple):
    years: int
    is_kept: bool
    """False where its owner is asked whether that is right."""


async def verify_age(
    session: AsyncSession,
    actor: Actor,
    typed: str,
    *,
    zone: str = "",
    confirmed: str = "",
    now: datetime,
) -> Answer:
    """Save the birth date that `actor` typed, for good; every tab of theirs learns of it.

    It counts on the day of their own `zone`, as their browser names it. Whoever is not grown up by
    it says yes to so many years first: they are `confirmed` then.
    """
    if actor.role is Role.ADMIN:
        raise NotAllowed
    if actor.is_age_verified:
        raise age_rules.AgeAlreadyVerified
    await limits.spend(ATTEMPTS_PER_ACCOUNT, "age", str(actor.user_id))
    today = await _day_of(actor, zone, now=now)
    birth_date = age_rules.accepted_birth_date(typed, today=today)
    years = age_rules.age_on(birth_date, today)
    if age_rules.is_to_be_sure(years, confirmed):
        return Answer(years, is_kept=False)
    if not await repository.verify_age(session, actor.user_id, birth_date, now=now):
        raise age_rules.AgeAlreadyVerified
    await live.publish(session, sessions.ACCOUNT_CHANGED, str(actor.user_id))
    _log.info("account.age_verified", account_id=str(actor.user_id))
    return Answer(years, is_kept=True)


async def _day_of(actor: Actor, zone: str, *, now: datetime) -> date:
    told = await repository.told_age_of(actor.user_id, now=now)
    return age_rules.day_in([zone, told.zone if told else ""], now)


async def ask_again(
    session: AsyncSession, actor: Actor | None, account_id: UUID, reason: str, *, now: datetime
) -> Account:
    """Forget the birth date: its owner is asked for it anew, and a mail tells them so.

    Nobody is `actor` where the command line asks. What follows from an age follows from what is
    told then; until it is, from the age that was told at sign-up.
    """
    account = await repository.account_by_id(session, account_id)
    if account is None:
        raise role_rules.UnknownAccount
    if not await repository.forget_birth_date(session, account_id):
        raise age_rules.AgeNotTold
    await audit.record(
        session,
        actor,
        audit.Action.BIRTH_DATE_FORGOTTEN,
        f"account:{account_id}",
        label=account.display_name,
        reason=reason,
        now=now,
    )
    await letters.tell_of_decision(session, account, "birth_date_forgotten", link="/")
    await live.publish(session, sessions.ACCOUNT_CHANGED, str(account_id))
    _log.warning("account.birth_date_forgotten", account_id=str(account_id))
    return account


async def birth_date_of(account_id: UUID) -> date | None:
    """None for admins and for everybody who has not told it yet."""
    stored = await repository.birth_date_of(account_id)
    return date.fromisoformat(stored) if stored else None


async def years_of(account_id: UUID, *, now: datetime) -> int | None:
    """How old they are by the birth date that they told; None where they told none."""
    told = await repository.told_age_of(account_id, now=now)
    if told is None or told.birth_date is None:
        return None
    return age_rules.age_at(date.fromisoformat(told.birth_date), told.zone, now)


class Known(NamedTuple):
    """The latest day that somebody can have been born on, and the one that they have now."""

    born: date | None
    """The birth date, or the last one that the age told at sign-up allows; None where neither is.

    Who never says when they were born is not taken for older than they said to be.
    """
    today: date


async def known_of(account_id: UUID, *, now: datetime) -> Known:
    told = await repository.told_age_of(account_id, now=now)
    return _known(told, now=now) if told else Known(None, age_rules.day_in((), now))


async def known_of_all(
    session: AsyncSession, accounts: Collection[UUID], *, now: datetime
) -> dict[UUID, Known]:
    """The same of several."""
    found = await repository.told_ages(session, accounts, now=now)
    return {account_id: _known(told, now=now) for account_id, told in found.items()}


def _known(told: ToldAge, *, now: datetime) -> Known:
    return Known(_latest_birth_date(told), age_rules.day_in([told.zone], now))


def _latest_birth_date(told: ToldAge) -> date | None:
    if told.birth_date:
        return date.fromisoformat(told.birth_date)
    if told.sign_up_age is None:
        return None
    then = age_rules.day_in([told.zone], told.signed_up_at)
    return age_rules.latest_birth_date(told.sign_up_age, then)
