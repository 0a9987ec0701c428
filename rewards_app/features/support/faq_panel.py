"""The questions that are asked most often, with answers that are true today."""

from typing import Any

import reflex as rx

from rewards_app.features.support.faq import ENTRIES, PRICES, Entry, Figures
from rewards_app.features.support.state import SupportState
from rewards_app.i18n.page_text import t
from rewards_app.ui.cards import badge, panel
from rewards_app.ui.folds import Fold, folds
from rewards_app.ui.numbers import number


def faq_panel(figures: Figures) -> rx.Component:
    title = t("support.faq_title")
    return panel(
        folds("faq", [_fold(entry, figures) for entry in ENTRIES], title), title=title, flush=True
    )


def _fold(entry: Entry, figures: Figures) -> Fold:
    return Fold(
        f"faq-{entry.name}",
        t(f"support.faq.{entry.name}"),
        badge(t(f"support.categories.{entry.category}")),
        rx.el.p(_answer(entry, _shown(figures)), class_name="max-w-[68ch]"),
    )


def _shown(figures: Figures) -> dict[str, Any]:
    numbers = {name: number(figure) for name, figure in figures.numbers.items()}
    return {**numbers, "currencies": ", ".join(figures.currencies)}


def _answer(entry: Entry, shown: dict[str, Any]) -> Any:
    answer = t(f"support.faq.{entry.name}_answer", **shown)
    if entry.name != PRICES:
        return answer
    without_cards = t("support.faq.prices_coins_answer", **shown)
    return rx.cond(SupportState.takes_cards, rx.fragment(answer), rx.fragment(without_cards))
