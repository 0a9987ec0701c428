"""The two drawings of what the app is made of: its parts, and its slices."""

import ast

from tools.drawings.imports import APP, PROJECT, SLICES, edges, layers
from tools.drawings.svg import EDGE, Drawing

ROW, GAP, ARROWS = 46, 14, 40
CELL, NAMES, HEADS = 26, 150, 130


def parts() -> str:
    """Each layer of the house with what its modules say of themselves, and what they import."""
    rows = layers("layers", APP)
    known = edges(APP)
    height = sum(len(row) * (ROW + 4) + GAP for row in rows)
    drawing = Drawing(1120, height + 96, "The parts of the app, and what each of them imports")
    drawing.say(EDGE, 40, "Nobody imports from above", size=20, weight="700")
    drawing.say(EDGE, 62, "What each part is, and which others it does import", colour="quiet")
    drawing.arrow_down(EDGE + 8, 84, 84 + height - GAP)
    y = 84
    for row in rows:
        for part in row:
            _part(drawing, y, part, sorted(other for one, other in known if one == part))
            y += ROW + 4
        y += GAP
    return drawing.written()


def _part(drawing: Drawing, y: int, part: str, imported: list[str]) -> None:
    drawing.box(EDGE + ARROWS, y, drawing.width - 2 * EDGE - ARROWS, ROW)
    x = EDGE + ARROWS + 14
    drawing.say(x, y + 28, part, weight="700", colour="cyan", size=15)
    drawing.say(x + 130, y + 20, what_it_is(part), size=13)
    drawing.say(
        x + 130, y + 38, " · ".join(imported) or "imports no other part", colour="quiet", size=12
    )


def what_it_is(part: str) -> str:
    """The first sentence of its docstring."""
    package = PROJECT / APP / part / "__init__.py"
    file = package if package.exists() else PROJECT / APP / f"{part}.py"
    said = ast.get_docstring(ast.parse(file.read_text("utf-8"))) or ""
    return said.split("\n\n")[0].replace("\n", " ")


def slices() -> str:
    """Who imports whom: every dot right of the diagonal, so that nothing turns in a circle."""
    rows = layers("slices", SLICES)
    names = [name for row in rows for name in row]
    place = {name: number for number, name in enumerate(names)}
    size = len(names) * CELL
    drawing = Drawing(
        NAMES + size + 3 * EDGE, HEADS + size + 110, "The slices, and which of them import which"
    )
    drawing.say(EDGE, 40, "A slice imports only from layers below its own", size=20, weight="700")
    drawing.say(
        EDGE,
        62,
        "A dot: the slice of the row imports something of the slice of the column",
        colour="quiet",
    )
    left, top = EDGE + NAMES, 84 + HEADS
    _layers(drawing, rows, left, top, size)
    for name, number in place.items():
        middle = number * CELL + CELL // 2
        drawing.say(left - 12, top + middle + 5, name, anchor="end", size=13)
        drawing.say(left + middle + 5, top - 10, name, turned="-60", size=13)
        drawing.dot(left + middle, top + middle, colour="line", radius=3)
    for one, other in sorted(edges(SLICES)):
        drawing.dot(left + place[other] * CELL + CELL // 2, top + place[one] * CELL + CELL // 2)
    return drawing.written()


def _layers(drawing: Drawing, rows: list[list[str]], left: int, top: int, size: int) -> None:
    """A band for every second layer, and a step where each of them begins."""
    begin = 0
    for number, row in enumerate(rows):
        at, high = begin * CELL, len(row) * CELL
        if number % 2 == 0:
            drawing.band(EDGE, top + at, size + NAMES, high)
        drawing.line(left + at, top + at, left + at, top + at + high)
        drawing.line(left + at, top + at, left + size, top + at)
        begin += len(row)
