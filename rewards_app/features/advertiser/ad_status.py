"""How an ad stands, as its company reads it."""

from typing import Any

import reflex as rx

from rewards_app.features.advertiser.ad_rules import Status
from rewards_app.i18n.page_text import t
from rewards_app.ui.cards import Tone, status

TONES: dict[Status, Tone] = {
    Status.PENDING_REVIEW: "action",
    Status.ACTIVE: "good",
    Status.PAUSED: "quiet",
    Status.REJECTED: "danger",
}


def ad_status(value: rx.Var[str]) -> rx.Component:
    match: Any = rx.match
    known = [(one.value, status(t(f"ads_desk.status.{one}"), tone)) for one, tone in TONES.items()]
    return match(value, *known, status(t("campaigns.status.unknown"), "danger"))
