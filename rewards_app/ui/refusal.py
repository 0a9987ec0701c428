"""Why something was refused, beside the form that met the refusal."""

from typing import Any

import reflex as rx
from reflex_base.utils.imports import ImportVar
from reflex_base.vars.base import Var, VarData

from rewards_app.i18n.page_text import SAYING
from rewards_app.ui.icons import icon


class Words(rx.Component):
    """A text the server chose by its key, with its parameters."""

    library = "$/public/notices"
    tag = "Words"
    says: rx.Var[dict[str, Any]]


_MARKS = VarData(
    imports={"$/public/marks": [ImportVar(tag="useMarks")]},
    hooks={"const isMarked = useMarks();": None},
)


def field_error(refusal: Any, field: str) -> rx.Var[str]:
    """What is wrong with one field of a form; empty if nothing is, or it was changed since."""
    known: Any = rx.Var.create(refusal)
    words = _said(known["faults"].to(dict)[field].to(dict))
    return rx.cond(_is_marked(known, rx.Var.create(field)), words, "").to(str)  # pyright: ignore


def _said(says: Any) -> rx.Var[str]:
    return Var(
        _js_expr=f"say({says!s})",
        _var_type=str,
        _var_data=VarData.merge(SAYING, says._get_all_var_data()),
    ).to(str)


def _is_marked(refusal: Any, field: Any) -> Any:
    return Var(
        _js_expr=f"isMarked({refusal!s}, {field!s})",
        _var_type=bool,
        _var_data=VarData.merge(_MARKS, refusal._get_all_var_data(), field._get_all_var_data()),
    ).to(bool)


def other_refusal(refusal: Any) -> rx.Component:
    """What was refused, unless it is said beside a field."""
    known: Any = rx.Var.create(refusal)
    field = known["params"].to(dict)["field"].to(str)
    return refusal_line(rx.cond(field, {}, known))


def refusal_line(refusal: Any) -> rx.Component:
    """Always there, so that what comes into it is announced."""
    return rx.el.div(
        rx.cond(
            refusal,
            rx.el.p(
                icon("circle-alert", 18, class_name="mt-0.5"),
                Words.create(says=refusal),
                class_name="flex gap-2 font-medium text-danger",
            ),
        ),
        class_name="empty:hidden",
        aria_live="polite",
    )
