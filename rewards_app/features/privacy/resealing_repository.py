"""Whatever is sealed, wherever it stands: found by the type of its column, table by table."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, LiteralString
from uuid import UUID

from psycopg import sql
from sqlmodel import SQLModel

from rewards_app.core.database import AsyncSession, rows
from rewards_app.core.sealed import Sealed

COUNTED: LiteralString = """
select split_part({column}, '.', 2), count(*) from {table} where {column} is not null group by 1
"""
OTHERS: LiteralString = """
select {key}, {column} from {table}
where {column} not like %(present)s and {key} > %(after)s
order by {key} limit %(most)s for no key update skip locked
"""
KEPT: LiteralString = "update {table} set {column} = %s where {key} = %s"


NO_ID = UUID(int=0)
Key = UUID | str


@dataclass(frozen=True, slots=True)
class Place:
    table: str
    column: str
    key: str
    first: Key
    """Comes before every key that there is."""

    def __str__(self) -> str:
        return f"{self.table}.{self.column}"

    def of(self, query: LiteralString) -> str:
        names = {name: sql.Identifier(value) for name, value in self._named()}
        return sql.SQL(query).format(**names).as_string()

    def _named(self) -> Iterable[tuple[str, str]]:
        return ("table", self.table), ("column", self.column), ("key", self.key)


def places() -> list[Place]:
    """Each has a key of one column."""
    return [
        Place(table.name, column.name, key.name, NO_ID if key.type.python_type is UUID else "")
        for table in SQLModel.metadata.sorted_tables
        for column in table.columns
        for key in table.primary_key.columns
        if isinstance(column.type, Sealed)
    ]


async def keys_used(session: AsyncSession, place: Place) -> dict[str, int]:
    """How many values each key has sealed, by the key's name; "": before there were names."""
    return dict(await rows(session, _ours(place.of(COUNTED)), {}))


async def sealed_otherwise(
    session: AsyncSession, place: Place, *, head: str, after: Key, most: int
) -> Sequence[tuple[Key, str]]:
    """Some of those that do not begin with `head`, for this transaction alone."""
    values: dict[str, Any] = {"present": f"{head}%", "after": after, "most": most}
    return await rows(session, _ours(place.of(OTHERS)), values)


async def keep(session: AsyncSession, place: Place, key: Key, sealed: str) -> None:
    connection = await session.connection()
    await connection.exec_driver_sql(place.of(KEPT), (sealed, key))


def _ours(query: str) -> LiteralString:
    """Made of our own tables' names alone."""
    return query  # pyright: ignore[reportReturnType]
