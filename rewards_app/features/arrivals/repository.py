"""The counts in the database."""

from collections.abc import Sequence
from dataclasses import asdict
from datetime import date
from typing import LiteralString

from rewards_app.core.database import AsyncSession, rows, write
from rewards_app.features.arrivals.rules import CAMPAIGNS_A_DAY, OTHERS, Arrived, Campaign

COUNT: LiteralString = """
update arrival_days set visits = visits + %(visits)s, sign_ups = sign_ups + %(sign_ups)s
where day = %(day)s and source = %(source)s and medium = %(medium)s and campaign = %(name)s
returning day
"""
ONE_NEW_AT_A_TIME: LiteralString = "select pg_advisory_xact_lock(hashtext('arrival_days'))"
ARE_MANY: LiteralString = "select count(*) >= %(most)s from arrival_days where day = %(day)s"
BEGIN: LiteralString = """
insert into arrival_days (day, source, medium, campaign, visits, sign_ups)
values (%(day)s, %(source)s, %(medium)s, %(name)s, %(visits)s, %(sign_ups)s)
on conflict (day, source, medium, campaign) do update
set visits = arrival_days.visits + excluded.visits,
    sign_ups = arrival_days.sign_ups + excluded.sign_ups
returning day
"""


async def count(
    session: AsyncSession, campaign: Campaign, day: date, *, visits: int = 0, sign_ups: int = 0
) -> None:
    """One more; of a campaign that is new on a day that is full, among the others."""
    counted = {"day": day, "visits": visits, "sign_ups": sign_ups}
    if await write(session, COUNT, asdict(campaign) | counted):
        return
    await write(session, ONE_NEW_AT_A_TIME, {})
    (are_many,) = await write(session, ARE_MANY, {"day": day, "most": CAMPAIGNS_A_DAY})
    await write(session, BEGIN, asdict(OTHERS if are_many else campaign) | counted)


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
