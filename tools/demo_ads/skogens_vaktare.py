"""Skogens Väktare, twenty seconds: a forest wakes, four players keep one fire until dawn."""

import math

from .canvas import Canvas, Colour, Point, colour, mirrored, mix, placed, smooth
from .film import Film
from .lettering import end_card, headline
from .motion import Scene, glide, scatter, share, slow_down, wave
from .sound import Score

MOSS = colour("#4ADE80")
MINT = colour("#A7F3D0")
EMBER = colour("#FF7A3D")
FLAME = colour("#FFB08A")
NIGHT = colour("#03100D")
PINE = colour("#06201A")
MIST = colour("#1F5B4C")


def _pine(canvas: Canvas, x: float, base: float, tall: float, tone: Colour) -> None:
    half = tall * 0.2
    side: list[Point] = [(x, base - tall)]
    for tier in range(1, 6):
        low = base + 4 - tall * (1 - tier * 0.2)
        reach = half * (0.28 + tier * 0.145)
        side += [(x + reach, low), (x + reach * 0.45, low - tall * 0.02)]
    left = [(2 * x - px, py) for px, py in reversed(side[1:])]
    canvas.polygon([*side, *left], tone)


def _trees(canvas: Canvas, seed: int, shift: float, base: float, tall: float, tone: Colour) -> None:
    rows = scatter(seed, 34)
    for index, (jitter, height, sink, _) in enumerate(rows):
        x = (index * 50 + jitter * 44 + shift) % 1700 - 200
        _pine(canvas, x, base + sink * 26, tall * (0.62 + 0.38 * height), tone)
    canvas.box((0, base), (1280, 720 - base), tone)


def _wood(canvas: Canvas, seconds: float, sky: tuple[Colour, ...], fog: float) -> None:
    canvas.backdrop(*sky)
    for x, y, size, blink in scatter(31, 46):
        canvas.disc((x * 1280, y * 300), 1 + 1.4 * size, MINT, 0.25 + 0.5 * wave(seconds, 3, blink))
    haze = sky[-2]
    layers = ((41, 4, 500, 330, 0.75), (42, 10, 560, 350, 0.42), (43, 20, 650, 360, 0.12))
    for seed, speed, base, tall, pale in layers:
        _trees(canvas, seed, -seconds * speed, base, tall, mix(PINE, haze, pale))
        drift = 90 * math.sin(seconds * 0.3 + seed)
        canvas.light((420 + drift, base + 20), 620, MIST, fog, flat=0.16)
        canvas.light((980 - drift, base + 30), 560, MIST, fog, flat=0.14)


DUSK_SKY = (NIGHT, colour("#06251F"), colour("#0E4A3D"), colour("#1B6A55"), NIGHT)
NIGHT_SKY = (colour("#020A0C"), colour("#04191A"), colour("#0A332E"), colour("#0F4238"), NIGHT)
DAWN_SKY = (colour("#0B2C40"), colour("#2B6A70"), colour("#F29A7E"), colour("#C4556A"), NIGHT)


def _eyes(canvas: Canvas, at: Point, size: float, open_: float, tint: Colour) -> None:
    for side in (-1, 1):
        spot = at[0] + side * 15 * size, at[1]
        canvas.ellipse(spot, (7 * size, 5 * size * open_ + 0.4), tint)
        canvas.light(spot, 46 * size, tint, 0.7 * open_)


def the_forest_wakes(canvas: Canvas, seconds: float) -> None:
    _wood(canvas, seconds, DUSK_SKY, 0.3)
    for index, (x, y, size, when) in enumerate(scatter(52, 11)):
        opened = glide(share(seconds, 1.3 + when * 1.8, 1.6 + when * 1.8))
        blink = 0 if (seconds + index * 0.7) % 2.3 < 0.12 else 1
        if opened:
            spot = 96 + index * 104 + x * 40, 460 + y * 130
            _eyes(canvas, spot, 0.7 + size * 0.8, opened * blink, MINT if index % 3 else EMBER)
    headline(canvas, "The forest\nis waking.", (84, 180), 112, seconds, accent=MOSS)


