"""Which backups are kept, and when the last one is too old. Pure: times in, a choice out."""

from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta

DAYS_KEPT = 7
WEEKS_KEPT = 4
KEPT_FOR = timedelta(days=29)
"""Before the last day but one: what people had forgotten is gone from the last backup, too, within
30 days."""
TOO_OLD = timedelta(hours=26)
"""One a day, and two hours for a slow disk."""
MAKING_TAKES = timedelta(days=1)
"""What is not finished by then never will be."""
PROOF_IS_DUE = timedelta(days=35)
CLOCKS_DIFFER_BY = timedelta(hours=1)


def to_forget(made: Mapping[datetime, str | None], *, now: datetime) -> set[datetime]:
    """All but the last of each of the newest days, and the last of each of the newest weeks.

    Of those days the last of each schema stays, too: who goes back to the version before an update
    needs the one that was made right before it. After a pause the newest days are long ago: what is
    a month older than the last day but one goes all the same. Not than the last one, which may be
    of a clock that was far ahead for a night; those that are still to come make no other one old.
    """
    ordered = sorted(moment for moment in made if not is_ahead(moment, now=now))
    days = {moment.date(): moment for moment in ordered}
    newest_days = set(list(days)[-DAYS_KEPT:])
    schemas = {made[moment]: moment for moment in ordered if moment.date() in newest_days}
    weeks = {moment.isocalendar()[:2]: moment for moment in ordered}
    kept = {days[day] for day in newest_days} | set(list(weeks.values())[-WEEKS_KEPT:])
    kept |= set(schemas.values())
    return {
        moment
        for moment in ordered
        if moment not in kept or list(days.values())[-2:][0] - moment >= KEPT_FOR
    }


def is_ahead(made: datetime, *, now: datetime) -> bool:
    """By a clock that was wrong."""
    return made - now > CLOCKS_DIFFER_BY


def is_too_old(made: datetime, *, now: datetime) -> bool:
    return now - made > TOO_OLD


def joined(lines: Iterable[str]) -> list[str]:
    """What stands on one line is of one thing, and so is what shares a word with it."""
    of: dict[str, set[str]] = {}
    for line in lines:
        whole = set(line.split())
        for word in list(whole):
            whole |= of.get(word, set())
        of |= dict.fromkeys(whole, whole)
    return sorted({" ".join(sorted(whole)) for whole in of.values()})
