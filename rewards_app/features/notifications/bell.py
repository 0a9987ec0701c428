"""The bell in the top bar: how much is unread, and a panel with what somebody was told."""

from typing import Any

import reflex as rx

from rewards_app.features.notifications.letters import SETTINGS
from rewards_app.features.notifications.rules import ABOUT
from rewards_app.features.notifications.state import BellState
from rewards_app.i18n.page_text import t
from rewards_app.ui.buttons import button
from rewards_app.ui.cards import skeleton
from rewards_app.ui.feedback import loading_line
from rewards_app.ui.icons import icon, icon_tile
from rewards_app.ui.links import anchor, link
from rewards_app.ui.markup import attributes, hidden_text
from rewards_app.ui.numbers import ago, number
from rewards_app.ui.refusal import Words

PANEL = "notifications"
MOST_SHOWN = 99


def bell() -> rx.Component:
    return rx.fragment(_button(), _panel())


def _button() -> rx.Component:
    unread = BellState.unread
    opened: Any = BellState.open
    shown = rx.cond(unread > MOST_SHOWN, f"{MOST_SHOWN}+", number(unread)).to(str)
    return rx.el.button(
        icon("bell"),
        rx.cond(
            unread > 0,
            rx.el.span(
                shown,
                class_name=(
                    "tnum absolute top-0.5 right-0 min-w-5 rounded-full bg-purple-strong px-1"
                    " text-center text-xs/5 font-bold text-on-purple"
                ),
                aria_hidden="true",
            ),
        ),
        type="button",
        on_click=opened,
        class_name=(
            "relative grid size-11 shrink-0 place-items-center rounded-control text-quiet"
            " hover:bg-raised hover:text-text"
        ),
        custom_attrs={
            "popoverTarget": PANEL,
            **attributes(
                aria_label=rx.cond(
                    unread > 0,
                    t("notifications.bell_unread", count=unread, shown=shown),
                    t("notifications.title"),
                ),
                aria_haspopup="dialog",
            ),
        },
    )


def _panel() -> rx.Component:
    """Escape and a press beside it close it, and the focus goes back: the browser does that."""
    return rx.el.div(
        rx.el.div(
            rx.el.h2(t("notifications.title"), class_name="text-lg", custom_attrs={"id": _TITLE}),
            rx.cond(
                BellState.unread > 0,
                button(
                    t("notifications.read_all"),
                    kind="link",
                    size="sm",
                    on_click=BellState.read_all,
                ),
            ),
            class_name="flex min-h-13 items-center justify-between gap-2 border-b border-line px-4",
        ),
        rx.el.div(_told(), class_name="min-h-0 flex-1 overflow-y-auto"),
        rx.el.div(
            link(t("notifications.to_settings"), href=SETTINGS, quiet=True),
            class_name="border-t border-line px-4 py-3 text-sm",
        ),
        class_name=(
            "fixed inset-auto top-13 right-2 m-0 hidden max-h-[min(640px,calc(100dvh-72px))]"
            " w-[min(400px,calc(100vw-16px))] flex-col overflow-hidden rounded-panel border"
            " border-line bg-panel p-0 text-text shadow-2xl open:flex sm:right-4"
        ),
        custom_attrs={
            "id": PANEL,
            "popover": "auto",
            **attributes(role="dialog", aria_labelledby=_TITLE),
        },
    )


_TITLE = f"{PANEL}-title"


def _told() -> rx.Component:
    more: Any = BellState.load_more
    return rx.cond(
        BellState.is_loaded,
        rx.cond(
            BellState.told,
            rx.fragment(
                rx.el.ul(rx.foreach(BellState.told, _one)),
                rx.cond(
                    BellState.next_before != "",
                    rx.el.div(
                        button(
                            t("statement.more"),
                            kind="ghost",
                            size="sm",
                            on_click=more(BellState.next_before),
                        ),
                        class_name="flex justify-center p-3",
                    ),
                ),
            ),
            _nothing(),
        ),
        rx.el.div(
            loading_line(),
            *(skeleton("row") for _ in range(3)),
            class_name="grid gap-3 p-4",
        ),
    )


def _nothing() -> rx.Component:
    return rx.el.div(
        icon_tile("bell-off", "text-lilac"),
        rx.el.p(t("notifications.none"), class_name="mt-2 font-semibold"),
        rx.el.p(t("notifications.none_text"), class_name="max-w-[36ch] text-sm text-quiet"),
        class_name="grid justify-items-center gap-1.5 px-5 py-10 text-center",
    )


def _one(told: Any) -> rx.Component:
    """What happened, leading there; following it reads it."""
    read: Any = BellState.read
    is_read = told["is_read"].to(bool)
    return rx.el.li(
        anchor(
            _sign(told["kind"]),
            rx.el.span(
                rx.cond(is_read, rx.fragment(), hidden_text(t("notifications.unread"), " ")),
                rx.el.span(
                    Words.create(says=told["says"].to(dict)),
                    class_name=rx.cond(
                        is_read,
                        "block wrap-anywhere text-quiet",
                        "block wrap-anywhere text-text",
                    ),
                ),
                rx.el.span(ago(told["at"].to(str)), class_name="block text-sm text-quiet"),
                class_name="min-w-0 flex-1",
            ),
            rx.cond(
                is_read,
                rx.fragment(),
                rx.el.span(
                    class_name="mt-2 size-2 shrink-0 rounded-full bg-cyan", aria_hidden="true"
                ),
            ),
            href=told["link"].to(str),
            on_click=read(told["id"].to(str)),
            class_name=(
                "flex items-start gap-3 px-4 py-3 no-underline hover:bg-raised"
                " focus-visible:-outline-offset-2"
            ),
        ),
        class_name="border-b border-line last:border-b-0",
    )


def _sign(kind: Any) -> rx.Component:
    match: Any = rx.match
    signs = ((known.value, icon(about.icon, 18)) for known, about in ABOUT.items())
    return rx.el.span(
        match(kind.to(str), *signs, icon("bell", 18)),
        class_name="mt-0.5 shrink-0 text-lilac",
    )
