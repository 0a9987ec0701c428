"""A text as it is compared: small letters without disguise, each knowing where it stood. Pure."""

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

_UNSEEN = frozenset("\u00ad\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0")
"""What shows nothing and is no format character to Unicode."""

_SMALL_CAPITALS = dict(zip("ᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘʀꜱᴛᴜᴠᴡʏᴢ", "abcdefghijklmnoprstuvwyz", strict=True))
_BOXED = {
    chr(first + n): chr(ord("a") + n)
    for first in (0x1F130, 0x1F150, 0x1F170, 0x1F1E6)
    for n in range(26)
}
_PICTURED = {**_SMALL_CAPITALS, **_BOXED, "ı": "i", "ɑ": "a", "ɡ": "g", "’": "'", "‘": "'"}

_STROKES = str.maketrans({"ł": "l", "ø": "o", "đ": "d", "æ": "ae", "œ": "oe"})
_GREEK = dict(zip("αβεηικνορςστυχωγ", "abenikvopsstuxwy", strict=True))
_CYRILLIC = dict(zip("аеорсухіјѕһԁԛԝкмтвнпгё", "aeopcyxijshdqwkmtbhnre", strict=True))
_TO_LATIN = str.maketrans({**_CYRILLIC, **_GREEK})
_LATIN = dict(zip("aceopxyktmbhiunrë", "асеорхуктмвниипгё", strict=True))
_TO_CYRILLIC = (
    str.maketrans({**_LATIN, **dict(zip("01346@", "оизчба", strict=True))}),
    str.maketrans({**_LATIN, **dict(zip("01346@", "оиеаба", strict=True))}),
)
"""Two ways, for digits that stand for one letter by their look and another by their sound."""


@dataclass(frozen=True, slots=True)
class Folded:
    text: str
    at: Sequence[int]
    """Where each character of `text` stands in what was written."""


def folded(written: str) -> Folded:
    if written.isascii():
        return Folded(written.lower(), range(len(written)))
    letters: list[str] = []
    at: list[int] = []
    for place, character in enumerate(written):
        for letter in _folded(character):
            if not unicodedata.combining(letter):
                letters.append(letter)
                at.append(place)
            elif letters:
                letters[-1] = _marked(letters[-1], letter)
    return Folded("".join(letters), at)


@lru_cache(maxsize=8192)
def _folded(character: str) -> str:
    if character in _UNSEEN or unicodedata.category(character) == "Cf":
        return ""
    plain = unicodedata.normalize("NFKC", _PICTURED.get(character, character)).casefold()
    return unicodedata.normalize("NFC", plain)


@lru_cache(maxsize=8192)
def _marked(letter: str, mark: str) -> str:
    """With the mark where that is a letter of some alphabet, else as it was."""
    composed = unicodedata.normalize("NFC", letter + mark)
    return composed if len(composed) == 1 else letter


def is_shown(character: str) -> bool:
    """Whether it takes a place of its own on the screen."""
    return bool(_folded(character)) and not unicodedata.combining(character)


def without_marks(word: str, but: str = "") -> str:
    """`schön` as `schon`; letters in `but` belong to the alphabet and stay."""
    return "".join(letter if letter in but else _unmarked(letter) for letter in word)


def spellings(word: str) -> list[str]:
    """As it is written, and as those write it who leave out the marks; `й` is a letter."""
    if any("\u0400" <= letter <= "\u052f" for letter in word):
        return [word, word.replace("ё", "е")]
    return [word, without_marks(word)]


@lru_cache(maxsize=8192)
def _unmarked(letter: str) -> str:
    apart = unicodedata.normalize("NFD", letter.translate(_STROKES))
    return "".join(part for part in apart if not unicodedata.combining(part))


def in_one_alphabet(word: str) -> list[str]:
    """How a word may read whose letters come from several alphabets, or only look Latin."""
    is_latin = any("a" <= letter <= "z" for letter in word)
    is_cyrillic = any("\u0400" <= letter <= "\u052f" for letter in word)
    is_greek = any("\u0370" <= letter <= "\u03ff" for letter in word)
    if is_latin and is_cyrillic:
        return [word.translate(_TO_LATIN), *map(word.translate, _TO_CYRILLIC)]
    latin = word.translate(_TO_LATIN) if is_greek or is_cyrillic else ""
    if is_cyrillic and not word.isalpha():
        return [latin, *map(word.translate, _TO_CYRILLIC)]
    return [latin] if latin.isascii() and latin else []
