"""The documents that the builder prerendered: finished, and found by the path of a page.

Each is written for visitors. Where it shows visitors something at once, a twin is for browsers that
bring a session: it shows that a page is on its way instead, until the session is known.
"""

import gzip
from pathlib import Path

from rewards_app.core.routes import VISITORS_FIRST
from rewards_app.i18n.languages import DEFAULT, OF_ONE_LANGUAGE
from rewards_app.painted_first import painted_first

HTML = ".html"
FOR_MEMBERS = ".members"
FRONT = "/index"
NOT_FOUND_DOCUMENT = f"404{HTML}"
"""For every path that has no document of its own."""
OFFLINE_DOCUMENT = f"offline{HTML}"
"""For a lost connection: no page, it has no path."""
BEGINNING = f'<html lang="{DEFAULT}"'


def finish(folder: Path) -> None:
    """Done once after each build."""
    for path in OF_ONE_LANGUAGE:
        language = path.strip("/")
        for file in (folder / f"{language}{HTML}", folder / language / f"index{HTML}"):
            write(file, file.read_text().replace(BEGINNING, f'<html lang="{language}"', 1))
    for file in _pages(folder):
        before = file.read_text()
        text = painted_first(before)
        if FOR_MEMBERS in file.suffixes or text == before:
            continue
        write(file, text)
        if VISITORS_FIRST in text:
            twin = text.replace(BEGINNING, f'{BEGINNING} class="expected"', 1)
            write(file.with_suffix(f"{FOR_MEMBERS}{HTML}"), twin)


def _pages(folder: Path) -> list[Path]:
    """Those of a page: the builder's own fallbacks are none."""
    return [
        file
        for file in folder.rglob(f"*{HTML}")
        if file.name not in (NOT_FOUND_DOCUMENT, OFFLINE_DOCUMENT)
        and not file.name.startswith("__")
    ]


def write(file: Path, text: str) -> None:
    file.write_text(text)
    packed = file.with_name(f"{file.name}.gz")
    packed.write_bytes(gzip.compress(text.encode(), mtime=0))


def found_in(folder: Path) -> dict[str, str]:
    """Where each page's document is, by the page's path; the front page's is at `FRONT`."""
    names = (str(file.relative_to(folder).with_suffix("")) for file in _pages(folder))
    return {f"/{name}": f"/{name}{HTML}" for name in names}
