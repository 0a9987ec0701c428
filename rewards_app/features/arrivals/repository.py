"""The counts in the database."""

from collections.abc import Sequence
from dataclasses import asdict
from datetime import date
from typing import LiteralString

from rewards_app.core.database import AsyncSession, rows, write
from rewards_app.features.arrivals.rules import (
    KNOWN_A_DAY,
    KNOWN_FOR,
    NEW_A_DAY,
    OTHERS,
    Arrived,
    Campaign,
    More,
)

COUNT: LiteralString = """
update arrival_days set visits = visits + %(visits)s, sign_ups = sign_ups + %(sign_ups)s
where day = %(day)s and source = %(source)s and medium = %(medium)s and campaign = %(name)s
returning day
"""
ONE_NEW_AT_A_TIME: LiteralString = "select pg_advisory_xact_lock(hashtext('arrival_days'))"
IS_KNOWN: LiteralString = """
select exists (select from arrival_days where day >= %(since)s and day < %(day)s
    and source = %(source)s and medium = %(medium)s and campaign = %(name)s)
"""
ARE_MANY: LiteralString = """
select count(*) >= %(most)s from arrival_days as today
where day = %(day)s and (source, medium, campaign) <> ('', '', '')
    and %(is_known)s = exists (select from arrival_days as earlier
        where earlier.day >= %(since)s and earlier.day < today.day
            and earlier.source = today.source and earlier.medium = today.medium
            and earlier.campaign = today.campaign)
"""
BEGIN: LiteralString = """
insert into arrival_days (day, source, medium, campaign, visits, sign_ups)
values (%(day)s, %(source)s, %(medium)s, %(name)s, %(visits)s, %(sign_ups)s)
on conflict (day, source, medium, campaign) do update
set visits = arrival_days.visits + excluded.visits,
    sign_ups = arrival_days.sign_ups + excluded.sign_ups
returning day
"""


async def count(session: AsyncSession, campaign: Campaign, more: More) -> bool:
    """False where the campaign has no room on that day yet."""
    return bool(await write(session, COUNT, asdict(campaign) | asdict(more)))


async def is_known(session: AsyncSession, campaign: Campaign, day: date) -> bool:
    """Whether it was counted in the days before."""
    values = asdict(campaign) | {"day": day, "since": day - KNOWN_FOR}
    (known,) = await write(session, IS_KNOWN, values)
    return known


async def begin(session: AsyncSession, campaign: Campaign, more: More, *, is_known: bool) -> None:
    """Give it room on that day, among the others where so many have it."""
    await write(session, ONE_NEW_AT_A_TIME, {})
    most = KNOWN_A_DAY if is_known else NEW_A_DAY
    values = {"day": more.day, "since": more.day - KNOWN_FOR, "is_known": is_known, "most": most}
    (are_many,) = await write(session, ARE_MANY, values)
    await add(session, OTHERS if are_many else campaign, more)


async def add(session: AsyncSession, campaign: Campaign, more: More) -> None:
    await write(session, BEGIN, asdict(campaign) | asdict(more))


OF_DAYS: LiteralString = """
select source, medium, campaign, sum(visits)::bigint, sum(sign_ups)::bigint from arrival_days
where day between %(first)s and %(last)s group by source, medium, campaign
order by 4 desc, 5 desc, source, medium, campaign limit %(limit)s
"""


async def of_days(
    session: AsyncSession, first: date, last: date, *, limit: int
) -> Sequence[Arrived]:
    values = {"first": first, "last": last, "limit": limit}
    return [
        Arrived(Campaign(source, medium, name), visits, sign_ups)
        for source, medium, name, visits, sign_ups in await rows(session, OF_DAYS, values)
    ]
