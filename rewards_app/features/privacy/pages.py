"""Your data: rights, cookies, a copy to take along, deletion, and whom to ask."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

import reflex as rx

from rewards_app.core.actor import EVERY_ROLE, Role
from rewards_app.core.page import Page
from rewards_app.core.routes import SUPPORT
from rewards_app.core.settings import settings
from rewards_app.core.state import AppState
from rewards_app.features.consent.banner import consent_settings
from rewards_app.features.guardians.card import card as guardian_card
from rewards_app.features.guardians.state import GuardianState
from rewards_app.features.privacy import export_panel
from rewards_app.features.privacy.exports import PAGE
from rewards_app.features.privacy.retention_panel import retention_panel
from rewards_app.features.privacy.state import ExportState
from rewards_app.features.security.account_security import PATH as SECURITY
from rewards_app.features.security.danger import delete_account
from rewards_app.features.security.danger_state import DangerState
from rewards_app.i18n.page_text import t
from rewards_app.ui.cards import page_head, panel
from rewards_app.ui.icons import icon
from rewards_app.ui.links import link

PRIVACY, TERMS = "/privacy", "/terms"
AUTHORITY = "https://www.imy.se"
COOKIES, DELETION = "cookies", "deletion"


@dataclass(frozen=True, slots=True)
class Right:
    """Its words are under `gdpr.rights_of.<name>`; `way` is where it is had."""

    name: str
    sign: str
    way: str


RIGHTS = (
    Right("access", "eye", f"#{export_panel.ANCHOR}"),
    Right("correction", "pencil", SECURITY),
    Right("erasure", "trash-2", f"#{DELETION}"),
    Right("portability", "archive", f"#{export_panel.ANCHOR}"),
    Right("restriction", "pause", SUPPORT),
    Right("objection", "cookie", f"#{COOKIES}"),
    Right("complaint", "scale", AUTHORITY),
)


def gdpr(askers: Collection[Role]) -> rx.Component:
    """`askers` have the form of support; everybody else writes a mail."""
    return rx.fragment(
        page_head(t("gdpr.title"), t("gdpr.subtitle")),
        rx.el.div(
            rx.el.div(
                _at(export_panel.ANCHOR, export_panel.export_panel()),
                _at(COOKIES, _cookies()),
                _at(DELETION, _deletion()),
                class_name="grid min-w-0 content-start gap-6",
            ),
            rx.el.div(
                guardian_card(),
                _rights(askers),
                _contact(askers),
                class_name="grid min-w-0 content-start gap-6 lg:row-span-2",
            ),
            retention_panel(),
            class_name=(
                "grid gap-6 lg:grid-cols-[minmax(0,1fr)_352px] lg:grid-rows-[auto_1fr]"
                " lg:items-start"
            ),
        ),
    )


def _at(anchor: str, child: rx.Component) -> rx.Component:
    """Where links of the page lead, below the bars."""
    return rx.el.div(
        child, class_name="scroll-mt-[calc(var(--bars)+16px)]", custom_attrs={"id": anchor}
    )


def _cookies() -> rx.Component:
    return panel(
        consent_settings("gdpr"),
        title=t("gdpr.cookies"),
    )


def _deletion() -> rx.Component:
    return panel(
        rx.el.p(t("gdpr.delete_text"), class_name="mb-4 text-pretty text-quiet"),
        delete_account(),
        title=t("gdpr.delete"),
    )


def _rights(askers: Collection[Role]) -> rx.Component:
    return panel(
        rx.el.p(t("gdpr.rights_text"), class_name="mb-4 text-quiet"),
        rx.el.ul(*(_right(right, askers) for right in RIGHTS), class_name="grid gap-4"),
        title=t("gdpr.rights"),
    )


def _right(right: Right, askers: Collection[Role]) -> rx.Component:
    name = f"gdpr.rights_of.{right.name}"
    return rx.el.li(
        icon(right.sign, 18, class_name="mt-0.5 text-quiet"),
        rx.el.div(
            rx.el.h3(t(name), class_name="font-semibold"),
            rx.el.p(t(f"{name}_text"), class_name="text-sm text-pretty text-quiet"),
            _way(right.way, t(f"{name}_way"), askers),
            class_name="min-w-0 flex-1",
        ),
        class_name="flex gap-3",
    )


def _contact(askers: Collection[Role]) -> rx.Component:
    return panel(
        rx.el.p(t("gdpr.contact_text"), class_name="mb-4 text-quiet"),
        rx.el.div(
            link(t("gdpr.to_privacy"), href=PRIVACY, class_name="target"),
            link(t("gdpr.to_terms"), href=TERMS, class_name="target"),
            _way(SUPPORT, t("gdpr.to_support"), askers),
            class_name="flex flex-wrap gap-x-6 gap-y-6",
        ),
        title=t("gdpr.contact"),
    )


def _way(path: str, words: rx.Var[str], askers: Collection[Role]) -> rx.Component:
    """By the form for whom there is one, else by mail."""
    if path != SUPPORT:
        return link(words, href=path, class_name="target")
    by_mail = link(words, href=f"mailto:{settings().support_email}", class_name="target")
    match: Any = rx.match
    roles = sorted(role.value for role in askers)
    by_form = link(words, href=SUPPORT, class_name="target")
    return match(AppState.role, (*roles, by_form), by_mail) if roles else by_mail


def pages(others: Sequence[Page]) -> list[Page]:
    """With the way to support for those of the `others` who have its page."""
    askers = frozenset(role for page in others if page.path == SUPPORT for role in page.roles)

    def view() -> rx.Component:
        return gdpr(askers)

    return [
        Page(
            PAGE,
            view,
            "gdpr.page_title",
            roles=EVERY_ROLE,
            on_load=[DangerState.stay, ExportState.load, GuardianState.load],
            refreshes=[ExportState.refresh],
            is_told=[GuardianState.load],
            even_suspended=True,
        )
    ]
