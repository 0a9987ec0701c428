"""Handles: what people are called by in the forum, and in the address of their profile. Pure."""

import re
import unicodedata
from uuid import UUID

from rewards_app.features.accounts.reserved_names import passes_for_the_house
from rewards_app.features.moderation.rules import has_bad_words

SHORTEST, LONGEST = 2, 24
DIGITS = 9
"""Of an ending: the last ones of an id, which are its random ones."""
NAMELESS = "player"
RESERVED = frozenset({"deleted"})
"""Stands where people were called who are forgotten: nobody may seem to be them."""
_NEUTRAL = re.compile(rf"{NAMELESS}(?:_[0-9a-f]{{{DIGITS}}})?")
_STRANGE = re.compile(r"[^\w.-]+")
_MENTION = re.compile(r"(?<![\w@.-])@(\w[\w.-]{0,29})")


def handle_from(name: str) -> str:
    """The handle that a name asks for: letters of any alphabet, digits, and `_`, `.`, `-`."""
    plain = _STRANGE.sub("_", unicodedata.normalize("NFKC", name).casefold())
    whole = plain.strip("_.-")
    handle = whole[:LONGEST].rstrip("_.-")
    is_one = len(handle) >= SHORTEST and handle not in RESERVED and not is_neutral(handle)
    return handle if is_one and not _says_else(handle, whole) else NAMELESS


def is_neutral(handle: str) -> bool:
    """It says nothing of a name, and no name asks for it."""
    return _NEUTRAL.fullmatch(handle) is not None


def _says_else(handle: str, whole: str) -> bool:
    """Cut, a name may end with what nobody is called: Adminton as an admin."""
    return handle != whole and (passes_for_the_house(handle) or has_bad_words(handle))


def with_ending(handle: str, *, of: UUID) -> str:
    """Another one, for somebody whose handle is taken."""
    return f"{handle[: LONGEST - 4]}_{of.hex[-DIGITS:]}"


def mentioned_in(text: str) -> list[str]:
    """The handles that a text calls, each once, in their order."""
    return list(dict.fromkeys(one.casefold() for one in mentions_in(text)))


def mentions_in(text: str) -> list[str]:
    """What a text calls people, in small letters as it is written: `große` for `grosse`, too."""
    return list(dict.fromkeys(one.lower().rstrip(".-") for one in _MENTION.findall(text)))
