"""The terms and the privacy policy, for everybody."""

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

import reflex as rx

from rewards_app.core.actor import EVERY_ROLE, Role
from rewards_app.core.page import Page
from rewards_app.core.routes import SUPPORT
from rewards_app.core.settings import settings
from rewards_app.core.state import AppState
from rewards_app.features.legal.prose import legal_texts_are_here, prose
from rewards_app.features.legal.rules import SECTIONS, Document, Edition, earlier, newest
from rewards_app.features.legal.state import LegalState
from rewards_app.i18n.page_text import t
from rewards_app.ui.buttons import link_button
from rewards_app.ui.cards import page_head, panel, skeleton
from rewards_app.ui.feedback import loading_line
from rewards_app.ui.links import anchor, link
from rewards_app.ui.numbers import day

GDPR = "/gdpr"
PATHS = {Document.TERMS: "/terms", Document.PRIVACY: "/privacy"}
CHOOSING = "cookies"
"""The section in which visitors and members choose."""
OTHER = {Document.TERMS: Document.PRIVACY, Document.PRIVACY: Document.TERMS}


Switches = Callable[[], rx.Component]


def pages(there: Sequence[Page], switches: Switches) -> list[Page]:
    """Both documents; they lead to those of the pages `there` that their reader can open.

    With the `switches` of the choice of cookies where the policy speaks of it.
    """
    ways = {path: _roles_of(path, there) for path in (SUPPORT, GDPR)}
    return [page for document in Document for page in _pages_of(document, ways, switches)]


def _roles_of(path: str, there: Sequence[Page]) -> frozenset[Role]:
    return frozenset(role for page in there if page.path == path for role in page.roles)


def _pages_of(
    document: Document, ways: dict[str, frozenset[Role]], switches: Switches
) -> list[Page]:
    title = f"legal.{document}.page_title"
    below = {CHOOSING: switches} if document is Document.PRIVACY else {}
    if earlier(document):
        # The last section is the one that speaks of changes.
        below[SECTIONS[document][-1]] = lambda: _earlier(document)
    reads: Any = {
        Document.TERMS: LegalState.read_terms,
        Document.PRIVACY: LegalState.read_privacy,
    }

    def for_visitors() -> rx.Component:
        return rx.el.div(
            _document(document, _by_mail(), frozenset(), below),
            class_name="mx-auto w-full max-w-page px-4 py-8 sm:py-10 lg:px-6",
        )

    def for_members() -> rx.Component:
        return _document(document, _contact(ways[SUPPORT]), ways[GDPR], below)

    return [
        Page(
            PATHS[document],
            for_visitors,
            title,
            visitors=True,
            is_shown_at_once=True,
            description=f"legal.{document}.intro",
        ),
        Page(
            PATHS[document],
            for_members,
            title,
            roles=EVERY_ROLE,
            on_load=[reads[document]],
            even_suspended=True,
        ),
    ]


def _document(
    document: Document,
    contact: rx.Component,
    own_data: frozenset[Role],
    below: Mapping[str, Switches],
) -> rx.Component:
    return rx.cond(
        legal_texts_are_here(),
        rx.el.div(
            page_head(t(f"legal.{document}.title"), _said_of(newest(document))),
            rx.el.div(
                _contents(document),
                rx.el.div(
                    rx.el.p(t(f"legal.{document}.intro"), class_name="text-lg text-pretty"),
                    *(_section(document, name, below.get(name)) for name in SECTIONS[document]),
                    _questions(document, contact, own_data),
                    class_name="grid min-w-0 max-w-[72ch] gap-8",
                ),
                class_name="grid items-start gap-8 lg:grid-cols-[260px_minmax(0,1fr)] lg:gap-12",
            ),
        ),
        rx.el.div(loading_line(), skeleton("title"), skeleton("card"), class_name="grid gap-6"),
    )


def _earlier(document: Document) -> rx.Component:
    return rx.el.ul(
        *(rx.el.li(_said_of(edition)) for edition in earlier(document)),
        class_name="grid list-disc gap-1.5 pl-5 text-quiet text-pretty marker:text-lilac",
    )


def _said_of(edition: Edition) -> rx.Component:
    return rx.fragment(
        t("legal.version", number=edition.number, day=day(edition.since.isoformat())),
        " · ",
        t(edition.changed),
    )


def _contents(document: Document) -> rx.Component:
    return rx.el.nav(
        rx.el.h2(t("legal.contents"), class_name="text-sm font-semibold text-quiet"),
        rx.el.ol(
            *(
                rx.el.li(
                    anchor(
                        t(f"legal.{document}.{name}"),
                        href=f"#{name}",
                        class_name=(
                            "flex min-h-11 items-center rounded-control px-3 py-1.5 text-text"
                            " no-underline hover:bg-raised hover:underline lg:min-h-9"
                        ),
                    )
                )
                for name in SECTIONS[document]
            ),
            class_name="mt-2 -ml-3",
        ),
        aria_label=t("legal.contents"),
        class_name=(
            "rounded-panel border border-line bg-panel p-4 sm:p-5 lg:sticky lg:top-[120px]"
            " lg:max-h-[calc(100dvh-136px)] lg:overflow-y-auto"
        ),
    )


def _section(document: Document, name: str, below: Switches | None) -> rx.Component:
    return rx.el.section(
        rx.el.h2(
            t(f"legal.{document}.{name}"),
            class_name="text-xl text-balance",
            # The focus follows the link in the table of contents.
            custom_attrs={"id": name, "tabIndex": -1},
        ),
        prose(f"legal.{document}.{name}_text", support=settings().support_email),
        rx.fragment() if below is None else rx.el.div(below(), class_name="mt-4"),
        custom_attrs={"aria-labelledby": name},
    )


def _questions(
    document: Document, contact: rx.Component, own_data: Collection[Role]
) -> rx.Component:
    other = OTHER[document]
    return panel(
        rx.el.p(t("legal.questions_text"), class_name="text-quiet"),
        rx.el.div(
            contact,
            link(t(f"legal.to_{other}"), href=PATHS[other], class_name="target"),
            *(_own_data(own_data) if document is Document.PRIVACY else []),
            class_name="mt-4 flex flex-wrap items-center gap-x-6 gap-y-6",
        ),
        title=t("legal.questions"),
    )


def _own_data(roles: Collection[Role]) -> list[rx.Component]:
    return (
        [_only_for(roles, link(t("legal.to_gdpr"), href=GDPR, class_name="target"))]
        if roles
        else []
    )


def _contact(roles: Collection[Role]) -> rx.Component:
    """By the form for whom there is one, else by mail."""
    form = link_button(t("legal.contact_support"), href=SUPPORT, kind="ghost", icon="life-buoy")
    return _only_for(roles, form, _by_mail()) if roles else _by_mail()


def _by_mail() -> rx.Component:
    return link_button(
        t("legal.contact_support"),
        href=f"mailto:{settings().support_email}",
        kind="ghost",
        icon="mail",
    )


def _only_for(
    roles: Collection[Role], shown: rx.Component, otherwise: rx.Component | None = None
) -> rx.Component:
    match: Any = rx.match
    return match(
        AppState.role,
        (*sorted(role.value for role in roles), shown),
        rx.fragment() if otherwise is None else otherwise,
    )
