"""What a profile may say, and how it reads to others. Pure."""

from dataclasses import dataclass
from functools import lru_cache

from rewards_app.features.advertiser.fields import text_from
from rewards_app.features.moderation.rules import Moderated, Violation, moderate

LONGEST_BIO = 300
LONGEST_HANDLE = 30
MOST_REMEMBERED = 8192
"""Of at most 500 characters each: the texts of forty full shelves, in some ten megabytes."""


def bio_from(raw: str) -> str:
    return text_from(raw, "bio", longest=LONGEST_BIO)


@dataclass(frozen=True, slots=True)
class Shown:
    """A text as others read it: `text`, or why it was removed as a whole."""

    text: str = ""
    removed: str = ""
    """`bullying` or `scam`: the key of the words that stand in its place."""


@lru_cache(maxsize=MOST_REMEMBERED)
def moderated(text: str, language: str = "en") -> Moderated:
    """Once for all who read it: the lists stay as they are while a worker runs."""
    return moderate(text, language)


def shown_to_others(text: str, language: str = "en") -> Shown:
    """What needs a person's eyes first is not shown until then."""
    found = moderated(text, language)
    if found.needs_person:
        return Shown()
    removed = found.removed_for
    return Shown(removed=removed.value) if removed else Shown(found.shown)


def changed_for_others(text: str, language: str = "en") -> tuple[Violation, ...]:
    """Why others read the text differently; empty where they read it as it was written."""
    return moderated(text, language).violations
