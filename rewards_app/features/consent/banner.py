"""The question about cookies at the bottom of the screen, and the switches that answer it."""

from collections.abc import Sequence

import reflex as rx
from reflex_base.event import no_args_event_spec, passthrough_event_spec

from rewards_app.core.state import AppState
from rewards_app.features.consent.rules import Kind
from rewards_app.features.consent.state import ConsentState
from rewards_app.i18n.page_text import t
from rewards_app.ui.buttons import button
from rewards_app.ui.forms import checkbox
from rewards_app.ui.frame import FooterLink
from rewards_app.ui.icons import icon
from rewards_app.ui.links import link
from rewards_app.ui.markup import inline_script

_LIBRARY = "$/public/consent"
_TITLE = "consent-title"
# The corner below the buttons on a phone belongs to the badge of the framework's free edition.
_BANNER = (
    "fixed inset-x-0 bottom-0 z-30 mx-auto max-h-[85dvh] w-full overflow-y-auto overscroll-contain"
    " border-t border-line bg-panel px-4 pt-4 pb-2 text-text shadow-2xl"
    " sm:bottom-4 sm:w-[min(600px,calc(100%-112px))] sm:rounded-panel sm:border sm:px-5"
    " in-[html:not(.asking)]:hidden"
)
_ASK_AT_ONCE = (
    "try{const{lang,classList}=document.documentElement;"
    'if(!localStorage.getItem("cookie-consent")&&(localStorage.getItem("language")||lang)===lang)'
    'classList.add("asking");const form=document.currentScript.previousElementSibling;'
    'form.onclick=(event)=>{const pressed=event.target.closest("button");'
    "if(pressed){event.preventDefault();form.pressed=pressed}}}catch{}"
)
"""Who has not chosen yet reads the question with the first paint, if it is in their language; what
they press before the page's own scripts have come is done when these are there."""
_STORED_AT_ONCE = (
    "try{const form=document.currentScript.previousElementSibling;"
    'form.onclick=({target})=>{form.pressed=target.closest("input")??form.pressed};'
    'const stored=JSON.parse(localStorage.getItem("cookie-consent"));'
    'for(const one of form.querySelectorAll("input:enabled"))'
    "one.checked=stored?.essential===true&&stored[one.name]===true}catch{}"
)
"""The switches stand as they are stored with the first paint, and one that is flipped before the
page's own scripts have come is kept when these are there."""


class ConsentForm(rx.Component):
    """Stores what its switches say, or what a button with a value says at once."""

    library = _LIBRARY
    tag = "ConsentForm"

    saves_at_once: rx.Var[bool]
    on_saved: rx.EventHandler[no_args_event_spec]
    on_failed: rx.EventHandler[no_args_event_spec]


class ConsentBanner(rx.Component):
    """There while nothing is stored; `viewer` is empty until it is known who looks."""

    library = _LIBRARY
    tag = "ConsentBanner"

    viewer: rx.Var[str]
    on_known: rx.EventHandler[passthrough_event_spec(str)]


def consent_banner(privacy: Sequence[FooterLink] = ()) -> rx.Component:
    """For everybody who has not chosen yet; it also tells the server what was chosen before."""
    return ConsentBanner.create(
        rx.el.h2(t("consent.title"), class_name="text-lg", custom_attrs={"id": _TITLE}),
        rx.el.p(
            t("consent.text"),
            *_links(privacy),
            class_name="mt-1 text-pretty text-quiet",
        ),
        _form(
            rx.el.div(
                _at_once("nothing", "consent.only_necessary"),
                _at_once("all", "consent.accept_all"),
                class_name="mt-3 grid grid-cols-2 gap-2 *:px-3",
            ),
            rx.el.details(
                rx.el.summary(
                    t("consent.customize"),
                    icon("chevron-down", 18, class_name="group-open:rotate-180"),
                    class_name=(
                        "inline-flex min-h-11 list-none items-center gap-1.5 font-semibold"
                        " text-cyan [&::-webkit-details-marker]:hidden"
                    ),
                ),
                _switches("banner"),
                rx.el.div(_save(), class_name="mt-3 mb-2"),
                class_name="group",
            ),
        ),
        # At its end: nobody sees it half there.
        inline_script(_ASK_AT_ONCE),
        viewer=AppState.role,
        on_known=ConsentState.remember,
        class_name=_BANNER,
        custom_attrs={"aria-labelledby": _TITLE},
    )


def consent_settings(place: str) -> rx.Component:
    """The switches with what is stored, each of them kept at once; `place` keeps ids apart."""
    return rx.fragment(
        ConsentForm.create(
            rx.el.p(t("consent.each_at_once"), class_name="mb-2 text-quiet"),
            _switches(place),
            saves_at_once=True,
            on_saved=ConsentState.updated,
            on_failed=ConsentState.not_saved,
        ),
        inline_script(_STORED_AT_ONCE),
    )


def _form(*children: rx.Component) -> rx.Component:
    return ConsentForm.create(
        *children, on_saved=ConsentState.saved, on_failed=ConsentState.not_saved
    )


def _switches(place: str) -> rx.Component:
    return rx.el.div(
        *(_switch(kind, place) for kind in Kind),
        class_name="grid divide-y divide-line *:pt-0.5 *:pb-3",
    )


def _switch(kind: Kind, place: str) -> rx.Component:
    is_essential = kind is Kind.ESSENTIAL
    name = kind.name.lower()
    return checkbox(
        kind.value,
        t(f"consent.{name}"),
        hint=t(f"consent.{name}_hint"),
        checked=is_essential,
        disabled=is_essential,
        is_switch=True,
        field_id=f"{place}-{name}",
    )


def _at_once(value: str, label: str) -> rx.Component:
    return button(t(label), kind="ghost", value=value)


def _save() -> rx.Component:
    return button(t("consent.save"), kind="ghost", submits=True)


def _links(privacy: Sequence[FooterLink]) -> list[rx.Component | str]:
    return [part for item in privacy for part in (" ", link(t(item.label_key), href=item.href))]
