"""A period's figures as the analytics show them, whole or renewed while they are looked at."""

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from rewards_app.core import tabs
from rewards_app.core.access import signed_in
from rewards_app.core.clock import utc_now
from rewards_app.core.database import transaction
from rewards_app.core.postgres import replica
from rewards_app.core.state import AppState
from rewards_app.features.ads.days import platform_day
from rewards_app.features.advertiser import figure_rules, figures, home_state
from rewards_app.features.advertiser.figure_rules import (
    Change,
    Figures,
    Note,
    Period,
    period_from,
    period_or_whole,
)
from rewards_app.features.advertiser.figures import AdFigures, Analytics
from rewards_app.features.advertiser.home_state import AdvertiserState
from rewards_app.features.advertiser.membership import Scope
from rewards_app.features.advertiser.narrowing import Narrowed, To, narrowed

PATH = "/analytics"
TAB = "analytics"
COUNTS_VIEWERS_EVERY = timedelta(minutes=1)
"""However often somebody watches: each of the period's viewers is counted once."""


class AnalyticsState(AppState):
    standing: str = ""
    """Empty until it is known; then `open`, or `closed` to whoever acts for no approved company."""
    only: dict[str, str] = {}
    """The company, or the campaign, whose figures alone are shown."""
    narrows: str = ""
    """The same as a part of an address."""
    period: str = figure_rules.USUAL_PERIOD.value
    """One of them, or WHOLE."""
    span: dict[str, Any] = {}
    """The first and the last day, and how many there are."""
    campaigns: int = 0
    is_of_all: bool = False
    """Of all companies: each thing then names its own."""
    is_whole: bool = False
    """All days of a campaign: nothing is compared with what was before."""
    metrics: dict[str, dict[str, Any]] = {}
    days: list[dict[str, Any]] = []
    """Those that have ended."""
    today: dict[str, Any] = {}
    best_ads: list[dict[str, Any]] = []
    ages: list[dict[str, Any]] = []
    viewers: int = 0
    """In the groups that are large enough to be shown."""
    notes: list[dict[str, Any]] = []

    _counted_at: datetime | None = None
    """When the viewers of each age were last counted."""

    @signed_in()
    async def load(self):
        """The period, the company and the campaign that the address says, with its audience."""
        asked = self._query
        async with transaction() as session:
            scope = await figures.scope_for(session, self._actor)
            if scope is None:
                self._close()
                return
            part = await narrowed(session, scope, asked, To.COMPANY, To.CAMPAIGN)
        if part.gone:
            self._refuse(part.gone)
        self._narrow(part, asked.get("period", ""))
        now = utc_now()
        self._show_figures(await self._found(part.scope, now))
        await self._show_ages(part.scope, now)
        self.standing = "open"

    def _narrow(self, part: Narrowed, raw: str) -> None:
        is_campaign = part.to is To.CAMPAIGN
        period = period_or_whole(raw) if is_campaign else period_from(raw)
        self.period = period.value if period else figure_rules.WHOLE
        self.only = part.shown
        self.narrows = f"&{part.to}={part.id}" if part.to else ""
        self._follow(part.scope)

    async def _found(self, scope: Scope, now: datetime, *, is_news: bool = False) -> Analytics:
        campaign_id = self._campaign_id()
        period = period_or_whole(self.period)
        return await replica.read(
            lambda session: figures.analytics(
                session, scope, period, campaign_id=campaign_id, now=now
            ),
            is_news=is_news,
        )

    def _campaign_id(self) -> UUID | None:
        return UUID(self.only["id"]) if self.only.get("to") == To.CAMPAIGN else None

    @signed_in(passive=True)
    async def refresh(self):
        """Somebody watched or clicked, or a campaign changed; viewers are counted less often."""
        if not await self._is_shown():
            return
        async with transaction() as session:
            scope = await figures.scope_for(session, self._actor)
            if scope is None:
                self._close()
                return
        if self.only.get("to") == To.COMPANY:
            scope = scope.within(UUID(self.only["id"]))
        now = utc_now()
        self._show_figures(await self._found(scope, now, is_news=True))
        if not self._counted_at or now - self._counted_at >= COUNTS_VIEWERS_EVERY:
            await self._show_ages(scope, now)

    async def _is_shown(self) -> bool:
        place = tabs.place_of(self._caller.tab)
        home = await self.get_state(AdvertiserState)
        is_here = place == PATH or (place == home_state.PATH and home.tab == TAB)
        return is_here and self.standing == "open"

    def _close(self) -> None:
        self.reset()
        self.standing = "closed"

    def _follow(self, scope: Scope) -> None:
        """Others' views do not wake a page that shows one company's."""
        self.is_of_all = scope.is_everything
        if scope.advertiser_id:
            self._care_for(str(scope.advertiser_id))

    def _show_figures(self, found: Analytics) -> None:
        days = [_point(day, figures) for day, figures in found.days]
        goes_on = found.span.last >= platform_day(utc_now())
        ended, today = (days[:-1], days[-1]) if goes_on else (days, {})
        self._keep(
            span={
                "first": found.span.first.isoformat(),
                "last": found.span.last.isoformat(),
                "length": found.span.length,
            },
            campaigns=found.stock.campaigns,
            metrics=_metrics(found.now, found.before),
            days=ended,
            today=today,
            is_whole=found.before is None,
            best_ads=[_ad(ad) for ad in found.best_ads],
            notes=[_note(note) for note in found.notes],
        )

    async def _show_ages(self, scope: Scope, now: datetime) -> None:
        """Of a campaign nobody knows them: who saw what is kept for the company alone."""
        if self._campaign_id():
            self._keep(viewers=0, ages=[])
            return
        period = Period(self.period)
        ages = await replica.read(lambda session: figures.audience(session, scope, period, now=now))
        self._counted_at = now
        self._keep(
            viewers=sum(age.viewers or 0 for age in ages),
            ages=[
                {
                    "group": age.group.name.lower(),
                    "viewers": age.viewers or 0,
                    "share": age.share or 0,
                }
                for age in ages
            ],
        )


