"""Views of ads, and the players who watch them, in the database."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, LiteralString
from uuid import UUID

from sqlalchemy.dialects.postgresql import insert
from sqlmodel import col, select, update

from rewards_app.core.database import AsyncSession, lookup, run, statement, write
from rewards_app.features.ads.catalogue import REVIEWED
from rewards_app.features.ads.days import Day
from rewards_app.features.ads.lately import lately
from rewards_app.features.ads.places import COUNTED
from rewards_app.features.ads.rules import History, Status, WatchedAd
from rewards_app.features.coins.service import CREDITING
from rewards_app.models import AdReport, AdView, RunningView, Watcher

WATCHED: LiteralString = """
select view.status, view.started_at, view.required_seconds, view.reward_coins, view.expires_at,
    view.paused_ms, view.paused_at,
    (select count(*) from ad_views paid where paid.account_id = view.account_id
        and paid.id >= %(lately)s and paid.rewarded_at >= case when %(now)s < watcher.day_ends_at
            then watcher.day_starts_at else watcher.day_ends_at end),
    (select max(rewarded_at) from ad_views paid where paid.account_id = view.account_id
        and paid.id >= %(lately)s and paid.rewarded_at is not null)
from ad_views view join watchers watcher on watcher.account_id = view.account_id
where view.id = %(view_id)s and view.account_id = %(account_id)s
"""

# What the rules looked at is looked at again, so that nothing came in between. What the player was
# paid before cannot change while a view runs: they have one.
PAY: LiteralString = f"""
with finished as (
    update ad_views view set status = 'rewarded', rewarded_at = %(now)s, ended_at = %(over_at)s,
        client_seconds = %(client_seconds)s, refusal = null, missing_seconds = null,
        holds_place = false
    from ads, ad_campaigns campaign
    where view.id = %(view_id)s and view.account_id = %(account_id)s
        and ads.id = view.ad_id and campaign.id = ads.campaign_id
        and view.status = 'running' and view.paused_ms = %(paused_ms)s
        and view.paused_at is not distinct from %(paused_at)s
        and view.started_at = %(started_at)s and view.expires_at = %(expires_at)s
        and view.required_seconds = %(required_seconds)s and view.reward_coins = %(reward)s
    returning view.id, view.account_id, view.ad_id, view.reward_coins, view.day, view.price,
        view.refused_at, ads.title, campaign.id as campaign_id, campaign.advertiser_id
),
counting as (
    select id, ad_id, campaign_id, advertiser_id, day, 1 as completions,
        -(refused_at is not null)::int as refused, 0 as clicks, price as spend,
        reward_coins as rewards
    from finished
),
{COUNTED},
paid as (
    select account_id, reward_coins as amount, 'ad' as kind, 'ad:' || id as cause,
        title as subject, %(now)s::timestamptz as paid_at
    from finished
),
{CREDITING}
select advertiser_id from credited, counted
"""  # noqa: S608  (both parts are ours)


async def watched(
    account_id: UUID, view_id: UUID, *, now: datetime
) -> tuple[WatchedAd, History] | None:
    """The player's own view, and what they were paid before; the day may have ended meanwhile."""
    values = {"view_id": view_id, "account_id": account_id, "now": now, "lately": lately(now)}
    row = await lookup(WATCHED, values)
    if row is None:
        return None
    status, started_at, seconds, reward, expires_at, paused_ms, paused_at, today, last = row
    view = WatchedAd(
        Status(status),
        started_at,
        timedelta(seconds=seconds),
        reward,
        expires_at,
        timedelta(milliseconds=paused_ms),
        paused_at,
    )
    return view, History(today, last)


async def pay(
    account_id: UUID,
    view_id: UUID,
    view: WatchedAd,
    *,
    client_seconds: int,
    over_at: datetime,
    now: datetime,
) -> UUID | None:
    """Finish the view and pay for it, both or neither; whose ad it was, if it is as it was."""
    values = {
        "view_id": view_id,
        "account_id": account_id,
        "now": now,
        "over_at": over_at,
        "client_seconds": client_seconds,
        "paused_ms": view.paused // timedelta(milliseconds=1),
        "paused_at": view.paused_at,
        "started_at": view.started_at,
        "expires_at": view.expires_at,
        "required_seconds": view.required // timedelta(seconds=1),
        "reward": view.reward,
    }
    found = await statement(PAY, values)
    return found[0] if found else None


