"""What `/metrics` tells of the whole site and of this machine, measured at most every 15 seconds.

Every worker tells the site's figures: whoever adds them up asks for the highest, not for the sum.
"""

import asyncio
import math
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import partial
from pathlib import Path

import structlog
from prometheus_client import REGISTRY
from prometheus_client.core import GaugeMetricFamily, Metric
from prometheus_client.registry import Collector
from sqlalchemy.exc import SQLAlchemyError

from rewards_app.backups import keeping
from rewards_app.core import aside
from rewards_app.core.clock import utc_now
from rewards_app.core.database import AsyncSession, pools, transaction
from rewards_app.core.errors import DomainError
from rewards_app.core.queue import right_time
from rewards_app.core.settings import settings
from rewards_app.features.alerts import service as alerts
from rewards_app.features.health import probes, schedule
from rewards_app.features.health import service as health
from rewards_app.features.health import site as whole_site
from rewards_app.features.health.schedule_rules import State

_log = structlog.get_logger(__name__)

SECONDS_KNOWN = 15
BOOKS = {
    "coins.check_ledger": "coins",
    "shop.check_orders": "orders",
    "advertiser.check_money": "companies",
    "admin.check_audit_log": "audit",
    "leaderboard.check_boards": "boards",
}
"""The nightly proofs, each of which counts what is wrong."""
WATCHES_REPLICA = "health.watch_replica"


@dataclass(frozen=True, slots=True)
class Backups:
    last_made: datetime | None
    disk: probes.Disk


@dataclass(frozen=True, slots=True)
class Seen:
    at: datetime
    redis: int | None
    database_us: int | None
    queue: health.Queue | None = None
    site: whole_site.Site | None = None
    jobs: tuple[schedule.Scheduled, ...] = ()
    alerts: Mapping[str, int] | None = None
    backups: Backups | None = None
    """None: there is no place for them, or it is not to be seen."""
    redis_memory: probes.RedisMemory | None = None
    clock_ahead: timedelta | None = None


async def look(now: datetime) -> Seen:
    """All that is known now; of a database that does not answer, only that it does not."""
    # One that cannot save refuses even to be pinged.
    redis, memory = await asyncio.gather(probes.redis(), probes.redis_memory())
    latency = await probes.database()
    kept = settings().backup_dir
    backups = await aside.answer_to("backups", partial(_backups, kept, now)) if kept else None
    seen = Seen(now, redis, latency, backups=backups, redis_memory=memory)
    if latency is None:
        return seen
    seen = replace(seen, clock_ahead=await right_time.ahead())
    try:
        async with transaction() as session:
            return await _of_database(session, seen)
    except (DomainError, SQLAlchemyError, OSError) as failure:
        _log.warning("metrics.not_measured", reason=type(failure).__name__)
        return replace(seen, database_us=None)


def _backups(kept: Path, now: datetime) -> Backups:
    return Backups(keeping.last_made(kept, now=now), probes.disk(kept))


async def _of_database(session: AsyncSession, seen: Seen) -> Seen:
    opened = await alerts.open_by_severity(session)
    return replace(
        seen,
        queue=await health.queue(session, now=seen.at),
        site=await whole_site.seen(session, now=seen.at),
        jobs=tuple(await schedule.of_now(session, now=seen.at)),
        alerts={name.value: count for name, count in opened.items()},
    )


class Figures(Collector):
    """The last look, as Prometheus reads it."""

    def __init__(self) -> None:
        self.seen: Seen | None = None
        self.sockets: Callable[[], int] = lambda: 0
        self._looked_at = -math.inf

    async def refresh(self) -> None:
        now = time.monotonic()
        if now - self._looked_at >= SECONDS_KNOWN:
            self.seen = await look(utc_now())
            self._looked_at = now

    def collect(self) -> Iterator[Metric]:
        yield _one("sockets", "Open sockets of this worker.", self.sockets())
        yield from _pools()
        if self.seen is None:
            return
        yield from _parts(self.seen)
        yield from _machine()
        yield from _queue(self.seen)
        yield from _site(self.seen)
        yield from _replica(self.seen)
        yield from _jobs(self.seen)
        if self.seen.backups:
            yield from _of_backups(self.seen.backups)


def _one(name: str, told: str, value: float) -> Metric:
    return GaugeMetricFamily(f"watchcoins_{name}", told, value=value)


def _many(name: str, told: str, label: str, values: Mapping[str, float]) -> Metric:
    family = GaugeMetricFamily(f"watchcoins_{name}", told, labels=[label])
    for key, value in values.items():
        family.add_metric([key], value)
    return family


