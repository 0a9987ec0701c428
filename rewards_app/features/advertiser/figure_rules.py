"""What companies' figures are, how they compare, and what they are worth saying. Pure.

Views are those that were completed and are paid for; impressions are all that were started. A view
that was watched to its end and refused is in a share of its own alone: nobody pays for it.
"""

from calendar import monthrange
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from enum import StrEnum

from rewards_app.features.ads.audience import SMALLEST_GROUP, AgeGroup

REVENUE_A_VIEW = 10_000
"""A tenth of a dollar for each rewarded view, in thousandths of a cent."""
GOOD_COMPLETION = 0.08
GOOD_ENGAGEMENT = 0.75
LOW_CTR = 0.02
MANY_IMPRESSIONS = 1000
FEW_IMPRESSIONS = 100
"""Below so many one click more or less is a share of its own: the rate says little yet."""


@dataclass(frozen=True, slots=True)
class Figures:
    """What came of some ads."""

    impressions: int = 0
    completions: int = 0
    clicks: int = 0
    spend: int = 0
    """In thousandths of a cent."""
    refused: int = 0
    """Watched to their end, and not rewarded."""

    @property
    def ctr(self) -> float | None:
        """Clicks of all impressions; nothing while there were none."""
        return self.clicks / self.impressions if self.impressions else None

    @property
    def is_little_seen(self) -> bool:
        return self.impressions < FEW_IMPRESSIONS

    @property
    def completed(self) -> float | None:
        """Views that were watched to their end of all that were started."""
        watched = self.completions + self.refused
        return watched / self.impressions if self.impressions else None

    @property
    def rewarded(self) -> float | None:
        """Views that were rewarded, and are paid for, of all that were started."""
        return self.completions / self.impressions if self.impressions else None

    @property
    def cost_a_view(self) -> float | None:
        return self.spend / self.completions if self.completions else None

    @property
    def revenue(self) -> int:
        return self.completions * REVENUE_A_VIEW

    def __add__(self, other: "Figures") -> "Figures":
        return Figures(
            self.impressions + other.impressions,
            self.completions + other.completions,
            self.clicks + other.clicks,
            self.spend + other.spend,
            self.refused + other.refused,
        )


NOTHING = Figures()


class Period(StrEnum):
    WEEK = "7d"
    MONTH = "30d"
    QUARTER = "3m"
    HALF_YEAR = "6m"
    YEAR = "1y"


WHOLE = "all"
"""What an address calls all the days of one campaign: no period, and nothing was before."""
USUAL_PERIOD = Period.MONTH
DAYS = {Period.WEEK: 7, Period.MONTH: 30}
MONTHS = {Period.QUARTER: 3, Period.HALF_YEAR: 6, Period.YEAR: 12}


def period_from(raw: str) -> Period:
    """What an address says; anything else is the usual one."""
    return Period(raw) if raw in set(Period) else USUAL_PERIOD


def period_or_whole(raw: str) -> Period | None:
    """The same of one campaign, of which all days can be asked for."""
    return None if raw == WHOLE else period_from(raw)


@dataclass(frozen=True, slots=True)
class Span:
    """From the first to the last day, both included."""

    first: date
    last: date

    @property
    def length(self) -> int:
        return (self.last - self.first).days + 1

    @property
    def days(self) -> list[date]:
        return [self.first + timedelta(days=number) for number in range(self.length)]

    @property
    def before(self) -> "Span":
        """As many days, up to this one's first."""
        return Span(self.first - timedelta(days=self.length), self.first - timedelta(days=1))


def whole_span(first: date | None, last: date | None, today: date, *, goes_on: bool) -> Span:
    """All days on which anything came; until today where more may come."""
    began = first or today
    return Span(began, max(began, today if goes_on else last or today))


def span_of(period: Period, today: date) -> Span:
    """The period that ends today."""
    if period in DAYS:
        return Span(today - timedelta(days=DAYS[period] - 1), today)
    return Span(_months_before(today, MONTHS[period]) + timedelta(days=1), today)


def _months_before(day: date, months: int) -> date:
    """The same day of an earlier month, or that month's last."""
    year, month = divmod(day.year * 12 + day.month - 1 - months, 12)
    return date(year, month + 1, min(day.day, monthrange(year, month + 1)[1]))


def total(days: Mapping[date, Figures], span: Span) -> Figures:
    return sum((days.get(day, NOTHING) for day in span.days), NOTHING)


@dataclass(frozen=True, slots=True)
class Change:
    """How a figure became another one; without `by` there is nothing to compare with."""

    by: float | None = None
    is_new: bool = False
    """There is something now, and there was nothing before."""


def change(now: float | None, before: float | None) -> Change:
    """As a share of what was before."""
    if not before:
        return Change(is_new=bool(now))
    return Change((now - before) / before) if now is not None else Change()


def points(now: float | None, before: float | None) -> Change:
    """Between two shares: the points that lie between them."""
    if before is None:
        return Change(is_new=now is not None)
    return Change(now - before) if now is not None else Change()


@dataclass(frozen=True, slots=True)
class AgeShare:
    """A group among the viewers; too few of them stay unsaid."""

    group: AgeGroup
    viewers: int | None
    share: float | None


def age_shares(viewers: Mapping[AgeGroup, int]) -> list[AgeShare]:
    """Shares of those in groups that are large enough: others cannot be told from the rest."""
    large = {group: count for group, count in viewers.items() if count >= SMALLEST_GROUP}
    known = sum(large.values())
    return [
        AgeShare(group, large.get(group), large[group] / known if group in large else None)
        for group in AgeGroup
    ]


@dataclass(frozen=True, slots=True)
class Capped:
    """A campaign that spent its daily budget on some of the days on which it was shown."""

    campaign: str
    days: int
    shown_days: int
    last_day: date


@dataclass(frozen=True, slots=True)
class Note:
    """Something worth knowing: its words are `analytics.notes.<name>`."""

    name: str
    count: int = 0
    of: int = 0
    subject: str = ""
    day: date | None = None


def notes(running: int, figures: Figures, capped: Sequence[Capped]) -> list[Note]:
    found: list[Note] = []
    if running:
        found.append(Note("running", running))
    if figures.impressions > MANY_IMPRESSIONS:
        found.append(Note("reached", figures.impressions))
    if figures.ctr is not None and figures.ctr < LOW_CTR:
        found.append(Note("low_ctr"))
    found += [
        Note("daily_budget", one.days, one.shown_days, one.campaign, one.last_day) for one in capped
    ]
    return found


def is_above(share: float | None, mark: float) -> bool | None:
    """Whether a share is above its mark; nobody knows while there is no share."""
    return None if share is None else share > mark
