"""The moment in which something is won: a card over everything, with confetti, in nobody's way."""

import reflex as rx
from reflex_base.event import no_args_event_spec

from rewards_app.i18n.page_text import t
from rewards_app.ui.markup import Child, Handler, Text


class Moment(rx.Component):
    """Asks for a moment that waits once its tab is looked at, and shows each moment once."""

    library = "$/public/moment"
    tag = "Moment"
    lib_dependencies: list[str] = ["canvas-confetti"]

    waiting: rx.Var[int]
    moment_id: rx.Var[str]
    says: rx.Var[str]
    close_label: rx.Var[str]
    on_ready: rx.EventHandler[no_args_event_spec]


def moment(
    *children: Child, says: Text, waiting: rx.Var[int] | int, moment_id: Text, on_ready: Handler
) -> rx.Component:
    """`on_ready` fetches what waits; `moment_id` is another one for each that comes.

    `says` is what screen readers announce.
    """
    return Moment.create(
        *children,
        says=says,
        waiting=waiting,
        moment_id=moment_id,
        close_label=t("ui.close"),
        on_ready=on_ready,
    )
