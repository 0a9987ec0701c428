"""What importing the app takes along and leaves behind: one process is looked at by all tests."""

import json
import os
import re
import subprocess
import sys
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest

PROJECT = Path(__file__).parents[2]
PINNED = re.compile(r"^([A-Za-z0-9._-]+)(?:\[.*?\])?==", re.MULTILINE)

IMPORT_WITHOUT = """
import json, sys
blocked = set({blocked!r})

class Blocker:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in blocked:
            raise ModuleNotFoundError(f"No module named {{name!r}}", name=name)

sys.meta_path.insert(0, Blocker())
import rewards_app.cli, rewards_app.rewards_app
from rewards_app.core.watching import traces
with traces.span("x") as found:
    print(json.dumps([found is None, *sys.modules]))
"""


def pinned_in(lock: str) -> set[str]:
    names = PINNED.findall((PROJECT / lock).read_text())
    return {re.sub(r"[-_.]+", "-", name).lower() for name in names}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("importing")


@pytest.fixture(scope="module")
def imported(folder: Path) -> subprocess.CompletedProcess[str]:
    """In an app without settings, which has none of the packages of the tests."""
    only_for_tests = pinned_in("requirements-dev.txt") - pinned_in("requirements.txt")
    assert "pytest" in only_for_tests
    modules = [
        module
        for module, owners in packages_distributions().items()
        if {re.sub(r"[-_.]+", "-", owner).lower() for owner in owners} <= only_for_tests
    ]
    return subprocess.run(
        [sys.executable, "-c", IMPORT_WITHOUT.format(blocked=modules)],
        cwd=PROJECT,
        env={**os.environ, "DATA_DIR": str(folder / "data"), "SECRET_KEY": ""},
        text=True,
        capture_output=True,
        timeout=120,
    )


def test_needs_none_of_the_packages_of_the_tests(imported: subprocess.CompletedProcess[str]):
    """What runs the app is in the lock that `make run` installs."""
    assert imported.returncode == 0, imported.stderr[-1500:]


def test_takes_nothing_of_traces_along_where_they_are_off(
    imported: subprocess.CompletedProcess[str],
):
    is_no_span, *modules = json.loads(imported.stdout)
    assert is_no_span
    assert "rewards_app.rewards_app" in modules
    # Redis's own package takes the rest of it in wherever it is installed.
    assert not [name for name in modules if name.startswith("opentelemetry.exporter")]


def test_makes_no_secret(imported: subprocess.CompletedProcess[str], folder: Path):
    assert imported.returncode == 0, imported.stderr[-1500:]
    assert not (folder / "data/secret").exists()
