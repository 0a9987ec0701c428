"""What a reason is, and from where an application can go."""

import pytest

from rewards_app.features.advertiser import fields, review_rules
from rewards_app.features.advertiser.review_rules import (
    BEFORE,
    LONGEST_CREDIT_REASON,
    LONGEST_REASON,
    reason_from,
)
from rewards_app.features.advertiser.rules import Status


class TestAReason:
    def test_has_five_to_five_hundred_characters(self):
        assert reason_from("  Spam.  ") == "Spam."
        assert reason_from("x" * LONGEST_REASON) == "x" * LONGEST_REASON

    def test_may_have_several_lines(self):
        assert reason_from("No website.\r\n\r\nNo phone.") == "No website.\n\nNo phone."

    @pytest.mark.parametrize("raw", ["", "   ", "\n\n"])
    def test_must_be_given(self, raw: str):
        with pytest.raises(fields.Missing) as refusal:
            reason_from(raw)
        assert refusal.value.params == {"field": "reason"}

    def test_of_four_characters_says_nothing(self):
        with pytest.raises(review_rules.ReasonTooShort) as refusal:
            reason_from("Bad!")
        assert refusal.value.params == {"field": "reason", "least": 5}

    def test_of_more_than_fits_is_refused(self):
        with pytest.raises(fields.TooLong):
            reason_from("x" * (LONGEST_REASON + 1))
        with pytest.raises(fields.TooLong):
            reason_from("x" * (LONGEST_CREDIT_REASON + 1), longest=LONGEST_CREDIT_REASON)

    @pytest.mark.parametrize("hidden", ["\u202e", "\u200b", "\u0007"])
    def test_hides_nothing(self, hidden: str):
        with pytest.raises(fields.Unseen):
            reason_from(f"All {hidden} good")


class TestAnApplication:
    def test_that_was_rejected_can_be_approved_later_but_not_the_other_way(self):
        assert Status.REJECTED in BEFORE[Status.APPROVED]
        assert Status.APPROVED not in BEFORE[Status.REJECTED]

    def test_cannot_be_sent_back_to_wait(self):
        assert Status.PENDING not in BEFORE
