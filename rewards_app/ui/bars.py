"""The bars on top of every page, and what they show of the player."""

import reflex as rx

from rewards_app.i18n.page_text import t
from rewards_app.ui.brand import balance as balance_of
from rewards_app.ui.brand import logo
from rewards_app.ui.buttons import icon_button
from rewards_app.ui.feedback import progress
from rewards_app.ui.icons import icon
from rewards_app.ui.links import anchor
from rewards_app.ui.markup import Child
from rewards_app.ui.numbers import number

STATEMENT = "/profile/statement"
BAR = "mx-auto flex h-full w-full max-w-frame items-center gap-2 px-4 sm:gap-4 lg:px-6"
DRAWER = "navigation-drawer"


def top_bar(
    players_online: rx.Var[int] | int | None,
    language_menu: Child,
    theme_menu: Child,
    bell: Child | None = None,
) -> rx.Component:
    online = [] if players_online is None else [_players_online(players_online)]
    news = [] if bell is None else [bell]
    return rx.el.div(
        rx.el.div(
            logo(), space(), *online, *news, language_menu, on_desk(theme_menu), class_name=BAR
        ),
        class_name="h-13 border-b border-line",
    )


def second_bar(status: Child | None, on_the_right: Child | None, *, always: bool) -> rx.Component:
    return rx.el.div(
        rx.el.div(
            icon_button("menu", t("frame.menu"), opens=DRAWER, class_name="-ml-3 lg:hidden"),
            *(
                []
                if status is None
                else [rx.el.div(status, class_name="min-w-0 text-sm/tight wrap-anywhere")]
            ),
            space(),
            *([] if on_the_right is None else [on_the_right]),
            class_name=BAR,
        ),
        class_name=f"h-13 border-b border-line {'' if always else 'lg:hidden'}".strip(),
    )


def owned(balance: rx.Var[int] | int) -> rx.Component:
    """What the player owns, leading to where every coin came from."""
    return anchor(
        balance_of(balance),
        href=STATEMENT,
        class_name="target rounded-control text-text no-underline hover:brightness-110",
    )


def ads_today(count: rx.Var[int] | int, limit: int) -> rx.Component:
    """How far today's ads are, in the second bar."""
    label = t("frame.ads_today")
    return rx.el.span(
        rx.el.span(label, class_name="text-quiet max-sm:sr-only"),
        icon("play", 16, class_name="text-quiet sm:hidden"),
        progress(count, limit, label, class_name="w-24 max-sm:hidden"),
        rx.el.span(
            t("frame.ads_today_of", done=number(count), limit=number(limit)),
            class_name="tnum whitespace-nowrap",
        ),
        class_name="flex items-center gap-3",
    )


def _players_online(count: rx.Var[int] | int) -> rx.Component:
    shown = number(count)
    return rx.el.span(
        rx.el.span(class_name="size-2 shrink-0 rounded-full bg-good", aria_hidden="true"),
        rx.el.span(t("frame.players_online", count=count, shown=shown), class_name="max-sm:hidden"),
        rx.el.span(
            t("frame.online", count=count, shown=shown), class_name="max-[420px]:sr-only sm:hidden"
        ),
        rx.el.span(shown, class_name="min-[420px]:hidden", aria_hidden="true"),
        class_name=(
            "tnum inline-flex h-8 items-center gap-2 rounded-full border border-line bg-panel"
            " px-2.5 text-sm whitespace-nowrap sm:px-3"
        ),
    )


def on_desk(child: Child) -> rx.Component:
    return rx.el.span(child, class_name="hidden sm:inline-flex")


def on_phone(child: Child) -> rx.Component:
    return rx.el.span(child, class_name="inline-flex sm:hidden")


def space() -> rx.Component:
    return rx.el.span(class_name="flex-1", aria_hidden="true")
