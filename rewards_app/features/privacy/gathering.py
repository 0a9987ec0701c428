"""The process that gathers what is held on a person: `python -m …gathering`, its task on stdin.

It is a process of its own (`core/apart.py`) and knows nothing but what it is handed: no settings,
no tables, no languages. PostgreSQL writes the rows as they were at one moment; here they are
packed, sealed and put down piece by piece.
"""

import json
import sys
import time
from base64 import b64decode
from collections.abc import Generator, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, LiteralString, cast
from uuid import UUID

import psycopg
from psycopg.pq import ExecStatus
from psycopg.pq.abc import PGresult

from rewards_app.core import apart
from rewards_app.core.notices import CHANNEL, notice
from rewards_app.core.sealing import Seal
from rewards_app.features.privacy import archive, selecting
from rewards_app.features.privacy.archive import Archive, Block, Entry, Pieces
from rewards_app.features.privacy.holding import Holding
from rewards_app.features.privacy.holdings import EXPORTED, SEALED
from rewards_app.features.privacy.selecting import Kind, Tables

ROWS_AT_ONCE = 1000
NO_MORE = -1
SECONDS_BETWEEN_WORDS = 1.0
TOPIC = "export_changed"
"""Announced with the account's id."""
NOT_WANTED, ALREADY_MADE = 2, 3
"""How it ends where there is nothing to do: nobody waits for it, or another one makes it."""
# One process each way, plain plans: others have the rest of the machine.
READING = (
    "-c timezone=UTC -c jit=off -c max_parallel_workers_per_gather=0 -c datestyle=ISO,YMD"
    " -c synchronize_seqscans=off -c extra_float_digits=1"
)

ALONE: LiteralString = "select pg_try_advisory_lock(hashtextextended(%s, 0))"
BEGUN: LiteralString = """
update data_exports set status = 'running', rows_done = 0, size = 0, heard_at = now()
where id = %s and status in ('waiting', 'running') returning account_id
"""
EMPTIED: LiteralString = "delete from data_export_parts where export_id = %s"
EXPECTED: LiteralString = "update data_exports set rows_expected = %s where id = %s"
PIECE: LiteralString = (
    "insert into data_export_parts (export_id, position, content) values (%s, %s, %b)"
)
PROGRESS: LiteralString = """
update data_exports set rows_done = %s, heard_at = now() where id = %s and status = 'running'
"""
DONE: LiteralString = """
update data_exports set rows_done = rows_expected, size = %s, heard_at = now()
where id = %s and status = 'running'
"""


class NotWanted(Exception):
    """Nobody waits for it any more."""


class AlreadyMade(Exception):
    """Another process makes it right now."""


@dataclass(frozen=True, slots=True)
class Task:
    """All that it is told."""

    export_id: UUID
    url: str
    keys: tuple[bytes, ...]
    words: Mapping[str, str]

    @classmethod
    def read(cls, line: str) -> "Task":
        told = json.loads(line)
        keys = tuple(map(b64decode, told["keys"]))
        return cls(UUID(told["export_id"]), told["url"], keys, told["words"])


