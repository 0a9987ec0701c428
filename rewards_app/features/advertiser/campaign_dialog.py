"""Planning a campaign, changing it, and ending it for good."""

from typing import Any

import reflex as rx

from rewards_app.core.actor import Role
from rewards_app.core.state import AppState
from rewards_app.features.ads.budgets import VIEWS_A_BUDGET
from rewards_app.features.ads.funding import PARTS_A_COIN, Funding
from rewards_app.features.advertiser.ad_rules import USUAL_COINS
from rewards_app.features.advertiser.campaign_rules import Status
from rewards_app.features.advertiser.campaign_state import EDIT, END, NEW, CampaignState
from rewards_app.features.advertiser.choosing import choice_hint, choice_search
from rewards_app.features.advertiser.review_rules import SHORTEST_REASON
from rewards_app.i18n.page_text import t
from rewards_app.ui.buttons import button
from rewards_app.ui.cards import facts
from rewards_app.ui.forms import (
    InputType,
    actions,
    form,
    form_row,
    select_field,
    text_field,
    textarea_field,
)
from rewards_app.ui.icons import icon
from rewards_app.ui.markup import Child, Handler
from rewards_app.ui.numbers import days, dollars, dollars_of_parts, number
from rewards_app.ui.overlays import dialog
from rewards_app.ui.refusal import field_error, other_refusal
from rewards_app.ui.typed import Typing, typed_number

FORM = "campaign"
CENTS = 100
"""A dollar's. A view costs as many thousandths of a cent as its campaign's budget has cents."""
USUAL_WORTH = USUAL_COINS * PARTS_A_COIN


def campaign_dialogs(create: Handler, dates: InputType) -> rx.Component:
    """`create` is told what was planned, with `dates` to the day or to the minute."""
    return rx.fragment(_new(create, dates), _edit(), _end())


def _is_open(name: str) -> Any:
    return rx.Var.create(CampaignState.dialog) == name


def _new(create: Handler, dates: InputType) -> rx.Component:
    return dialog(
        rx.cond(
            _is_open(NEW),
            _company_search(),
        ),
        rx.cond(
            _is_open(NEW),
            form(
                Typing.create(name=FORM),
                rx.cond(CampaignState.not_offered, _not_offered()),
                rx.cond(AppState.role == Role.ADMIN.value, _company()),
                _name(),
                _description(),
                _budgets(),
                _dates(dates),
                _price(),
                other_refusal(AppState.refusal),
                actions(
                    button(t("ui.cancel"), kind="ghost", on_click=CampaignState.close),
                    button(t("campaigns.create"), submits=True, busy=AppState.is_busy),
                ),
                on_submit=create,
                no_validate=True,
            ),
        ),
        id="new-campaign",
        title=t("campaigns.new"),
        open=_is_open(NEW),
        on_close=CampaignState.close,
        width=640,
    )


def _company_search() -> rx.Component:
    return choice_search(
        "company_search",
        t("campaigns.find_company"),
        are_more=CampaignState.are_more_companies,
        searched=CampaignState.company_search,
        on_submit=CampaignState.find_company,
    )


def _not_offered() -> rx.Component:
    """The list behind the dialog shows this company's campaigns alone."""
    words = t("campaigns.not_offered", name=CampaignState.not_offered)
    return _remark(rx.el.span(words, class_name="wrap-anywhere"))


def _company() -> rx.Component:
    companies: Any = CampaignState.companies
    return select_field(
        "company",
        t("campaigns.company"),
        rx.fragment(
            rx.el.option(t("campaigns.choose_company"), value=""),
            rx.foreach(companies, lambda one: rx.el.option(one[1], value=one[0])),
        ),
        required=True,
        default_value=CampaignState.company,
        key=CampaignState.choice,
        hint=choice_hint(
            companies.length(),
            are_more=CampaignState.are_more_companies,
            searched=CampaignState.company_search,
        ),
        error=field_error(AppState.refusal, "company"),
    )


