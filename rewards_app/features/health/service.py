"""Measuring how the system is: for whoever looks, and once a minute to keep."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

import structlog
from sqlalchemy.exc import SQLAlchemyError

from rewards_app.core.database import AsyncSession, transaction
from rewards_app.core.errors import DomainError
from rewards_app.core.settings import settings
from rewards_app.features.ads.days import platform_day
from rewards_app.features.health import probes, repository, rules, schedule
from rewards_app.features.health.probes import Machine
from rewards_app.features.health.repository import Queue, Stretch
from rewards_app.features.health.rules import Level
from rewards_app.features.health.schedule import Scheduled

_log = structlog.get_logger(__name__)

NO_QUEUE = Queue(0, 0, 0, 0, 0, 0)


@dataclass(frozen=True, slots=True)
class Health:
    measured_at: datetime
    database: Level
    database_us: int
    uses_redis: bool
    redis_us: int | None
    """None: it does not answer, or none is used."""
    queue: Queue
    online: int
    views_today: int
    uptime: float | None
    """None: nothing was measured yet."""
    machine: Machine
    stretches: Sequence[Stretch]
    schedule: Sequence[Scheduled]

    @property
    def has_answered(self) -> bool:
        return self.database is not Level.ERROR


async def measured(*, now: datetime) -> Health:
    """Now; a database that does not answer is told as that, with nothing but zeros of it."""
    latency, redis_us = await probes.database(), await probes.redis()
    queue, online, views, uptime, stretches = NO_QUEUE, 0, 0, 0.0, list[Stretch]()
    scheduled: Sequence[Scheduled] = ()
    if latency is not None:
        try:
            async with transaction() as session:
                queue = await repository.queue(session, now=now)
                online, views = await repository.people(session, platform_day(now), now=now)
                uptime = await _uptime(session, now=now)
                stretches = await repository.stretches(session, now - rules.CHARTED, now=now)
                scheduled = await schedule.of_now(session, now=now)
        except (DomainError, SQLAlchemyError, OSError) as failure:
            _log.warning("health.not_measured", reason=type(failure).__name__)
            latency = None
            queue, online, views, uptime, stretches = NO_QUEUE, 0, 0, 0.0, []
            scheduled = ()
    return Health(
        measured_at=now,
        database=rules.database_level(latency),
        database_us=latency or 0,
        uses_redis=bool(settings().redis_url),
        redis_us=redis_us,
        queue=queue,
        online=online,
        views_today=views,
        uptime=uptime,
        machine=probes.machine(),
        stretches=stretches,
        schedule=scheduled,
    )


async def _uptime(session: AsyncSession, *, now: datetime) -> float | None:
    count, first = await repository.sampled(session, now - rules.KEPT_FOR, now=now)
    return rules.uptime(count, first, now=now)


async def queue(session: AsyncSession, *, now: datetime) -> Queue:
    return await repository.queue(session, now=now)


async def sample(*, now: datetime) -> dict[str, int]:
    """Keep what is measured now for its minute, once; nothing is kept of what did not answer."""
    latency = await probes.database()
    if latency is None:
        return {}
    redis_us, machine = await probes.redis(), probes.machine()
    async with transaction() as session:
        queue = await repository.queue(session, now=now)
        known = {
            "minute": now.replace(second=0, microsecond=0),
            "database_us": latency,
            "redis_us": redis_us,
            "workers": queue.workers,
            "waiting": queue.waiting,
            "oldest": queue.oldest_seconds,
            "mails": queue.mails,
            "disk_free": machine.disk_free,
            "disk_size": machine.disk_size,
        }
        return await repository.keep(session, known, before=now - rules.KEPT_FOR)
