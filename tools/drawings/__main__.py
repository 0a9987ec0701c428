"""Draws the pictures of docs/architecture.md anew: `.venv/bin/python -m tools.drawings`."""

from tools.drawings import journey, structure, tables
from tools.drawings.imports import PROJECT

FOLDER = PROJECT / "docs" / "pictures"
DRAWINGS = {
    "parts.svg": structure.parts,
    "slices.svg": structure.slices,
    "journey.svg": journey.journey,
    "pages.svg": tables.pages,
    "handlers.svg": tables.handlers,
}


def main() -> None:
    for name, draw in DRAWINGS.items():
        (FOLDER / name).write_text(draw(), "utf-8")
    print(f"{len(DRAWINGS)} drawings in {FOLDER.relative_to(PROJECT)}.")


if __name__ == "__main__":
    main()