Measure = Callable[[Figures], float | None]
METRICS: dict[str, tuple[Measure, Callable[[Any, Any], Change], int]] = {
    "impressions": (lambda f: f.impressions, figure_rules.change, 1),
    "completions": (lambda f: f.completions, figure_rules.change, 1),
    "clicks": (lambda f: f.clicks, figure_rules.change, 1),
    "ctr": (lambda f: f.ctr, figure_rules.points, 1),
    "spend": (lambda f: f.spend, figure_rules.change, 0),
    "cost": (lambda f: f.cost_a_view, figure_rules.change, -1),
}
"""What is measured, how it compares, and whether more of it is good (1), bad (-1) or neither."""
TONES = {1: "good", 0: "quiet", -1: "danger"}


def _metrics(now: Figures, before: Figures | None) -> dict[str, dict[str, Any]]:
    return {
        name: _metric(measure, compare, good, now, before)
        for name, (measure, compare, good) in METRICS.items()
    }


def _metric(
    measure: Measure,
    compare: Callable[[Any, Any], Change],
    rise_is: int,
    now: Figures,
    before: Figures | None,
) -> dict[str, Any]:
    if before is None:
        return metric_of(measure(now), None, Change(), rise_is)
    return metric_of(measure(now), measure(before), compare(measure(now), measure(before)), rise_is)


def metric_of(
    now: float | None, before: float | None, change: Change, rise_is: int
) -> dict[str, Any]:
    """`way` is up, down or same; new where there was nothing before; none for nothing to tell."""
    by = change.by or 0.0
    way = "new" if change.is_new else "none" if change.by is None else _way(by)
    return {
        "now": now or 0,
        "is_known": now is not None,
        "before": before or 0,
        "by": by,
        "way": way,
        "tone": TONES[rise_is * ((by > 0) - (by < 0))],
    }


def _way(by: float) -> str:
    return "up" if by > 0 else "down" if by < 0 else "same"


def _point(day: Any, figures: Figures) -> dict[str, Any]:
    return {
        "day": day.isoformat(),
        "impressions": figures.impressions,
        "completions": figures.completions,
        "clicks": figures.clicks,
        "spend": figures.spend,
    }


def _ad(ad: AdFigures) -> dict[str, Any]:
    return {
        "title": ad.title,
        "kind": ad.kind,
        "seconds": ad.seconds,
        "campaign": ad.campaign,
        "company": ad.company,
        "impressions": ad.figures.impressions,
        "clicks": ad.figures.clicks,
        "ctr": ad.figures.ctr or 0,
        "is_little_seen": ad.figures.is_little_seen,
    }


def _note(note: Note) -> dict[str, Any]:
    return {
        "name": note.name,
        "count": note.count,
        "of": note.of,
        "subject": note.subject,
        "day": note.day.isoformat() if note.day else "",
    }
