"""The page about growth counts on what was measured, and knows how each table ends."""

import json
import re
from typing import Any

import pytest
from sqlmodel import SQLModel

import rewards_app.models  # noqa: F401  (knowing the tables is the point)
from tools import capacity, figures
from tools.figures import PROJECT

PAGE = (PROJECT / "docs" / "growth.md").read_text("utf-8")
NAMED = set(re.findall(r"`(\w+)`", PAGE.split("## What grows without end")[1]))


def a_report(**costs: float) -> dict[str, list[dict[str, Any]]]:
    known = {"a view of an ad": 1, "an entry of the ledger": 1}
    known |= {"a player, with balance, places and scores": 1}
    known |= {f"a watched ad, {part}": 1 for part in capacity.AN_AD}
    known |= {"an open tab, worker": 1, "an open tab, Redis": 1}
    rows = [{"name": name, "value": value} for name, value in (known | costs).items()]
    loaded = {"name": capacity.LOADED, "value": 1, "against": "5 of 150 events a second, 3 workers"}
    return {"all": [*rows, loaded]}


class TestGrowth:
    @pytest.mark.parametrize("table", sorted(SQLModel.metadata.tables))
    def test_says_how_each_table_ends(self, table: str):
        assert table in NAMED

    def test_counts_on_what_was_measured_last(self):
        report = json.loads(figures.REPORT.read_text("utf-8"))
        assert capacity.page_with(PAGE, report) == PAGE

    def test_counts_the_whole_of_an_ad_and_workers_by_their_tabs(self):
        costs = {"a view of an ad": 460, "an entry of the ledger": 290}
        costs |= {"a player, with balance, places and scores": 1_600}
        costs |= {
            "a watched ad, worker": 20,
            "a watched ad, PostgreSQL": 8,
            "a watched ad, Redis": 1,
        }
        report = a_report(**costs)
        told = capacity.page_with("| watched ad | ? | ? |\n\n| Players |\n\n", report)
        assert "| watched ad | 20.0 ms of processor in the worker, 8.0 ms in PostgreSQL, 1." in told
        millions = "1,000,000 | 2,000,000 | 92.6 | 20,000 | 549.1 GB | 20 | 1.85 | 0.74 | 0.09 |"
        assert f"\n| {millions}\n" in told

    def test_counts_tabs_wherever_they_stand(self):
        costs = {"an open tab, worker": 301_600, "an open tab, Redis": 15_600}
        places = (
            "| open tab of a player | ? | ? |",
            "- workers = ?",
            "| 50,000 | **memory and the one processor of one worker**: ? | ? |",
            "| 10 million | **one Redis**: 0 GB of open tabs, and more | ? |",
        )
        told = capacity.page_with("\n".join(places), a_report(**costs))
        assert "| open tab of a player | 300 KB in its worker, 16 KB in Redis | ? |" in told
        assert "\n- workers = open tabs ÷ 1,000, in round numbers: one of them answers 500" in told
        assert "by the 150 events a second that 3 did in `mixed_load`\n" in told
        assert "about 1,000 open tabs, by what is assumed above, and 300 MB | ? |" in told
        assert "**one Redis**: 3.2 GB of open tabs, and more | ? |" in told

    def test_puts_no_table_where_a_base_backup_refuses_it(self):
        """`restore-to` would not bring back what lies outside of the server's folder."""
        for page in (PROJECT / "docs").rglob("*.md"):
            assert "set tablespace" not in page.read_text("utf-8").lower(), page
