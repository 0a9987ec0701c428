"""Finishing an ad: paying for it once, or keeping why it earned nothing."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from rewards_app.core import live
from rewards_app.core.actor import Actor
from rewards_app.core.caller import Caller, digest
from rewards_app.core.database import AsyncSession
from rewards_app.core.errors import DomainError
from rewards_app.features.ads import repository, rules
from rewards_app.features.ads.places import VIEWED
from rewards_app.features.ads.rules import History, WatchedAd
from rewards_app.features.coins import service as coins
from rewards_app.features.signals import service as signals
from rewards_app.features.signals.rules import Rule, clocks_differ


@dataclass(frozen=True, slots=True)
class Known:
    """What the rules ask of a view, as it was when it started. Paying looks at it again."""

    view: WatchedAd
    history: History
    until: datetime | None = None
    """When the player's day ends, and with it what is known of it."""


@dataclass(frozen=True, slots=True)
class EndHeard:
    """Which view was over, and when its page said so, by our clock: nobody could pay then."""

    view_id: UUID
    at: datetime

    @staticmethod
    def of(view_id: UUID, heard: "EndHeard | None") -> datetime | None:
        return heard.at if heard and heard.view_id == view_id else None


@dataclass(frozen=True, slots=True)
class Finished:
    coins: int
    left_today: int


async def finish_ad(
    session: AsyncSession,
    actor: Actor,
    view_id: UUID,
    *,
    client_seconds: int,
    known: Known | None = None,
    is_repeated: bool = False,
    shown_by: Caller | None = None,
    heard: EndHeard | None = None,
    now: datetime,
) -> Finished | None:
    """Pay the player for one watched ad, once.

    One statement of its own pays: `session` only carries what a refusal leaves behind. With
    `is_repeated` the page asks again because it heard no answer, and what was paid is no refusal.
    `shown_by` has the ad in sight; None where its player has gone on with it in another tab, and
    this one has not heard of that: nothing to refuse, nor to suspect.
    """
    heard_at = EndHeard.of(view_id, heard)
    if known is None or not _is_enough(known, heard_at, now=now):
        known = await _own_view(session, actor, view_id, now=now)
    view, history = known.view, known.history
    try:
        reward = rules.coins_for(view, history, heard_at=heard_at, now=now)
        while not (
            advertiser_id := await repository.pay(
                actor.user_id,
                view_id,
                view,
                client_seconds=client_seconds,
                over_at=rules.over_at(view, heard_at=heard_at, now=now),
                now=now,
            )
        ):
            # Finished, left or paused since we looked: what it is now decides.
            known = await _own_view(session, actor, view_id, now=now)
            view, history = known.view, known.history
            reward = rules.coins_for(view, history, heard_at=heard_at, now=now)
    except DomainError as refusal:
        if shown_by and await repository.is_elsewhere(actor.user_id, view_id, digest(shown_by.tab)):
            return None
        if is_repeated and isinstance(refusal, rules.AlreadyRewarded):
            return Finished(view.reward, rules.DAILY_LIMIT - history.rewarded_today)
        if refusal.is_recorded:
            await _note_refusal(session, actor, view_id, view, refusal, now=now)
        raise
    live.announce(coins.CHANGED, str(actor.user_id))
    live.announce(VIEWED, str(advertiser_id))
    # A page whose end was heard counts no further, or goes on: both are right.
    since = rules.watched_time(view, now=heard_at) if heard_at else None
    watched = rules.watched_time(view, now=now)
    if clocks_differ(timedelta(seconds=client_seconds), watched, since=since):
        await signals.note(
            session, actor.user_id, Rule.CLOCK_MISMATCH, now=now, client_seconds=client_seconds
        )
    return Finished(reward, rules.DAILY_LIMIT - history.rewarded_today - 1)


SIGNALS_OF: dict[type[DomainError], Rule] = {
    rules.WatchedTooShort: Rule.EARLY_COMPLETION,
    rules.AlreadyRewarded: Rule.REPLAYED_COMPLETION,
    rules.TooQuick: Rule.IMPOSSIBLE_PACE,
}


async def _note_refusal(
    session: AsyncSession,
    actor: Actor,
    view_id: UUID,
    view: WatchedAd,
    refusal: DomainError,
    *,
    now: datetime,
) -> None:
    """Keep the reason with the view, and what it may be a sign of."""
    missing = refusal.params.get("count") if isinstance(refusal, rules.WatchedTooShort) else None
    await repository.note_refusal(
        session,
        actor.user_id,
        view_id,
        refusal.code,
        missing_seconds=missing if isinstance(missing, int) else None,
        ends_as=rules.ENDING.get(type(refusal)),
        now=now,
    )
    rule = SIGNALS_OF.get(type(refusal))
    if rule:
        await signals.note(
            session,
            actor.user_id,
            rule,
            now=now,
            view=str(view_id),
            required_seconds=int(view.required.total_seconds()),
            watched_seconds=int(rules.watched_time(view, now=now).total_seconds()),
        )
    if isinstance(refusal, rules.AFTER_THE_END):
        # At the end: other players' views wait for the day that it is counted in.
        advertiser_id = await repository.count_refused(session, actor.user_id, view_id, now=now)
        if advertiser_id:
            live.announce_after(session, VIEWED, str(advertiser_id))


def _is_enough(known: Known, heard_at: datetime | None, *, now: datetime) -> bool:
    """Whether what the start told lets us pay; every refusal is decided by what is true now."""
    if known.until and now >= known.until:
        return False
    try:
        return rules.coins_for(known.view, known.history, heard_at=heard_at, now=now) > 0
    except DomainError:
        return False


async def _own_view(session: AsyncSession, actor: Actor, view_id: UUID, *, now: datetime) -> Known:
    """The player's own view, and what they were paid before; another's leaves a signal."""
    known = await repository.watched(actor.user_id, view_id, now=now)
    if known is None:
        owner = await repository.owner_of_view(session, view_id)
        rule = Rule.FOREIGN_SESSION if owner else Rule.MADE_UP_SESSION
        await signals.note(session, actor.user_id, rule, now=now, view=str(view_id))
        raise rules.UnknownView
    return Known(*known)
