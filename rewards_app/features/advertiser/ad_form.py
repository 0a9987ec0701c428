"""Making an ad and changing one, with the ad itself beside the form as players will see it."""

from typing import Any

import reflex as rx

from rewards_app.core.state import AppState
from rewards_app.features.ads.frame import ad_preview
from rewards_app.features.ads.funding import PARTS_A_COIN, Funding
from rewards_app.features.advertiser import ad_rules
from rewards_app.features.advertiser.ad_rules import Kind, Status
from rewards_app.features.advertiser.ads_state import EDIT, AdsState
from rewards_app.features.advertiser.choosing import choice_hint, choice_search
from rewards_app.i18n.page_text import t
from rewards_app.ui.buttons import button
from rewards_app.ui.feedback import banner
from rewards_app.ui.forms import actions, form, form_row, select_field, text_field, textarea_field
from rewards_app.ui.icons import icon
from rewards_app.ui.numbers import dollars_of_parts, number
from rewards_app.ui.overlays import dialog
from rewards_app.ui.refusal import field_error, other_refusal
from rewards_app.ui.typed import Typing, typed, typed_address, typed_number

FORM = "ad"


def ad_dialog() -> rx.Component:
    is_open: Any = rx.Var.create(AdsState.dialog) != ""
    is_edit: Any = rx.Var.create(AdsState.dialog) == EDIT
    return dialog(
        rx.cond(
            is_open,
            rx.el.div(
                rx.el.div(rx.cond(is_edit, rx.fragment(), _campaign_search()), _form(is_edit)),
                _preview(),
                class_name="grid items-start gap-6 lg:grid-cols-[minmax(0,1fr)_minmax(0,1fr)]",
            ),
        ),
        id="ad-form",
        title=rx.cond(is_edit, t("ads_desk.edit_title"), t("ads_desk.new")),
        open=is_open,
        on_close=AdsState.close,
        width=1080,
    )


def _form(is_edit: Any) -> rx.Component:
    known: Any = AdsState.typed
    return rx.cond(
        is_edit,
        form(*_fields(known, is_new=False), on_submit=AdsState.save, no_validate=True),
        form(*_fields(known, is_new=True), on_submit=AdsState.create, no_validate=True),
    )


def _fields(known: Any, *, is_new: bool) -> list[rx.Component]:
    return [
        Typing.create(name=FORM),
        *([] if is_new else [_what_follows()]),
        _campaign(known, is_new=is_new),
        _line("title", known, required=True),
        textarea_field(
            "description",
            t("ads_desk.description"),
            rows=2,
            default_value=known["description"],
            error=field_error(AppState.refusal, "description"),
            field_id="field-ad-description",
        ),
        form_row(_number("duration", known), _number("reward_coins", known)),
        _worth(),
        _kind(known),
        rx.cond(
            typed(FORM, "ad_type") == Kind.VIDEO.value,
            _address("video_url", known),
            _address("image_url", known),
        ),
        _address("click_url", known),
        other_refusal(AppState.refusal),
        actions(
            button(t("ui.cancel"), kind="ghost", on_click=AdsState.close),
            button(
                t("ads_desk.create" if is_new else "ads_desk.save"),
                submits=True,
                busy=AppState.is_busy,
                disabled=_is_incomplete(),
            ),
        ),
    ]


def _is_incomplete() -> Any:
    """Without a campaign or a title there is nothing to send."""
    campaign: Any = typed(FORM, "campaign_id")
    title: Any = typed(FORM, "title")
    return (campaign == "") | (title.strip() == "")


def _what_follows() -> rx.Component:
    """Changing an ad makes it another one."""
    ad: Any = AdsState.ad
    return rx.cond(
        ad["status"].to(str) == Status.REJECTED.value,
        banner("danger", t("ads_desk.was_rejected"), ad["reason"].to(str)),
        banner("info", t("ads_desk.goes_to_review"), t("ads_desk.goes_to_review_text")),
    )


def _campaign_search() -> rx.Component:
    return choice_search(
        "campaign_search",
        t("ads_desk.find_campaign"),
        are_more=AdsState.are_more_campaigns,
        searched=AdsState.campaign_search,
        on_submit=AdsState.find_campaign,
    )


def _campaign_hint() -> Any:
    campaigns: Any = AdsState.campaigns
    count, searched = campaigns.length(), rx.Var.create(AdsState.campaign_search)
    return rx.cond(
        (count == 0) & (searched == ""),
        t("ads_desk.no_campaign"),
        choice_hint(count, are_more=AdsState.are_more_campaigns, searched=searched),
    )


def _campaign(known: Any, *, is_new: bool) -> rx.Component:
    """An ad stays with its campaign."""
    campaigns: Any = AdsState.campaigns
    choose = [rx.el.option(t("ads_desk.choose_campaign"), value="")] if is_new else []
    return select_field(
        "campaign_id",
        t("ads_desk.campaign"),
        rx.fragment(*choose, rx.foreach(campaigns, _option)),
        required=True,
        default_value=known["campaign_id"],
        key=AdsState.choice,
        hint=_campaign_hint() if is_new else None,
        error=field_error(AppState.refusal, "campaign_id"),
    )


