"""Watching ads: starting one, pausing it, leaving it, going on with it elsewhere."""

from collections.abc import AsyncGenerator
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from uuid import UUID

from rewards_app.core import live
from rewards_app.core.actor import Actor
from rewards_app.core.caller import Caller, digest
from rewards_app.core.database import AsyncSession, transaction
from rewards_app.core.errors import AccountSuspended, TooManyAttempts
from rewards_app.core.ids import id_at
from rewards_app.core.settings import settings
from rewards_app.core.watching import storms
from rewards_app.features.accounts import age, age_rules, restrictions
from rewards_app.features.accounts.restriction_rules import Kind
from rewards_app.features.ads import (
    audience,
    catalogue,
    days,
    history_repository,
    places,
    repository,
    rules,
    serving,
    standings,
)
from rewards_app.features.ads.audience import AgeGroup
from rewards_app.features.ads.catalogue import ShownAd
from rewards_app.features.ads.finishing import EndHeard, Known
from rewards_app.features.ads.rules import Haste, History, Sitting, Status, WatchedAd
from rewards_app.features.ads.serving import Wanted
from rewards_app.features.signals import service as signals
from rewards_app.features.signals.rules import Rule
from rewards_app.models import AdView, Watcher

GIVEN_UP = "ads.given_up"
"""Announced with the account's id, when its player does not go on with an ad, or is too late."""
TAKEN_OVER = "ads.taken_over"
"""The same, when its player goes on with an ad in another tab or on another device."""
TRIES = 3
"""So often ads are looked for while others are quicker."""


@dataclass(frozen=True, slots=True)
class RunningAd:
    """A view that goes on, and how much of it the server has counted."""

    view_id: UUID
    ad: ShownAd
    seconds: int
    reward: int
    watched_ms: int
    is_paused: bool
    is_here: bool
    """Shown by the tab that asks."""
    known: Known | None = field(default=None, compare=False)
    """Saves a question at the finish; only the start brings it."""
    instead_of: UUID | None = field(default=None, compare=False)
    """The view that was given up for it. Once that is committed, its place is to be given back."""


async def start_ad(
    session: AsyncSession,
    actor: Actor,
    wanted: UUID | None,
    caller: Caller,
    *,
    fingerprint: str,
    now: datetime,
) -> RunningAd:
    """Serve the wanted ad, or another one; an ad that this tab left running is given up."""
    # Before anything is locked: it comes by another connection, and those who wait for the lock may
    # have all of them.
    born = await age.birth_date_of(actor.user_id)
    watcher = await standings.todays_watcher(session, actor.user_id, now=now)
    await _refuse_restricted(session, actor)
    # Before counting: while it is locked nothing of this player's is paid.
    unfinished = await repository.lock_running_view(session, actor.user_id)
    sitting, history, haste = await _sitting(session, watcher, now=now)
    years = age_rules.age_at(born, watcher.time_zone, now) if born else None
    rules.refuse_start(
        age=years,
        rewarded_today=history.rewarded_today,
        sitting=sitting,
        now=now,
    )
    _refuse_haste(actor, haste, now=now)
    if unfinished:
        await _make_room(session, unfinished, caller, now=now)
    assert years is not None, "whose age is unknown starts no ad"
    watcher.sitting_started_at = sitting.started_at
    watcher.last_started_at = now
    watcher.age_group = audience.group_of(years).value
    session.add(watcher)
    await session.flush()
    device = signals.device_hash(fingerprint)
    await signals.note_device(session, actor.user_id, device, now=now)
    view, ad = await _serve(
        session, watcher, wanted, tab=digest(caller.tab), device=device, now=now
    )
    running = _running(view, ad, caller, now=now)
    return replace(
        running,
        known=Known(_as_watched(view), history, watcher.day_ends_at),
        instead_of=unfinished.id if unfinished and unfinished.holds_place else None,
    )


async def _refuse_restricted(session: AsyncSession, actor: Actor) -> None:
    """What was begun goes on, and is paid; nothing new begins."""
    restricted = await restrictions.reasons(session, actor.user_id)
    if Kind.SUSPENDED in restricted:
        raise AccountSuspended
    if why := restricted.get(Kind.EARNING_PAUSED):
        raise rules.EarningPaused(why=why)


def _refuse_haste(actor: Actor, haste: Haste, *, now: datetime) -> None:
    """Told as the other limits are, also to those who look at storms of refusals."""
    try:
        rules.refuse_haste(haste, now=now)
    except TooManyAttempts:
        storms.note(storms.What.LIMITED, "ads.start", "ads.start", str(actor.user_id))
        raise


