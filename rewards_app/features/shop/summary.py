"""The chosen package: coins on it, what is left to pay, the button, and what came of it."""

from typing import Any

import reflex as rx

from rewards_app.core.routes import WATCH
from rewards_app.features.shop.cards import currency_game, currency_name, tint, until_free
from rewards_app.features.shop.outcome_cards import opened, over, thanks
from rewards_app.features.shop.parts import (
    GUARDIAN,
    SECTION,
    CoinSlider,
    CoinsOnIt,
    PurchaseButton,
    idea,
    kr,
    section_head,
    sum_line,
)
from rewards_app.features.shop.rules import Card, Status
from rewards_app.features.shop.state import ShopState
from rewards_app.i18n.page_text import t
from rewards_app.ui.brand import coin_figure
from rewards_app.ui.buttons import button, link_button, look
from rewards_app.ui.cards import badge, skeleton
from rewards_app.ui.feedback import banner
from rewards_app.ui.glyphs import glyph_tile
from rewards_app.ui.icons import icon
from rewards_app.ui.links import anchor
from rewards_app.ui.markup import NBSP
from rewards_app.ui.names import unbroken
from rewards_app.ui.numbers import number, percent


def summary() -> rx.Component:
    return rx.el.section(
        rx.cond(
            ShopState.is_loaded,
            rx.cond(
                ShopState.done,
                _outcome(),
                rx.cond(ShopState.opened, opened(), _offer()),
            ),
            _place(),
        ),
        aria_label=t("shop.summary"),
        class_name="glow min-w-0 scroll-mt-30 rounded-panel border border-line bg-panel",
    )


def _outcome() -> rx.Component:
    done: Any = ShopState.done
    shop_on = button(t("shop.shop_on"), kind="ghost", on_click=ShopState.shop_on)
    return rx.cond(
        done["status"].to(str) == Status.COMPLETED.value, thanks(done), over(done, shop_on)
    )


def buy_bar() -> rx.Component:
    """On a phone the purchase stays at hand; the corner on the right belongs to the badge."""
    offer: Any = ShopState.offer
    is_choosing = ShopState.is_loaded & ~ShopState.done & ~ShopState.opened  # pyright: ignore
    return rx.cond(
        is_choosing & _can_be_paid(offer),
        rx.el.div(
            rx.el.div(
                rx.el.span(t("shop.to_pay"), class_name="block text-sm/tight text-quiet"),
                rx.el.span(
                    kr(offer["to_pay"]),
                    class_name="tnum font-display text-xl/tight font-bold whitespace-nowrap",
                ),
                idea(offer, "converted"),
                class_name="min-w-0",
            ),
            _button(offer, "min-w-0 flex-1"),
            class_name=(
                "foot-bar fixed inset-x-0 bottom-(--banner,0px) z-10 flex items-center gap-4"
                " border-t border-line bg-panel py-3 pr-18 pl-4 lg:hidden"
            ),
        ),
    )


def _can_be_paid(offer: Any) -> Any:
    """By coins alone, or the rest by card; else there is nothing to press."""
    return offer["card"].to(str) == Card.TAKEN.value


def _offer() -> rx.Component:
    offer: Any = ShopState.offer
    return rx.fragment(
        section_head(
            glyph_tile(tint(), 48),
            unbroken(f"{number(offer['amount'].to(int))}{NBSP}{currency_name()}"),
            currency_game(),
        ),
        rx.el.div(
            rx.el.div(
                rx.el.span(t("shop.apply_coins"), class_name="font-semibold"),
                rx.el.span(
                    coin_figure(CoinsOnIt.create()),
                    class_name="font-display text-xl font-bold",
                    aria_hidden="true",
                ),
                class_name="flex items-center justify-between gap-3",
            ),
            CoinSlider.create(label=t("shop.apply_coins")),
            class_name=f"{SECTION} grid gap-3",
        ),
        rx.el.div(_sum(offer), class_name=SECTION),
        rx.el.div(
            rx.cond(offer["is_sold_out"], _sold_out()),
            rx.cond(
                _can_be_paid(offer),
                rx.cond(offer["fewer_for_card"].to(int) > 0, _below_minimum(offer)),
                _without_card(offer),
            ),
            rx.cond(offer["missing"].to(int) > 0, _to_free(offer)),
            rx.cond(
                _can_be_paid(offer),
                rx.fragment(_button(offer, "w-full text-lg min-h-13 max-lg:hidden"), _next(offer)),
            ),
            class_name=f"{SECTION} grid gap-3",
        ),
    )


