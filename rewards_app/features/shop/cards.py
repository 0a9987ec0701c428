"""What can be chosen: four currencies, and four packages of the chosen one."""

from typing import Any

import reflex as rx

from rewards_app.features.shop.catalogue import CATALOGUE, Currency, Flag
from rewards_app.features.shop.parts import idea, kr
from rewards_app.features.shop.state import ShopState
from rewards_app.i18n.page_text import t
from rewards_app.ui.cards import badge, skeleton
from rewards_app.ui.feedback import loading_line
from rewards_app.ui.glyphs import glyph_tile, pile
from rewards_app.ui.icons import icon
from rewards_app.ui.inputs import RadioInput
from rewards_app.ui.names import unbroken
from rewards_app.ui.numbers import length, number, percent

_CARD = (
    "group relative flex min-w-0 cursor-pointer rounded-panel border border-line bg-panel"
    " hover:border-edge has-checked:border-cyan has-checked:ring-1 has-checked:ring-cyan"
    " has-focus-visible:outline-2 has-focus-visible:outline-offset-3 has-focus-visible:outline-cyan"
)
_RADIO = "absolute inset-0 z-1 cursor-pointer appearance-none rounded-panel outline-none"
_PACKAGES = "grid auto-rows-fr grid-cols-2 gap-3 sm:gap-4"
_ROW = "flex flex-wrap items-baseline justify-between gap-x-3 gap-y-1"
_FIGURE = "font-display text-lg/tight font-bold sm:text-xl/tight"


def currencies() -> rx.Component:
    return rx.el.fieldset(
        rx.el.legend(t("shop.currency"), class_name="sr-only"),
        *(_currency(currency) for currency in CATALOGUE),
        class_name="grid auto-rows-fr grid-cols-2 gap-3 xl:grid-cols-[repeat(4,auto)]",
    )


def _currency(currency: Currency) -> rx.Component:
    return rx.el.label(
        RadioInput.create(
            name="currency",
            value=currency.id,
            chosen=ShopState.currency_id,
            on_choose=ShopState.choose_currency,
            class_name=_RADIO,
        ),
        glyph_tile(currency.tint, 44),
        rx.el.span(
            rx.el.span(unbroken(currency.name), class_name="block font-semibold"),
            rx.el.span(currency.game, class_name="block text-sm text-quiet"),
            class_name="min-w-0 leading-5",
        ),
        class_name=f"{_CARD} items-center gap-2.5 p-2.5 sm:gap-3 sm:p-3",
    )


def packages() -> rx.Component:
    """The chosen currency's packages and what each leaves to pay; while they load, their places."""
    return rx.cond(
        ShopState.is_loaded,
        rx.el.fieldset(
            rx.el.legend(t("shop.package"), class_name="sr-only"),
            rx.foreach(ShopState.packages, _package),
            class_name=_PACKAGES,
        ),
        rx.el.div(
            loading_line(), *(_place() for _ in range(4)), class_name=f"relative {_PACKAGES}"
        ),
    )


def tint() -> rx.Var[str]:
    """Of the chosen currency."""
    match: Any = rx.match
    known = ((currency.id, currency.tint) for currency in CATALOGUE)
    return match(ShopState.currency_id, *known, CATALOGUE[0].tint)


def currency_name() -> rx.Var[str]:
    match: Any = rx.match
    known = ((currency.id, currency.name) for currency in CATALOGUE)
    return match(ShopState.currency_id, *known, CATALOGUE[0].name)


def currency_game() -> rx.Var[str]:
    match: Any = rx.match
    known = ((currency.id, currency.game) for currency in CATALOGUE)
    return match(ShopState.currency_id, *known, CATALOGUE[0].game)


def _package(package: Any, index: Any) -> rx.Component:
    return rx.el.label(
        RadioInput.create(
            name="package",
            value=package["id"].to(str),
            chosen=ShopState.package_id,
            on_choose=ShopState.choose_package,
            class_name=_RADIO,
        ),
        rx.el.span(
            _shelf(package, index),
            rx.el.span(
                _amount(package),
                _price(package),
                _way(package),
                class_name="grid gap-2 p-3 sm:gap-3 sm:p-4",
            ),
            class_name="flex min-w-0 flex-1 flex-col",
        ),
        class_name=f"{_CARD} overflow-hidden",
    )


def _shelf(package: Any, index: Any) -> rx.Component:
    return rx.el.span(
        pile(tint(), index),
        rx.el.span(_flags(package), class_name="absolute top-3 left-3 flex flex-wrap gap-1 pr-10"),
        rx.el.span(
            icon("check", 16, class_name="hidden group-has-checked:block"),
            class_name=(
                "absolute top-3 right-3 grid size-6 place-items-center rounded-full border"
                " border-edge bg-panel/70 text-bg group-has-checked:border-cyan"
                " group-has-checked:bg-cyan"
            ),
            aria_hidden="true",
        ),
        class_name=(
            f"shelf tint-{tint()} relative grid h-28 place-items-end justify-items-center"
            " overflow-hidden"
        ),
    )


