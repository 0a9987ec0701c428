"""The frame of every page, for whoever is looking at it."""

from collections.abc import Sequence
from functools import partial
from typing import Any

import reflex as rx
from reflex_base.event import no_args_event_spec, passthrough_event_spec

from rewards_app.core.actor import PLAYING_ROLES, Role
from rewards_app.core.page import Around, Frame, Page
from rewards_app.core.state import VISITOR, AppState
from rewards_app.features.accounts.age_prompt import age_prompt
from rewards_app.features.accounts.state import SessionState
from rewards_app.features.ads.rules import DAILY_LIMIT
from rewards_app.features.consent.banner import consent_banner
from rewards_app.features.guardians.card import request as guardian_request
from rewards_app.features.legal.news import news_of_editions
from rewards_app.features.legal.state import LegalState
from rewards_app.features.notifications.bell import bell
from rewards_app.features.notifications.state import BellState
from rewards_app.features.profile.moment_state import MomentState
from rewards_app.features.profile.moments import achievement_moment
from rewards_app.features.shell.navigation import admin_places, company_places, player_places
from rewards_app.features.shell.state import BarState, CompanyBarState
from rewards_app.features.shell.suspended import suspended
from rewards_app.features.support.restriction_state import RestrictionState
from rewards_app.i18n.languages import LANGUAGES
from rewards_app.i18n.page_text import members_texts_are_here, t
from rewards_app.ui.bars import ads_today
from rewards_app.ui.brand import logo
from rewards_app.ui.buttons import link_button
from rewards_app.ui.cards import empty_state
from rewards_app.ui.feedback import loading_screen
from rewards_app.ui.frame import (
    PRIVACY,
    TERMS_AND_PRIVACY,
    YOUR_DATA,
    FooterLink,
    NavItem,
    member_frame,
    visitor_frame,
)
from rewards_app.ui.inputs import language_menu, theme_menu
from rewards_app.ui.numbers import dollars_of_parts

ADVERTISE = FooterLink("nav.advertise", "/advertiser")


class LanguageFollower(rx.Component):
    """Keeps the page's texts in the chosen language, and fetches those that only members read."""

    library = "$/public/i18n"
    tag = "LanguageFollower"
    lib_dependencies: list[str] = ["i18next", "react-i18next"]
    language: rx.Var[str]
    is_member: rx.Var[bool]
    visitor_paths: rx.Var[list[str]]


class PageTitle(rx.Component):
    library = "$/public/i18n"
    tag = "PageTitle"
    title: rx.Var[str]


class Door(rx.Component):
    """The way out of the page, to where the session's cookie changes."""

    library = "$/public/session"
    tag = "Door"
    to: rx.Var[str]


class IdleWatch(rx.Component):
    library = "$/public/session"
    tag = "IdleWatch"
    watches: rx.Var[bool]
    on_active: rx.EventHandler[no_args_event_spec]
    on_idle: rx.EventHandler[no_args_event_spec]


class TimeZoneTeller(rx.Component):
    """Tells the server which time zone the browser is in, when it knows another one."""

    library = "$/public/session"
    tag = "TimeZoneTeller"
    is_known: rx.Var[bool]
    known: rx.Var[str]
    on_differs: rx.EventHandler[passthrough_event_spec(str)]


def frame_for(pages: Sequence[Page]) -> Frame:
    footer = _footer(pages)
    own = [*footer, *_there(pages, YOUR_DATA)]
    for_players = [*own, *_there(pages, ADVERTISE)]

    def member(places: Sequence[NavItem], small_print: Sequence[FooterLink], **look: Any) -> Around:
        return partial(_member, places=places, footer=small_print, **look)

    return Frame(
        visitor=partial(_visitor, footer=footer),
        members=[
            (PLAYING_ROLES, member(player_places(pages), for_players, is_work=False)),
            (
                frozenset({Role.COMPANY}),
                member(company_places(pages), own, is_work=True, who=_company()),
            ),
            (
                frozenset({Role.ADMIN}),
                member(admin_places(pages), own, is_work=True, has_bell=False),
            ),
        ],
        loading=loading_screen,
        not_found=_not_found,
        suspended=suspended,
        when_suspended=[RestrictionState.load],
        title=_title,
        loads={
            **{
                role: [BarState.load, BellState.load, MomentState.look, LegalState.load]
                for role in PLAYING_ROLES
            },
            Role.COMPANY: [CompanyBarState.load, BellState.load, LegalState.load],
            Role.ADMIN: [LegalState.load],
        },
    )