def _flames(canvas: Canvas, at: Point, seconds: float, size: float) -> None:
    flicker = 0.9 + 0.1 * math.sin(seconds * 19) * math.sin(seconds * 7.3)
    canvas.light(at, 460 * size * flicker, EMBER, 0.75)
    canvas.light((at[0], at[1] + 56 * size), 620 * size, EMBER, 0.5, flat=0.2)
    for tilt in (-1, 1):
        log = [(-80 * tilt, 66), (84 * tilt, 34)]
        canvas.line(placed(log, at, size), colour("#2A130C"), 22 * size)
    tongues = ((0, 150, 58, EMBER), (-34, 100, 34, EMBER), (36, 92, 34, EMBER))
    cores = ((4, 96, 36, FLAME), (0, 54, 22, (255, 226, 210)))
    for x, tall, wide, tint in (*tongues, *cores):
        lean = 14 * math.sin(seconds * 6 + x)
        high = tall * (0.86 + 0.14 * math.sin(seconds * 11 + x * 3))
        shape = [(x - wide, 30), (x - wide * 0.6, -high * 0.35), (x + lean, -high)]
        shape += [(x + wide * 0.6, -high * 0.3), (x + wide, 30), (x, 56)]
        canvas.polygon(placed(smooth(shape), at, size), tint)


def _embers(canvas: Canvas, at: Point, seconds: float, count: int = 34) -> None:
    for start, side, speed, sway in scatter(61, count):
        age = (seconds * (0.25 + 0.25 * speed) + start) % 1
        x = at[0] + (side - 0.5) * 150 + 60 * math.sin(seconds * 1.4 + sway * 9) * age
        canvas.disc((x, at[1] - age * 520), 4.6 * (1 - age) + 0.8, EMBER, 1 - age)


def _player(canvas: Canvas, at: Point, size: float, faces: float) -> None:
    """Somebody hooded beside the fire, lit from the side they face."""
    hood = [(-26, -118), (6, -140), (32, -112), (30, -74), (58, -30), (70, 40), (-66, 40)]
    outline = smooth([*hood, (-56, -34), (-30, -74)])
    shape = [(x * faces, y) for x, y in outline]
    canvas.polygon(placed(shape, at, size), colour("#0A1512"))
    lit = [(x * faces, y) for x, y in smooth(hood[1:6], False)]
    canvas.line(placed(lit, at, size), mix(EMBER, PINE, 0.25), 5 * size)
    canvas.ellipse((at[0] + 16 * faces * size, at[1] - 102 * size), (12 * size, 17 * size), NIGHT)


def one_fire(canvas: Canvas, seconds: float) -> None:
    _wood(canvas, seconds + 8, NIGHT_SKY, 0.16)
    fire = (640, 556)
    _embers(canvas, fire, seconds + 3)
    _flames(canvas, fire, seconds, 1.05)
    for place, (x, faces) in enumerate(((330, 1), (470, 1), (810, -1), (950, -1))):
        near = slow_down(share(seconds, 0.3 + place * 0.4, 1.0 + place * 0.4))
        spot = x - faces * (1 - near) * 420, 600 + (26 if place in (0, 3) else 0)
        _player(canvas, spot, 1.15, faces)
    headline(canvas, "Four players.\nOne fire.", (640, 126), 104, seconds, align=0.5, accent=FLAME)


