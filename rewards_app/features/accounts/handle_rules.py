"""Handles: what people are called by in the forum, and in the address of their profile. Pure."""

import re
import unicodedata

from rewards_app.features.accounts.reserved_names import passes_for_the_house
from rewards_app.features.moderation.rules import has_bad_words

SHORTEST, LONGEST = 2, 24
NAMELESS = "player"
RESERVED = frozenset({"deleted"})
"""Stands where people were called who are forgotten: nobody may seem to be them."""
_STRANGE = re.compile(r"[^\w.-]+")
_MENTION = re.compile(r"(?<![\w@.-])@(\w[\w.-]{0,29})")


def handle_from(name: str) -> str:
    """The handle that a name asks for: letters of any alphabet, digits, and `_`, `.`, `-`."""
    plain = _STRANGE.sub("_", unicodedata.normalize("NFKC", name).casefold())
    whole = plain.strip("_.-")
    handle = whole[:LONGEST].rstrip("_.-")
    if len(handle) < SHORTEST or handle in RESERVED or _says_else(handle, whole):
        return NAMELESS
    return handle


def _says_else(handle: str, whole: str) -> bool:
    """Cut, a name may end with what nobody is called: Adminton as an admin."""
    return handle != whole and (passes_for_the_house(handle) or has_bad_words(handle))


def with_ending(handle: str, ending: str) -> str:
    """Another one, for somebody whose handle is taken."""
    return f"{_before_ending(handle)}{ending}"


def is_with_ending(handle: str, wished: str) -> bool:
    """Whether it may be the other one of somebody who wished for that."""
    return handle.startswith(_before_ending(wished))


def _before_ending(handle: str) -> str:
    return f"{handle[: LONGEST - 4]}_"


def mentioned_in(text: str) -> list[str]:
    """The handles that a text calls, each once, in their order."""
    return list(dict.fromkeys(one.casefold() for one in mentions_in(text)))


def mentions_in(text: str) -> list[str]:
    """What a text calls people, in small letters as it is written: `große` for `grosse`, too."""
    return list(dict.fromkeys(one.lower().rstrip(".-") for one in _MENTION.findall(text)))
