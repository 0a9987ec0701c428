"""One company: who it is, what it has, who acts for it, and what it runs and paid."""

from typing import Any

import reflex as rx

from rewards_app.features.admin.application_parts import application_status, known_of
from rewards_app.features.admin.company_dialog import ending_dialog
from rewards_app.features.admin.company_state import TAB, CompanyState
from rewards_app.features.admin.parts import failed, further, or_none, quoted
from rewards_app.features.admin.state import PATH
from rewards_app.features.advertiser.campaign_cards import campaign_status
from rewards_app.features.advertiser.money_parts import (
    TOP_UP_LINE,
    invoice_link,
    statement_panel,
    top_up_status,
    top_up_sum,
)
from rewards_app.i18n.page_text import t
from rewards_app.ui.buttons import button, link_button
from rewards_app.ui.cards import (
    badge,
    empty_state,
    facts,
    key_figure,
    key_figures,
    panel,
    skeleton,
)
from rewards_app.ui.icons import icon
from rewards_app.ui.links import LINK, anchor, link
from rewards_app.ui.lists import each
from rewards_app.ui.names import mail_address, name_of
from rewards_app.ui.numbers import (
    balance,
    date,
    date_and_time,
    dollars,
    dollars_of_parts,
)
from rewards_app.ui.tables import Column, table

ALL_COMPANIES = f"{PATH}?tab={TAB}"


def company_card() -> rx.Component:
    """For the advertisers' tab while a company is open."""
    return rx.el.div(
        link(
            icon("arrow-left", 18),
            t("admin.company.back"),
            href=ALL_COMPANIES,
            class_name="target inline-flex items-center gap-2 justify-self-start",
        ),
        rx.cond(
            CompanyState.company,
            _company(CompanyState.company),
            rx.cond(
                CompanyState.is_unknown,
                empty_state(
                    "building-2",
                    t("admin.company.unknown"),
                    t("admin.company.unknown_text"),
                    link_button(t("admin.company.back"), href=ALL_COMPANIES, kind="ghost"),
                ),
                rx.cond(
                    CompanyState.has_failed,
                    failed(t("admin.company.not_loaded"), CompanyState.load),
                    rx.el.div(
                        skeleton("tile"),
                        *(skeleton("row") for _ in range(8)),
                        class_name="grid gap-3",
                    ),
                ),
            ),
        ),
        ending_dialog(),
        class_name="grid grid-cols-[minmax(0,1fr)] gap-4",
    )


def _company(company: Any) -> rx.Component:
    more_entries: Any = CompanyState.load_more_entries
    return rx.el.div(
        _head(company),
        _figures(),
        panel(known_of(company), title=t("admin.company.contact")),
        rx.el.div(
            _decided(company),
            _people(),
            class_name="grid items-start gap-6 *:min-w-0 lg:grid-cols-2",
        ),
        _campaigns(company),
        _top_ups(),
        statement_panel(CompanyState.entries, CompanyState.entries_before, more_entries),
        class_name="grid grid-cols-[minmax(0,1fr)] gap-6",
    )


def _head(company: Any) -> rx.Component:
    return rx.el.header(
        rx.el.div(
            rx.el.h2(company["company"].to(str), class_name="min-w-0 text-xl wrap-anywhere"),
            application_status(company),
            class_name="flex flex-wrap items-center gap-x-3 gap-y-1",
        ),
        rx.el.p(
            company["id"].to(str), class_name="mt-1 font-mono text-sm wrap-anywhere text-quiet"
        ),
    )


def _figures() -> rx.Component:
    parts = CompanyState.balance
    return key_figures(
        key_figure(
            t("billing.balance"),
            rx.el.span(balance(parts), class_name=rx.cond(parts < 0, "text-danger", "")),
        ),
        key_figure(t("billing.set_aside"), dollars_of_parts(CompanyState.set_aside)),
        key_figure(t("admin.company.spent"), dollars_of_parts(CompanyState.spent)),
    )


def _decided(company: Any) -> rx.Component:
    return panel(
        facts(
            (t("admin.company.sent"), date_and_time(company["sent_at"].to(str))),
            (
                t("admin.advertisers.decided"),
                or_none(company["decided_at"], date_and_time(company["decided_at"].to(str))),
            ),
            (t("admin.advertisers.by"), or_none(company["decided_by"])),
        ),
        rx.cond(
            company["reason"].to(str) != "",
            rx.el.div(quoted(company["reason"].to(str)), class_name="mt-2"),
        ),
        rx.el.p(
            link(
                icon("scroll-text", 18),
                t("admin.company.audit"),
                href=company["audit"].to(str),
                class_name="inline-flex min-h-11 items-center gap-2",
            ),
            class_name="mt-2",
        ),
        title=t("admin.advertisers.decision"),
    )


