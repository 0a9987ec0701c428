"""Migrations go up and down, match the models, and refuse what they do not know."""

import psycopg
import pytest

from alembic import command
from rewards_app.core import schema

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
