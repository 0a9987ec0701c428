"""Hear the fjord, fifteen seconds: silence, a headset that shows where sound comes from."""

import math
from functools import lru_cache

from .canvas import Canvas, Point, colour, mirrored, mix, placed, smooth
from .film import Film
from .lettering import TEXT, end_card, headline, write
from .motion import Scene, glide, scatter, share, slow_down, spring, wave
from .sound import Score

AQUA = colour("#2DE2C5")
SKY = colour("#4CC9FF")
DEEP = colour("#04121F")
SEA = colour("#0A2A3F")
SNOW = colour("#DDF6FF")
WATERLINE = 530


@lru_cache(maxsize=8)
def _ridge(seed: int, height: float) -> tuple[Point, ...]:
    """Peaks across 1800 units: the midpoints between two peaks are moved, then again."""
    heights = [0.25, 0.9, 0.3, 0.75, 0.2, 1.0, 0.35, 0.7, 0.3]
    for rounds, rough in enumerate((0.3, 0.16, 0.09, 0.05)):
        jolts = scatter(seed + rounds, len(heights), 1)
        between = [
            (a + b) / 2 + (jolt[0] - 0.5) * rough
            for a, b, jolt in zip(heights, heights[1:], jolts, strict=False)
        ]
        heights = [h for pair in zip(heights, between, strict=False) for h in pair] + heights[-1:]
    step = 1800 / (len(heights) - 1)
    return tuple((i * step - 260, -max(0.04, h) * height) for i, h in enumerate(heights))


def _aurora(canvas: Canvas, seconds: float, strength: float = 1) -> None:
    for band, (tint, base) in enumerate(((AQUA, 210), (SKY, 150), (colour("#8B5CF6"), 110))):
        for x in range(-80, 1400, 46):
            sway = math.sin(x / 210 + seconds * 0.7 + band * 2) * 44
            glow = 0.06 + 0.1 * wave(seconds, 5, x / 900 + band / 3)
            canvas.light((x, base + sway), 165, tint, glow * strength)


def _fjord(canvas: Canvas, seconds: float) -> None:
    canvas.backdrop(DEEP, colour("#06243A"), colour("#0C4056"), SEA, DEEP)
    for x, y, size, blink in scatter(5, 60):
        shine = 0.3 + 0.7 * wave(seconds, 3, blink)
        canvas.disc((x * 1280, y * 330), 1 + size * 1.5, SNOW, shine)
    _aurora(canvas, seconds)
    for layer, (height, tone) in enumerate(((350, "#14566F"), (250, "#0B3347"), (140, "#051C2C"))):
        shift = -seconds * (5 + 8 * layer) + layer * 60
        crest = [(x + shift, WATERLINE + y) for x, y in _ridge(20 + layer * 7, height)]
        canvas.polygon([*crest, (1800, WATERLINE + 4), (-300, WATERLINE + 4)], colour(tone))
        canvas.line(crest, mix(colour(tone), SKY, 0.35), 2)
    canvas.box((0, WATERLINE), (1280, 220), colour("#06202F"))
    canvas.light((640, WATERLINE + 8), 640, AQUA, 0.35, flat=0.14)
    for x, y, length, phase in scatter(8, 46):
        width = (30 + 130 * length) * (0.6 + 0.4 * wave(seconds, 2.4, phase))
        left = x * 1400 - 60 - width / 2
        canvas.box((left, WATERLINE + 8 + y * y * 200), (width, 3), mix(SEA, AQUA, 0.5), 1.5, 0.6)


def _rings(canvas: Canvas, centre: Point, seconds: float, strength: float = 1) -> None:
    for ring in range(5):
        age = (seconds * 0.32 + ring / 5) % 1
        size = 120 + age * 620
        fade = strength * (1 - age) * 0.7
        canvas.ring(centre, (size, size), mix(AQUA, SKY, age), 3 + 5 * (1 - age), fade)


def headset(canvas: Canvas, at: Point, size: float, glow: float = 1) -> None:
    """The product from the front: band, two cups with lit rings, a microphone on its boom."""
    dark, shell, edge = colour("#0D1B26"), colour("#1B3242"), colour("#3E6478")

    def part(points: list[Point]) -> list[Point]:
        return placed(points, at, size)

    canvas.light(at, 420 * size, SKY, 0.28 * glow)
    band = smooth(
        [(-205, 60), (-214, -60), (-160, -190), (0, -244), (160, -190), (214, -60), (205, 60)],
        False,
    )
    canvas.line(part(band), shell, 46 * size)
    canvas.line(part([(x, y - 12) for x, y in band[6:-6]]), edge, 7 * size)
    cushion = smooth([(-150, -196), (0, -236), (150, -196), (120, -164), (0, -200), (-120, -164)])
    canvas.polygon(part(cushion), dark)
    for flip in (list, mirrored):
        pad = smooth([(-186, 0), (-150, 4), (-138, 70), (-140, 130), (-154, 190), (-188, 194)])
        canvas.polygon(part(flip(pad)), dark)
        cup = smooth([(-182, -22), (-236, -8), (-268, 60), (-270, 130), (-238, 200), (-184, 214)])
        canvas.polygon(part(flip(cup)), shell)
        canvas.line(part(flip(smooth(cup[12:40], False))), edge, 5 * size)
        lit = flip(smooth([(-214, 34), (-238, 66), (-240, 122), (-216, 156)], False))
        canvas.line(part(lit), mix(shell, AQUA, glow), 9 * size)
        canvas.light(part(flip([(-232, 95)]))[0], 170 * size, AQUA, 0.6 * glow)
    boom = smooth([(-214, 196), (-200, 262), (-140, 304), (-66, 312)], False)
    canvas.line(part(boom), edge, 11 * size)
    canvas.line(part([(-78, 312), (-34, 310)]), dark, 30 * size)
    canvas.disc(part([(-30, 310)])[0], 6 * size, AQUA)


