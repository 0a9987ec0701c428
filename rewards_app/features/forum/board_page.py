"""The forum: its categories and figures, the search, and the newest topics."""

from datetime import timedelta
from typing import Any

import reflex as rx

from rewards_app.features.forum.board_card import card
from rewards_app.features.forum.board_state import PATH, BoardState
from rewards_app.features.forum.desk_page import desk_link
from rewards_app.features.forum.new_post import new_post_button, new_post_dialog
from rewards_app.features.forum.report_dialog import report_dialog
from rewards_app.features.forum.rules import CATEGORIES, LONGEST_QUERY, ONLINE_WITHIN
from rewards_app.features.forum.thing_parts import (
    category_name,
    category_sign,
)
from rewards_app.i18n.page_text import t
from rewards_app.ui.buttons import button
from rewards_app.ui.cards import empty_state, page_head, skeleton
from rewards_app.ui.feedback import could_not_load
from rewards_app.ui.icons import icon
from rewards_app.ui.links import anchor
from rewards_app.ui.lists import each
from rewards_app.ui.markup import Child, Text, attributes
from rewards_app.ui.numbers import number
from rewards_app.ui.poll import Poll
from rewards_app.ui.search import search_form

COUNTED_EVERY_SECONDS = 60
ONLINE_MINUTES = ONLINE_WITHIN // timedelta(minutes=1)


def board() -> rx.Component:
    return rx.fragment(
        Poll.create(seconds=COUNTED_EVERY_SECONDS, on_time=BoardState.count),
        page_head(t("forum.title"), t("forum.subtitle"), [desk_link(), new_post_button()]),
        rx.el.div(
            _categories(),
            rx.el.div(
                _search(),
                _list(),
                class_name="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-4 lg:row-span-2",
            ),
            _figures(),
            class_name=(
                "grid grid-cols-[minmax(0,1fr)] items-start gap-4"
                " lg:grid-cols-[232px_minmax(0,1fr)] lg:grid-rows-[auto_1fr] lg:gap-x-6"
            ),
        ),
        new_post_dialog(),
        report_dialog(),
    )


def _categories() -> rx.Component:
    return rx.el.nav(
        _category("", rx.el.span(icon("layout-grid", 18), class_name=_ALL)),
        *(_category(one, category_sign(one, 28)) for one in CATEGORIES),
        class_name=(
            "max-lg:-mx-4 max-lg:flex max-lg:gap-2 max-lg:overflow-x-auto max-lg:px-4 max-lg:py-1"
            " lg:grid lg:gap-1 lg:rounded-panel lg:border lg:border-line lg:bg-panel lg:p-2"
        ),
        custom_attrs=attributes(aria_label=t("forum.categories_label")),
    )


_ALL = "grid size-7 shrink-0 place-items-center rounded-control bg-raised text-lilac"


def _category(category: str, sign: rx.Component) -> rx.Component:
    count: Any = BoardState.by_category[category]
    return anchor(
        sign,
        rx.el.span(
            t(f"forum.categories.{category or 'all'}"), class_name="flex-1 whitespace-nowrap"
        ),
        rx.el.span(
            rx.cond(BoardState.by_category.contains(category), number(count), ""),  # pyright: ignore
            class_name="tnum text-sm font-normal",
        ),
        href=f"{PATH}?category={category}" + BoardState.query_part,
        class_name=(
            "inline-flex min-h-11 items-center gap-3 px-2.5 font-semibold text-quiet no-underline"
            " hover:text-text aria-[current=page]:bg-raised aria-[current=page]:text-text"
            " max-lg:rounded-full max-lg:border max-lg:border-line max-lg:bg-panel"
            " max-lg:pr-4 max-lg:aria-[current=page]:border-purple lg:rounded-control"
        ),
        custom_attrs=attributes(
            aria_current=rx.cond(BoardState.category == category, "page", "false")
        ),
    )


