"""The two banner ads, with words that are still read when a phone shows them 358 pixels wide."""

import math

from PIL import Image

from .canvas import Canvas, Point, colour, mirrored, mix, placed, smooth
from .lettering import TEXT, WHITE, write
from .motion import scatter

SIZE = (1280, 320)
FROST = colour("#7DD3FC")
LIME = colour("#B6F23C")


def winter_cup() -> Image.Image:
    """A tournament's call: a crystal trophy in drifting snow."""
    canvas = Canvas(*SIZE, SIZE)
    canvas.backdrop(colour("#0A1233"), colour("#1C2B6E"), colour("#0D1740"))
    for beam in range(7):
        x = 700 + beam * 96
        tint = mix(FROST, colour("#8B5CF6"), beam / 7)
        canvas.polygon([(x, -10), (x + 34, -10), (x - 120, 330), (x - 250, 330)], tint, 0.1)
    canvas.light((1070, 160), 330, FROST, 0.6)
    _trophy(canvas, (1070, 158), 1)
    for x, y, size, shine in scatter(101, 90):
        canvas.disc((x * 1280, y * 320), 1 + 3 * size, WHITE, 0.2 + 0.5 * shine)
    write(canvas, "WINTER CUP", (60, 150), 138, weight=900)
    write(canvas, "48 teams. Sign up now.", (64, 222), 62, family=TEXT, weight=700)
    write(canvas, "NORDLAG LEAGUE", (64, 284), 46, FROST, tracking=0.04)
    canvas.bloom(0.4, threshold=150)
    return canvas.finished()


def _trophy(canvas: Canvas, at: Point, size: float) -> None:
    """A cut crystal on a plinth: each facet its own shade of ice."""
    tip, low = (0, -132), (0, 74)
    ring = [(-74, -66), (-92, 0), (-30, -44), (30, -44), (92, 0), (74, -66)]
    facets = (
        ([tip, ring[0], ring[2]], 0.9),
        ([tip, ring[2], ring[3]], 0.35),
        ([tip, ring[3], ring[5]], 0.62),
        ([ring[0], ring[1], ring[2]], 0.55),
        ([ring[5], ring[4], ring[3]], 0.3),
        ([ring[1], ring[2], low], 0.72),
        ([ring[2], ring[3], low], 0.15),
        ([ring[3], ring[4], low], 0.46),
    )
    for points, pale in facets:
        tone = mix(colour("#2563B8"), (240, 250, 255), pale)
        canvas.polygon(placed(points, at, size), tone)
    plinth = [(-64, 84), (64, 84), (84, 136), (-84, 136)]
    canvas.polygon(placed(plinth, at, size), colour("#0B1030"))
    canvas.line(placed(plinth[:2], at, size), FROST, 6)


def packet_hare() -> Image.Image:
    """A network provider's promise: a hare that leaves trails of light."""
    canvas = Canvas(*SIZE, SIZE)
    canvas.backdrop(colour("#07140C"), colour("#123A22"), colour("#08180F"))
    canvas.light((1030, 180), 380, LIME, 0.32)
    for y, start, length, thick in scatter(111, 46):
        left = 560 + start * 700
        width = 1.5 + 3 * thick
        canvas.line([(left, y * 320), (left + 60 + 240 * length, y * 320)], LIME, width, 0.28)
    _hare(canvas, (1060, 178), 1)
    write(canvas, "PING: 8 MS", (60, 150), 138, weight=900)
    write(canvas, "Fibre made for players.", (64, 222), 62, family=TEXT, weight=700)
    write(canvas, "PACKET HARE", (64, 284), 46, LIME, tracking=0.04)
    canvas.bloom(0.4, threshold=150)
    return canvas.finished()


def _hare(canvas: Canvas, at: Point, size: float) -> None:
    """A head of folded planes with two long ears."""
    light, middle, dark = (
        LIME,
        mix(LIME, colour("#0B2A16"), 0.35),
        mix(LIME, colour("#0B2A16"), 0.65),
    )
    for flip, near, far in ((list, light, middle), (mirrored, middle, dark)):
        ear = [(-10, -36), (-30, -150), (-58, -166), (-72, -110), (-52, -20)]
        canvas.polygon(placed(flip(ear), at, size), near)
        canvas.polygon(
            placed(flip([(-24, -44), (-44, -148), (-58, -100), (-46, -36)]), at, size), far
        )
        cheek = [(0, -44), (-54, -24), (-78, 34), (-40, 86), (0, 110)]
        canvas.polygon(placed(flip(cheek), at, size), near)
        canvas.polygon(placed(flip([(0, 30), (-40, 86), (0, 110)]), at, size), far)
        eye = smooth([(-50, 16), (-34, 4), (-20, 20), (-36, 28)])
        canvas.polygon(placed(flip(eye), at, size), colour("#06120A"))
    nose = [(-14, 72), (14, 72), (0, 90)]
    canvas.polygon(placed(nose, at, size), colour("#06120A"))
    for tilt in (-1, 1):
        for whisker in range(2):
            angle = math.radians(8 + whisker * 14)
            far = (tilt * (30 + 84 * math.cos(angle)), 78 + 84 * math.sin(angle) * (1 - whisker))
            canvas.line(placed([(tilt * 30, 78), far], at, size), WHITE, 2.5, 0.8)


BANNERS = {"winter-cup": winter_cup, "packet-hare": packet_hare}
