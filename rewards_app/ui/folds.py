"""Questions whose answers unfold, one at a time; each can be named in an address."""

from collections.abc import Sequence
from typing import NamedTuple

import reflex as rx

from rewards_app.ui.icons import icon
from rewards_app.ui.markup import Child, Text, attributes


class Fold(NamedTuple):
    """`name` is its fragment of the page's address."""

    name: str
    question: Child
    aside: Child
    answer: Child


class Folds(rx.Component):
    library = "$/public/folds"
    tag = "Folds"


def folds(group: str, parts: Sequence[Fold], label: Text) -> rx.Component:
    """The parts of one group: whoever opens one closes the others."""
    return Folds.create(
        *(_fold(group, part) for part in parts),
        class_name="mt-2 border-t border-line sm:mt-4",
        custom_attrs=attributes(role="group", aria_label=label),
    )


def _fold(group: str, part: Fold) -> rx.Component:
    return rx.el.details(
        rx.el.summary(
            rx.el.span(
                rx.el.span(part.question, class_name="min-w-0 font-semibold"),
                part.aside,
                class_name=(
                    "flex min-w-0 flex-1 flex-col items-start gap-1 sm:flex-row sm:items-center"
                    " sm:justify-between sm:gap-3"
                ),
            ),
            icon("chevron-down", 18, class_name="text-quiet group-open:rotate-180"),
            class_name=(
                "flex min-h-13 cursor-pointer list-none items-center gap-3 px-4 py-2"
                " hover:bg-raised/50 sm:px-5"
                " focus-visible:-outline-offset-2 [&::-webkit-details-marker]:hidden"
            ),
        ),
        rx.el.div(part.answer, class_name="px-4 pt-1 pb-4 text-quiet sm:px-5"),
        class_name="group border-b border-line last:border-b-0 scroll-mt-30",
        custom_attrs=attributes(id=part.name, name=group),
    )
