"""Figures: which days a period has, how figures compare, which ages are shown, what is said."""

from datetime import date, timedelta

import pytest

from rewards_app.features.ads.audience import AgeGroup
from rewards_app.features.advertiser import figure_rules as rules
from rewards_app.features.advertiser.figure_rules import (
    Capped,
    Change,
    Figures,
    Note,
    Period,
    Span,
)

TODAY = date(2026, 11, 21)


def figures(**values: int) -> Figures:
    return Figures(**{"impressions": 100, "completions": 80, "clicks": 4, "spend": 800} | values)


class TestAPeriod:
    @pytest.mark.parametrize(
        ("period", "first", "length"),
        [
            (Period.WEEK, date(2026, 11, 15), 7),
            (Period.MONTH, date(2026, 10, 23), 30),
            (Period.QUARTER, date(2026, 8, 22), 92),
            (Period.HALF_YEAR, date(2026, 5, 22), 184),
            (Period.YEAR, date(2025, 11, 22), 365),
        ],
    )
    def test_ends_today_and_today_counts(self, period: Period, first: date, length: int):
        assert rules.span_of(period, TODAY) == Span(first, TODAY)
        assert rules.span_of(period, TODAY).length == length

    def test_begins_after_the_last_day_of_a_month_that_is_too_short(self):
        assert rules.span_of(Period.QUARTER, date(2026, 5, 31)).first == date(2026, 3, 1)

    def test_of_a_year_has_a_leap_day_where_there_was_one(self):
        assert rules.span_of(Period.YEAR, date(2028, 3, 1)).length == 366

    def test_is_compared_with_as_many_days_right_before_it(self):
        for period in Period:
            span = rules.span_of(period, TODAY)
            assert span.before.length == span.length
            assert span.before.last + timedelta(days=1) == span.first

    def test_lists_each_of_its_days_once(self):
        days = rules.span_of(Period.WEEK, TODAY).days
        assert days[0] == date(2026, 11, 15)
        assert days[-1] == TODAY
        assert len(days) == len(set(days)) == 7

    @pytest.mark.parametrize("raw", ["", "7", "30D", "1y ", "2y", "30d'"])
    def test_that_nobody_offers_is_the_usual_one(self, raw: str):
        assert rules.period_from(raw) is Period.MONTH

    def test_is_what_the_address_says(self):
        assert rules.period_from("1y") is Period.YEAR


class TestATotal:
    def test_is_of_the_days_in_the_span_alone(self):
        span = Span(TODAY - timedelta(days=1), TODAY)
        first = figures(clicks=1, refused=3)
        known = {TODAY: figures(refused=4), span.first: first, date(2026, 11, 1): figures()}
        assert rules.total(known, span) == Figures(200, 160, 5, 1600, 7)

    def test_of_no_days_is_nothing(self):
        assert rules.total({}, Span(TODAY, TODAY)) == rules.NOTHING


class TestShares:
    def test_are_what_they_divide(self):
        assert figures().ctr == 0.04
        assert figures().completed == figures().rewarded == 0.8
        assert figures(refused=10).completed == 0.9
        assert figures(refused=10).rewarded == 0.8
        assert figures().cost_a_view == 10

    def test_of_nothing_are_none(self):
        assert rules.NOTHING.ctr is rules.NOTHING.cost_a_view is None
        assert rules.NOTHING.completed is rules.NOTHING.rewarded is None

    def test_a_tenth_of_a_dollar_is_estimated_for_each_rewarded_view(self):
        assert figures(completions=3).revenue == 30_000


class TestAChange:
    @pytest.mark.parametrize(
        ("now", "before", "change"),
        [
            (150, 100, Change(0.5)),
            (50, 100, Change(-0.5)),
            (100, 100, Change(0.0)),
            (0, 100, Change(-1.0)),
            (7, 0, Change(is_new=True)),
            (7, None, Change(is_new=True)),
            (0, 0, Change()),
            (None, None, Change()),
            (None, 100, Change()),
        ],
    )
    def test_is_a_share_of_what_was_before(self, now: int, before: int, change: Change):
        assert rules.change(now, before) == change

    def test_of_a_share_is_told_in_points(self):
        assert rules.points(0.05, 0.04).by == pytest.approx(0.01)
        assert rules.points(0.0, 0.0) == Change(0.0)
        assert rules.points(0.0, None) == Change(is_new=True)
        assert rules.points(None, 0.04) == rules.points(None, None) == Change()


class TestAges:
    def test_of_fewer_than_twenty_viewers_are_not_shown(self):
        shares = rules.age_shares({AgeGroup.FROM_18: 20, AgeGroup.FROM_25: 19})
        shown = {share.group: share.viewers for share in shares}
        assert shown == dict.fromkeys(AgeGroup) | {AgeGroup.FROM_18: 20}

    def test_are_shares_of_those_that_are_shown(self):
        shares = rules.age_shares(
            {AgeGroup.UNDER_18: 60, AgeGroup.FROM_35: 20, AgeGroup.FROM_45: 15}
        )
        assert [share.share for share in shares] == [0.75, None, None, 0.25, None]

    def test_come_from_the_youngest_to_the_oldest(self):
        assert [share.group for share in rules.age_shares({})] == list(AgeGroup)

    def test_without_a_large_group_tell_nothing(self):
        shares = rules.age_shares(dict.fromkeys(AgeGroup, 19))
        assert all(share.viewers is share.share is None for share in shares)


class TestNotes:
    def test_tell_how_many_campaigns_run_when_any_do(self):
        assert rules.notes(2, rules.NOTHING, []) == [Note("running", 2)]
        assert rules.notes(0, rules.NOTHING, []) == []

    def test_tell_of_more_than_a_thousand_impressions(self):
        well = figures(clicks=900)
        assert rules.notes(0, Figures(1000, clicks=900), []) == []
        assert rules.notes(0, Figures(1001, clicks=900), []) == [Note("reached", 1001)]
        assert rules.notes(0, well, []) == []

    def test_tell_of_a_rate_below_two_percent_where_there_were_views(self):
        assert rules.notes(0, figures(clicks=1), []) == [Note("low_ctr")]
        assert rules.notes(0, figures(clicks=2), []) == []
        assert rules.notes(0, rules.NOTHING, []) == []

    def test_tell_of_daily_budgets_that_were_spent(self):
        capped = Capped("Black Week", 3, 6, TODAY)
        expected = [Note("daily_budget", 3, 6, "Black Week", TODAY)]
        assert rules.notes(0, rules.NOTHING, [capped]) == expected


class TestAMark:
    def test_must_be_passed(self):
        assert rules.is_above(0.0801, rules.GOOD_COMPLETION) is True
        assert rules.is_above(0.08, rules.GOOD_COMPLETION) is False
        assert rules.is_above(0.7501, rules.GOOD_ENGAGEMENT) is True
        assert rules.is_above(0.75, rules.GOOD_ENGAGEMENT) is False

    def test_is_not_judged_without_views(self):
        assert rules.is_above(None, rules.GOOD_COMPLETION) is None
