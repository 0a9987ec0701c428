"""The forms of the auth screen, each with its ways around."""

from typing import Any

import reflex as rx

from rewards_app.core.routes import SIGN_IN
from rewards_app.core.settings import settings
from rewards_app.core.state import AppState, is_member
from rewards_app.features.accounts import contacts, rules
from rewards_app.features.accounts.country_field import country_field
from rewards_app.features.accounts.letters import MAILED
from rewards_app.features.accounts.providers import Provider, configured
from rewards_app.features.accounts.state import AuthState
from rewards_app.features.accounts.strength import is_refused_as_weak, strength
from rewards_app.features.arrivals.rules import LED_BY
from rewards_app.features.arrivals.telling import led_by, led_by_field
from rewards_app.features.consent.state import ConsentState
from rewards_app.i18n.page_text import t
from rewards_app.ui.buttons import button, link_button, look
from rewards_app.ui.dead_ends import dead_end_words
from rewards_app.ui.forms import form, form_row, password_field, select_field, text_field
from rewards_app.ui.icons import icon
from rewards_app.ui.links import LINK, browser_link, link
from rewards_app.ui.markup import Child
from rewards_app.ui.refusal import Words, field_error, other_refusal, refusal_line

ADMIN = rules.AccountKind.ADMIN.value
PLAYER = rules.AccountKind.PLAYER.value
COMPANY = rules.AccountKind.COMPANY.value
NEW_RESET_LINK = f"{MAILED}?mode=forgot"
GENDERS: list[tuple[str, str]] = [
    (choice, f"auth.gender_{choice.lower()}") for choice in rules.GENDER_CHOICES
]


def sign_up() -> rx.Component:
    return rx.fragment(
        head(_by_kind("auth.signup"), _by_kind("auth.signup_text")),
        form(
            rx.cond(AuthState.kind == PLAYER, _player_fields()),
            text_field(
                "email",
                t("auth.email"),
                type_="email",
                autocomplete="email",
                required=True,
                error=_error("email"),
            ),
            _new_password("auth.password"),
            _accepting(),
            led_by_field(),
            button(t("auth.create_account"), submits=True, busy=AppState.is_busy, wide=True),
            on_submit=AuthState.sign_up,
        ),
        _other_ways("login"),
    )


def _accepting() -> rx.Component:
    """What is accepted opens beside the form: what was typed stays."""
    terms, privacy = (
        browser_link(
            t(f"auth.accept_{name}"),
            href=f"/{name}",
            target="_blank",
            rel="noopener",
            class_name=LINK,
        )
        for name in ("terms", "privacy")
    )
    return rx.el.p(
        *(t("auth.accept_before"), " ", terms, " ", t("auth.accept_and"), " ", privacy, "."),
        class_name="text-sm text-quiet text-pretty",
    )


def _player_fields() -> rx.Component:
    dialling = contacts.dialling_codes()
    return rx.fragment(
        text_field(
            "name",
            t("auth.name"),
            autocomplete="nickname",
            required=True,
            error=_error("name"),
        ),
        form_row(
            country_field(
                "phone_country",
                "auth.phone_country",
                list(dialling),
                dialling,
                chosen="US",
                error=_error("phone_country"),
            ),
            text_field(
                "phone",
                t("auth.phone"),
                type_="tel",
                autocomplete="tel-national",
                required=True,
                error=_error("phone"),
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
                error=_error("age"),
            ),
            select_field(
                "gender",
                t("auth.gender"),
                [("", t("auth.gender_choose")), *((value, t(key)) for value, key in GENDERS)],
                required=True,
                error=_error("gender"),
            ),
        ),
        country_field(
            "country",
            "auth.country",
            sorted(contacts.country_codes()),
            chosen="US",
            error=_error("country"),
        ),
    )


def _error(field: str) -> rx.Var[str]:
    return field_error(AppState.refusal, field)


def sign_in() -> rx.Component:
    return rx.fragment(
        head(t("auth.login"), _by_kind("auth.login_text")),
        form(
            text_field(
                "email", t("auth.email"), type_="email", autocomplete="username", required=True
            ),
            password_field("password", t("auth.password"), autocomplete="current-password"),
            refusal_line(AppState.refusal),
            button(t("auth.sign_in"), submits=True, busy=AppState.is_busy, wide=True),
            link(
                t("auth.forgot"), href="/auth?mode=forgot", class_name="target justify-self-start"
            ),
            on_submit=AuthState.sign_in,
        ),
        _other_ways("signup"),
    )


