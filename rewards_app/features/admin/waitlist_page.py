"""Who waits to be told that the doors are open. In Swedish, whatever the language is."""

from typing import Any

import reflex as rx

from rewards_app.core.actor import Role
from rewards_app.core.page import Page
from rewards_app.features.admin.state import LONGEST_SEARCH
from rewards_app.features.admin.state import PATH as PANEL
from rewards_app.features.admin.waitlist_state import WaitlistState
from rewards_app.features.waitlist import service
from rewards_app.i18n.page_text import t
from rewards_app.ui.buttons import button, look
from rewards_app.ui.cards import empty_state, page_head, panel, skeleton, status
from rewards_app.ui.forms import actions
from rewards_app.ui.icons import icon
from rewards_app.ui.links import browser_link, link
from rewards_app.ui.names import mail_address
from rewards_app.ui.numbers import number_in_swedish
from rewards_app.ui.overlays import dialog
from rewards_app.ui.search import search_form
from rewards_app.ui.tables import Column, table

PATH = f"{PANEL}/waitlist"
SHEET = "/exports/waitlist.csv"
LEFT_OUT = "left-out"


def waitlist() -> rx.Component:
    return rx.el.div(
        page_head(
            t("admin.waitlist.title"),
            link(t("admin.waitlist.to_panel"), href=PANEL, class_name="target"),
            [_export(), _open_doors()],
        ),
        _counts(),
        _left_out(),
        _question(),
        rx.cond(
            WaitlistState.is_loaded,
            rx.fragment(
                _search(),
                rx.cond(
                    WaitlistState.people,
                    _people(),
                    rx.cond(WaitlistState.search, _not_found(), _nobody()),
                ),
            ),
            rx.cond(
                WaitlistState.has_failed,
                _failed(),
                rx.el.div(*(skeleton("row") for _ in range(8)), class_name="grid gap-3"),
            ),
        ),
        # Read aloud as what it is, also where the rest of the page speaks another language.
        lang="sv",
    )


def _export() -> rx.Component:
    return browser_link(
        icon("download", 18),
        t("admin.waitlist.export"),
        href=SHEET,
        class_name=look("ghost").replace("enabled:", ""),
        custom_attrs={"download": True, "aria-describedby": LEFT_OUT},
    )


def _left_out() -> rx.Component:
    """Why the export's file is shorter than the list, and some rows have no button."""
    return rx.el.p(
        t("admin.waitlist.export_note"),
        id=LEFT_OUT,
        class_name="mb-4 text-sm text-quiet",
    )


def _open_doors() -> rx.Component:
    ask: Any = WaitlistState.ask
    return rx.cond(
        WaitlistState.counts["to_tell"] > 0,
        button(t("admin.waitlist.open"), on_click=ask, busy=WaitlistState.is_telling),
    )


def _counts() -> rx.Component:
    """Always there, so that what changes in it is announced."""
    return rx.el.div(
        rx.cond(
            WaitlistState.counts,
            rx.fragment(
                *(
                    rx.el.span(t(f"admin.waitlist.{name}_count", shown=_counted(name)))
                    for name in ("to_tell", "told", "unconfirmed")
                ),
                rx.cond(
                    WaitlistState.is_telling,
                    status(t("admin.waitlist.is_sending", shown=_counted("to_tell")), "good"),
                ),
            ),
            skeleton("line", "my-1 w-64 max-w-full"),
        ),
        class_name="tnum mb-1 flex flex-wrap gap-x-6 gap-y-1 text-quiet",
        role="status",
    )


def _counted(name: str) -> rx.Var[str]:
    return number_in_swedish(WaitlistState.counts[name])


def _question() -> rx.Component:
    stop, send = WaitlistState.stop_asking, WaitlistState.send_opening
    to_tell, unconfirmed = _counted("to_tell"), _counted("unconfirmed")
    return dialog(
        rx.el.p(t("admin.waitlist.ask_text", shown=to_tell)),
        rx.el.p(t("admin.waitlist.ask_opens"), class_name="mt-2"),
        rx.el.p(
            t("admin.waitlist.ask_left_out", shown=unconfirmed),
            class_name="mt-2 text-quiet",
        ),
        id="open-doors",
        title=t("admin.waitlist.ask_title"),
        open=WaitlistState.is_asking,
        on_close=stop,
        close=t("admin.waitlist.close"),
        footer=actions(
            button(t("admin.waitlist.cancel"), kind="ghost", closes="open-doors"),
            button(t("admin.waitlist.send_to", shown=to_tell), on_click=send),
        ),
    )


def _search() -> rx.Component:
    return search_form(
        "search",
        t("admin.waitlist.email"),
        t("admin.waitlist.find"),
        on_submit=WaitlistState.find,
        placeholder=t("admin.waitlist.search_hint"),
        max_length=LONGEST_SEARCH,
        key=WaitlistState.round,
        class_name="mb-4 max-w-100",
    )


def _not_found() -> rx.Component:
    return empty_state(
        "search-x",
        t("admin.waitlist.not_found"),
        t("admin.waitlist.not_found_text"),
        button(t("admin.waitlist.show_all"), kind="ghost", on_click=WaitlistState.show_all),
    )


def _failed() -> rx.Component:
    return empty_state(
        "cloud-off",
        t("admin.waitlist.not_loaded"),
        t("errors.waitlist.not_loaded_text"),
        button(t("admin.waitlist.try_again"), kind="ghost", on_click=WaitlistState.load),
    )


def _nobody() -> rx.Component:
    return empty_state("mail", t("admin.waitlist.nobody"), t("admin.waitlist.nobody_text"))


def _people() -> rx.Component:
    more: Any = WaitlistState.load_more
    return panel(
        table(
            [
                Column(t("admin.waitlist.email"), is_main=True),
                Column(t("admin.waitlist.date")),
                Column(t("admin.waitlist.notified")),
            ],
            WaitlistState.people,
            _cells,
            caption=t("admin.waitlist.title"),
            cell_on_phone=132,
        ),
        rx.cond(
            WaitlistState.next_before,
            rx.el.div(
                button(
                    t("admin.waitlist.more"),
                    kind="ghost",
                    on_click=more(WaitlistState.next_before),
                ),
                class_name="flex justify-center border-t border-line p-3",
            ),
        ),
        flush=True,
    )


def _cells(one: Any) -> list[Any]:
    return [
        rx.el.span(mail_address(one["email"]), class_name="wrap-anywhere"),
        rx.el.span(one["date"].to(str), class_name="tnum text-quiet"),
        _turn(one),
    ]


def _turn(one: Any) -> rx.Component:
    """Says how it is, and turns it; among many its name for readers says whose it is.

    Who has not confirmed is told nothing: there is nothing to turn.
    """
    turn: Any = WaitlistState.turn
    is_notified = one["notified"].to(bool)
    words = rx.cond(is_notified, t("admin.waitlist.is_notified"), t("admin.waitlist.waits"))
    turns = button(
        rx.cond(is_notified, icon("circle-check", 16), icon("clock", 16)),
        words,
        kind="ghost",
        size="sm",
        on_click=turn(one["id"].to(str), ~is_notified),
        label_for_readers=rx.Var.create(f"{words}: {one['email']}"),
    )
    return rx.cond(
        one["is_confirmed"].to(bool), turns, status(t("admin.waitlist.is_unconfirmed"), "quiet")
    )


PAGES = [
    Page(
        PATH,
        waitlist,
        "admin.waitlist.page_title",
        roles=frozenset({Role.ADMIN}),
        on_load=[WaitlistState.load],
        follows={service.CHANGED: [WaitlistState.refresh]},
    )
]
