"""Text that spreadsheets would run is shown to them as text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rewards_app.core.csv_text import escaped, looks_like_formula


class TestEscaped:
    @pytest.mark.parametrize("start", [*"=+-@＝＋－＠", "\t", "\r", "\n", " =", "\u00a0@", "\t\t="])
    def test_marks_what_begins_like_a_formula(self, start: str):
        assert escaped(f"{start}cmd|'/c calc'!A1") == f"'{start}cmd|'/c calc'!A1"

    @pytest.mark.parametrize("text", ["", "Maja", "a=b", "5-3", "maja@example.com", " Maja", "'=1"])
    def test_leaves_other_text_as_it_is(self, text: str):
        assert escaped(text) == text

    @given(st.text())
    def test_leaves_nothing_that_looks_like_a_formula(self, text: str):
        assert not looks_like_formula(escaped(text))
        assert escaped(escaped(text)) == escaped(text)
