"""One order: its facts, its story, what the player says, and the decision on a refund."""

from typing import Any

import reflex as rx

from rewards_app.core.state import AppState
from rewards_app.features.admin.orders_state import OrderDeskState
from rewards_app.features.admin.parts import quoted
from rewards_app.features.shop.parts import order_status, product
from rewards_app.features.shop.rules import SHORTEST_REASON, Status
from rewards_app.features.support.rules import DESK
from rewards_app.features.support.ticket_page import ticket_status
from rewards_app.i18n.page_text import t
from rewards_app.ui.brand import coins
from rewards_app.ui.buttons import button
from rewards_app.ui.cards import badge, facts
from rewards_app.ui.forms import actions, form, textarea_field
from rewards_app.ui.icons import icon
from rewards_app.ui.links import LINK, anchor
from rewards_app.ui.names import mail_address, name_of
from rewards_app.ui.numbers import date_and_time, kronor, number
from rewards_app.ui.overlays import dialog
from rewards_app.ui.refusal import field_error, other_refusal, refusal_line


def order_dialog() -> rx.Component:
    order: Any = OrderDeskState.order
    is_open = order.contains("id")
    return dialog(
        rx.cond(
            is_open,
            rx.el.div(
                _facts(order),
                _story(),
                _problem(order),
                _outcome(order),
                class_name="grid gap-6",
            ),
        ),
        id="order",
        title=rx.cond(is_open, product(order), t("admin.orders.order")),
        open=is_open,
        on_close=OrderDeskState.close,
        width=640,
    )


def _facts(order: Any) -> rx.Component:
    return rx.el.div(
        rx.el.div(
            order_status(order),
            rx.cond(order["is_demo"].to(bool), badge(t("admin.orders.demo_code"))),
            class_name="mb-2 flex flex-wrap gap-1",
        ),
        facts(
            (t("admin.orders.player"), _player(order)),
            (t("admin.orders.past"), _past(order)),
            (t("admin.orders.purchase_code"), purchase_code(order)),
            (t("admin.orders.coins"), coins(order["coins"].to(int))),
            (t("admin.orders.money"), _money(order)),
        ),
    )


def _player(order: Any) -> rx.Component:
    return rx.el.span(
        name_of(order["who"].to(str)),
        rx.el.span(mail_address(order["email"]), class_name="block text-sm font-normal text-quiet"),
        class_name="wrap-anywhere",
    )


def _past(order: Any) -> Any:
    completed, refunded = order["completed"].to(int), order["refunded"].to(int)
    return t(
        "admin.orders.past_orders",
        completed=number(completed),
        refunded=number(refunded),
    )


def _money(order: Any) -> rx.Component:
    ore = order["ore"].to(int)
    return rx.el.span(
        kronor(ore),
        rx.cond(
            ore > 0,
            rx.el.span(provider_name(order), class_name="block text-sm font-normal text-quiet"),
        ),
        # By this the provider's own pages find it.
        rx.el.span(
            order["intent"],
            class_name="block font-mono text-sm font-normal wrap-anywhere text-quiet empty:hidden",
        ),
    )


def _story() -> rx.Component:
    return rx.el.section(
        rx.el.h3(t("admin.orders.story"), class_name="mb-3 text-base"),
        rx.el.ol(rx.foreach(OrderDeskState.story, _event), class_name="grid gap-3"),
    )


def _event(event: Any) -> rx.Component:
    order = OrderDeskState.order
    words = t(
        f"admin.story.{event['what']}",
        money=kronor(order["ore"].to(int)),
        number=order["ticket"],
        name=event["by"],
    )
    return rx.el.li(
        rx.el.span(
            class_name="mt-[7px] size-2 shrink-0 rounded-full bg-purple", aria_hidden="true"
        ),
        rx.el.span(words, class_name="min-w-0 flex-[1_1_200px]"),
        rx.el.span(date_and_time(event["at"].to(str)), class_name="tnum text-sm text-quiet"),
        class_name="flex flex-wrap items-baseline gap-x-3 [&>:first-child]:self-start",
    )


def _problem(order: Any) -> rx.Component:
    """What the player says, in their own words, and the way to where it is answered."""
    return rx.cond(
        order["ticket"].to(str) != "",
        rx.el.section(
            rx.el.h3(
                t("admin.orders.says", name=name_of(order["who"].to(str))), class_name="text-base"
            ),
            rx.el.p(
                ticket_link(order),
                ticket_status(order["ticket_status"]),
                class_name="mt-1 mb-2 flex flex-wrap items-center gap-x-3 gap-y-1",
            ),
            rx.el.div(rx.foreach(order["said"].to(list[str]), quoted), class_name="grid gap-2"),
        ),
    )