async def _serve(
    session: AsyncSession,
    watcher: Watcher,
    wanted: UUID | None,
    *,
    tab: str,
    device: str,
    now: datetime,
) -> tuple[AdView, ShownAd]:
    """A view of the wanted ad or of another one, with its place in the campaign's budget."""
    group = AgeGroup(watcher.age_group or 0)
    asked = Wanted(wanted, watcher.account_id, is_minor=group is AgeGroup.UNDER_18)
    async for ad in _offered(session, asked, now=now):
        view = _new_view(watcher.account_id, ad, tab=tab, device=device, now=now)
        # It may have been the last place of the budget, and somebody else has it.
        if place := await places.begin(session, view, group, now=now):
            if place.is_full:
                await serving.sync(session, place.campaign_id, now=now)
            view.price, view.holds_place = place.price, place.holds_place
            live.announce_after(session, places.VIEWED, str(place.advertiser_id))
            return view, ad
    raise rules.NoAdToShow


async def _offered(
    session: AsyncSession, asked: Wanted, *, now: datetime
) -> AsyncGenerator[ShownAd]:
    """The best first. When others have taken all of those meanwhile, there may be more."""
    for _ in range(TRIES):
        for ad in await serving.choose(session, asked, now=now):
            yield ad


async def list_anew(wanted: UUID, *, now: datetime) -> None:
    """What was listed and could not be served leaves the lists of all: by its dates it is over."""
    if campaign_id := await serving.campaign_of(wanted):
        async with transaction() as session:
            await serving.sync(session, campaign_id, now=now)


def _new_view(account_id: UUID, ad: ShownAd, *, tab: str, device: str, now: datetime) -> AdView:
    return AdView(
        id=id_at(now),
        account_id=account_id,
        ad_id=ad.id,
        started_at=now,
        required_seconds=ad.seconds,
        reward_coins=ad.reward,
        expires_at=rules.expiry(timedelta(seconds=ad.seconds), now=now),
        tab_hash=tab,
        device_hash=device,
        day=days.platform_day(now),
    )


async def _make_room(session: AsyncSession, view: AdView, caller: Caller, *, now: datetime) -> None:
    """End the view that still runs, unless another tab shows it."""
    if now > view.expires_at:
        view.status = Status.EXPIRED.value
        view.refusal = view.refusal or rules.ViewExpired.code
    elif view.tab_hash == digest(caller.tab):
        view.status = Status.GIVEN_UP.value
    else:
        # Once: whoever presses again and again tries one thing, and does not know what runs.
        await signals.note_once(session, view.account_id, Rule.PARALLEL_SESSIONS, view.id, now=now)
        raise rules.AlreadyWatching
    view.ended_at = now
    session.add(view)
    await session.flush()
    live.announce_after(session, GIVEN_UP, str(view.account_id))


async def pause(actor: Actor, view_id: UUID, caller: Caller, *, now: datetime) -> bool:
    """The tab that shows it is hidden: from now on nothing counts as watched."""
    return await repository.pause(actor.user_id, view_id, digest(caller.tab), now=now)


async def resume(actor: Actor, view_id: UUID, caller: Caller, *, now: datetime) -> bool:
    return await repository.resume(actor.user_id, view_id, digest(caller.tab), now=now)


async def leave(actor: Actor, view_id: UUID, caller: Caller, *, now: datetime) -> bool:
    """The player left the page; what another tab has taken over goes on there."""
    return await _give_up(actor, view_id, digest(caller.tab), now=now)


async def give_up(actor: Actor, view_id: UUID, *, now: datetime) -> bool:
    """The player does not want to go on, wherever it runs; a second time changes nothing."""
    return await _give_up(actor, view_id, None, now=now)


async def _give_up(actor: Actor, view_id: UUID, tab: str | None, *, now: datetime) -> bool:
    has_left = await repository.give_up(actor.user_id, view_id, tab, now=now)
    if has_left:
        live.announce(GIVEN_UP, str(actor.user_id))
        await give_back_place(view_id, now=now)
    return has_left


async def give_back_place(view_id: UUID, *, now: datetime) -> None:
    """The view has ended without a reward: its campaign can show another one."""
    campaign_id = await places.give_back(view_id, now=now)
    if campaign_id:
        async with transaction() as session:
            await serving.sync(session, campaign_id, now=now)


