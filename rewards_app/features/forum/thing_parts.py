"""What the cards of topics and replies share: author, badges, text, likes."""

from typing import Any

import reflex as rx

from rewards_app.core.actor import Role
from rewards_app.features.forum.desk_rules import Target
from rewards_app.features.forum.report_dialog import report_button
from rewards_app.features.forum.rules import CATEGORIES
from rewards_app.i18n.page_text import t
from rewards_app.ui.cards import badge
from rewards_app.ui.glyphs import game_tile
from rewards_app.ui.icons import icon
from rewards_app.ui.links import anchor
from rewards_app.ui.markup import Child, hidden_text
from rewards_app.ui.names import name_of
from rewards_app.ui.numbers import number, since
from rewards_app.ui.talk import Explained, Like, Said

SIGNS = {"apex": "apex_legends"}
"""A category goes by its game's sign; where its game has another name, by that one."""
ACTION = (
    "target inline-flex min-h-9 items-center gap-2 rounded-control px-2 text-sm font-semibold"
    " text-quiet no-underline hover:bg-raised hover:text-text pointer-coarse:min-h-11"
)


def category_sign(category: str, size: int) -> rx.Component:
    return game_tile(SIGNS.get(category, category), size)


def category_name(category: Any) -> Any:
    """Of a state's category; empty stands for all."""
    match: Any = rx.match
    names = ((one, t(f"forum.categories.{one}")) for one in CATEGORIES)
    return match(category, *names, t("forum.categories.all"))


def author(thing: Any) -> rx.Component:
    """Leads to the profile where its owner shows it."""
    name = name_of(thing["author"].to(str))
    look = "min-w-0 font-semibold wrap-anywhere"
    return rx.fragment(
        rx.cond(
            thing["is_public"].to(bool),
            anchor(
                name,
                href="/player?name=" + thing["handle"].to(str),
                class_name=f"target {look} text-text no-underline hover:underline",
            ),
            rx.el.span(name, class_name=look),
        ),
        _handle(thing["handle"].to(str)),
        rx.el.span(since(thing["at"].to(str)), class_name="text-sm text-quiet"),
        # What somebody was is gone with their name.
        rx.cond(thing["author"].to(str) != "", _role(thing["role"].to(str))),
    )


def _handle(handle: Any) -> Child:
    """What calls them in a text: a name may be another's handle."""
    look = "min-w-0 text-sm text-quiet wrap-anywhere"
    return rx.cond(handle != "", rx.el.span("@", handle, class_name=look))


def _role(role: Any) -> rx.Component:
    return rx.cond(
        role == Role.MODERATOR.value,
        badge(icon("shield-check", 14), t("roles.moderator"), tone="house"),
        rx.cond(role == Role.COMPANY.value, badge(t("roles.company"))),
    )


def head_line(thing: Any, *parts: rx.Component, look: str = "gap-x-2") -> rx.Component:
    """Before its text; in two lines on a phone, a finger hits the mark or what is over it."""
    shared = f"flex min-w-0 flex-wrap items-center {look}"
    return rx.el.div(
        *parts,
        class_name=rx.cond(
            _is_moderated(thing), f"{shared} gap-y-5.5 sm:gap-y-1.5", f"{shared} gap-y-1.5"
        ),
    )


def marks(thing: Any) -> rx.Component:
    """What happened to it, for everybody."""
    return rx.fragment(
        rx.cond(
            thing["is_edited"].to(bool),
            rx.el.span(t("forum.edited"), class_name="text-sm text-quiet"),
        ),
        rx.cond(_is_moderated(thing), _moderated(thing)),
    )


def _is_moderated(thing: Any) -> Any:
    return thing["violations"].to(list[dict[str, str]]).length() > 0


def topic_marks(post: Any) -> rx.Component:
    return rx.fragment(
        badge(category_name(post["category"].to(str))),
        rx.cond(
            post["is_hot"].to(bool),
            badge(icon("flame", 14), t("forum.hot"), tone="purple"),
        ),
        rx.cond(post["is_locked"].to(bool), badge(icon("lock", 14), t("forum.desk.is_locked"))),
        marks(post),
    )


