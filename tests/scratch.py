"""Where a process of the tests keeps its databases, and that nothing of them stays behind."""

import os
import shutil
import tempfile
from pathlib import Path

import psutil

MEMORY = Path("/dev/shm")
ROOM = 4 * 2**30
PREFIX = "rewards-tests"


def a_folder(*, for_programs: bool = False) -> Path:
    """In memory where there is room: some disks take a third of a second for each new database.

    And where programs may be run from, if some are.
    """
    is_fit = _has_room(MEMORY) and not (for_programs and _runs_nothing(MEMORY))
    parent = MEMORY if is_fit else Path(tempfile.gettempdir())
    _remove_abandoned(parent)
    return Path(tempfile.mkdtemp(prefix=f"{PREFIX}-{os.getpid()}-", dir=parent))


def remove(folder: Path) -> None:
    shutil.rmtree(folder, ignore_errors=True)


def _has_room(folder: Path) -> bool:
    return folder.is_dir() and shutil.disk_usage(folder).free > ROOM


def _runs_nothing(folder: Path) -> bool:
    """As containers have it."""
    return bool(os.statvfs(folder).f_flag & os.ST_NOEXEC)


def _remove_abandoned(parent: Path) -> None:
    """What is left of processes that were killed."""
    for folder in parent.glob(f"{PREFIX}-*-*"):
        owner = folder.name.split("-")[2]
        if owner.isdecimal() and not psutil.pid_exists(int(owner)):
            remove(folder)
