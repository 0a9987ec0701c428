"""How many ads, minutes and days lie between a balance and a package."""

import pytest

from rewards_app.features.shop import watching_rules
from rewards_app.features.shop.watching_rules import Earning


class TestWayToFree:
    @pytest.mark.parametrize(
        ("balance", "coins", "ads", "minutes"),
        [
            (0, 89, 6, 3),
            (26, 63, 5, 3),
            (74, 15, 1, 1),
            (75, 14, 1, 1),
            (89, 0, 0, 0),
            (500, 0, 0, 0),
        ],
    )
    def test_counts_coins_ads_and_whole_minutes(self, balance, coins, ads, minutes):
        way = watching_rules.way_to_free(89, balance, Earning(15, 30, left_today=50))
        assert (way.coins, way.ads, way.minutes) == (coins, ads, minutes)

    def test_counts_with_what_ads_pay_and_take_on_average(self):
        way = watching_rules.way_to_free(100, 0, Earning(12.5, 37.5, left_today=50))
        assert (way.ads, way.minutes) == (8, 5)

    @pytest.mark.parametrize(
        ("price", "left_in_sitting", "minutes"),
        [(90, None, 3), (90, 6, 3), (90, 5, 63), (90, 0, 63), (225, 0, 68), (240, 0, 128)],
    )
    def test_counts_the_breaks_between_the_sittings_of_the_young(
        self, price: int, left_in_sitting: int | None, minutes: int
    ):
        earning = Earning(15, 30, left_today=50, left_in_sitting=left_in_sitting)
        assert watching_rules.way_to_free(price, 0, earning).minutes == minutes

    def test_counts_no_breaks_where_nights_lie_between(self):
        earning = Earning(15, 30, left_today=50, left_in_sitting=15)
        assert watching_rules.way_to_free(51 * 15, 0, earning).minutes == 26

    @pytest.mark.parametrize(("left_today", "days"), [(50, 0), (36, 0), (35, 1), (0, 1)])
    def test_is_tomorrow_past_todays_limit(self, left_today: int, days: int):
        earning = Earning(15, 30, left_today)
        assert watching_rules.way_to_free(36 * 15, 0, earning).days == days
