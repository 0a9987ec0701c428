"""One topic or reply, what is known of it, and the decision on it."""

from typing import Any

import reflex as rx

from rewards_app.core.state import AppState
from rewards_app.features.forum.desk_parts import author_line, marks, reason_words
from rewards_app.features.forum.desk_rules import FOR_THE_LOG, REASONS, Deed, Target
from rewards_app.features.forum.desk_state import DeskState
from rewards_app.i18n.page_text import t
from rewards_app.ui.buttons import Kind, button
from rewards_app.ui.cards import facts
from rewards_app.ui.feedback import banner
from rewards_app.ui.forms import actions, form, select_field, textarea_field
from rewards_app.ui.markup import Child
from rewards_app.ui.numbers import ago, date, number
from rewards_app.ui.overlays import dialog
from rewards_app.ui.refusal import field_error, other_refusal


def decision_dialog() -> rx.Component:
    case: Any = DeskState.case
    is_open = case.contains("id")
    return dialog(
        rx.cond(
            is_open,
            rx.el.div(
                marks(case),
                _texts(case),
                _facts(case),
                rx.cond(case["appeal"].to(str) != "", _appeal(case)),
                rx.cond(DeskState.reports, _reports()),
                rx.cond(DeskState.past, _past()),
                rx.cond(DeskState.is_stale, _stale(case)),
                _decision(case),
                class_name="grid grid-cols-[minmax(0,1fr)] gap-6 wrap-anywhere",
            ),
        ),
        id="desk-case",
        title=t("forum.desk.review"),
        open=is_open,
        on_close=DeskState.close,
        width=760,
    )


_TEXT = "rounded-control border border-line bg-bg p-4"


def _texts(case: Any) -> rx.Component:
    """As it was written, and where moderation changed it as others see it."""
    return rx.el.div(
        rx.el.div(
            rx.el.h3(t("forum.desk.as_written"), class_name="mb-2 text-base"),
            rx.el.div(
                rx.cond(
                    case["title"].to(str) != "",
                    rx.el.p(case["title"].to(str), class_name="mb-1 font-semibold"),
                    rx.el.p(
                        t("forum.desk.reply_to", title=case["topic"].to(str)),
                        class_name="mb-1 text-sm text-quiet",
                    ),
                ),
                rx.el.p(case["content"].to(str), class_name="whitespace-pre-line"),
                class_name=_TEXT,
            ),
        ),
        rx.cond(case["is_changed"].to(bool), _as_shown(case)),
        class_name="grid gap-4",
    )


def _as_shown(case: Any) -> rx.Component:
    has_text = (case["shown_title"].to(str) != "") | (case["shown_content"].to(str) != "")
    return rx.el.div(
        rx.el.h3(t("forum.desk.as_shown"), class_name="mb-2 text-base"),
        rx.el.div(
            rx.cond(
                has_text,
                rx.fragment(
                    rx.el.p(case["shown_title"].to(str), class_name="font-semibold empty:hidden"),
                    rx.el.p(case["shown_content"].to(str), class_name="whitespace-pre-line"),
                ),
                rx.el.p(t("forum.desk.nothing_shown"), class_name="text-quiet"),
            ),
            class_name=_TEXT,
        ),
        rx.el.ul(
            rx.foreach(
                case["violations"].to(list[dict[str, str]]),
                lambda one: rx.el.li(t(f"moderation.violations.{one['kind']}", words=one["words"])),
            ),
            class_name="mt-2 grid gap-1 text-sm text-quiet",
        ),
    )


def _facts(case: Any) -> rx.Component:
    hidden = case["hidden_before"].to(int)
    return facts(
        (t("forum.desk.author"), author_line(case)),
        (t("forum.desk.role"), t(f"roles.{case['role']}")),
        (t("forum.desk.member_since"), date(case["joined_at"].to(str))),
        (
            t("forum.desk.hidden_before"),
            t("forum.desk.times", count=hidden, shown=number(hidden)),
        ),
        (t("forum.desk.written"), _written(case)),
        (t("forum.desk.reports"), number(case["reporters"].to(int))),
        columns=2,
    )


def _written(case: Any) -> rx.Component:
    """Also that it was changed: what was reported may have stood there in other words."""
    edited_at = case["edited_at"].to(str)
    return rx.fragment(
        ago(case["created_at"].to(str)),
        rx.cond(edited_at != "", rx.fragment(" · ", t("forum.edited"), " ", ago(edited_at))),
    )


_SAID = "rounded-control border-l-2 border-cyan bg-bg p-3"


def _appeal(case: Any) -> rx.Component:
    return rx.el.section(
        rx.el.h3(
            t("forum.desk.appeal_number", number=case["appeal_number"].to(str)),
            class_name="mb-2 text-base",
        ),
        rx.el.ol(
            rx.el.li(_words_of_author(case["appeal"], case["appealed_at"]), class_name=_SAID),
            rx.foreach(
                DeskState.added,
                lambda one: rx.el.li(
                    _words_of_author(one["text"], one["created_at"]), class_name=_SAID
                ),
            ),
            class_name="grid gap-2",
        ),
    )


def _words_of_author(text: Any, at: Any) -> rx.Component:
    return rx.fragment(
        rx.el.p(text.to(str), class_name="whitespace-pre-line"),
        rx.el.p(ago(at.to(str)), class_name="mt-1 text-sm text-quiet"),
    )


