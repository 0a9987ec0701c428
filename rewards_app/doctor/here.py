"""What this machine has: the disk, the built pages."""

import shutil
from datetime import datetime
from pathlib import Path

from rewards_app import build
from rewards_app.backups import keeping
from rewards_app.core.settings import Settings
from rewards_app.doctor import rules
from rewards_app.doctor.findings import Finding, fine, worth_knowing, wrong


def disk(chosen: Settings) -> Finding:
    """Where the data folder is, or is going to be."""
    folder = chosen.data_dir.resolve()
    there = next(one for one in (folder, *folder.parents) if one.exists())
    usage = shutil.disk_usage(there)
    return rules.disk(usage.free, usage.total, str(chosen.data_dir))


def backups(chosen: Settings, *, now: datetime) -> list[Finding]:
    if chosen.backup_dir is None:
        said = "BACKUP_DIR is not set: how old the last backup is, is not known here."
        return [worth_knowing(said)]
    kept = chosen.backup_dir
    return rules.backup(keeping.last_made(kept), keeping.last_proven(kept), now=now)


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
