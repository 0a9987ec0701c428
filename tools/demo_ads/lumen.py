"""Lumen, thirty seconds: one key lights up, then a whole keyboard that comes apart."""

import math
from collections.abc import Callable

from .canvas import Canvas, Colour, Point, colour, mix
from .film import Film
from .lettering import TEXT, end_card, headline, write
from .motion import Scene, glide, scatter, share, slow_down, spring, wave
from .sound import Score

VIOLET = colour("#A78BFA")
ROSE = colour("#F472B6")
BLUE = colour("#60A5FA")
INK = colour("#0A0716")
PLUM = colour("#1B1036")
CASE = colour("#221A3C")
CAP = colour("#37295E")
RAINBOW = (VIOLET, ROSE, BLUE, colour("#5EEAD4"), VIOLET)
ROWS = (
    (1,) * 13 + (2,),
    (1.5, *(1,) * 12, 1.5),
    (1.75, *(1,) * 11, 2.25),
    (2.25, *(1,) * 10, 2.75),
    (1.25, 1.25, 1.25, 6.25, 1.25, 1.25, 2.5),
)


def _hue(place: float) -> Colour:
    spot = place % 1 * (len(RAINBOW) - 1)
    return mix(RAINBOW[int(spot)], RAINBOW[int(spot) + 1], spot % 1)


class Board:
    """The keyboard in perspective: `spot` turns key units (across, away, up) into the picture."""

    def __init__(self, at: Point, size: float, turn: float = -24, lean: float = 0.5):
        self.at, self.size, self.lean = at, size, lean
        self.cosine, self.sine = math.cos(math.radians(turn)), math.sin(math.radians(turn))

    def spot(self, across: float, down: float, up: float = 0) -> Point:
        x, y = across - 7.5, down - 2.5
        right, near = x * self.cosine - y * self.sine, x * self.sine + y * self.cosine
        zoom = self.size * (1 + near * 0.028)
        return self.at[0] + right * zoom, self.at[1] + (near * self.lean - up * 0.8) * zoom

    def slab(
        self, canvas: Canvas, area: tuple[float, float, float, float], heights: Point, tone: Colour
    ) -> None:
        """A block over `area` (left, top, right, bottom), from the first height to the second."""
        left, top, right, bottom = area
        low, high = heights
        corners = [(left, top), (right, top), (right, bottom), (left, bottom)]
        flank = left if self.sine < 0 else right
        front, side = ((left, bottom), (right, bottom)), ((flank, top), (flank, bottom))
        for (a, b), dark in ((front, 0.42), (side, 0.6)):
            wall = [
                self.spot(*a, low),
                self.spot(*b, low),
                self.spot(*b, high),
                self.spot(*a, high),
            ]
            canvas.polygon(wall, mix(tone, INK, dark))
        canvas.polygon([self.spot(*corner, high) for corner in corners], tone)

    def key(
        self,
        canvas: Canvas,
        left: float,
        row: int,
        wide: float,
        glow: float,
        tint: Colour,
        press: float = 0,
    ) -> None:
        """One key: its skirt, its cap and the light under it; `press` pushes it down."""
        up = 0.72 - 0.3 * press
        gap = 0.06
        middle = self.spot(left + wide / 2, row + 0.5)
        if glow > 0.05:
            canvas.light(middle, self.size * (0.9 + wide * 0.3), tint, 0.55 * glow)
        area = (left + gap, row + gap, left + wide - gap, row + 1 - gap)
        self.slab(canvas, area, (0.1, up * 0.55), mix(CAP, tint, 0.2 + 0.5 * glow))
        inner = (left + 0.13, row + 0.1, left + wide - 0.13, row + 0.84)
        self.slab(canvas, inner, (up * 0.5, up), mix(CAP, tint, 0.12 + 0.55 * glow))
        a, b = self.spot(left + 0.36, row + 0.46, up), self.spot(left + 0.62, row + 0.46, up)
        canvas.line([a, b], mix(colour("#8D7EC0"), (255, 255, 255), glow), self.size * 0.07)


def _keyboard(
    canvas: Canvas, board: Board, light_of: Callable[[Point], tuple[float, Colour]]
) -> None:
    """`light_of` gets a key's middle and says how bright it is, and in which colour."""
    canvas.light((board.at[0], board.at[1] + 60), board.size * 11, VIOLET, 0.3, flat=0.5)
    board.slab(canvas, (-0.35, -0.35, 15.35, 5.4), (-0.65, 0.1), CASE)
    for row, keys in enumerate(ROWS):
        left = 0.0
        for wide in keys:
            glow, tint = light_of((left + wide / 2, row + 0.5))
            board.key(canvas, left, row, wide, glow, tint)
            left += wide