def _reports() -> rx.Component:
    return rx.el.section(
        rx.el.h3(t("forum.desk.readers_say"), class_name="mb-2 text-base"),
        rx.el.ul(rx.foreach(DeskState.reports, _report), class_name="grid gap-2"),
    )


def _report(report: Any) -> rx.Component:
    return rx.el.li(
        rx.el.div(
            rx.el.span(
                t(f"forum.reports.reasons.{report['reason']}"), class_name="min-w-0 font-medium"
            ),
            rx.el.span(ago(report["created_at"].to(str)), class_name="text-sm text-quiet"),
            class_name="flex flex-wrap items-baseline justify-between gap-x-4",
        ),
        rx.cond(
            report["is_of_earlier_words"].to(bool),
            rx.el.p(t("forum.desk.of_earlier_words"), class_name="text-sm text-quiet"),
        ),
        rx.el.p(report["text"].to(str), class_name="whitespace-pre-line text-quiet empty:hidden"),
        class_name=_SAID,
    )


def _past() -> rx.Component:
    return rx.el.section(
        rx.el.h3(t("forum.desk.past"), class_name="mb-2 text-base"),
        rx.el.ul(rx.foreach(DeskState.past, _decided), class_name="grid gap-2"),
    )


def _decided(one: Any) -> rx.Component:
    return rx.el.li(
        rx.el.div(
            rx.el.span(t(f"forum.desk.decided.{one['action']}"), class_name="min-w-0 font-medium"),
            rx.el.span(one["by"], " · ", ago(one["at"].to(str)), class_name="text-sm text-quiet"),
            class_name="flex flex-wrap items-baseline justify-between gap-x-4",
        ),
        rx.el.p(reason_words(one), class_name="text-quiet"),
        class_name="rounded-control bg-bg p-3",
    )


def _stale(case: Any) -> rx.Component:
    """Nobody decides on what is not there any more; what they wrote of it stays meanwhile."""
    look: Any = DeskState.look_at
    return banner(
        "warning",
        t("forum.desk.stale_title"),
        t("forum.desk.stale_text"),
        button(
            t("forum.desk.look_again"),
            kind="ghost",
            size="sm",
            on_click=look(case["target"].to(str), case["id"].to(str)),
        ),
        is_news=True,
    )


def _decision(case: Any) -> rx.Component:
    return rx.el.section(
        rx.el.h3(t("forum.desk.decision"), class_name="mb-3 text-base"),
        rx.cond(
            case["is_own"].to(bool),
            rx.el.p(t("forum.desk.own_text"), class_name="text-quiet"),
            rx.cond(DeskState.deed != "", _form(), _deeds(case)),
        ),
        class_name="border-t border-line pt-5",
    )


def _deeds(case: Any) -> rx.Component:
    return rx.el.div(
        rx.foreach(case["deeds"].to(list[str]), _deed),
        class_name="flex flex-wrap gap-2",
    )


def _is_hard(deed: Any) -> Any:
    return (deed == Deed.HIDE.value) | (deed == Deed.RENAME.value) | (deed == Deed.TURN_DOWN.value)


def _deed(deed: Any) -> rx.Component:
    ask: Any = DeskState.ask
    words = t(f"forum.desk.deeds.{deed}")
    return rx.cond(
        _is_hard(deed),
        button(words, kind="danger", on_click=ask(deed)),
        button(words, kind="ghost", on_click=ask(deed)),
    )


def _form() -> rx.Component:
    match: Any = rx.match
    deed = DeskState.deed
    options = match(
        deed,
        *(
            (one.value, rx.fragment(*(_reason(why) for why in reasons)))
            for one, reasons in REASONS.items()
        ),
        rx.fragment(),
    )
    words = t(f"forum.desk.deeds.{deed}")
    is_logged = match(deed, *((one.value, True) for one in FOR_THE_LOG), False)
    return form(
        rx.el.p(_means(deed)),
        select_field(
            "reason",
            t("forum.desk.reason"),
            options,
            error=field_error(AppState.refusal, "reason"),
            required=True,
            field_id="desk-reason",
            key=deed,
        ),
        textarea_field(
            "note",
            rx.cond(is_logged, t("forum.desk.note_log"), t("forum.desk.note")),
            rows=3,
            hint=rx.cond(is_logged, t("forum.desk.note_log_hint"), t("forum.desk.note_hint")),
            error=field_error(AppState.refusal, "note"),
            field_id="desk-note",
        ),
        other_refusal(AppState.refusal),
        actions(
            button(t("forum.desk.back"), kind="ghost", on_click=DeskState.back),
            rx.cond(
                _is_hard(deed),
                _sends(words, "danger"),
                _sends(words),
            ),
        ),
        on_submit=DeskState.decide,
        no_validate=True,
        class_name="rounded-control border border-line p-4",
    )


def _means(deed: Any) -> Child:
    """Of a profile the name stays where its words are hidden."""
    case: Any = DeskState.case
    hides_profile = (case["target"].to(str) == Target.PROFILE.value) & (deed == Deed.HIDE.value)
    return rx.cond(hides_profile, t("forum.desk.means.hide_profile"), t(f"forum.desk.means.{deed}"))


def _sends(words: Any, kind: Kind = "primary") -> rx.Component:
    return button(
        words, kind=kind, submits=True, busy=AppState.is_busy, disabled=DeskState.is_stale
    )


def _reason(why: Any) -> rx.Component:
    return rx.el.option(t(f"forum.desk.reasons.{why}"), value=why.value)
