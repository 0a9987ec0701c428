"""The frame of every page, for whoever is looking at it."""

import json
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any
from uuid import UUID

import reflex as rx
from reflex_base.event import no_args_event_spec, passthrough_event_spec

from rewards_app.core.actor import PLAYING_ROLES, Role
from rewards_app.core.page import Around, Frame, Page
from rewards_app.core.routes import VISITOR_PAGES
from rewards_app.core.state import VISITOR, AppState, is_member
from rewards_app.features.accounts.state import SessionState
from rewards_app.features.admin import what_waits
from rewards_app.features.ads.rules import DAILY_LIMIT
from rewards_app.features.arrivals.telling import arrival
from rewards_app.features.consent.banner import consent_banner
from rewards_app.features.consent.page_views import PageViews
from rewards_app.features.consent.state import ConsentState
from rewards_app.features.legal.news import news_of_editions
from rewards_app.features.notifications.bell import bell
from rewards_app.features.notifications.state import BellState
from rewards_app.features.profile.moment_state import MomentState
from rewards_app.features.shell.beside_members import beside_members
from rewards_app.features.shell.navigation import admin_places, company_places, player_places
from rewards_app.features.shell.state import BarState, CompanyBarState
from rewards_app.features.shell.suspended import suspended
from rewards_app.features.shell.wanted import wanted
from rewards_app.features.support.restriction_state import RestrictionState
from rewards_app.i18n.languages import (
    ADDRESSES,
    CODES,
    DEFAULT,
    LANGUAGES,
    OF_A_LINK,
    OF_ONE_LANGUAGE,
)
from rewards_app.i18n.page_text import members_texts_are_here, t
from rewards_app.ui.bars import ads_today
from rewards_app.ui.buttons import link_button
from rewards_app.ui.connection import Visit, last_known
from rewards_app.ui.ends_later import EndsLater
from rewards_app.ui.feedback import failed_page, loading_screen, lone_page
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
from rewards_app.ui.later import later
from rewards_app.ui.markup import inline_script
from rewards_app.ui.numbers import balance
from rewards_app.ui.phone import phone

ADVERTISE = FooterLink("nav.advertise", "/advertiser")
FOLLOWS: dict[Role, Mapping[str, Sequence[Any]]] = {Role.ADMIN: what_waits.FOLLOWS}
"""What the frame follows, as pages do, on whichever of them somebody is."""


class LanguageFollower(rx.Component):
    """Keeps the page's texts in the chosen language, and fetches those that only members read."""

    library = "$/public/i18n"
    tag = "LanguageFollower"
    language: rx.Var[str]
    is_member: rx.Var[bool]
    visitor_paths: rx.Var[list[str]]


class Languages(rx.Component):
    """Around everything: who reads a page's texts, in which language."""

    library = "$/public/i18n"
    tag = "Languages"


class Expectation(rx.Component):
    """Shows what visitors see where a session was expected and there is none."""

    library = "$/public/session"
    tag = "Expectation"
    is_visitor: rx.Var[bool]


class PageTitle(rx.Component):
    library = "$/public/i18n"
    tag = "PageTitle"
    title: rx.Var[str]


class Door(rx.Component):
    """The way out of the page, to where the session's cookie changes."""

    library = "$/public/session"
    tag = "Door"
    to: rx.Var[str]


class SignIns(rx.Component):
    """Takes the pages of visitors along when somebody signs in in another tab."""

    library = "$/public/session"
    tag = "SignIns"
    session: rx.Var[str]
    is_visitor: rx.Var[bool]
    visitor_pages: rx.Var[list[str]]


class IdleWatch(rx.Component):
    library = "$/public/session"
    tag = "IdleWatch"
    session: rx.Var[str]
    on_active: rx.EventHandler[no_args_event_spec]
    on_idle: rx.EventHandler[passthrough_event_spec(UUID)]


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
                member(
                    admin_places(pages),
                    own,
                    is_work=True,
                    aside=what_waits.all_that_waits(),
                    is_all_in_rail=True,
                    has_bell=False,
                ),
            ),
        ],
        loading=_loading,
        not_found=_not_found,
        failed=_failed,
        role=last_known(AppState.role),
        suspended=suspended,
        when_suspended=[RestrictionState.load],
        title=_title,
        loads={
            **{role: [BarState.load, BellState.load, MomentState.look] for role in PLAYING_ROLES},
            Role.COMPANY: [CompanyBarState.load, BellState.load],
            Role.ADMIN: what_waits.LOADS,
        },
    )


def languages() -> rx.Component:
    return Languages.create()


