"""What runs the app is in the lock that `make run` installs: no help from the tests' packages."""

import json
import re
import subprocess
import sys
from importlib.metadata import packages_distributions
from pathlib import Path

PROJECT = Path(__file__).parents[2]
PINNED = re.compile(r"^([A-Za-z0-9._-]+)(?:\[.*?\])?==", re.MULTILINE)

IMPORT_WITHOUT = """
import sys
blocked = set({blocked!r})

class Blocker:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in blocked:
            raise ModuleNotFoundError(f"No module named {{name!r}}", name=name)

sys.meta_path.insert(0, Blocker())
import rewards_app.cli, rewards_app.rewards_app
"""


def pinned_in(lock: str) -> set[str]:
    names = PINNED.findall((PROJECT / lock).read_text())
    return {re.sub(r"[-_.]+", "-", name).lower() for name in names}


def test_the_app_needs_none_of_the_packages_of_the_tests():
    only_for_tests = pinned_in("requirements-dev.txt") - pinned_in("requirements.txt")
    assert "pytest" in only_for_tests
    modules = [
        module
        for module, owners in packages_distributions().items()
        if {re.sub(r"[-_.]+", "-", owner).lower() for owner in owners} <= only_for_tests
    ]
    script = IMPORT_WITHOUT.format(blocked=modules)
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=PROJECT, text=True, capture_output=True
    )
    assert done.returncode == 0, done.stderr[-1500:]


def test_the_program_that_scores_pages_is_pinned_and_locked():
    folder = PROJECT / "bench" / "lighthouse_cli"
    wanted = json.loads((folder / "package.json").read_text())["dependencies"]
    locked = json.loads((folder / "package-lock.json").read_text())["packages"]
    assert {name: locked[f"node_modules/{name}"]["version"] for name in wanted} == wanted
    assert all("integrity" in package for path, package in locked.items() if path)
    assert not [path for path, package in locked.items() if "resolved" in package]
