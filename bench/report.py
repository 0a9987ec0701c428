"""What was measured: rows, as a table for people and as JSON for programs, bench by bench."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

FILE = Path(__file__).parent / "report.json"


@dataclass(frozen=True, slots=True)
class Row:
    """`against` says what the value was compared with; a row without a goal only informs."""

    name: str
    value: float
    unit: str
    goal: float | None = None
    against: str = ""
    is_least: bool = False
    """The goal is to be reached, not to be kept below."""
    is_disturbed: bool = False
    """Something else was in the way of what it was compared with: a goal is not met by that."""

    @property
    def met(self) -> bool | None:
        if self.goal is None:
            return None
        if self.is_disturbed:
            return False
        return self.value >= self.goal if self.is_least else self.value <= self.goal

    def as_dict(self) -> dict[str, object]:
        return {**asdict(self), "met": self.met}


def write(measured: Mapping[str, Sequence[Row]], known: Sequence[str]) -> None:
    """What was measured stands in place of its last figures; those of the other benches stay.

    A bench that was never measured has none, and is there all the same.
    """
    before = json.loads(FILE.read_text("utf-8")) if FILE.exists() else {}
    now = {name: [row.as_dict() for row in rows] for name, rows in measured.items()}
    all_of_it = {name: (before | now).get(name, []) for name in known}
    FILE.write_text(json.dumps(all_of_it, indent=2) + "\n", "utf-8")


def table(rows: Sequence[Row]) -> str:
    lines = [("", "measured", "goal", "", "against"), *(_line(row) for row in rows)]
    widths = [max(len(line[column]) for line in lines) for column in range(4)]
    return "\n".join(
        f"{a:<{widths[0]}}  {b:>{widths[1]}}  {c:>{widths[2]}}  {d:<{widths[3]}}  {e}".rstrip()
        for a, b, c, d, e in lines
    )


def _line(row: Row) -> tuple[str, str, str, str, str]:
    sign = "≥" if row.is_least else "≤"
    goal = "" if row.goal is None else f"{sign} {row.goal:g}"
    met = "DISTURBED" if row.is_disturbed else {None: "", True: "met", False: "MISSED"}[row.met]
    return row.name, f"{row.value:.2f} {row.unit}", goal, met, row.against
