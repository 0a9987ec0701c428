"""What this machine has: the disk, the built pages."""

import shutil
from pathlib import Path

from rewards_app import build
from rewards_app.core.settings import Settings
from rewards_app.doctor import rules
from rewards_app.doctor.findings import Finding, fine, wrong


def disk(chosen: Settings) -> Finding:
    """Where the data folder is, or is going to be."""
    folder = chosen.data_dir.resolve()
    there = next(one for one in (folder, *folder.parents) if one.exists())
    usage = shutil.disk_usage(there)
    return rules.disk(usage.free, usage.total, str(chosen.data_dir))


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
