"""The programs that PyPI does not bring, and how they are run: as children that end with us."""

import ctypes
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

POSTGRES = Path("/usr/lib/postgresql/15/bin")
PACKAGES = {
    "postgres": "postgresql-15",
    "redis-server": "redis-server",
    "nginx": "nginx",
    "caddy": "caddy",
}
SECONDS_TO_STOP = 20
LAST_WORDS = 3000


class CannotStart(Exception):
    """The cluster cannot be here; the message says why and what to do."""


def program(name: str) -> str:
    """Where it is; what is missing is named as Debian names it."""
    places = os.pathsep.join([str(POSTGRES), os.environ.get("PATH", ""), "/usr/sbin"])
    if found := shutil.which(name, path=places):
        return found
    raise CannotStart(
        f"{name} is missing. On Debian: apt-get install --no-install-recommends {PACKAGES[name]}"
    )


def refuse_missing(names: Sequence[str]) -> None:
    for name in names:
        program(name)


def run(
    command: Sequence[str],
    log: Path,
    *,
    environment: Mapping[str, str] | None = None,
    user: str | None = None,
) -> "subprocess.Popen[bytes]":
    """In a group of its own, so that Ctrl+C reaches us alone and we stop things in their order."""
    with log.open("ab") as output:
        return subprocess.Popen(
            command,
            env=environment,
            stdout=output,
            stderr=subprocess.STDOUT,
            stdin=subprocess.DEVNULL,
            preexec_fn=_end_with_parent,
            process_group=0,
            user=user,
            group=user,
            extra_groups=[] if user else None,
        )


def not_started(
    name: str, process: "subprocess.Popen[bytes]", log: Path, *, seconds: float, said: str = ""
) -> CannotStart:
    """Whether it ended or was waited for in vain, and what it wrote down last."""
    code = process.poll()
    if code is not None:
        return CannotStart(f"{name} ended with {code}. {last_words(log)}")
    how_it_is = f": {said}" if said else ""
    return CannotStart(
        f"{name} was not ready within {seconds} seconds{how_it_is}. {last_words(log)}"
    )


def last_words(log: Path) -> str:
    said = log.read_text("utf-8", "replace").strip()
    return f"{log} ends with:\n{said[-LAST_WORDS:]}" if said else f"{log} is empty."


def stop(process: "subprocess.Popen[bytes]", how: int = signal.SIGTERM) -> None:
    """Ask it to end, and end it where it does not listen."""
    if process.poll() is None:
        process.send_signal(how)
    try:
        process.wait(SECONDS_TO_STOP)
    except subprocess.TimeoutExpired:
        kill(process)


def kill(process: "subprocess.Popen[bytes]") -> None:
    """kill -9, with all that it started."""
    if process.poll() is None:
        os.killpg(process.pid, signal.SIGKILL)
    process.wait(SECONDS_TO_STOP)


def _end_with_parent() -> None:
    if sys.platform == "linux":
        pr_set_pdeathsig = 1
        ctypes.CDLL(None).prctl(pr_set_pdeathsig, signal.SIGTERM)
