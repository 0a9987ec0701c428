"""A period's figures as a sheet: a line for each ad and day, which add up to the screen. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal

from rewards_app.core.csv_text import BYTE_ORDER_MARK, escaped, written
from rewards_app.features.ads.budgets import PARTS_A_DOLLAR
from rewards_app.features.advertiser.figure_rules import Figures, Span

UNTITLED = "Untitled Ad"
COMPANY = "company"
VIEWS = ("impressions", "completed_views", "refused_views")
COLUMNS = ("campaign", "ad", *VIEWS, "clicks", "spend_usd")


@dataclass(frozen=True, slots=True)
class AdDayLine:
    """What came of one ad on one day."""

    day: date
    company: str
    campaign: str
    ad: str
    figures: Figures


def sheet_of(lines: Sequence[AdDayLine], *, names_companies: bool) -> str:
    company = [COMPANY] if names_companies else []
    rows = [_row(line, names_companies=names_companies) for line in lines]
    return BYTE_ORDER_MARK + written([["date", *company, *COLUMNS], *rows])


def _row(line: AdDayLine, *, names_companies: bool) -> list[str | int]:
    names = [*([line.company] if names_companies else []), line.campaign, line.ad or UNTITLED]
    sums = line.figures
    return [
        line.day.isoformat(),
        *map(escaped, names),
        sums.impressions,
        sums.completions,
        sums.refused,
        sums.clicks,
        dollars_from(sums.spend),
    ]


def dollars_from(parts: int) -> str:
    """Thousandths of a cent as dollars, all of them: a sheet's sum is exact."""
    return f"{Decimal(parts) / PARTS_A_DOLLAR:.5f}"


def name_of(span: Span) -> str:
    return f"watchcoins-{span.first.isoformat()}-{span.last.isoformat()}.csv"
