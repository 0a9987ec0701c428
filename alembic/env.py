"""Alembic against the app's own tables; the connection comes from `core.postgres.schema`."""

import re

from sqlmodel import SQLModel

import rewards_app.models  # noqa: F401  (knowing the tables is the point)
from alembic import context
from rewards_app.core.postgres import months, schema
from rewards_app.core.sealed import Sealed

NOT_OURS = re.compile(r"procrastinate_|(ad_views|coin_entries)_(\d{4}_\d\d|earlier|later)$")
"""The queue's tables, and the months of those that are cut by month."""


def _is_ours(_object, name, type_, _reflected, _compare_to) -> bool:
    return not (type_ == "table" and NOT_OURS.match(name))


def _as_stored(type_, object_, _context) -> str | bool:
    """A migration names what the database stores, not the class that reads it today."""
    return "sa.String()" if type_ == "type" and isinstance(object_, Sealed) else False


with schema.sync_connection() as connection:
    connection.exec_driver_sql(months.PATIENCE)
    context.configure(
        connection=connection,
        target_metadata=SQLModel.metadata,
        include_object=_is_ours,
        render_item=_as_stored,
        compare_server_default=True,
    )
    with context.begin_transaction():
        context.run_migrations()
