"""The README's 'Add a page in ten minutes', followed literally in a copy of the project."""

from pathlib import Path

import pytest

from tests.recipes import PROJECT, blocks, copy_of_project, follow, run

HEADING = "## Add a page in ten minutes"
CHECKS = (
    "tests/features/lucky",
    "tests/architecture/test_texts.py",
    "tests/architecture/test_house_rules.py::TestHandlers",
    "tests/architecture/test_house_rules.py::TestTools::test_import_contracts_hold",
)
WHO_SEES_IT = """
from rewards_app.rewards_app import PAGES
from rewards_app.features.shell.navigation import player_places
from tests.browser.places import FOR_PLAYERS
assert any(page.path == "/lucky" for page in PAGES)
assert any(place.href == "/lucky" for place in player_places(PAGES))
assert "/lucky" in FOR_PLAYERS
"""


def walk_through() -> list[tuple[str, str]]:
    return blocks("README.md", HEADING)


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = copy_of_project(tmp_path_factory.mktemp("walk") / "project")
    follow(folder, walk_through())
    return folder


def changed_modules(folder: Path) -> list[str]:
    names = [file.relative_to(folder) for file in (folder / "rewards_app").rglob("*.py")]
    return [str(name) for name in names if not is_as_it_was(folder, name)]


def is_as_it_was(folder: Path, name: Path) -> bool:
    before = PROJECT / name
    return before.exists() and before.read_bytes() == (folder / name).read_bytes()


class TestAddAPage:
    def test_has_every_step(self):
        assert [language for language, _ in walk_through()].count("python") == 5

    def test_the_page_is_there_and_in_the_navigation(self, copy: Path):
        done = run(copy, "-c", WHO_SEES_IT)
        assert done.returncode == 0, done.stderr[-2000:]

    def test_obeys_the_house_rules(self, copy: Path):
        done = run(copy, "-m", "pytest", "-n", "0", *CHECKS)
        assert done.returncode == 0, done.stdout[-3000:]

    def test_has_its_types_right(self, copy: Path):
        """All other modules are as they were, and their types are proven where they stand."""
        changed = changed_modules(copy)
        assert len(changed) >= 4, "of the page itself, and who takes it in"
        done = run(copy, "-m", "pyright", *changed)
        assert done.returncode == 0, done.stdout[-3000:]

    def test_is_built_and_served_with_its_words(self, copy: Path):
        done = run(copy, "-c", "from rewards_app import build; build.build()")
        assert done.returncode == 0, done.stderr[-3000:]
        built = (copy / ".web" / "build" / "client" / "assets").glob("*lucky*.js")
        assert any("lucky.title" in file.read_text("utf-8") for file in built)
