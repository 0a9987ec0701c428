"""What the components take: texts, children, and what only HTML knows."""

from typing import Any, TypeAlias

import reflex as rx

Text: TypeAlias = str | rx.Var[str]
Flag: TypeAlias = bool | rx.Var[bool]
Number: TypeAlias = int | float | rx.Var[int] | rx.Var[float]
Child: TypeAlias = rx.Component | rx.Var[Any] | str
Handler: TypeAlias = Any
"""What Reflex takes for an event: a handler, a spec, a lambda or a list of them."""

NBSP = "\u00a0"


def classes(*names: Text | None) -> list[Text]:
    """The class names that are given."""
    return [name for name in names if name is not None and not _is_blank(name)]


def attributes(**values: Any) -> dict[str, Any]:
    """HTML attributes as they are; an `id` given here makes no Reflex ref.

    A ref would add the field a second time, under its id, to what a form submits.
    """
    return {
        name.rstrip("_").replace("_", "-"): value
        for name, value in values.items()
        if value is not None
    }


def inline_script(content: str, **props: Any) -> rx.Component:
    """A script of ours as part of the document; no text of a person belongs in it."""
    # Inside of a script, "</" would end it.
    inner = {"dangerouslySetInnerHTML": {"__html": content.replace("</", "<\\/")}}
    return rx.el.script(custom_attrs=inner, **props)


def hidden_text(*children: Child) -> rx.Component:
    """For screen readers only."""
    return rx.el.span(*children, class_name="sr-only")


def _is_blank(name: Text) -> bool:
    return isinstance(name, str) and not name.strip()


def sized(width: int, height: int | None = None) -> dict[str, Any]:
    """As attributes: a library would write what `style` says into a sheet of styles first."""
    return {"style": {"width": f"{width}px", "height": f"{height or width}px"}}
