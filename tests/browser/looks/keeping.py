"""Where the reviewed pictures lie, and how one gets there."""

from pathlib import Path
from typing import Any

from PIL import Image

from rewards_app.build import PROJECT
from tests.browser.looks import comparing

REVIEWED = Path(__file__).with_name("reviewed")
REPORTED = PROJECT / ".build" / "looks"
SAVED_AS: dict[str, Any] = {"format": "AVIF", "quality": 50, "speed": 6, "subsampling": "4:4:4"}
"""Some twenty-five kilobytes a page: all of them must not weigh more than the app itself."""


def accept(name: str, picture: Image.Image) -> None:
    REVIEWED.mkdir(exist_ok=True)
    picture.save(_file(name), **SAVED_AS)


def what_differs(name: str, picture: Image.Image) -> list[str]:
    """From the reviewed picture; both then lie in the reports, beside what differs."""
    if not _file(name).exists():
        found = ["has no reviewed picture"]
        report = picture
    else:
        reviewed = Image.open(_file(name)).convert("RGB")
        if not (found := comparing.differences(reviewed, picture)):
            return []
        report = comparing.shown(reviewed, picture)
    REPORTED.mkdir(parents=True, exist_ok=True)
    file = REPORTED / f"{name}.png"
    report.save(file)
    return [f"{name} {what}: {file.relative_to(PROJECT)}" for what in found]


def reviewed() -> set[str]:
    return {file.stem for file in REVIEWED.glob("*.avif")}


def forget_others(names: set[str]) -> None:
    """Pictures of pages that are not any more."""
    for name in reviewed() - names:
        _file(name).unlink()


def _file(name: str) -> Path:
    return REVIEWED / f"{name}.avif"
