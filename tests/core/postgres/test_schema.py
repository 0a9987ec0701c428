"""Migrations go up and down, match the models, and refuse what they do not know."""

import time
from threading import Timer

import psycopg
import pytest

from alembic import command
from rewards_app.core.postgres import months, schema

pytestmark = pytest.mark.usefixtures("database")


class TestMigrations:
    def test_match_the_models(self):
        command.check(schema.alembic_config())

    def test_go_down_and_up_again(self, database: str):
        command.downgrade(schema.alembic_config(), "base")
        with psycopg.connect(database) as connection:
            left = connection.execute(
                "select tablename from pg_tables where schemaname = 'public'"
            ).fetchall()
        assert left == [("alembic_version",)]
        schema.upgrade()
        assert schema.present_revision() == schema.newest_revision()


SERVED = "c3e8d2b7f514"
"""The first schema that workers may have served while a later one was made."""
MUST_BE_GIVEN = """
select table_name, column_name from information_schema.columns
where table_schema = 'public' and is_nullable = 'NO' and column_default is null
    and is_identity = 'NO' and is_generated = 'NEVER'
"""
TABLES = "select tablename from pg_tables where schemaname = 'public'"


class TestAWorkerOfTheVersionBefore:
    @pytest.mark.usefixtures("spoilt_books")
    def test_can_go_on_writing_to_every_table_that_it_knows(self, database: str):
        """Until its turn comes it serves on the new schema, and gives no column that is new."""
        command.downgrade(schema.alembic_config(), SERVED)
        with psycopg.connect(database, autocommit=True) as connection:
            while schema.present_revision() != schema.newest_revision():
                given = set(connection.execute(MUST_BE_GIVEN).fetchall())
                known = {name for (name,) in connection.execute(TABLES).fetchall()}
                command.upgrade(schema.alembic_config(), "+1")
                after = set(connection.execute(MUST_BE_GIVEN).fetchall())
                assert [one for one in after - given if one[0] in known] == []


@pytest.fixture
def before(database: str) -> str | None:
    """What comes next changes the table that the tests below read."""
    command.downgrade(schema.alembic_config(), SERVED)
    return schema.present_revision()


@pytest.fixture
def soon_tried_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(months, "PATIENCE", "set local lock_timeout = '1s'")
    monkeypatch.setattr(schema, "SECONDS_BETWEEN_TRIES", 0.5)


@pytest.mark.usefixtures("spoilt_books", "soon_tried_again")
class TestATableInUse:
    """As a backup uses all of them, for as long as it takes."""

    def test_makes_nobody_wait_for_long(
        self, database: str, before: str, monkeypatch: pytest.MonkeyPatch
    ):
        monkeypatch.setattr(schema, "TRIES", 1)
        with psycopg.connect(database) as reading:
            reading.execute("select from coin_expiry_notices")
            with pytest.raises(schema.TablesAreBusy, match="Nothing was changed"):
                schema.upgrade()
        assert schema.present_revision() == before

    def test_is_changed_once_it_is_free(self, database: str, before: str):
        with psycopg.connect(database) as reading:
            reading.execute("select from coin_expiry_notices")
            Timer(2, reading.close).start()
            schema.upgrade()
            assert reading.closed
        assert schema.present_revision() == schema.newest_revision()


class TestWhoChangesTables:
    def test_waits_for_whoever_does_so_already(self, database: str):
        with psycopg.connect(database, autocommit=True) as other:
            other.execute("select pg_advisory_lock(%s)", [schema.CHANGES_TABLES])
            began = time.monotonic()
            Timer(1, other.close).start()
            with schema.changed_by_one_alone():
                assert time.monotonic() - began > 0.9

    def test_does_not_wait_for_ever(self, database: str, monkeypatch: pytest.MonkeyPatch):
        monkeypatch.setattr(schema, "SECONDS_OTHERS_CHANGE", 0)
        with (
            schema.changed_by_one_alone(),
            pytest.raises(schema.TablesAreBusy, match="here or on another"),
            schema.changed_by_one_alone(),
        ):
            pass


class TestStart:
    @pytest.mark.usefixtures("spoilt_books")
    def test_refuses_an_outdated_schema(self):
        command.downgrade(schema.alembic_config(), "-1")
        with pytest.raises(schema.SchemaMismatch, match="rewards migrate"):
            schema.refuse_outdated()

    def test_refuses_a_schema_of_a_later_version(self, database: str):
        with psycopg.connect(database, autocommit=True) as connection:
            connection.execute("update alembic_version set version_num = 'from_the_future'")
        with pytest.raises(schema.SchemaMismatch, match="newer version"):
            schema.upgrade()
