"""The sheet of a period: whose sums are exact, and which runs nothing."""

import csv
from datetime import date
from decimal import Decimal

import pytest

from rewards_app.core.csv_text import escaped
from rewards_app.features.advertiser import figure_sheet
from rewards_app.features.advertiser.figure_rules import Figures, Span
from rewards_app.features.advertiser.figure_sheet import AdDayLine

DAY = date(2026, 11, 21)


def a_line(**changes: object) -> AdDayLine:
    known = {
        "day": DAY,
        "company": "Fjord Audio",
        "campaign": "Autumn",
        "ad": "Hear the fjord",
        "figures": Figures(5, 3, 1, 10_001, refused=2),
    }
    return AdDayLine(**known | changes)  # pyright: ignore[reportArgumentType]


def read(lines: list[AdDayLine], *, names_companies: bool = False) -> list[dict[str, str]]:
    text = figure_sheet.sheet_of(lines, names_companies=names_companies)
    assert text.startswith("\ufeff")
    return list(csv.DictReader(text[1:].splitlines()))


class TestTheSheet:
    def test_has_a_line_for_each_ad_and_day(self):
        assert read([a_line()]) == [
            {
                "date": "2026-11-21",
                "campaign": "Autumn",
                "ad": "Hear the fjord",
                "impressions": "5",
                "completed_views": "3",
                "refused_views": "2",
                "clicks": "1",
                "spend_usd": "0.10001",
            }
        ]

    def test_of_all_companies_names_them(self):
        assert read([a_line()], names_companies=True)[0]["company"] == "Fjord Audio"

    def test_of_nothing_has_its_heads(self):
        text = figure_sheet.sheet_of([], names_companies=False)
        assert text == (
            "\ufeffdate,campaign,ad,impressions,completed_views,refused_views,clicks,spend_usd\r\n"
        )

    @pytest.mark.parametrize("name", ["=1+1", "+1", "-1", "@sum", "\t=1", "＝1", " =1"])
    def test_runs_no_formula(self, name: str):
        (line,) = read([a_line(ad=name, campaign=name, company=name)], names_companies=True)
        assert line["ad"] == line["campaign"] == line["company"] == escaped(name) != name

    def test_keeps_names_that_are_hard_to_write(self):
        name = 'Комплект "Дрифт", 1\n2'
        text = figure_sheet.sheet_of([a_line(ad=name)], names_companies=False)
        (_, row) = csv.reader(text[1:].splitlines(keepends=True))
        assert row[2] == name

    def test_calls_an_ad_without_a_title_untitled(self):
        assert read([a_line(ad="")])[0]["ad"] == "Untitled Ad"

    def test_says_in_its_name_which_days_it_has(self):
        span = Span(date(2026, 10, 23), DAY)
        assert figure_sheet.name_of(span) == "watchcoins-2026-10-23-2026-11-21.csv"


class TestDollars:
    @pytest.mark.parametrize(
        ("parts", "written"),
        [(0, "0.00000"), (1, "0.00001"), (99_999, "0.99999"), (10**15 + 1, "10000000000.00001")],
    )
    def test_lose_nothing(self, parts: int, written: str):
        assert figure_sheet.dollars_from(parts) == written
        assert Decimal(written) * 100_000 == parts
