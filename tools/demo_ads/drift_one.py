"""Drift One, ten seconds: the lights go out, a slide is held, a ghost is beaten."""

import math
from collections.abc import Sequence

from .canvas import Canvas, Point, colour, mix, placed, smooth, turned
from .film import Film
from .lettering import end_card, headline, write
from .motion import Scene, glide, scatter, share, slow_down, spring
from .sound import Score

CORAL = colour("#FF4D6D")
PINK = colour("#FF5CC8")
ICE = colour("#5CE1FF")
NIGHT = colour("#12051F")
DUSK = colour("#4A1152")
TAR = colour("#170A26")
TOWER = colour("#1D0A30")
HORIZON = 372
WINDOW = ((-84, -50), (-30, -80), (48, -92), (122, -82), (176, -54))
SIDE = (
    (-322, 32), (-318, 2), (-250, -28), (-124, -48), (-40, -88), (46, -104), (130, -94),
    (224, -60), (296, -50), (312, -20), (306, 32),
)  # fmt: skip


def _sky(canvas: Canvas, shift: float) -> None:
    canvas.backdrop(NIGHT, NIGHT, DUSK, colour("#A02468"), TAR, TAR)
    canvas.light((640 + shift, HORIZON), 560, CORAL, 0.5)
    centre = (640 + shift * 0.6, HORIZON - 40)
    canvas.disc(centre, 150, mix(PINK, CORAL, 0.4))
    for row in range(5):
        y = centre[1] + 6 - row * 27
        half = math.sqrt(150**2 - (y + 5 - centre[1]) ** 2) + 2
        canvas.box((centre[0] - half, y), (2 * half, 11 - row * 2), DUSK)
    canvas.box((0, HORIZON - 36), (1280, 44), TOWER)
    for left, tall, wide, lit in scatter(3, 34):
        x = (left * 1700 + shift * 1.4) % 1700 - 200
        height = 30 + tall * 110
        canvas.box((x, HORIZON - height), (40 + wide * 60, height + 8), TOWER)
        for storey in range(int(height // 24)):
            if (storey * 7 + int(lit * 90)) % 3 == 0:
                canvas.box((x + 10 + lit * 20, HORIZON - height + 10 + storey * 24), (9, 5), PINK)


def _road(canvas: Canvas, seconds: float, speed: float, bend: float) -> None:
    canvas.box((0, HORIZON), (1280, 350), TAR)
    canvas.light((640, HORIZON), 700, PINK, 0.5, flat=0.25)

    def at(depth: float, side: float) -> Point:
        near = 1 / depth
        return 640 + bend * max(
            0, depth - 1
        ) ** 1.6 * near * 9 + side * 620 * near, HORIZON + 350 * near

    travelled = seconds * speed
    for step in range(26, 0, -1):
        far = step - travelled % 1 + 0.9
        near, behind = max(0.6, far - 0.5), max(0.6, far - 1)
        canvas.line([at(far, -9), at(far, 9)], PINK, 2, 0.5 / (1 + 0.12 * step))
        dark = mix(TAR, colour("#3A1150"), 1 / (1 + 0.2 * step))
        canvas.polygon([at(behind, -1), at(far, -1), at(far, 1), at(behind, 1)], colour("#1A0829"))
        if far > near:
            canvas.polygon([at(near, -1), at(far, -1), at(far, 1), at(near, 1)], dark)
        for side in (-1, 1):
            tint = CORAL if (step + int(travelled)) % 2 else ICE
            rim = side * 1.06
            canvas.polygon([at(behind, side), at(far, side), at(far, rim), at(behind, rim)], tint)
        middle = [at(near, -0.015), at(far, -0.015), at(far, 0.015), at(near, 0.015)]
        canvas.polygon(middle, colour("#C9B8E8"), 0.8)


def _rear(canvas: Canvas, at: Point, tilt: float, size: float = 1) -> None:
    """The car from behind, its light bar burning."""

    def part(points: Sequence[Point]) -> list[Point]:
        return placed(turned(points, tilt), at, size)

    canvas.ellipse((at[0], at[1] + 72 * size), (230 * size, 26 * size), (4, 1, 10), 0.7)
    for side in (-1, 1):
        tyre = [(150 * side, 0), (196 * side, 0), (196 * side, 76), (150 * side, 76)]
        canvas.polygon(part(tyre), (8, 4, 14))
    body = [
        (-205, 46),
        (-212, -8),
        (-182, -46),
        (182, -46),
        (212, -8),
        (205, 46),
        (150, 60),
        (-150, 60),
    ]
    canvas.polygon(part(body), colour("#2B1245"))
    cabin = smooth(
        [(-158, -44), (-112, -112), (-60, -126), (60, -126), (112, -112), (158, -44)], False
    )
    canvas.polygon(part(cabin), colour("#3B1A5E"))
    glass = [(-126, -50), (-96, -102), (96, -102), (126, -50)]
    canvas.polygon(part(glass), colour("#150825"))
    canvas.polygon(part([(-110, -56), (-88, -96), (-30, -96), (-58, -56)]), colour("#5B2E86"), 0.6)
    _tail(canvas, at, tilt, size)


def _tail(canvas: Canvas, at: Point, tilt: float, size: float) -> None:
    def part(points: Sequence[Point]) -> list[Point]:
        return placed(turned(points, tilt), at, size)

    canvas.polygon(part([(-214, -72), (214, -72), (206, -56), (-206, -56)]), colour("#1B0B2E"))
    canvas.line(part([(-214, -73), (214, -73)]), PINK, 4)
    canvas.polygon(part([(-196, -24), (196, -24), (190, -6), (-190, -6)]), CORAL)
    canvas.polygon(part([(-186, -18), (186, -18), (182, -11), (-182, -11)]), (255, 214, 220))
    canvas.polygon(part([(-140, 26), (140, 26), (120, 56), (-120, 56)]), colour("#0D0518"))
    for side in (-1, 1):
        lamp = part([(150 * side, -15)])[0]
        canvas.light(lamp, 190 * size, CORAL, 0.7)


def _smoke(canvas: Canvas, seconds: float, at: Point, drift: float) -> None:
    for start, side, rise, size in scatter(9, 26):
        age = (seconds * 1.1 + start) % 1
        x = at[0] + drift * age * 460 + (side - 0.5) * 140
        y = at[1] - age * (30 + rise * 100)
        canvas.light((x, y), 40 + age * 120 * (0.5 + size), (190, 130, 210), 0.3 * (1 - age))


def _streaks(canvas: Canvas, seconds: float, seed: int, speed: float) -> None:
    for start, height, length, tint in scatter(seed, 34):
        x = (start * 1700 + seconds * speed * (0.5 + length)) % 1700 - 360
        ink = mix(PINK, ICE, tint)
        y = 60 + height * 610
        canvas.line([(x, y), (x + 80 + 240 * length, y)], ink, 2 + 2 * length, 0.35)


def lights_out(canvas: Canvas, seconds: float) -> None:
    is_green = seconds > 1.55
    go = speed = slow_down(share(seconds, 1.55, 2.6))
    _sky(canvas, 0)
    _road(canvas, seconds * go, 7 * speed, 0)
    _rear(canvas, (640, 590 - 60 * go), 0, 1 - 0.25 * go)
    for lamp in range(3):
        centre = (520 + lamp * 120, 132)
        is_lit = not is_green and seconds > 0.35 + lamp * 0.35
        canvas.box((centre[0] - 52, 80), (104, 104), (10, 4, 18), 22)
        canvas.disc(centre, 36, CORAL if is_lit else colour("#34163F"))
        if is_lit:
            canvas.disc(centre, 22, (255, 190, 200))
            canvas.light(centre, 170, CORAL, 0.8)
    if is_green:
        headline(canvas, "LIGHTS OUT", (640, 312), 128, seconds - 1.6, align=0.5)


def hold_the_slide(canvas: Canvas, seconds: float) -> None:
    swing = math.sin(seconds * 2.1 + 0.5)
    _sky(canvas, -swing * 130)
    _road(canvas, seconds + 3, 9, swing * 2.6)
    spot = (640 - swing * 150, 560)
    _smoke(canvas, seconds, (spot[0], spot[1] + 50), -swing)
    _rear(canvas, spot, swing * 9, 0.82)
    headline(canvas, "Hold the slide.", (80, 150), 112, seconds)


def _side(canvas: Canvas, at: Point, size: float) -> None:
    def part(points: Sequence[Point]) -> list[Point]:
        return placed(points, at, size)

    canvas.ellipse((at[0], at[1] + 62 * size), (320 * size, 16 * size), (4, 1, 10), 0.6)
    canvas.polygon(part(smooth(SIDE)), colour("#4A1F74"))
    canvas.polygon(part([(-316, 8), (308, -4), (306, 32), (-318, 32)]), colour("#2B1245"))
    window = smooth(WINDOW)
    canvas.polygon(part(window), colour("#150825"))
    canvas.line(part([(-304, 10), (300, -4)]), PINK, 5 * size)
    canvas.line(part([(52, -92), (44, -52)]), colour("#4A1F74"), 9 * size)
    canvas.polygon(part([(226, -92), (304, -98), (304, -84), (230, -78)]), colour("#2B1245"))
    canvas.polygon(part([(252, -82), (266, -84), (258, -50), (240, -50)]), colour("#2B1245"))
    canvas.polygon(part([(-306, -10), (-252, -24), (-246, -12), (-300, 0)]), (230, 250, 255))
    canvas.polygon(part([(278, -38), (300, -36), (300, -20), (276, -22)]), CORAL)
    canvas.light(part([(-292, -20)])[0], 240 * size, ICE, 0.7)
    canvas.light(part([(292, -28)])[0], 170 * size, CORAL, 0.8)
    for wheel in (-196, 196):
        hub = part([(wheel, 26)])[0]
        canvas.disc(hub, 52 * size, (6, 3, 12))
        canvas.ring(hub, (34 * size, 34 * size), ICE, 5 * size)
        canvas.disc(hub, 12 * size, colour("#8C7BB0"))


def _ghost(canvas: Canvas, at: Point, size: float) -> None:
    body = placed(smooth(SIDE), at, size)
    canvas.polygon(body, ICE, 0.14)
    for outline in (body, placed(smooth(WINDOW), at, size)):
        canvas.line([*outline, outline[0]], ICE, 4, 0.9)
    for wheel in (-196, 196):
        canvas.ring((at[0] + wheel * size, at[1] + 24), (46 * size, 46 * size), ICE, 4, 0.9)


def beat_your_ghost(canvas: Canvas, seconds: float) -> None:
    canvas.backdrop(NIGHT, DUSK, NIGHT)
    _streaks(canvas, seconds, 11, 1700)
    _ghost(canvas, (760 + 150 * seconds, 400), 0.9)
    lead = glide(share(seconds, 0.1, 2.1))
    bounce = math.sin(seconds * 26) * 2
    _streaks(canvas, seconds + 5, 12, 2600)
    _side(canvas, (1120 - 640 * lead, 560 + bounce), 1.12)
    headline(canvas, "Beat your ghost.", (80, 150), 112, seconds)
    ahead = 0.482 - 0.914 * lead
    tint = colour("#34D399") if ahead < 0 else CORAL
    write(canvas, f"{ahead:+.3f} s".replace("-", "−"), (84, 240), 68, tint, weight=700)


def end(canvas: Canvas, seconds: float) -> None:
    canvas.backdrop(NIGHT, DUSK, NIGHT)
    canvas.light((980, 430), 620, PINK, 0.35)
    _streaks(canvas, seconds, 14, 500)
    arrived = spring(share(seconds, 0, 0.8))
    _side(canvas, (1700 - 820 * arrived, 560), 1.12)
    end_card(
        canvas, "DRIFT ONE", "Race tonight. Free on PC.", "SIDEWIND STUDIO",
        seconds, CORAL, at=(84, 230), size=160,
    )  # fmt: skip


FILM = Film(
    name="drift-one",
    seconds=10,
    scenes=(
        Scene(0, lights_out),
        Scene(2.8, hold_the_slide),
        Scene(5.2, beat_your_ghost),
        Scene(7.5, end),
    ),
    tints=(CORAL, PINK),
    poster_at=4.3,
    score=Score(
        root=110,
        beats_a_minute=128,
        chords=((0, 3, 7), (-4, 0, 3), (-2, 2, 5), (0, 3, 10)),
        pattern=(0, 2, 1, 2, 3, 2, 1, 2, 0, 2, 4, 2, 3, 1, 2, 1),
        drum=0.8,
        hiss=0.5,
    ),
)
