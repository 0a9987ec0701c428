"""Signs of our own for the games, each in its own tint: on a tile, and as chips to buy."""

from typing import Any

import reflex as rx

from rewards_app.ui.markup import Text, attributes, sized

GLYPHS = {
    "sky": "M13.5 2 4.5 13.5h6L9 22l10-12.5h-6.5z",
    "orchid": (
        "M12 2.2 20.3 7 12 11.8 3.7 7zM3 8.6l8.2 4.7v8.9L3 17.4zM21 8.6l-8.2 4.7v8.9l8.2-4.8z"
    ),
    "lime": ("M12 3.5l8.5 5.3v4.4L12 8l-8.5 5.2V8.8zM12 11.5l8.5 5.3v4.4L12 16l-8.5 5.2v-4.4z"),
    "coral": "M11.2 1.5v21L4.5 10zM12.8 1.5v21L19.5 10z",
}
"""A game's sign goes with its tint; `.tint-*` in chips.css."""

GAME_SIGNS = {
    "fortnite": ("sky", GLYPHS["sky"]),
    "roblox": ("orchid", GLYPHS["orchid"]),
    "call_of_duty": ("lime", GLYPHS["lime"]),
    "valorant": ("coral", GLYPHS["coral"]),
    "minecraft": ("green", "M8 3h8v8H8zM3 13h8v8H3zM13 13h8v8h-8z"),
    "apex_legends": (
        "teal",
        "M11 2h2v3.1A7 7 0 0 1 18.9 11H22v2h-3.1A7 7 0 0 1 13 18.9V22h-2v-3.1A7 7 0 0 1 5.1 13H2v-2"
        "h3.1A7 7 0 0 1 11 5.1zM12 7.6a4.4 4.4 0 1 0 0 8.8 4.4 4.4 0 0 0 0-8.8z",
    ),
    "league_of_legends": (
        "sand",
        "M3 7.5l4.6 4L12 3.5l4.4 8 4.6-4-1.8 9H4.8zM4.8 18.5h14.4v2.5H4.8z",
    ),
    "overwatch_2": (
        "slate",
        "M12 5.5C6.8 5.5 3.3 9.3 2 12c1.3 2.7 4.8 6.5 10 6.5s8.7-3.8 10-6.5"
        "c-1.3-2.7-4.8-6.5-10-6.5zM12 8.5a3.5 3.5 0 1 1 0 7 3.5 3.5 0 0 1 0-7z",
    ),
    "genshin_impact": (
        "pink",
        "M20.5 2.5C10 2.5 4 7.8 4 14.5c0 1.9.5 3.5 1.3 4.9L3 21.7 4.5 23l2.3-2.2"
        "c1 .5 2.1.7 3.2.7 7.8 0 10.5-8.5 10.5-19zM7.7 18.3C9.3 14 12.2 10.7 16 8.7"
        "c-2.7 3.3-4.7 6.8-6.3 10.8z",
    ),
    "ea_sports_fc": (
        "indigo",
        "M12 2.5a9.5 9.5 0 1 0 0 19 9.5 9.5 0 0 0 0-19zM12 7l4.8 3.5-1.8 5.7H9l-1.8-5.7z",
    ),
}
"""A game that players can show, its tint and its sign."""
OTHER_GAME = (
    "lilac",
    "M7 6.5h10a5 5 0 0 1 4.9 6l-.9 4.7a2.6 2.6 0 0 1-4.6 1L14.6 16H9.4l-1.8 2.2"
    "a2.6 2.6 0 0 1-4.6-1L2.1 12.5a5 5 0 0 1 4.9-6zM7.7 9.2v1.5H6.2v1.8h1.5V14"
    "h1.8v-1.5H11v-1.8H9.5V9.2zM16 10.2a1.4 1.4 0 1 0 0 2.8 1.4 1.4 0 0 0 0-2.8z",
)
STAR = "M12 2.2l3 6.4 7 .9-5.2 4.8 1.4 6.9L12 17.8l-6.2 3.4 1.4-6.9L2 9.5l7-.9z"

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
    return _sign(tint, _glyph(tint), size)


def game_tile(game: Text, size: int = 40) -> rx.Component:
    """The sign of a game of the catalogue; all others share one."""
    if isinstance(game, str):
        return _sign(*GAME_SIGNS.get(game, OTHER_GAME), size)
    match: Any = rx.match
    signs = ((name, _sign(*sign, size)) for name, sign in GAME_SIGNS.items())
    return match(game, *signs, _sign(*OTHER_GAME, size))


def _sign(tint: Text, path: Any, size: int) -> rx.Component:
    return rx.el.span(
        rx.el.svg(
            rx.el.svg.path(d=path, fill_rule="evenodd"),
            view_box="0 0 24 24",
            class_name="size-3/5 fill-current",
        ),
        class_name=f"glyph tint-{tint} grid shrink-0 place-items-center rounded-[10px]",
        custom_attrs=sized(size),
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
        custom_attrs=sized(size, round(size * _HEIGHT_OF_CHIP)),
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
