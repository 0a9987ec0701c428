"""The auth screen: sign-up and sign-in with their ways around, and what mailed links lead to."""

from typing import Any

import reflex as rx

from rewards_app.core.page import Page
from rewards_app.core.settings import settings
from rewards_app.core.state import AppState
from rewards_app.features.accounts import contacts, password_rules, rules
from rewards_app.features.accounts.providers import configured
from rewards_app.features.accounts.state import AuthState
from rewards_app.i18n.page_text import t
from rewards_app.ui.buttons import button, link_button, look
from rewards_app.ui.cards import panel, skeleton
from rewards_app.ui.feedback import loading_line, meter
from rewards_app.ui.forms import form, form_row, password_field, select_field, text_field
from rewards_app.ui.icons import icon
from rewards_app.ui.links import browser_link, link
from rewards_app.ui.refusal import Words, refusal_line

ADMIN = rules.AccountKind.ADMIN.value
PLAYER = rules.AccountKind.PLAYER.value
COMPANY = rules.AccountKind.COMPANY.value
SIGN_IN = "/auth?mode=login"
GENDERS: list[tuple[str, str]] = [
    (choice, f"auth.gender_{choice.lower()}") for choice in rules.GENDER_CHOICES
]


def auth() -> rx.Component:
    return rx.el.div(
        link(
            icon("arrow-left", 16),
            t("auth.back_home"),
            href="/",
            quiet=True,
            class_name="inline-flex items-center gap-2",
        ),
        panel(
            rx.match(
                AuthState.mode,
                ("", _opening()),
                ("login", _sign_in()),
                ("forgot", _forgot()),
                ("reset", _reset()),
                ("verify", _verifying()),
                ("verified", _done("circle-check", "verified", _to_sign_in())),
                ("sent", _mailed("sent")),
                ("unverified", _mailed("unverified")),
                ("reset_sent", _done("mail", "reset_sent", _to_sign_in(), to=AuthState.mailed_to)),
                _sign_up(),
            ),
            glows=True,
            class_name="mt-4",
        ),
        class_name="mx-auto w-full max-w-[520px] px-4 py-8 sm:py-12",
    )


def _opening() -> rx.Component:
    return rx.el.div(
        loading_line(),
        skeleton("title"),
        *(skeleton("row") for _ in range(4)),
        class_name="grid gap-4",
    )


def _head(title: rx.Component | rx.Var[str], text: rx.Var[str]) -> rx.Component:
    return rx.el.div(
        rx.el.h1(title, class_name="text-2xl text-balance"),
        rx.el.p(text, class_name="mt-1.5 text-quiet"),
        class_name="mb-5",
    )


def _by_kind(prefix: str) -> rx.Var[str]:
    return rx.match(  # pyright: ignore[reportReturnType]
        AuthState.kind,
        (COMPANY, t(f"{prefix}_company")),
        (ADMIN, t(f"{prefix}_admin")),
        t(f"{prefix}_player"),
    )


def _sign_up() -> rx.Component:
    return rx.fragment(
        _head(_by_kind("auth.signup"), _by_kind("auth.signup_text")),
        form(
            rx.cond(AuthState.kind == PLAYER, _player_fields()),
            text_field(
                "email", t("auth.email"), type_="email", autocomplete="email", required=True
            ),
            password_field(
                "password",
                t("auth.password"),
                autocomplete="new-password",
                on_change=_weigh(),
            ),
            _strength(),
            _refusal_of_password(),
            button(t("auth.create_account"), submits=True, busy=AppState.is_busy, wide=True),
            on_submit=AuthState.sign_up,
        ),
        _other_ways("login"),
    )


def _player_fields() -> rx.Component:
    dialling = {code: contacts.dialling_code(code) for code in rules.PHONE_COUNTRIES}
    return rx.fragment(
        text_field("name", t("auth.name"), autocomplete="nickname", required=True, max_length=40),
        form_row(
            _country_field("phone_country", "auth.phone_country", list(dialling), dialling),
            text_field(
                "phone", t("auth.phone"), type_="tel", autocomplete="tel-national", required=True
            ),
        ),
        form_row(
            text_field(
                "age",
                t("auth.age"),
                type_="number",
                inputmode="numeric",
                required=True,
                min=rules.YOUNGEST,
                max=rules.OLDEST,
            ),
            select_field(
                "gender",
                t("auth.gender"),
                [("", t("auth.gender_choose")), *((value, t(key)) for value, key in GENDERS)],
                required=True,
            ),
        ),
        _country_field("country", "auth.country", sorted(contacts.country_codes()), {}),
    )


class CountryOptions(rx.Component):
    """The options of a country list, named and sorted by the browser."""

    library = "$/public/countries"
    tag = "CountryOptions"
    codes: rx.Var[list[str]]
    dialling: rx.Var[dict[str, int]]


def _country_field(
    name: str, label: str, codes: list[str], dialling: dict[str, int]
) -> rx.Component:
    return select_field(
        name,
        t(label),
        CountryOptions.create(codes=codes, dialling=dialling),
        required=True,
        autocomplete="country" if name == "country" else "tel-country-code",
        default_value="US",
    )


def _weigh() -> Any:
    weigh: Any = AuthState.weigh_password
    return weigh.debounce(250)


