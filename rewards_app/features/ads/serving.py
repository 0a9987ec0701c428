"""Which ads can be served now: kept ready, so that choosing one costs the same among ten thousand.

`ad_servings` has a row for each of them, at positions without gaps. It follows the campaigns
(`sync`); whether an ad is really served is decided by its campaign's row, when a view begins.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, LiteralString
from uuid import UUID

from rewards_app.core import live
from rewards_app.core.database import AsyncSession, lookup, rows, write
from rewards_app.core.settings import settings
from rewards_app.features.ads.budgets import SERVABLE
from rewards_app.features.ads.catalogue import (
    FOR_THEIR_AGE,
    NOT_THEIR_OWN,
    OWNERS,
    SHOWN,
    ShownAd,
)
from rewards_app.features.ads.days import platform_day
from rewards_app.features.ads.lately import lately

CHANGED = "ads.served"
"""Announced when other ads can be served than before."""
OFFERED_AT_ONCE: LiteralString = "8"
ONE_AT_A_TIME: LiteralString = "select pg_advisory_xact_lock(hashtext('ad_servings'))"

_CAN: LiteralString = f"from ads {OWNERS} where {SERVABLE}"
_GONE: LiteralString = f"""
select position from ad_servings serving
where not exists (select 1 {_CAN} and ads.id = serving.ad_id
    and ads.reward_coins = serving.reward_coins and ads.duration = serving.seconds)
"""  # noqa: S608  (all parts are ours)
_NEW: LiteralString = f"""
insert into ad_servings (position, ad_id, campaign_id, reward_coins, seconds, added_at)
select %(last)s + row_number() over (order by ads.created_at, ads.id), ads.id, campaign.id,
    ads.reward_coins, ads.duration, ads.created_at
{_CAN} and not exists (select 1 from ad_servings serving where serving.ad_id = ads.id)
"""  # noqa: S608  (all parts are ours)


@dataclass(frozen=True, slots=True)
class _Sync:
    """The statements that look at all campaigns, and those that look at one: each has its plan."""

    gone: LiteralString
    new: LiteralString


ALL = _Sync(_GONE, _NEW)
ONE = _Sync(
    f"{_GONE} and serving.campaign_id = %(campaign)s", f"{_NEW} and campaign.id = %(campaign)s"
)
REMOVE: LiteralString = "delete from ad_servings where position = any(%(leaving)s)"
MOVE: LiteralString = """
update ad_servings serving set position = moved.hole
from unnest(%(positions)s::int[], %(holes)s::int[]) as moved(position, hole)
where serving.position = moved.position
"""
STAYING: LiteralString = """
select position from ad_servings where position > %(last)s order by position
"""


def asked_at(now: datetime) -> dict[str, Any]:
    """What SERVABLE asks for besides the ad."""
    return {"now": now, "day": platform_day(now), "enforces": settings().enforces_funding}


async def sync(session: AsyncSession, campaign_id: UUID | None = None, *, now: datetime) -> None:
    """Make the servings what this campaign, or all of them, can be served now.

    It locks nothing but itself: whoever calls it last in a transaction cannot block others.
    """
    await write(session, ONE_AT_A_TIME, {})
    values = {"campaign": campaign_id, **asked_at(now)}
    statements = ALL if campaign_id is None else ONE
    leaving = [row[0] for row in await rows(session, statements.gone, values)]
    last = (await rows(session, "select coalesce(max(position), 0) from ad_servings", {}))[0][0]
    if leaving:
        last -= len(leaving)
        await _close_gaps(session, leaving, last)
    connection = await session.connection()
    added = await connection.exec_driver_sql(statements.new, values | {"last": last})
    if leaving or added.rowcount:
        live.announce_after(session, CHANGED)


async def campaign_of(ad_id: UUID) -> UUID | None:
    """Of an ad that is listed."""
    found = await lookup("select campaign_id from ad_servings where ad_id = %s", (ad_id,))
    return found[0] if found else None


async def _close_gaps(session: AsyncSession, leaving: Sequence[int], last: int) -> None:
    """The rows behind the new end take the places of those that leave before it."""
    connection = await session.connection()
    await connection.exec_driver_sql(REMOVE, {"leaving": list(leaving)})
    holes = [position for position in leaving if position <= last]
    staying = [row[0] for row in await rows(session, STAYING, {"last": last})]
    if holes:
        await connection.exec_driver_sql(MOVE, {"positions": staying, "holes": holes})


@dataclass(frozen=True, slots=True)
class Wanted:
    """Who asks for an ad."""

    ad_id: UUID | None
    """The one that was picked."""
    player: UUID | None
    is_minor: bool


_OFFER: LiteralString = f"""
join ads on ads.id = known.ad_id {OWNERS} where {SERVABLE} and {FOR_THEIR_AGE}
    and {NOT_THEIR_OWN}
"""
_SEEN_LAST: LiteralString = """
    ads.id is not distinct from
        (select ad_id from ad_views where account_id = %(player)s
            and id >= %(lately)s order by started_at desc limit 1)
"""
# A series of constants, so that the planner knows how short it is.
CHOOSE: LiteralString = f"""
with spot as materialized (
    select floor(random() * last)::int as at, last
    from (select coalesce(max(position), 0) as last from ad_servings) as edge
),
known as (
    select ad_id, -1 as step from ad_servings where ad_id = %(wanted)s
    union all
    select ad_id, step
    from spot join generate_series(0, {OFFERED_AT_ONCE} - 1) as step on step < last
        join ad_servings on position = (at + step) %% nullif(last, 0) + 1
    where ad_id is distinct from %(wanted)s
)
select {SHOWN}, step >= 0 and {_SEEN_LAST} as is_again
from known {_OFFER} order by step >= 0, is_again, step
"""  # noqa: S608  (all parts are ours)
SEARCH: LiteralString = f"""
select {SHOWN}, {_SEEN_LAST} as is_again
from ad_servings known {_OFFER} order by is_again, random() limit {OFFERED_AT_ONCE}
"""  # noqa: S608  (all parts are ours)


def asked_for(wanted: Wanted, now: datetime) -> dict[str, Any]:
    """What both questions are asked with."""
    return {
        "wanted": wanted.ad_id,
        "player": wanted.player,
        "is_minor": wanted.is_minor,
        "lately": lately(now),
        **asked_at(now),
    }


async def choose(session: AsyncSession, wanted: Wanted, *, now: datetime) -> list[ShownAd]:
    """Ads that can be served, the best first: the wanted one, chance ones, the last seen.

    Few are looked at. By chance all of them may have run out, or be the one that the player has
    just seen: then all ads are searched.
    """
    values = asked_for(wanted, now)
    found = await rows(session, CHOOSE, values)
    if all(is_again for *_, is_again in found):
        found = await rows(session, SEARCH, values)
    return [ShownAd(*ad) for *ad, _ in found]
