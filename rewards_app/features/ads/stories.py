"""What became of a player's views, and what players say of ads."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from rewards_app.core import limits, live
from rewards_app.core.actor import Actor
from rewards_app.core.database import AsyncSession
from rewards_app.features.ads import catalogue, history_repository, repository, rules
from rewards_app.features.ads.history_repository import SeenView
from rewards_app.models import AdReport

REPORTED = "ads.reported"
"""Announced when a player says that something is wrong with an ad."""
SHOWN_VIEWS = 10
REPORTS_PER_PLAYER = limits.parse("20/hour")
LEFT = "ads.left"
UNFINISHED = "ads.unfinished"


@dataclass(frozen=True, slots=True)
class Outcome:
    """One view in its player's words: what it earned, or the exact check that failed."""

    title: str
    started_at: datetime
    is_rewarded: bool
    is_running: bool
    reward: int
    reason: str
    """The key of the text under `watch.reasons.`; empty for a rewarded view."""
    missing_seconds: int
    required_seconds: int


async def latest_outcomes(account_id: UUID, *, now: datetime) -> list[Outcome]:
    found = await history_repository.latest_views(account_id, limit=SHOWN_VIEWS)
    return [_outcome(view, now=now) for view in found]


async def ending_of(account_id: UUID, view_id: UUID, *, now: datetime) -> Outcome | None:
    """What became of one view of this player; None while it runs, and of what is not theirs."""
    view = await history_repository.own_view(account_id, view_id)
    outcome = _outcome(view, now=now) if view else None
    return None if outcome is None or outcome.is_running else outcome


@dataclass(frozen=True, slots=True)
class Watched:
    """An ad that was watched to its end, and what that was worth: nothing where it was refused."""

    title: str
    coins: int
    at: datetime


async def latest_watched(session: AsyncSession, account_id: UUID, *, limit: int) -> list[Watched]:
    """The newest first."""
    found = await history_repository.latest_watched(session, account_id, limit=limit)
    return [Watched(title, coins, at) for title, coins, at in found]


def _outcome(view: SeenView, *, now: datetime) -> Outcome:
    is_running = view.status == rules.Status.RUNNING and now <= view.expires_at
    return Outcome(
        title=view.title,
        started_at=view.started_at,
        is_rewarded=view.status == rules.Status.REWARDED,
        is_running=is_running,
        reward=view.reward_coins,
        reason=_reason(view, is_running=is_running),
        missing_seconds=view.missing_seconds or 0,
        required_seconds=view.required_seconds,
    )


def _reason(view: SeenView, *, is_running: bool) -> str:
    if view.status == rules.Status.REWARDED:
        return ""
    if view.refusal:
        return view.refusal
    if is_running:
        return UNFINISHED
    return LEFT if view.status == rules.Status.GIVEN_UP else rules.ViewExpired.code


async def report_ad(
    session: AsyncSession, actor: Actor, ad_id: UUID, reason: str, text: str, *, now: datetime
) -> bool:
    """Keep what the player says of the ad; False when they have reported it before."""
    wanted, words = rules.report_from(reason, text)
    await limits.spend(REPORTS_PER_PLAYER, "report", str(actor.user_id))
    if await catalogue.shown(session, ad_id) is None:
        raise rules.UnknownAd
    report = AdReport(
        ad_id=ad_id, account_id=actor.user_id, reason=wanted.value, text=words, created_at=now
    )
    live.announce_after(session, REPORTED)
    return await repository.add_report(session, report)
