"""Ranks: medals for the first three, a face of our own for the first ten, calm moves."""

from typing import Any

import reflex as rx

from rewards_app.i18n.page_text import t
from rewards_app.ui.glyphs import GAME_SIGNS, OTHER_GAME, STAR
from rewards_app.ui.markup import Text, attributes, sized

_HEXAGON = "M18 2.5l14.5 8.4v18.2L18 37.5 3.5 29.1V10.9z"
MEDALS = (1, 2, 3)
FACES = {
    1: ("lilac", "M2.5 7.5l5 4L12 4.5l4.5 7 5-4-2.2 11.5H4.7z"),
    2: (
        "sky",
        "M12 1.5c4 3 5 7 5 10.5l3 5-4.5-1L12 18.5 8.5 16 4 17l3-5c0-3.5 1-7.5 5-10.5zM12 8a2 2 0 1"
        " 0 0 4 2 2 0 0 0 0-4zM10 19.5h4L12 23z",
    ),
    3: (
        "coral",
        "M12 2c1 4.2 6.2 6.2 6.2 12a6.2 6.2 0 0 1-12.4 0c0-3 1.5-4.5 3-6 .3 1.6 1.1 2.5 2.1 3"
        " .5-3 .5-6 1.1-9z",
    ),
    4: ("lime", GAME_SIGNS["fortnite"][1]),
    5: (
        "pink",
        "M7 4h10l5 6H2zM2.6 11.5h5.6L11 20zM15.8 11.5h5.6L13 20zM9.7 11.5h4.6L12 19z",
    ),
    6: (
        "green",
        "M12 2a8 8 0 0 0-8 8v11.5l2.7-2.2 2.6 2.2 2.7-2.2 2.7 2.2 2.6-2.2 2.7 2.2V10a8 8 0 0 0"
        "-8-8zM9 8.5a1.8 1.8 0 1 0 0 3.6 1.8 1.8 0 0 0 0-3.6zM15 8.5a1.8 1.8 0 1 0 0 3.6 1.8 1.8"
        " 0 0 0 0-3.6z",
    ),
    7: (
        "indigo",
        "M11 1.5h2V5h4a3 3 0 0 1 3 3v9a3 3 0 0 1-3 3H7a3 3 0 0 1-3-3V8a3 3 0 0 1 3-3h4zM9 9.2a1.8"
        " 1.8 0 1 0 0 3.6 1.8 1.8 0 0 0 0-3.6zM15 9.2a1.8 1.8 0 1 0 0 3.6 1.8 1.8 0 0 0 0-3.6zM8.5"
        " 15.2h7v1.6h-7z",
    ),
    8: ("teal", GAME_SIGNS["apex_legends"][1]),
    9: ("orchid", OTHER_GAME[1]),
    10: (
        "slate",
        "M20.5 14.5A9 9 0 1 1 10 2.8a7.2 7.2 0 0 0 10.5 11.7z",
    ),
}
"""A tint and a sign for each of the first ten ranks; all others share the star."""


class Calm(rx.Component):
    """Moves the rows of `list`, an id, to their new places when `watch` or `near` has changed."""

    library = "$/public/calm"
    tag = "Calm"
    list: rx.Var[str]
    watch: rx.Var[Any]
    near: rx.Var[Any]


def rank_face(rank: rx.Var[int], size: int) -> rx.Component:
    match: Any = rx.match
    faces = ((known, _face(*face, size)) for known, face in FACES.items())
    return match(rank, *faces, _face("lilac", STAR, size))


def _face(tint: str, path: str, size: int) -> rx.Component:
    return rx.el.span(
        rx.el.svg(
            rx.el.svg.path(d=path, fill_rule="evenodd"),
            view_box="0 0 24 24",
            class_name="size-1/2 fill-current",
        ),
        class_name=(
            f"glyph tint-{tint} grid shrink-0 place-items-center rounded-full border border-current"
        ),
        custom_attrs=sized(size),
        aria_hidden="true",
    )


def medal_paint() -> rx.Component:
    """What the medals of a page are painted with, once."""
    return rx.el.svg(
        rx.el.svg.defs(*(_paint(rank) for rank in MEDALS)),
        class_name="absolute size-0",
        aria_hidden="true",
    )


def _paint(rank: int) -> rx.Component:
    return rx.el.svg.linear_gradient(
        rx.el.svg.stop(offset="0", style={"stopColor": f"var(--medal-{rank}-light)"}),
        rx.el.svg.stop(offset=".5", style={"stopColor": f"var(--medal-{rank})"}),
        rx.el.svg.stop(offset="1", style={"stopColor": f"var(--medal-{rank}-dark)"}),
        id=f"medal-{rank}",
        x1="0",
        y1="0",
        x2="1",
        y2="1",
    )


def medal(rank: rx.Var[int]) -> rx.Component:
    """Gold, silver or bronze: equals have the same."""
    match: Any = rx.match
    return match(rank, *((known, _medal(known)) for known in MEDALS), rx.fragment())


def _medal(rank: int) -> rx.Component:
    name: Text = t("leaderboard.rank_of", rank=str(rank))
    return rx.el.svg(
        rx.el.svg.path(d=_HEXAGON),
        rx.el.svg.text(str(rank), x="18", y="26"),
        view_box="0 0 36 40",
        class_name=f"medal medal-{rank} h-10 w-9",
        role="img",
        custom_attrs=attributes(aria_label=name),
    )
