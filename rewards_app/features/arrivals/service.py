"""Counting who comes by a campaign, and who signs up then: numbers alone, of nobody."""

from collections.abc import Sequence
from datetime import date, datetime

from rewards_app.core import limits
from rewards_app.core.caller import Caller
from rewards_app.core.database import AsyncSession
from rewards_app.core.errors import TooManyAttempts
from rewards_app.features.arrivals import repository, rules
from rewards_app.features.arrivals.rules import Arrived

VISITS_PER_ADDRESS = limits.parse("60 per minute")
MOST_SHOWN = 50


async def note_visit(session: AsyncSession, told: str, caller: Caller, *, now: datetime) -> None:
    """One more visit by the campaign that a page tells, if that can be one."""
    campaign = rules.campaign_from(told)
    if campaign is None:
        return
    try:
        await limits.spend(VISITS_PER_ADDRESS, "arrival", caller.source)
    except TooManyAttempts:
        return
    await repository.count(session, campaign, rules.day_of(now), visits=1)


async def note_sign_up(session: AsyncSession, told: str, *, now: datetime) -> None:
    """Somebody signed up in such a visit. Others who are counted wait until this is written."""
    campaign = rules.campaign_from(told)
    if campaign:
        await repository.count(session, campaign, rules.day_of(now), sign_ups=1)


async def of_days(session: AsyncSession, first: date, last: date) -> Sequence[Arrived]:
    """Those with most visits, these first."""
    return await repository.of_days(session, first, last, limit=MOST_SHOWN)
