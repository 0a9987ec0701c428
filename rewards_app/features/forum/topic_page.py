"""One topic: what its author wrote, the replies in their order, and the form for another one."""

from typing import Any

import reflex as rx

from rewards_app.features.forum.appeal_dialog import appeal_button, appeal_dialog
from rewards_app.features.forum.board_state import PATH
from rewards_app.features.forum.desk_parts import reason_words
from rewards_app.features.forum.desk_rules import Target, Why
from rewards_app.features.forum.own_dialogs import own_buttons, own_dialogs
from rewards_app.features.forum.reply_form import (
    TOPIC,
    answer_button,
    begun,
    is_about_it,
    is_open,
    reply_form,
)
from rewards_app.features.forum.report_dialog import report_dialog
from rewards_app.features.forum.thing_parts import (
    author,
    category_name,
    head_line,
    is_erased,
    like,
    marks,
    report,
    says_removed,
    text_of,
    title_of,
    topic_marks,
    violation_words,
)
from rewards_app.features.forum.topic_state import MISSING, SHOWN, TopicState
from rewards_app.features.forum.writing_parts import help_lines
from rewards_app.i18n.page_text import t
from rewards_app.ui.buttons import button, link_button
from rewards_app.ui.cards import skeleton
from rewards_app.ui.dead_ends import dead_end
from rewards_app.ui.faces import face
from rewards_app.ui.feedback import banner, loading_line
from rewards_app.ui.icons import icon
from rewards_app.ui.links import anchor
from rewards_app.ui.markup import attributes
from rewards_app.ui.numbers import number
from rewards_app.ui.talk import Arrival


def topic_page() -> rx.Component:
    match: Any = rx.match
    return match(
        TopicState.found,
        (SHOWN, _shown()),
        (MISSING, _missing()),
        rx.el.div(
            loading_line(),
            skeleton("title"),
            skeleton("card"),
            skeleton("tile"),
            skeleton("tile"),
            class_name="grid max-w-[860px] gap-4",
        ),
    )


def _missing() -> rx.Component:
    """Who replied to it still reads their own words, why they were hidden, and how to appeal."""
    return rx.el.div(
        dead_end(
            "message-square-off",
            t("forum.topic.missing"),
            t("forum.topic.missing_text"),
            link_button(t("forum.topic.back"), href=PATH),
        ),
        rx.cond(
            TopicState.replies,
            rx.el.section(
                rx.el.h2(t("forum.topic.your_replies"), class_name="mt-2 mb-3 text-lg"),
                _listed(),
                class_name="w-full max-w-[860px]",
            ),
        ),
        begun(),
        own_dialogs(),
        appeal_dialog(),
        class_name="grid grid-cols-[minmax(0,1fr)] gap-4",
    )


def _shown() -> rx.Component:
    is_about = is_about_it()
    return rx.el.div(
        rx.el.nav(
            anchor(
                icon("arrow-left", 18),
                category_name(TOPIC["category"].to(str)),
                href=f"{PATH}?category=" + TOPIC["category"].to(str),
                class_name=(
                    "target inline-flex items-center gap-2 font-semibold text-quiet no-underline"
                    " hover:text-text"
                ),
            ),
            custom_attrs=attributes(aria_label=t("forum.topic.back")),
        ),
        _topic(),
        _replies(),
        rx.cond(
            is_open(),
            rx.cond(
                TOPIC["is_locked"].to(bool),
                rx.fragment(_locked(), rx.cond(is_about, begun())),
                rx.cond(is_about, reply_form()),
            ),
            rx.cond(is_about, begun()),
        ),
        own_dialogs(),
        report_dialog(),
        appeal_dialog(),
        class_name="grid max-w-[860px] grid-cols-[minmax(0,1fr)] gap-4",
    )


def _topic() -> rx.Component:
    return rx.el.article(
        rx.el.div(
            face(TOPIC["face"]),
            head_line(TOPIC, author(TOPIC), topic_marks(TOPIC), look="flex-1 gap-x-2"),
            class_name="flex items-start gap-3 sm:items-center",
        ),
        rx.el.h1(title_of(TOPIC), class_name="text-2xl text-balance wrap-anywhere"),
        # Its title says so already.
        rx.cond(is_erased(TOPIC) | says_removed(TOPIC), rx.fragment(), text_of(TOPIC)),
        _to_its_author(Target.POST, TOPIC),
        _actions(Target.POST, TOPIC),
        class_name="relative grid gap-3 rounded-panel border border-line bg-panel p-4 sm:p-5",
    )


