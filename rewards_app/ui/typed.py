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


def typed_number(form: str, field: str) -> rx.Var[float]:
    """The same as a number; 0 where it is none."""
    return Var(
        _js_expr=f"(Number({typed(form, field)!s}) || 0)",
        _var_type=float,
        _var_data=typed(form, field)._get_all_var_data(),  # pyright: ignore[reportPrivateUsage]
    ).to(float)


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
