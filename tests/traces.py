"""Everything that is kept: fingerprints of tables, and every place that a value is found in."""

import base64
import binascii
import gzip
import io
import zipfile
import zlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from urllib.parse import quote, quote_plus

import psycopg
import redis
from cryptography.exceptions import InvalidTag
from psycopg import sql

from rewards_app.core.sealed import unseal

SEALED_AT_LEAST = 38
"""A nonce and a tag alone are longer: nothing shorter was sealed."""


def tables_of(url: str) -> list[str]:
    with psycopg.connect(url) as connection:
        found = connection.execute(
            "select relname from pg_class where relnamespace = 'public'::regnamespace"
            " and relkind in ('r', 'p') and not relispartition order by 1"
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


@lru_cache(maxsize=4096)
def variants_of(value: str) -> frozenset[str]:
    """How a value may be written down: as it is, in small letters, for links, as bytes."""
    raw = value.encode()
    # Only the part that does not depend on what stands beside it.
    middle = base64.b64encode(raw).decode().rstrip("=")[:-1]
    return frozenset(
        {
            *(value.lower(), quote(value).lower(), quote_plus(value).lower()),
            *(raw.hex(), repr(value)[1:-1].lower(), ascii(value)[1:-1].lower()),
            *([middle.lower()] if len(middle) > 7 else []),
        }
    )


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
    """What is sealed is read opened: among its own letters any short word may stand by chance."""
    if len(text) >= SEALED_AT_LEAST and " " not in text:
        with suppress(InvalidTag, ValueError, binascii.Error, UnicodeDecodeError):
            yield unseal(text)
            return
    yield text


def traces_in_files(folder: Path, values: Iterable[str], *, without: str = "postgres") -> list[str]:
    """Files below `folder` that hold one of the values; the database's own files are its matter."""
    wanted = list(values)
    return sorted(
        f"{file.relative_to(folder)}: {value}"
        for file in folder.rglob("*")
        if file.is_file() and without not in file.relative_to(folder).parts
        for value in found_in_bytes(file.read_bytes(), wanted)
    )


def traces_in_redis(url: str, values: Iterable[str]) -> list[str]:
    """Keys whose name or content, of whatever kind, hold one of the values."""
    wanted = list(values)
    with redis.Redis.from_url(url) as server:
        return sorted(
            f"{key.decode(errors='replace')}: {value}"
            for key in server.scan_iter(count=1000)
            for value in found_in_bytes(key + b"\n" + _content_of(server, key), wanted)
        )


def _content_of(server: redis.Redis, key: bytes) -> bytes:
    read: dict[bytes, Callable[[], object]] = {
        b"string": lambda: server.get(key),
        b"list": lambda: server.lrange(key, 0, -1),
        b"set": lambda: server.smembers(key),
        b"hash": lambda: server.hgetall(key),
        b"zset": lambda: server.zrange(key, 0, -1),
        b"stream": lambda: server.xrange(key),
        # Gone since it was named.
        b"none": lambda: b"",
    }
    return b"\n".join(_flat(read[server.type(key)]()))


def _flat(content: object) -> Iterator[bytes]:
    if isinstance(content, dict):
        content = [*content.keys(), *content.values()]
    if isinstance(content, (list, tuple, set)):
        for one in content:
            yield from _flat(one)
    elif isinstance(content, bytes):
        yield content


@lru_cache(maxsize=4096)
def byte_variants_of(value: str) -> frozenset[bytes]:
    """How a value may stand in a file, in small letters: as text in any encoding, written down."""
    wide = {value.lower().encode(name) for name in ("utf-16-le", "utf-16-be", "utf-32-le")}
    return frozenset({*(variant.encode() for variant in variants_of(value)), *wide})


def found_in_bytes(raw: bytes, values: Iterable[str]) -> set[str]:
    wanted = {value: byte_variants_of(value) for value in values}
    return {
        value
        for reading in _unpacked(raw)
        for value, variants in wanted.items()
        if any(variant in reading for variant in variants)
    }


def _unpacked(raw: bytes) -> Iterator[bytes]:
    """What is in it, in small letters; what is in that, where it is a packed file."""
    # Small letters of the whole world, where it is text; of ours, where it is not.
    yield raw.decode("utf-8", "surrogateescape").lower().encode("utf-8", "surrogateescape")
    if raw[:2] == b"\x1f\x8b":
        yield from _unpacked(gzip.decompress(raw))
    elif raw[:4] == b"PK\x03\x04":
        with zipfile.ZipFile(io.BytesIO(raw)) as archive:
            for name in archive.namelist():
                yield from _unpacked(archive.read(name))
    elif raw[:4] == b"%PDF":
        yield from filter(None, map(_inflated, raw.split(b"stream")))


def _inflated(stream: bytes) -> bytes:
    try:
        return zlib.decompressobj().decompress(stream.lstrip(b"\r\n")).lower()
    except zlib.error:
        return b""
