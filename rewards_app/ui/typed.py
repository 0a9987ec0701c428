"""What is typed into a form, for what follows it on the page: no event goes to the server."""

from typing import Any

import reflex as rx
from reflex_base.utils.imports import ImportVar
from reflex_base.vars.base import Var, VarData

_LIBRARY = "$/public/typed"


class Typing(rx.Component):
    """Stands in a form and lets others on the page read what is typed there, under its name."""

    library = _LIBRARY
    tag = "Typing"

    name: rx.Var[str]


def typed(form: str, field: str) -> rx.Var[str]:
    """What stands in a field now; empty while there is no such field."""
    return _read(form, f'["{field}"] ?? ""').to(str)


def typed_number(form: str, field: str) -> Any:
    """The same as a number; 0 where it is none."""
    return _made_of(typed(form, field), "(Number({}) || 0)", float).to(float)


def typed_address(form: str, field: str) -> rx.Var[str]:
    """The same if it looks like the address of something that can be shown; else empty."""
    return _made_of(typed(form, field), "shownAddress({})", str, "shownAddress").to(str)


def _made_of(text: rx.Var[str], written: str, kind: type, *tools: str) -> Any:
    imported = VarData(imports={_LIBRARY: [ImportVar(tag=tool) for tool in tools]})
    known = text._get_all_var_data()  # pyright: ignore[reportPrivateUsage]
    return Var(
        _js_expr=written.format(str(text)),
        _var_type=kind,
        _var_data=VarData.merge(known, imported) if tools else known,
    )


def _read(form: str, what: str) -> Any:
    variable = f"typed_{form.replace('-', '_')}"
    return Var(
        _js_expr=f"({variable}{what})",
        _var_type=str,
        _var_data=VarData(
            imports={_LIBRARY: [ImportVar(tag="useTyped")]},
            hooks={f'const {variable} = useTyped("{form}");': None},
        ),
    )
