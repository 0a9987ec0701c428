"""The frame around every page: bars, rail, drawer, footer."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import reflex as rx

from rewards_app.i18n.page_text import t
from rewards_app.ui.bars import BAR, DRAWER, on_desk, on_phone, owned, second_bar, space, top_bar
from rewards_app.ui.brand import logo
from rewards_app.ui.buttons import icon_button, link_button
from rewards_app.ui.icons import icon
from rewards_app.ui.links import browser_link, link, place_link
from rewards_app.ui.markup import Child, Flag, Handler
from rewards_app.ui.overlays import drawer
from rewards_app.ui.waiting import waiting_badge

SIGN_IN = "/auth?mode=login"
ADMIN = "/auth?mode=login&type=admin"
_PAGE = (
    "w-full min-w-0 max-w-page flex-1 px-4 pt-5 pb-10 lg:px-8 lg:pt-7 lg:pb-14"
    " min-h-[calc(100dvh-var(--bars))]"
)
"""At least as tall as the window: what is still to come does not push the footer down in it."""
_PLACE = (
    "flex min-h-11 items-center gap-3 rounded-control px-3 py-2 font-medium text-quiet no-underline"
    " hover:bg-raised hover:text-text aria-[current=page]:bg-raised aria-[current=page]:text-text"
    " aria-[current=page]:shadow-[inset_3px_0_0_var(--purple)]"
)


@dataclass(frozen=True, slots=True)
class NavItem:
    """A place in the navigation."""

    label_key: str
    href: str
    icon: str
    waiting: Any = None
    """How much waits there for who sees it."""


@dataclass(frozen=True, slots=True)
class FooterLink:
    label_key: str
    href: str


PRIVACY = FooterLink("frame.privacy", "/privacy")
TERMS_AND_PRIVACY = (FooterLink("frame.terms", "/terms"), PRIVACY)
YOUR_DATA = FooterLink("frame.your_data", "/gdpr")
"""For who is signed in."""


class Year(rx.Component):
    """The reader's current year."""

    library = "$/public/formats"
    tag = "Year"


def visitor_frame(
    *content: Child,
    language_menu: Child,
    theme_menu: Child,
    sign_in_href: str | None = SIGN_IN,
    admin_href: str | None = ADMIN,
    footer_links: Sequence[FooterLink] = TERMS_AND_PRIVACY,
    is_busy: Flag = False,
) -> rx.Component:
    """For who is not signed in; on a phone the way to the admin sign-in is in the footer."""
    admin = (
        on_desk(link_button(t("frame.admin"), href=admin_href, kind="ghost", size="sm"))
        if admin_href
        else rx.fragment()
    )
    sign_in = (
        link_button(t("frame.sign_in"), href=sign_in_href, kind="ghost", size="sm")
        if sign_in_href
        else rx.fragment()
    )
    phone_links = (FooterLink("frame.admin", admin_href),) if admin_href else ()
    return rx.el.div(
        rx.el.header(
            skip_link(),
            rx.el.div(
                logo(),
                space(),
                language_menu,
                on_desk(theme_menu),
                admin,
                sign_in,
                class_name=BAR,
            ),
            class_name="frame-bars sticky top-0 z-20 h-13 border-b border-line",
        ),
        rx.el.main(
            *content,
            class_name="min-h-[calc(100dvh-52px)] min-w-0 flex-1",
            custom_attrs=_main(is_busy),
        ),
        rx.el.div(
            page_footer(footer_links, phone_links, on_phone(theme_menu)),
            class_name="mx-auto w-full max-w-page px-4 lg:px-6",
        ),
        class_name="arena flex min-h-dvh flex-col",
    )


def member_frame(
    *content: Child,
    navigation: Sequence[NavItem],
    on_sign_out: Handler,
    language_menu: Child,
    theme_menu: Child,
    players_online: rx.Var[int] | int | None = None,
    balance: rx.Var[int] | int | None = None,
    status: Child | None = None,
    aside: Child | None = None,
    name: Child | None = None,
    footer_links: Sequence[FooterLink] = TERMS_AND_PRIVACY,
    is_work: bool = False,
    is_all_in_rail: bool = False,
    is_busy: Flag = False,
    bell: Child | None = None,
) -> rx.Component:
    """For who is signed in. `status` stands left in the second bar, `aside` or `balance` right.

    `is_work`: the flat frame of advertisers and admins, without the arena's light.
    `is_all_in_rail`: where there is room for the rail, the second bar has nothing to add to it.
    """
    has_second_bar = not is_all_in_rail and (balance is not None or status is not None)
    return rx.el.div(
        rx.el.header(
            skip_link(),
            top_bar(players_online, language_menu, theme_menu, bell),
            second_bar(status, _on_the_right(aside, balance), always=has_second_bar),
            class_name="frame-bars sticky top-0 z-20",
        ),
        rx.el.div(
            _rail(navigation, name, on_sign_out),
            rx.el.div(
                rx.el.main(
                    *content,
                    class_name=_PAGE,
                    custom_attrs=_main(is_busy),
                ),
                rx.el.div(page_footer(footer_links), class_name="w-full max-w-page px-4 lg:px-8"),
                class_name="flex min-w-0 flex-col border-line lg:border-l",
            ),
            class_name=(
                "mx-auto grid w-full max-w-frame flex-1 grid-cols-[minmax(0,1fr)]"
                " lg:grid-cols-[220px_minmax(0,1fr)]"
            ),
        ),
        _drawer(navigation, name, on_sign_out, theme_menu),
        class_name=(
            f"flex min-h-dvh flex-col {'bg-bg' if is_work else 'arena'}"
            f" [--bars:104px] {'' if has_second_bar else 'lg:[--bars:52px]'}"
        ),
    )


