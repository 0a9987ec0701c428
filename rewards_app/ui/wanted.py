"""Where a visitor wanted to go, remembered by their browser until they have signed in."""

import reflex as rx
from reflex_base.event import passthrough_event_spec

_LIBRARY = "$/public/wanted"


class Wanted(rx.Component):
    """Remembers the address of a page that a visitor is led away from."""

    library = _LIBRARY
    tag = "Wanted"


class WantedThen(rx.Component):
    """Tells that address once, to whoever has signed in since."""

    library = _LIBRARY
    tag = "WantedThen"
    on_back: rx.EventHandler[passthrough_event_spec(str)]