def _figures() -> rx.Component:
    figures: Any = BoardState.figures
    moderated = figures["moderated"]
    return rx.el.dl(
        _figure(t("forum.stats.posts"), number(figures["posts"])),
        _figure(t("forum.stats.writers"), number(figures["writers"])),
        _figure(
            t("forum.stats.online"),
            rx.fragment(
                number(figures["online"]),
                _counted(
                    t("forum.stats.counted", count=ONLINE_MINUTES, shown=number(ONLINE_MINUTES)),
                    "block",
                ),
            ),
            "col-span-2",
        ),
        _figure(
            t("forum.ai_moderated"),
            rx.fragment(
                "24/7 ",
                _counted(
                    t("forum.stats.moderated", count=moderated, shown=number(moderated)), "ml-2"
                ),
            ),
            "col-span-2",
        ),
        class_name=(
            "grid grid-cols-2 gap-px overflow-hidden rounded-panel border border-line bg-line"
        ),
        custom_attrs=attributes(aria_label=t("forum.stats.label")),
    )


def _counted(words: Text, place: str) -> rx.Component:
    """With a figure: what was counted."""
    return rx.el.span(words, class_name=f"{place} font-sans text-sm font-normal text-quiet")


def _figure(label: Text, value: Child, span: str = "") -> rx.Component:
    return rx.el.div(
        rx.el.dt(label, class_name="text-sm text-quiet"),
        rx.el.dd(
            rx.cond(BoardState.figures, value, skeleton("line", "my-1.5 w-12")),
            class_name="tnum font-display text-lg font-bold",
        ),
        class_name=f"bg-panel px-4 py-3 {span}".strip(),
    )


def _search() -> rx.Component:
    """What was searched for stands in the address."""
    submit: Any = BoardState.search
    return search_form(
        "query",
        t("forum.search"),
        t("forum.search_go"),
        on_submit=submit,
        hides_label=True,
        placeholder=t("forum.search"),
        default_value=BoardState.query,
        max_length=LONGEST_QUERY,
        key=BoardState.query,
    )


def _list() -> rx.Component:
    return rx.fragment(
        rx.cond(BoardState.query != "", _searched()),
        rx.el.div(
            rx.cond(
                (BoardState.news > 0) & (BoardState.query == ""),  # pyright: ignore
                button(
                    t("forum.news", count=BoardState.news, shown=number(BoardState.news)),
                    kind="ghost",
                    icon="arrow-up",
                    wide=True,
                    on_click=BoardState.show_news,
                ),
            ),
            class_name="empty:hidden",
            role="status",
        ),
        rx.cond(
            BoardState.is_loaded,
            rx.cond(
                BoardState.posts,
                _topics(),
                rx.cond(BoardState.has_failed, _away(), _nothing()),
            ),
            rx.el.div(*(skeleton("tile", "h-36") for _ in range(5)), class_name="grid gap-3"),
        ),
    )


def _searched() -> rx.Component:
    return rx.el.p(
        rx.el.span(
            t(
                "forum.searched",
                text=BoardState.query,
                where=category_name(BoardState.category),
            ),
            class_name="min-w-0 flex-1 wrap-anywhere",
        ),
        anchor(
            t("forum.search_clear"),
            href=f"{PATH}?category=" + BoardState.category,
            class_name="target text-cyan underline underline-offset-4",
        ),
        class_name="flex flex-wrap items-center gap-x-4 gap-y-1",
    )


def _topics() -> rx.Component:
    more: Any = BoardState.load_more
    posts: Any = BoardState.posts
    all_of_it = BoardState.by_category[BoardState.category]
    return rx.fragment(
        rx.el.ul(each(BoardState.posts, card), class_name="grid gap-3"),
        rx.el.div(
            rx.cond(
                BoardState.next_before != "",
                button(t("forum.load_more"), kind="ghost", on_click=more(BoardState.next_before)),
            ),
            rx.cond(
                BoardState.query == "",
                rx.el.p(
                    t("forum.n_of_m", shown=number(posts.length()), all=number(all_of_it)),
                    class_name="tnum text-sm text-quiet",
                ),
            ),
            class_name="grid justify-items-center gap-2 pt-2",
        ),
    )


def _nothing() -> rx.Component:
    return rx.cond(
        BoardState.query != "",
        empty_state("search-x", t("forum.none_found"), t("forum.none_found_text")),
        empty_state("messages-square", t("forum.none"), t("forum.none_text")),
    )


def _away() -> rx.Component:
    return could_not_load(t("forum.not_loaded"), BoardState.load)
