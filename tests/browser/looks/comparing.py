"""Whether two pictures show the same. Pure: pictures in, what differs out.

Another Chromium smooths letters another way, and rounds a place to the next pixel. So a picture is
looked at from afar, a quarter as large, and may lie a pixel aside; what is then left of a
difference was moved, recoloured, added or left out.
"""

from dataclasses import dataclass
from itertools import product

from PIL import Image, ImageChops, ImageFilter

AFAR = 4
"""So many pixels of a line become one."""
ASIDE = 1
"""So many pixels each way count as the same place."""
OF_ALL = 255
TONES = range(OF_ALL + 1)


@dataclass(frozen=True, slots=True)
class Sieve:
    """What is caught: within `reach` of a place, a `share` of it differs by more than `least`."""

    least: int
    reach: int
    share: float


SIEVES = (
    # A word in place of another one: little of the page, and plainly different.
    Sieve(least=22, reach=2, share=0.14),
    # A border in another place: a thin line, less different.
    Sieve(least=16, reach=2, share=0.25),
    # A surface in a neighbouring tone: hardly different, and wide.
    Sieve(least=7, reach=5, share=0.5),
)
"""Between what smoothing and a picture's compression do to our pages, and the least of what the
tests of this file's neighbour call a difference. One letter in small print may pass."""


def differences(expected: Image.Image, actual: Image.Image) -> list[str]:
    """What somebody would call different, in words; nothing when they show the same."""
    if expected.size != actual.size:
        return [f"is {_size(actual)} and was {_size(expected)}"]
    left = _left(expected, actual)
    found = (_caught(left, sieve) for sieve in SIEVES)
    return [f"differs around {_place(where)}" for where in found if where][:1]


def shown(expected: Image.Image, actual: Image.Image) -> Image.Image:
    """What was, what is, and where they differ, side by side."""
    width, height = max(expected.width, actual.width), max(expected.height, actual.height)
    before, after = _on(expected, width, height), _on(actual, width, height)
    heat = _left(before, after).point([min(OF_ALL, value * 4) for value in TONES])
    bright = heat.resize((width, height), Image.Resampling.NEAREST)
    faded = Image.blend(after.convert("L").convert("RGB"), Image.new("RGB", after.size), 0.7)
    red = Image.new("RGB", after.size, (255, 40, 80))
    beside = Image.new("RGB", (width * 3 + 40, height), (128, 128, 128))
    for place, picture in enumerate((before, after, Image.composite(red, faded, bright))):
        beside.paste(picture, (place * (width + 20), 0))
    return beside


def _left(expected: Image.Image, actual: Image.Image) -> Image.Image:
    """How much is different, seen from afar, wherever within a pixel it is least so."""
    seen = _from_afar(actual)
    least = None
    for x, y in product(range(-ASIDE, ASIDE + 1), repeat=2):
        apart = _strongest(ImageChops.difference(_from_afar(_moved(expected, x, y)), seen))
        least = ImageChops.darker(least, apart) if least else apart
    assert least
    return least


def _moved(picture: Image.Image, x: int, y: int) -> Image.Image:
    """Aside, with its border repeated where nothing came in."""
    moved = picture.copy()
    moved.paste(picture, (x, y))
    return moved


def _from_afar(picture: Image.Image) -> Image.Image:
    return picture.convert("RGB").reduce(AFAR)


def _strongest(picture: Image.Image) -> Image.Image:
    red, green, blue = picture.split()
    return ImageChops.lighter(ImageChops.lighter(red, green), blue)


def _caught(left: Image.Image, sieve: Sieve) -> tuple[int, int] | None:
    """The place where most is over the sieve's bounds, in pixels of the page."""
    over = left.point([OF_ALL if value > sieve.least else 0 for value in TONES])
    around = over.filter(ImageFilter.BoxBlur(sieve.reach))
    most = max(value for value, count in enumerate(around.histogram()) if count)
    if most <= sieve.share * OF_ALL:
        return None
    box = around.point([OF_ALL if value == most else 0 for value in TONES]).getbbox()
    assert box
    return box[0] * AFAR, box[1] * AFAR


def _on(picture: Image.Image, width: int, height: int) -> Image.Image:
    canvas = Image.new("RGB", (width, height), (128, 128, 128))
    canvas.paste(picture.convert("RGB"))
    return canvas


def _size(picture: Image.Image) -> str:
    return f"{picture.width} x {picture.height}"


def _place(where: tuple[int, int]) -> str:
    return f"{where[0]}, {where[1]}"
