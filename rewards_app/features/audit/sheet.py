"""The audit log as a sheet: a row for each line, none of which a spreadsheet runs. Pure."""

import csv
import io
import json
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from typing import Any

from rewards_app.core.csv_text import escaped
from rewards_app.features.audit.rules import Line

BYTE_ORDER_MARK = "\ufeff"
"""Else some spreadsheets read letters of other languages as something else."""
COLUMNS = (
    *("number", "at", "origin", "actor_id", "actor", "action", "about", "label"),
    *("before", "after", "reason", "hash"),
)
HEAD = BYTE_ORDER_MARK + ",".join(COLUMNS) + "\r\n"


def rows_of(lines: Iterable[tuple[Line, str]]) -> str:
    """Each line with its hash."""
    written = io.StringIO()
    csv.writer(written).writerows(_row(line, digest) for line, digest in lines)
    return written.getvalue()


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
    return json.dumps(values, ensure_ascii=False, sort_keys=True) if values else ""


def name_of(now: datetime) -> str:
    return f"watchcoins-audit-{now.date().isoformat()}.csv"
