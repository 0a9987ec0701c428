"""A supersampled canvas: shapes, light and bloom, in units of the finished design."""

import math
from collections.abc import Iterable, Sequence
from functools import lru_cache

import numpy
from PIL import Image, ImageChops, ImageDraw, ImageFilter

Point = tuple[float, float]
Colour = tuple[int, int, int]


def colour(code: str) -> Colour:
    red, green, blue = bytes.fromhex(code.removeprefix("#"))
    return red, green, blue


def mix(first: Colour, second: Colour, amount: float) -> Colour:
    """`first` with `amount` of `second` in it."""
    red, green, blue = (round(a + (b - a) * amount) for a, b in zip(first, second, strict=True))
    return red, green, blue


@lru_cache(maxsize=64)
def _gradient(size: tuple[int, int], stops: tuple[Colour, ...]) -> Image.Image:
    column = Image.new("RGB", (1, len(stops)))
    column.putdata(stops)
    rows = numpy.linspace(0, len(stops) - 1, size[1])
    table = numpy.asarray(column, dtype=float)[:, 0]
    channels = [numpy.interp(rows, range(len(stops)), table[:, c]) for c in range(3)]
    pixels = numpy.stack(channels, axis=1).round().astype("uint8")
    return Image.fromarray(pixels[:, None, :]).resize(size)


@lru_cache(maxsize=1)
def _falloff() -> Image.Image:
    """Light around a point: bright in the middle, nothing at the edge."""
    axis = numpy.linspace(-1, 1, 256)
    distance = numpy.hypot(*numpy.meshgrid(axis, axis)).clip(0, 1)
    return Image.fromarray(((1 - distance) ** 2.2 * 255).astype("uint8"))


@lru_cache(maxsize=4)
def _vignette(size: tuple[int, int], strength: float) -> Image.Image:
    across, down = numpy.meshgrid(numpy.linspace(-1, 1, size[0]), numpy.linspace(-1, 1, size[1]))
    shade = 1 - strength * (numpy.hypot(across * 0.8, down * 0.75) ** 5).clip(0, 1)
    grey = Image.fromarray((shade * 255).astype("uint8"))
    return Image.merge("RGB", (grey, grey, grey))


