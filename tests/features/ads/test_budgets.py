"""What a budget buys."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rewards_app.features.ads.budgets import PARTS_A_CENT, VIEWS_A_BUDGET, views_a_day

BUDGETS = st.integers(1, 10**9)


class TestThePrice:
    @given(BUDGETS)
    def test_of_a_thousand_views_is_the_budget_to_the_last_part_of_a_cent(self, budget: int):
        price = budget
        assert VIEWS_A_BUDGET * price == budget * PARTS_A_CENT


class TestViewsADay:
    @pytest.mark.parametrize(
        ("budget", "daily", "views"),
        [(100_000, 1_000, 10), (100_000, 999, 9), (100_000, 99, 0), (100_000, 100_000, 1000)],
    )
    def test_are_as_many_as_the_days_budget_pays_for(self, budget: int, daily: int, views: int):
        assert views_a_day(budget, daily) == views

    def test_are_never_more_than_the_whole_budget_buys(self):
        assert views_a_day(100, 10**6) == VIEWS_A_BUDGET

    @given(BUDGETS, BUDGETS)
    def test_never_cost_more_than_the_days_budget(self, budget: int, daily: int):
        price = budget
        assert views_a_day(budget, daily) * price <= daily * PARTS_A_CENT
