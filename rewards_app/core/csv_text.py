"""User text in CSV files: a spreadsheet runs what looks like a formula, so nothing may."""

import csv
import io
from collections.abc import Iterable

BYTE_ORDER_MARK = "\ufeff"
"""Else some spreadsheets read letters of other languages as something else."""
FORMULA_STARTS = tuple("=+-@\t\r\n＝＋－＠")


def looks_like_formula(value: str) -> bool:
    """Spaces before it do not make it harmless: some spreadsheets drop them."""
    return value.startswith(FORMULA_STARTS) or value.lstrip().startswith(FORMULA_STARTS)


def escaped(value: str) -> str:
    """`value` for a cell of an exported file, shown as it is and never run."""
    return f"'{value}" if looks_like_formula(value) else value


def written(rows: Iterable[Iterable[object]]) -> str:
    text = io.StringIO()
    csv.writer(text).writerows(rows)
    return text.getvalue()
