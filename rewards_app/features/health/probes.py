"""What is measured outside of tables: the database's answer, Redis, the disk, this process."""

import shutil
import time
from collections.abc import Callable, Coroutine, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import psycopg
from redis.asyncio import Redis
from redis.exceptions import RedisError

from rewards_app.core.connections.no_longer import no_longer_than
from rewards_app.core.database import lookup
from rewards_app.core.errors import DomainError
from rewards_app.core.settings import settings

ANSWERS_WITHIN_SECONDS = 4.0
BEGAN_AT = time.monotonic()
"""When this process loaded the app."""
A_PAGE_OF_MEMORY = 4096
KIB = 1024


async def database() -> int | None:
    """How long it takes to answer the smallest question, in microseconds; None: it does not."""
    return await _measured(lambda: lookup("select 1", ()))


async def redis() -> int | None:
    """The same of Redis, where one is used."""
    if not settings().redis_url:
        return None
    return await _measured(_ping)


async def _ping() -> Any:
    url = settings().redis_url
    async with Redis.from_url(url, socket_timeout=2, socket_connect_timeout=2) as server:
        return await server.execute_command("PING")


@dataclass(frozen=True, slots=True)
class RedisMemory:
    used_bytes: int
    most_bytes: int
    """0: as much as the machine has."""
    cannot_save: bool
    """It refuses what is written, as one that is full."""


async def redis_memory() -> RedisMemory | None:
    """None: it does not say, or none is used."""
    if not settings().redis_url:
        return None
    try:
        told = await no_longer_than(ANSWERS_WITHIN_SECONDS, _told_of_redis())
        used, most = int(told["used_memory"]), int(told["maxmemory"])
        return RedisMemory(used, most, cannot_save(told))
    except (RedisError, OSError, TimeoutError, KeyError):
        return None


SAVED: tuple[str, ...] = ("rdb_last_bgsave_status", "aof_last_write_status")
"""Of `INFO`: while one of them is not 'ok', Redis refuses what is written, and `PING`."""


def cannot_save(told: Mapping[str, Any]) -> bool:
    return any(told.get(name, "ok") != "ok" for name in SAVED)


async def _told_of_redis() -> Mapping[str, Any]:
    url = settings().redis_url
    async with Redis.from_url(url, socket_timeout=2, socket_connect_timeout=2) as server:
        return await server.execute_command("INFO")  # pyright: ignore


async def _measured(ask: Callable[[], Coroutine[Any, Any, Any]]) -> int | None:
    begun = time.perf_counter()
    try:
        await no_longer_than(ANSWERS_WITHIN_SECONDS, ask())
    except (DomainError, psycopg.Error, RedisError, OSError, TimeoutError):
        return None
    return round((time.perf_counter() - begun) * 1_000_000)


@dataclass(frozen=True, slots=True)
class Machine:
    """Where this worker runs; a figure that the system does not tell is 0."""

    disk_free: int
    disk_size: int
    memory_free: int
    memory_size: int
    memory_used_here: int
    """By this process."""
    running_for_seconds: int


def seconds_since(began: float) -> int:
    return int(time.monotonic() - began)


def machine() -> Machine:
    here = disk(settings().data_dir)
    memory = _memory()
    return Machine(
        disk_free=here.free,
        disk_size=here.total,
        memory_free=memory.get("MemAvailable", 0) * KIB,
        memory_size=memory.get("MemTotal", 0) * KIB,
        memory_used_here=_used_here(),
        running_for_seconds=seconds_since(BEGAN_AT),
    )


class Disk(NamedTuple):
    total: int
    used: int
    free: int


def disk(folder: Path) -> Disk:
    """Where the folder is, or is going to be."""
    here = folder.resolve()
    return Disk(*shutil.disk_usage(next(one for one in (here, *here.parents) if one.exists())))


def _memory() -> dict[str, int]:
    """What Linux tells of its memory, in KiB."""
    try:
        lines = Path("/proc/meminfo").read_text().splitlines()
    except OSError:
        return {}
    return {name: int(rest.split()[0]) for name, _, rest in (line.partition(":") for line in lines)}


def _used_here() -> int:
    try:
        return int(Path("/proc/self/statm").read_text().split()[1]) * A_PAGE_OF_MEMORY
    except OSError:
        return 0
