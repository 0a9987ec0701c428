"""Panels and what stands in them: heads, tiles, figures, badges, facts, empty places."""

from collections.abc import Sequence
from typing import Any, Literal

import reflex as rx

from rewards_app.ui.icons import icon, icon_tile
from rewards_app.ui.links import anchor
from rewards_app.ui.markup import Child, Number, Text, classes
from rewards_app.ui.numbers import change as change_of

Tone = Literal["quiet", "good", "danger", "action", "house", "purple"]
Shape = Literal["line", "title", "tile", "card", "row", "avatar"]

_TONES: dict[Tone, str] = {
    "quiet": "text-quiet bg-raised",
    "good": "text-good bg-good/9",
    "danger": "text-danger bg-danger/9",
    "action": "text-cyan bg-cyan/9",
    "house": "text-lilac bg-purple/9",
    "purple": "text-on-purple bg-purple-strong",
}
_PILL = "inline-flex min-h-6 items-center rounded-full px-2.5 text-sm/tight font-semibold"
_SHAPES: dict[Shape, str] = {
    "line": "h-4 w-full rounded",
    "title": "h-7 w-56 max-w-full rounded",
    "tile": "h-24 w-full rounded-panel",
    "card": "h-64 w-full rounded-panel",
    "row": "h-13 w-full rounded-control",
    "avatar": "size-10 rounded-full",
}


def panel(
    *children: Child,
    title: Text | None = None,
    aside: Child | None = None,
    glows: bool = False,
    flush: bool = False,
    class_name: str = "",
) -> rx.Component:
    """A calm surface; `flush` lets a table reach its edges, `glows` is for what counts most."""
    edges = "overflow-hidden" if flush else "p-4 sm:p-5"
    head = [] if title is None else [_panel_head(title, aside, flush)]
    return rx.el.section(
        *head,
        *children,
        class_name=(
            f"min-w-0 rounded-panel border border-line bg-panel {edges}"
            f" {'glow' if glows else ''} {class_name}"
        ),
    )


def _panel_head(title: Text, aside: Child | None, flush: bool) -> rx.Component:
    return rx.el.div(
        rx.el.h2(title, class_name="min-w-0 text-lg"),
        *([] if aside is None else [aside]),
        class_name=(
            "flex flex-wrap items-center justify-between gap-x-4 gap-y-2"
            f" {'px-4 pt-4 pb-2 sm:px-5 sm:pt-5 sm:pb-1' if flush else 'mb-4'}"
        ),
    )


def page_head(
    title: Child, subtitle: Child | None = None, actions: Sequence[Child] = ()
) -> rx.Component:
    """What this page is, and what can be done here."""
    return rx.el.header(
        rx.el.div(
            rx.el.h1(title, class_name="text-2xl text-balance"),
            *([] if subtitle is None else [rx.el.p(subtitle, class_name="mt-1 text-quiet")]),
            class_name=f"min-w-0 {'flex-auto' if subtitle is None else 'flex-[1_1_320px]'}",
        ),
        *([rx.el.div(*actions, class_name=_actions_beside(subtitle))] if actions else []),
        class_name="mb-6 flex flex-wrap items-start gap-4",
    )


def _actions_beside(subtitle: Child | None) -> str:
    """On a phone they have a line of their own, unless the title is all there is."""
    line = "" if subtitle is None else "max-sm:w-full max-sm:*:flex-auto"
    return f"flex flex-wrap gap-2 {line}".strip()


def tile(
    label: Text, value: Child, icon_name: str, *, href: str | None = None, hint: Child | None = None
) -> rx.Component:
    """One figure with its sign."""
    body = [
        icon_tile(icon_name, "text-lilac"),
        rx.el.span(
            rx.el.span(value, class_name="tnum block font-display text-xl/tight font-bold"),
            rx.el.span(label, class_name="block text-sm text-quiet"),
            *([] if hint is None else [rx.el.span(hint, class_name="block text-sm text-quiet")]),
            class_name="min-w-0",
        ),
    ]
    look = "flex items-center gap-4 rounded-panel border border-line bg-panel p-4 min-w-0"
    if href is None:
        return rx.el.div(*body, class_name=look)
    return anchor(
        *body,
        icon("chevron-right", class_name="ml-auto text-quiet"),
        href=href,
        class_name=f"{look} text-text no-underline hover:border-edge",
    )


def tiles(*children: Child) -> rx.Component:
    """Tiles side by side, as many as fit."""
    return rx.el.div(
        *children,
        class_name="grid gap-4 grid-cols-[repeat(auto-fit,minmax(min(100%,220px),1fr))]",
    )


