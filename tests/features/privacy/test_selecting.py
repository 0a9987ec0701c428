"""What PostgreSQL takes for a formula is what a spreadsheet would, as our own rule has it."""

import sys

import psycopg
from hypothesis import given
from hypothesis import strategies as st

from rewards_app.core.csv_text import escaped
from rewards_app.features.privacy.selecting import ESCAPED

BLANKS = "".join(chr(code) for code in range(sys.maxunicode) if chr(code).isspace())
STARTS = "=+-@＝＋－＠"
WORDS = st.text(st.sampled_from(f"{BLANKS}{STARTS}aZ0[`{{_.;'\"ж🙂"), max_size=6)


class TestFormulas:
    def test_are_told_by_the_same_characters(self, postgres: str):
        texts = [f"{blank}{start}" for blank in ["", *BLANKS] for start in ["", "x", *STARTS]]
        self.compare(postgres, texts)

    @given(st.lists(WORDS, min_size=50, max_size=200))
    def test_are_told_alike_in_any_text(self, postgres: str, texts: list[str]):
        self.compare(postgres, texts)

    def compare(self, url: str, texts: list[str]) -> None:
        with psycopg.connect(url) as connection:
            query = f"select told, {ESCAPED.format(column='told')} from unnest(%s::text[]) as told"
            found = connection.execute(query.encode(), (texts,)).fetchall()
        assert [shown for _, shown in found] == [escaped(told) for told, _ in found]