def companions(pages: Sequence[Page]) -> rx.Component:
    """What lives beside every page: language, the door, the watch for silence, two questions."""
    legal = _footer(pages)
    return rx.fragment(
        LanguageFollower.create(
            language=AppState.language,
            is_member=_is_signed_in(),
            visitor_paths=sorted({page.path for page in pages if page.visitors}),
        ),
        Door.create(to=AppState.door),
        IdleWatch.create(
            watches=_is_signed_in(),
            on_active=AppState.still_here,
            on_idle=SessionState.end_idle,
        ),
        TimeZoneTeller.create(
            is_known=BarState.is_known, known=BarState.time_zone, on_differs=BarState.tell_time_zone
        ),
        rx.cond(
            members_texts_are_here(),
            rx.fragment(age_prompt(legal, guardian_request()), achievement_moment()),
        ),
        consent_banner([item for item in legal if item.href == PRIVACY.href]),
    )


def _is_signed_in() -> rx.Var[bool]:
    role = rx.Var.create(AppState.role)
    return (role != "") & (role != VISITOR)


def _title(key: str) -> rx.Component:
    return PageTitle.create(title=key)


def _footer(pages: Sequence[Page]) -> list[FooterLink]:
    return _there(pages, *TERMS_AND_PRIVACY)


def _there(pages: Sequence[Page], *links: FooterLink) -> list[FooterLink]:
    return [link for link in links if link.href in _paths(pages)]


def _paths(pages: Sequence[Page]) -> set[str]:
    return {page.path for page in pages}


def _company() -> rx.Component:
    """For whom somebody acts, and what there is to spend."""
    company = CompanyBarState.company
    return rx.cond(
        company,
        rx.fragment(
            rx.el.span(company, class_name="block font-semibold wrap-anywhere text-text"),
            rx.el.span(
                t("advertiser.balance_is", amount=dollars_of_parts(CompanyBarState.balance)),
                class_name="tnum block",
            ),
        ),
        rx.el.span(AppState.name, class_name="wrap-anywhere"),
    )


def _visitor(content: rx.Component, *, footer: Sequence[FooterLink]) -> rx.Component:
    return visitor_frame(
        content, language_menu=_languages(), theme_menu=theme_menu(), footer_links=footer
    )


def _member(
    content: rx.Component,
    *,
    places: Sequence[NavItem],
    footer: Sequence[FooterLink],
    is_work: bool,
    who: rx.Component | None = None,
    has_bell: bool = True,
) -> rx.Component:
    framed = member_frame(
        news_of_editions(),
        content,
        navigation=places,
        on_sign_out=SessionState.sign_out,
        language_menu=_languages(),
        theme_menu=theme_menu(),
        players_online=AppState.players_online,
        balance=None if is_work else BarState.balance,
        status=AppState.name if is_work else ads_today(BarState.ads_today, DAILY_LIMIT),
        name=AppState.name if who is None else who,
        footer_links=footer,
        is_work=is_work,
        bell=bell() if has_bell else None,
    )
    return rx.cond(members_texts_are_here(), framed, loading_screen())


def _languages() -> rx.Component:
    names = [(language.code, language.name) for language in LANGUAGES]
    return language_menu(names, AppState.language, AppState.choose_language)


def _not_found() -> rx.Component:
    return rx.el.main(
        rx.el.div(
            rx.el.div(logo(), class_name="mb-4 flex justify-center"),
            empty_state(
                "compass",
                t("not_found.text"),
                t("not_found.hint"),
                link_button(t("not_found.home"), href="/"),
                is_whole_page=True,
            ),
            class_name="w-full max-w-[560px]",
        ),
        class_name="arena grid min-h-dvh place-items-center p-4",
    )