def _guardian(canvas: Canvas, at: Point, seconds: float, awake: float) -> None:
    """Head, shoulders and antlers of what lives in the wood."""
    dark = colour("#020807")
    canvas.light((at[0], at[1] - 40), 560, MOSS, 0.34)
    head, shoulder = [(0, -96), (46, -84), (60, -30), (44, 40)], [(120, 84), (250, 130)]
    trunk = [*head, *shoulder, (330, 260), (360, 520)]
    body = smooth([*trunk, *reversed(mirrored(trunk[1:]))])
    branches = (
        [(30, -84), (84, -150), (150, -190), (178, -270), (164, -350)],
        [(120, -172), (206, -196), (262, -256)],
        [(172, -240), (232, -300), (236, -352)],
        [(84, -150), (92, -220), (74, -276)],
    )
    for flip in (list, mirrored):
        for order, branch in enumerate(branches):
            antler = placed(smooth(flip(branch), False), at)
            canvas.line(antler, dark, 24 - order * 4)
    canvas.polygon(placed(body, at), dark)
    muzzle = smooth([(-44, -20), (0, -40), (44, -20), (26, 66), (0, 86), (-26, 66)])
    canvas.polygon(placed(muzzle, at), colour("#07140F"))
    _eyes(canvas, (at[0], at[1] - 26), 2.1, awake, MOSS)
    for rune, (x, y) in enumerate(((0, 140), (-84, 158), (84, 158), (-160, 200), (160, 200))):
        lit = glide(share(seconds, 1.9 + rune * 0.22, 2.3 + rune * 0.22))
        mark = [(-16, -24), (16, 0), (-16, 24), (-16, -24)] if rune % 2 else [(0, -30), (0, 30)]
        canvas.line(placed(mark, (at[0] + x, at[1] + y)), MOSS, 6, 0.95 * lit)
        canvas.light((at[0] + x, at[1] + y), 80, MOSS, 0.5 * lit)


def the_guardian_rises(canvas: Canvas, seconds: float) -> None:
    canvas.backdrop(*NIGHT_SKY)
    _trees(canvas, 41, -seconds * 4, 540, 360, mix(PINE, MIST, 0.35))
    risen = glide(share(seconds, 0.1, 2.4))
    awake = glide(share(seconds, 1.3, 1.8))
    _guardian(canvas, (985, 800 - 420 * risen), seconds, awake)
    canvas.light((640, 640), 900, MIST, 0.45, flat=0.2)
    _trees(canvas, 43, -seconds * 14, 700, 170, mix(PINE, NIGHT, 0.4))
    headline(canvas, "It remembers\nwho lit it.", (84, 190), 104, seconds, accent=MOSS)


def until_dawn(canvas: Canvas, seconds: float) -> None:
    brighter = glide(share(seconds, 0, 3.2))
    pairs = zip(NIGHT_SKY, DAWN_SKY, strict=True)
    # In steps, so that the gradients are made a few times and not for every frame.
    amount = round(brighter * 40) / 40
    _wood(canvas, seconds + 15, tuple(mix(a, b, amount) for a, b in pairs), 0.2)
    for x in (430, 520, 760, 850):
        _player(canvas, (x, 640), 0.9, 1 if x < 640 else -1)
    _embers(canvas, (640, 640), seconds, 20)
    _flames(canvas, (640, 612), seconds, 0.7)
    headline(canvas, "Hold out until dawn.", (640, 170), 108, seconds, align=0.5)


def end(canvas: Canvas, seconds: float) -> None:
    _wood(canvas, seconds + 20, DAWN_SKY, 0.2)
    _guardian(canvas, (640, 290 + 6 * wave(seconds, 4)), 0, 1)
    canvas.shade(0.12, NIGHT)
    for x, y, size, drift in scatter(71, 40):
        sway = 30 * math.sin(seconds + drift * 7)
        spot = (x * 1280 + sway) % 1280, (y * 720 - seconds * 26) % 720
        canvas.disc(spot, 1.6 + 2.6 * size, MINT, 0.3 + 0.6 * wave(seconds, 2.2, drift))
    end_card(
        canvas, "Skogens Väktare", "Co-op survival. Join the open beta.", "TALLMO GAMES",
        seconds, MOSS, at=(640, 490), size=128, align=0.5,
    )  # fmt: skip


FILM = Film(
    name="skogens-vaktare",
    seconds=20,
    scenes=(
        Scene(0, the_forest_wakes),
        Scene(4.4, one_fire),
        Scene(8.8, the_guardian_rises),
        Scene(13, until_dawn),
        Scene(16.4, end),
    ),
    tints=(MOSS, EMBER),
    poster_at=12.2,
    score=Score(
        root=98,
        beats_a_minute=84,
        chords=((0, 7, 12, 15), (-4, 3, 8, 12), (-2, 5, 10, 14), (0, 7, 10, 15)),
        pattern=(0, None, 2, 1, 3, None, 2, None),
        drum=0.5,
        brightness=1.2,
    ),
)
