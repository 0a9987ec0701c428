"""The native shell's project: what it is built of, and its one colour."""

import json
import re
from pathlib import Path

from rewards_app.ui.palette import DARK

NATIVE = Path(__file__).parents[1] / "native"


def test_every_package_is_pinned_and_locked():
    project = json.loads((NATIVE / "package.json").read_text())
    locked = json.loads((NATIVE / "package-lock.json").read_text())["packages"]
    wanted = project["dependencies"] | project["devDependencies"]
    assert {name: locked[f"node_modules/{name}"]["version"] for name in wanted} == wanted
    assert all("integrity" in package for path, package in locked.items() if path)


def test_its_colour_is_the_one_of_the_arena():
    config = (NATIVE / "capacitor.config.ts").read_text()
    assert {*re.findall(r"#[0-9A-Fa-f]{6}\b", config)} == {DARK["bg"]}
