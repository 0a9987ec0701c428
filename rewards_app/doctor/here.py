"""What this machine has: the disk, the built pages."""

from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

from rewards_app import build
from rewards_app.backups import dumping, keeping
from rewards_app.backups.rules import KEPT_FOR
from rewards_app.core.postgres.embedded import database_folder
from rewards_app.core.settings import Settings
from rewards_app.doctor import rules
from rewards_app.doctor.findings import Finding, fine, worth_knowing, wrong
from rewards_app.features.health import probes


def disks(chosen: Settings) -> Iterator[Finding]:
    """Where the data folder is, or is going to be, and where the backups are."""
    places = [(chosen.data_dir, "the app does not start")]
    if chosen.backup_dir and chosen.backup_dir.is_dir():
        places.append((chosen.backup_dir, "no backup is made"))
    for folder, what in places:
        disk = probes.disk(folder)
        yield rules.disk(disk.free, disk.total, str(folder), what)


def shared_disk(chosen: Settings) -> list[Finding]:
    """A backup that dies with what it is of is none."""
    kept = chosen.backup_dir
    if not (kept and kept.is_dir() and chosen.data_dir.exists()):
        return []
    if kept.stat().st_dev != chosen.data_dir.stat().st_dev:
        return []
    return [
        worth_knowing(
            f"The backups in {kept} are on the disk of {chosen.data_dir}: is theirs not mounted?"
            " Where they have none, copy them to another machine each night."
        )
    ]


def backups(chosen: Settings, *, now: datetime) -> list[Finding]:
    if chosen.backup_dir is None:
        said = "BACKUP_DIR is not set: how old the last backup is, is not known here."
        return [worth_knowing(said)]
    kept = chosen.backup_dir
    if not kept.is_dir():
        return [wrong(keeping.how_to_have(kept))]
    made, proven = keeping.last_made(kept, now=now), keeping.last_proven(kept, now=now)
    ahead = keeping.ahead(kept, now=now)
    return [*rules.backup(made, proven, now=now), *map(rules.backup_ahead, ahead)]


def old_copies(chosen: Settings, *, now: datetime) -> list[Finding]:
    """Made by hand, or brought here: nothing takes them out but whoever remembers them.

    Of the nightly ones the next night does, and never the last; a note goes with what it is about.
    """
    places = [(chosen.data_dir / "backups", "*.dump*"), (chosen.data_dir, "postgres-before-*")]
    nightly: set[Path] = set()
    if chosen.backup_dir:
        places.append((chosen.backup_dir, "*.dump*"))
        nightly = {one.file for one in keeping.whole(chosen.backup_dir)}
    found = {one for place, names in places for one in place.glob(names)}
    found -= nightly | {dumping.note_of(one) for one in found}
    oldest = (now - KEPT_FOR).timestamp()
    return [rules.old_copy(str(one)) for one in sorted(found) if one.stat().st_mtime < oldest]


def own_database(chosen: Settings) -> list[Finding]:
    """What `rewards run` had, where another database is served now: an empty one looks as well."""
    own = database_folder(chosen.data_dir)
    if not chosen.database_url or str(own) in chosen.database_url:
        return []
    return [rules.left_behind(str(own))] if (own / "PG_VERSION").exists() else []


def frontend() -> Finding:
    changed = build.what_changed()
    if not is_there(build.pages_folder()):
        return wrong("The frontend is not built: run 'rewards build'.")
    if changed:
        return wrong(
            f"The frontend was built of something else ({', '.join(changed)}): run 'rewards build'"
            " with the settings of the app, then start it again."
        )
    return fine("The frontend is built, of this version and these settings.")


def is_there(folder: Path) -> bool:
    return (folder / "index.html").exists()
