"""Your data: rights, cookies, a copy to take along, deletion, and whom to ask."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import reflex as rx

from rewards_app.core.actor import EVERY_ROLE, PLAYING_ROLES, Role
from rewards_app.core.page import Page
from rewards_app.core.routes import SUPPORT
from rewards_app.core.settings import settings
from rewards_app.core.state import AppState
from rewards_app.features.consent.banner import consent_settings
from rewards_app.features.guardians.card import card as guardian_card
from rewards_app.features.guardians.state import GuardianState
from rewards_app.features.notifications.letters import SETTINGS
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
PROFILE = "/profile"
AUTHORITY = "https://www.imy.se"
COOKIES, DELETION = "cookies", "deletion"


@dataclass(frozen=True, slots=True)
class Right:
    """Its words are under `gdpr.rights_of.<name>`; each way is where it is had, and its words."""

    name: str
    sign: str
    ways: tuple[tuple[str, str], ...]


def _right_with_one_way(name: str, sign: str, way: str) -> Right:
    return Right(name, sign, ((way, f"gdpr.rights_of.{name}_way"),))


CORRECTED_AT = (
    (SETTINGS, "details.title"),
    (PROFILE, "nav.profile"),
    (SECURITY, "gdpr.rights_of.correction_way"),
    (SUPPORT, "gdpr.rights_of.restriction_way"),
)
"""Each thing where it stands, and by people what stands nowhere."""
RIGHTS = (
    _right_with_one_way("access", "eye", f"#{export_panel.ANCHOR}"),
    Right("correction", "pencil", CORRECTED_AT),
    _right_with_one_way("erasure", "trash-2", f"#{DELETION}"),
    _right_with_one_way("portability", "archive", f"#{export_panel.ANCHOR}"),
    _right_with_one_way("restriction", "pause", SUPPORT),
    _right_with_one_way("objection", "cookie", f"#{COOKIES}"),
    _right_with_one_way("complaint", "scale", AUTHORITY),
)
Reach = Mapping[str, Collection[Role]]


def gdpr(reach: Reach) -> rx.Component:
    """`reach` says who has the page of each path; who has no form of support writes a mail."""
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
                _rights(reach),
                _contact(reach),
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


def _rights(reach: Reach) -> rx.Component:
    return panel(
        rx.el.p(t("gdpr.rights_text"), class_name="mb-4 text-quiet"),
        rx.el.ul(*(_right(right, reach) for right in RIGHTS), class_name="grid gap-4"),
        title=t("gdpr.rights"),
    )


def _right(right: Right, reach: Reach) -> rx.Component:
    name = f"gdpr.rights_of.{right.name}"
    return rx.el.li(
        icon(right.sign, 18, class_name="mt-0.5 text-quiet"),
        rx.el.div(
            rx.el.h3(t(name), class_name="font-semibold"),
            rx.el.p(t(f"{name}_text"), class_name="text-sm text-pretty text-quiet"),
            rx.el.div(
                *(_way(path, t(key), reach) for path, key in right.ways),
                class_name="mt-1 flex flex-wrap gap-x-6 gap-y-6",
            ),
            class_name="min-w-0 flex-1",
        ),
        class_name="flex gap-3",
    )


def _contact(reach: Reach) -> rx.Component:
    return panel(
        rx.el.p(t("gdpr.contact_text"), class_name="mb-4 text-quiet"),
        rx.el.div(
            link(t("gdpr.to_privacy"), href=PRIVACY, class_name="target"),
            link(t("gdpr.to_terms"), href=TERMS, class_name="target"),
            _way(SUPPORT, t("gdpr.to_support"), reach),
            class_name="flex flex-wrap gap-x-6 gap-y-6",
        ),
        title=t("gdpr.contact"),
    )


def _way(path: str, words: rx.Var[str], reach: Reach) -> rx.Component:
    """For those who have its page; to support by mail for whoever has no form."""
    way = link(words, href=path, class_name="target")
    if path not in reach:
        return way
    by_mail = link(words, href=f"mailto:{settings().support_email}", class_name="target")
    return _for_some(reach[path], way, by_mail if path == SUPPORT else rx.fragment())


def _for_some(roles: Collection[Role], shown: rx.Component, instead: rx.Component) -> rx.Component:
    match: Any = rx.match
    names = sorted(role.value for role in roles)
    return match(AppState.role, (*names, shown), instead) if names else instead


def pages(others: Sequence[Page]) -> list[Page]:
    """With the ways to those of the `others` that its reader has."""
    reach = {
        path: frozenset(role for page in others if page.path == path for role in page.roles)
        for path in (SUPPORT, SETTINGS)
    }
    # Which itself is made for a player who has this one.
    reach[PROFILE] = PLAYING_ROLES

    def view() -> rx.Component:
        return gdpr(reach)

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
