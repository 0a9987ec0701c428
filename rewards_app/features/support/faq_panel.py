"""The questions that are asked most often, with answers that are true today."""

import reflex as rx

from rewards_app.features.support.faq import ENTRIES, Entry, Figures
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
    shown = {name: number(figure) for name, figure in figures.params.items()}
    return Fold(
        f"faq-{entry.name}",
        t(f"support.faq.{entry.name}"),
        badge(t(f"support.categories.{entry.category}")),
        rx.el.p(t(f"support.faq.{entry.name}_answer", **shown), class_name="max-w-[68ch]"),
    )
