"""The database's schema: brought up to date at the start, checked before serving."""

from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, create_engine

from alembic import command
from rewards_app.core import months
from rewards_app.core.clock import utc_now
from rewards_app.core.database import driver_url
from rewards_app.core.settings import settings

PROJECT = Path(__file__).parents[2]


class SchemaMismatch(Exception):
    """The database was made by another version of the app; the message says what to do."""


@contextmanager
def sync_connection() -> Generator[Connection]:
    engine = create_engine(driver_url(settings().database_url))
    try:
        with engine.begin() as connection:
            yield connection
    finally:
        engine.dispose()


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
    command.upgrade(alembic_config(), "head")
    months.make_ahead(now=utc_now())


def refuse_outdated() -> None:
    """Serving on an old schema would fail request by request: say it once, at the start."""
    present, newest = present_revision(), newest_revision()
    if present != newest:
        raise SchemaMismatch(
            f"The database is at revision {present or 'none'}, this version needs {newest}."
            " Run 'rewards migrate' (a backup first is wise), then start again."
        )