def _actions(target: Target, thing: Any) -> rx.Component:
    likes: Any = TopicState.like
    thing_id = thing["id"].to(str)
    return rx.el.div(
        rx.cond(
            thing["state"].to(str) == "shown",
            like(
                thing,
                lambda wanted: likes(target.value, thing_id, wanted),
                TopicState.settled,
                TopicState.settled_of,
            ),
        ),
        *([answer_button(thing)] if target is Target.REPLY else []),
        own_buttons(target, thing),
        report(target, thing),
        class_name="-mx-2 -mb-2 flex flex-wrap items-center gap-x-2",
    )


def _to_its_author(target: Target, thing: Any) -> rx.Component:
    """What happened to one's own text, why, and the way to appeal."""
    match: Any = rx.match
    return rx.cond(
        thing["is_own"].to(bool),
        match(
            thing["state"].to(str),
            ("waiting", banner("info", t("forum.own.waits"), _what_waits())),
            (
                "hidden",
                banner(
                    "warning",
                    t("forum.own.hidden"),
                    _why_hidden(thing),
                    appeal_button(target, thing["id"].to(str)),
                ),
            ),
            rx.cond(thing["is_changed"].to(bool), _changed(target, thing)),
        ),
    )


def _why_hidden(thing: Any) -> rx.Component:
    """A reason that speaks of help lines stands beside them."""
    return rx.el.div(
        reason_words(thing),
        rx.cond(thing["reason_key"].to(str) == f"forum.desk.reasons.{Why.CARE}", help_lines()),
        class_name="grid gap-2",
    )


def _what_waits() -> rx.Component:
    return rx.el.div(
        rx.el.p(t("forum.own.waits_text")),
        help_lines(),
        class_name="grid gap-2",
    )


def _changed(target: Target, thing: Any) -> rx.Component:
    return banner(
        "info",
        t("forum.own.changed"),
        rx.el.div(
            rx.el.ul(
                rx.foreach(
                    thing["violations"].to(list[dict[str, str]]),
                    lambda one: rx.el.li(violation_words(one)),
                ),
            ),
            rx.el.details(
                rx.el.summary(t("forum.own.written"), class_name="target cursor-pointer"),
                rx.el.p(
                    thing["written_content"].to(str),
                    class_name="mt-1 whitespace-pre-line wrap-anywhere",
                ),
            ),
            class_name="grid gap-2",
        ),
        appeal_button(target, thing["id"].to(str)),
    )


def _replies() -> rx.Component:
    count = TOPIC["replies"].to(int)
    return rx.el.section(
        rx.el.h2(
            t("forum.replies", count=count, shown=number(count)),
            class_name="mt-2 mb-3 text-lg",
        ),
        _listed(),
    )


def _listed() -> rx.Component:
    more: Any = TopicState.load_more
    find: Any = TopicState.find
    replies: Any = TopicState.replies
    return rx.fragment(
        rx.cond(
            TopicState.begins_after != "",
            rx.el.div(
                button(t("forum.topic.first"), kind="ghost", on_click=TopicState.begin_again),
                class_name="mb-4 flex justify-center",
            ),
        ),
        rx.cond(
            TopicState.replies,
            rx.fragment(
                rx.el.ol(rx.foreach(TopicState.replies, _reply), class_name="grid gap-3"),
                Arrival.create(
                    begins_after=TopicState.begins_after,
                    count=replies.length(),
                    on_lost=find,
                ),
            ),
            rx.cond(
                TopicState.begins_after == "",
                rx.el.p(t("forum.topic.no_replies"), class_name="text-quiet"),
            ),
        ),
        rx.cond(
            TopicState.next_after != "",
            rx.el.div(
                button(
                    t("forum.topic.load_more"), kind="ghost", on_click=more(TopicState.next_after)
                ),
                class_name="mt-4 flex justify-center",
            ),
        ),
    )


def _reply(reply: Any) -> rx.Component:
    return rx.el.li(
        rx.el.div(
            face(reply["face"]),
            head_line(reply, author(reply), marks(reply), look="flex-1 gap-x-2"),
            class_name="flex items-center gap-3",
        ),
        text_of(reply),
        _to_its_author(Target.REPLY, reply),
        _actions(Target.REPLY, reply),
        class_name=(
            "relative grid scroll-mt-28 gap-2 rounded-panel border border-line bg-panel p-4"
            " target:border-cyan"
        ),
        custom_attrs={"id": "reply-" + reply["id"].to(str)},
        key=reply["id"].to(str),
    )


def _locked() -> rx.Component:
    """For everybody; its author reads why, too, and can appeal."""
    headline, text = t("forum.topic.locked"), t("forum.topic.locked_text")
    return rx.cond(
        TOPIC["is_own"].to(bool),
        banner(
            "info",
            headline,
            rx.el.div(
                rx.el.p(text), reason_words(TOPIC, "lock_key", "lock_note"), class_name="grid gap-2"
            ),
            appeal_button(Target.POST, TOPIC["id"].to(str)),
        ),
        banner("info", headline, text),
    )
