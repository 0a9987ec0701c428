"""What Account Security shows, and when its password form is filled in."""

import pytest

from rewards_app.features.security import rules
from rewards_app.features.security.rules import Section

FILLED = {"password": "Old-Otter7!", "new": "New-Otter7!", "again": "New-Otter7!"}


class TestSectionFrom:
    @pytest.mark.parametrize("section", list(Section))
    def test_takes_what_there_is(self, section: Section):
        assert rules.section_from(section.value) is section

    @pytest.mark.parametrize("asked", [None, "", "PASSWORD", "two_factor", "../danger", "0"])
    def test_begins_with_the_password_otherwise(self, asked: str | None):
        assert rules.section_from(asked) is Section.PASSWORD


class TestChosenPassword:
    def test_is_the_present_and_the_new_one(self):
        assert rules.chosen_password(FILLED, has_password=True) == ("Old-Otter7!", "New-Otter7!")

    @pytest.mark.parametrize("missing", ["password", "new", "again"])
    def test_misses_any_field_that_is_empty(self, missing: str):
        with pytest.raises(rules.FieldsMissing):
            rules.chosen_password(FILLED | {missing: ""}, has_password=True)

    @pytest.mark.parametrize("missing", ["password", "new", "again"])
    def test_misses_any_field_that_is_not_there(self, missing: str):
        sent = {name: value for name, value in FILLED.items() if name != missing}
        with pytest.raises(rules.FieldsMissing):
            rules.chosen_password(sent, has_password=True)

    def test_who_has_no_password_is_not_asked_for_one(self):
        chosen = rules.chosen_password(FILLED | {"password": ""}, has_password=False)
        assert chosen.new == "New-Otter7!"

    def test_refuses_two_new_ones_that_differ(self):
        with pytest.raises(rules.PasswordsDiffer):
            rules.chosen_password(FILLED | {"again": "New-Otter7"}, has_password=True)


class TestInGroups:
    def test_puts_four_letters_together(self):
        assert rules.in_groups("QK5D6PZ3W2ME") == "QK5D 6PZ3 W2ME"

    def test_leaves_a_short_rest(self):
        assert rules.in_groups("QK5D6") == "QK5D 6"
