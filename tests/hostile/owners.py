"""Whose each row of the database is, told by its foreign keys; and what became of them."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from typing import Any

import psycopg
from psycopg import sql
from sqlalchemy import Table
from sqlmodel import SQLModel

import rewards_app.models  # noqa: F401  fills the metadata
from tests.hostile.evidence import NOTED_IN_PASSING

WORKED_OUT = {
    *("job_runs", "health_samples", "fraud_days", "forum_counts", "boards", "presence"),
    *("board_scores", "board_steps", "board_progress", "ledger_days", "unlocked_achievements"),
    "streaks",
}
"""What jobs write, whoever calls."""
TOLD = {"notifications", "audit_entries", "security_alerts", "waitlist", "arrival_days"}
"""An author hears of a reply, an admin of an attack; visitors wait, and come by a campaign; what
was done is written."""
OWNER_FIRST = ("account_id", "author_id", "by_account_id", "asked_by", "advertiser_id")


@dataclass(frozen=True, slots=True)
class Rows:
    """Each row's owner and a digest of its columns, by table and key."""

    of: dict[str, dict[str, tuple[str | None, dict[str, str]]]]

    def changed_since(self, before: "Rows", *, but_of: str) -> set[str]:
        """`table.column` of what changed, `table` of what came or went, all of it not theirs."""
        found: set[str] = set()
        for table, rows in self.of.items():
            known = before.of[table]
            for key in rows.keys() | known.keys():
                (owner, now), (owned, past) = rows.get(key, GONE), known.get(key, GONE)
                if but_of in (owner, owned) or now == past:
                    continue
                columns = [name for name in now.keys() & past.keys() if now[name] != past[name]]
                found.update(f"{table}.{name}" for name in columns)
                if not columns:
                    found.add(table)
        return found

    def without_new(self, table: str, *, since: "Rows") -> "Rows":
        known = since.of[table]
        rows = {key: row for key, row in self.of[table].items() if key in known}
        return Rows({**self.of, table: rows})


GONE: tuple[str | None, dict[str, str]] = (None, {})


@cache
def tables() -> list[Table]:
    return list(SQLModel.metadata.sorted_tables)


def has_identifiers(name: str) -> bool:
    return [column.name for column in SQLModel.metadata.tables[name].primary_key] == ["id"]


@cache
def path_to_an_owner(name: str) -> tuple[tuple[str, str, str], ...]:
    """(column, table, its key) on the way to accounts; nothing for what belongs to nobody."""
    if name == "accounts":
        return ()
    keys = sorted(
        SQLModel.metadata.tables[name].foreign_keys,
        key=lambda one: (one.parent.name not in OWNER_FIRST, one.parent.name),
    )
    for key in keys:
        other = key.column.table.name
        rest = path_to_an_owner(other) if other != name else ()
        if other == "accounts" or rest:
            return ((key.parent.name, other, key.column.name), *rest)
    # Some name their account without a key, which would cost each of their rows a look.
    is_named = OWNER_FIRST[0] in SQLModel.metadata.tables[name].columns
    return ((OWNER_FIRST[0], "accounts", "id"),) if is_named else ()


def _owner(name: str) -> sql.Composable:
    path = path_to_an_owner(name)
    if name == "accounts":
        return sql.SQL("t.id::text")
    if not path:
        return sql.SQL("null::text")
    inner: sql.Composable = sql.SQL("t.{}").format(sql.Identifier(path[0][0]))
    for (_, table, key), (column, _, _) in pairwise(path):
        inner = sql.SQL("(select {} from {} where {} = {})").format(
            *map(sql.Identifier, (column, table)), sql.Identifier(table, key), inner
        )
    return sql.SQL("{}::text").format(inner)


def all_rows(connection: psycopg.Connection[Any], *, but: Iterable[str] = ()) -> Rows:
    """Of every table that the models declare, but for `but`."""
    left_out = set(but)
    return Rows({t.name: _rows(connection, t) for t in tables() if t.name not in left_out})


def _rows(
    connection: psycopg.Connection[Any], table: Table
) -> dict[str, tuple[str | None, dict[str, str]]]:
    keys = [sql.SQL("t.{}::text").format(sql.Identifier(c.name)) for c in table.primary_key]
    query = sql.SQL("select concat_ws(' ', {}), {}, to_jsonb(t) - {}::text[] from {} t").format(
        sql.SQL(", ").join(keys),
        _owner(table.name),
        sql.Literal(list(NOTED_IN_PASSING)),
        sql.Identifier(table.name),
    )
    return {key: (owner, row) for key, owner, row in connection.execute(query)}
