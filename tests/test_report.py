"""What `make bench` writes down."""

import json
from pathlib import Path

import pytest

from bench import report
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


def test_a_bench_that_is_gone_is_forgotten(file: Path):
    report.write({"gone": [Row("a", 1, "s")]}, ["gone"])
    report.write({}, ["one"])
    assert json.loads(file.read_text("utf-8")) == {}
