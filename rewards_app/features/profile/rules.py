"""What a profile may say, and how it reads to others. Pure."""

from dataclasses import dataclass

from rewards_app.core.errors import FieldRefused
from rewards_app.features.advertiser.fields import text_from
from rewards_app.features.moderation.rules import Kind, Moderated, has_bad_words, moderate

LONGEST_BIO = 300
LONGEST_HANDLE = 30


class NameNotNice(FieldRefused):
    """`words` are what nobody is called here."""

    code = "profile.name_not_nice"


def bio_from(raw: str) -> str:
    return text_from(raw, "bio", longest=LONGEST_BIO)


def refuse_bad_name(name: str, language: str = "en") -> None:
    """A name is never masked: it is another one, or none. `language` is its owner's."""
    if has_bad_words(name, language):
        found = [v for v in moderate(name, language).violations if v.kind is not Kind.CAPITALS]
        words = ", ".join(word for violation in found for word in violation.words)
        raise NameNotNice("display_name", words=words or name)


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


def changed_for_others(text: str, language: str = "en") -> Moderated | None:
    """What moderation does to the text; None where others read it as it was written."""
    found = moderate(text, language)
    return found if found.violations else None
