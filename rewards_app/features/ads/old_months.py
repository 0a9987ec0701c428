"""Which months of views are let go, and when: those that nobody asks for any more.

The coins that were paid for them stay in the ledger, and their figures in the days of ads.
"""

from datetime import date, datetime
from typing import Any, LiteralString

import psycopg
from psycopg import sql

from rewards_app.core.postgres import months, old_months
from rewards_app.core.postgres.months import AD_VIEWS
from rewards_app.core.settings import settings

# A campaign that is not settled is still compared with its views, one by one.
IS_OPEN: LiteralString = """
select exists (select from {month} where status = 'running' or holds_place)
    or exists (select from ads join ad_campaigns campaign on campaign.id = ads.campaign_id
        where campaign.set_aside_at is not null and campaign.settled_at is null
            and exists (select from {month} view where view.ad_id = ads.id))
"""


def let_go(*, now: datetime) -> dict[str, int]:
    """Cut off what is older than the setting says, drop what was cut off a month ago."""
    with months.connected() as connection:
        for month in due(connection, now=now):
            old_months.note(connection, AD_VIEWS, month, now=now)
        return {
            "cut_off": old_months.cut_off(connection),
            "dropped": old_months.drop(connection, now=now),
        }


def due(connection: psycopg.Connection[Any], *, now: datetime) -> list[date]:
    """The oldest first. Months go in their order: behind one that must stay, all stay."""
    if not settings().ad_views_kept_months:
        return []
    first_kept = months.months_after(months.month_of(now), -settings().ad_views_kept_months)
    going: list[date] = []
    for month in sorted(months.attached(connection, AD_VIEWS)):
        if month >= first_kept or _is_open(connection, month):
            break
        going.append(month)
    return going


def _is_open(connection: psycopg.Connection[Any], month: date) -> bool:
    name = sql.Identifier(months.name_of(AD_VIEWS, month))
    found = connection.execute(sql.SQL(IS_OPEN).format(month=name)).fetchone()
    assert found, "a question has an answer"
    return found[0]
