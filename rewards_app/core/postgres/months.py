"""Tables that are cut by month: partitions are made ahead, and let go once they are old.

A month is that of an identifier, in UTC. `…_earlier` has what is older than the first month,
`…_later` what is newer than the last one: nothing is ever refused for want of a partition.
"""

import re
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, date, datetime
from typing import Any, LiteralString

import psycopg
from psycopg import sql

from rewards_app.core.ids import first_id_since
from rewards_app.core.settings import settings

AHEAD = 3
"""So many months beside the present one are there before they begin."""
ONE_AT_A_TIME = 7_301_022_144_106
"""The advisory lock of whoever changes partitions."""
PATIENCE: LiteralString = "set local lock_timeout = '5s'"
"""Everybody waits behind whoever waits for a table: rather try again later."""
MONTH = re.compile(r"_(\d{4})_(\d{2})$")


def _first_id(month: date) -> str:
    return str(first_id_since(datetime(month.year, month.month, 1, tzinfo=UTC)))


@dataclass(frozen=True, slots=True)
class Cut:
    """A table that is cut by month."""

    table: LiteralString
    key: LiteralString
    begins: Callable[[date], str]
    """The first value of the key in a month."""
    guard: LiteralString = ""
    """What refuses to empty a partition, where the table must never be emptied."""


AD_VIEWS = Cut("ad_views", "id", _first_id)
COIN_ENTRIES = Cut("coin_entries", "month", date.isoformat, "refuse_change_of_coin_entries")
CUTS = (AD_VIEWS, COIN_ENTRIES)


def month_of(moment: datetime) -> date:
    return moment.astimezone(UTC).date().replace(day=1)


def months_after(month: date, count: int) -> date:
    """That many months later; earlier, if it is below zero."""
    years, index = divmod(month.year * 12 + month.month - 1 + count, 12)
    return date(years, index + 1, 1)


@dataclass(frozen=True, slots=True)
class Standing:
    """How a table stands: which months it has, and whether rows lie where no month is."""

    table: str
    months: tuple[date, ...]
    has_later_rows: bool

    def ahead(self, *, now: datetime) -> int:
        return sum(month > month_of(now) for month in self.months)


def standings() -> list[Standing]:
    with connected() as connection:
        return [_standing(connection, cut) for cut in CUTS]


MISSING: LiteralString = " + ".join(
    f"(to_regclass('{cut.table}' || %(next_month)s) is null"
    f" or exists (select from {cut.table}_later))::int"
    for cut in CUTS
)
"""How many tables have no room for the next month, or rows in none."""


def suffix_of_next(now: datetime) -> str:
    return f"{months_after(month_of(now), 1):_%Y_%m}"


OWNED: LiteralString = """
select pg_has_role(relowner, 'usage') from pg_class where oid = %s::regclass
"""


def may_change() -> bool:
    """False for a role that only serves: then `rewards months` is for the owner's timer."""
    with connected() as connection:
        found = connection.execute(OWNED, [AD_VIEWS.table]).fetchone()
        assert found, "the table is there"
        return found[0]


def make_ahead(*, now: datetime) -> int:
    """The present month and the next ones, wherever they are missing; how many were made."""
    made = 0
    with connected() as connection:
        for cut in CUTS:
            known = set(attached(connection, cut))
            newest = max(known, default=months_after(month_of(now), -1))
            last = months_after(month_of(now), AHEAD)
            while newest < last:
                newest = months_after(newest, 1)
                made += _make(connection, cut, newest)
    return made


def count_anew() -> None:
    """PostgreSQL counts each partition by itself, but never what they are together."""
    with connected() as connection:
        for cut in CUTS:
            connection.execute(sql.SQL("analyze {}").format(sql.Identifier(cut.table)))


PARTITIONS: LiteralString = """
select child.relname from pg_inherits join pg_class child on child.oid = inhrelid
where inhparent = %(table)s::regclass and not inhdetachpending order by 1
"""


def attached(connection: psycopg.Connection, cut: Cut) -> list[date]:
    names = [name for (name,) in connection.execute(PARTITIONS, {"table": cut.table})]
    return [
        date(int(found[1]), int(found[2]), 1) for name in names if (found := MONTH.search(name))
    ]


def name_of(cut: Cut, month: date) -> str:
    return f"{cut.table}{month:_%Y_%m}"


def _standing(connection: psycopg.Connection, cut: Cut) -> Standing:
    later = sql.Identifier(f"{cut.table}_later")
    found = connection.execute(sql.SQL("select exists (select from {})").format(later)).fetchone()
    assert found, "a question has an answer"
    return Standing(cut.table, tuple(attached(connection, cut)), found[0])


def _make(connection: psycopg.Connection, cut: Cut, month: date) -> bool:
    """Cut a month off from what is later, with the rows that are there already."""
    names: dict[str, sql.Composable] = {
        "table": sql.Identifier(cut.table),
        "later": sql.Identifier(f"{cut.table}_later"),
        "month": sql.Identifier(name_of(cut, month)),
        "key": sql.Identifier(cut.key),
        "from": sql.Literal(cut.begins(month)),
        "to": sql.Literal(cut.begins(months_after(month, 1))),
        "trigger": sql.Identifier(f"{name_of(cut, month)}_is_never_emptied"),
        "guard": sql.Identifier(cut.guard),
    }
    with connection.transaction():
        connection.execute("select pg_advisory_xact_lock(%s)", [ONE_AT_A_TIME])
        if month in attached(connection, cut):
            return False
        connection.execute(PATIENCE)
        for statement in CUT_OFF:
            connection.execute(sql.SQL(statement).format(**names))
        if cut.guard:
            connection.execute(sql.SQL(NEVER_EMPTIED).format(**names))
    return True


CUT_OFF: tuple[LiteralString, ...] = (
    "alter table {table} detach partition {later}",
    "create table {month} partition of {table} for values from ({from}) to ({to})",
    # They were written once: what their writing sets going has been set going.
    "alter table {month} disable trigger user",
    "insert into {month} overriding system value select * from {later} where {key} < {to}",
    "alter table {month} enable trigger user",
    "delete from {later} where {key} < {to}",
    "alter table {table} attach partition {later} for values from ({to}) to (maxvalue)",
)
NEVER_EMPTIED: LiteralString = """
create trigger {trigger} before truncate on {month} for each statement execute function {guard}()
"""


@contextmanager
def connected() -> Generator[psycopg.Connection[Any]]:
    """Partitions come and go outside any other transaction."""
    options = "-c timezone=UTC"
    with psycopg.connect(settings().database_url, autocommit=True, options=options) as connection:
        yield connection
