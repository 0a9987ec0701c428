"""What measurements mean. Pure."""

from datetime import datetime, timedelta
from enum import StrEnum

SLOW_US = 1_000_000
"""A database that takes longer than a second is a warning."""
KEPT_FOR = timedelta(days=30)
CHARTED = timedelta(hours=24)
A_MINUTE = timedelta(minutes=1)


class Level(StrEnum):
    HEALTHY = "healthy"
    WARNING = "warning"
    ERROR = "error"


def database_level(latency_us: int | None) -> Level:
    """`None`: it did not answer."""
    if latency_us is None:
        return Level.ERROR
    return Level.WARNING if latency_us > SLOW_US else Level.HEALTHY


def uptime(samples: int, first: datetime | None, *, now: datetime) -> float | None:
    """The share of minutes with a sample, of the last 30 days or since the first one.

    None while nothing was measured yet: that is no outage.
    """
    if first is None:
        return None
    minutes = min((now - first) // A_MINUTE + 1, KEPT_FOR // A_MINUTE)
    return min(1.0, samples / minutes)
