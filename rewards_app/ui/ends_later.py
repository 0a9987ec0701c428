"""What ends at a moment that nothing else tells an open page of: a day, a break."""

import reflex as rx
from reflex_base.event import no_args_event_spec


class EndsLater(rx.Component):
    """Asks what is true now, soon after that moment; `ends_in` is what counts, in seconds."""

    library = "$/public/session"
    tag = "EndsLater"
    ends_at: rx.Var[str]
    ends_in: rx.Var[int]
    on_over: rx.EventHandler[no_args_event_spec]
