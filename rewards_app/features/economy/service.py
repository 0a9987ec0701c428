"""The economy of a period, put together from sums that are kept as they come in."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta

from rewards_app.core.database import transaction
from rewards_app.core.settings import settings
from rewards_app.features.ads import days
from rewards_app.features.ads.days import PLATFORM_CALENDAR, platform_day
from rewards_app.features.ads.funding import Funding
from rewards_app.features.advertiser.figure_rules import Span
from rewards_app.features.economy import repository, rules
from rewards_app.features.economy.repository import AdGap, Outstanding, Shown
from rewards_app.features.economy.rules import NOTHING, Flow, Period

MOST_GAPS = 10
COUNT_COINS_EVERY = timedelta(seconds=60)
"""All balances are added up for it."""
SETTLES_WITHIN = timedelta(hours=1)
"""So long after a day's end entries of it could still appear: whoever wrote them was slow."""


@dataclass(frozen=True, slots=True)
class Economy:
    """A period that ends today, beside the one before it."""

    span: Span
    outstanding: Outstanding
    counted_at: datetime
    """When the outstanding coins were added up."""
    now: Flow
    before: Flow
    by_day: Sequence[tuple[date, Flow]]
    gaps: Sequence[AdGap]
    shown: Shown
    funding: Funding


class Books:
    """What this worker knows already: days that are over never change in the ledger."""

    def __init__(self) -> None:
        self._settled: dict[date, Flow] = {}
        self._settled_from: date | None = None
        self._settled_to: date | None = None
        self._outstanding: Outstanding | None = None
        self._counted_at: datetime | None = None

    async def economy(self, period: Period, *, now: datetime) -> Economy:
        span = rules.span_of(period, platform_day(now))
        both = Span(span.before.first, span.last)
        async with transaction() as session:
            of_ads = await repository.of_ads(session, both)
            gaps = await repository.gaps(session, span, limit=MOST_GAPS)
            shown = await repository.shown(session, now=now)
        of_entries = await self._entries(both, now=now)
        by_day = {day: of_ads.get(day, NOTHING) + of_entries.get(day, NOTHING) for day in both.days}
        outstanding, counted_at = await self._count_coins(now=now)
        return Economy(
            span=span,
            outstanding=outstanding,
            counted_at=counted_at,
            now=rules.total(by_day, span),
            before=rules.total(by_day, span.before),
            by_day=[(day, by_day[day]) for day in span.days],
            gaps=gaps,
            shown=shown,
            funding=Funding(settings().reward_funding),
        )

    async def _entries(self, span: Span, *, now: datetime) -> Mapping[date, Flow]:
        """Days that are over are read once; entries are never changed or taken away."""
        await self._settle(span, now=now)
        if self._settled_to and self._settled_to >= span.first:
            open_from = self._settled_to + timedelta(days=1)
        else:
            open_from = span.first
        async with transaction() as session:
            of_open = await repository.of_entries(
                session, _start_of(open_from), _start_of(span.last + timedelta(days=1))
            )
        return self._settled | of_open

    async def _settle(self, span: Span, *, now: datetime) -> None:
        last_over = platform_day(now - SETTLES_WITHIN) - timedelta(days=1)
        if self._settled_from is None or span.first < self._settled_from:
            self._settled, self._settled_from = {}, span.first
            begins = span.first
        elif self._settled_to is None or self._settled_to < last_over:
            begins = (self._settled_to or span.first - timedelta(days=1)) + timedelta(days=1)
        else:
            return
        async with transaction() as session:
            self._settled |= await repository.of_entries(
                session, _start_of(begins), _start_of(last_over + timedelta(days=1))
            )
        self._settled_to = last_over

    async def _count_coins(self, *, now: datetime) -> tuple[Outstanding, datetime]:
        if (
            self._outstanding is None
            or self._counted_at is None
            or not timedelta(0) <= now - self._counted_at < COUNT_COINS_EVERY
        ):
            async with transaction() as session:
                self._outstanding = await repository.outstanding(session)
            self._counted_at = now
        return self._outstanding, self._counted_at


def _start_of(day: date) -> datetime:
    """When a day of the platform begins."""
    return days.start_of(PLATFORM_CALENDAR.zone, day)
