"""Names that nobody may carry, because others would take them for the house. Pure."""

import re
import unicodedata

RESERVED = ("admin", "administrator", "moderator", "support", "watchcoins")
"""As a word of a name; the last one anywhere in it."""
HOUSE = RESERVED[-1]

_LOOKALIKES = str.maketrans(
    {
        **dict(zip("013457@$!|", "oieastasii", strict=True)),
        # What Cyrillic and Greek letters pass for.
        **dict(zip("авекмнорстухіјѕ", "abekmhopctyxijs", strict=True)),
        **dict(zip("αβεικνορτυ", "abeiknoptu", strict=True)),
        "l": "i",
        "j": "i",
    }
)
_WORDS = re.compile(r"[^\w@$!|]+|_+")
_ENDING = re.compile(r"s?[\d@$!|]*$")


def passes_for_the_house(name: str) -> bool:
    """Whether somebody who reads the name in passing may think that it is one of us."""
    words = [_seen(word) for word in _WORDS.split(_folded(name))]
    together = "".join(words)
    return _HOUSE in together or together in _RESERVED or any(w in _RESERVED for w in words)


def _folded(name: str) -> str:
    """In small letters, without accents."""
    apart = unicodedata.normalize("NFKD", name).casefold()
    return "".join(c for c in apart if not unicodedata.combining(c))


def _seen(word: str) -> str:
    """The letters it passes for; a number behind it makes nobody somebody else."""
    return _ENDING.sub("", word).translate(_LOOKALIKES) or word


_RESERVED = frozenset(_seen(word) for word in RESERVED)
_HOUSE = _seen(HOUSE)