def _people() -> rx.Component:
    return panel(
        rx.cond(
            CompanyState.members,
            rx.el.ul(rx.foreach(CompanyState.members, _member), class_name="divide-y divide-line"),
            rx.el.p(t("admin.company.nobody"), class_name="text-quiet"),
        ),
        title=t("people.title"),
    )


def _member(member: Any) -> rx.Component:
    is_owner = member["role"].to(str) == "owner"
    return rx.el.li(
        rx.el.div(
            anchor(
                name_of(member["name"].to(str)),
                href=member["person"].to(str),
                class_name=f"target font-medium wrap-anywhere {LINK}",
            ),
            rx.el.p(
                mail_address(member["email"]),
                class_name="text-sm wrap-anywhere text-quiet empty:hidden",
            ),
            class_name="min-w-0 flex-[1_1_180px]",
        ),
        rx.el.span(date(member["since"].to(str)), class_name="tnum text-sm text-quiet"),
        badge(rx.cond(is_owner, t("people.owner"), t("people.member")), tone="house"),
        class_name="flex flex-wrap items-center gap-x-4 gap-y-1.5 py-3 first:pt-0 last:pb-0",
    )


def _campaigns(company: Any) -> rx.Component:
    title = t("campaigns.title")
    return panel(
        rx.cond(
            CompanyState.campaigns,
            table(
                [
                    Column(t("admin.company.campaign"), is_main=True),
                    Column(t("admin.advertisers.status")),
                    Column(t("campaigns.budget"), is_number=True),
                    Column(t("campaigns.spent"), is_number=True),
                ],
                CompanyState.campaigns,
                _campaign,
                caption=title,
                cell_on_phone=132,
            ),
            rx.el.p(t("admin.company.no_campaigns"), class_name="px-4 pb-5 text-quiet sm:px-5"),
        ),
        further(CompanyState.campaigns_before, CompanyState.load_more_campaigns),
        rx.cond(
            CompanyState.open_campaigns > 0,
            rx.el.div(
                button(
                    t("admin.company.end_all"),
                    kind="danger",
                    on_click=CompanyState.ask_to_end_all,
                ),
                class_name="flex justify-end border-t border-line p-4 max-sm:*:flex-auto sm:px-5",
            ),
        ),
        title=title,
        aside=rx.cond(
            CompanyState.campaigns,
            link(
                t("admin.company.to_campaigns"),
                href=company["campaigns"].to(str),
                class_name="target",
            ),
        ),
        flush=True,
    )


def _campaign(campaign: Any) -> list[Any]:
    is_house = campaign["is_house"].to(bool)
    return [
        anchor(
            campaign["name"].to(str),
            href=campaign["card"].to(str),
            class_name=f"target font-medium wrap-anywhere {LINK}",
        ),
        campaign_status(campaign["status"].to(str)),
        rx.cond(
            is_house,
            rx.el.span(t("admin.ad_reviews.house"), class_name="text-quiet"),
            rx.el.span(dollars(campaign["budget"].to(int))),
        ),
        dollars_of_parts(campaign["spend"].to(int)),
    ]


def _top_ups() -> rx.Component:
    return panel(
        rx.cond(
            CompanyState.top_ups,
            rx.el.ul(each(CompanyState.top_ups, _top_up), class_name="divide-y divide-line"),
            rx.el.p(t("admin.company.no_top_ups"), class_name="text-quiet"),
        ),
        rx.cond(
            CompanyState.top_ups_before != "",
            rx.el.div(
                further(CompanyState.top_ups_before, CompanyState.load_more_top_ups),
                class_name="-mx-4 -mb-4 mt-3 sm:-mx-5 sm:-mb-5",
            ),
        ),
        title=t("billing.top_ups"),
    )


def _top_up(one: Any) -> rx.Component:
    """By what the provider, the books and alerts call it."""
    return rx.el.li(
        top_up_sum(one, rx.el.p(name_of(one["payer"].to(str)), class_name="text-sm text-quiet")),
        rx.el.div(
            rx.el.p(invoice_link(one), class_name="empty:hidden"),
            rx.el.p(
                t("admin.company.payment"),
                " ",
                rx.el.span(one["payment"].to(str), class_name="font-mono"),
                class_name="wrap-anywhere text-quiet",
            ),
            rx.el.p(
                one["intent"].to(str),
                class_name="font-mono wrap-anywhere text-quiet empty:hidden",
            ),
            class_name="min-w-0 flex-[2_1_280px] text-sm",
        ),
        top_up_status(one),
        class_name=TOP_UP_LINE,
    )
