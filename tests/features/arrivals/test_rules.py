"""What counts as a campaign, and what anybody can write into an address."""

from datetime import UTC, date, datetime

import pytest

from rewards_app.features.arrivals.rules import Campaign, campaign_from, day_of

WORD = "a" * 40


class TestCampaignFrom:
    def test_is_three_words(self):
        assert campaign_from("news/email/spring_sale-2.1") == Campaign(
            "news", "email", "spring_sale-2.1"
        )

    def test_is_written_small(self):
        assert campaign_from("News/EMAIL/Spring") == Campaign("news", "email", "spring")

    @pytest.mark.parametrize(
        ("told", "known"),
        [
            ("news//", Campaign("news")),
            ("//spring", Campaign("", "", "spring")),
            ("news/maja@example.com/spring", Campaign("news", "", "spring")),
            (f"{WORD}/{WORD}/{WORD}", Campaign(WORD, WORD, WORD)),
            (f"news/{WORD}a/spring", Campaign("news", "", "spring")),
        ],
    )
    def test_has_the_words_that_fit(self, told: str, known: Campaign):
        assert campaign_from(told) == known

    @pytest.mark.parametrize(
        "told",
        [
            *("", "/", "//", "news", "news/email", "news/email/spring/more", "///", "-/./_"),
            *("<script>//", "//ÅÄÖ", "//a b", "//a\n", "//a\x00", "//İ", "//'; drop table x"),
            *("//" + "a" * 41, "a" * 300, "/" * 300, f"{WORD}/{WORD}/{WORD}/"),
        ],
    )
    def test_is_none_without_any(self, told: str):
        assert campaign_from(told) is None


class TestDayOf:
    def test_ends_at_midnight_of_the_house(self):
        assert day_of(datetime(2026, 3, 13, 22, 59, tzinfo=UTC)) == date(2026, 3, 13)
        assert day_of(datetime(2026, 3, 13, 23, 0, tzinfo=UTC)) == date(2026, 3, 14)
