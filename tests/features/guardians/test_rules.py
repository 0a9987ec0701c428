"""When a guardian is asked, and what counts as their word."""

from datetime import UTC, date, datetime, timedelta

import pytest

from rewards_app.features.guardians import rules
from rewards_app.features.guardians.rules import Status

TODAY = date(2026, 3, 14)
NOON = datetime(2026, 3, 14, 12, 0, tzinfo=UTC)


class TestIsNeeded:
    @pytest.mark.parametrize(
        ("born", "is_needed"),
        [
            (date(2013, 3, 14), True),
            (date(2010, 3, 15), True),
            (date(2010, 3, 14), False),
            (date(1998, 5, 17), False),
            (None, False),
        ],
        ids=["thirteen", "the day before sixteen", "sixteen today", "grown up", "age unknown"],
    )
    def test_is_needed_from_13_until_the_sixteenth_birthday(self, born, is_needed: bool):
        assert rules.is_needed(born, today=TODAY) is is_needed


class TestEmailFrom:
    def test_is_kept_in_small_letters(self):
        assert rules.email_from(" Mum@Example.com ", own="maja@example.com") == "mum@example.com"

    @pytest.mark.parametrize(
        "own", ["Maja@example.com", "maja+mum@example.com", "MAJA+x@EXAMPLE.COM"]
    )
    def test_refuses_ones_own_mailbox(self, own: str):
        with pytest.raises(rules.OwnAddress) as refusal:
            rules.email_from(own, own="maja@example.com")
        assert refusal.value.params == {"field": "guardian_email"}


class TestSignedName:
    def test_is_kept_without_needless_spaces(self):
        assert rules.signed_name("  Anna   Berg ", is_guardian=True) == "Anna Berg"

    @pytest.mark.parametrize("typed", ["", "  ", "An", "123 456", "x" * 81])
    def test_refuses_what_is_no_name(self, typed: str):
        with pytest.raises(rules.NameMissing):
            rules.signed_name(typed, is_guardian=True)

    def test_refuses_whoever_does_not_say_that_they_are_a_guardian(self):
        with pytest.raises(rules.NotConfirmed):
            rules.signed_name("Anna Berg", is_guardian=False)


class TestShownStatus:
    def test_a_question_is_over_after_its_days(self):
        assert rules.shown_status(Status.ASKED, NOON, now=NOON) == "expired"

    def test_a_question_waits_until_then(self):
        assert rules.shown_status(Status.ASKED, NOON + timedelta(seconds=1), now=NOON) == "asked"

    def test_an_answer_is_never_over(self):
        assert rules.shown_status(Status.GIVEN, NOON - timedelta(days=900), now=NOON) == "given"


def test_an_address_is_shown_by_its_first_letter():
    assert rules.masked("mum@example.com") == "m•••@example.com"
