"""The two picture ads: Northlight Chairs and Hexhaven."""

import math

from PIL import Image

from .canvas import Canvas, Colour, Point, colour, mirrored, mix, placed, smooth
from .lettering import end_card
from .motion import scatter, wave

SIZE = (1280, 720)
ORCHID = colour("#D08BFF")
GREEN = colour("#5EF2B0")
CLAY = colour("#FF8A7A")
HEX_SIDE = 73
CHAIR_DARK, CHAIR_EDGE = colour("#120A28"), colour("#5A3FA0")


def northlight_chairs() -> Image.Image:
    """An empty chair under the aurora, waiting for a long night."""
    canvas = Canvas(*SIZE, SIZE)
    canvas.backdrop(*(colour(c) for c in ("#0B0620", "#1A0E45", "#341A6B", "#140A2E", "#0B0618")))
    for x, y, size, blink in scatter(91, 110):
        canvas.disc((x * 1280, y * 470), 0.8 + size * 1.6, (240, 235, 255), 0.25 + 0.6 * blink)
    for band, (tint, base) in enumerate(((GREEN, 250), (ORCHID, 170), (colour("#60A5FA"), 120))):
        for x in range(-80, 1400, 26):
            sway = math.sin(x / 190 + band * 2.1) * 60
            canvas.light((x, base + sway), 150, tint, 0.05 + 0.09 * wave(x, 620, band / 3))
    canvas.box((0, 600), (1280, 120), colour("#0E0724"))
    canvas.light((950, 622), 520, GREEN, 0.5, flat=0.16)
    canvas.light((930, 330), 430, ORCHID, 0.4)
    _chair(canvas, (950, 362), 1.06)
    end_card(
        canvas, "Sit through\nthe night.", "Aurora S: breathes, tilts, lasts.", "NORTHLIGHT CHAIRS",
        99, GREEN, at=(84, 260), size=112,
    )  # fmt: skip
    canvas.bloom(0.4, threshold=130)
    canvas.vignette(0.4)
    return canvas.finished()


def _castors(canvas: Canvas, at: Point, size: float) -> None:
    canvas.ellipse((at[0], at[1] + 252 * size), (190 * size, 20 * size), (4, 2, 12), 0.7)
    for tip in (-168, -92, 92, 168):
        hub, wheel = placed([(0, 196), (tip, 238)], at, size), placed([(tip, 246)], at, size)[0]
        canvas.line(hub, CHAIR_DARK, 17 * size)
        canvas.disc(wheel, 15 * size, colour("#05030D"))
        canvas.ring(wheel, (15 * size, 15 * size), CHAIR_EDGE, 2.5 * size)
    canvas.box((at[0] - 15 * size, at[1] + 110 * size), (30 * size, 100 * size), CHAIR_EDGE, 6)


def _chair(canvas: Canvas, at: Point, size: float) -> None:
    _castors(canvas, at, size)
    shell, dark, edge = colour("#241748"), CHAIR_DARK, CHAIR_EDGE

    def part(points: list[Point]) -> list[Point]:
        return placed(points, at, size)

    back = [(0, -300), (74, -292), (104, -240), (92, -190), (132, -120), (120, 0), (96, 78)]
    outline = smooth([*back, (0, 92), *reversed(mirrored(back[1:]))])
    canvas.polygon(part(outline), shell)
    inner = [(0, -270), (52, -264), (70, -232), (56, -182), (78, -120), (70, 0), (54, 60)]
    canvas.polygon(part(smooth([*inner, (0, 70), *reversed(mirrored(inner[1:]))])), dark)
    for stripe in range(9):
        y = -128 + stripe * 21
        bend = smooth([(-66, y), (0, y + 10), (66, y)], False)
        canvas.line(part(bend), mix(dark, ORCHID, 0.28), 3 * size)
    canvas.box(part([(-52, -246)])[0], (104 * size, 50 * size), mix(shell, ORCHID, 0.25), 22 * size)
    for flip in (list, mirrored):
        rim = flip(smooth([(74, -292), (104, -240), (92, -190), (132, -120), (120, 0)], False))
        canvas.line(part(rim), GREEN, 4.5 * size)
        arm = flip([(118, 40), (176, 40), (176, 66), (152, 66), (152, 118), (118, 118)])
        canvas.polygon(part(arm), dark)
        pad = flip(smooth([(112, 22), (186, 20), (196, 34), (186, 46), (112, 46)]))
        canvas.polygon(part(pad), edge)
    half_seat = [(0, 66), (136, 84), (152, 118), (120, 144)]
    seat = smooth([*half_seat, *reversed(mirrored(half_seat[1:]))])
    canvas.polygon(part(seat), mix(shell, edge, 0.3))
    front = smooth([(-150, 116), (0, 128), (150, 116), (122, 146), (0, 152), (-122, 146)])
    canvas.polygon(part(front), dark)
    canvas.line(part(smooth([(-140, 114), (0, 126), (140, 114)], False)), GREEN, 4.5 * size)


