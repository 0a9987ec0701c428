"""Every component in both themes, side by side: for development, and for the eye."""

from collections.abc import Callable

import reflex as rx

from rewards_app.ui.brand import balance, coins, logo
from rewards_app.ui.buttons import button, icon_button, link_button
from rewards_app.ui.cards import (
    badge,
    empty_state,
    facts,
    key_figure,
    key_figures,
    page_head,
    panel,
    skeleton,
    status,
    tile,
    tiles,
)
from rewards_app.ui.feedback import banner, meter, progress
from rewards_app.ui.forms import (
    actions,
    checkbox,
    form,
    form_row,
    password_field,
    select_field,
    text_field,
    textarea_field,
)
from rewards_app.ui.inputs import Option, seg, theme_menu
from rewards_app.ui.links import link
from rewards_app.ui.numbers import ago, compact, date, kronor, number
from rewards_app.ui.overlays import dialog, drawer
from rewards_app.ui.search import search_field
from rewards_app.ui.tables import Column, table

_LONG = "Donaudampfschifffahrtsgesellschaft Достопримечательность"


def gallery() -> rx.Component:
    """Both themes; on a phone one below the other."""
    return rx.el.div(
        rx.el.h1("Components", class_name="sr-only"),
        _theme("dark"),
        _theme("light"),
        class_name="grid xl:grid-cols-2",
    )


def _theme(name: str) -> rx.Component:
    sections: tuple[Callable[[str], rx.Component], ...] = (
        _heads,
        _buttons,
        _numbers,
        _form,
        _choices,
        _cards,
        _feedback,
        _table,
        _overlays,
    )
    return rx.el.section(
        *(section(name) for section in sections),
        class_name=f"{name} arena grid min-w-0 content-start gap-6 p-4 text-text sm:p-8",
        aria_label=name,
    )


def _heads(_: str) -> rx.Component:
    return page_head(
        "Top Players",
        "Most WatchCoins earned this month. 9 days left.",
        [button("Save changes"), button("Cancel", kind="ghost")],
    )


def _buttons(_: str) -> rx.Component:
    return panel(
        rx.el.div(
            button("Watch ads", icon="circle-play"),
            button("Verifying...", busy=True),
            button("Edit", kind="ghost", icon="pencil"),
            button("Revoke all", kind="danger"),
            button("Copy", kind="link", icon="copy"),
            button("Small", kind="ghost", size="sm"),
            button("Not now", disabled=True),
            link_button("Open the shop", href="/shop", kind="ghost", icon="shopping-bag"),
            icon_button("bell", "Alerts"),
            class_name="flex flex-wrap items-center gap-3",
        ),
        rx.el.p("Read the ", link("terms", href="/terms"), ".", class_name="mt-4"),
        title="Buttons",
        aside=logo(),
    )


def _numbers(_: str) -> rx.Component:
    return panel(
        facts(
            ("Balance", balance(186)),
            ("Earned", coins(4385, with_unit=True)),
            ("Change", coins(-4199, is_change=True)),
            ("One", coins(1, with_unit=True)),
            ("Players", number(1284)),
            ("Coins distributed", compact(2_345_678)),
            ("Price", kronor(24_900)),
            ("Balance of a company", kronor(2_456_050)),
            ("Member since", date("2026-03-14T10:00:00Z")),
            ("Seen", ago("2026-03-14T10:00:00Z")),
        ),
        title="Numbers",
    )


def _form(theme: str) -> rx.Component:
    return panel(
        form(
            form_row(
                text_field(
                    "email",
                    "Email",
                    type_="email",
                    autocomplete="email",
                    placeholder="you@example.com",
                    hint="One mail when we open, nothing else.",
                    required=True,
                    field_id=f"{theme}-email",
                ),
                text_field(
                    "age",
                    "Age",
                    type_="number",
                    inputmode="numeric",
                    min=13,
                    max=99,
                    error=rx.Var.create("You must be at least 13 years old."),
                    field_id=f"{theme}-age",
                ),
            ),
            password_field(
                "password", "Password", autocomplete="new-password", field_id=f"{theme}-password"
            ),
            meter(3, "Fair"),
            select_field(
                "country",
                "Country",
                [("US", "United States"), ("SE", _LONG)],
                field_id=f"{theme}-country",
            ),
            textarea_field("bio", "Bio", field_id=f"{theme}-bio"),
            search_field(
                "search", "Search", placeholder="Order, e-mail or name", field_id=f"{theme}-search"
            ),
            checkbox("terms", "I have read the terms.", field_id=f"{theme}-terms"),
            checkbox(
                "analytics",
                "Analytics",
                hint="Counts visits, without names.",
                checked=True,
                is_switch=True,
                field_id=f"{theme}-analytics",
            ),
            actions(button("Cancel", kind="ghost"), button("Save", submits=True)),
            on_submit=rx.prevent_default,
        ),
        title="Forms",
    )


