"""How the system is, measured again and again while somebody looks."""

from typing import Any

from rewards_app.core.access import allow
from rewards_app.core.actor import Role
from rewards_app.core.errors import StorageAway
from rewards_app.core.state import AppState
from rewards_app.features.admin.state import AdminState
from rewards_app.features.health.figures import health
from rewards_app.features.health.repository import Stretch
from rewards_app.features.health.rules import Level, database_level
from rewards_app.features.health.service import Health

TAB = "health"
NOT_USED = "not_used"
US_A_MS = 1000


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
    stretches: list[dict[str, Any]] = []
    """The last 24 hours, ten minutes at a time."""
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
            self.refusal = {}

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
            uptime=found.uptime,
            stretches=[_point(stretch) for stretch in found.stretches],
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


LEVELS = (*(level.value for level in Level), NOT_USED)
