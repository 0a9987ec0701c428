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
    Edition(Document.PRIVACY, 3, date(2026, 11, 28), "editions.privacy_3"),
    Edition(Document.PRIVACY, 4, date(2026, 11, 29), "editions.privacy_4"),
)
"""Every edition there was; a new one is a row at the end."""


def newest(document: Document) -> Edition:
    return max((one for one in EDITIONS if one.document is document), key=lambda one: one.number)


def untold(read: Collection[tuple[str, int]]) -> list[Edition]:
    """What somebody who knows `read` was not told of yet: each edition since, in their order.

    Whoever knows none of a document is told of the newest alone.
    """
    return [one for document in Document for one in _since(document, read)]


def _since(document: Document, read: Collection[tuple[str, int]]) -> list[Edition]:
    known = [number for name, number in read if name == document.value]
    last = max(known, default=newest(document).number - 1)
    return [one for one in EDITIONS if one.document is document and one.number > last]


def earlier(document: Document) -> list[Edition]:
    """Those before the newest, the last of them first."""
    last = newest(document)
    return [one for one in reversed(EDITIONS) if one.document is document and one is not last]