def silence(canvas: Canvas, seconds: float) -> None:
    _fjord(canvas, seconds + 1)
    headline(canvas, "Some places are\nquieter than silence.", (80, 170), 96, seconds, accent=AQUA)


def put_it_on(canvas: Canvas, seconds: float) -> None:
    canvas.backdrop(DEEP, SEA, DEEP)
    centre = (920, 350)
    _rings(canvas, (centre[0], centre[1] + 40), seconds + 2)
    arrived = spring(share(seconds, 0.1, 0.9))
    glow = 0.35 + 0.65 * glide(share(seconds, 0.9, 1.5))
    headset(canvas, (centre[0], centre[1] + (1 - arrived) * 260), 0.92, glow)
    headline(canvas, "Put it on.\nShut the\nworld out.", (80, 270), 104, seconds, accent=AQUA)


def _step(canvas: Canvas, at: Point, age: float) -> None:
    if not 0 < age < 1:
        return
    for delay in (0.0, 0.18):
        passed = max(0.0, age - delay)
        size = 14 + 90 * slow_down(passed)
        canvas.ring(at, (size, size), colour("#FB7185"), 5, 1 - age)
    canvas.disc(at, 13, colour("#FF9AA9"), 1 - age * 0.6)
    canvas.light(at, 110, colour("#FB7185"), 0.7 * (1 - age))


def hear_every_step(canvas: Canvas, seconds: float) -> None:
    canvas.backdrop(DEEP, colour("#06283A"), DEEP)
    centre = (950, 370)
    for ring in range(1, 5):
        canvas.ring(centre, (ring * 80, ring * 80), colour("#15506A"), 2.5)
    for spoke in range(12):
        angle = spoke * math.pi / 6
        reach = [
            (centre[0] + math.cos(angle) * r, centre[1] + math.sin(angle) * r) for r in (80, 320)
        ]
        canvas.line(reach, colour("#0F3C52"), 2)
    canvas.light(centre, 330, AQUA, 0.25)
    headset(canvas, (centre[0], centre[1] - 6), 0.26)
    for index in range(9):
        angle = -2.6 + index * 0.42
        distance = 290 - index * 12
        spot = centre[0] + math.cos(angle) * distance, centre[1] + math.sin(angle) * distance
        _step(canvas, spot, (seconds - 0.4 - index * 0.38) / 1.1)
    sweep = seconds * 110
    for trail in reversed(range(20)):
        angles = (sweep - 5 - trail * 4, sweep - trail * 4)
        canvas.arc(centre, 320, angles, mix(AQUA, DEEP, trail / 20), 9)
    headline(canvas, "Hear every\nstep. And\nfrom where.", (80, 270), 92, seconds, accent=AQUA)
    shown = share(seconds, 1.2, 1.6)
    write(canvas, "360° spatial sound", (84, 590), 40, SNOW, family=TEXT, weight=600, opacity=shown)


def end(canvas: Canvas, seconds: float) -> None:
    _fjord(canvas, seconds + 6)
    canvas.shade(0.35, DEEP)
    _rings(canvas, (1010, 370), seconds, 0.6)
    headset(canvas, (1010, 320 + 8 * wave(seconds, 3)), 0.86)
    end_card(
        canvas, "Hear the fjord.", "Fjord One. 40 hours a charge.", "FJORD AUDIO",
        seconds, AQUA, at=(80, 310), size=92,
    )  # fmt: skip


FILM = Film(
    name="hear-the-fjord",
    seconds=15,
    scenes=(
        Scene(0, silence),
        Scene(3.9, put_it_on),
        Scene(7.4, hear_every_step),
        Scene(11.4, end),
    ),
    tints=(AQUA, SKY),
    poster_at=6.6,
    score=Score(
        root=146.83,
        beats_a_minute=76,
        chords=((0, 7, 11, 14), (-3, 4, 7, 12), (-7, 0, 5, 9), (-5, 2, 7, 9)),
        pattern=(2, None, 1, 3, None, 2, 0, None),
        drum=0.25,
        brightness=1.6,
    ),
)
