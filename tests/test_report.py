"""What `make bench` writes down."""

import json
from pathlib import Path

import pytest

from bench import report, slowest
from bench.report import Row


@pytest.fixture(autouse=True)
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(report, "FILE", tmp_path / "report.json")
    return tmp_path / "report.json"


def test_a_bench_that_is_measured_alone_leaves_the_others_and_their_order(file: Path):
    report.write({"one": [Row("a", 1, "s")], "two": [Row("b", 2, "s", goal=1)]}, ["one", "two"])
    report.write({"one": [Row("a", 3, "s")]}, ["two", "one"])
    told = json.loads(file.read_text("utf-8"))
    assert list(told) == ["two", "one"]
    assert [(row["value"], row["met"]) for rows in told.values() for row in rows] == [
        (2, False),
        (3, None),
    ]


def test_a_bench_that_is_gone_is_forgotten_and_one_that_was_never_measured_is_named(file: Path):
    report.write({"gone": [Row("a", 1, "s")]}, ["gone"])
    report.write({}, ["one"])
    assert json.loads(file.read_text("utf-8")) == {"one": []}


SPOILT = 9.0
"""Seconds of an event that something else on the machine held up."""


def rounds(*seconds: float) -> list[list[float]]:
    return [[one] * 100 for one in seconds]


class TestTheSlowestEvents:
    def test_are_those_of_the_round_in_the_middle(self):
        assert slowest.p99(rounds(1, SPOILT, 2)) == 2
        row = slowest.row("a", rounds(3, SPOILT, 2), rounds(2, 1, SPOILT), goal=2, told="")
        assert (row.value, row.met, row.is_disturbed) == (1.5, True, False)

    def test_meet_nothing_where_the_quiet_rounds_were_disturbed(self):
        row = slowest.row("a", rounds(1, 1, 1), rounds(1, SPOILT, SPOILT), goal=2, told="")
        assert (row.met, row.is_disturbed) == (False, True)
        assert "DISTURBED" in report.table([row])