@dataclass
class Telling:
    """Says how far it has come; a row is done when it stands in both files."""

    export_id: UUID
    account_id: UUID
    connection: psycopg.Connection[Any]
    written: int = 0
    told_at: float = field(default_factory=time.monotonic)

    def add(self, rows: int) -> None:
        self.written += rows
        if time.monotonic() - self.told_at < SECONDS_BETWEEN_WORDS:
            return
        self.told_at = time.monotonic()
        self.say(PROGRESS, self.written // 2)

    def say(self, words: LiteralString, value: int) -> None:
        if self.connection.execute(words, (value, self.export_id)).rowcount == 0:
            raise NotWanted
        message = notice(TOPIC, str(self.account_id))
        self.connection.execute("select pg_notify(%s, %s)", (CHANNEL, message))


@dataclass
class Gathering:
    account_id: UUID
    reading: psycopg.Connection[Any]
    tables: Tables
    seal: Seal
    telling: Telling

    def counts(self) -> dict[Holding, int]:
        found = self._select(selecting.counting(EXPORTED)).fetchone()
        return dict(zip(EXPORTED, found or (), strict=True))

    def write(self, holding: Holding, into: Archive) -> None:
        path = archive.path_of(holding)
        with into.file(f"{path}.json", table=holding.table) as entry:
            self._json(holding, entry)
        with into.file(f"{path}.csv", table=holding.table) as entry:
            self._csv(holding, entry)

    def _json(self, holding: Holding, entry: Entry) -> None:
        lines = selecting.json_lines(holding, self.tables)
        if holding.table in SEALED:
            rows = self._opened_objects(holding, lines)
        else:
            rows = self._copy(selecting.copied(lines, selecting.JSON_LINES))
        archive.as_json(self._counted(rows), entry)

    def _csv(self, holding: Holding, entry: Entry) -> None:
        cells = selecting.cells(holding, self.tables)
        if holding.table in SEALED:
            rows = self._opened_lines(holding, cells)
        else:
            rows = self._copy(selecting.copied(cells, selecting.CSV_FILE))
        entry.write(bytes(next(rows)))
        archive.as_lines(self._counted(rows), entry)

    def _opened_objects(self, holding: Holding, lines: str) -> Iterator[bytes]:
        sealed = SEALED[holding.table]
        query = f"select r::text from ({lines}) as found (r)"  # noqa: S608
        for (row,) in self._rows(query):
            told: dict[str, Any] = json.loads(row)
            opened = {
                name: self.seal.unseal(value) if name in sealed and value is not None else value
                for name, value in told.items()
            }
            yield f"{json.dumps(opened, ensure_ascii=False, separators=(',', ':'))}\n".encode()

    def _opened_lines(self, holding: Holding, cells: str) -> Iterator[bytes]:
        yield archive.csv_line(holding.columns)
        sealed = SEALED[holding.table]
        texts = ", ".join(f"{name}::text" for name in holding.columns)
        for row in self._rows(f"select {texts} from ({cells}) as found"):  # noqa: S608
            named = zip(holding.columns, row, strict=True)
            yield archive.csv_line(
                archive.opened_cell(self.seal.unseal(value))
                if name in sealed and value is not None
                else value
                for name, value in named
            )

    def _counted(self, rows: Iterable[bytes | memoryview]) -> Generator[Block]:
        for block in archive.in_blocks(rows):
            yield block
            self.telling.add(block.rows)

    def _copy(self, query: str) -> Generator[memoryview]:
        """By libpq itself: a wait of Python's for each of many rows takes longer than the rows."""
        link = self.reading.pgconn
        _refuse_unless(ExecStatus.COPY_OUT, link.exec_(self._as_words(query)))
        size, row = link.get_copy_data(0)
        while size != NO_MORE:
            yield row
            size, row = link.get_copy_data(0)
        while result := link.get_result():
            _refuse_unless(ExecStatus.COMMAND_OK, result)

    def _as_words(self, query: str) -> bytes:
        told = {"account": self.account_id}
        return psycopg.ClientCursor(self.reading).mogrify(_ours(query), told).encode()

    def _rows(self, query: str) -> Generator[tuple[Any, ...]]:
        with self.reading.cursor("held") as cursor:
            cursor.execute(_ours(query), {"account": self.account_id})
            while found := cursor.fetchmany(ROWS_AT_ONCE):
                yield from found

    def _select(self, query: str) -> psycopg.Cursor[Any]:
        return self.reading.execute(_ours(query), {"account": self.account_id})


def _refuse_unless(wanted: ExecStatus, result: PGresult) -> None:
    if result.status != wanted:
        raise psycopg.errors.error_from_result(result)


def _ours(query: str) -> LiteralString:
    """Made of holdings alone: what a person says travels as a parameter."""
    return cast(LiteralString, query)


def gather(task: Task) -> None:
    with (
        psycopg.connect(task.url, autocommit=True) as told,
        psycopg.connect(task.url, options=READING) as reading,
    ):
        account_id = _begin(told, task.export_id)
        reading.isolation_level = psycopg.IsolationLevel.REPEATABLE_READ
        reading.read_only = True
        seal = Seal.of(task.keys)
        telling = Telling(task.export_id, account_id, told)
        gathering = Gathering(account_id, reading, _tables(reading), seal, telling)
        pieces = Pieces(_leaving(told, task.export_id, seal))
        _write(gathering, pieces, task.words)
        telling.say(DONE, pieces.size)


def _begin(told: psycopg.Connection[Any], export_id: UUID) -> UUID:
    """Whose it is. What a process that died had written of it is thrown away."""
    alone = told.execute(ALONE, (f"export:{export_id}",)).fetchone()
    if not (alone and alone[0]):
        raise AlreadyMade
    found = told.execute(BEGUN, (export_id,)).fetchone()
    if found is None:
        raise NotWanted
    told.execute(EMPTIED, (export_id,))
    return found[0]


def _write(gathering: Gathering, pieces: Pieces, words: Mapping[str, str]) -> None:
    counts = gathering.counts()
    gathering.telling.say(EXPECTED, sum(counts.values()))
    into = Archive(pieces, _moment(gathering.reading))
    with into.file("README.txt") as entry:
        entry.write(archive.readme(words, counts).encode())
    for holding, count in counts.items():
        if count:
            gathering.write(holding, into)
    into.end(counts)


def _leaving(told: psycopg.Connection[Any], export_id: UUID, seal: Seal) -> Any:
    def leave(position: int, content: bytes) -> None:
        sealed = seal.seal_bytes(content, place_of(export_id, position))
        told.execute(PIECE, (export_id, position, sealed))

    return leave


def place_of(export_id: UUID, position: int) -> bytes:
    """A piece opens in its own file only, and there at its own place."""
    return f"{export_id}:{position}".encode()


def _moment(reading: psycopg.Connection[Any]) -> datetime:
    """The one moment at which all of it was true."""
    found = reading.execute("select now()").fetchone()
    assert found
    return found[0]


def _tables(reading: psycopg.Connection[Any]) -> Tables:
    names = sorted({holding.table for holding in EXPORTED})
    kinds = reading.execute(_ours(selecting.TYPES), (names,))
    keys = reading.execute(_ours(selecting.KEYS), (names,))
    return Tables(
        kinds={(table, name): Kind(*kind) for table, name, *kind in kinds},
        keys={table: tuple(columns) for table, columns in keys},
    )


def main() -> int:
    task = Task.read(apart.hear_parent())
    try:
        gather(task)
    except NotWanted:
        return NOT_WANTED
    except AlreadyMade:
        return ALREADY_MADE
    return 0


if __name__ == "__main__":
    sys.exit(main())
