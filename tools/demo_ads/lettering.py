"""Words on a canvas: set in the app's own fonts, shadowed, and moving in word by word."""

from functools import lru_cache
from pathlib import Path

from PIL import Image, ImageDraw, ImageFilter, ImageFont

from .canvas import Canvas, Colour, Point
from .motion import share, slow_down

FONTS = Path(__file__).resolve().parents[2] / ".web" / "node_modules" / "@fontsource-variable"
HEADING = "exo-2"
TEXT = "inter"
WHITE: Colour = (244, 240, 255)
LINE_HEIGHT = 1.08
SHADOW = 0.55


@lru_cache(maxsize=64)
def _font(family: str, weight: int, size: int) -> ImageFont.FreeTypeFont:
    file = FONTS / family / "files" / f"{family}-latin-wght-normal.woff2"
    if not file.exists():
        raise SystemExit(f"The font {file} is missing: start the app once, so that .web is there.")
    font = ImageFont.truetype(file, size)
    font.set_variation_by_axes([weight])
    return font


@lru_cache(maxsize=256)
def _mask(
    words: str, family: str, weight: int, size: int, tracking: float
) -> tuple[Image.Image, Image.Image, float]:
    """The letters, their soft shadow (both with `size` of margin), and the width of the words."""
    font = _font(family, weight, size)
    steps = [font.getlength(words[: i + 1]) for i in range(len(words))]
    width = steps[-1] + tracking * size * (len(words) - 1)
    letters = Image.new("L", (round(width) + 2 * size, 3 * size))
    pen = ImageDraw.Draw(letters)
    if tracking:
        for index, letter in enumerate(words):
            before = steps[index - 1] if index else 0
            pen.text((size + before + index * tracking * size, 2 * size), letter, 255, font, "ls")
    else:
        pen.text((size, 2 * size), words, 255, font, "ls")
    return letters, letters.filter(ImageFilter.GaussianBlur(size / 7)), width


def write(
    canvas: Canvas,
    words: str,
    at: Point,
    size: float,
    ink: Colour = WHITE,
    *,
    align: float = 0,
    family: str = HEADING,
    weight: int = 800,
    tracking: float = 0,
    opacity: float = 1,
) -> float:
    """Set one line with its baseline on `at`; `align` 0 is left, 0.5 centred. Returns its width."""
    if not words:
        return 0
    pixels = round(size * canvas.scale)
    letters, shadow, width = _mask(words, family, weight, pixels, tracking)
    corner = (
        round(at[0] * canvas.scale - align * width - pixels),
        round(at[1] * canvas.scale - 2 * pixels),
    )
    if opacity > 0:
        canvas.image.paste((4, 2, 12), corner, _faded(shadow, SHADOW * opacity))
        canvas.image.paste(ink, corner, _faded(letters, opacity))
    return width / canvas.scale


def _faded(mask: Image.Image, opacity: float) -> Image.Image:
    return mask if opacity >= 1 else mask.point([round(v * opacity) for v in range(256)])


def headline(
    canvas: Canvas,
    text: str,
    at: Point,
    size: float,
    seconds: float,
    ink: Colour = WHITE,
    *,
    leaves_at: float = 1e9,
    align: float = 0,
    accent: Colour | None = None,
) -> None:
    """Big words that rise in one by one; the last line takes the accent colour."""
    lines = text.split("\n")
    gone = share(seconds, leaves_at, leaves_at + 0.3)
    order = 0
    for row, line in enumerate(lines):
        is_last = row == len(lines) - 1
        tone = accent if accent and is_last else ink
        space = 0.24 * size
        words = line.split(" ")
        total = sum(width_of(canvas, word, size) for word in words) + space * (len(words) - 1)
        x, y = at[0] - align * total, at[1] + row * size * LINE_HEIGHT
        for word in words:
            shown = slow_down(share(seconds, 0.15 + order * 0.13, 0.6 + order * 0.13))
            rise = (1 - shown) * size * 0.55 - gone * size * 0.3
            visible = shown * (1 - gone)
            x += write(canvas, word, (x, y + rise), size, tone, opacity=visible) + space
            order += 1


def width_of(canvas: Canvas, words: str, size: float, family: str = HEADING) -> float:
    font = _font(family, 800, round(size * canvas.scale))
    return font.getlength(words) / canvas.scale


def end_card(
    canvas: Canvas,
    title: str,
    line: str,
    advertiser: str,
    seconds: float,
    tint: Colour,
    *,
    at: Point,
    size: float = 120,
    align: float = 0,
) -> None:
    """How every ad ends: the product, what it is, and who is behind it."""
    headline(canvas, title, at, size, seconds, align=align)
    x, y = at[0], at[1] + title.count("\n") * size * LINE_HEIGHT
    length = 150 * slow_down(share(seconds, 0.5, 0.9))
    canvas.box((x - align * length, y + 30), (length, 7), tint, 3.5)
    shown = share(seconds, 0.7, 1.1)
    write(canvas, line, (x, y + 92), 40, align=align, family=TEXT, weight=600, opacity=shown)
    shown = share(seconds, 0.95, 1.35)
    by = x, y + 152
    write(canvas, advertiser, by, 34, tint, align=align, weight=700, tracking=0.03, opacity=shown)
