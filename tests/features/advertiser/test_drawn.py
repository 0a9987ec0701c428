"""What companies see: their audience, their settings, the limits of what they type."""

from typing import Any

import pytest
import reflex as rx

from rewards_app.core.actor import Role
from rewards_app.features.ads.audience import AgeGroup
from rewards_app.features.advertiser.analytics_state import AnalyticsState
from rewards_app.features.advertiser.campaign_cards import campaign_status
from rewards_app.i18n import catalogues
from tests.drawn import Part, drawn, the_page

TOO_FEW = "Not enough data yet"
AGE: Any = rx.Var("age_rx_state_").to(dict[str, Any])
HAS_VIEWERS = AGE["viewers"].to(int) > 0
STATUS = rx.Var("status").to(str)


def audience(*, is_known: bool, of_a_group: bool = False) -> Part:
    answers = {AnalyticsState.viewers: is_known, HAS_VIEWERS: of_a_group}
    return drawn(the_page("/analytics", Role.COMPANY).view(), answers).panel("Audience by age")


class TestTheAudience:
    def test_of_too_few_says_so_and_names_no_age(self):
        card = audience(is_known=False)
        assert TOO_FEW in card.words
        assert not card.named("li")

    def test_has_a_row_for_each_age(self):
        [row] = audience(is_known=True).named("li")
        assert "analytics.ages." in row.words[0]
        said = catalogues.interface("en")
        assert [said[f"analytics.ages.{group.name.lower()}"] for group in AgeGroup] == [
            "Under 18",
            "18–24",
            "25–34",
            "35–44",
            "45+",
        ]

    @pytest.mark.parametrize("are_many", [True, False])
    def test_of_one_age_that_are_too_few_has_no_share(self, are_many: bool):
        [row] = audience(is_known=True, of_a_group=are_many).named("li")
        assert (TOO_FEW in row.words) is not are_many
        assert any('"share"' in words for words in row.words) is are_many


def test_the_settings_lead_to_the_security_of_ones_account():
    page = drawn(the_page("/advertiser", Role.COMPANY).view())
    assert page.panel("Security").links == [("Advanced Security Settings", "/security")]


@pytest.mark.parametrize(
    ("name", "least", "most", "step"),
    [
        ("budget", "1", None, "0.01"),
        ("daily_budget", "0", None, "0.01"),
        ("duration", "5", "60", "1"),
        ("reward_coins", "5", "50", "1"),
    ],
)
def test_a_number_is_asked_for_within_its_limits(
    name: str, least: str, most: str | None, step: str
):
    inputs = drawn(the_page("/advertiser", Role.COMPANY).view()).inputs(name)
    assert inputs
    for one in (each.props for each in inputs):
        limits = (one.get("min"), one.get("max"), one.get("step"))
        assert (one["type"], *limits) == ("number", least, most, step)


class TestACampaignsStatus:
    @pytest.mark.parametrize(
        ("status", "words", "tone"),
        [
            ("active", "Active", "text-good"),
            ("draft", "Draft", "text-quiet"),
            ("paused", "Paused", "text-quiet"),
            ("completed", "Completed", "text-quiet"),
            ("archived", "Unknown", "text-danger"),
            ("", "Unknown", "text-danger"),
        ],
    )
    def test_is_a_word_in_its_tone(self, status: str, words: str, tone: str):
        shown = drawn(campaign_status(STATUS), {STATUS: status})
        assert shown.words == [words]
        assert tone in shown.named("span")[0].props["className"].split()
