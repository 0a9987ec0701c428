"""Which backups are kept, and when the last one is too old. Pure: times in, a choice out."""

from collections.abc import Iterable
from datetime import datetime, timedelta

DAYS_KEPT = 7
WEEKS_KEPT = 4
"""What people had forgotten is gone from the last backup, too, within 30 days."""
TOO_OLD = timedelta(hours=26)
"""One a day, and two hours for a slow disk."""
PROOF_IS_DUE = timedelta(days=35)


def to_forget(made: Iterable[datetime]) -> set[datetime]:
    """All but the last of each of the newest days, and the last of each of the newest weeks."""
    ordered = sorted(made)
    days = {moment.date(): moment for moment in ordered}
    weeks = {moment.isocalendar()[:2]: moment for moment in ordered}
    kept = {*list(days.values())[-DAYS_KEPT:], *list(weeks.values())[-WEEKS_KEPT:]}
    return set(ordered) - kept


def is_too_old(made: datetime, *, now: datetime) -> bool:
    return now - made > TOO_OLD
