"""For how long each kind of data is kept, as a table."""

import reflex as rx

from rewards_app.features.privacy.retention import KEPT, Kept
from rewards_app.i18n.page_text import t
from rewards_app.ui.cards import panel
from rewards_app.ui.markup import Child
from rewards_app.ui.tables import Column, table


def retention_panel() -> rx.Component:
    return panel(
        rx.el.p(t("retention.text"), class_name="px-4 pb-4 text-quiet sm:px-5"),
        table(
            [
                Column(t("retention.what"), is_main=True),
                Column(t("retention.how_long")),
                Column(t("retention.why")),
            ],
            KEPT,
            _cells,
            caption=t("retention.title"),
            cell_on_phone=130,
        ),
        title=t("retention.title"),
        flush=True,
    )


def _cells(kept: Kept) -> list[Child]:
    name = f"retention.kept.{kept.name}"
    return [t(name), t(f"retention.periods.{kept.period}"), t(f"{name}_why")]