async def sweep(*, seen_at: datetime | None = None, now: datetime) -> int:
    """Each minute: places of views that somebody left behind are free, and servings are true.

    `seen_at` is the sweep before: what ran out since, while nobody could finish anything, is left
    to the next one. How many places became free.
    """
    before = min(now, seen_at + places.GRACE) if seen_at else now
    freed, is_more = 0, True
    while is_more:
        async with transaction() as session:
            ended = await places.end_free_ones(session, before=before, now=now)
            left = await places.left_behind(session, now=before)
        freed += sum([await places.give_back(view_id, now=now) is not None for view_id in left])
        for player in {*ended, *left.values()}:
            live.announce(GIVEN_UP, str(player))
        is_more = places.SWEPT_AT_ONCE in (len(ended), len(left))
    async with transaction() as session:
        await serving.sync(session, now=now)
    return freed


async def click(actor: Actor, view_id: UUID, *, now: datetime) -> str | None:
    """Where the ad of the player's own view leads; the first click of a view is counted."""
    clicked = await repository.click(actor.user_id, view_id, now=now)
    if clicked is None or not rules.is_safe_url(
        clicked.address, allows_http=not settings().is_production
    ):
        return None
    if clicked.counted_for:
        live.announce(places.VIEWED, str(clicked.counted_for))
    if not clicked.is_tagged:
        return clicked.address
    return rules.tagged(clicked.address, clicked.campaign, clicked.ad)


async def is_minor(actor: Actor, *, now: datetime) -> bool:
    """Whoever has not told their age may be one."""
    years = await age.years_of(actor.user_id, now=now)
    return years is None or years < rules.ADULT_AT


async def acts_for_a_company(actor: Actor) -> bool:
    return await repository.acts_for_a_company(actor.user_id)


async def running_ad(
    actor: Actor, caller: Caller, *, heard: EndHeard | None = None, now: datetime
) -> RunningAd | None:
    """The player's view that can still be finished."""
    if not await repository.has_running_view(actor.user_id):
        return None
    async with transaction() as session:
        view = await repository.running_view(session, actor.user_id)
        if view is None or _is_too_late(view, heard, now=now):
            return None
        ad = await catalogue.shown(session, view.ad_id)
    return _running(view, ad, caller, now=now) if ad else None


async def take_over(
    session: AsyncSession, actor: Actor, view_id: UUID, caller: Caller, *, now: datetime
) -> RunningAd:
    """Go on watching in the tab that asks, where the server's clock says."""
    view = await repository.lock_running_view(session, actor.user_id)
    ad = await catalogue.shown(session, view.ad_id) if view else None
    if view is None or ad is None or view.id != view_id or now > view.expires_at:
        raise rules.ViewEnded
    here = digest(caller.tab)
    if view.tab_hash != here:
        view.tab_hash = here
        live.announce_after(session, TAKEN_OVER, str(view.account_id))
    if view.paused_at:
        paused = max(timedelta(0), now - view.paused_at)
        view.paused_ms += -(-paused // timedelta(milliseconds=1))
        view.paused_at = None
    session.add(view)
    return _running(view, ad, caller, now=now)


def _running(view: AdView, ad: ShownAd, caller: Caller, *, now: datetime) -> RunningAd:
    watched = rules.watched_time(_as_watched(view), now=now)
    return RunningAd(
        view_id=view.id,
        ad=ad,
        seconds=view.required_seconds,
        reward=view.reward_coins,
        watched_ms=max(0, watched // timedelta(milliseconds=1)),
        is_paused=view.paused_at is not None,
        is_here=view.tab_hash == digest(caller.tab),
    )


def _is_too_late(view: AdView, heard: EndHeard | None, *, now: datetime) -> bool:
    heard_at = EndHeard.of(view.id, heard)
    return rules.is_too_late(_as_watched(view), heard_at=heard_at, now=now)


def _as_watched(view: AdView) -> WatchedAd:
    return WatchedAd(
        Status(view.status),
        view.started_at,
        timedelta(seconds=view.required_seconds),
        view.reward_coins,
        view.expires_at,
        timedelta(milliseconds=view.paused_ms),
        view.paused_at,
    )


async def _sitting(
    session: AsyncSession, watcher: Watcher, *, now: datetime
) -> tuple[Sitting, History, Haste]:
    """The sitting that an ad started now belongs to, what was paid today, and the last starts."""
    sitting = Sitting(watcher.sitting_started_at, watcher.last_started_at)
    if sitting.started_at is None or rules.is_over(sitting, now=now):
        sitting = Sitting(started_at=now)
    history, rewarded, haste = await history_repository.history(
        session,
        watcher.account_id,
        day=watcher.day_starts_at,
        sitting=sitting.started_at or now,
        now=now,
    )
    return replace(sitting, rewarded=rewarded), history, haste
