"""Running text of several paragraphs and lists, out of one text of the catalogue."""

from typing import Any

import reflex as rx
from reflex_base.utils.imports import ImportVar
from reflex_base.vars.base import Var, VarData

_LIBRARY = "$/public/legal"
_LOOK = (
    "mt-3 grid gap-3 text-quiet text-pretty wrap-anywhere"
    " [&_ul]:grid [&_ul]:list-disc [&_ul]:gap-1.5 [&_ul]:pl-5 [&_li]:marker:text-lilac"
    " [&_div>p]:mb-1.5"
)


class Prose(rx.Component):
    """Paragraphs stand apart by an empty line; lines that begin with a dash are a list."""

    library = _LIBRARY
    tag = "Prose"
    of: rx.Var[str]
    params: rx.Var[dict[str, Any]]


def prose(key: str, **params: str) -> rx.Component:
    return Prose.create(of=key, params=params, class_name=_LOOK)


def legal_texts_are_here() -> Var[bool]:
    """False while the long texts come in another language than English."""
    return Var(
        "hasLegalTexts",
        _var_type=bool,
        _var_data=VarData(
            imports={_LIBRARY: [ImportVar(tag="useLegalTexts")]},
            hooks={"const hasLegalTexts = useLegalTexts();": None},
        ),
    ).to(bool)