def _moderated(thing: Any) -> rx.Component:
    found: Any = thing["violations"].to(list[dict[str, str]])
    return Explained.create(
        rx.el.span(
            t("forum.violations", count=found.length(), shown=number(found.length())),
            class_name="block font-semibold",
        ),
        rx.foreach(found, _violation),
        rx.el.span(
            t("forum.violations_text"),
            class_name="mt-2 block border-t border-line pt-2 text-quiet",
        ),
        mark=rx.fragment(icon("shield-check", 14), t("forum.ai_moderated")),
        class_name=(
            "target inline-flex min-h-6 items-center gap-1.5 rounded-full border border-cyan/40"
            " bg-cyan/9 px-2.5 text-sm/tight font-semibold text-cyan"
        ),
        explains=(
            "absolute z-20 mt-2 block rounded-panel border border-edge bg-raised p-4 text-sm"
            " text-text shadow-2xl wrap-anywhere [[hidden]]:hidden max-sm:inset-x-3"
            " sm:left-0 sm:w-80"
        ),
    )


def _violation(found: Any) -> rx.Component:
    return rx.el.span(
        icon("triangle-alert", 16, class_name="mt-0.5 text-danger"),
        violation_words(found),
        class_name="mt-1.5 flex gap-2",
    )


def violation_words(found: Any) -> Any:
    kind, words = found["kind"].to(str), found["words"].to(str)
    return t(f"moderation.violations.{kind}", words=words)


def removed(kind: Any) -> rx.Component:
    """In a text's place."""
    return rx.el.p(
        t(f"moderation.removed.{kind}"),
        class_name="rounded-r-control border-l-2 border-edge bg-raised px-3 py-2 text-quiet italic",
    )


def text_of(thing: Any) -> rx.Component:
    """The whole text, with its links."""
    kind, content = thing["removed"].to(str), thing["content"].to(str)
    return rx.cond(
        kind != "",
        removed(kind),
        rx.cond(
            content != "",
            Said.create(
                text=content,
                calls=thing["calls"].to(list[str]),
                class_name="max-w-[76ch] whitespace-pre-line wrap-anywhere",
            ),
            erased(),
        ),
    )


def is_gone(thing: Any) -> Any:
    """Nothing of its text is shown: there is nothing to be liked."""
    return thing["content"].to(str) == ""


def says_removed(post: Any) -> Any:
    """Its title says in its place what would stand in the place of its text."""
    kind = post["removed"].to(str)
    return (kind != "") & (kind == post["removed_title"].to(str))


def is_removed(thing: Any) -> Any:
    """By moderation: nobody answers it either."""
    return is_gone(thing) & (thing["removed"].to(str) != "")


def is_erased(thing: Any) -> Any:
    """Nothing is left of it to be reported; what others say about it goes on."""
    return is_gone(thing) & (thing["removed"].to(str) == "")


def erased() -> rx.Component:
    """In the place of what somebody wrote who is forgotten."""
    return rx.el.p(t("forum.erased"), class_name="text-quiet italic")


def title_of(post: Any) -> Any:
    kind, title = post["removed_title"].to(str), post["title"].to(str)
    said = rx.cond(title != "", title, t("forum.erased"))
    return rx.cond(kind != "", t(f"moderation.removed.{kind}"), said).to(str)


def like(thing: Any, on_like: Any, settled: Any, settled_of: Any) -> rx.Component:
    """Nobody likes what they wrote themselves, or what is gone: they read the number."""
    return rx.cond(
        thing["is_own"].to(bool) | is_gone(thing),
        rx.el.span(
            icon("heart", 18),
            hidden_text(t("forum.likes"), " "),
            rx.el.span(number(thing["likes"].to(int)), class_name="tnum"),
            class_name="inline-flex min-h-9 items-center gap-2 px-2 text-sm text-quiet",
        ),
        Like.create(
            likes=thing["likes"].to(int),
            is_liked=thing["is_liked"].to(bool),
            settled=rx.cond(settled_of == thing["id"].to(str), settled, 0).to(int),
            label=t("forum.like"),
            on_like=on_like,
            class_name=(
                f"{ACTION} aria-pressed:text-lilac [&[aria-pressed=true]>svg]:fill-current"
            ),
        ),
    )


def report(target: Target, thing: Any) -> Child:
    """For what others wrote."""
    return rx.cond(
        thing["is_own"].to(bool) | is_erased(thing),
        rx.fragment(),
        rx.el.span(report_button(target, thing["id"].to(str)), class_name="ml-auto"),
    )