def one_key(canvas: Canvas, seconds: float) -> None:
    canvas.backdrop(INK, INK, PLUM, INK)
    pressed, lit, tint = 0.0, 0.0, VIOLET
    for start, hue in ((1.4, VIOLET), (2.5, ROSE), (3.6, BLUE)):
        pressed += math.sin(math.pi * share(seconds, start, start + 0.35))
        if seconds > start:
            lit, tint = glide(share(seconds, start, start + 0.3)), hue
        age = share(seconds, start + 0.1, start + 2)
        if 0 < age < 1:
            size = 120 + 900 * slow_down(age)
            canvas.ring((860, 470), (size, size * 0.5), hue, 7, (1 - age) * 0.8)
    canvas.light((860, 470), 620, tint, 0.1 + 0.5 * lit)
    board = Board((860, 470), 250, turn=-28)
    board.slab(canvas, (6.85, 1.85, 8.15, 3.15), (-0.3, 0.05), CASE)
    board.key(canvas, 7, 2, 1, lit, tint, pressed)
    headline(canvas, "It starts with\none key.", (84, 190), 112, seconds, accent=VIOLET)


def a_light_of_its_own(canvas: Canvas, seconds: float) -> None:
    canvas.backdrop(INK, PLUM, INK)
    # The board stands still: half a minute in so few kilobytes has to spend them on the light.
    board = Board((650, 480), 66, turn=-18)

    def light_of(place: Point) -> tuple[float, Colour]:
        reach = seconds * 6 - math.hypot(place[0] - 2, place[1] - 2.5)
        ripple = 0.35 + 0.65 * wave(seconds * 0.5 - place[0] * 0.11 + place[1] * 0.05, 1)
        return glide(share(reach, 0, 2)) * ripple, _hue(place[0] / 15 - seconds * 0.09)

    _keyboard(canvas, board, light_of)
    own = "Every key, a light\nof its own."
    headline(canvas, own, (84, 136), 96, seconds, leaves_at=3.4, accent=ROSE)
    headline(canvas, "16 million colours.\nPick yours.", (84, 136), 96, seconds - 3.7, accent=BLUE)


def _spring(canvas: Canvas, centre: Point, size: float, tall: float) -> None:
    coil: list[Point] = []
    for step in range(91):
        turn = step / 90
        angle = turn * 2 * math.pi * 6
        y = centre[1] + (0.5 - turn) * tall + math.sin(angle) * size * 0.12
        coil.append((centre[0] + math.cos(angle) * size * 0.34, y))
    canvas.line(coil, mix(VIOLET, (255, 255, 255), 0.3), size * 0.06)


def _part_label(canvas: Canvas, name: str, x: float, y: float, shown: float) -> None:
    canvas.line([(x, y), (x + 90 * shown, y)], VIOLET, 3)
    canvas.disc((x, y), 7, VIOLET, shown)
    write(canvas, name, (x + 110, y + 14), 42, family=TEXT, weight=600, opacity=shown)


def swap_any_switch(canvas: Canvas, seconds: float) -> None:
    canvas.backdrop(INK, PLUM, INK)
    apart = spring(share(seconds, 0.7, 1.7)) - glide(share(seconds, 4.9, 5.5))
    canvas.light((850, 380), 460, VIOLET, 0.35)
    stack = Board((850, 430), 150, turn=-42 + seconds * 5)
    area = (7.0, 2.0, 8.0, 3.0)
    lift = 1.18 * apart
    stack.slab(canvas, area, (-0.5 - lift, -0.05 - lift), CASE)
    stack.slab(canvas, (7.2, 2.2, 7.8, 2.8), (-0.05 - lift, 0.02 - lift), mix(CASE, VIOLET, 0.3))
    if apart > 0.3:
        _spring(canvas, stack.spot(7.5, 2.5, -0.1 - 0.3 * lift), 150, 120 * apart)
        cross = mix(ROSE, INK, 0.1)
        stack.slab(canvas, (7.22, 2.4, 7.78, 2.6), (0.5 * lift, 0.5 * lift + 0.2), cross)
        stack.slab(canvas, (7.4, 2.22, 7.6, 2.78), (0.5 * lift, 0.5 * lift + 0.2), cross)
    stack.slab(canvas, area, (1.3 * lift - 0.05, 1.3 * lift + 0.2), mix(CAP, VIOLET, 0.5))
    inner = (7.1, 2.06, 7.9, 2.86)
    stack.slab(canvas, inner, (1.3 * lift + 0.2, 1.3 * lift + 0.44), mix(CAP, VIOLET, 0.7))
    heights = (1.3 * lift + 0.2, 0.5 * lift + 0.1, -0.1 - 0.3 * lift, -0.3 - lift)
    for order, (name, up) in enumerate(
        zip(("Cap", "Stem", "Spring", "Base"), heights, strict=True)
    ):
        shown = share(seconds, 1.5 + order * 0.2, 1.9 + order * 0.2)
        shown *= 1 - share(seconds, 4.7, 4.9)
        if shown:
            _part_label(canvas, name, 985, stack.spot(7.5, 2.5, up)[1], shown)
    headline(canvas, "Swap any\nswitch.\nNo solder.", (84, 270), 104, seconds, accent=VIOLET)


