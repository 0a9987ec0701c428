"""The only reader of the time."""

from datetime import UTC, datetime


def utc_now() -> datetime:
    return datetime.now(UTC)
