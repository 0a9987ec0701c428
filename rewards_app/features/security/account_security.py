"""Account Security: four sections side by side with their list; on a page, or as a dialog."""

from typing import Any

import reflex as rx

from rewards_app.features.security.danger import danger_section
from rewards_app.features.security.factors import factors_section
from rewards_app.features.security.password import password_section
from rewards_app.features.security.rules import Section
from rewards_app.features.security.sessions import sessions_section
from rewards_app.features.security.state import AccountSecurityState
from rewards_app.i18n.page_text import t
from rewards_app.ui.cards import skeleton
from rewards_app.ui.feedback import loading_line
from rewards_app.ui.icons import icon
from rewards_app.ui.links import anchor
from rewards_app.ui.markup import Child, attributes
from rewards_app.ui.overlays import dialog

PATH = "/security"
DIALOG = "account-security"
SIGNS = {
    Section.PASSWORD: "key-round",
    Section.SESSIONS: "monitor",
    Section.TWO_FACTOR: "shield",
    Section.DANGER: "triangle-alert",
}


def section_path(section: Section) -> str:
    return f"{PATH}?section={section.value}"


def account_security() -> rx.Component:
    """For a page: each section has an address."""
    return rx.el.div(
        _around(*(_way(section) for section in Section)),
        class_name="overflow-hidden rounded-panel border border-line bg-panel",
    )


def account_security_dialog() -> rx.Component:
    """For a page that has other things to show; `account_security_opener` opens it."""
    return dialog(
        rx.cond(AccountSecurityState.is_open, _around(*(_choice(section) for section in Section))),
        id=DIALOG,
        title=t("security.title"),
        open=AccountSecurityState.is_open,
        on_close=AccountSecurityState.close_dialog,
        width=840,
        flush=True,
    )


def account_security_opener(*children: Child, class_name: str) -> rx.Component:
    """A button without a look of its own that opens the dialog."""
    opens: Any = AccountSecurityState.open_dialog
    return rx.el.button(
        *children,
        type="button",
        on_click=opens,
        class_name=class_name,
        custom_attrs=attributes(aria_haspopup="dialog"),
    )


def _around(*ways: rx.Component) -> rx.Component:
    return rx.el.div(
        rx.el.nav(
            rx.el.ul(*ways, class_name="grid grid-cols-2 gap-1 md:grid-cols-1"),
            aria_label=t("security.title"),
            class_name="border-b border-line p-3 md:border-r md:border-b-0",
        ),
        rx.el.div(
            rx.cond(AccountSecurityState.is_loaded, _section(), _loading()),
            class_name="min-w-0 px-4 py-5 sm:p-6",
        ),
        class_name=(
            "grid grid-cols-[minmax(0,1fr)] md:min-h-96 md:grid-cols-[212px_minmax(0,1fr)]"
        ),
    )


def _section() -> Any:
    match: Any = rx.match
    return match(
        AccountSecurityState.section,
        (Section.SESSIONS.value, sessions_section()),
        (Section.TWO_FACTOR.value, factors_section()),
        (Section.DANGER.value, danger_section()),
        password_section(),
    )


def _loading() -> rx.Component:
    return rx.el.div(
        loading_line(),
        skeleton("title"),
        *(skeleton("row") for _ in range(3)),
        class_name="grid gap-4",
    )


_WAY = (
    "flex min-h-11 w-full items-center gap-3 rounded-control px-3 py-2 text-left font-semibold"
    " text-quiet no-underline hover:text-text aria-[current=true]:bg-raised"
    " aria-[current=true]:text-text max-md:justify-center max-md:text-center"
)


def _way(section: Section) -> rx.Component:
    return rx.el.li(
        anchor(
            *_name_of(section),
            href=section_path(section),
            class_name=_WAY,
            custom_attrs=_current(section),
        )
    )


def _choice(section: Section) -> rx.Component:
    show: Any = AccountSecurityState.show
    return rx.el.li(
        rx.el.button(
            *_name_of(section),
            type="button",
            on_click=show(section.value),
            class_name=_WAY,
            custom_attrs=_current(section),
        )
    )


def _name_of(section: Section) -> tuple[rx.Component, rx.Var[str]]:
    return icon(SIGNS[section], 18, class_name="max-md:hidden"), t(
        f"security.sections.{section.value}"
    )


def _current(section: Section) -> dict[str, Any]:
    is_current = AccountSecurityState.section == section.value
    return attributes(aria_current=rx.cond(is_current, "true", "false"))
