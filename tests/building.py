"""The frontend of the tests: built once, and given to each server under the server's own address.

The address is baked into the pages, and a build keeps a core busy for most of a minute. Builds of
two servers differ in that address alone: one that nobody has is built in, and replaced in copies.
"""

import fcntl
import gzip
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from rewards_app.build import digest_of_sources

PROJECT = Path(__file__).parents[1]
BUILT = PROJECT / os.environ.get("REWARDS_TEST_WEB", ".build/test-web")
NOBODYS = "nobody.invalid"
BUILD = "from rewards_app import build; build.build_if_changed()"
PACKAGES = "node_modules"
PROVIDER = {
    "OIDC_NAME": "GameID",
    "OIDC_CLIENT_ID": "rewards",
    "OIDC_CLIENT_SECRET": "a secret of the tests",
}
"""Who offers it has it in the pages: all servers do, and one build is enough."""
_current = set[str]()
"""Sources that it was built of."""
_leading = dict[str, list[Path]]()
"""Which files of a build lead somewhere. The stamp is among them: it says of a copy what is true of
it."""


def give_pages(folder: Path, environment: dict[str, str], address: str) -> None:
    """Fill `folder` with pages that lead to `address`, as `rewards run` would have built them."""
    with _alone():
        _build_if_changed(environment)
        shutil.copytree(BUILT, folder, ignore=shutil.ignore_patterns(PACKAGES))
    build = (folder / "built-from").read_text()
    if build not in _leading:
        files = [file for file in folder.rglob("*") if file.is_file()]
        _leading[build] = [file.relative_to(folder) for file in files if _leads(file)]
    for file in _leading[build]:
        _lead(folder / file, address)


def give_packages(folder: Path) -> None:
    """Whoever was given pages, and is going to build others, finds the npm packages in place."""
    with _alone():
        shutil.copytree(BUILT / PACKAGES, folder / PACKAGES, symlinks=True)


@contextmanager
def taken_as_current(folder: Path) -> Iterator[None]:
    """For one start, as if it had built them: what was saved meanwhile is for the next one."""
    stamp = folder / "built-from"
    truth = stamp.read_text()
    stamp.write_text(json.dumps(json.loads(truth) | {"sources": digest_of_sources()}, indent=2))
    try:
        yield
    finally:
        stamp.write_text(truth)


@contextmanager
def _alone() -> Iterator[None]:
    """Whoever comes second waits for the first one's build, and finds it current."""
    BUILT.parent.mkdir(parents=True, exist_ok=True)
    with BUILT.with_name(f"{BUILT.name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def _build_if_changed(environment: dict[str, str]) -> None:
    """Whether it has is asked once of the same sources: it takes a Python of its own."""
    if (sources := digest_of_sources()) in _current:
        return
    done = subprocess.run(
        [sys.executable, "-c", BUILD],
        cwd=PROJECT,
        env=environment | {"PUBLIC_URL": f"http://{NOBODYS}", "REFLEX_WEB_WORKDIR": str(BUILT)},
        text=True,
        capture_output=True,
    )
    assert done.returncode == 0, done.stderr[-4000:]
    _current.add(sources)


def _leads(file: Path) -> bool:
    return NOBODYS.encode() in _plain(file)


def _lead(file: Path, address: str) -> None:
    led = _plain(file).replace(NOBODYS.encode(), address.encode())
    file.write_bytes(gzip.compress(led) if file.suffix == ".gz" else led)


def _plain(file: Path) -> bytes:
    content = file.read_bytes()
    return gzip.decompress(content) if file.suffix == ".gz" else content
