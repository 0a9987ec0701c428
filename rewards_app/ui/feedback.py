"""What the app says back: banners, progress, loading, and one toast at a time."""

from typing import Any, Literal

import reflex as rx

from rewards_app.i18n.page_text import t
from rewards_app.ui.brand import logo, mark
from rewards_app.ui.buttons import button, link_button
from rewards_app.ui.cards import empty_state
from rewards_app.ui.connection import KeepsFocus
from rewards_app.ui.dead_ends import dead_end
from rewards_app.ui.icons import icon
from rewards_app.ui.links import link
from rewards_app.ui.markup import Child, Flag, Handler, Number, Text, attributes, hidden_text
from rewards_app.ui.numbers import length

BannerKind = Literal["info", "warning", "danger", "good"]

_BANNERS: dict[BannerKind, tuple[str, str]] = {
    "info": ("info", "border-cyan/40 bg-cyan/8 [&>svg]:text-cyan"),
    "warning": ("triangle-alert", "border-edge bg-raised [&>svg]:text-lilac"),
    "danger": ("circle-alert", "border-danger/40 bg-danger/8 [&>svg]:text-danger"),
    "good": ("circle-check", "border-good/40 bg-good/8 [&>svg]:text-good"),
}
_STRENGTHS = ("bg-danger", "bg-danger", "bg-danger", "bg-lilac", "bg-cyan", "bg-good")
STRONGEST = 5


def banner(
    kind: BannerKind,
    title: Text,
    text: Child | None = None,
    action: Child | None = None,
    *,
    is_news: bool = False,
) -> rx.Component:
    """Something to know before going on; `is_news` announces what came after the page did."""
    sign, look = _BANNERS[kind]
    return rx.el.div(
        icon(sign, 20, class_name="mt-0.5"),
        rx.el.div(
            rx.el.div(
                rx.el.p(title, class_name="font-semibold"),
                *([] if text is None else [rx.el.div(text, class_name="text-quiet")]),
                class_name="min-w-0 flex-[1_1_220px]",
            ),
            *([] if action is None else [action]),
            class_name="flex min-w-0 flex-1 flex-wrap items-start gap-3",
        ),
        class_name=f"flex items-start gap-3 rounded-panel border p-4 {look}",
        custom_attrs=attributes(
            role=("alert" if kind == "danger" else "status") if is_news else None
        ),
    )


def progress(
    value: Number,
    maximum: Number = 100,
    label: Text = "",
    *,
    is_done: Flag = False,
    class_name: str = "",
) -> rx.Component:
    """How far something has come; the bar is `value` of `maximum` long."""
    fill = "bg-linear-to-r from-purple to-cyan"
    return rx.el.div(
        rx.el.div(
            class_name=rx.cond(is_done, f"{_FILL} bg-good", f"{_FILL} {fill}")
            if isinstance(is_done, rx.Var)
            else f"{_FILL} {'bg-good' if is_done else fill}",
            style={"width": length(value, maximum)},
        ),
        class_name=f"h-2 overflow-hidden rounded-full bg-raised {class_name}".strip(),
        custom_attrs=attributes(
            role="progressbar",
            aria_label=label,
            aria_valuenow=value,
            aria_valuemin=0,
            aria_valuemax=maximum,
        ),
    )


_FILL = "h-full rounded-full transition-[width] duration-300"


def meter(score: rx.Var[int] | int, label: Text, name: Text = "") -> rx.Component:
    """Five steps of strength, with the word beside them: colour is never alone."""
    level = rx.Var.create(score).to(int)
    match: Any = rx.match
    colour = match(level, *enumerate(_STRENGTHS), "bg-danger")
    steps = [
        rx.el.span(
            class_name=["h-1.5 flex-1 rounded-full", rx.cond(level >= step, colour, "bg-raised")]
        )
        for step in range(1, STRONGEST + 1)
    ]
    return rx.el.div(
        rx.el.div(
            *steps,
            class_name="flex flex-1 gap-1",
            custom_attrs=attributes(
                role="meter",
                aria_label=name or t("ui.password_strength"),
                aria_valuenow=level,
                aria_valuemin=0,
                aria_valuemax=STRONGEST,
                aria_valuetext=label,
            ),
        ),
        rx.el.span(label, class_name="min-w-16 text-right text-sm font-medium", aria_live="polite"),
        class_name="flex items-center gap-3",
    )


