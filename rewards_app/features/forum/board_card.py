"""A topic as the board shows it: who wrote it, how it begins, and the ways on."""

from typing import Any

import reflex as rx

from rewards_app.features.forum.board_state import BoardState
from rewards_app.features.forum.desk_rules import Target
from rewards_app.features.forum.thing_parts import (
    ACTION,
    author,
    is_removed,
    like,
    removed,
    report,
    says_removed,
    title_of,
    topic_marks,
)
from rewards_app.i18n.page_text import t
from rewards_app.ui.faces import face
from rewards_app.ui.icons import icon
from rewards_app.ui.links import anchor
from rewards_app.ui.markup import hidden_text
from rewards_app.ui.numbers import number

_HEAD_LINE = "flex flex-wrap items-center gap-x-2 sm:contents"
"""On a phone who wrote it has a line, and what it is has another: all cards are alike."""


def card(post: Any) -> rx.Component:
    return rx.el.li(
        rx.el.article(
            face(post["face"], class_name="max-sm:absolute max-sm:top-3.5 max-sm:left-4"),
            rx.el.div(
                _who(post),
                *_words(post),
                rx.cond(post["found_in"].to(str) != "", _found_in(post)),
                _ways_on(post),
                class_name="min-w-0 flex-1",
            ),
            class_name="relative flex gap-4 rounded-panel border border-line bg-panel p-4 sm:p-5",
        ),
    )


def _who(post: Any) -> rx.Component:
    return rx.el.div(
        rx.el.div(author(post), class_name=f"{_HEAD_LINE} max-sm:min-h-11 max-sm:pl-13"),
        rx.el.div(topic_marks(post), class_name=f"{_HEAD_LINE} gap-y-5.5 max-sm:py-2.5"),
        class_name="max-sm:-mt-1 sm:flex sm:flex-wrap sm:items-center sm:gap-x-2 sm:gap-y-1.5",
    )


def _words(post: Any) -> list[rx.Component]:
    kind = post["removed"].to(str)
    return [
        rx.el.h2(
            anchor(
                title_of(post),
                href=_place(post),
                class_name="target block text-text no-underline hover:underline",
            ),
            class_name="mt-1.5 text-lg/snug wrap-anywhere max-sm:mt-2.5",
        ),
        rx.cond(
            kind != "",
            rx.cond(says_removed(post), rx.fragment(), rx.el.div(removed(kind), class_name="mt-1")),
            rx.el.p(
                post["content"].to(str),
                class_name=(
                    "mt-0.5 line-clamp-3 max-w-[76ch] whitespace-pre-line text-quiet wrap-anywhere"
                ),
            ),
        ),
    ]


def _found_in(post: Any) -> rx.Component:
    """What a reply says of the words that were searched for; it leads there."""
    return anchor(
        icon("message-square-text", 16, class_name="mt-0.5"),
        rx.el.span(
            rx.el.span(t("forum.in_a_reply"), class_name="font-semibold"),
            " ",
            post["excerpt"].to(str),
            class_name="line-clamp-2 min-w-0 wrap-anywhere",
        ),
        href=_place(post) + "#reply-" + post["found_in"].to(str),
        class_name=(
            "target mt-2 flex max-w-[76ch] gap-2 text-sm text-quiet no-underline"
            " hover:text-text hover:underline"
        ),
    )


def _ways_on(post: Any) -> rx.Component:
    likes: Any = BoardState.like
    post_id = post["id"].to(str)
    replies = post["replies"].to(int)
    return rx.el.div(
        like(
            post,
            lambda wanted: likes(post_id, wanted),
            BoardState.settled,
            BoardState.settled_of,
        ),
        rx.el.span(
            icon("message-square-text", 18),
            t("forum.replies", count=replies, shown=number(replies)),
            class_name="tnum inline-flex items-center gap-2 px-2 text-sm text-quiet",
        ),
        rx.cond(
            post["is_locked"].to(bool) | is_removed(post),
            rx.fragment(),
            anchor(
                icon("reply", 18),
                t("forum.reply"),
                hidden_text(": ", title_of(post)),
                href=_place(post) + "#reply",
                class_name=ACTION,
            ),
        ),
        report(Target.POST, post),
        class_name="-mx-2 mt-2 -mb-2 flex flex-wrap items-center sm:gap-x-2",
    )


def _place(post: Any) -> Any:
    return "/forum/topic?id=" + post["id"].to(str)
