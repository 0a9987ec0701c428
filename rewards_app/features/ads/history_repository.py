"""What a player was paid for ads, and what became of their views, in the database."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import LiteralString
from uuid import UUID

from rewards_app.core.database import AsyncSession, lookup, lookup_all, rows
from rewards_app.features.ads.days import Calendar, Day
from rewards_app.features.ads.lately import first_id_of, lately
from rewards_app.features.ads.rules import (
    A_DAY,
    STARTS_A_DAY,
    STARTS_A_MINUTE,
    Haste,
    History,
    Sitting,
)

Paid = tuple[int, int]
"""Ads, and the coins they were worth."""

LAST_DAY: LiteralString = """
select watcher.time_zone, watcher.zone_since, watcher.next_time_zone,
    watcher.day_starts_at, watcher.day_ends_at, paid.ads, paid.coins
from watchers watcher, lateral (
    select count(*) as ads, coalesce(sum(reward_coins), 0)::int as coins from ad_views view
    where view.account_id = watcher.account_id
        and view.id >= %(lately)s and view.rewarded_at >= watcher.day_starts_at
) paid
where watcher.account_id = %(account_id)s
"""


async def last_day(account_id: UUID, *, now: datetime) -> tuple[Calendar, Day, Paid] | None:
    """The last day of this player that is known, and what they were paid since it began."""
    row = await lookup(LAST_DAY, {"account_id": account_id, "lately": lately(now)})
    if row is None:
        return None
    zone, since, following, starts_at, ends_at, ads, coins = row
    return Calendar(zone, since, following), Day(starts_at, ends_at), (ads, coins)


async def rewarded_since(account_id: UUID, since: datetime) -> Paid:
    found = await lookup(
        "select count(*), coalesce(sum(reward_coins), 0)::int from ad_views"
        " where account_id = %s and id >= %s and rewarded_at >= %s",
        (account_id, first_id_of(since), since),
    )
    return (found[0], found[1]) if found else (0, 0)


async def last_sitting(account_id: UUID, *, begun_after: datetime) -> Sitting:
    """The one whose last ad was started after that moment; later it is over."""
    known = await lookup(
        "select sitting_started_at, last_started_at from watchers"
        " where account_id = %s and last_started_at > %s",
        (account_id, begun_after),
    )
    if known is None:
        return Sitting()
    begun, last = known
    paid = await lookup(
        "select count(*) from ad_views"
        " where account_id = %s and id >= %s and started_at >= %s and status = 'rewarded'",
        (account_id, first_id_of(begun), begun),
    )
    return Sitting(begun, last, paid[0] if paid else 0)


async def all_rewarded_since(since: datetime) -> int:
    # With an end the planner expects few, and reads the index; without it a third of all views.
    found = await lookup(
        "select count(*) from ad_views where id >= %s"
        " and rewarded_at >= %s and rewarded_at < 'infinity'",
        (first_id_of(since), since),
    )
    return found[0] if found else 0


HISTORY: LiteralString = """
select
    (select count(*) from ad_views where account_id = %(account_id)s
        and id >= %(from_day)s and rewarded_at >= %(day)s),
    (select max(rewarded_at) from ad_views where account_id = %(account_id)s
        and id >= %(from_day)s and rewarded_at is not null),
    count(*) filter (where started_at >= %(sitting)s and status = 'rewarded'),
    (array_agg(started_at order by started_at desc)
        filter (where started_at <= %(now)s))[%(a_minute)s],
    (array_agg(started_at order by started_at desc)
        filter (where started_at <= %(now)s))[%(a_day)s]
from ad_views
where account_id = %(account_id)s and id >= %(from_start)s and started_at >= %(start)s
"""


async def history(
    session: AsyncSession, account_id: UUID, *, day: datetime, sitting: datetime, now: datetime
) -> tuple[History, int, Haste]:
    """What the player was paid since the day began: how often, and when last.

    And how many of the ads were paid for that were started since the sitting began, and how quickly
    the last ones were started.
    """
    start = min(sitting, now - A_DAY)
    values = {
        "account_id": account_id,
        "from_day": first_id_of(day),
        "day": day,
        "sitting": sitting,
        "from_start": first_id_of(start),
        "start": start,
        "now": now,
        "a_minute": STARTS_A_MINUTE,
        "a_day": STARTS_A_DAY,
    }
    [(today, last, of_sitting, of_minute, of_day)] = await rows(session, HISTORY, values)
    return History(today, last), of_sitting, Haste(of_minute, of_day)


@dataclass(frozen=True, slots=True)
class SeenView:
    """A view, by what its player is told of it."""

    title: str
    status: str
    started_at: datetime
    required_seconds: int
    reward_coins: int
    expires_at: datetime
    refusal: str | None
    missing_seconds: int | None


SEEN: LiteralString = """
select ads.title, view.status, view.started_at, view.required_seconds, view.reward_coins,
    view.expires_at, view.refusal, view.missing_seconds
from ad_views view join ads on ads.id = view.ad_id
where view.account_id = %s
"""


async def latest_views(account_id: UUID, *, limit: int) -> list[SeenView]:
    latest = f"{SEEN} order by view.started_at desc limit %s"
    return [SeenView(*row) for row in await lookup_all(latest, (account_id, limit))]


async def own_view(account_id: UUID, view_id: UUID) -> SeenView | None:
    row = await lookup(f"{SEEN} and view.id = %s", (account_id, view_id))
    return SeenView(*row) if row else None


# One view runs at a time: they end in the order in which they started, which has an index.
WATCHED: LiteralString = """
select ads.title, case when view.status = 'rewarded' then view.reward_coins else 0 end,
    coalesce(view.rewarded_at, view.refused_at)
from ad_views view join ads on ads.id = view.ad_id
where view.account_id = %(account_id)s
    and (view.rewarded_at is not null or view.refused_at is not null)
order by view.started_at desc limit %(limit)s
"""


async def latest_watched(
    session: AsyncSession, account_id: UUID, *, limit: int
) -> Sequence[tuple[str, int, datetime]]:
    """Title, coins and end of the views that were watched to their end last."""
    values = {"account_id": account_id, "limit": limit}
    return [tuple(row) for row in await rows(session, WATCHED, values)]