async def is_elsewhere(account_id: UUID, view_id: UUID, tab: str) -> bool:
    """Whether another tab of this player's shows the view, or did when it ended."""
    query = "select 1 from ad_views where id = %s and account_id = %s and tab_hash <> %s"
    return await lookup(query, (view_id, account_id, tab)) is not None


# Whose tab does not show the view any more changes nothing of it: it goes on elsewhere.
PAUSE: LiteralString = """
update ad_views set paused_at = %(now)s
where id = %(view_id)s and account_id = %(account_id)s and status = 'running'
    and tab_hash = %(tab)s and paused_at is null
returning id
"""
RESUME: LiteralString = """
update ad_views set paused_at = null, paused_ms = paused_ms + greatest(0, ceil(
    extract(epoch from %(now)s::timestamptz - paused_at) * 1000))::int
where id = %(view_id)s and account_id = %(account_id)s and status = 'running'
    and tab_hash = %(tab)s and paused_at is not null
returning id
"""
GIVE_UP: LiteralString = """
update ad_views set status = 'given_up', ended_at = %(now)s
where id = %(view_id)s and account_id = %(account_id)s and status = 'running'
    and tab_hash = coalesce(%(tab)s::text, tab_hash)
returning id
"""


async def pause(account_id: UUID, view_id: UUID, tab: str, *, now: datetime) -> bool:
    return await _change(PAUSE, account_id, view_id, tab, now)


async def resume(account_id: UUID, view_id: UUID, tab: str, *, now: datetime) -> bool:
    return await _change(RESUME, account_id, view_id, tab, now)


async def give_up(account_id: UUID, view_id: UUID, tab: str | None, *, now: datetime) -> bool:
    """Without a tab wherever it runs."""
    return await _change(GIVE_UP, account_id, view_id, tab, now)


async def _change(
    query: LiteralString, account_id: UUID, view_id: UUID, tab: str | None, now: datetime
) -> bool:
    values = {"view_id": view_id, "account_id": account_id, "tab": tab, "now": now}
    return await statement(query, values) is not None


async def lock_watcher(session: AsyncSession, account_id: UUID, first_day: Day) -> Watcher:
    """The player's row, made when missing: starts of one player come one after the other."""
    locked = (
        select(Watcher)
        .where(Watcher.account_id == account_id)
        .with_for_update()
        .execution_options(populate_existing=True)
    )
    if found := (await session.exec(locked)).first():
        return found
    row = insert(Watcher).values(
        account_id=account_id,
        time_zone="",
        day_starts_at=first_day.starts_at,
        day_ends_at=first_day.ends_at,
    )
    await run(session, row.on_conflict_do_nothing())
    return (await session.exec(locked)).one()


async def acts_for_a_company(account_id: UUID) -> bool:
    query = "select 1 from advertiser_members where account_id = %s"
    return await lookup(query, (account_id,)) is not None


async def has_running_view(account_id: UUID) -> bool:
    query = "select 1 from running_views where account_id = %s"
    return await lookup(query, (account_id,)) is not None


async def running_view(session: AsyncSession, account_id: UUID) -> AdView | None:
    return (await session.exec(_running(account_id))).first()


async def lock_running_view(session: AsyncSession, account_id: UUID) -> AdView | None:
    """The running view, which nobody finishes or leaves before this transaction ends."""
    locked = _running(account_id).with_for_update().execution_options(populate_existing=True)
    return (await session.exec(locked)).first()


def _running(account_id: UUID) -> Any:
    running = select(RunningView.view_id).where(RunningView.account_id == account_id)
    return select(AdView).where(
        AdView.id == running.scalar_subquery(),
        AdView.account_id == account_id,
        AdView.status == "running",
    )


