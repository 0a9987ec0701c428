"""What the role that serves may do in the database, where another one owns it.

It reads and writes rows, and adds to the books without changing what stands there. It makes,
changes and drops nothing, so it cannot switch off what guards them.
"""

from typing import LiteralString

import psycopg
from psycopg import sql
from psycopg.conninfo import conninfo_to_dict

from rewards_app.core.postgres.certificates import CHECKED, unchecked_hosts
from rewards_app.core.postgres.connecting import connect
from rewards_app.core.settings import settings

APPEND_ONLY = ("coin_entries", "advertiser_entries", "audit_entries")
ERASED: dict[str, tuple[str, ...]] = {
    "audit_entries": (*("actor_name", "label", "before", "after", "reason", "salt", "erased_at"),)
}
"""Words of people who are forgotten; a trigger sees that they are emptied and nothing else."""
ONLY_READ = ("alembic_version",)

# A part of a table that is cut is reached through the table: by itself it is only read.
TABLES: LiteralString = """
select relname, relispartition from pg_class
where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') order by 1
"""

NOT_OURS: LiteralString = """
select pg_get_userbyid(relowner), current_user from pg_class
where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')
    and not pg_has_role(relowner, 'usage')
limit 1
"""


WHICH: LiteralString = "select current_database(), pg_postmaster_start_time()"
"""The server says it: one place has many addresses."""


class AnotherDatabase(Exception):
    """DATABASE_OWNER_URL leads elsewhere than DATABASE_URL; nothing was changed."""


class UncheckedServer(Exception):
    """Anybody may answer where DATABASE_OWNER_URL leads; nobody was told its password."""


class NotTheOwner(Exception):
    """The tables belong to another role than the one that came; nothing was changed."""


def refuse_unchecked_server() -> None:
    """The owner goes to nobody whom the app would not go to: no doctor sees where it leads."""
    chosen = settings()
    unchecked = unchecked_hosts(chosen.database_owner_url)
    if unchecked and not unchecked_hosts(chosen.database_url):
        raise UncheckedServer(
            f"Nobody checks that {unchecked[0]} is the database of DATABASE_OWNER_URL. Nothing was"
            f" changed. Give it what DATABASE_URL has: sslmode={CHECKED}&sslrootcert=…"
        )


def refuse_another_database() -> None:
    """Else the owner's work is done where nobody serves, and said to be done."""
    chosen = settings()
    try:
        of_owner, of_app = _place(chosen.database_owner_url), _place(chosen.database_url)
    except psycopg.OperationalError:
        # Whoever cannot connect is told so by what comes next.
        of_owner, of_app = _named(chosen.database_owner_url), _named(chosen.database_url)
    if of_owner != of_app:
        raise AnotherDatabase(
            f"DATABASE_OWNER_URL leads to the database {of_owner[0]}, DATABASE_URL to {of_app[0]}"
            f"{' of another server' if of_owner[0] == of_app[0] else ''}. Nothing was changed. Both"
            " must name the same one: correct the one that is wrong."
        )


def _place(url: str) -> tuple[object, ...]:
    with psycopg.connect(url) as connection:
        found = connection.execute(WHICH).fetchone()
    assert found, "a server knows itself"
    return found


def _named(url: str) -> tuple[object, ...]:
    known = conninfo_to_dict(url)
    return (known.get("dbname") or known.get("user"),)


def refuse_another_owner() -> None:
    """As the owner, before anything is changed: else it fails halfway, in the server's words."""
    with connect(settings().database_url, "DATABASE_URL") as connection:
        found = connection.execute(NOT_OURS).fetchone()
    if found:
        raise NotTheOwner(
            f"The tables belong to the role {found[0]}, and DATABASE_OWNER_URL names {found[1]}."
            " Nothing was changed. 'Roles of the database' in docs/operating.md says how they come"
            " to their owner."
        )


def grant_to_app() -> None:
    """As the owner: exactly these rights, whatever the app's role had before."""
    role = sql.Identifier(role_of(settings().database_url))
    with psycopg.connect(settings().database_owner_url) as connection:
        for statement in ALL_AT_ONCE:
            connection.execute(sql.SQL(statement).format(role=role))
        for table, is_part in connection.execute(TABLES).fetchall():
            for rights in _rights_on(table, is_part=is_part):
                connection.execute(
                    sql.SQL("grant {} on {} to {}").format(rights, sql.Identifier(table), role)
                )


def role_of(url: str) -> str:
    named = conninfo_to_dict(url).get("user")
    if not named:
        raise ValueError("DATABASE_URL: name the role of the app, since DATABASE_OWNER_URL is set")
    return str(named)


ALL_AT_ONCE: tuple[LiteralString, ...] = (
    "revoke create on schema public from public",
    "revoke all on schema public from {role}",
    "revoke all on all tables in schema public from {role}",
    "grant usage on schema public to {role}",
    "grant usage, select on all sequences in schema public to {role}",
    "grant execute on all functions in schema public to {role}",
)


def _rights_on(table: str, *, is_part: bool) -> list[sql.Composable]:
    if is_part or table in ONLY_READ:
        return [sql.SQL("select")]
    if table not in APPEND_ONLY:
        return [sql.SQL("select, insert, update, delete")]
    columns = sql.SQL(", ").join(map(sql.Identifier, ERASED.get(table, ())))
    emptying = [sql.SQL("update ({})").format(columns)] if table in ERASED else []
    return [sql.SQL("select, insert"), *emptying]