def _option(one: Any) -> rx.Component:
    name = rx.cond(
        AdsState.role == "admin",
        rx.Var.create(f"{one['name']} ({one['company']})"),
        one["name"],
    )
    return rx.el.option(name, value=one["id"].to(str))


def _line(name: str, known: Any, *, required: bool = False) -> rx.Component:
    return text_field(
        name,
        t(f"ads_desk.{name}"),
        required=required,
        autocomplete="off",
        default_value=known[name],
        error=field_error(AppState.refusal, name),
    )


LIMITS = {
    "duration": (ad_rules.SHORTEST_SECONDS, ad_rules.LONGEST_SECONDS),
    "reward_coins": (ad_rules.FEWEST_COINS, ad_rules.MOST_COINS),
}


def _number(name: str, known: Any) -> rx.Component:
    least, most = LIMITS[name]
    return text_field(
        name,
        t(f"ads_desk.{name}"),
        type_="number",
        inputmode="numeric",
        required=True,
        default_value=known[name],
        hint=t("ads_desk.range", least=least, most=most),
        error=field_error(AppState.refusal, name),
        min=str(least),
        max=str(most),
        step="1",
    )


def _worth() -> rx.Component:
    """What a view costs, where that is less than players get for it, and what follows."""
    prices: Any = AdsState.prices
    price = prices[typed(FORM, "campaign_id")].to(int)
    coins: Any = typed_number(FORM, "reward_coins")
    worth = coins * PARTS_A_COIN
    said = {
        "price": dollars_of_parts(price, 5),
        "count": coins,
        "shown": number(coins),
        "worth": dollars_of_parts(worth),
    }
    is_enforced: Any = rx.Var.create(AdsState.funding) == Funding.ENFORCE.value
    is_said: Any = rx.Var.create(AdsState.funding) != Funding.OFF.value
    return rx.cond(
        is_said & (price > 0) & (price < worth),
        rx.el.p(
            icon("info", 16, class_name="mt-0.5"),
            rx.el.span(
                rx.cond(
                    is_enforced,
                    t("ads_desk.will_not_be_served", price=said["price"], worth=said["worth"]),
                    t("ads_desk.not_covered", **said),
                ),
                class_name="min-w-0",
            ),
            class_name="flex gap-2 rounded-control bg-raised px-3 py-2 text-sm",
        ),
    )


def _kind(known: Any) -> rx.Component:
    return select_field(
        "ad_type",
        t("ads_desk.ad_type"),
        [(kind.value, t(f"ads_desk.kind.{kind}")) for kind in Kind],
        default_value=known["ad_type"],
        error=field_error(AppState.refusal, "ad_type"),
    )


def _address(name: str, known: Any) -> rx.Component:
    return text_field(
        name,
        t(f"ads_desk.{name}"),
        type_="url",
        inputmode="url",
        autocomplete="off",
        placeholder="https://",
        required=name != "click_url",
        default_value=known[name],
        hint=t(f"ads_desk.{name}_hint"),
        error=field_error(AppState.refusal, name),
    )


def _preview() -> rx.Component:
    """What is typed, in the player's own frame."""
    is_video = typed(FORM, "ad_type") == Kind.VIDEO.value
    video, image = typed_address(FORM, "video_url"), typed_address(FORM, "image_url")
    companies: Any = AdsState.companies
    ad = {
        "title": typed(FORM, "title"),
        "description": typed(FORM, "description"),
        "kind": typed(FORM, "ad_type"),
        "video_url": video,
        "image_url": image,
        "link": typed_address(FORM, "click_url"),
        "advertiser": companies[typed(FORM, "campaign_id")],
        "reward": typed_number(FORM, "reward_coins"),
        "seconds": typed_number(FORM, "duration"),
    }
    has_one = rx.cond(is_video, video, image) != ""
    return rx.el.section(
        rx.el.h3(t("ads_desk.preview"), class_name="mb-1 text-base"),
        rx.el.p(t("ads_desk.preview_text"), class_name="mb-3 text-sm text-quiet"),
        rx.cond(
            has_one,
            ad_preview(ad),
            rx.el.div(
                icon("clapperboard", 32, class_name="text-lilac"),
                rx.el.p(t("ads_desk.preview_waits"), class_name="max-w-[36ch] text-quiet"),
                class_name=(
                    "grid min-h-64 place-content-center justify-items-center gap-3 rounded-panel"
                    " border border-dashed border-edge p-6 text-center"
                ),
            ),
        ),
        class_name="min-w-0 lg:sticky lg:top-0",
        aria_label=t("ads_desk.preview"),
    )
