"""The lost connection: a bar says so, what is pressed meanwhile is not lost, nor what was typed."""

from typing import Any

import reflex as rx
from reflex_base.utils.imports import ImportVar
from reflex_base.vars.base import VarData

from rewards_app.i18n.page_text import t
from rewards_app.ui.icons import icon, spinner

_SCRIPT = "$/public/connection"


class TopLayer(rx.Component):
    """Lies above everything, open dialogs too, while it is shown."""

    library = "$/public/overlays"
    tag = "TopLayer"
    shown: rx.Var[bool]


class Visit(rx.Component):
    """What the server last said of this page: what is pressed without a connection is done once,
    or said not to be."""

    library = _SCRIPT
    tag = "Visit"
    visit: rx.Var[str]
    notice: rx.Var[str]
    is_busy: rx.Var[bool]


class KeepsFocus(rx.Component):
    """Around what goes once it has been pressed: the focus goes on to the content then."""

    library = _SCRIPT
    tag = "KeepsFocus"


class Said(rx.Component):
    """A line that is read aloud in open dialogs too."""

    library = _SCRIPT
    tag = "Said"
    text: rx.Var[str]


def last_known(role: Any) -> rx.Var[str]:
    """The role, or the one before while a server that has just started does not know it yet."""
    known = rx.Var.create(role)
    imports = VarData(imports={_SCRIPT: [ImportVar(tag="lastKnown")]})
    return rx.Var(
        f"lastKnown({known!s})",
        _var_type=str,
        _var_data=VarData.merge(imports, known._get_all_var_data()),
    ).to(str)


def _is(what: str) -> rx.Var[bool]:
    connection = VarData(
        imports={_SCRIPT: [ImportVar(tag="useConnection")]},
        hooks={"const connection = useConnection();": None},
    )
    return rx.Var(f"connection.{what}", _var_type=bool, _var_data=connection).to(bool)


def connection_bar() -> rx.Component:
    """In place of Reflex's own overlay; for `rx.App(app_wraps=...)`."""
    is_offline = _is("isOffline")
    words: Any = rx.cond(is_offline, t("frame.offline"), t("frame.reconnecting"))
    said: Any = rx.cond(_is("isUnsent"), t("frame.not_sent"), words)
    return TopLayer.create(
        rx.el.p(
            rx.cond(
                _is("isShown"),
                rx.el.span(
                    rx.cond(is_offline, icon("wifi-off", 16), spinner(16)),
                    Said.create(text=said),
                    class_name=(
                        "flex items-center gap-3 rounded-3xl border border-edge bg-panel px-5"
                        " py-2.5 text-text shadow-lg"
                    ),
                ),
            ),
            role="status",
        ),
        shown=_is("isShown"),
        class_name="connection-layer",
    )
