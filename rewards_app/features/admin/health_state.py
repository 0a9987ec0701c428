"""How the system is, measured again and again while somebody looks."""

from typing import Any

from rewards_app.core.access import allow
from rewards_app.core.actor import Role
from rewards_app.core.errors import StorageAway
from rewards_app.core.state import AppState
from rewards_app.features.admin.state import AdminState
from rewards_app.features.health.figures import health
from rewards_app.features.health.rules import Level, database_level
from rewards_app.features.health.schedule import Scheduled
from rewards_app.features.health.service import Health, Stretch

TAB = "health"
NOT_USED = "not_used"
US_A_MS = 1000
MS_A_SECOND = 1000


class HealthState(AppState):
    is_loaded: bool = False
    has_failed: bool = False
    """The database did not answer: what it would have told is zero."""
    database: dict[str, Any] = {}
    redis: dict[str, Any] = {}
    queue: dict[str, Any] = {}
    people: dict[str, Any] = {}
    machine: dict[str, Any] = {}
    uptime: float = 0
    has_uptime: bool = False
    """Something was measured: before that there is no share of anything."""
    stretches: list[dict[str, Any]] = []
    """The last 24 hours, ten minutes at a time."""
    schedule: list[dict[str, Any]] = []
    """Every job that runs by itself, those that need a look first."""
    measured_at: str = ""

    @allow(Role.ADMIN)
    async def load(self):
        self.is_loaded = False
        await self._measure()

    @allow(Role.ADMIN, passive=True)
    async def refresh(self):
        """The page asks every half minute."""
        if (await self.get_state(AdminState)).tab == TAB:
            await self._measure()

    async def _measure(self) -> None:
        self._show_health(await health.fresh())
        self.is_loaded = True
        if self.refusal.get("code") == StorageAway.code:
            # While it was away, nobody came as far as here.
            self._forget_refusal()

    def _show_health(self, found: Health) -> None:
        queue, machine = found.queue, found.machine
        self._keep(
            has_failed=not found.has_answered,
            database={"level": found.database.value, "ms": found.database_us / US_A_MS},
            redis=_redis(found),
            queue={
                "waiting": queue.waiting,
                "oldest": queue.oldest_seconds,
                "running": queue.running,
                "failed": queue.failed,
                "mails": queue.mails,
                "workers": queue.workers,
            },
            people={"online": found.online, "views": found.views_today},
            machine={
                "disk_free": machine.disk_free,
                "disk_size": machine.disk_size,
                "memory_free": machine.memory_free,
                "memory_size": machine.memory_size,
                "memory_used_here": machine.memory_used_here,
                "running_for": machine.running_for_seconds,
            },
            uptime=found.uptime or 0,
            has_uptime=found.uptime is not None,
            stretches=[_point(stretch) for stretch in found.stretches],
            schedule=[_job(job) for job in found.schedule],
            measured_at=found.measured_at.isoformat(),
        )


def _redis(found: Health) -> dict[str, Any]:
    level = database_level(found.redis_us).value if found.uses_redis else NOT_USED
    return {"level": level, "ms": (found.redis_us or 0) / US_A_MS}


def _point(stretch: Stretch) -> dict[str, Any]:
    return {
        "at": stretch.at.isoformat(),
        "database": stretch.database_us / US_A_MS,
        "jobs": stretch.jobs,
        "mails": stretch.mails,
        "workers": stretch.workers,
    }


def _job(job: Scheduled) -> dict[str, Any]:
    last = job.last
    took = (last.ended_at - last.started_at).total_seconds() if last and last.ended_at else 0
    return {
        "name": job.name,
        "every": job.hours.rhythm.value,
        "minutes": job.hours.minutes,
        "state": job.state.value,
        "last": last.started_at.isoformat() if last else "",
        "ms": took * MS_A_SECOND,
        "error": job.error,
        "did": [{"what": what, "count": count} for what, count in job.did.items() if count],
        "failing_since": job.failing_since.isoformat() if job.failing_since else "",
        "next": job.next_at.isoformat(),
    }


LEVELS = (*(level.value for level in Level), NOT_USED)
