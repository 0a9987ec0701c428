"""What a profile may say, and how it reads to others. Pure."""

from dataclasses import dataclass

from rewards_app.core.errors import FieldRefused
from rewards_app.features.advertiser.fields import text_from
from rewards_app.features.moderation.rules import Kind, Moderated, moderate

LONGEST_BIO = 300
LONGEST_HANDLE = 30


class NameNotNice(FieldRefused):
    """`words` are what nobody is called here."""

    code = "profile.name_not_nice"


def bio_from(raw: str) -> str:
    return text_from(raw, "bio", longest=LONGEST_BIO)


def refuse_bad_name(name: str) -> None:
    """A name is never masked: it is another one, or none."""
    found = [v for v in moderate(name).violations if v.kind is not Kind.CAPITALS]
    if found:
        words = ", ".join(word for violation in found for word in violation.words)
        raise NameNotNice("display_name", words=words or name)


@dataclass(frozen=True, slots=True)
class Shown:
    """A text as others read it: `text`, or why it was removed as a whole."""

    text: str = ""
    removed: str = ""
    """`bullying` or `scam`: the key of the words that stand in its place."""


def shown_to_others(text: str) -> Shown:
    """What needs a person's eyes first is not shown until then."""
    found = moderate(text)
    if found.needs_person:
        return Shown()
    removed = found.removed_for
    return Shown(removed=removed.value) if removed else Shown(found.shown)


def changed_for_others(text: str) -> Moderated | None:
    """What moderation does to the text; None where others read it as it was written."""
    found = moderate(text)
    return found if found.violations else None