class Canvas:
    """Drawn larger than it is shown, so that `finished()` has smooth edges."""

    def __init__(self, width: int, height: int, shown_at: tuple[int, int], oversample: int = 2):
        self.width, self.height = width, height
        self.shown_at = shown_at
        size = shown_at[0] * oversample, shown_at[1] * oversample
        self.scale = size[0] / width
        self.image = Image.new("RGB", size)
        self.pen = ImageDraw.Draw(self.image, "RGBA")

    def pixels(self, points: Iterable[Point]) -> list[Point]:
        return [(x * self.scale, y * self.scale) for x, y in points]

    def backdrop(self, *stops: Colour) -> None:
        self.image.paste(_gradient(self.image.size, stops))

    def polygon(self, points: Iterable[Point], fill: Colour, opacity: float = 1) -> None:
        self.pen.polygon(self.pixels(points), fill=(*fill, round(255 * opacity)))

    def line(self, points: Sequence[Point], ink: Colour, width: float, opacity: float = 1) -> None:
        """A line with round ends, when it is opaque and wide enough for ends to show."""
        thick = max(1, round(width * self.scale))
        self.pen.line(
            self.pixels(points), fill=(*ink, round(255 * opacity)), width=thick, joint="curve"
        )
        if opacity == 1 and width > 3:
            for end in (points[0], points[-1]):
                self.disc(end, width / 2, ink)

    def disc(self, centre: Point, radius: float, fill: Colour, opacity: float = 1) -> None:
        self.ellipse(centre, (radius, radius), fill, opacity)

    def ellipse(self, centre: Point, radii: Point, fill: Colour, opacity: float = 1) -> None:
        self.pen.ellipse(self._around(centre, radii), fill=(*fill, round(255 * opacity)))

    def ring(
        self, centre: Point, radii: Point, ink: Colour, width: float, opacity: float = 1
    ) -> None:
        self.pen.ellipse(
            self._around(centre, radii),
            outline=(*ink, round(255 * opacity)),
            width=max(1, round(width * self.scale)),
        )

    def arc(
        self,
        centre: Point,
        radius: float,
        degrees: tuple[float, float],
        ink: Colour,
        width: float,
        opacity: float = 1,
    ) -> None:
        self.pen.arc(
            self._around(centre, (radius, radius)),
            *degrees,
            fill=(*ink, round(255 * opacity)),
            width=max(1, round(width * self.scale)),
        )

    def box(
        self,
        corner: Point,
        size: Point,
        fill: Colour,
        radius: float = 0,
        opacity: float = 1,
    ) -> None:
        (left, top), (right, bottom) = self.pixels(
            [corner, (corner[0] + size[0], corner[1] + size[1])]
        )
        if right - left < 1 or bottom - top < 1:
            return
        self.pen.rounded_rectangle(
            (left, top, right, bottom), radius * self.scale, fill=(*fill, round(255 * opacity))
        )

    def light(
        self, centre: Point, radius: float, tint: Colour, strength: float = 1, flat: float = 1
    ) -> None:
        """Add light to what is there; `flat` below 1 presses the glow down to a pool."""
        width = max(2, round(2 * radius * self.scale))
        height = max(2, round(width * flat))
        left = round(centre[0] * self.scale - width / 2)
        top = round(centre[1] * self.scale - height / 2)
        seen = (
            max(0, left),
            max(0, top),
            min(self.image.width, left + width),
            min(self.image.height, top + height),
        )
        if seen[0] >= seen[2] or seen[1] >= seen[3] or strength <= 0:
            return
        around = (seen[0] - left, seen[1] - top, seen[2] - left, seen[3] - top)
        across, down = 256 / width, 256 / height
        source = (around[0] * across, around[1] * down, around[2] * across, around[3] * down)
        area = (seen[2] - seen[0], seen[3] - seen[1])
        glow = _falloff().resize(area, Image.Resampling.BILINEAR, box=source)
        tinted = Image.merge(
            "RGB",
            [
                glow.point([min(255, round(v * c / 255 * strength)) for v in range(256)])
                for c in tint
            ],
        )
        self.image.paste(ImageChops.add(self.image.crop(seen), tinted), seen)

    def shade(self, amount: float, tone: Colour = (0, 0, 0)) -> None:
        """Lay one colour over everything, as a fade does."""
        if amount > 0:
            self.image.paste(
                Image.blend(self.image, Image.new("RGB", self.image.size, tone), amount)
            )

    def bloom(self, strength: float = 0.7, spread: float = 18, threshold: int = 110) -> None:
        """Let what is bright glow, as a camera would."""
        small = self.image.reduce(4)
        steep = [
            max(0, round((v - threshold) * 255 / (255 - threshold) * strength)) for v in range(256)
        ]
        glow = small.point(steep * 3).filter(ImageFilter.GaussianBlur(spread * self.scale / 4))
        big = glow.resize(self.image.size, Image.Resampling.BILINEAR)
        self.image.paste(ImageChops.screen(self.image, big))

    def vignette(self, strength: float = 0.45) -> None:
        self.image.paste(ImageChops.multiply(self.image, _vignette(self.image.size, strength)))

    def finished(self) -> Image.Image:
        return self.image.resize(self.shown_at, Image.Resampling.BOX)

    def _around(self, centre: Point, radii: Point) -> tuple[float, float, float, float]:
        (left, top), (right, bottom) = self.pixels(
            [
                (centre[0] - radii[0], centre[1] - radii[1]),
                (centre[0] + radii[0], centre[1] + radii[1]),
            ]
        )
        return left, top, right, bottom


def turned(points: Iterable[Point], degrees: float, around: Point = (0, 0)) -> list[Point]:
    cosine, sine = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    x0, y0 = around
    return [
        (x0 + (x - x0) * cosine - (y - y0) * sine, y0 + (x - x0) * sine + (y - y0) * cosine)
        for x, y in points
    ]


def placed(points: Iterable[Point], at: Point, size: float = 1) -> list[Point]:
    return [(at[0] + x * size, at[1] + y * size) for x, y in points]


def mirrored(points: Iterable[Point]) -> list[Point]:
    return [(-x, y) for x, y in points]


def smooth(points: Sequence[Point], closed: bool = True, steps: int = 10) -> list[Point]:
    """A Catmull-Rom curve through `points`."""
    knots = numpy.array(points, dtype=float)
    if closed:
        knots = numpy.vstack([knots[-1:], knots, knots[:2]])
    else:
        knots = numpy.vstack([knots[:1], knots, knots[-1:]])
    t = numpy.linspace(0, 1, steps, endpoint=False)[:, None]
    curve = [
        0.5
        * (
            2 * b
            + (c - a) * t
            + (2 * a - 5 * b + 4 * c - d) * t**2
            + (3 * b - a - 3 * c + d) * t**3
        )
        for a, b, c, d in zip(knots, knots[1:], knots[2:], knots[3:], strict=False)
    ]
    return [(x, y) for x, y in numpy.vstack([*curve, knots[-2:-1]]).tolist()]
