"""What a profile may say, and how it reads to others. Pure."""

from dataclasses import dataclass

from rewards_app.features.advertiser.fields import text_from
from rewards_app.features.moderation.rules import Violation, moderate

LONGEST_BIO = 300
LONGEST_HANDLE = 30


def bio_from(raw: str) -> str:
    return text_from(raw, "bio", longest=LONGEST_BIO)


@dataclass(frozen=True, slots=True)
class Shown:
    """A text as others read it: `text`, or why it was removed as a whole."""

    text: str = ""
    removed: str = ""
    """`bullying` or `scam`: the key of the words that stand in its place."""


def shown_to_others(text: str, language: str = "en") -> Shown:
    """What needs a person's eyes first is not shown until then."""
    found = moderate(text, language)
    if found.needs_person:
        return Shown()
    removed = found.removed_for
    return Shown(removed=removed.value) if removed else Shown(found.shown)


def changed_for_others(text: str, language: str = "en") -> tuple[Violation, ...]:
    """Why others read the text differently; empty where they read it as it was written."""
    return moderate(text, language).violations
