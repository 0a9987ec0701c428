"""Where the reviewed pictures lie, and how one gets there; the README shows the tops of two."""

from pathlib import Path
from typing import Any

from PIL import Image

from rewards_app.build import PROJECT
from tests.browser.chromium import DESK, PHONE
from tests.browser.looks import comparing

REVIEWED = Path(__file__).with_name("reviewed")
REPORTED = PROJECT / ".build" / "looks"
SAVED_AS: dict[str, Any] = {"format": "AVIF", "quality": 50, "speed": 6, "subsampling": "4:4:4"}
"""Some twenty-five kilobytes a page: all of them must not weigh more than the app itself."""
IN_README = {
    "visitor-landing-desk-dark": PROJECT / "docs" / "pictures" / "landing.png",
    "player-home-phone-dark": PROJECT / "docs" / "pictures" / "home-phone.png",
}


def accept(name: str, picture: Image.Image) -> None:
    REVIEWED.mkdir(exist_ok=True)
    picture.save(_file(name), **SAVED_AS)
    if name in IN_README:
        top_of(name, picture).save(IN_README[name], optimize=True)


def top_of(name: str, picture: Image.Image) -> Image.Image:
    """As much as its screen shows at once."""
    screen = PHONE if "-phone-" in name else DESK
    return picture.crop((0, 0, screen["width"], screen["height"]))


def opened(name: str) -> Image.Image:
    return Image.open(_file(name)).convert("RGB")


def what_differs(name: str, picture: Image.Image) -> list[str]:
    """From the reviewed picture; both then lie in the reports, beside what differs."""
    if not _file(name).exists():
        found = ["has no reviewed picture"]
        report = picture
    else:
        before = opened(name)
        if not (found := comparing.differences(before, picture)):
            return []
        report = comparing.shown(before, picture)
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
