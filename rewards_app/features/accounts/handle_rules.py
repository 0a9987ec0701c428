"""Handles: what people are called by in the forum, and in the address of their profile. Pure."""

import re
import unicodedata

SHORTEST, LONGEST = 2, 24
NAMELESS = "player"
RESERVED = frozenset({"deleted"})
"""Stands where people were called who are forgotten: nobody may seem to be them."""
_STRANGE = re.compile(r"[^\w.-]+")
_MENTION = re.compile(r"(?<![\w@.-])@(\w[\w.-]{0,29})")


def handle_from(name: str) -> str:
    """The handle that a name asks for: letters of any alphabet, digits, and `_`, `.`, `-`."""
    plain = _STRANGE.sub("_", unicodedata.normalize("NFKC", name).casefold())
    handle = plain.strip("_.-")[:LONGEST].rstrip("_.-")
    return handle if len(handle) >= SHORTEST and handle not in RESERVED else NAMELESS


def with_ending(handle: str, ending: str) -> str:
    """Another one, for somebody whose handle is taken."""
    return f"{handle[: LONGEST - 4]}_{ending}"


def mentioned_in(text: str) -> list[str]:
    """The handles that a text calls, each once, in their order."""
    found = (one.casefold().rstrip(".-") for one in _MENTION.findall(text))
    return list(dict.fromkeys(found))
