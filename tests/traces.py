"""Everything that is kept: fingerprints of tables, and every place that a value is found in."""

import base64
import binascii
from collections.abc import Iterable, Iterator
from pathlib import Path
from urllib.parse import quote, quote_plus

import psycopg
from cryptography.exceptions import InvalidTag
from psycopg import sql

from rewards_app.core.sealed import unseal

SEALED_AT_LEAST = 38
"""A nonce and a tag alone are longer: nothing shorter was sealed."""


def tables_of(url: str) -> list[str]:
    with psycopg.connect(url) as connection:
        found = connection.execute(
            "select table_name from information_schema.tables"
            " where table_schema = 'public' and table_type = 'BASE TABLE' order by 1"
        )
        return [row[0] for row in found]


def rows_of(url: str, table: str) -> list[dict[str, str]]:
    """Every row as text, column by column; bytes as hexadecimal digits."""
    query = sql.SQL("select to_jsonb(t) from {} t").format(sql.Identifier(table))
    with psycopg.connect(url) as connection:
        return [
            {name: _as_text(value) for name, value in row[0].items()}
            for row in connection.execute(query)
        ]


def _as_text(value: object) -> str:
    return "" if value is None else str(value)


def fingerprints(url: str, tables: Iterable[str] | None = None) -> dict[str, list[str]]:
    """What stands in each of these tables, in an order of its own."""
    wanted = tables_of(url) if tables is None else tables
    return {table: sorted(map(str, rows_of(url, table))) for table in wanted}


def variants_of(value: str) -> set[str]:
    """How a value may be written down: as it is, in small letters, for links, as bytes."""
    raw = value.encode()
    # Only the part that does not depend on what stands beside it.
    middle = base64.b64encode(raw).decode().rstrip("=")[:-1]
    return {
        *(value.lower(), quote(value).lower(), quote_plus(value).lower()),
        *(raw.hex(), repr(value)[1:-1].lower(), ascii(value)[1:-1].lower()),
        *([middle.lower()] if len(middle) > 7 else []),
    }


def found_in(text: str, values: Iterable[str]) -> set[str]:
    small = text.lower()
    return {value for value in values if any(one in small for one in variants_of(value))}


def traces_in_tables(url: str, values: Iterable[str]) -> list[str]:
    """`table.column: value` for each place where one of the values stands, sealed or not."""
    wanted = list(values)
    return sorted(
        {
            f"{table}.{column}: {value}"
            for table in tables_of(url)
            for row in rows_of(url, table)
            for column, text in row.items()
            for told in _readings_of(text)
            for value in found_in(told, wanted)
        }
    )


def _readings_of(text: str) -> Iterator[str]:
    yield text
    if len(text) < SEALED_AT_LEAST or " " in text:
        return
    try:
        yield unseal(text)
    except (InvalidTag, ValueError, binascii.Error, UnicodeDecodeError):
        return


def traces_in_files(folder: Path, values: Iterable[str], *, without: str = "postgres") -> list[str]:
    """Files below `folder` that hold one of the values; the database's own files are its matter."""
    wanted = list(values)
    return sorted(
        f"{file.relative_to(folder)}: {value}"
        for file in folder.rglob("*")
        if file.is_file() and without not in file.relative_to(folder).parts
        for value in found_in(file.read_bytes().decode("utf-8", "replace"), wanted)
    )