def _pools() -> Iterator[Metric]:
    used, most = pools()
    yield _many("pool_used", "Connections of this worker in use.", "pool", used)
    yield _many("pool_most", "How many each of its pools may open.", "pool", most)


def _parts(seen: Seen) -> Iterator[Metric]:
    yield _one("database_up", "Whether PostgreSQL answers.", float(seen.database_us is not None))
    if seen.database_us is not None:
        yield _one("database_answer_seconds", "Of the smallest question.", seen.database_us / 1e6)
    if (ahead := seen.clock_ahead) is not None:
        told = "How far the clock of this machine is before PostgreSQL's."
        yield _one("clock_ahead_seconds", told, ahead.total_seconds())
    if settings().redis_url:
        answers = seen.redis is not None or seen.redis_memory is not None
        yield _one("redis_up", "Whether Redis answers.", float(answers))
    if memory := seen.redis_memory:
        yield _one("redis_used_bytes", "What Redis keeps.", memory.used_bytes)
        yield _one("redis_most_bytes", "As maxmemory; 0: no end.", memory.most_bytes)
        told = "It cannot save, and refuses what is written."
        yield _one("redis_save_failing", told, float(memory.cannot_save))


def _machine() -> Iterator[Metric]:
    here = probes.machine()
    yield _one("disk_free_bytes", "Where the data folder is.", here.disk_free)
    yield _one("disk_size_bytes", "Of the disk of the data folder.", here.disk_size)
    yield _one("memory_free_bytes", "Of this machine.", here.memory_free)


def _of_backups(seen: Backups) -> Iterator[Metric]:
    yield _one("backup_disk_free_bytes", "Where the backups are.", seen.disk.free)
    yield _one("backup_disk_size_bytes", "Of the disk of the backups.", seen.disk.total)
    if seen.last_made:
        age = (utc_now() - seen.last_made).total_seconds()
        yield _one("backup_age_seconds", "Since the last whole backup.", age)


def _queue(seen: Seen) -> Iterator[Metric]:
    if not (queue := seen.queue):
        return
    states = {"waiting": queue.waiting, "running": queue.running, "failed": queue.failed}
    yield _many("queue_jobs", "Jobs by what they do.", "state", states)
    yield _one("queue_oldest_seconds", "How long the first has waited.", queue.oldest_seconds)
    yield _one("queue_workers", "Who take jobs.", queue.workers)
    yield _one("mails_waiting", "Mails that are not sent yet.", queue.mails)


def _site(seen: Seen) -> Iterator[Metric]:
    if not (found := seen.site):
        return
    yield _one("paid_not_delivered", "Orders paid and not delivered.", found.paid_not_delivered)
    yield _one("payments_unsettled", "Payments nobody asked about.", found.payments_unsettled)
    yield _one("people_online", "Accounts with an open page.", found.online)
    yield _one("database_bytes", "What the database takes.", found.database_bytes)
    yield _one("database_connections", "Open connections of all.", found.connections)
    yield _one("database_connections_most", "As max_connections.", found.connections_allowed)
    yield _one("replicas", "Replicas that follow.", found.replicas)
    yield _one("archive_failing", "The log is not kept for a moment.", found.is_archive_failing)
    yield _one("months_missing", "Tables without the next month.", found.months_missing)


def _replica(seen: Seen) -> Iterator[Metric]:
    """As the job saw it that writes here and looks there: how far it is, or that it is away."""
    did = next((job.did for job in seen.jobs if job.name == WATCHES_REPLICA), {})
    if "away" in did or "behind" in did:
        yield _one("replica_away", "No figures come from it.", float("away" in did))
    if "behind" in did:
        yield _one("replica_lag_seconds", "Of the one for figures.", did["behind"] / 1000)


def _jobs(seen: Seen) -> Iterator[Metric]:
    late = {job.name: float(job.state is State.LATE) for job in seen.jobs}
    failed = {job.name: float(job.state in (State.FAILED, State.BROKEN_OFF)) for job in seen.jobs}
    wrong = {
        BOOKS[job.name]: float(job.found.get("wrong", 0)) for job in seen.jobs if job.name in BOOKS
    }
    yield _many("job_late", "Later than twice its period.", "job", late)
    yield _many("job_failing", "Its last run failed.", "job", failed)
    yield _many("books_wrong", "What the last nightly proof found that was done.", "book", wrong)
    yield _many("alerts_open", "Alerts nobody has resolved.", "severity", seen.alerts or {})


figures = Figures()
REGISTRY.register(figures)
