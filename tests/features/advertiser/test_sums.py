"""The sums that letters say: they add up."""

import pytest

from rewards_app.features.ads.budgets import VIEWS_A_BUDGET
from rewards_app.features.advertiser import letters, reports
from rewards_app.features.advertiser.reports import Line

BUDGET = 1_001
"""In cents: half of its views cost half a cent more than whole ones."""


class TestALetterOnACampaignThatEnded:
    def test_loses_no_cent_of_its_budget(self):
        sums = letters.sums(500 * BUDGET, 500 * BUDGET, "en")
        assert sums == {"spent": "$5.01", "rest": "$5.00 went back to your balance."}

    def test_says_so_where_all_was_spent(self):
        sums = letters.sums(VIEWS_A_BUDGET * BUDGET, 0, "en")
        assert sums == {"spent": "$10.01", "rest": "Its whole budget was spent."}


@pytest.mark.parametrize(
    ("spend", "said"), [(500_500, "$5.005"), (499, "$0.00499"), (500, "$0.005"), (500_000, "$5.00")]
)
def test_the_weekly_report_says_all_that_was_spent(spend: int, said: str):
    assert f"{said} spent" in reports._said(Line("Winter", 1, 1, 1, spend), "en")
