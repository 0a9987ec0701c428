"""The section Two-Factor Auth: an app that shows codes, passkeys, backup codes."""

from typing import Any

import reflex as rx

from rewards_app.core.state import AppState
from rewards_app.features.factors.rules import (
    BACKUP_CODES,
    LONGEST_PASSKEY_NAME,
    MOST_PASSKEYS,
)
from rewards_app.features.security.backup_codes import backup_codes
from rewards_app.features.security.factors_state import FactorsState, Step
from rewards_app.features.security.parts import card, head, own_password, step
from rewards_app.i18n.page_text import t
from rewards_app.ui.buttons import button, icon_button
from rewards_app.ui.cards import skeleton, status
from rewards_app.ui.copying import copyable
from rewards_app.ui.feedback import banner, could_not_load, loading_line
from rewards_app.ui.forms import actions, form, text_field
from rewards_app.ui.markup import Child
from rewards_app.ui.numbers import date, number, since
from rewards_app.ui.passkeys import passkey_button
from rewards_app.ui.refusal import other_refusal


def factors_section() -> rx.Component:
    match: Any = rx.match
    shown = rx.cond(
        FactorsState.is_known,
        match(
            FactorsState.step,
            (Step.BEGIN.value, _proof("begin", "security.continue")),
            (Step.SCAN.value, _scan()),
            (Step.CODES.value, _codes()),
            (Step.REMOVE.value, _proof("remove", "security.turn_off", is_danger=True)),
            (Step.RENEW.value, _proof("renew", "security.new_codes")),
            (
                Step.ADD_KEY.value,
                _proof("add_key", "security.continue", _key_name(auto_focus=True)),
            ),
            (Step.MAKE_KEY.value, _make_key()),
            (Step.RENAME_KEY.value, _rename_key()),
            (Step.REMOVE_KEY.value, _proof("remove_key", "security.remove_key", is_danger=True)),
            _list(),
        ),
        could_not_load(t("security.factors_not_loaded"), FactorsState.load),
    )
    return rx.cond(
        FactorsState.is_loaded,
        shown,
        rx.el.div(loading_line(), *(skeleton("tile") for _ in range(3)), class_name="grid gap-4"),
    )


def _list() -> rx.Component:
    return rx.fragment(
        head(t("security.two_factor_title"), t("security.two_factor_text")),
        rx.el.div(_app(), _keys(), rx.cond(_is_on(), _backup()), _sms(), class_name="grid gap-4"),
    )


def _is_on() -> Any:
    keys: Any = FactorsState.passkeys
    since: Any = FactorsState.app_since
    return (since != "") | (keys.length() > 0)


def _app() -> rx.Component:
    ask: Any = FactorsState.ask
    return card(
        "smartphone",
        t("security.app_title"),
        t("security.app_text"),
        state=rx.cond(
            FactorsState.app_since,
            rx.el.p(
                status(t("security.on"), "good"),
                rx.el.span(
                    t("security.on_since", date=date(FactorsState.app_since)),
                    class_name="text-sm text-quiet",
                ),
                class_name="mt-3 flex flex-wrap items-center gap-2",
            ),
        ),
        aside=rx.cond(
            FactorsState.app_since,
            button(
                t("security.turn_off"), kind="danger", size="sm", on_click=ask(Step.REMOVE.value)
            ),
            button(t("security.setup"), kind="ghost", size="sm", on_click=ask(Step.BEGIN.value)),
        ),
    )


def _keys() -> rx.Component:
    ask: Any = FactorsState.ask
    keys: Any = FactorsState.passkeys
    return card(
        "fingerprint",
        t("security.keys_title"),
        t("security.keys_text"),
        rx.cond(
            keys.length() > 0,
            rx.el.ul(rx.foreach(keys, _key), class_name="mt-3 divide-y divide-line sm:pl-8"),
        ),
        aside=rx.cond(
            keys.length() < MOST_PASSKEYS,
            button(
                t("security.add_key"), kind="ghost", size="sm", on_click=ask(Step.ADD_KEY.value)
            ),
        ),
    )


def _key(key: Any) -> rx.Component:
    ask: Any = FactorsState.ask_about
    key_id, name = key["id"].to(str), key["name"].to(str)
    return rx.el.li(
        rx.el.div(
            rx.el.p(name, class_name="font-semibold wrap-anywhere"),
            rx.el.p(
                t("security.key_since", date=date(key["since"].to(str))),
                " · ",
                rx.cond(
                    key["used_at"].to(str),
                    t("security.key_used", ago=since(key["used_at"].to(str))),
                    t("security.key_unused"),
                ),
                class_name="tnum text-sm text-quiet",
            ),
            class_name="min-w-0 flex-1",
        ),
        icon_button(
            "pencil",
            t("security.rename_key_named", passkey=name),
            on_click=ask(Step.RENAME_KEY.value, key_id),
        ),
        icon_button(
            "trash-2",
            t("security.remove_key_named", passkey=name),
            on_click=ask(Step.REMOVE_KEY.value, key_id),
        ),
        key=key_id,
        class_name="flex items-center gap-1 py-2",
    )


