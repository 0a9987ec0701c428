"""What can be asked of support."""

import pytest

from rewards_app.features.support import rules


class TestCleaned:
    def test_leaves_out_the_spaces_around(self):
        assert rules.cleaned("  The code\ndoes not work.  \n") == "The code\ndoes not work."

    @pytest.mark.parametrize("message", ["", "         ", "too short", " \n nine ltrs \t"])
    def test_refuses_fewer_than_ten_characters(self, message: str):
        with pytest.raises(rules.MessageTooShort) as refusal:
            rules.cleaned(message)
        assert refusal.value.params == {"count": 10}

    def test_refuses_more_than_two_thousand(self):
        with pytest.raises(rules.MessageTooLong) as refusal:
            rules.cleaned("x" * 2001)
        assert refusal.value.params == {"count": 2000}

    @pytest.mark.parametrize("length", [10, 2000])
    def test_takes_what_lies_between(self, length: int):
        assert len(rules.cleaned("x" * length)) == length

    def test_does_not_count_the_spaces_around(self):
        assert len(rules.cleaned(" " * 500 + "x" * 2000 + "\n" * 500)) == 2000