def _choices(theme: str) -> rx.Component:
    options = [
        Option("week", "This Week"),
        Option("month", "This Month"),
        Option("all", "All Time", count=12),
    ]
    return panel(
        rx.el.div(
            seg(f"{theme}-period", "Period", options, "month", rx.noop()),
            theme_menu(),
            class_name="flex flex-wrap items-center gap-4",
        ),
        title="Choices",
    )


def _cards(_: str) -> rx.Component:
    return rx.el.div(
        tiles(
            tile("Players", number(1284), "gamepad-2"),
            tile("Total ads watched", number(41_906), "square-play", href="/watch"),
            tile(_LONG, coins(2130), "target", hint="6 ads left"),
        ),
        key_figures(
            key_figure("Impressions", number(18_204), change=0.124, previous="16,196"),
            key_figure("Clicks", number(612), change=-0.031, previous="632"),
            key_figure("Spend", kronor(120_050), change=0.2, is_neutral=True, previous="1,000"),
            key_figure("Views", number(9_120)),
        ),
        rx.el.div(
            badge("Popular", tone="house"),
            badge("Save 20%", tone="good"),
            badge("You", tone="purple"),
            badge("Draft"),
            status("Active", "good"),
            status("Rejected", "danger"),
            status("In review", "action"),
            status("Paused"),
            class_name="flex flex-wrap gap-2",
        ),
        empty_state(
            "crown",
            "No players yet",
            "Be the first. One watched ad puts your name at the top of this week.",
            button("Watch ads", icon="circle-play", kind="ghost"),
        ),
        rx.el.div(
            skeleton("title"),
            skeleton(),
            skeleton("tile"),
            skeleton("row"),
            class_name="grid gap-3",
        ),
        class_name="grid gap-4",
    )


def _feedback(_: str) -> rx.Component:
    return rx.el.div(
        banner("info", "Two-factor is on", "Your next sign-in asks for a code."),
        banner(
            "warning",
            "Your password expires in 5 days",
            "Choose a new one in time.",
            button("Change password", kind="ghost", size="sm"),
        ),
        banner("danger", "Nothing was charged", "The card was refused. Your coins are back."),
        banner("good", "Saved"),
        progress(14, 50, "Ads today"),
        progress(50, 50, "Ads today", is_done=True),
        class_name="grid gap-4",
    )


def _table(_: str) -> rx.Component:
    rows = [(4, "nordlys_k", 22, 13_240), (5, _LONG, 17, 12_615), (6, "majavinter", 5, 2_130)]
    columns = [
        Column("Rank", is_number=True),
        Column("Player", is_main=True),
        Column("Level", is_number=True),
        Column("Coins", is_number=True),
        Column("Actions", hides_label=True),
    ]
    return panel(
        table(
            columns,
            rows,
            lambda row: (
                number(row[0]),
                row[1],
                number(row[2]),
                coins(row[3]),
                button("Block", kind="danger", size="sm"),
            ),
            caption="Monthly rankings",
            is_current=lambda row: row[1] == "majavinter",
        ),
        title="Table",
        aside=status("Live", "good"),
        flush=True,
    )


def _overlays(theme: str) -> rx.Component:
    return panel(
        rx.el.div(
            button("Dialog", kind="ghost", opens=f"{theme}-dialog"),
            button("Drawer", kind="ghost", opens=f"{theme}-drawer"),
            class_name="flex gap-3",
        ),
        dialog(
            rx.el.p("A revoked session is signed out within 5 seconds, in every open tab."),
            id=f"{theme}-dialog",
            title="Account Security",
            footer=actions(
                button("Cancel", kind="ghost", closes=f"{theme}-dialog"),
                button("Revoke all other sessions", kind="danger"),
            ),
        ),
        drawer(rx.el.p("Navigation", class_name="p-4"), id=f"{theme}-drawer", label="Navigation"),
        title="Overlays",
    )