async def note_refusal(
    session: AsyncSession,
    account_id: UUID,
    view_id: UUID,
    refusal: str,
    *,
    missing_seconds: int | None,
    ends_as: str | None,
    now: datetime,
) -> None:
    """Keep why the view earned nothing; `ends_as` also ends it."""
    ending: dict[str, Any] = {"status": ends_as, "ended_at": now} if ends_as else {}
    await session.exec(
        update(AdView)
        .where(
            col(AdView.id) == view_id,
            col(AdView.account_id) == account_id,
            col(AdView.status) == "running",
        )
        .values(refusal=refusal, missing_seconds=missing_seconds, **ending)
    )


REFUSED: LiteralString = f"""
with counting as (
    update ad_views view set refused_at = %(now)s
    from ads, ad_campaigns campaign
    where view.id = %(view_id)s and view.account_id = %(account_id)s
        and view.status <> 'rewarded' and view.refused_at is null
        and ads.id = view.ad_id and campaign.id = ads.campaign_id
    returning view.id, view.ad_id, campaign.id as campaign_id, campaign.advertiser_id, view.day,
        0 as completions, 1 as refused, 0 as clicks, 0 as spend, 0 as rewards
),
{COUNTED}
select advertiser_id from counted
"""  # noqa: S608  (both parts are ours)


async def count_refused(
    session: AsyncSession, account_id: UUID, view_id: UUID, *, now: datetime
) -> UUID | None:
    """Count once that the view was watched to its end for nothing; whose ad it was, if counted."""
    values = {"view_id": view_id, "account_id": account_id, "now": now}
    found = await write(session, REFUSED, values)
    return found[0] if found else None


async def owner_of_view(session: AsyncSession, view_id: UUID) -> UUID | None:
    found = await session.exec(select(AdView.account_id).where(AdView.id == view_id))
    return found.first()


# An ad may have been changed while it was watched: where it leads then, nobody has looked at.
CLICK: LiteralString = f"""
with counting as (
    update ad_views view set clicked_at = %(now)s
    from ads, ad_campaigns campaign
    where view.id = %(view_id)s and view.account_id = %(account_id)s and view.clicked_at is null
        and ads.id = view.ad_id and campaign.id = ads.campaign_id and {REVIEWED}
    returning view.id, view.ad_id, campaign.id as campaign_id, campaign.advertiser_id, view.day,
        0 as completions, 0 as refused, 1 as clicks, 0 as spend, 0 as rewards
),
{COUNTED}
select case when {REVIEWED} then ads.click_url else '' end, campaign.name, ads.title,
    advertiser.tags_links, (select advertiser_id from counted)
from ad_views view join ads on ads.id = view.ad_id
    join ad_campaigns campaign on campaign.id = ads.campaign_id
    join advertisers advertiser on advertiser.id = campaign.advertiser_id
where view.id = %(view_id)s and view.account_id = %(account_id)s
"""  # noqa: S608  (both parts are ours)


@dataclass(frozen=True, slots=True)
class Clicked:
    """Where an ad leads; `counted_for` is its company, if this was the view's first click."""

    address: str
    campaign: str
    ad: str
    is_tagged: bool
    counted_for: UUID | None


async def click(account_id: UUID, view_id: UUID, *, now: datetime) -> Clicked | None:
    """Count the first click of a view; where it leads, for its own player."""
    values = {"view_id": view_id, "account_id": account_id, "now": now}
    row = await statement(CLICK, values)
    return Clicked(*row) if row else None


# A review closes what came before it. One that is under way has not read this report: it waits for
# the ad, and comes after that review, whatever the clocks say.
ADD_REPORT: LiteralString = """
insert into ad_reports (id, ad_id, account_id, reason, text, created_at)
select %(id)s, ads.id, %(account_id)s, %(reason)s, %(text)s,
    greatest(%(created_at)s, ads.reviewed_at + interval '1 microsecond')
from ads where ads.id = %(ad_id)s for share
on conflict (ad_id, account_id) do nothing
returning id
"""


async def add_report(session: AsyncSession, report: AdReport) -> bool:
    """False when this player has reported this ad before."""
    return await write(session, ADD_REPORT, report.model_dump()) is not None
