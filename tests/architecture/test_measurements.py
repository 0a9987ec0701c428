"""The table in the docs is what was measured last, and says so plainly."""

import json

from bench.__main__ import BENCHES
from tools import figures

A_ROW = {
    "name": "a page",
    "value": 0.5,
    "unit": "x",
    "goal": 1.0,
    "against": "1 ms | 2 ms",
    "is_least": False,
    "is_disturbed": False,
    "met": True,
}


class TestPage:
    def test_is_of_the_last_report(self):
        rows = json.loads(figures.REPORT.read_text("utf-8"))
        assert figures.PAGE.read_text("utf-8") == figures.page_of(rows)

    def test_says_what_was_reached_and_what_was_not(self):
        told = figures.page_of({"pages": [A_ROW, A_ROW | {"value": 2.0, "met": False}]})
        assert "| a page | 0.50 x | ≤ 1 | yes | 1 ms \\| 2 ms |" in told
        assert "| a page | 2.00 x | ≤ 1 | **no** | 1 ms \\| 2 ms |" in told

    def test_says_what_was_disturbed(self):
        told = figures.page_of({"pages": [A_ROW | {"is_disturbed": True, "met": False}]})
        assert "| a page | 0.50 x | ≤ 1 | **disturbed** |" in told

    def test_says_what_was_not_measured(self):
        assert figures.page_of({"pages": []}).endswith("\n## pages\n\nNot measured.\n")

    def test_names_every_bench_that_there_is(self):
        assert list(json.loads(figures.REPORT.read_text("utf-8"))) == list(BENCHES)

    def test_has_no_goal_where_there_is_none(self):
        [line] = figures.page_of(
            {"pages": [A_ROW | {"goal": None, "met": None, "value": 1234.5}]}
        ).splitlines()[-1:]
        assert line == "| a page | 1,234 x |  |  | 1 ms \\| 2 ms |"
