"""What can be asked of support."""

import pytest

from rewards_app.features.support import rules


class TestCleaned:
    def test_leaves_out_the_spaces_around(self):
        assert rules.cleaned("  The code\ndoes not work.  \n") == "The code\ndoes not work."

    @pytest.mark.parametrize("message", ["", "         ", " \n \t"])
    def test_refuses_nothing_but_spaces(self, message: str):
        with pytest.raises(rules.MessageTooShort) as refusal:
            rules.cleaned(message)
        assert refusal.value.params == {"count": 1}

    def test_takes_as_few_as_were_asked_for(self):
        with pytest.raises(rules.MessageTooShort) as refusal:
            rules.cleaned(" \n nine ltrs \t", least=rules.SHORTEST_APPEAL)
        assert refusal.value.params == {"count": 10}
        assert rules.cleaned("ten, or so", least=rules.SHORTEST_APPEAL)

    def test_refuses_more_than_two_thousand(self):
        with pytest.raises(rules.MessageTooLong) as refusal:
            rules.cleaned("x" * 2001)
        assert refusal.value.params == {"count": 2000}

    @pytest.mark.parametrize("length", [1, 2000])
    def test_takes_what_lies_between(self, length: int):
        assert len(rules.cleaned("x" * length)) == length

    def test_does_not_count_the_spaces_around(self):
        assert len(rules.cleaned(" " * 500 + "x" * 2000 + "\n" * 500)) == 2000