def _key_name(**present: Any) -> rx.Component:
    return text_field(
        "name",
        t("security.key_name"),
        hint=t("security.key_name_hint"),
        required=True,
        max_length=LONGEST_PASSKEY_NAME,
        **present,
    )


def _make_key() -> rx.Component:
    return rx.fragment(
        head(t("security.steps.make_key"), t("security.steps.make_key_text")),
        actions(
            button(t("ui.cancel"), kind="ghost", on_click=FactorsState.leave),
            passkey_button(
                t("security.make_key"),
                options=FactorsState.options,  # pyright: ignore[reportArgumentType]
                on_answer=FactorsState.add_passkey,
                on_trouble=FactorsState.say_trouble,
            ),
        ),
    )


def _rename_key() -> rx.Component:
    return rx.fragment(
        head(t("security.steps.rename_key"), t("security.steps.rename_key_text")),
        step(
            _key_name(default_value=FactorsState.key["name"], auto_focus=True),
            does=t("security.save"),
            on_submit=FactorsState.go_on,
            on_cancel=FactorsState.leave,
        ),
    )


def _backup() -> rx.Component:
    ask: Any = FactorsState.ask
    left = FactorsState.codes_left
    return card(
        "list-checks",
        t("security.codes_title"),
        t("security.codes_left", count=left, shown=number(left), all=BACKUP_CODES),
        aside=button(
            t("security.new_codes"), kind="ghost", size="sm", on_click=ask(Step.RENEW.value)
        ),
    )


def _sms() -> rx.Component:
    return card("message-square", t("security.sms_title"), t("security.sms_text"))


def _proof(name: str, does: str, *fields: Child, is_danger: bool = False) -> rx.Component:
    """The password, before a change."""
    return rx.fragment(
        head(t(f"security.steps.{name}"), t(f"security.steps.{name}_text")),
        step(
            *fields,
            own_password(begins=not fields),
            does=t(does),
            on_submit=FactorsState.go_on,
            on_cancel=FactorsState.leave,
            kind="danger" if is_danger else "primary",
        ),
    )


def _scan() -> rx.Component:
    return rx.fragment(
        head(t("security.app_title"), t("security.app_text")),
        rx.el.div(
            rx.el.img(
                src=FactorsState.qr,
                alt=t("security.qr"),
                class_name="size-44 shrink-0 rounded-control bg-white max-sm:mx-auto",
            ),
            form(
                _numbered(
                    1,
                    rx.el.p(t("security.scan")),
                    rx.el.p(t("security.scan_not"), class_name="text-sm text-quiet"),
                    copyable(FactorsState.secret, t("security.copy_key"), "text-base"),
                ),
                _numbered(
                    2,
                    text_field(
                        "code",
                        t("security.enter_code"),
                        autocomplete="one-time-code",
                        inputmode="numeric",
                        required=True,
                        max_length=10,
                        auto_focus=True,
                    ),
                ),
                other_refusal(AppState.refusal),
                actions(
                    button(t("ui.cancel"), kind="ghost", on_click=FactorsState.leave),
                    button(t("security.turn_on"), submits=True, busy=AppState.is_busy),
                ),
                on_submit=FactorsState.go_on,
                no_validate=True,
                # On a phone the field comes into sight together with the picture above it.
                class_name="min-w-0 flex-[1_1_260px] max-sm:[&_input]:scroll-mt-[440px]",
            ),
            class_name="flex flex-wrap items-start gap-6",
        ),
    )


def _numbered(place: int, *children: Child) -> rx.Component:
    return rx.el.div(
        rx.el.span(
            str(place),
            class_name=(
                "tnum grid size-7 shrink-0 place-items-center rounded-full bg-raised"
                " text-sm font-semibold text-lilac"
            ),
            aria_hidden="true",
        ),
        rx.el.div(*children, class_name="grid min-w-0 flex-1 gap-1"),
        class_name="flex gap-3",
    )


def _codes() -> rx.Component:
    return rx.fragment(
        banner("good", t("security.codes_made"), t("security.codes_made_text"), is_news=True),
        rx.el.div(head(t("security.save_codes"), t("security.save_codes_text")), class_name="mt-5"),
        backup_codes(FactorsState.codes, t("security.codes_heading")),
        rx.el.div(
            button(t("security.saved_codes"), on_click=FactorsState.leave),
            class_name="mt-4 flex justify-end max-sm:[&>button]:w-full",
        ),
    )