def _name(**known: Any) -> rx.Component:
    return text_field(
        "name",
        t("campaigns.name"),
        required=True,
        autocomplete="off",
        error=field_error(AppState.refusal, "name"),
        **known,
    )


def _description(**known: Any) -> rx.Component:
    return textarea_field(
        "description",
        t("campaigns.description"),
        rows=2,
        error=field_error(AppState.refusal, "description"),
        **known,
    )


def _amount(name: str, *, required: bool, **known: Any) -> rx.Component:
    return text_field(
        name,
        t(f"campaigns.{name}_label"),
        type_="number",
        inputmode="decimal",
        required=required,
        autocomplete="off",
        error=field_error(AppState.refusal, name),
        step="0.01",
        **known,
    )


def _budgets(budget: Any = "", daily: Any = "") -> rx.Component:
    return form_row(
        _amount("budget", required=True, min="1", default_value=budget),
        _daily(daily),
    )


def _daily(daily: Any) -> rx.Component:
    return _amount(
        "daily_budget",
        required=False,
        min="0",
        default_value=daily,
        placeholder=t("campaigns.no_limit"),
    )


def _dates(kind: InputType, start: Any = "", end: Any = "") -> rx.Component:
    return form_row(_date("start_date", kind, start), _date("end_date", kind, end))


def _date(name: str, kind: InputType, known: Any) -> rx.Component:
    return text_field(
        name,
        t(f"campaigns.{name}"),
        type_=kind,
        required=True,
        default_value=known,
        hint=t("campaigns.house_time"),
        error=field_error(AppState.refusal, name),
    )


def _price() -> rx.Component:
    """What the typed budget buys; it changes with each key, and the server hears of none."""
    budget: Any = typed_number(FORM, "budget")
    views = number(VIEWS_A_BUDGET)
    price = budget * CENTS
    is_enforced: Any = rx.Var.create(CampaignState.funding) == Funding.ENFORCE.value
    is_said: Any = rx.Var.create(CampaignState.funding) != Funding.OFF.value
    said = {
        "count": USUAL_COINS,
        "shown": number(USUAL_COINS),
        "worth": dollars_of_parts(USUAL_WORTH),
    }
    return rx.fragment(
        _remark(
            rx.cond(
                budget > 0,
                t("campaigns.buys_at", views=views, price=dollars_of_parts(price, 5)),
                t("campaigns.buys", views=views),
            ),
            " ",
            t("campaigns.pay_only"),
        ),
        rx.cond(
            is_said & (budget > 0) & (price < USUAL_WORTH),
            _remark(
                rx.cond(
                    is_enforced,
                    t("campaigns.not_served", **said),
                    t("campaigns.not_covered", **said),
                )
            ),
        ),
    )


def _reviewed_again(budget: Any) -> rx.Component:
    """Its ads were approved at the price of this `budget`: what becomes of them at a lower one."""
    typed: Any = typed_number(FORM, "budget")
    is_said: Any = rx.Var.create(CampaignState.funding) != Funding.OFF.value
    covered = typed * CENTS // PARTS_A_COIN
    return rx.cond(
        is_said & (typed > 0) & (typed < budget.to(float)),
        _remark(t("campaigns.covers_up_to", shown=number(covered))),
    )


def _remark(*words: Child) -> rx.Component:
    return rx.el.p(
        icon("info", 16, class_name="mt-0.5"),
        rx.el.span(*words, class_name="min-w-0"),
        class_name="flex gap-2 rounded-control bg-raised px-3 py-2 text-sm",
    )


