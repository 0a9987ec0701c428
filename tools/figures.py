"""Write docs/measurements.md from what `make bench` left in bench/report.json.

.venv/bin/python -m tools.figures
"""

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

PROJECT = Path(__file__).resolve().parents[1]
REPORT = PROJECT / "bench" / "report.json"
PAGE = PROJECT / "docs" / "measurements.md"

HEAD = """# What was measured

Written by `python -m tools.figures` from `bench/report.json`, which `make bench` leaves.
`make bench ARGS="NAME …"` measures one of the parts below again and leaves the others as they are.
A row without a goal only informs. A figure with `x` compares: with what, its last column says.
Seconds depend on the machine; how two of them compare, hardly.
"""
TABLE = """
## {name}

| What | Measured | Goal | Met | How |
|---|---:|---:|---|---|
"""


def page_of(report: Mapping[str, Iterable[dict[str, Any]]]) -> str:
    return HEAD + "".join(TABLE.format(name=name) + _lines(rows) for name, rows in report.items())


def _lines(rows: Iterable[dict[str, Any]]) -> str:
    return "".join(f"| {' | '.join(_cells(row))} |\n" for row in rows)


def _cells(row: dict[str, Any]) -> list[str]:
    sign = "≥" if row["is_least"] else "≤"
    goal = "" if row["goal"] is None else f"{sign} {row['goal']:g}"
    met = {None: "", True: "yes", False: "**no**"}[row["met"]]
    measured = f"{_number(row['value'])} {row['unit']}"
    return [_plain(text) for text in (row["name"], measured, goal, met, row["against"])]


def _number(value: float) -> str:
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.2f}"


def _plain(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ").strip()


def main() -> None:
    PAGE.write_text(page_of(json.loads(REPORT.read_text("utf-8"))), "utf-8")
    print(f"Written to {PAGE.relative_to(PROJECT)}")


if __name__ == "__main__":
    main()
