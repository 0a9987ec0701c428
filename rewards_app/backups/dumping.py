"""Everything in the database as one file, with a note beside it of what the file must have.

All that lasts is in the database: what else lies in a data folder is made again, or is the key,
which must never lie beside the data that it opens.
"""

import hashlib
import os
import re
import shutil
import subprocess
from collections.abc import Generator
from contextlib import contextmanager, suppress
from datetime import datetime
from pathlib import Path
from typing import IO

import psycopg
from psycopg import pq, sql
from pydantic import BaseModel, ValidationError

from rewards_app.core.clock import utc_now
from rewards_app.core.postgres import embedded, schema
from rewards_app.core.postgres.connecting import connect
from rewards_app.core.settings import settings

TABLES = """
select relname from pg_class
where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition
order by 1
"""
MAY_FILL = "select current_user, has_schema_privilege('public', 'create')"
NOT_KNOWN_TO_ALL = re.compile(
    rb"SET transaction_timeout = 0;\n"
    rb"|ALTER TABLE ONLY \S+ ALTER COLUMN \S+ SET \(pg_attver=\d+\);\n"
)
"""Said by our programs, of PostgreSQL 18, and refused by servers before 17; and what servers from
15.20 on keep beside a column for themselves, which those of before do not know."""
SHUT_OUT = re.compile(rb"^REVOKE .+ FROM PUBLIC;\n", re.MULTILINE)
LONGEST_HEAD = 20
A_PIECE = 1024 * 1024


class BackupFailed(Exception):
    """Nothing was written, or nothing restored; the message says why."""


class Note(BaseModel):
    """What a backup must have."""

    made_at: datetime
    revision: str | None
    size: int
    sha256: str
    rows: dict[str, int]
    """Of each table, in the very moment that the backup shows."""
    proven_at: datetime | None = None
    """When it was last restored somewhere, and everything added up."""


def note_of(file: Path) -> Path:
    return file.with_name(f"{file.name}.json")


def read_note(file: Path) -> Note | None:
    """The note beside the backup, if there is one that can be read."""
    try:
        return Note.model_validate_json(note_of(file).read_text("utf-8"))
    except (OSError, ValidationError):
        return None


def refuse_taken(file: Path) -> None:
    """What stands there may be the only backup of its day."""
    if file.exists():
        raise BackupFailed(
            f"{file} is there already, and nothing was written. Choose another name, or delete it"
            f" and {note_of(file).name} beside it."
        )


def dump(file: Path) -> Note:
    """Write everything in the database to `file`, in PostgreSQL's own packed and portable format.

    The file takes its name once it is whole, and its note comes last: what has one was finished.
    """
    partly = file.with_name(f"{file.name}.part")
    made_at = utc_now()
    # Whoever is stopped may be stopped as soon as there is a file.
    try:
        _begin(partly, file)
        with _one_moment() as (connection, snapshot):
            _run("pg_dump", "-Fc", f"--snapshot={snapshot}", "-f", str(partly))
            rows = _count(connection)
        size, digest = _measured(partly)
        _settle(partly)
    except BaseException:
        with suppress(OSError):
            partly.unlink()
        raise
    note_of(file).unlink(missing_ok=True)
    partly.replace(file)
    note = Note(
        made_at=made_at, revision=schema.present_revision(), size=size, sha256=digest, rows=rows
    )
    write_note(file, note)
    return note


def _begin(partly: Path, file: Path) -> None:
    """For its owner alone."""
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        partly.touch(mode=0o600)
    except OSError as failure:
        raise BackupFailed(
            f"The backup was not made: {file} cannot be written, {failure.strerror}."
        ) from failure


def write_note(file: Path, note: Note) -> None:
    write_safely(note_of(file), note.model_dump_json(indent=2) + "\n")


def write_safely(file: Path, text: str) -> None:
    """For the owner alone; what stood there before stays until all of the new is there."""
    partly = file.with_suffix(".part")
    partly.touch(mode=0o600)
    partly.write_text(text, "utf-8")
    _settle(partly)
    partly.replace(file)


@contextmanager
def _one_moment() -> Generator[tuple[psycopg.Connection, str]]:
    """A view of the database that others can share: what changes meanwhile is in none of them."""
    with connect(settings().database_url, "DATABASE_URL") as connection:
        connection.isolation_level = psycopg.IsolationLevel.REPEATABLE_READ
        connection.read_only = True
        found = connection.execute("select pg_export_snapshot()").fetchone()
        assert found
        yield connection, found[0]


def count_rows() -> dict[str, int]:
    with connect(settings().database_url, "DATABASE_URL") as connection:
        return _count(connection)


def _count(connection: psycopg.Connection) -> dict[str, int]:
    counts: dict[str, int] = {}
    for (name,) in connection.execute(TABLES).fetchall():
        query = sql.SQL("select count(*) from {}").format(sql.Identifier(name))
        found = connection.execute(query).fetchone()
        assert found
        counts[name] = found[0]
    return counts


def refuse_damaged(file: Path) -> Note | None:
    """The backup's note; BackupFailed where the file is no longer what it was."""
    note = read_note(file)
    try:
        if not file.is_file():
            raise BackupFailed(f"There is no file {file}.")
        measured = _measured(file)
    except OSError as failure:
        raise BackupFailed(
            f"{file} cannot be read: {failure.strerror}. Nothing was restored. Let the user read it"
            " who runs this."
        ) from failure
    if note and measured != (note.size, note.sha256):
        raise BackupFailed(
            f"{file} is not what was written: its size or its checksum differs from the note"
            f" beside it. Nothing was restored. Take another backup."
        )
    return note


