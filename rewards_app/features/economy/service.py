"""The economy of a period, put together from sums that are kept as they come in."""

from collections.abc import Awaitable, Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any, TypeVar

from rewards_app.core.database import AsyncSession, transaction
from rewards_app.core.postgres import replica
from rewards_app.core.settings import settings
from rewards_app.features.ads.days import platform_day
from rewards_app.features.ads.funding import Funding
from rewards_app.features.advertiser.figure_rules import Span
from rewards_app.features.economy import repository, rules
from rewards_app.features.economy.repository import AdGap, Outstanding, Shown
from rewards_app.features.economy.rules import NOTHING, Flow, Period

Counted = TypeVar("Counted")
MOST_GAPS = 10
COUNT_EVERY = timedelta(seconds=60)
"""All balances, and days that are over, are added up for it."""
A_DAY = timedelta(days=1)
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


@dataclass(frozen=True, slots=True)
class Settled:
    """Days that are over: what their entries were."""

    first: date
    last: date
    flows: Mapping[date, Flow]


class Books:
    """What this worker knows already: most of it is looked up once a minute, or once a day."""

    def __init__(self) -> None:
        self._settled: Settled | None = None
        self._kept: dict[Hashable, tuple[datetime, Any]] = {}

    async def economy(self, period: Period, *, now: datetime) -> Economy:
        span = rules.span_of(period, platform_day(now))
        both = Span(span.before.first, span.last)
        of_ads = await self._ads(both, now=now)
        of_entries = await self._entries(both, now=now)
        by_day = {day: of_ads.get(day, NOTHING) + of_entries.get(day, NOTHING) for day in both.days}
        gaps, _ = await self._once_a_minute(
            span, lambda session: repository.gaps(session, span, limit=MOST_GAPS), now=now
        )
        outstanding, counted_at = await self._once_a_minute(
            "outstanding", repository.outstanding, now=now
        )
        async with transaction() as session:
            shown = await repository.shown(session, now=now)
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

    async def _ads(self, span: Span, *, now: datetime) -> Mapping[date, Flow]:
        """Days that are over only change when a company is paid back for one of their views."""
        late = Span(span.last - A_DAY, span.last)
        over = Span(span.first, late.first - A_DAY)
        known, _ = await self._once_a_minute(
            over, lambda session: repository.of_ads(session, over), now=now
        )
        async with transaction() as session:
            return known | await repository.of_ads(session, late)

    async def _once_a_minute(
        self,
        what: Hashable,
        count: Callable[[AsyncSession], Awaitable[Counted]],
        *,
        now: datetime,
    ) -> tuple[Counted, datetime]:
        """What was counted, and when."""
        self._kept = {
            key: kept
            for key, kept in self._kept.items()
            if timedelta(0) <= now - kept[0] < COUNT_EVERY
        }
        if what not in self._kept:
            self._kept[what] = now, await replica.read(count)
        counted_at, counted = self._kept[what]
        return counted, counted_at

    async def _entries(self, span: Span, *, now: datetime) -> Mapping[date, Flow]:
        """Days that are over are read once a day: their entries are never changed or taken away,
        but what was added up of them may have been wrong, and is mended at night."""
        settled = await self._settle(span, now=now)
        open_from = max(span.first, settled.last + A_DAY)
        async with transaction() as session:
            of_open = await repository.of_entries(session, open_from, span.last)
        return {**settled.flows, **of_open}

    async def _settle(self, span: Span, *, now: datetime) -> Settled:
        """What was read is kept once all of it is there: a read may fail, and others go on."""
        last_over = platform_day(now - SETTLES_WITHIN) - A_DAY
        known = self._settled
        if known is None or span.first < known.first or known.last < last_over:
            first = min(span.first, known.first) if known else span.first
            read = await replica.read(
                lambda session: repository.of_entries(session, first, last_over)
            )
            known = self._settled = Settled(first, last_over, read)
        return known
