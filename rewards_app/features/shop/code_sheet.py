"""Reading an admin's CSV of gift codes. Pure: the text in, rows and problems out.

A problem names its line and never quotes it: codes are secrets, and in a sheet whose columns are
mixed up they stand in any of them.
"""

import csv
import re
import unicodedata
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field

from rewards_app.core.csv_text import looks_like_formula
from rewards_app.core.errors import DomainError

MOST_CHARACTERS = 500_000
MOST_LINES = 10_000
SHORTEST_CODE, LONGEST_CODE = 4, 64
COLUMNS = ("package", "code")
SEPARATORS = (",", ";", "\t")
LINE_END = re.compile(r"\r\n|\r|\n")


SPACES_AND_DASHES = frozenset({"Zs", "Pd"})


def bare(code: str) -> str:
    """What games know it by: with dashes and spaces or without, in large letters or small ones."""
    kept = (one for one in code if unicodedata.category(one) not in SPACES_AND_DASHES)
    return "".join(kept).upper()


class ImportedTwice(DomainError):
    """Somebody brought in some of the same codes at the same moment: none of these were added."""

    code = "shop.codes_imported_twice"


@dataclass(frozen=True, slots=True)
class Row:
    line: int
    package_id: str
    code: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class Problem:
    line: int
    code_key: str
    """Its words in the catalogues."""
    params: Mapping[str, int] = field(default_factory=dict[str, int])


@dataclass(frozen=True, slots=True)
class Sheet:
    """Each line that is not blank is one row or one problem; refused whole, it is one problem."""

    rows: list[Row]
    problems: list[Problem]


class _Wrong(Exception):
    """What is wrong with a line, or with the whole sheet."""

    def __init__(self, name: str, **params: int) -> None:
        super().__init__(name)
        self.name = name
        self.params = params

    def at(self, line: int) -> Problem:
        return Problem(line, f"codes.problems.{self.name}", self.params)


@dataclass(frozen=True, slots=True)
class _Head:
    separator: str
    columns: list[str]


def read(text: str, packages: Collection[str]) -> Sheet:
    """The sheet's codes for known `packages`, and what is wrong with every other line."""
    lines = _lines(text)
    first = lines[0][0] if lines else 1
    try:
        head = _head(text, lines)
    except _Wrong as wrong:
        return Sheet([], [wrong.at(first)])
    sheet = Sheet([], [])
    lines_of_codes: dict[str, int] = {}
    for number, line in lines[1:]:
        try:
            row = _row(number, line, head, packages)
            _refuse_repeated(row, lines_of_codes)
            sheet.rows.append(row)
        except _Wrong as wrong:
            sheet.problems.append(wrong.at(number))
    return sheet


def _lines(text: str) -> list[tuple[int, str]]:
    """Each line that is not blank, with its number."""
    found = LINE_END.split(text.removeprefix("\N{ZERO WIDTH NO-BREAK SPACE}"))
    return [(number, line) for number, line in enumerate(found, start=1) if line.strip()]


def _head(text: str, lines: list[tuple[int, str]]) -> _Head:
    """How the columns stand, by the first line; a sheet that is too large is not looked into."""
    if len(text) > MOST_CHARACTERS:
        raise _Wrong("too_large", most=MOST_CHARACTERS)
    if not lines:
        raise _Wrong("empty")
    if len(lines) - 1 > MOST_LINES:
        raise _Wrong("too_many_lines", most=MOST_LINES)
    return next(_possible_heads(lines[0][1]))


def _possible_heads(line: str) -> Iterator[_Head]:
    for separator in SEPARATORS:
        columns = [cell.lower() for cell in _cells(line, separator, is_strict=False)]
        if sorted(columns) == sorted(COLUMNS):
            yield _Head(separator, columns)
    raise _Wrong("no_header")


def _cells(line: str, separator: str, *, is_strict: bool = True) -> list[str]:
    try:
        [cells] = csv.reader([line], delimiter=separator, strict=is_strict)
    except (csv.Error, ValueError):
        raise _Wrong("unreadable") from None
    return [cell.strip() for cell in cells]


def _row(number: int, line: str, head: _Head, packages: Collection[str]) -> Row:
    cells = _cells(line, head.separator)
    if len(cells) != len(head.columns):
        raise _Wrong("columns")
    found = dict(zip(head.columns, cells, strict=True))
    if found["package"] not in packages:
        raise _Wrong("unknown_package")
    _refuse_bad_code(found["code"])
    return Row(number, found["package"], found["code"])


def _refuse_bad_code(code: str) -> None:
    if not code:
        raise _Wrong("no_code")
    if looks_like_formula(code):
        raise _Wrong("formula")
    if len(code) < SHORTEST_CODE:
        raise _Wrong("too_short", least=SHORTEST_CODE)
    if len(code) > LONGEST_CODE:
        raise _Wrong("too_long", most=LONGEST_CODE)
    if not code.isprintable():
        raise _Wrong("unprintable")


def _refuse_repeated(row: Row, lines_of_codes: dict[str, int]) -> None:
    first = lines_of_codes.setdefault(bare(row.code), row.line)
    if first != row.line:
        raise _Wrong("repeated", first=first)
