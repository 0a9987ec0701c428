"""Write docs/measurements.md, and figures of docs/growth.md, from what `make bench` left.

.venv/bin/python -m tools.figures
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from tools import capacity

PROJECT = Path(__file__).resolve().parents[1]
REPORT = PROJECT / "bench" / "report.json"
PAGE = PROJECT / "docs" / "measurements.md"

HEAD = """# What was measured

Written by `python -m tools.figures` from `bench/report.json`, which `make bench` leaves.
`make bench ARGS="NAME …"` measures one of the parts below again and leaves the others as they are.
A row without a goal only informs. A figure with `x` compares: with what, its last column says.
Seconds depend on the machine; how two of them compare, hardly.
Disturbed is what was compared with something that something else held up: it meets no goal.
"""
HEADS = """| What | Measured | Goal | Met | How |
|---|---:|---:|---|---|
"""
NOT_MEASURED = "Not measured.\n"
NOTES = {
    "workers": """
Among several workers each has less to do than the one, and finds less of it in the processor's
caches: work that shares nothing costs more, too. Where the machine is busy with something else,
single rounds differ by more than that.
"""
}
"""What a part's figures need beside them to be understood."""


def page_of(report: Mapping[str, Iterable[dict[str, Any]]]) -> str:
    return HEAD + "".join(_part(name, list(rows)) for name, rows in report.items())


def _part(name: str, rows: Sequence[dict[str, Any]]) -> str:
    told = HEADS + _lines(rows) if rows else NOT_MEASURED
    return f"\n## {name}\n\n{told}" + NOTES.get(name, "")


def _lines(rows: Iterable[dict[str, Any]]) -> str:
    return "".join(f"| {' | '.join(_cells(row))} |\n" for row in rows)


def _cells(row: dict[str, Any]) -> list[str]:
    sign = "≥" if row["is_least"] else "≤"
    goal = "" if row["goal"] is None else f"{sign} {row['goal']:g}"
    met = {None: "", True: "yes", False: "**no**"}[row["met"]]
    if row["is_disturbed"]:
        met = "**disturbed**"
    measured = f"{_number(row['value'])} {row['unit']}"
    return [_plain(text) for text in (row["name"], measured, goal, met, row["against"])]


def _number(value: float) -> str:
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.2f}"


def _plain(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ").strip()


def main() -> None:
    report = json.loads(REPORT.read_text("utf-8"))
    PAGE.write_text(page_of(report), "utf-8")
    growth = capacity.PAGE.read_text("utf-8")
    capacity.PAGE.write_text(capacity.page_with(growth, report), "utf-8")
    print(f"Written to {PAGE.relative_to(PROJECT)} and {capacity.PAGE.relative_to(PROJECT)}")


if __name__ == "__main__":
    main()
