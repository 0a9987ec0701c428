"""The program that scores pages is locked as all else is."""

import json
from pathlib import Path

PROJECT = Path(__file__).parents[2]


def test_the_program_that_scores_pages_is_pinned_and_locked():
    folder = PROJECT / "bench" / "lighthouse_cli"
    wanted = json.loads((folder / "package.json").read_text())["dependencies"]
    locked = json.loads((folder / "package-lock.json").read_text())["packages"]
    assert {name: locked[f"node_modules/{name}"]["version"] for name in wanted} == wanted
    assert all("integrity" in package for path, package in locked.items() if path)
    assert not [path for path, package in locked.items() if "resolved" in package]