def skip_link() -> rx.Component:
    """The first stop of the Tab key: past the navigation to the content."""
    return browser_link(
        t("frame.skip"),
        href="#main",
        class_name=(
            "sr-only focus:not-sr-only focus:fixed focus:top-1 focus:left-4 focus:z-50"
            " focus:rounded-control focus:bg-panel focus:px-4 focus:py-2.5 focus:text-cyan"
        ),
    )


def page_footer(
    links: Sequence[FooterLink],
    phone_links: Sequence[FooterLink] = (),
    aside: Child | None = None,
) -> rx.Component:
    """Whose this is, since when, and the small print."""
    return rx.el.footer(
        rx.el.p("\u00a9 ", Year.create(), " ", t("app.name"), class_name="max-sm:w-full"),
        rx.el.nav(
            *(link(t(item.label_key), href=item.href, quiet=True) for item in links),
            *(
                link(t(item.label_key), href=item.href, quiet=True, class_name="sm:hidden")
                for item in phone_links
            ),
            class_name="flex flex-wrap gap-x-6 gap-y-4",
            aria_label=t("frame.footer"),
        ),
        *([] if aside is None else [aside]),
        # On the right, the free edition's badge keeps its corner.
        class_name=(
            "flex flex-wrap items-center justify-between gap-x-6 gap-y-3 border-t border-line py-6"
            " pb-16 text-sm text-quiet"
        ),
    )


def _main(is_busy: Flag) -> dict[str, Any]:
    """Where the page's content is, and whether it is still on its way."""
    busy = {} if is_busy is False else {"aria-busy": is_busy}
    return {"id": "main", "tabIndex": -1, **busy}


def _on_the_right(aside: Child | None, balance: rx.Var[int] | int | None) -> Child | None:
    return aside if balance is None else owned(balance)


def _rail(navigation: Sequence[NavItem], name: Child | None, on_sign_out: Handler) -> rx.Component:
    return rx.el.aside(
        *_places(navigation, name, on_sign_out),
        aria_label=t("frame.menu"),
        class_name=(
            "sticky top-(--bars) hidden h-[calc(100dvh-var(--bars))] flex-col overflow-y-auto"
            " px-3 py-5 lg:flex"
        ),
    )


def _drawer(
    navigation: Sequence[NavItem], name: Child | None, on_sign_out: Handler, theme_menu: Child
) -> rx.Component:
    return drawer(
        rx.el.div(
            logo(),
            space(),
            on_phone(theme_menu),
            icon_button("x", t("ui.close"), closes=DRAWER),
            class_name="flex h-13 shrink-0 items-center gap-2 border-b border-line pr-1 pl-4",
        ),
        rx.el.div(
            *_places(navigation, name, on_sign_out),
            class_name="flex min-h-0 flex-1 flex-col overflow-y-auto p-3",
        ),
        id=DRAWER,
        label=t("frame.menu"),
    )


def _places(
    navigation: Sequence[NavItem], name: Child | None, on_sign_out: Handler
) -> list[rx.Component]:
    who = [] if name is None else [rx.el.p(name, class_name="px-3 text-sm text-quiet")]
    return [
        rx.el.nav(
            *(
                place_link(
                    icon(item.icon),
                    t(item.label_key),
                    *_waiting(item),
                    href=item.href,
                    class_name=_PLACE,
                )
                for item in navigation
            ),
            class_name="flex flex-col gap-1",
            aria_label=t("frame.navigation"),
        ),
        rx.el.div(
            *who,
            rx.el.button(
                icon("log-out"),
                t("frame.log_out"),
                type="button",
                on_click=on_sign_out,
                class_name=f"{_PLACE} w-full text-left",
            ),
            class_name="mt-auto grid gap-1 pt-6",
        ),
    ]


def _waiting(item: NavItem) -> list[rx.Component]:
    if item.waiting is None:
        return []
    return [rx.el.span(waiting_badge(item.waiting), class_name="ml-auto")]
