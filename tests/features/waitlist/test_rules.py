"""Who waits, from when on they count, and which codes of friends are ours."""

from datetime import UTC, datetime, timedelta

import pytest

from rewards_app.features.waitlist import rules

NOON = datetime(2026, 3, 14, 12, tzinfo=UTC)
CODE = "abcdefgh23"


class TestAnAddress:
    def test_is_kept_lower_case_and_trimmed(self):
        assert rules.email_from("  Maja@Example.COM \n") == "maja@example.com"

    def test_of_more_letters_than_any_has_is_refused(self):
        with pytest.raises(rules.InvalidEmail):
            rules.email_from("m" * 10_000 + "@example.com")

    def test_of_as_many_as_one_may_have_is_not_refused_for_that(self):
        assert len(rules.email_from("m" * 242 + "@example.com")) == rules.LONGEST_EMAIL


class TestAFriendsCode:
    def test_is_taken_as_it_is(self):
        assert rules.friends_code(CODE) == CODE

    @pytest.mark.parametrize(
        "given", ["", "short", CODE + "a", CODE.upper(), "abcdefgh2l", "' or 1=1", CODE + "\n"]
    )
    def test_that_is_none_of_ours_thanks_nobody(self, given: str):
        assert rules.friends_code(given) is None


class TestConfirming:
    def test_is_possible_for_seven_days(self):
        within = NOON + timedelta(days=7) - timedelta(seconds=1)
        assert rules.is_confirmed_in_time(NOON, now=within)

    def test_is_over_after_that(self):
        assert not rules.is_confirmed_in_time(NOON, now=NOON + timedelta(days=7))
