"""The folder of backups: one more in it, the old ones out of it, and which is the newest."""

from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from rewards_app.backups import dumping, rules
from rewards_app.backups.dumping import BackupFailed, Note
from rewards_app.core.clock import utc_now
from rewards_app.core.settings import settings

NAME = "watchcoins-%Y%m%dT%H%M%SZ.dump"
FORGOTTEN = "forgotten"
"""Beside the backups: whose data must be forgotten again once one of them is restored."""
DELIVERED = "delivered"
"""There as well: what tells the codes that a restored backup must not sell again."""
PROVEN = "proven"
"""There as well: when the last one was proven that went since, sooner than a proof is due again."""


@dataclass(frozen=True, slots=True)
class Kept:
    file: Path
    note: Note


def folder() -> Path:
    """As it is named, whether it is there or not."""
    kept = settings().backup_dir
    if kept is None:
        raise BackupFailed("BACKUP_DIR is not set: name the folder that keeps the backups.")
    return kept


def refuse_missing_folder() -> None:
    """It is never made here: where a disk is away, what was made would be beside the data."""
    if not folder().is_dir():
        raise BackupFailed(how_to_have(folder()))


def how_to_have(place: Path) -> str:
    return (
        f"The folder of BACKUP_DIR, {place}, is not there. Mount its disk, or make it:"
        f" install -d -o watchcoins -g watchcoins -m 700 {place}"
    )


def make() -> Kept:
    """Write one more backup into the folder."""
    refuse_missing_folder()
    file = folder() / utc_now().astimezone(UTC).strftime(NAME)
    return Kept(file, dumping.dump(file))


def keep_forgotten(ids: Iterable[object]) -> Path:
    """Not within the backups: an older one does not know who was forgotten after it."""
    return _add(
        FORGOTTEN,
        ids,
        who="Who is forgotten was",
        then="'rewards forgotten --keep': a restored backup would bring them back",
    )


def keep_delivered(marks: Iterable[object]) -> Path:
    """Likewise: an older one takes them for free, and who buys one has paid for nothing."""
    return _add(
        DELIVERED,
        marks,
        who="Which codes were delivered was",
        then="'rewards codes delivered --keep': a restored backup would sell them again",
    )


def _add(name: str, what: Iterable[object], *, who: str, then: str) -> Path:
    """Nothing is taken out of a list: a database that was just restored is older than it."""
    file = folder() / name
    try:
        before = file.read_text("utf-8").splitlines() if file.exists() else []
        all_of_them = rules.joined([*before, *map(str, what)])
        dumping.write_safely(file, "".join(f"{one}\n" for one in all_of_them))
    except OSError as failure:
        raise BackupFailed(
            f"{who} not added to {file}: {failure.strerror}. Put that right, then run {then}."
        ) from failure
    return file


def keep_forgotten_if_kept(ids: Iterable[object]) -> None:
    """Beside the backups of this deployment, where it has any."""
    if settings().backup_dir:
        keep_forgotten(ids)


def keep_delivered_if_kept(marks: Iterable[object]) -> None:
    if settings().backup_dir:
        keep_delivered(marks)


def forget_old(*, now: datetime) -> list[Path]:
    """Take out what is no longer kept, and what was never finished; the backups that went."""
    for file in _never_finished(now=now):
        file.unlink(missing_ok=True)
    kept = {one.note.made_at: one for one in whole(folder())}
    schemas = {moment: one.note.revision for moment, one in kept.items()}
    gone = [kept[moment].file for moment in sorted(rules.to_forget(schemas, now=now))]
    proven = last_proven(folder(), now=now)
    for file in gone:
        dumping.note_of(file).unlink(missing_ok=True)
        file.unlink(missing_ok=True)
    if proven and proven != last_proven(folder(), now=now):
        # The backup was made, and is worth no less where this cannot be written.
        with suppress(OSError):
            dumping.write_safely(folder() / PROVEN, f"{proven.isoformat()}\n")
    return gone


def _never_finished(*, now: datetime) -> list[Path]:
    """What is left of one that was killed: it takes room, and has people in it who are forgotten.

    By when it came here: a file that was copied keeps the time of its last change.
    """
    place, before = folder(), (now - rules.MAKING_TAKES).timestamp()
    return [
        file
        for file in (*place.glob("watchcoins-*.part"), *place.glob("watchcoins-*.dump"))
        if not dumping.note_of(file).exists() and file.stat().st_ctime < before
    ]


def whole(place: Path) -> Iterator[Kept]:
    """Each backup that was finished, by its note; the others are nobody's to count on."""
    for file in sorted(place.glob("watchcoins-*.dump")):
        note = dumping.read_note(file)
        if note and _size(file) == note.size:
            yield Kept(file, note)


def _size(file: Path) -> int | None:
    """None: it went meanwhile, as the oldest does when a new one is made."""
    try:
        return file.stat().st_size
    except FileNotFoundError:
        return None


def last_made(place: Path, *, now: datetime) -> datetime | None:
    """Not the moment of one that is still to come: it would be young for years."""
    made = (one.note.made_at for one in whole(place))
    return max((one for one in made if not rules.is_ahead(one, now=now)), default=None)


def last_proven(place: Path, *, now: datetime) -> datetime | None:
    """Also of one that is no longer kept."""
    proven = (*(one.note.proven_at for one in whole(place)), _proven_before(place))
    known = (one for one in proven if one and not rules.is_ahead(one, now=now))
    return max(known, default=None)


def _proven_before(place: Path) -> datetime | None:
    try:
        return datetime.fromisoformat((place / PROVEN).read_text("utf-8").strip())
    except (OSError, ValueError):
        return None


def ahead(place: Path, *, now: datetime) -> list[str]:
    """The names of those that are dated in the future."""
    return [one.file.name for one in whole(place) if rules.is_ahead(one.note.made_at, now=now)]
