"""Above a long list: a search that follows the keys, and one button for each status."""

from collections.abc import Sequence
from typing import Any

import reflex as rx

from rewards_app.features.advertiser.searched import LONGEST
from rewards_app.i18n.page_text import t
from rewards_app.ui.forms import form
from rewards_app.ui.inputs import Option, seg
from rewards_app.ui.markup import Text
from rewards_app.ui.search import SEARCH, search_field

TYPED_FOR = 300
"""So many milliseconds without a key, and the search begins."""


def list_tools(
    state: Any, *, label: Text, placeholder: Text, options: Sequence[tuple[str, Text]]
) -> rx.Component:
    """For a `Searched` state; `options` are its statuses."""
    counts: Any = state.counts
    statuses = [Option(value, words, counts[value].to(int)) for value, words in options]
    return rx.el.div(
        form(
            search_field(
                "search",
                label,
                placeholder=placeholder,
                hides_label=True,
                max_length=LONGEST,
                on_change=lambda text: state.find(text, state.round).debounce(TYPED_FOR),
                default_value=state.search,
            ),
            on_submit=state.submit,
            class_name="min-w-0 flex-[1_1_280px] lg:max-w-96",
            custom_attrs=SEARCH,
            key=state.round,
        ),
        rx.el.div(
            seg(
                "status",
                t("campaigns.filter"),
                [Option("", t("campaigns.all"), counts["all"].to(int)), *statuses],
                state.status,
                state.choose_status,
            ),
            class_name="max-w-full max-sm:w-full",
        ),
        class_name="mb-6 flex flex-wrap items-center justify-between gap-4",
    )