def in_the_chosen_language(pages: Sequence[Page]) -> rx.Component:
    """Visitors who chose a language find the front page in it at once, not only after English;
    other documents in English are seen once their texts are in it. Who comes by a letter and has
    chosen none reads on in the letter's language."""
    codes = json.dumps(CODES)
    languages = json.dumps(sorted(path.strip("/") for path in OF_ONE_LANGUAGE))
    in_english = json.dumps(sorted({page.path for page in pages if _is_written_in_english(page)}))
    return inline_script(
        f'try{{const led=new URLSearchParams(location.search).get("{OF_A_LINK}");'
        f'if(!localStorage.getItem("language")&&{codes}.includes(led))'
        'localStorage.setItem("language",led);'
        "const page=document.documentElement.classList,"
        'chosen=localStorage.getItem("language"),path=location.pathname.replace(/(.)\\/$/,"$1");'
        f'if(!page.contains("expected")&&{languages}.includes(chosen))'
        'if(path==="/")location.replace("/"+chosen+location.search);'
        f'else if({in_english}.includes(path))page.add("untranslated")}}catch{{}}'
    )


def _is_written_in_english(page: Page) -> bool:
    return page.is_shown_at_once and page.language == DEFAULT


def companions(pages: Sequence[Page]) -> rx.Component:
    """What lives beside every page: language, the door, the watch for silence, two questions,
    the counting of views, what phones need."""
    privacy = _there(pages, PRIVACY)
    is_visitor = rx.Var.create(AppState.role) == VISITOR
    return rx.fragment(
        LanguageFollower.create(
            language=AppState.language,
            is_member=is_member(),
            visitor_paths=sorted({page.path for page in pages if page.visitors}),
        ),
        Expectation.create(is_visitor=is_visitor),
        Door.create(to=AppState.door),
        SignIns.create(
            session=AppState.session,
            is_visitor=is_visitor,
            visitor_pages=sorted(VISITOR_PAGES | set(ADDRESSES)),
        ),
        IdleWatch.create(
            session=AppState.session,
            on_active=AppState.still_here,
            on_idle=SessionState.end_idle,
        ),
        TimeZoneTeller.create(
            is_known=BarState.is_known, known=BarState.time_zone, on_differs=BarState.tell_time_zone
        ),
        _day_end(),
        rx.cond(members_texts_are_here(), later(beside_members())),
        Visit.create(
            visit=AppState.visit,
            notice=rx.Var.create(AppState.notice)["id"].to(str),
            is_busy=AppState.is_busy,
        ),
        PageViews.create(place=AppState.place, counter=ConsentState.counter),
        phone(),
        consent_banner(privacy),
        # After it: the server knows the answer by then.
        arrival(),
    )


def _day_end() -> rx.Component:
    """Beside players' pages alone: whoever has signed out here is asked nothing any more."""
    match: Any = rx.match
    end = EndsLater.create(
        ends_at=BarState.day_ends_at, ends_in=BarState.day_ends_in, on_over=BarState.begin_day
    )
    return match(AppState.role, (*sorted(role.value for role in PLAYING_ROLES), end), rx.fragment())


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
                t("advertiser.balance_is", amount=balance(CompanyBarState.balance)),
                class_name="tnum block",
            ),
        ),
        rx.el.span(AppState.name, class_name="wrap-anywhere"),
    )


def _visitor(content: rx.Component, *, footer: Sequence[FooterLink]) -> rx.Component:
    return visitor_frame(
        content,
        language_menu=_languages(),
        theme_menu=theme_menu(),
        footer_links=footer,
        is_busy=AppState.is_opening,
    )


def _member(
    content: rx.Component,
    *,
    places: Sequence[NavItem],
    footer: Sequence[FooterLink],
    is_work: bool,
    who: rx.Component | None = None,
    aside: rx.Component | None = None,
    is_all_in_rail: bool = False,
    has_bell: bool = True,
) -> rx.Component:
    framed = member_frame(
        news_of_editions(),
        wanted(),
        content,
        navigation=places,
        on_sign_out=SessionState.sign_out,
        language_menu=_languages(),
        theme_menu=theme_menu(),
        players_online=AppState.players_online,
        balance=None if is_work else BarState.balance,
        status=AppState.name if is_work else ads_today(BarState.ads_today, DAILY_LIMIT),
        aside=aside,
        name=AppState.name if who is None else who,
        footer_links=footer,
        is_work=is_work,
        is_all_in_rail=is_all_in_rail,
        is_busy=~AppState.is_hydrated | AppState.is_opening,  # pyright: ignore
        bell=bell() if has_bell else None,
    )
    return rx.cond(members_texts_are_here(), framed, loading_screen())


def _languages() -> rx.Component:
    names = [(language.code, language.name) for language in LANGUAGES]
    return language_menu(names, AppState.language, AppState.choose_language)


def _failed() -> rx.Component:
    return failed_page(AppState.enter, AppState.is_opening)


def _loading() -> rx.Component:
    return loading_screen(_failed(), AppState.page_fails)


def _not_found() -> rx.Component:
    return lone_page(
        "compass",
        t("not_found.text"),
        t("not_found.hint"),
        link_button(t("not_found.home"), href="/"),
    )