def could_not_load(
    what: Text, load: Handler, *, busy: Flag = False, is_whole_page: bool = False
) -> rx.Component:
    """In the place of what could not be loaded: what happened, and the way to try it again."""
    return KeepsFocus.create(
        empty_state(
            "cloud-off",
            what,
            t("ui.try_again_text"),
            button(t("ui.try_again"), kind="ghost", icon="rotate-cw", on_click=load, busy=busy),
            is_whole_page=is_whole_page,
        )
    )


def failed_page(load: Handler, busy: Flag) -> rx.Component:
    """In the place of a whole page."""
    return rx.el.div(
        could_not_load(t("ui.page_failed"), load, busy=busy, is_whole_page=True),
        class_name="mx-auto w-full max-w-[560px] px-4 py-10 sm:py-16",
        role="alert",
    )


def lone_page(sign: str, title: Text, text: Text, way: Child) -> rx.Component:
    """A whole screen without a frame: what is the matter, and the way on."""
    return rx.el.main(
        rx.el.div(
            rx.el.div(logo(), class_name="mb-4 flex justify-center"),
            dead_end(sign, title, text, way),
            class_name="w-full",
        ),
        class_name="arena grid min-h-dvh place-items-center p-4",
    )


def login_needed(text: Text) -> rx.Component:
    """For whose session ended while a page was open, until they are led away."""
    return rx.el.main(
        dead_end(
            "lock",
            t("ui.login_needed"),
            text,
            link_button(t("frame.sign_in"), href="/auth?mode=login"),
        ),
        class_name="arena grid min-h-dvh place-items-center p-4",
    )


def loading_screen(failed: rx.Component | None = None, has_failed: Flag = False) -> rx.Component:
    """The whole screen while the session or the role is not known yet.

    It holds nobody for ever: after 3 seconds it says so and shows a way that needs no session,
    and what is `failed` stands in its place where nobody can be asked.
    """
    if failed is None:
        return _waiting()
    main = rx.el.main(failed, class_name="arena grid min-h-dvh place-items-center p-4")
    return rx.cond(has_failed, main, _waiting())


def _waiting() -> rx.Component:
    return rx.el.main(
        rx.el.h1(t("app.name"), class_name="sr-only"),
        rx.el.div(
            rx.el.span(mark(56), class_name="loading-mark"),
            rx.el.span(t("frame.loading"), class_name="text-quiet"),
            class_name="grid justify-items-center gap-5",
            role="status",
        ),
        rx.el.p(
            t("frame.slow"),
            " ",
            link(t("frame.to_landing"), href="/landing"),
            class_name="after-3-seconds max-w-[44ch] text-center text-quiet",
        ),
        class_name="arena grid min-h-dvh place-content-center justify-items-center gap-8 p-4",
    )


def loading_line(text: Text | None = None) -> rx.Component:
    """A short wait inside a page; put it beside skeletons of the final shape."""
    return rx.el.span(hidden_text(text or t("frame.loading")), role="status")


class Notices(rx.Component):
    """Shows a notice as the only toast each time its id is a new one."""

    library = "$/public/notices"
    tag = "Notices"
    lib_dependencies: list[str] = ["sonner"]

    notice: rx.Var[dict[str, Any]]
    label: rx.Var[str]


def notices(notice: rx.Var[Any]) -> rx.Component:
    """The place of the toasts: once in the app, for example in `extra_app_wraps`.

    A notice is {id, style: default|destructive|gaming, title, text, params}; title and text are
    keys, translated in the browser. Its id must be unique for all time: a reloaded page must not
    show the last notice again.
    """
    return Notices.create(notice=notice, label=t("ui.notices"))