def _strength() -> rx.Component:
    """Follows the typing; a password refused for its weakness is told so here, and only once."""
    return rx.cond(
        AuthState.strength,
        rx.el.div(
            meter(AuthState.strength["score"].to(int), t(AuthState.strength["label"].to(str))),
            rx.el.p(
                Words.create(says=AuthState.strength["says"].to(dict[str, Any])),
                class_name=rx.cond(
                    _is_refused_as_weak(), "text-sm text-danger", "text-sm text-quiet"
                ),
            ),
            class_name="grid gap-2",
        ),
    )


def _is_refused_as_weak() -> rx.Var[bool]:
    strength: Any = AuthState.strength
    return strength.bool() & (AppState.refusal["code"] == password_rules.WeakPassword.code)


def _refusal_of_password() -> rx.Component:
    return rx.cond(_is_refused_as_weak(), rx.fragment(), refusal_line(AppState.refusal))


def _sign_in() -> rx.Component:
    return rx.fragment(
        _head(t("auth.login"), _by_kind("auth.login_text")),
        form(
            text_field(
                "email", t("auth.email"), type_="email", autocomplete="username", required=True
            ),
            password_field("password", t("auth.password"), autocomplete="current-password"),
            refusal_line(AppState.refusal),
            button(t("auth.sign_in"), submits=True, busy=AppState.is_busy, wide=True),
            link(t("auth.forgot"), href="/auth?mode=forgot", class_name="justify-self-start"),
            on_submit=AuthState.sign_in,
        ),
        _other_ways("signup"),
    )


def _forgot() -> rx.Component:
    return rx.fragment(
        _head(t("auth.forgot_title"), t("auth.forgot_text")),
        form(
            text_field(
                "email", t("auth.email"), type_="email", autocomplete="username", required=True
            ),
            refusal_line(AppState.refusal),
            button(t("auth.send_reset"), submits=True, busy=AppState.is_busy, wide=True),
            on_submit=AuthState.forgot,
        ),
        rx.el.div(link(t("auth.to_sign_in"), href=SIGN_IN), class_name="mt-4"),
    )


def _reset() -> rx.Component:
    return rx.fragment(
        _head(t("auth.reset_title"), t("auth.reset_text")),
        form(
            password_field(
                "password",
                t("auth.new_password"),
                autocomplete="new-password",
                on_change=_weigh(),
            ),
            _strength(),
            _refusal_of_password(),
            button(t("auth.save_password"), submits=True, busy=AppState.is_busy, wide=True),
            on_submit=AuthState.reset_password,
        ),
        rx.el.div(link(t("auth.new_reset_link"), href="/auth?mode=forgot"), class_name="mt-4"),
    )


def _verifying() -> rx.Component:
    return rx.cond(
        AppState.refusal,
        rx.fragment(
            _head(t("auth.verify_failed_title"), t("auth.verify_failed_text")),
            refusal_line(AppState.refusal),
            rx.el.div(_to_sign_in(), class_name="mt-4"),
        ),
        _head(t("auth.verifying_title"), t("auth.verifying_text")),
    )


def _mailed(outcome: str) -> rx.Component:
    """An account that waits for its email to be verified."""
    return _done(
        "mail",
        outcome,
        rx.el.div(
            refusal_line(AppState.refusal),
            _to_sign_in(),
            button(
                t("auth.send_again"),
                kind="ghost",
                on_click=AuthState.send_again,
                busy=AppState.is_busy,
                wide=True,
            ),
            class_name="grid gap-3",
        ),
        to=AuthState.mailed_to,
    )


def _done(
    sign: str, outcome: str, action: rx.Component, to: rx.Var[str] | str = ""
) -> rx.Component:
    return rx.el.div(
        icon(sign, 32, class_name="text-cyan"),
        rx.el.h1(t(f"auth.{outcome}_title"), class_name="mt-3 text-2xl text-balance"),
        rx.el.p(t(f"auth.{outcome}_text", email=to), class_name="mt-1.5 mb-5 text-quiet"),
        action,
        role="status",
    )


def _to_sign_in() -> rx.Component:
    return link_button(t("auth.to_sign_in"), href=SIGN_IN, wide=True)


def _other_ways(other_mode: str) -> rx.Component:
    """The toggle between signing up and in, the other kind of account, the providers."""
    return rx.el.div(
        *_provider_buttons(),
        rx.el.p(
            t(f"auth.ask_{other_mode}"),
            " ",
            link(t(f"auth.go_{other_mode}"), href=_address(other_mode, AuthState.kind)),
        ),
        rx.cond(
            AuthState.kind == ADMIN,
            rx.fragment(),
            rx.el.p(
                rx.cond(
                    AuthState.kind == COMPANY,
                    link(t("auth.to_player"), href=_address(AuthState.mode, PLAYER)),
                    link(t("auth.to_company"), href=_address(AuthState.mode, COMPANY)),
                )
            ),
        ),
        class_name="mt-5 grid gap-2.5 border-t border-line pt-5",
    )


def _address(mode: rx.Var[str] | str, kind: rx.Var[str] | str) -> rx.Var[str]:
    return rx.Var.create(f"/auth?mode={mode}&type={kind}")


def _provider_buttons() -> list[rx.Component]:
    # A provider's page is another site.
    return [
        browser_link(
            icon("log-in", 18),
            t("auth.with_provider", provider=provider.shown_as(settings())),
            href=f"/oauth/{provider.name}",
            class_name=look("ghost", wide=True).replace("enabled:", ""),
        )
        for provider in configured(settings())
    ]


PAGES = [
    Page(
        "/auth",
        auth,
        "auth.page_title",
        visitors=True,
        on_load=[AuthState.open],
        is_shown_at_once=True,
    )
]