def key_to_game(canvas: Canvas, seconds: float) -> None:
    canvas.backdrop(INK, PLUM, INK)
    wire = [(190, 520), (1040, 520)]
    canvas.line(wire, colour("#3B2C66"), 10)
    board = Board((190, 536), 120, turn=-28)
    for shot in range(7):
        age = (seconds - 0.8 - shot * 0.62) / 0.3
        if 0 < age < 3:
            fade = max(0.0, 1 - age / 3)
            head = 190 + 850 * min(1, age)
            for trail in range(16):
                x = head - trail * 16
                if x > 190:
                    canvas.disc((x, 520), 10 - trail * 0.5, mix(ROSE, BLUE, trail / 16), fade)
            canvas.light((head, 520), 150, ROSE, fade)
            if age > 1:
                size = 60 + 60 * slow_down((age - 1) / 2)
                canvas.ring((1110, 520), (size, size), ROSE, 6, fade)
    since = (seconds - 0.8) % 0.62 if seconds > 0.8 else 1
    press = max(0.0, 1 - since / 0.25)
    board.slab(canvas, (6.85, 1.85, 8.15, 3.15), (-0.3, 0.05), CASE)
    board.key(canvas, 7, 2, 1, 0.35 + 0.65 * press, VIOLET, press)
    canvas.ring((1110, 520), (60, 60), BLUE, 7)
    canvas.ring((1110, 520), (24, 24), BLUE, 6)
    for x, y in ((1, 0), (-1, 0), (0, 1), (0, -1)):
        canvas.line([(1110 + x * 46, 520 + y * 46), (1110 + x * 84, 520 + y * 84)], BLUE, 7)
    delay = 16 - 15.2 * slow_down(share(seconds, 0.3, 1.9))
    headline(canvas, "From key to game:", (84, 170), 84, seconds)
    shown = share(seconds, 0.2, 0.5)
    write(canvas, f"{delay:.1f} ms", (80, 330), 168, ROSE, weight=900, opacity=shown)


def end(canvas: Canvas, seconds: float) -> None:
    canvas.backdrop(INK, PLUM, INK)
    for x, y, size, drift in scatter(81, 22):
        spot = x * 1280, (y * 720 - seconds * 22) % 720
        canvas.disc(spot, 1.4 + 2.2 * size, _hue(x), 0.25 + 0.5 * wave(seconds, 2.4, drift))
    rise = spring(share(seconds, 0, 0.9))

    def light_of(place: Point) -> tuple[float, Colour]:
        shine = 0.5 + 0.5 * wave(seconds * 0.35 - place[0] * 0.06, 1)
        return shine, _hue(place[0] / 15 - seconds * 0.08)

    board = Board((730, 530 + (1 - rise) * 300), 58, turn=-14, lean=0.46)
    _keyboard(canvas, board, light_of)
    end_card(
        canvas, "LUMEN 75", "The keyboard you build yourself.", "KEYSTEAD WORKS",
        seconds, VIOLET, at=(84, 180), size=132,
    )  # fmt: skip


FILM = Film(
    name="lumen",
    seconds=30,
    scenes=(
        Scene(0, one_key),
        Scene(5.2, a_light_of_its_own),
        Scene(12.4, swap_any_switch),
        Scene(18.4, key_to_game),
        Scene(24, end),
    ),
    tints=(VIOLET, ROSE),
    poster_at=11.2,
    shown_at=(640, 360),
    sound_bits=18_000,
    score=Score(
        root=130.81,
        beats_a_minute=96,
        chords=((0, 4, 7, 11), (-3, 0, 4, 9), (-7, -3, 0, 5), (-5, -1, 2, 7)),
        pattern=(0, 2, 3, None, 4, 3, None, 2),
        drum=0.45,
        hiss=0.35,
        brightness=2.2,
    ),
)
