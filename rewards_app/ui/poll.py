"""Something that a page asks again every so many seconds, for as long as somebody looks at it."""

import reflex as rx
from reflex_base.event import no_args_event_spec


class Poll(rx.Component):
    """Calls a passive handler again and again, while its browser tab is the one in front."""

    library = "$/public/poll"
    tag = "Poll"
    seconds: rx.Var[int]
    on_time: rx.EventHandler[no_args_event_spec]
