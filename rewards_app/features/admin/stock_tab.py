"""Gift codes: how many are left of each package, and a sheet that brings in more."""

from typing import Any

import reflex as rx
from reflex_base.event import passthrough_event_spec

from rewards_app.core.access import LONGEST_SHEET
from rewards_app.core.state import AppState
from rewards_app.features.admin.stock_state import StockState
from rewards_app.features.shop.parts import product
from rewards_app.i18n.page_text import t
from rewards_app.ui.buttons import button
from rewards_app.ui.cards import key_figure, key_figures, panel, skeleton, status
from rewards_app.ui.forms import actions, textarea_field
from rewards_app.ui.icons import icon
from rewards_app.ui.names import unbroken
from rewards_app.ui.numbers import number
from rewards_app.ui.tables import Column, table

TEMPLATE = "package,code\nvbucks-1000,XXXX-XXXX-XXXX"


class SheetForm(rx.Component):
    """Around a file input and the field `sheet`: reads a file, sends what is not too large.

    It has `data-refused` from a sheet that it does not send until another one has come in.
    """

    library = "$/public/sheet"
    tag = "SheetForm"

    most: rx.Var[int]
    problems: rx.Var[list[dict[str, Any]]]
    problem_count: rx.Var[int]
    done: rx.Var[str]
    on_send: rx.EventHandler[passthrough_event_spec(str)]


def stock_tab() -> rx.Component:
    return rx.cond(
        StockState.is_loaded,
        rx.el.div(
            _figures(),
            # On a phone before the long list.
            rx.el.div(_import(), class_name="min-w-0 xl:col-start-2 xl:row-span-2 xl:row-start-1"),
            _levels(),
            class_name=_COLUMNS,
        ),
        rx.el.div(skeleton("tile"), *(skeleton("row") for _ in range(8)), class_name="grid gap-3"),
    )


_COLUMNS = (
    "grid items-start gap-6 xl:grid-cols-[minmax(0,1fr)_352px] xl:grid-rows-[auto_minmax(0,1fr)]"
)


def _figures() -> rx.Component:
    return key_figures(
        key_figure(t("codes.free_codes"), number(StockState.free)),
        key_figure(t("codes.running_low"), number(StockState.running_low)),
        key_figure(t("codes.sold_out"), number(StockState.sold_out)),
    )


def _levels() -> rx.Component:
    return panel(
        table(
            [
                Column(t("codes.package"), is_main=True),
                Column(t("codes.free"), is_number=True),
                Column(t("codes.demo"), is_number=True),
                Column(t("codes.reserved"), is_number=True),
                Column(t("codes.delivered"), is_number=True),
                Column(t("codes.level")),
            ],
            StockState.levels,
            _cells,
            caption=t("codes.levels"),
        ),
        rx.cond(StockState.withheld > 0, _withheld()),
        title=t("codes.levels"),
        flush=True,
    )


def _withheld() -> rx.Component:
    """Why a package may be sold out whose codes are here."""
    told = t("codes.withheld", count=StockState.withheld, shown=number(StockState.withheld))
    return rx.el.p(told, class_name="border-t border-line px-5 py-4 text-quiet")


def _cells(level: Any) -> list[Any]:
    return [
        rx.el.span(
            rx.el.span(_package(level), class_name="block font-medium"),
            rx.el.span(level["game"], class_name="block text-sm font-normal text-quiet"),
        ),
        number(level["free"].to(int)),
        rx.el.span(number(level["demo"].to(int)), class_name="text-quiet"),
        rx.el.span(number(level["reserved"].to(int)), class_name="text-quiet"),
        rx.el.span(number(level["delivered"].to(int)), class_name="text-quiet"),
        _word(level),
    ]


def _package(level: Any) -> rx.Component:
    """What is sold no more is called as in the sheets that its codes came by."""
    return rx.cond(level["is_sold"].to(bool), unbroken(product(level)), level["package_id"].to(str))


def _word(level: Any) -> rx.Component:
    """Nothing of what is sold no more: nobody waits for its codes."""
    return rx.cond(
        level["is_sold"].to(bool),
        rx.cond(
            level["free"].to(int) == 0,
            status(t("codes.is_sold_out"), "danger"),
            rx.cond(
                level["is_low"].to(bool),
                status(t("codes.is_low"), "action"),
                status(t("codes.is_enough"), "good"),
            ),
        ),
    )


def _import() -> rx.Component:
    return panel(
        rx.el.p(t("codes.import_text"), class_name="mb-3 text-quiet"),
        rx.el.p(t("codes.template"), class_name="text-sm font-medium"),
        rx.el.pre(TEMPLATE, class_name=_TEMPLATE),
        SheetForm.create(
            _file(),
            textarea_field(
                "sheet",
                t("codes.sheet"),
                rows=6,
                hint=t("codes.sheet_hint", most=number(LONGEST_SHEET)),
                required=True,
                spell_check=False,
                auto_complete="off",
            ),
            actions(button(t("codes.import"), submits=True, busy=AppState.is_busy, wide=True)),
            _imported(),
            most=LONGEST_SHEET,
            problems=StockState.problems,
            problem_count=StockState.problem_count,
            done=StockState.done,
            on_send=StockState.bring_in,
            class_name="group grid gap-4",
        ),
        title=t("codes.import_title"),
    )


_TEMPLATE = (
    "mt-1 mb-4 overflow-x-auto rounded-control border border-line bg-bg p-3 font-mono text-sm"
)


def _file() -> rx.Component:
    """The system's own dialog behind a button of ours."""
    return rx.el.label(
        icon("file-up", 18),
        t("codes.choose_file"),
        rx.el.input(type="file", accept=".csv,.txt,text/csv,text/plain", class_name="sr-only"),
        class_name=(
            "inline-flex min-h-11 cursor-pointer items-center justify-center gap-2 rounded-control"
            " border border-edge px-[18px] font-semibold hover:bg-raised"
            " has-focus-visible:outline-2 has-focus-visible:outline-offset-2"
            " has-focus-visible:outline-cyan"
        ),
    )


def _imported() -> rx.Component:
    return rx.el.div(
        rx.cond(
            StockState.imported > 0,
            rx.el.p(
                icon("circle-check", 18, class_name="mt-0.5"),
                t(
                    "codes.imported",
                    count=StockState.imported,
                    shown=number(StockState.imported),
                ),
                class_name="flex gap-2 font-medium text-good",
            ),
        ),
        role="status",
        class_name="empty:hidden group-data-refused:hidden",
    )
