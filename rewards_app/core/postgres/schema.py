"""The database's schema: brought up to date at the start, checked before serving."""

import time
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

import psycopg
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from psycopg.errors import InsufficientPrivilege, LockNotAvailable
from sqlalchemy import Connection, Engine, create_engine
from sqlalchemy.exc import OperationalError, ProgrammingError

from alembic import command
from rewards_app.core.clock import utc_now
from rewards_app.core.database import driver_url
from rewards_app.core.postgres import months, rights
from rewards_app.core.postgres.connecting import NotLetIn, connect
from rewards_app.core.settings import settings

PROJECT = Path(__file__).parents[3]
CHANGES_TABLES = 7_301_022_144_107
"""The advisory lock of whoever changes tables, or who may do what with them."""
SECONDS_OTHERS_CHANGE = 600
SECONDS_BETWEEN_LOOKS = 0.2
TRIES = 6
SECONDS_BETWEEN_TRIES = 10


class SchemaMismatch(Exception):
    """The database was made by another version of the app; the message says what to do."""


class TablesAreBusy(Exception):
    """Somebody else holds what was to be changed; the message says who that may be."""


@contextmanager
def sync_connection() -> Generator[Connection]:
    engine = create_engine(driver_url(settings().database_url), hide_parameters=True)
    try:
        with _connected(engine) as connection, connection.begin():
            yield connection
    finally:
        engine.dispose()


def _connected(engine: Engine) -> Connection:
    try:
        return engine.connect()
    except OperationalError as failure:
        raise NotLetIn(settings().database_url, "DATABASE_URL", failure) from failure


@contextmanager
def changed_by_one_alone() -> Generator[None]:
    """Whoever comes meanwhile waits: two at once would change the same rows of the catalogue."""
    of_owner = settings().database_owner_url
    setting = "DATABASE_OWNER_URL" if of_owner else "DATABASE_URL"
    with connect(of_owner or settings().database_url, setting, autocommit=True) as connection:
        _refuse_unopened(connection)
        until = time.monotonic() + SECONDS_OTHERS_CHANGE
        # Asked again and again: who waits in the server holds up changes that wait for everybody.
        while not _is_only_one(connection):
            if time.monotonic() > until:
                raise TablesAreBusy(
                    "'rewards migrate' or 'rewards months' has been changing the tables of this"
                    f" database for {SECONDS_OTHERS_CHANGE // 60} minutes, here or on another"
                    " machine. Nothing was changed here; try again when it has ended."
                )
            time.sleep(SECONDS_BETWEEN_LOOKS)
        try:
            yield
        except LockNotAvailable as failure:
            raise TablesAreBusy(
                "A table that was to be changed is in use: a backup that is being made is the usual"
                " reason. What was begun is undone; try again when it has ended."
            ) from failure


def _refuse_unopened(connection: psycopg.Connection) -> None:
    found = connection.execute("select pg_is_in_recovery()").fetchone()
    if found == (True,):
        raise TablesAreBusy(
            "The database is a replica, or is still being brought back to a moment: nothing can be"
            " changed in it. Nothing was. Try again once 'select pg_is_in_recovery()' says f."
        )


def _is_only_one(connection: psycopg.Connection) -> bool:
    """The lock goes with the connection."""
    found = connection.execute("select pg_try_advisory_lock(%s)", [CHANGES_TABLES]).fetchone()
    assert found, "a lock is had or not"
    return found[0]


def alembic_config() -> Config:
    config = Config(PROJECT / "alembic.ini")
    config.set_main_option("script_location", str(PROJECT / "alembic"))
    return config


def newest_revision() -> str:
    head = ScriptDirectory.from_config(alembic_config()).get_current_head()
    assert head is not None
    return head


def present_revision() -> str | None:
    with sync_connection() as connection:
        return MigrationContext.configure(connection).get_current_revision()


def is_known(revision: str) -> bool:
    known = ScriptDirectory.from_config(alembic_config()).walk_revisions()
    return any(script.revision == revision for script in known)


def upgrade() -> None:
    """Bring the database to the newest revision; refuse one that a later version made."""
    present = present_revision()
    if present is not None and not is_known(present):
        raise SchemaMismatch(
            f"The database is at revision {present}, which this version does not know: a newer"
            " version made it. Nothing was changed. Start that version, or restore a backup made"
            " before its first start."
        )
    _migrate()
    months.make_ahead(now=utc_now())


def _migrate() -> None:
    """All migrations are one transaction, which is tried again where a table is in use."""
    for tried in range(1, TRIES + 1):
        try:
            command.upgrade(alembic_config(), "head")
            return
        except OperationalError as failure:
            if not isinstance(failure.orig, LockNotAvailable):
                raise
            if tried == TRIES:
                raise TablesAreBusy(
                    "The schema was not brought up to date: a table is in use, and whoever waits"
                    f" for it makes everybody wait, so it was tried {TRIES} times for five seconds."
                    " Nothing was changed. A backup that is being made is the usual reason: try"
                    " again when it has ended."
                ) from failure
            time.sleep(SECONDS_BETWEEN_TRIES)
        except ProgrammingError as failure:
            if not isinstance(failure.orig, InsufficientPrivilege):
                raise
            raise rights.NotTheOwner(
                "The role of DATABASE_URL may not make or change tables, and nothing was changed."
                " 'rewards migrate' needs the owner of the database, in DATABASE_OWNER_URL: 'Roles"
                " of the database' in docs/operating.md has the line."
            ) from failure


def refuse_outdated() -> None:
    """Serving on an old schema would fail request by request: say it once, at the start."""
    present, newest = present_revision(), newest_revision()
    if present != newest:
        raise SchemaMismatch(
            f"The database is at revision {present or 'none'}, this version needs {newest}."
            " Run 'rewards migrate' (a backup first is wise), then start again."
        )
