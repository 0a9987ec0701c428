"""The bar that says the connection is lost; what was typed stays, the page keeps working."""

import reflex as rx
from reflex_base.utils.imports import ImportVar
from reflex_base.vars.base import VarData

from rewards_app.i18n.page_text import t
from rewards_app.ui.icons import spinner

_LOST = rx.Var(
    # One failed try is no news: the bar waits for the second.
    "(connectErrors.length >= 2)",
    _var_type=bool,
    _var_data=VarData(
        imports={
            "$/utils/context": [ImportVar(tag="EventLoopContext")],
            "react": [ImportVar(tag="useContext")],
        },
        hooks={"const [addEvents, connectErrors] = useContext(EventLoopContext);": None},
    ),
).to(bool)


class TopLayer(rx.Component):
    """Lies above everything, open dialogs too, while it is shown."""

    library = "$/public/overlays"
    tag = "TopLayer"
    shown: rx.Var[bool]


def connection_bar() -> rx.Component:
    """In place of Reflex's own overlay; for `rx.App(app_wraps=...)`."""
    return TopLayer.create(
        rx.el.p(
            rx.cond(
                _LOST,
                rx.el.span(
                    spinner(16),
                    t("frame.reconnecting"),
                    class_name=(
                        "flex items-center gap-3 rounded-3xl border border-edge bg-panel px-5"
                        " py-2.5 text-text shadow-lg"
                    ),
                ),
            ),
            role="status",
        ),
        shown=_LOST,
        class_name="connection-layer",
    )
