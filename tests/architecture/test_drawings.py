"""The drawings of docs/architecture.md show the app as it is."""

import pytest

from tools.drawings import structure
from tools.drawings.__main__ import DRAWINGS, FOLDER
from tools.drawings.imports import APP, PROJECT, layers

STALE = "the app has changed: .venv/bin/python -m tools.drawings"


@pytest.mark.parametrize("name", DRAWINGS)
def test_a_drawing_is_not_stale(name: str):
    assert (FOLDER / name).read_text("utf-8") == DRAWINGS[name](), STALE


def test_every_part_of_the_app_is_in_its_layers():
    parts = {file.stem for file in (PROJECT / APP).iterdir() if _is_python(file.name)}
    assert parts == {part for row in layers("layers", APP) for part in row}


def _is_python(name: str) -> bool:
    is_package = (PROJECT / APP / name / "__init__.py").exists()
    return is_package or (name.endswith(".py") and name != "__init__.py")


def test_a_part_says_itself_what_it_is():
    rows = layers("layers", APP)
    assert [part for row in rows for part in row if not structure.what_it_is(part)] == []


def test_what_is_drawn_is_shown_by_the_handbook():
    text = (PROJECT / "docs" / "architecture.md").read_text("utf-8")
    assert [name for name in DRAWINGS if f"(pictures/{name})" not in text] == []
