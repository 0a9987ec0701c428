"""Home: for players at /, for companies at /advertiser, for admins the overview at /."""

import reflex as rx

from rewards_app.core.actor import PLAYING_ROLES, Role
from rewards_app.core.page import Page
from rewards_app.core.state import AppState
from rewards_app.features.dashboard.state import CensusState, HomeState
from rewards_app.i18n.page_text import t
from rewards_app.ui.cards import facts, key_figure, key_figures, page_head, panel, skeleton, status
from rewards_app.ui.markup import Text
from rewards_app.ui.numbers import ago, date, number

FIGURES = ("players", "companies", "staff", "newcomers", "open_sessions")


def player_home() -> rx.Component:
    return rx.fragment(
        page_head(t("home.welcome", name=AppState.name), t("home.player_text")), own_account()
    )


def company_home() -> rx.Component:
    return rx.fragment(
        page_head(t("home.welcome", name=AppState.name), t("home.company_text")), own_account()
    )


def admin_overview() -> rx.Component:
    return rx.fragment(
        page_head(t("overview.title"), t("overview.text")),
        rx.cond(
            CensusState.census,
            key_figures(
                *(
                    key_figure(t(f"overview.{name}"), number(CensusState.census[name]))
                    for name in FIGURES
                )
            ),
            skeleton("tile"),
        ),
        rx.el.div(own_account(), class_name="mt-6"),
    )


def own_account() -> rx.Component:
    """Everything shown is the account's own; while it loads, its final shape."""
    account = HomeState.account
    return panel(
        rx.cond(
            account,
            facts(
                (t("home.email"), _verified_email(account["email"])),
                (t("home.username"), account["username"]),
                (t("home.kind"), t(f"roles.{AppState.role}")),
                (t("home.member_since"), date(account["member_since"])),
                (t("home.signed_in"), ago(account["signed_in_at"])),
                (t("home.sessions"), number(HomeState.open_sessions)),
            ),
            rx.el.div(*(skeleton("line", "my-3") for _ in range(6))),
        ),
        title=t("home.account"),
        class_name="max-w-[640px]",
    )


def _verified_email(email: Text) -> rx.Component:
    return rx.el.span(
        email,
        " ",
        status(t("home.verified"), "good"),
        class_name=(
            "inline-flex flex-wrap items-center justify-end gap-x-2 gap-y-1"
            " [overflow-wrap:anywhere]"
        ),
    )


PAGES = [
    Page("/", player_home, "home.page_title", roles=PLAYING_ROLES, on_load=[HomeState.load]),
    Page(
        "/",
        admin_overview,
        "overview.title",
        roles=frozenset({Role.ADMIN}),
        on_load=[CensusState.load, HomeState.load],
    ),
    Page(
        "/advertiser",
        company_home,
        "home.page_title",
        roles=frozenset({Role.COMPANY}),
        on_load=[HomeState.load],
    ),
]
