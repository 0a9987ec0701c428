"""The file that a person takes along: a ZIP that is written from its beginning to its end.

Nothing of it is kept: it leaves in pieces of one size while it is written, however large it gets.
"""

import hashlib
import json
import zipfile
from collections.abc import Callable, Generator, Iterable, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, NamedTuple, Protocol

from isal import isal_zlib

from rewards_app.core.csv_text import escaped
from rewards_app.features.privacy.holding import Group, Holding, Why
from rewards_app.features.privacy.holdings import EXPORTED, HOLDINGS

PIECE = 256 * 1024
WRITTEN_AT_ONCE = 64 * 1024
# Packing was half of the work with zlib. isal's deflate opens everywhere, too, and takes a tenth
# of the time; zipfile has no public place for it.
QUICKLY = 1
RAW = -15
SUM_WIDTH = 40

Words = Mapping[str, str]


class Block(NamedTuple):
    """Whole lines, each with its end."""

    rows: int
    lines: bytes


class Writes(Protocol):
    def write(self, content: bytes, /) -> int: ...


@dataclass
class Pieces:
    """What is written to it leaves in pieces of one size; the last may be smaller."""

    leave: Callable[[int, bytes], None]
    size: int = 0
    _position: int = 0
    _rest: bytearray = field(default_factory=bytearray)

    def write(self, content: bytes) -> int:
        self.size += len(content)
        self._rest += content
        while len(self._rest) >= PIECE:
            self._leave_with(PIECE)
        return len(content)

    def flush(self) -> None:
        """A piece leaves when it is full."""

    def end(self) -> None:
        if self._rest:
            self._leave_with(len(self._rest))

    def _leave_with(self, size: int) -> None:
        self.leave(self._position, bytes(self._rest[:size]))
        del self._rest[:size]
        self._position += 1


@dataclass
class Entry:
    """One file in the archive, with what the manifest says of it."""

    into: Writes
    digest: Any = field(default_factory=hashlib.sha256)
    size: int = 0

    def write(self, content: bytes) -> None:
        self.into.write(content)
        self.digest.update(content)
        self.size += len(content)


@dataclass
class Archive:
    pieces: Pieces
    written_at: datetime
    files: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])

    def __post_init__(self) -> None:
        into: Any = self.pieces
        self._zip = zipfile.ZipFile(into, "w", zipfile.ZIP_DEFLATED)

    @contextmanager
    def file(self, path: str, **said: Any) -> Generator[Entry]:
        at = self.written_at
        moment = (at.year, at.month, at.day, at.hour, at.minute, at.second)
        about = zipfile.ZipInfo(path, moment)
        about.compress_type = zipfile.ZIP_DEFLATED
        about.external_attr = 0o600 << 16
        with self._zip.open(about, "w", force_zip64=True) as opened:
            into: Any = opened
            into._compressor = isal_zlib.compressobj(QUICKLY, isal_zlib.DEFLATED, RAW)
            entry = Entry(into)
            yield entry
        self.files.append(
            {"path": path, "bytes": entry.size, "sha256": entry.digest.hexdigest(), **said}
        )

    def end(self, counts: Mapping[Holding, int]) -> None:
        """The manifest comes last: it names what was written before it."""
        tables = [
            {"table": one.table, "name": path_of(one), "rows": counts[one]} for one in EXPORTED
        ]
        manifest = {
            "written_at": self.written_at.isoformat(),
            "files": self.files[:],
            "tables": tables,
        }
        with self.file("manifest.json") as entry:
            entry.write(json.dumps(manifest, indent=1).encode())
        self._zip.close()
        self.pieces.end()


def path_of(holding: Holding) -> str:
    return f"{holding.group.value}/{holding.file}"


def in_blocks(lines: Iterable[bytes | memoryview]) -> Generator[Block]:
    """Many lines at a time: each is worth less than a call."""
    waiting: list[bytes | memoryview] = []
    size = 0
    for line in lines:
        waiting.append(line)
        size += len(line)
        if size > WRITTEN_AT_ONCE:
            yield Block(len(waiting), b"".join(waiting))
            waiting, size = [], 0
    if waiting:
        yield Block(len(waiting), b"".join(waiting))


def as_json(blocks: Iterable[Block], entry: Entry) -> None:
    """An array with a row in each line; no row has an end of line in it."""
    before = b"[\n"
    for block in blocks:
        entry.write(before + block.lines[:-1].replace(b"\n", b",\n"))
        before = b",\n"
    entry.write(b"\n]\n" if before == b",\n" else b"[]\n")


def as_lines(blocks: Iterable[Block], entry: Entry) -> None:
    for block in blocks:
        entry.write(block.lines)


def csv_line(values: Iterable[str | None]) -> bytes:
    """As PostgreSQL writes it: nothing at all is null, quotes around nothing are an empty text."""
    return f"{','.join(_quoted(value) for value in values)}\n".encode()


def opened_cell(value: str) -> str:
    return escaped(value)


def _quoted(value: str | None) -> str:
    if value is None:
        return ""
    if value and not any(mark in value for mark in ',"\n\r'):
        return value
    return '"' + value.replace('"', '""') + '"'


def readme(words: Words, counts: Mapping[Holding, int]) -> str:
    """What is what, in the words of the person's language."""
    parts = [words["title"], words["intro"], *_contents(words, counts)]
    empty = [path_of(one) for one in EXPORTED if not counts[one]]
    if empty:
        parts.append("\n".join([words["nothing"], *(f"  {path}" for path in empty)]))
    parts += [words["left_out"], *_reasons(words), words["formulas"], words["manifest"]]
    return "\n\n".join([*parts, words["questions"]]) + "\n"


def _contents(words: Words, counts: Mapping[Holding, int]) -> list[str]:
    found = {
        group: [one for one in EXPORTED if one.group is group and counts[one]] for group in Group
    }
    return [
        "\n".join(
            [
                words[f"groups.{group.value}"],
                *(f"  {path_of(one):<{SUM_WIDTH}} {counts[one]:>9}" for one in there),
            ]
        )
        for group, there in found.items()
        if there
    ]


def _reasons(words: Words) -> list[str]:
    left = {why: [*_columns_left(why), *_tables_left(why)] for why in Why}
    return [
        "\n".join([words[f"why.{why.value}"], *(f"  {named}" for named in lines)])
        for why, lines in left.items()
        if lines
    ]


def _columns_left(why: Why) -> list[str]:
    found = (
        (path_of(one), [column for column, reason in one.left_out.items() if reason is why])
        for one in EXPORTED
    )
    return [f"{path}: {', '.join(columns)}" for path, columns in found if columns]


def _tables_left(why: Why) -> list[str]:
    named = {one.table for one in EXPORTED}
    return [one.table for one in HOLDINGS if one.why_not is why and one.table not in named]
