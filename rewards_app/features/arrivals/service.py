"""Counting who comes by a campaign, and who signs up then: numbers alone, of nobody."""

from collections.abc import Sequence
from datetime import date, datetime

from rewards_app.core import limits
from rewards_app.core.caller import Caller
from rewards_app.core.database import AsyncSession
from rewards_app.features.arrivals import repository, rules
from rewards_app.features.arrivals.rules import OTHERS, Arrived, Campaign, More

VISITS_PER_ADDRESS = limits.parse("60 per minute")
NEW_PER_ADDRESS = limits.parse("5 per day")
"""Else one address would fill the day, and every new campaign after that would be lost in it."""
MOST_SHOWN = 50


async def note_visit(session: AsyncSession, told: str, caller: Caller, *, now: datetime) -> None:
    """One more visit by the campaign that a page tells, if that can be one."""
    campaign = rules.campaign_from(told)
    if campaign is None:
        return
    if await limits.spend_if_left(VISITS_PER_ADDRESS, "arrival", caller.source):
        await _count(session, campaign, More(rules.day_of(now), visits=1), caller)


async def note_sign_up(session: AsyncSession, told: str, caller: Caller, *, now: datetime) -> None:
    """Somebody signed up in such a visit. Others who are counted wait until this is written."""
    campaign = rules.campaign_from(told)
    if campaign:
        await _count(session, campaign, More(rules.day_of(now), sign_ups=1), caller)


async def _count(session: AsyncSession, campaign: Campaign, more: More, caller: Caller) -> None:
    """Of a campaign that is new where there is no room for one, among the others."""
    if await repository.count(session, campaign, more):
        return
    is_known = await repository.is_known(session, campaign, more.day)
    if is_known or await limits.spend_if_left(NEW_PER_ADDRESS, "arrival-new", caller.source):
        await repository.begin(session, campaign, more, is_known=is_known)
    else:
        await repository.add(session, OTHERS, more)


async def of_days(session: AsyncSession, first: date, last: date) -> Sequence[Arrived]:
    """Those with most visits, these first."""
    return await repository.of_days(session, first, last, limit=MOST_SHOWN)
