"""Home: for players at /, for admins the overview at /, for who advertises at /advertiser."""

from collections.abc import Callable, Sequence
from functools import partial

import reflex as rx

from rewards_app.core.actor import EVERY_ROLE, PLAYING_ROLES, Role
from rewards_app.core.page import Page
from rewards_app.core.routes import WATCH
from rewards_app.core.state import AppState
from rewards_app.features.ads.places import VIEWED
from rewards_app.features.advertiser.home import advertiser_home, follows
from rewards_app.features.advertiser.home_state import PATH as COMPANY_HOME
from rewards_app.features.advertiser.home_state import AdvertiserState
from rewards_app.features.advertiser.membership import CHANGED
from rewards_app.features.advertiser.overview_state import OverviewState
from rewards_app.features.advertiser.overview_tab import overview_tab
from rewards_app.features.dashboard.economy_card import economy_card
from rewards_app.features.dashboard.economy_state import EconomySummaryState
from rewards_app.features.dashboard.first_steps_card import first_steps
from rewards_app.features.dashboard.own_day import own_day
from rewards_app.features.dashboard.password_banner import password_banner
from rewards_app.features.dashboard.platform import platform
from rewards_app.features.dashboard.start_state import FirstStepsState
from rewards_app.features.dashboard.state import (
    CensusState,
    HomeState,
    OwnDayState,
    PasswordState,
    PlatformState,
)
from rewards_app.features.security.sessions_state import SessionsState
from rewards_app.features.shop.buying import CHANGED as BOUGHT
from rewards_app.features.support.appeal import paused_banner
from rewards_app.features.support.restriction_state import RestrictionState
from rewards_app.i18n.page_text import t
from rewards_app.ui.cards import facts, key_figure, key_figures, page_head, panel, skeleton, status
from rewards_app.ui.icons import icon, icon_tile
from rewards_app.ui.links import anchor
from rewards_app.ui.markup import Text
from rewards_app.ui.names import mail_address
from rewards_app.ui.numbers import ago, date, number
from rewards_app.ui.poll import Poll

CENSUS_EVERY_SECONDS = 60
FIGURES = ("players", "companies", "admins", "newcomers", "open_sessions")
WAYS = (
    ("watch", WATCH, "circle-play"),
    ("shop", "/shop", "shopping-bag"),
    ("profile", "/profile", "user-round"),
    ("leaderboard", "/leaderboard", "trophy"),
)


def player_home(there: frozenset[str]) -> rx.Component:
    """`there` are the paths that a player can go to."""
    ways = [_way(*way) for way in WAYS if way[1] in there]
    return rx.fragment(
        page_head(t("home.welcome", name=AppState.name), t("home.player_text")),
        rx.el.div(
            password_banner(),
            paused_banner(),
            first_steps(),
            own_day(leads_to_ads=WATCH in there),
            platform(),
            *([rx.el.nav(*ways, class_name=_WAYS, aria_label=t("home.ways"))] if ways else []),
            class_name="grid gap-6",
            # Put there anew once it is known whether first steps stand above: nothing moves down.
            key=rx.cond(FirstStepsState.is_known, "known", "opening"),
        ),
    )


def company_home() -> rx.Component:
    return rx.el.div(
        password_banner(),
        rx.el.div(advertiser_home(), class_name="min-w-0"),
        class_name="grid grid-cols-[minmax(0,1fr)] gap-6",
    )


def admin_overview(under_what_waits: Callable[..., rx.Component]) -> rx.Component:
    return rx.fragment(
        page_head(t("overview.title"), t("overview.text")),
        Poll.create(seconds=CENSUS_EVERY_SECONDS, on_time=CensusState.refresh),
        rx.el.div(
            password_banner(),
            under_what_waits(
                rx.cond(
                    CensusState.census,
                    key_figures(
                        *(
                            key_figure(t(f"overview.{name}"), number(CensusState.census[name]))
                            for name in FIGURES
                        )
                    ),
                    # Five figures, in as many rows as the page is wide.
                    skeleton("tile", "h-[270px] min-[700px]:h-[84px]"),
                ),
                economy_card(),
                rx.el.section(
                    rx.el.h2(t("overview.advertising"), class_name="mb-4 text-lg"), overview_tab()
                ),
                own_account(),
            ),
            class_name="grid gap-6",
        ),
    )


_WAYS = "grid gap-3 sm:grid-cols-2 sm:gap-4 xl:grid-cols-4"


def _way(name: str, href: str, icon_name: str) -> rx.Component:
    return anchor(
        icon_tile(icon_name, "text-lilac"),
        rx.el.span(
            rx.el.span(t(f"home.to_{name}"), class_name="block font-semibold"),
            rx.el.span(
                t(f"home.to_{name}_text"), class_name="block text-sm text-balance text-quiet"
            ),
            class_name="min-w-0 flex-1",
        ),
        icon("chevron-right", class_name="text-quiet"),
        href=href,
        class_name=(
            "flex min-w-0 items-center gap-4 rounded-panel border border-line bg-panel p-4"
            " text-text no-underline hover:border-edge"
        ),
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
                columns=2,
            ),
            rx.el.div(
                *(skeleton("line", "my-3") for _ in range(6)),
                class_name="grid sm:grid-cols-2 sm:gap-x-8",
            ),
        ),
        title=t("home.account"),
    )


def _verified_email(email: Text) -> rx.Component:
    return rx.el.span(
        rx.el.span(mail_address(email)),
        " ",
        status(t("home.verified"), "good"),
        class_name=(
            "inline-flex flex-wrap items-center justify-end gap-x-2 gap-y-1"
            " [overflow-wrap:anywhere]"
        ),
    )


def pages(others: Sequence[Page], under_what_waits: Callable[..., rx.Component]) -> list[Page]:
    """The homes, with ways to those of the `others` that a player has, and with what an admin
    has to decide on above all else of the overview."""
    there = frozenset(page.path for page in others if page.roles & PLAYING_ROLES)
    return [
        Page(
            "/",
            partial(player_home, there),
            "home.page_title",
            roles=PLAYING_ROLES,
            on_load=[
                FirstStepsState.open,
                OwnDayState.refresh,
                PlatformState.load,
                PasswordState.check,
                RestrictionState.cancel,
                RestrictionState.load,
            ],
            refreshes=[OwnDayState.refresh, FirstStepsState.refresh],
            is_told=[RestrictionState.load, PlatformState.refresh],
        ),
        Page(
            "/",
            partial(admin_overview, under_what_waits),
            "overview.page_title",
            roles=frozenset({Role.ADMIN}),
            on_load=[
                CensusState.load,
                EconomySummaryState.load,
                OverviewState.load,
                HomeState.load,
                PasswordState.check,
            ],
            follows={
                VIEWED: [OverviewState.refresh, EconomySummaryState.refresh],
                CHANGED: [OverviewState.refresh],
                BOUGHT: [EconomySummaryState.refresh],
            },
        ),
        Page(
            COMPANY_HOME,
            company_home,
            "advertiser.page_title",
            roles=EVERY_ROLE,
            on_load=[AdvertiserState.open, PasswordState.check],
            is_told=[SessionsState.refresh],
            follows=follows(),
        ),
    ]
