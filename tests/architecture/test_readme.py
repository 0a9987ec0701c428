"""The README's 'Add a page in ten minutes', followed literally in a copy of the project."""

from pathlib import Path

import pytest

from tests.developing import SHOWN_WITHIN, developing, until
from tests.recipes import PROJECT, blocks, copy_of_project, follow, run

HEADING = "## Add a page in ten minutes"
CHECKS = (
    "tests/features/lucky",
    "tests/core/test_reach.py",
    "tests/architecture/test_texts.py",
    "tests/architecture/test_house_rules.py::TestHandlers",
    "tests/architecture/test_rooms.py",
    "tests/architecture/test_house_rules.py::TestTools::test_import_contracts_hold",
)
WRITTEN = ("rewards_app", "assets")
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


def changed_files(folder: Path, pattern: str = "*") -> list[Path]:
    files = [file for root in WRITTEN for file in (folder / root).rglob(pattern)]
    names = [file.relative_to(folder) for file in files]
    return [name for name in names if not is_as_it_was(folder, name)]


def is_as_it_was(folder: Path, name: Path) -> bool:
    """Or is nothing that anybody writes."""
    before, now = PROJECT / name, folder / name
    if not now.is_file() or now.parent.name == "__pycache__":
        return True
    return before.exists() and before.read_bytes() == now.read_bytes()


def save(name: Path, content: str) -> None:
    name.parent.mkdir(exist_ok=True)
    name.write_text(content, "utf-8")


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
        changed = [str(name) for name in changed_files(copy, "*.py")]
        assert len(changed) >= 4, "of the page itself, and who takes it in"
        done = run(copy, "-m", "pyright", *changed)
        assert done.returncode == 0, done.stdout[-3000:]

    @pytest.mark.timeout(2 * SHOWN_WITHIN)
    def test_is_built_and_served_with_its_words_where_somebody_develops(
        self, copy: Path, tmp_path: Path
    ):
        """All is saved within a moment, an existing page with it, and one build shows it all."""
        here = copy_of_project(tmp_path / "project")
        joining = here / "rewards_app/features/landing/joining.py"
        before = joining.read_text("utf-8")
        after = before.replace('t("landing.join")', '"Saved just now"')
        assert after != before
        with developing(here) as http:
            until(lambda: "Create your account" in http.get("/landing/").text)
            assert http.get("/lucky/").status_code == 404
            for name in changed_files(copy):
                save(here / name, (copy / name).read_text("utf-8"))
            save(joining, after)
            until(lambda: "Saved just now" in http.get("/landing/").text)
            assert http.get("/lucky/").status_code == 200
        built = here / ".web" / "build" / "client" / "assets"
        assert any("lucky.title" in file.read_text("utf-8") for file in built.glob("*lucky*.js"))
        assert any("Lucky number" in file.read_text("utf-8") for file in built.glob("*.json"))
