"""Who may restrict whom, and which reasons can be read."""

from dataclasses import replace

import pytest

from rewards_app.core.actor import Actor, Role
from rewards_app.core.errors import NotAllowed
from rewards_app.core.ids import new_id
from rewards_app.features.accounts.restriction_rules import Kind
from rewards_app.features.fraud import measure_rules as rules
from tests.people import NOON

ADMIN = Actor(new_id(), new_id(), Role.ADMIN, "Linnea", "linnea@example.com", NOON, True)
SOMEBODY = new_id()
OTHERS = [role for role in Role if role is not Role.ADMIN]


class TestReasons:
    def test_is_kept_as_it_was_written_line_by_line(self):
        assert rules.reason_from("  Too quick,\n\n  every  time. ") == "Too quick,\n\nevery time."

    @pytest.mark.parametrize(
        "raw", ["", "  ", "no", "\u200b\u200b\u200b\u200b", "\u202e\u202d\u2066"]
    )
    def test_that_says_nothing_is_refused(self, raw: str):
        with pytest.raises(rules.ReasonTooShort):
            rules.reason_from(raw)

    def test_has_at_most_500_characters(self):
        assert rules.reason_from("x" * 500)
        with pytest.raises(rules.ReasonTooLong):
            rules.reason_from("x" * 501)

    def test_nothing_in_it_turns_or_hides_what_is_written(self):
        assert rules.reason_from("pay \u202eback\u202c \u2066now\u2069\u0007") == "pay back now"

    def test_script_and_formulas_are_words(self):
        told = '<script>alert(1)</script> =HYPERLINK("x")'
        assert rules.reason_from(told) == told


class TestWhoDecides:
    @pytest.mark.parametrize("role", OTHERS)
    def test_nobody_but_admins(self, role: Role):
        with pytest.raises(NotAllowed):
            rules.refuse_decision(replace(ADMIN, role=role), SOMEBODY)

    def test_no_admin_about_themselves(self):
        with pytest.raises(rules.NotYourself):
            rules.refuse_decision(ADMIN, ADMIN.user_id)

    def test_the_app_by_itself(self):
        rules.refuse_measure(None, SOMEBODY, Role.PLAYER, Kind.SUSPENDED)

    @pytest.mark.parametrize("decides", [ADMIN, None])
    def test_an_admin_is_no_admin_any_more_before_anything_else(self, decides: Actor | None):
        with pytest.raises(rules.AdminFirst):
            rules.refuse_measure(decides, SOMEBODY, Role.ADMIN, Kind.SUSPENDED)

    def test_a_company_earns_nothing_that_could_be_paused(self):
        with pytest.raises(rules.EarnsNothing):
            rules.refuse_measure(ADMIN, SOMEBODY, Role.COMPANY, Kind.EARNING_PAUSED)
        rules.refuse_measure(ADMIN, SOMEBODY, Role.COMPANY, Kind.SUSPENDED)
