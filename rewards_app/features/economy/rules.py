"""What a period cost and brought. Pure: amounts are coins, or thousandths of a cent.

A coin is a krona. Of an ad's day the company paid for its rewards up to what it spent; the rest,
and all rewards of the house's own ads, nobody paid for.
"""

from collections.abc import Iterable, Mapping
from dataclasses import astuple, dataclass
from datetime import date, timedelta
from enum import StrEnum

from rewards_app.features.ads.funding import worth_of
from rewards_app.features.advertiser.figure_rules import Span


class Period(StrEnum):
    WEEK = "7d"
    MONTH = "30d"
    QUARTER = "90d"


USUAL_PERIOD = Period.MONTH
ORE_A_COIN = 100
DAYS = {Period.WEEK: 7, Period.MONTH: 30, Period.QUARTER: 90}


def period_from(raw: str) -> Period:
    """What an address says; anything else is the usual one."""
    return Period(raw) if raw in set(Period) else USUAL_PERIOD


def span_of(period: Period, today: date) -> Span:
    """The period that ends today."""
    return Span(today - timedelta(days=DAYS[period] - 1), today)


@dataclass(frozen=True, slots=True)
class Flow:
    """What came and went on some days."""

    spend: int = 0
    """Of companies, for views."""
    rewards: int = 0
    """Coins that players got for views, invalid ones included: they keep those."""
    house_rewards: int = 0
    """Of them for the house's own ads."""
    funded: int = 0
    """What of the rewards companies paid for, in thousandths of a cent."""
    otherwise: int = 0
    """Coins that were earned by something else than ads."""
    spent: int = 0
    """Coins."""
    refunded: int = 0
    expired: int = 0

    @property
    def earned(self) -> int:
        return self.rewards + self.otherwise

    @property
    def worth(self) -> int:
        """Of the rewards, in thousandths of a cent."""
        return worth_of(self.rewards)

    @property
    def unfunded(self) -> int:
        return self.worth - self.funded

    @property
    def margin(self) -> int:
        return self.spend - self.worth

    def __add__(self, other: "Flow") -> "Flow":
        return Flow(
            *(mine + theirs for mine, theirs in zip(astuple(self), astuple(other), strict=True))
        )


NOTHING = Flow()


def total(days: Mapping[date, Flow], span: Span) -> Flow:
    return summed(days.get(day, NOTHING) for day in span.days)


def summed(flows: Iterable[Flow]) -> Flow:
    return sum(flows, NOTHING)
