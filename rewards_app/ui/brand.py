"""The brand: the logo, the coin, and amounts of coins. Gold belongs to coins alone."""

import reflex as rx

from rewards_app.i18n.page_text import t
from rewards_app.ui.links import anchor
from rewards_app.ui.markup import NBSP, Child, Number, sized
from rewards_app.ui.numbers import counting, number, signed


def mark(size: int = 26) -> rx.Component:
    """The sign of the house."""
    return rx.el.span(
        class_name="mark inline-block shrink-0 rounded-[7px]",
        custom_attrs=sized(size),
        aria_hidden="true",
    )


def logo(href: str = "/") -> rx.Component:
    """Sign and name, leading home."""
    return anchor(
        mark(),
        rx.el.span(t("app.name"), class_name="max-[340px]:sr-only"),
        href=href,
        class_name=(
            "target inline-flex items-center gap-2.5 rounded-control font-display text-lg"
            " font-extrabold text-text no-underline"
        ),
    )


def coin(size: int = 18) -> rx.Component:
    """One coin."""
    return rx.el.span(
        class_name="coin inline-block shrink-0 rounded-full",
        custom_attrs=sized(size),
        aria_hidden="true",
    )


def coins(
    amount: Number,
    *,
    size: int = 18,
    is_change: bool = False,
    with_unit: bool = False,
    class_name: str = "",
) -> rx.Component:
    """An amount of coins: the coin, the number and its unit never part."""
    written = signed(amount) if is_change else number(amount)
    unit = t("ui.coins", count=amount)
    return _amount(
        coin(size),
        rx.el.span(written, class_name="font-semibold text-gold"),
        rx.el.span(
            NBSP,
            unit,
            class_name="text-sm font-normal text-quiet" if with_unit else "sr-only",
        ),
        class_name=class_name,
    )


def coin_figure(amount: Child) -> rx.Component:
    """A large amount whose label says that it is coins."""
    return _amount(coin(20), rx.el.span(amount, class_name="text-gold"), class_name="")


def balance(amount: Number) -> rx.Component:
    """What someone owns: it counts to its new value and never jumps."""
    return _amount(
        coin(20),
        rx.el.span(counting(amount), class_name="font-display text-lg font-bold text-gold"),
        rx.el.span(NBSP, t("ui.coins", count=amount), class_name="text-sm text-quiet"),
        class_name="",
    )


def _amount(*parts: rx.Component, class_name: str) -> rx.Component:
    """It stands on the line of its row: what is written does, and not the coin."""
    return rx.el.span(
        rx.el.span(parts[0], class_name="inline-flex self-center"),
        rx.el.span(*parts[1:]),
        class_name=(
            f"tnum inline-flex items-baseline gap-1.5 whitespace-nowrap {class_name}".strip()
        ),
    )