GROUND: dict[str, Colour] = {
    "sea": colour("#1D4A8C"),
    "meadow": colour("#2F8F7A"),
    "wood": colour("#1F6B5E"),
    "rock": colour("#6B5A9E"),
    "town": colour("#C2607A"),
}
ISLAND = (
    (0, 0, "town", 44), (1, 0, "meadow", 26), (0, 1, "wood", 22), (-1, 1, "meadow", 24),
    (-1, 0, "rock", 64), (0, -1, "rock", 92), (1, -1, "wood", 40), (2, -1, "meadow", 18),
    (-2, 1, "wood", 26), (-2, 2, "meadow", 16), (1, 1, "meadow", 14), (-1, 2, "wood", 16),
    (-1, -1, "wood", 48), (0, -2, "wood", 54), (1, -2, "rock", 74), (2, -2, "meadow", 30),
    (-2, 0, "meadow", 34), (2, 0, "town", 22),
)  # fmt: skip


HOUSES = (
    (-34, -4, 24, 26),
    (-8, -18, 26, 62),
    (20, -2, 24, 34),
    (-16, 12, 22, 22),
    (8, 14, 20, 18),
)


def hexhaven() -> Image.Image:
    """An island of hexagons with a lit town, and a sea that comes closer."""
    canvas = Canvas(*SIZE, SIZE)
    canvas.backdrop(*(colour(c) for c in ("#0D0A2B", "#1B1450", "#0F1B45", "#0A0F2A")))
    canvas.light((920, 330), 620, CLAY, 0.4)
    tiles = {(q, r): (kind, high) for q, r, kind, high in ISLAND}
    ring = [(q, r) for q in range(-6, 7) for r in range(-5, 6) if (q, r) not in tiles]
    for q, r in sorted([*tiles, *ring], key=lambda tile: (tile[1] + tile[0] / 2, tile[0])):
        kind, high = tiles.get((q, r), ("sea", 2))
        _tile(canvas, q, r, kind, high)
    end_card(
        canvas, "HEXHAVEN", "Build a haven. Hold it.", "SIX SIDES GAMES",
        99, CLAY, at=(76, 330), size=110,
    )  # fmt: skip
    canvas.bloom(0.5, threshold=135)
    canvas.vignette(0.5)
    return canvas.finished()


def _tile(canvas: Canvas, q: int, r: int, kind: str, high: float) -> None:
    across, down = HEX_SIDE * 1.5 * q, HEX_SIDE * 1.732 * (r + q / 2) * 0.58
    x, y = 966 + across, 420 + down
    reach = math.hypot(across, down * 1.7)
    if x < 500 and kind == "sea":
        return
    fade = max(0.0, 1 - reach / 560) if kind == "sea" else 1.0
    if fade <= 0:
        return
    tone = mix(colour("#10173F"), GROUND[kind], fade)
    corners = [
        (x + HEX_SIDE * 0.97 * math.cos(a), y + HEX_SIDE * 0.97 * math.sin(a) * 0.58)
        for a in (math.pi / 3 * step for step in range(6))
    ]
    top = [(px, py - high) for px, py in corners]
    for first, second, dark in ((0, 1, 0.5), (1, 2, 0.62), (2, 3, 0.74)):
        wall = [top[first], top[second], corners[second], corners[first]]
        canvas.polygon(wall, mix(tone, colour("#0A0726"), dark))
    canvas.polygon(top, tone)
    canvas.line([top[3], top[4], top[5], top[0]], mix(tone, (255, 255, 255), 0.3 * fade), 2)
    if kind == "wood":
        for dx, dy, size, _ in scatter(q * 13 + r + 60, 7):
            _tree(canvas, (x + (dx - 0.5) * 76, y - high + (dy - 0.5) * 40), 26 + size * 16)
    if kind == "rock":
        peak = [(x - 40, y - high + 10), (x - 6, y - high - 54), (x + 12, y - high - 26)]
        canvas.polygon([*peak, (x + 40, y - high + 12)], mix(tone, (255, 255, 255), 0.16))
        canvas.polygon([peak[1], (x + 4, y - high - 12), (x - 20, y - high - 28)], (236, 230, 255))
    if kind == "town":
        _town(canvas, (x, y - high), 1.4 if (q, r) == (0, 0) else 0.9)


def _tree(canvas: Canvas, at: Point, tall: float) -> None:
    x, y = at
    canvas.polygon([(x - tall * 0.32, y), (x, y - tall), (x + tall * 0.32, y)], colour("#124A44"))
    canvas.polygon([(x, y), (x, y - tall), (x + tall * 0.32, y)], colour("#0C3836"))


def _town(canvas: Canvas, at: Point, size: float) -> None:
    canvas.light((at[0], at[1] - 20), 190 * size, CLAY, 0.6)
    for left, foot, wide, tall in HOUSES:
        x, y = at[0] + left * size, at[1] + foot * size
        w, h = wide * size, tall * size
        canvas.box((x, y - h), (w, h), colour("#F3DCE6"))
        canvas.box((x + w * 0.55, y - h), (w * 0.45, h), colour("#B98FAE"))
        roof = [(x - 3, y - h), (x + w / 2, y - h - w * 0.8), (x + w + 3, y - h)]
        canvas.polygon(roof, CLAY)
        canvas.polygon([roof[1], roof[2], (x + w * 0.55, y - h)], colour("#B84C63"))
        canvas.box((x + w * 0.2, y - h * 0.6), (w * 0.2, w * 0.26), colour("#5B2A66"))


PICTURES = {"northlight-chairs": northlight_chairs, "hexhaven": hexhaven}
