"""The README's 'Add a page in ten minutes', followed literally in a copy of the project."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

PROJECT = Path(__file__).parents[2]
HEADING = "## Add a page in ten minutes"
BLOCK = re.compile(r"```(\w+)\n(.*?)```", re.DOTALL)
CHECKS = (
    "tests/features/lucky",
    "tests/architecture/test_texts.py",
    "tests/architecture/test_house_rules.py::TestHandlers",
    "tests/architecture/test_house_rules.py::TestTools::test_import_contracts_hold",
    "tests/architecture/test_house_rules.py::TestTools::test_the_types_are_right",
)
WHO_SEES_IT = """
from rewards_app.rewards_app import PAGES
from rewards_app.features.shell.navigation import player_places
assert any(page.path == "/lucky" for page in PAGES)
assert any(place.href == "/lucky" for place in player_places(PAGES))
"""


def walk_through() -> list[tuple[str, str]]:
    text = (PROJECT / "README.md").read_text("utf-8")
    _, _, section = text.partition(HEADING)
    return BLOCK.findall(section)


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("walk") / "project"
    left_out = shutil.ignore_patterns(".git", ".venv", ".web", ".build", "data", "__pycache__")
    shutil.copytree(PROJECT, folder, ignore=left_out)
    (folder / ".venv").symlink_to(PROJECT / ".venv")
    follow(folder)
    return folder


def follow(folder: Path) -> None:
    for language, block in walk_through():
        first_line = block.partition("\n")[0]
        if language == "sh":
            subprocess.run(["bash", "-euc", block], cwd=folder, check=True, capture_output=True)
        elif first_line.startswith("# ") and first_line.endswith(".py"):
            file = folder / first_line.removeprefix("# ")
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(block.partition("\n")[2], "utf-8")


def run(folder: Path, *command: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": str(folder)}
    for inherited in ("DATABASE_URL", "REFLEX_WEB_WORKDIR"):
        environment.pop(inherited, None)
    return subprocess.run(
        [sys.executable, *command], cwd=folder, env=environment, text=True, capture_output=True
    )


class TestAddAPage:
    def test_has_every_step(self):
        assert [language for language, _ in walk_through()].count("python") == 5

    def test_the_page_is_there_and_in_the_navigation(self, copy: Path):
        done = run(copy, "-c", WHO_SEES_IT)
        assert done.returncode == 0, done.stderr[-2000:]

    def test_obeys_the_house_rules(self, copy: Path):
        done = run(copy, "-m", "pytest", "-n", "0", *CHECKS)
        assert done.returncode == 0, done.stdout[-3000:]

    def test_is_built_and_served_with_its_words(self, copy: Path):
        done = run(copy, "-c", "from rewards_app import build; build.build()")
        assert done.returncode == 0, done.stderr[-3000:]
        built = (copy / ".web" / "build" / "client" / "assets").glob("*lucky*.js")
        assert any("lucky.title" in file.read_text("utf-8") for file in built)
