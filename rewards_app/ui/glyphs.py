"""Signs of our own for the games, each in its own tint: on a tile, and as chips to buy."""

from typing import Any

import reflex as rx

from rewards_app.ui.markup import Text, attributes

GLYPHS = {
    "sky": "M13.5 2 4.5 13.5h6L9 22l10-12.5h-6.5z",
    "orchid": (
        "M12 2.2 20.3 7 12 11.8 3.7 7zM3 8.6l8.2 4.7v8.9L3 17.4zM21 8.6l-8.2 4.7v8.9l8.2-4.8z"
    ),
    "lime": ("M12 3.5l8.5 5.3v4.4L12 8l-8.5 5.2V8.8zM12 11.5l8.5 5.3v4.4L12 16l-8.5 5.2v-4.4z"),
    "coral": "M11.2 1.5v21L4.5 10zM12.8 1.5v21L19.5 10z",
}
"""A game's sign goes with its tint; `.tint-*` in chips.css."""

PILES = (
    ((72, 34, 56),),
    ((46, 46, 46), (108, 46, 46), (74, 26, 52)),
    ((32, 56, 40), (72, 58, 40), (114, 56, 40), (50, 30, 42), (96, 30, 42)),
    (
        *((24, 38, 36), (58, 36, 38), (100, 36, 38), (138, 38, 36)),
        *((4, 62, 38), (42, 64, 38), (80, 66, 40), (120, 64, 38), (158, 62, 38)),
    ),
)
"""Where the chips of a small and of a large package lie: left, top, width."""

_HEXAGON = "M24 4l17 9.8v19.6L24 43.2 7 33.4V13.8z"
_RIM = "M24 7.5l14 8.1v16L24 39.7l-14-8.1v-16z"
_HEIGHT_OF_CHIP = 54 / 48


def glyph_tile(tint: Text, size: int = 40) -> rx.Component:
    """A game's sign on its tint; the words beside it say which game."""
    return rx.el.span(
        rx.el.svg(
            rx.el.svg.path(d=_glyph(tint), fill_rule="evenodd"),
            view_box="0 0 24 24",
            class_name="size-3/5 fill-current",
        ),
        class_name=f"glyph tint-{tint} grid shrink-0 place-items-center rounded-[10px]",
        style={"width": f"{size}px", "height": f"{size}px"},
        aria_hidden="true",
    )


def chip_sprite() -> rx.Component:
    """The chips that a page draws, once; `pile` and `chip` use them."""
    return rx.el.svg(
        rx.el.svg.defs(
            rx.el.svg.linear_gradient(
                rx.el.svg.stop(offset="0", class_name="chip-light"),
                rx.el.svg.stop(offset=".55", class_name="chip-light-end"),
                id="chip-sheen",
                x1="0",
                y1="0",
                x2=".6",
                y2="1",
            ),
            *(_symbol(tint, path) for tint, path in GLYPHS.items()),
        ),
        class_name="absolute size-0",
        aria_hidden="true",
    )


def chip(tint: Text, size: int) -> rx.Component:
    return rx.el.svg(
        _use(tint, 0, 0, 48),
        view_box="0 0 48 54",
        class_name=f"tint-{tint} overflow-visible",
        style={"width": f"{size}px", "height": f"{round(size * _HEIGHT_OF_CHIP)}px"},
        aria_hidden="true",
    )


def pile(tint: Text, size: rx.Var[int]) -> rx.Component:
    """One chip for the smallest package, a heap for the largest."""
    match: Any = rx.match
    heaps = (rx.fragment(*(_use(tint, *place) for place in places)) for places in PILES)
    first, *others = heaps
    return rx.el.svg(
        match(size, *enumerate(others, start=1), first),
        view_box="0 0 200 112",
        class_name=f"tint-{tint} h-28 w-[200px] max-w-full overflow-visible",
        aria_hidden="true",
    )


def _glyph(tint: Text) -> Any:
    if isinstance(tint, str):
        return GLYPHS[tint]
    match: Any = rx.match
    return match(tint, *GLYPHS.items(), "")


def _use(tint: Text, left: int, top: int, width: int) -> rx.Component:
    return rx.el.svg.use(
        href=f"#chip-{tint}", x=left, y=top, width=width, height=f"{width * _HEIGHT_OF_CHIP:.1f}"
    )


def _symbol(tint: str, path: str) -> rx.Component:
    return rx.el.svg.symbol(
        rx.el.svg.path(
            d=_HEXAGON,
            class_name="chip-side",
            custom_attrs=attributes(transform="translate(0 4)"),
        ),
        rx.el.svg.path(d=_HEXAGON, class_name="chip-face"),
        rx.el.svg.path(d=_HEXAGON, class_name="chip-sheen"),
        rx.el.svg.path(d=_RIM, class_name="chip-rim"),
        rx.el.svg.path(
            d=path,
            class_name="chip-glyph",
            custom_attrs=attributes(
                transform="translate(14.5 14.1) scale(.79)", fillRule="evenodd"
            ),
        ),
        id=f"chip-{tint}",
        view_box="0 0 48 54",
        custom_attrs=attributes(overflow="visible"),
    )
