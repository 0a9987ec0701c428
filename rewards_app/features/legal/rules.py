"""The terms and the privacy policy: their sections, their editions, who has to be told. Pure.

docs/legal.md says how a new edition is made.
"""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import date
from enum import StrEnum


class Document(StrEnum):
    TERMS = "terms"
    PRIVACY = "privacy"


SECTIONS = {
    Document.TERMS: (
        *("acceptance", "eligibility", "services", "conduct", "coins"),
        *("content", "privacy", "limitations", "termination", "changes"),
    ),
    Document.PRIVACY: (
        *("overview", "collection", "usage", "sharing", "security"),
        *("retention", "rights", "cookies", "children", "contact"),
    ),
}
"""In their order. Their words are `legal.<document>.<section>` and the same with `_text`."""


@dataclass(frozen=True, slots=True)
class Edition:
    """`changed` names what is different, in words of every catalogue."""

    document: Document
    number: int
    since: date
    changed: str


EDITIONS = (
    Edition(Document.TERMS, 1, date(2026, 11, 22), "editions.terms_1"),
    Edition(Document.PRIVACY, 1, date(2026, 11, 22), "editions.privacy_1"),
    Edition(Document.PRIVACY, 2, date(2026, 11, 27), "editions.privacy_2"),
)
"""Every edition there was; a new one is a row at the end."""


def newest(document: Document) -> Edition:
    return max((one for one in EDITIONS if one.document is document), key=lambda one: one.number)


def untold(read: Collection[tuple[str, int]]) -> list[Edition]:
    """The newest editions that somebody who knows `read` was not told of yet."""
    current = (newest(document) for document in Document)
    return [one for one in current if (one.document.value, one.number) not in read]