def ticket_link(order: Any) -> rx.Component:
    """To where all of it is read, and answered."""
    return anchor(
        icon("life-buoy", 14),
        t("admin.orders.ticket", number=order["ticket"]),
        href=rx.Var.create(f"{DESK}{order['ticket']}"),
        class_name=f"target inline-flex items-center gap-1.5 text-sm {LINK}",
    )


def _outcome(order: Any) -> rx.Component:
    return rx.cond(
        order["status"].to(str) == Status.COMPLETED.value,
        rx.fragment(rx.cond(~order["is_buyer_gone"].to(bool), _again(order)), _decision(order)),
        rx.cond(
            order["reason"].to(str) != "",
            facts((t("admin.orders.reason_was"), order["reason"].to(str))),
        ),
    )


def _again(order: Any) -> rx.Component:
    """For who has lost the mail; nobody but the buyer reads the code."""
    return rx.el.section(
        rx.el.h3(t("admin.orders.again"), class_name="mb-2 text-base"),
        rx.cond(
            order["was_delivered"].to(bool),
            rx.el.p(
                t("admin.orders.again_text", email=order["email"]), class_name="mb-4 wrap-anywhere"
            ),
            rx.el.p(
                t("admin.orders.again_without_code", email=order["email"]),
                class_name="mb-4 wrap-anywhere",
            ),
        ),
        actions(
            button(
                t("admin.orders.send_again"),
                kind="ghost",
                icon="mail",
                on_click=OrderDeskState.send_again,
            ),
        ),
        class_name="border-t border-line pt-5",
    )


def _decision(order: Any) -> rx.Component:
    """A refund, unless a bank decides already."""
    return rx.el.section(
        rx.el.h3(t("admin.orders.decision"), class_name="mb-2 text-base"),
        rx.cond(
            order["is_contested"].to(bool),
            # Sending it again may be refused, too.
            rx.fragment(rx.el.p(t("admin.orders.contested")), refusal_line(AppState.refusal)),
            _refund(order),
        ),
        class_name="border-t border-line pt-5",
    )


def _refund(order: Any) -> rx.Component:
    """What a refund does comes before it can be decided on."""
    return rx.fragment(
        rx.el.p(_consequence(order)),
        rx.cond(
            order["provider"].to(str) == "sandbox",
            rx.el.p(t("admin.orders.test_payment"), class_name="mt-1 text-quiet"),
        ),
        rx.el.p(t("admin.orders.used_code"), class_name="mt-1 mb-4 text-quiet"),
        form(
            textarea_field(
                "reason",
                t("admin.orders.reason"),
                rows=2,
                hint=rx.cond(
                    order["is_buyer_gone"].to(bool),
                    t("admin.orders.reason_hint_gone"),
                    t("admin.orders.reason_hint", name=name_of(order["who"].to(str))),
                ),
                error=field_error(AppState.refusal, "reason"),
                required=True,
                min_length=SHORTEST_REASON,
            ),
            other_refusal(AppState.refusal),
            actions(
                button(t("ui.cancel"), kind="ghost", closes="order"),
                button(_refund_words(order), kind="danger", submits=True, busy=AppState.is_busy),
            ),
            on_submit=OrderDeskState.refund,
        ),
    )


def _consequence(order: Any) -> Any:
    return _by_kind(order, "admin.orders.back")


def _refund_words(order: Any) -> Any:
    return _by_kind(order, "admin.orders.refund")


def _by_kind(order: Any, words: str) -> Any:
    """The words for coins, for money, or for both."""
    spent, ore = order["coins"].to(int), order["ore"].to(int)
    known = {
        "count": spent,
        "shown": number(spent),
        "money": kronor(ore),
        "name": name_of(order["who"].to(str)),
    }
    return rx.cond(
        spent > 0,
        rx.cond(ore > 0, t(f"{words}_both", **known), t(f"{words}_coins", **known)),
        t(f"{words}_money", **known),
    )


def purchase_code(order: Any) -> rx.Component:
    return rx.el.span(
        order["purchase_code"],
        class_name="block font-mono text-sm font-normal wrap-anywhere text-quiet",
    )


def provider_name(order: Any) -> Any:
    return t(f"admin.providers.{order['provider']}")
