"""When somebody gets a copy of what is held on them, and for how long. Pure."""

from datetime import datetime, timedelta
from enum import StrEnum

from rewards_app.core.errors import DomainError

A_DAY = 3
LINK_LIFETIME = timedelta(days=7)
SILENT_AFTER = timedelta(minutes=5)
"""Whoever makes an archive and was not heard of for so long has died with its machine."""
WAITS_AT_MOST = timedelta(hours=6)
KEPT_FOR = timedelta(days=365)
"""That somebody asked; the archive itself is gone when it was fetched, or its link has ended."""
HEXADECIMAL = "0123456789abcdef"
TOKEN_LENGTH = 64


class Status(StrEnum):
    WAITING = "waiting"
    RUNNING = "running"
    READY = "ready"
    TAKEN = "taken"
    FAILED = "failed"
    EXPIRED = "expired"

    @property
    def is_open(self) -> bool:
        return self in {Status.WAITING, Status.RUNNING}

    @property
    def is_gone(self) -> bool:
        """There was a file, and what became of it is known."""
        return self in {Status.TAKEN, Status.EXPIRED}


class ExportIsMade(DomainError):
    """One copy at a time: the next would be the same."""

    code = "privacy.export_is_made"


class TooManyExports(DomainError):
    """Copies are so many a day: each reads everything."""

    code = "privacy.too_many_exports"

    def __init__(self) -> None:
        super().__init__(most=A_DAY)


class UnknownExport(DomainError):
    """No such file for this person: guessed, somebody else's, fetched or too old, all the same."""

    code = "privacy.unknown_export"


class ExportIsBeingTaken(DomainError):
    """It is on its way to another window: only one of them gets it."""

    code = "privacy.export_is_being_taken"


class ExportDidNotCome(DomainError):
    """It lies ready as before: what broke was its way."""

    code = "privacy.export_did_not_come"


def refuse_too_many(asked_lately: int) -> None:
    if asked_lately >= A_DAY:
        raise TooManyExports


def looks_like_token(text: str) -> bool:
    return len(text) == TOKEN_LENGTH and set(text) <= set(HEXADECIMAL)


def percent(done: int, expected: int) -> int:
    """Never all of it before the end."""
    return min(99, 100 * done // expected) if expected else 0


def name_of(made_at: datetime) -> str:
    return f"watchcoins-data-{made_at:%Y-%m-%d}.zip"