def _measured(file: Path) -> tuple[int, str]:
    with file.open("rb") as content:
        digest = hashlib.file_digest(content, "sha256").hexdigest()
    return file.stat().st_size, digest


def _settle(file: Path) -> None:
    """On the disk itself, so that a power cut leaves no name without its content."""
    with file.open("rb") as written:
        os.fsync(written.fileno())


def is_empty() -> bool:
    with connect(settings().database_url, "DATABASE_URL") as connection:
        return connection.execute(TABLES).fetchone() is None


def restore(file: Path) -> None:
    """Fill an empty database from a backup, wholly or not at all.

    Nobody is let in whom it shuts out. What a role may do, a migration gives to the one that serves
    here: that of the backup may have another name, and be nobody's.
    """
    refuse_damaged(file)
    if not is_empty():
        raise BackupFailed(
            "This database is not empty, and nothing was changed. Choose a new DATA_DIR; with"
            " DATABASE_URL, rename that database and create an empty one in its place: Restore in"
            " docs/operating.md has the lines."
        )
    _refuse_who_may_not_fill_it()
    writing = subprocess.Popen(
        [
            *(embedded.binary("psql"), "-X", "-q"),
            *("-v", "ON_ERROR_STOP=1", "-o", os.devnull),
        ],
        stdin=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=_connected(),
    )
    assert writing.stdin
    why = ""
    try:
        # Not psql's own transaction, which it commits at the end of its input: that comes, too,
        # when this process is killed.
        writing.stdin.write(b"begin;\n")
        for section in ("pre-data", "data", "post-data"):
            _hand_over(file, section, writing.stdin)
        writing.stdin.write(_refusals(file))
        writing.stdin.write(b"commit;\n")
    except BrokenPipeError:
        pass  # the server's program says why itself
    except BackupFailed as failure:
        writing.kill()
        why = str(failure)
    _, said = writing.communicate()
    if writing.returncode:
        why = why or said.decode("utf-8", "replace").strip()
        raise BackupFailed(f"{file} could not be restored, and nothing was changed. {why}")


def _refuse_who_may_not_fill_it() -> None:
    with connect(settings().database_url, "DATABASE_URL") as connection:
        found = connection.execute(MAY_FILL).fetchone()
    assert found, "a role is known, and so is what it may do"
    if not found[1]:
        raise BackupFailed(
            f"The role {found[0]} may make no tables here, and nothing was restored: import needs"
            " the owner of the database, in DATABASE_OWNER_URL. 'Roles of the database' in"
            " docs/operating.md has the line."
        )


def _hand_over(file: Path, section: str, server: IO[bytes]) -> None:
    command = [
        # Owners, roles and tablespaces are those of the server that was.
        *(embedded.binary("pg_restore"), "--no-owner", "--no-privileges", "--no-tablespaces"),
        *(f"--section={section}", "-f", "-", str(file)),
    ]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as reading:
        assert reading.stdout
        assert reading.stderr
        try:
            for number, line in enumerate(reading.stdout, 1):
                if not NOT_KNOWN_TO_ALL.fullmatch(line):
                    server.write(line)
                # From there on rows may come, in which nothing is looked for.
                if section != "pre-data" and number == LONGEST_HEAD:
                    shutil.copyfileobj(reading.stdout, server, A_PIECE)
            said = reading.stderr.read().decode("utf-8", "replace").strip()
        except BrokenPipeError:
            reading.kill()
            raise
    if reading.returncode:
        raise BackupFailed(said)


def _refusals(file: Path) -> bytes:
    """What the backup lets nobody do but whom it is given to."""
    command = [embedded.binary("pg_restore"), "--no-owner", "--schema-only", "-f", "-", str(file)]
    reading = subprocess.run(command, capture_output=True)
    if reading.returncode:
        raise BackupFailed(reading.stderr.decode("utf-8", "replace").strip())
    return b"".join(SHUT_OUT.findall(reading.stdout))


def _run(program: str, *arguments: str) -> None:
    done = subprocess.run(
        [embedded.binary(program), *arguments], env=_connected(), capture_output=True, text=True
    )
    if done.returncode:
        raise BackupFailed(f"The backup was not made. {done.stderr.strip()}")


def _connected() -> dict[str, str]:
    """Where the database is, and its password: a command line can be read by everybody."""
    known = pq.Conninfo.parse(settings().database_url.encode())
    given = {one.envvar.decode(): one.val.decode() for one in known if one.envvar and one.val}
    return {**os.environ, **_speaking_tls(), **given}


def _speaking_tls() -> dict[str, str]:
    """By the library with which the app itself connects, of the same version.

    The programs that come along were built without TLS, and would refuse what is asked of them:
    a database on another machine is known by its certificate.
    """
    found = sorted(Path(psycopg.__file__).parents[1].glob("psycopg_binary.libs/libpq-*.so*"))
    before = os.environ.get("LD_PRELOAD", "").split()
    return {"LD_PRELOAD": " ".join([*before, str(found[-1])])} if found else {}
