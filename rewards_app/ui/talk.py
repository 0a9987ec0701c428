"""What people write to each other: likes, texts with links, marks that explain, drafts."""

from typing import Any

import reflex as rx
from reflex_base.event import passthrough_event_spec

_LIBRARY = "$/public/talk"


class Like(rx.Component):
    """A heart with a number: pressed shows before the server answers."""

    library = _LIBRARY
    tag = "Like"

    likes: rx.Var[int]
    is_liked: rx.Var[bool]
    settled: rx.Var[int]
    """Another number each time the server has answered: its word is the last."""
    label: rx.Var[str]
    on_like: rx.EventHandler[passthrough_event_spec(bool)]


class Explained(rx.Component):
    """A mark whose children explain it: above it, on focus and by touch; Escape closes."""

    library = _LIBRARY
    tag = "Explained"

    mark: rx.Var[Any]
    explains: rx.Var[str]
    """The look of what explains it."""


class Said(rx.Component):
    """What somebody wrote: only text, whose https addresses and known @names lead there."""

    library = _LIBRARY
    tag = "Said"

    text: rx.Var[str]
    calls: rx.Var[list[str]]
    """The names in it that have a page; the others stay text."""


class Writing(rx.Component):
    """A form that tells what is typed after a short pause and before it is sent, for a draft."""

    library = _LIBRARY
    tag = "Writing"

    focus_at: rx.Var[str]
    """The fragment of an address that leads into its text."""
    on_note: rx.EventHandler[passthrough_event_spec(dict)]
    on_send: rx.EventHandler[passthrough_event_spec(dict)]


class Answer(rx.Component):
    """A button that begins a text with whom it is for: what was typed there stays behind it."""

    library = _LIBRARY
    tag = "Answer"

    handle: rx.Var[str]
    """Empty for who has none: the text begins as it does."""
    into: rx.Var[str]
    """The id of the text's field."""


class Arrival(rx.Component):
    """Beside a list: what the address leads to comes into view, or is missing."""

    library = _LIBRARY
    tag = "Arrival"

    begins_after: rx.Var[str]
    """What comes before the first of them; empty where nothing does."""
    count: rx.Var[int]
    """How many there are."""
    on_lost: rx.EventHandler[passthrough_event_spec(str)]
