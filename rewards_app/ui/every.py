"""Something that a page asks again and again, for as long as it is open."""

import reflex as rx
from reflex_base.event import no_args_event_spec


class Every(rx.Component):
    """Calls a passive handler each time so many hours have passed."""

    library = "$/public/every"
    tag = "Every"
    hours: rx.Var[float]
    on_time: rx.EventHandler[no_args_event_spec]
