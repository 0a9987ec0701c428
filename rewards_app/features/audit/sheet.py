"""The audit log as a sheet: a row for each line, none of which a spreadsheet runs. Pure."""

import json
from collections.abc import Iterable, Mapping
from datetime import UTC, date
from typing import Any

from rewards_app.core.csv_text import BYTE_ORDER_MARK, escaped, written
from rewards_app.features.audit.rules import Line

COLUMNS = (
    *("number", "at", "origin", "actor_id", "actor", "action", "about", "label"),
    *("before", "after", "reason", "hash"),
)
HEAD = BYTE_ORDER_MARK + ",".join(COLUMNS) + "\r\n"


def rows_of(lines: Iterable[tuple[Line, str]]) -> str:
    """Each line with its hash."""
    return written(_row(line, digest) for line, digest in lines)


def _row(line: Line, digest: str) -> list[str | int]:
    return [
        line.number,
        line.created_at.astimezone(UTC).isoformat(timespec="microseconds"),
        line.origin,
        str(line.actor_id or ""),
        escaped(line.actor_name),
        line.action,
        escaped(line.about),
        escaped(line.label),
        _values(line.before),
        _values(line.after),
        escaped(line.reason),
        digest,
    ]


def _values(values: Mapping[str, Any]) -> str:
    return escaped(json.dumps(values, ensure_ascii=False, sort_keys=True)) if values else ""


def name_of(day: date) -> str:
    return f"watchcoins-audit-{day.isoformat()}.csv"