def _edit() -> rx.Component:
    known: Any = CampaignState.typed
    campaign: Any = CampaignState.campaign
    has_ended = campaign["status"].to(str) == Status.COMPLETED.value
    is_house = campaign["is_house"].to(bool)
    is_fixed = campaign["is_fixed"].to(bool)
    has_budget = ~has_ended & ~is_house
    return dialog(
        rx.cond(
            _is_open(EDIT),
            form(
                Typing.create(name=FORM),
                _name(default_value=known["name"]),
                _description(default_value=known["description"]),
                rx.cond(has_ended, _fixed(campaign, "campaigns.fixed_ended")),
                rx.cond(has_budget & ~is_fixed, _budgets(known["budget"], known["daily_budget"])),
                rx.cond(has_budget & is_fixed, _fixed(campaign, "campaigns.fixed")),
                rx.cond(has_budget & is_fixed, _daily(known["daily_budget"])),
                rx.cond(
                    ~has_ended & is_fixed, _date("end_date", "datetime-local", known["end_date"])
                ),
                rx.cond(
                    ~has_ended & ~is_fixed,
                    _dates("datetime-local", known["start_date"], known["end_date"]),
                ),
                rx.cond(has_budget & ~is_fixed, _price()),
                rx.cond(has_budget & ~is_fixed, _reviewed_again(known["budget"])),
                other_refusal(AppState.refusal),
                rx.el.div(
                    rx.cond(
                        campaign["can_end"].to(bool),
                        button(
                            t("campaigns.end"),
                            kind="danger",
                            on_click=CampaignState.ask_to_end,
                        ),
                    ),
                    rx.el.div(
                        actions(
                            button(t("ui.cancel"), kind="ghost", on_click=CampaignState.close),
                            button(t("campaigns.save"), submits=True, busy=AppState.is_busy),
                        ),
                        class_name="sm:ml-auto",
                    ),
                    class_name=(
                        "flex flex-col-reverse gap-4 sm:flex-row sm:flex-wrap sm:items-center"
                    ),
                ),
                on_submit=CampaignState.save,
                no_validate=True,
            ),
        ),
        id="edit-campaign",
        title=t("campaigns.edit_title"),
        open=_is_open(EDIT),
        on_close=CampaignState.close,
        width=640,
    )


def _fixed(campaign: Any, reason: str) -> rx.Component:
    """What can no longer be changed, and why."""
    budget = campaign["budget"].to(int)
    return rx.el.div(
        facts(
            (t("campaigns.budget"), rx.cond(budget > 0, dollars(budget), t("campaigns.house"))),
            (t("campaigns.period"), days(campaign["first"].to(str), campaign["last"].to(str))),
        ),
        rx.el.p(t(reason), class_name="text-sm text-quiet"),
        class_name="grid gap-1 rounded-control border border-line px-4 py-2",
    )


def _end() -> rx.Component:
    """The consequence stands before the decision."""
    campaign: Any = CampaignState.campaign
    rest = campaign["budget"].to(int) * campaign["views_left"].to(int)
    return dialog(
        rx.cond(
            _is_open(END),
            form(
                rx.el.p(
                    t("campaigns.end_text", name=campaign["name"].to(str)),
                    class_name="wrap-anywhere",
                ),
                rx.cond(
                    campaign["is_fixed"].to(bool),
                    rx.el.p(t("campaigns.end_rest", rest=dollars_of_parts(rest))),
                    rx.el.p(t("campaigns.end_no_rest")),
                ),
                rx.cond(AppState.role == Role.ADMIN.value, _reason(campaign)),
                other_refusal(AppState.refusal),
                actions(
                    button(t("campaigns.keep"), kind="ghost", on_click=CampaignState.close),
                    button(t("campaigns.end"), kind="danger", submits=True, busy=AppState.is_busy),
                ),
                on_submit=CampaignState.end,
                no_validate=True,
            ),
        ),
        id="end-campaign",
        title=t("campaigns.end_title"),
        open=_is_open(END),
        on_close=CampaignState.close,
        width=480,
    )


def _reason(campaign: Any) -> rx.Component:
    """It is not the admin's own: its company reads why."""
    return textarea_field(
        "reason",
        t("admin.reason"),
        rows=3,
        hint=t("admin.ad_reviews.reason_hint", company=campaign["company"].to(str)),
        error=field_error(AppState.refusal, "reason"),
        required=True,
        min_length=SHORTEST_REASON,
    )
