"""User text in CSV files: a spreadsheet runs what looks like a formula, so nothing may. Pure."""

import csv
import io
import re
from collections.abc import Iterable

BYTE_ORDER_MARK = "\ufeff"
"""Else some spreadsheets read letters of other languages as something else."""
FORMULA_STARTS = tuple("=+-@\t\r\n＝＋－＠")
SEPARATORS = frozenset(";\t\r\n")
"""Where many spreadsheets of Europe begin another cell, whatever the file means; quotes that stand
inside of a cell of ours do not hold them up."""
_BEFORE_A_SIGN = re.compile(r'(?<![;\s"])[;\s"]++(?=[=+\-@＝＋－＠])')


def looks_like_formula(value: str) -> bool:
    """Spaces before it do not make it harmless: some spreadsheets drop them."""
    return value.startswith(FORMULA_STARTS) or value.lstrip().startswith(FORMULA_STARTS)


def escaped(value: str) -> str:
    """`value` for a cell of an exported file, shown as it is and never run."""
    begun = f"'{value}" if looks_like_formula(value) else value
    return begun if SEPARATORS.isdisjoint(begun) else _BEFORE_A_SIGN.sub(_kept_from_running, begun)


def _kept_from_running(before: re.Match[str]) -> str:
    return before[0] if SEPARATORS.isdisjoint(before[0]) else f"{before[0]}'"


def written(rows: Iterable[Iterable[object]]) -> str:
    text = io.StringIO()
    csv.writer(text).writerows(rows)
    return text.getvalue()
