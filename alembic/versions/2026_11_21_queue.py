"""The job queue: procrastinate's own schema, as of its version 3.10"""

from pathlib import Path

from alembic import op

revision = "a2c41be07f10"
down_revision = None
branch_labels = None
depends_on = None

SCHEMA = Path(__file__).parents[1] / "sql" / "procrastinate_3_10.sql"

DROP_EVERYTHING = """
do $$
declare found record;
begin
    for found in select tablename from pg_tables
        where schemaname = current_schema() and tablename like 'procrastinate_%' loop
        execute format('drop table %I cascade', found.tablename);
    end loop;
    for found in select oid::regprocedure as signature from pg_proc
        where pronamespace = current_schema()::regnamespace and proname like 'procrastinate_%' loop
        execute format('drop function %s cascade', found.signature);
    end loop;
    for found in select typname from pg_type
        where typnamespace = current_schema()::regnamespace
        and typname like 'procrastinate_%' and typtype in ('e', 'c') loop
        execute format('drop type if exists %I cascade', found.typname);
    end loop;
end $$;
"""


def upgrade() -> None:
    _run(SCHEMA.read_text())


def downgrade() -> None:
    _run(DROP_EVERYTHING)


def _run(script: str) -> None:
    """Many statements at once: without parameters the driver takes `%` as it stands."""
    connection = op.get_bind().connection.driver_connection
    assert connection is not None
    connection.execute(script)
