"""Names that somebody may carry. Pure."""

import re
import unicodedata
from contextlib import suppress

from rewards_app.core.errors import DomainError
from rewards_app.features.accounts.handle_rules import NAMELESS
from rewards_app.features.accounts.reserved_names import passes_for_the_house
from rewards_app.features.moderation.rules import Kind, has_bad_words, moderate

SHORTEST_NAME, LONGEST_NAME = 2, 40
LONGEST_TYPED = 300
"""Of what is more nothing is looked at: putting letters and their marks together takes time that
grows with the square of their number."""
# Shown as nothing, though Unicode counts them as letters, marks or signs.
BLANK = re.compile("FILLER|VARIATION SELECTOR|PATTERN BLANK|GRAPHEME JOINER|VOWEL INHERENT")
# As Unicode's character names begin; their letters pass for each other's.
LOOKALIKE_ALPHABETS = frozenset({"LATIN", "CYRILLIC", "GREEK", "ARMENIAN", "CHEROKEE", "COPTIC"})


class NameLength(DomainError):
    """No name, too short or too long; `least` and `most` are the limits."""

    code = "accounts.name_length"


class NameUnreadable(DomainError):
    """Invisible characters, or neither a letter nor a digit."""

    code = "accounts.name_unreadable"


class NameMixesAlphabets(DomainError):
    """A Cyrillic а in a Latin word makes one person look like another."""

    code = "accounts.name_mixes_alphabets"


class NameReserved(DomainError):
    """One that others would take for the house or its staff."""

    code = "accounts.name_reserved"


class NameNotNice(DomainError):
    """`words` are what nobody is called here."""

    code = "accounts.name_not_nice"


def name_from(raw: str, language: str = "en") -> str:
    """A name that somebody may carry; `language` is theirs."""
    if len(raw) > LONGEST_TYPED:
        raise NameLength(least=SHORTEST_NAME, most=LONGEST_NAME)
    name = unicodedata.normalize("NFC", raw.strip())
    if any(map(is_unseen, name)):
        raise NameUnreadable
    name = " ".join(name.split())
    if not SHORTEST_NAME <= len(name) <= LONGEST_NAME:
        raise NameLength(least=SHORTEST_NAME, most=LONGEST_NAME)
    if not any(map(str.isalnum, name)):
        raise NameUnreadable
    if _mixes_alphabets(name):
        raise NameMixesAlphabets
    if passes_for_the_house(name):
        raise NameReserved
    _refuse_bad_words(name, language)
    return name


def untyped_name(*offered: str, neutral: str = NAMELESS) -> str:
    """For who chose no name: the first of these that obeys the rules, or a neutral one."""
    for name in offered:
        with suppress(DomainError):
            return name_from(name[:LONGEST_NAME])
    return neutral


def _mixes_alphabets(name: str) -> bool:
    letters = (c if unicodedata.category(c)[0] in "LMN" else " " for c in name)
    words = "".join(letters).split()
    alphabets = ({unicodedata.name(c, "").split(" ")[0] for c in word} for word in words)
    return any(len(found & LOOKALIKE_ALPHABETS) > 1 for found in alphabets)


def _refuse_bad_words(name: str, language: str) -> None:
    """A name is never masked: it is another one, or none."""
    if has_bad_words(name, language):
        found = [v for v in moderate(name, language).violations if v.kind is not Kind.CAPITALS]
        words = ", ".join(word for violation in found for word in violation.words)
        raise NameNotNice(words=words or name)


def is_unseen(character: str) -> bool:
    is_control = unicodedata.category(character) in {"Cc", "Cf", "Cn", "Co", "Cs", "Zl", "Zp"}
    return is_control or bool(BLANK.search(unicodedata.name(character, "")))