def _sum(offer: Any) -> rx.Component:
    used = offer["coins"].to(int)
    savings = offer["savings"].to(int)
    saved = t("shop.you_save", percent=percent(savings / 100))
    return rx.el.dl(
        sum_line(
            t("shop.package_price"), rx.fragment(kr(offer["price"]), idea(offer, "converted_price"))
        ),
        sum_line(
            t("shop.coins_applied"),
            rx.el.span(rx.cond(used > 0, "−", ""), kr(used), class_name="font-semibold text-gold"),
        ),
        rx.el.div(
            rx.el.dt(
                t("shop.to_pay"),
                rx.cond(savings > 0, badge(saved, tone="good"), badge(saved)),
                class_name="flex flex-wrap items-center gap-x-2 gap-y-1 font-semibold",
            ),
            rx.el.dd(
                rx.el.span(
                    kr(offer["to_pay"]),
                    class_name="block font-display text-2xl/tight font-bold whitespace-nowrap",
                ),
                idea(offer, "converted"),
                class_name="tnum text-right",
            ),
            class_name=(
                "mt-2 flex items-center justify-between gap-4 border-t border-dashed border-line"
                " pt-4"
            ),
        ),
        rx.cond(
            offer["money"],
            rx.el.p(t("shop.charged_in_kr"), class_name="text-right text-sm text-quiet"),
        ),
        class_name="grid gap-2",
    )


def _sold_out() -> rx.Component:
    return banner("warning", t("shop.sold_out_title"), t("shop.sold_out_text"), is_news=True)


def _below_minimum(offer: Any) -> rx.Component:
    """A card takes no less than its minimum: one press leaves that much to pay."""
    fewer = offer["fewer_for_card"].to(int)
    use_coins: Any = ShopState.use_coins
    return banner(
        "info",
        t("shop.below_minimum"),
        None,
        button(
            t("shop.use_fewer", count=fewer),
            kind="ghost",
            size="sm",
            on_click=use_coins(offer["coins"].to(int) - fewer),
        ),
        is_news=True,
    )


def _without_card(offer: Any) -> rx.Component:
    """Nobody is sent to a checkout that would be refused."""
    return rx.cond(
        offer["card"].to(str) == Card.NEEDS_GUARDIAN.value,
        banner(
            "info",
            t("errors.guardians.consent_needed_title"),
            t("shop.guardian_text"),
            link_button(t("guardians.ask"), href=GUARDIAN, kind="ghost", size="sm"),
            is_news=True,
        ),
        banner("info", t("shop.cards_off_title"), t("shop.cards_off_text"), is_news=True),
    )


def _to_free(offer: Any) -> rx.Component:
    """How it would cost coins alone."""
    return anchor(
        rx.el.span(
            icon("circle-play", 18),
            class_name=(
                "grid size-9 shrink-0 place-items-center rounded-control bg-raised text-lilac"
            ),
        ),
        rx.el.span(
            rx.el.span(
                t("shop.coins_from_free", count=offer["missing"].to(int)),
                class_name="tnum block text-base font-semibold",
            ),
            rx.el.span(
                until_free(
                    offer,
                    t(
                        "shop.watch_ads",
                        count=offer["ads"].to(int),
                        minutes=number(offer["minutes"].to(int)),
                    ),
                ),
                class_name="tnum block text-sm text-quiet",
            ),
            class_name="min-w-0 flex-1",
        ),
        icon("arrow-right", 16, class_name="text-cyan"),
        href=WATCH,
        class_name=(
            "flex items-center gap-3 rounded-control border border-line bg-raised/50 p-3"
            " text-text no-underline hover:border-edge"
        ),
    )


def _button(offer: Any, shape: str) -> rx.Component:
    words = rx.cond(
        offer["is_sold_out"],
        t("shop.sold_out"),
        rx.cond(
            offer["is_free"],
            t("shop.purchase_with_coins", count=offer["coins"].to(int)),
            t("shop.purchase_for", amount=kr(offer["to_pay"])),
        ),
    )
    look_of_sold_out = "border-dashed border-edge text-quiet"
    primary = look("primary")
    return PurchaseButton.create(
        words,
        class_name=rx.cond(
            offer["is_sold_out"],
            f"{look('ghost')} {look_of_sold_out} {shape}",
            f"{primary} {shape}",
        ),
    )


def _next(offer: Any) -> rx.Component:
    """What happens once the button is pressed."""
    left, used = offer["left"].to(int), offer["coins"].to(int)
    return rx.el.p(
        rx.cond(
            offer["is_free"],
            rx.fragment(
                icon("mail", 16, class_name="mt-0.5"),
                rx.el.span(t("shop.next_free"), " ", t("shop.next_left", count=left)),
            ),
            rx.fragment(
                icon("lock", 16, class_name="mt-0.5"),
                rx.el.span(
                    t("shop.next_card"),
                    rx.cond(used > 0, rx.fragment(" ", t("shop.next_held", count=used))),
                ),
            ),
        ),
        class_name="flex gap-2.5 text-sm text-quiet",
    )


def _place() -> rx.Component:
    """The final shape, while it loads."""
    return rx.el.div(
        rx.el.div(skeleton("row"), class_name=SECTION),
        rx.el.div(skeleton("line"), skeleton("row"), class_name=f"{SECTION} grid gap-3"),
        rx.el.div(
            skeleton("line"), skeleton("line"), skeleton("row"), class_name=f"{SECTION} grid gap-3"
        ),
        rx.el.div(skeleton("row"), skeleton("row"), class_name=f"{SECTION} grid gap-3"),
        aria_hidden="true",
    )