def _flags(package: Any) -> rx.Component:
    match: Any = rx.match
    return rx.cond(
        package["is_sold_out"],
        badge(t("shop.sold_out")),
        match(
            package["flag"].to(str),
            (Flag.POPULAR.value, badge(t("shop.popular"), tone="purple")),
            (Flag.BEST_VALUE.value, badge(t("shop.best_value"), tone="good")),
            rx.fragment(),
        ),
    )


def _amount(package: Any) -> rx.Component:
    price_each = number(package["unit_tenth_ore"].to(int) / 10, 1)
    return rx.el.span(
        rx.el.span(
            number(package["amount"].to(int)),
            " ",
            rx.el.span(
                unbroken(currency_name()),
                class_name="font-sans text-base font-medium normal-nums text-quiet",
            ),
            class_name=f"{_FIGURE} tnum",
        ),
        rx.el.span(
            t("shop.each", price=price_each), class_name="tnum text-sm text-quiet max-sm:hidden"
        ),
        class_name=_ROW,
    )


def _price(package: Any) -> rx.Component:
    """The full price struck through, and what is left of it once all coins are on it.

    Where people count in other money a line below has the full price, with what that is in theirs.
    """
    savings = package["savings"].to(int)
    is_foreign = package["money"].to(str) != ""
    return rx.el.span(
        rx.el.span(
            rx.el.span(
                rx.cond(is_foreign, rx.fragment(), _full_price(package)),
                rx.el.span(
                    rx.el.span(t("shop.to_pay"), " ", class_name="sr-only"),
                    kr(package["to_pay"]),
                    class_name=_FIGURE,
                ),
                class_name="flex flex-wrap items-baseline gap-x-2",
            ),
            rx.cond(savings > 0, badge("−", percent(savings / 100), tone="good")),
            class_name=_ROW,
        ),
        rx.cond(
            is_foreign,
            rx.el.span(
                _full_price(package),
                idea(package, "converted_price"),
                class_name="flex items-baseline gap-x-2",
            ),
        ),
        class_name="tnum grid gap-1",
    )


def _full_price(package: Any) -> rx.Component:
    return rx.cond(
        package["most"].to(int) > 0,
        rx.el.del_(
            rx.el.span(t("shop.full_price"), " ", class_name="sr-only"),
            kr(package["price"]),
            class_name="text-base text-quiet",
        ),
    )


def _way(package: Any) -> rx.Component:
    """How much of it the coins cover, and how to get the rest."""
    most, price = package["most"].to(int), package["price"].to(int)
    return rx.fragment(
        rx.el.span(
            rx.el.span(
                class_name="coin-fill block h-full rounded-full",
                style={"width": length(most, price)},
            ),
            class_name="block h-1.5 overflow-hidden rounded-full bg-raised",
            aria_hidden="true",
        ),
        rx.el.span(
            rx.el.span(
                t("shop.coins_of", done=number(most), all=number(price)),
                class_name="tnum max-sm:sr-only",
            ),
            rx.el.span(_goal(package), class_name="tnum"),
            class_name=f"{_ROW} text-sm text-quiet",
        ),
    )


def _goal(package: Any) -> rx.Var[str]:
    minutes = number(package["minutes"].to(int))
    return rx.cond(  # pyright: ignore[reportReturnType]
        package["missing"].to(int) == 0,
        t("shop.for_coins_alone"),
        until_free(
            package, t("shop.free_in_minutes", count=package["ads"].to(int), minutes=minutes)
        ),
    )


def until_free(package: Any, today: rx.Var[str]) -> rx.Var[str]:
    """How many ads it takes: `today` if they can be watched today, else on which day."""
    ads, days = package["ads"].to(int), package["days"].to(int)
    return rx.match(  # pyright: ignore[reportReturnType]
        days,
        (0, today),
        (1, t("shop.free_tomorrow", count=ads)),
        t("shop.free_in_days", count=days, ads=number(ads)),
    )


def _place() -> rx.Component:
    return rx.el.div(
        rx.el.div(class_name="h-28 animate-pulse bg-raised"),
        rx.el.div(
            skeleton("line", "h-6! w-2/3!"),
            skeleton("line", "h-6! w-1/2!"),
            skeleton("line", "h-1.5!"),
            skeleton("line"),
            class_name="grid gap-3 p-3 sm:p-4",
        ),
        class_name="overflow-hidden rounded-panel border border-line bg-panel",
        aria_hidden="true",
    )