def forgot() -> rx.Component:
    return rx.fragment(
        head(t("auth.forgot_title"), t("auth.forgot_text")),
        form(
            text_field(
                "email", t("auth.email"), type_="email", autocomplete="username", required=True
            ),
            refusal_line(AppState.refusal),
            button(t("auth.send_reset"), submits=True, busy=AppState.is_busy, wide=True),
            on_submit=AuthState.forgot,
        ),
        rx.el.div(
            rx.cond(
                is_member(),
                link(t("auth.email.go_on"), href="/", class_name="target"),
                link(t("auth.to_sign_in"), href=SIGN_IN, class_name="target"),
            ),
            class_name="mt-5",
        ),
    )


def reset() -> rx.Component:
    return rx.cond(AuthState.reset_over, _reset_over(), _reset())


def _reset_over() -> rx.Component:
    return rx.el.div(
        dead_end_words(
            "link-2-off",
            t("auth.verify_failed_title"),
            Words.create(says=AuthState.reset_over),
            link_button(t("auth.new_reset_link"), href=NEW_RESET_LINK),
        ),
        role="alert",
    )


def _reset() -> rx.Component:
    return rx.fragment(
        head(t("auth.reset_title"), t("auth.reset_text")),
        form(
            _new_password("auth.new_password"),
            button(t("auth.save_password"), submits=True, busy=AppState.is_busy, wide=True),
            on_submit=AuthState.reset_password,
        ),
        rx.el.div(
            link(t("auth.new_reset_link"), href=NEW_RESET_LINK, class_name="target"),
            class_name="mt-5",
        ),
    )


def _new_password(label: str) -> rx.Component:
    """The field, how strong it is so far, and why it was refused."""
    weigh: Any = AuthState.weigh_password
    return rx.fragment(
        password_field(
            "password",
            t(label),
            autocomplete="new-password",
            on_change=weigh.debounce(250),
            weighed_with=["email", "name"],
            error=_error("password"),
        ),
        strength(),
        _refusal_of_password(),
    )


def _refusal_of_password() -> rx.Component:
    return rx.cond(is_refused_as_weak(), rx.fragment(), other_refusal(AppState.refusal))


def _other_ways(other_mode: str) -> rx.Component:
    """The toggle between signing up and in, the other kind of account, the providers."""
    return rx.el.div(
        *_providers(_accepting() if other_mode == "signup" else rx.fragment()),
        rx.el.p(
            t(f"auth.ask_{other_mode}"),
            " ",
            link(
                t(f"auth.go_{other_mode}"),
                href=_address(other_mode, AuthState.kind),
                class_name="target",
            ),
        ),
        rx.cond(
            AuthState.kind == ADMIN,
            rx.fragment(),
            rx.el.p(
                rx.cond(
                    AuthState.kind == COMPANY,
                    link(
                        t("auth.to_player"),
                        href=_address(AuthState.mode, PLAYER),
                        class_name="target",
                    ),
                    link(
                        t("auth.to_company"),
                        href=_address(AuthState.mode, COMPANY),
                        class_name="target",
                    ),
                )
            ),
        ),
        class_name="mt-5 grid gap-6 border-t border-line pt-5",
    )


def _address(mode: rx.Var[str] | str, kind: rx.Var[str] | str) -> rx.Var[str]:
    return rx.Var.create(f"/auth?mode={mode}&type={kind}")


def _providers(accepting: rx.Component) -> list[rx.Component]:
    """Whoever signs in for the first time gets an account: what that accepts is said before."""
    buttons = [_provider_button(provider) for provider in configured(settings())]
    return [accepting, *buttons] if buttons else []


def _provider_button(provider: Provider) -> rx.Component:
    # A provider's page is another site.
    logs = rx.cond(ConsentState.logs_addresses, "yes", "no")
    campaign = rx.cond(led_by(), f"&{LED_BY}={led_by()}", "")
    known = f"language={AppState.language}&type={AuthState.kind}&addresses={logs}{campaign}"
    return browser_link(
        icon("log-in", 18),
        t("auth.with_provider", provider=provider.shown_as(settings())),
        href=rx.Var.create(f"/oauth/{provider.name}?{known}"),
        class_name=look("ghost", wide=True).replace("enabled:", ""),
    )


def _by_kind(prefix: str) -> rx.Var[str]:
    return rx.match(  # pyright: ignore[reportReturnType]
        AuthState.kind,
        (COMPANY, t(f"{prefix}_company")),
        (ADMIN, t(f"{prefix}_admin")),
        t(f"{prefix}_player"),
    )


def head(title: Child, text: Child) -> rx.Component:
    return rx.el.div(
        rx.el.h1(title, class_name="text-2xl text-balance"),
        rx.el.p(text, class_name="mt-1.5 text-quiet"),
        class_name="mb-5",
    )


def way_on() -> rx.Component:
    """To the sign-in; who opens a mail where somebody is signed in goes on as before."""
    return rx.cond(
        is_member(),
        link_button(t("auth.email.go_on"), href="/", wide=True),
        link_button(t("auth.to_sign_in"), href=SIGN_IN, wide=True),
    )
