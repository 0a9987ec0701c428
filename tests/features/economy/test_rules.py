"""What a period cost and brought."""

from datetime import date, timedelta

import pytest

from rewards_app.features.ads.funding import PARTS_A_COIN
from rewards_app.features.economy.rules import (
    DAYS,
    NOTHING,
    USUAL_PERIOD,
    Flow,
    Period,
    period_from,
    span_of,
    total,
)

TODAY = date(2026, 3, 14)


class TestAPeriod:
    @pytest.mark.parametrize("period", list(Period))
    def test_ends_today_and_follows_one_of_the_same_length(self, period: Period):
        span = span_of(period, TODAY)
        assert (span.last, span.length) == (TODAY, DAYS[period])
        assert (span.before.last, span.before.length) == (
            span.first - timedelta(days=1),
            DAYS[period],
        )

    @pytest.mark.parametrize("raw", ["", "99y", "' or 1=1 --", "x" * 5000])
    def test_that_nobody_knows_is_the_usual_one(self, raw: str):
        assert period_from(raw) is USUAL_PERIOD


class TestAFlow:
    def test_has_the_margin_that_spend_leaves_after_rewards(self):
        flow = Flow(spend=100_000, rewards=15, funded=100_000)
        assert flow.margin == 100_000 - 15 * PARTS_A_COIN
        assert flow.unfunded == 15 * PARTS_A_COIN - 100_000

    def test_of_the_houses_own_ads_is_unfunded(self):
        flow = Flow(rewards=30, house_rewards=30)
        assert flow.unfunded == -flow.margin == 30 * PARTS_A_COIN

    def test_earns_by_ads_and_otherwise(self):
        assert Flow(rewards=30, otherwise=25).earned == 55

    def test_adds_up_day_by_day(self):
        days = {TODAY: Flow(1, 2, 0, 1), TODAY - timedelta(days=6): Flow(5, 6, 6, 0, 7, 8, 9, 10)}
        assert total(days, span_of(Period.WEEK, TODAY)) == Flow(6, 8, 6, 1, 7, 8, 9, 10)
        assert total(days, span_of(Period.WEEK, TODAY + timedelta(days=7))) == NOTHING
