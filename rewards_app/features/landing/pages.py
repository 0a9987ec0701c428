"""The landing page: what this is, and the way in."""

from collections.abc import Callable
from functools import partial

import reflex as rx

from rewards_app.core.page import Page
from rewards_app.features.landing import search_engines
from rewards_app.features.landing.hero import picture
from rewards_app.features.landing.joining import joining
from rewards_app.features.landing.own_texts import OwnTexts
from rewards_app.features.landing.state import LandingState
from rewards_app.i18n.languages import ADDRESSES, DEFAULT
from rewards_app.i18n.page_text import t
from rewards_app.ui.cards import panel
from rewards_app.ui.icons import icon_tile

FEATURES = (("circle-play", "watch"), ("trophy", "compete"), ("shopping-bag", "shop"))


def landing() -> rx.Component:
    return rx.el.div(
        rx.el.section(_promise(), picture(), class_name=_HERO),
        rx.el.section(
            *(_feature(sign, name) for sign, name in FEATURES),
            class_name="grid gap-4 pb-12 md:grid-cols-3 lg:pb-18",
            aria_label=t("landing.features"),
        ),
        class_name="mx-auto w-full max-w-page px-4 lg:px-6",
    )


_HERO = (
    "grid items-center gap-10 py-12 md:grid-cols-[minmax(0,1.05fr)_minmax(0,.95fr)]"
    " lg:gap-16 lg:pt-22 lg:pb-18"
)


def _promise() -> rx.Component:
    return rx.el.div(
        rx.el.h1(
            rx.el.span(t("landing.tagline_first"), class_name="block"),
            " ",
            rx.el.span(t("landing.tagline_second"), class_name="block text-cyan"),
            class_name="text-[clamp(40px,6vw,68px)]/[1.02] font-extrabold tracking-[-.03em]",
        ),
        rx.el.p(t("landing.lead"), class_name="mt-5 mb-7 max-w-[44ch] text-lg text-quiet"),
        joining(),
    )


def _feature(sign: str, name: str) -> rx.Component:
    return panel(
        icon_tile(sign, "text-cyan"),
        rx.el.h2(t(f"landing.{name}_title"), class_name="mt-4 text-lg"),
        rx.el.p(t(f"landing.{name}_text"), class_name="mt-2 text-quiet"),
    )


def _in(language: str) -> Callable[[], rx.Component]:
    """The page at the address of one language, in a file of its own: each brings its own texts,
    and the one in English what members see there, which nobody needs at `/landing`."""

    def view() -> rx.Component:
        own = [] if language == DEFAULT else [OwnTexts.create(language=language)]
        return rx.fragment(*own, landing())

    view.__module__ = f"{__name__}.{language}"
    return view


def _page(path: str, view: Callable[[], rx.Component], language: str = DEFAULT) -> Page:
    return Page(
        path,
        view,
        "landing.page_title",
        visitors=True,
        on_load=[LandingState.load],
        is_shown_at_once=True,
        language=language,
        description="landing.lead",
        head=partial(search_engines.head, language),
    )


PAGES = [
    _page("/landing", landing),
    *(_page(path, _in(language), language) for path, language in ADDRESSES.items()),
]
