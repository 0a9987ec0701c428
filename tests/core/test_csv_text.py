"""Text that spreadsheets would run is shown to them as text."""

import csv
from itertools import chain

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rewards_app.core.csv_text import escaped, looks_like_formula, written


class TestEscaped:
    @pytest.mark.parametrize("start", [*"=+-@＝＋－＠", "\t", "\r", "\n", " =", "\u00a0@"])
    def test_marks_what_begins_like_a_formula(self, start: str):
        assert escaped(f"{start}cmd|'/c calc'!A1") == f"'{start}cmd|'/c calc'!A1"

    @pytest.mark.parametrize("text", ["", "Maja", "a=b", "5-3", "maja@example.com", " Maja", "'=1"])
    def test_leaves_other_text_as_it_is(self, text: str):
        assert escaped(text) == text

    @pytest.mark.parametrize(
        ("text", "shown"),
        [
            ("a;=cmd|'/c calc'!A1", "a;'=cmd|'/c calc'!A1"),
            ("a; \t=1;+1", "a; \t'=1;'+1"),
            ('a;"@1', "a;\"'@1"),
            ("a\n-1", "a\n'-1"),
            ("\t\t=1", "'\t\t'=1"),
            ("a;b=1; c", "a;b=1; c"),
        ],
    )
    def test_marks_what_would_begin_another_cell(self, text: str, shown: str):
        assert escaped(text) == shown

    @given(st.lists(st.text("=+-@＝ ;,\t\r\n\"'aж"), min_size=1), st.sampled_from(",;\t"))
    def test_has_no_formula_whatever_the_spreadsheet_takes_for_a_separator(
        self, texts: list[str], separator: str
    ):
        sheet = written([[escaped(text) for text in texts]])
        # Each of them ends a line in a cell that is not taken for a quoted one.
        lines = sheet.replace("\r\n", "\n").replace("\r", "\n").splitlines(keepends=True)
        cells = chain.from_iterable(csv.reader(lines, delimiter=separator))
        assert not [cell for cell in cells if cell.lstrip().startswith(tuple("=+-@＝"))]

    def test_takes_no_longer_for_a_text_of_nothing_but_lines(self):
        assert escaped("a" + "\n" * 1_000_000) == "a" + "\n" * 1_000_000

    @given(st.text())
    def test_leaves_nothing_that_looks_like_a_formula(self, text: str):
        assert not looks_like_formula(escaped(text))
        assert escaped(escaped(text)) == escaped(text)