def key_figures(*figures: rx.Component) -> rx.Component:
    """Figures in one panel, split by hairlines."""
    return rx.el.dl(*figures, class_name="figures rounded-panel border border-line bg-panel")


def key_figure(
    label: Text,
    value: Child,
    *,
    change: rx.Var[float] | float | None = None,
    previous: Child | None = None,
    is_neutral: bool = False,
) -> rx.Component:
    """Label, number, change and previous value; a change has arrow, sign and colour."""
    below: list[Child] = []
    if change is not None:
        below.append(_change(change, is_neutral))
    if previous is not None:
        below.append(rx.el.span(previous, class_name="font-normal text-quiet"))
    return rx.el.div(
        rx.el.dt(label, class_name="text-sm text-quiet"),
        rx.el.dd(value, class_name="tnum mt-0.5 font-display text-xl font-bold whitespace-nowrap"),
        *(
            [rx.el.dd(*below, class_name="tnum flex flex-wrap gap-x-1 text-sm font-semibold")]
            if below
            else []
        ),
        class_name="min-w-0 px-4 py-4 sm:px-5",
    )


def _change(share: Number, is_neutral: bool) -> rx.Component:
    risen: Any = rx.Var.create(share).to(float) >= 0
    return rx.cond(
        risen,
        _arrow("arrow-up", share, "text-text" if is_neutral else "text-good"),
        _arrow("arrow-down", share, "text-text" if is_neutral else "text-danger"),
    )


def _arrow(name: str, share: Number, tone: str) -> rx.Component:
    return rx.el.span(
        icon(name, 14),
        change_of(share),
        class_name=f"inline-flex items-center whitespace-nowrap {tone}",
    )


def badge(*children: Child, tone: Tone = "quiet") -> rx.Component:
    """A small mark on something."""
    return rx.el.span(
        *children,
        class_name=f"{_PILL} gap-1.5 {_TONES[tone]}",
    )


def status(word: Text, tone: Tone | rx.Var[str] = "quiet") -> rx.Component:
    """A state: a dot and a word, never colour alone. A Var tone is one of the tones' names."""
    look = _TONES[tone] if isinstance(tone, str) else _tone_of(tone)
    return rx.el.span(
        rx.el.span(class_name="size-[7px] shrink-0 rounded-full bg-current", aria_hidden="true"),
        word,
        class_name=classes(f"{_PILL} gap-[7px]", look),
    )


def _tone_of(tone: rx.Var[str]) -> Any:
    match: Any = rx.match
    return match(tone, *_TONES.items(), _TONES["quiet"])


def empty_state(
    icon_name: str,
    title: Text,
    text: Child,
    action: Child | None = None,
    *,
    is_whole_page: bool = False,
) -> rx.Component:
    """What will be here, and the one action that fills it."""
    heading = rx.el.h1 if is_whole_page else rx.el.h2
    return rx.el.div(
        icon_tile(icon_name, "text-lilac"),
        heading(title, class_name=f"mt-2 {'text-2xl' if is_whole_page else 'text-lg'}"),
        rx.el.p(text, class_name="max-w-[44ch] text-balance text-quiet"),
        *([] if action is None else [rx.el.div(action, class_name="mt-3")]),
        class_name=(
            "grid justify-items-center gap-1.5 rounded-panel border border-dashed border-edge"
            " px-5 py-10 text-center"
        ),
    )


def skeleton(shape: Shape = "line", class_name: str = "") -> rx.Component:
    """The place of what is loading, in its final shape; readers hear nothing of it.

    An element that nothing else is: React would make what comes of a div or span, which would move.
    """
    return rx.el.data(
        class_name=f"block {_SHAPES[shape]} animate-pulse bg-raised {class_name}".strip(),
        aria_hidden="true",
    )


_FACTS_IN_TWO = "sm:grid-cols-2 sm:gap-x-8 sm:[&>:nth-child(2)]:border-t-0"


def facts(*rows: tuple[Text, Child], columns: Literal[1, 2] = 1) -> rx.Component:
    """What is known, name by name."""
    grid = _FACTS_IN_TWO if columns == 2 else ""
    return rx.el.dl(
        *(_fact(label, value) for label, value in rows),
        class_name=f"grid gap-y-0 {grid}".strip(),
    )


def _fact(label: Text, value: Child) -> rx.Component:
    return rx.el.div(
        rx.el.dt(label, class_name="text-quiet"),
        rx.el.dd(value, class_name="tnum ml-auto min-w-0 text-right font-semibold"),
        class_name=(
            "flex flex-wrap items-baseline gap-x-4 border-t border-line py-2.5 first:border-t-0"
        ),
    )
