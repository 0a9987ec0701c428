"""What a case is made of, and how its risk is called. Pure."""

from datetime import timedelta
from enum import StrEnum

from rewards_app.core.errors import DomainError


class Source(StrEnum):
    """What an admin can look at alone."""

    SIGNALS = "signals"
    VIEWS = "views"
    SESSIONS = "sessions"
    PURCHASES = "purchases"
    DECISIONS = "decisions"


class Level(StrEnum):
    CRITICAL = "critical"
    HIGH = "high"
    MEDIUM = "medium"
    LOW = "low"


LEVELS = ((80, Level.CRITICAL), (60, Level.HIGH), (40, Level.MEDIUM))


def level_of(risk: int) -> Level:
    """How a risk of 0 to 100 is called."""
    return next((level for least, level in LEVELS if risk >= least), Level.LOW)


SPANS: dict[str, timedelta] = {
    "hour": timedelta(hours=1),
    "day": timedelta(hours=24),
    "week": timedelta(days=7),
    "month": timedelta(days=30),
}
"""How far back views are credited at once."""


class UnknownView(DomainError):
    """Not one of this account's."""

    code = "fraud.unknown_view"
