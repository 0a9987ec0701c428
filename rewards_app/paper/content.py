"""What stands on a receipt or an invoice, in the order in which it is read."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum


class Tone(StrEnum):
    """What a line's colour says."""

    TEXT = "text"
    QUIET = "quiet"
    SAVED = "good"


@dataclass(frozen=True, slots=True)
class Fact:
    label: str
    value: str
    more: str = ""


@dataclass(frozen=True, slots=True)
class Mark:
    """What nobody may overlook, and what it means."""

    name: str
    meaning: str


@dataclass(frozen=True, slots=True)
class Row:
    label: str
    amount: str
    more: str = ""
    tone: Tone = Tone.TEXT


@dataclass(frozen=True, slots=True)
class Paper:
    """One A4 page."""

    language: str
    made_at: datetime
    subject: str
    title: str
    seller: str
    facts: Sequence[Fact]
    head: tuple[str, str]
    rows: Sequence[Row]
    total: Row
    foot: str
    marks: Sequence[Mark] = field(default_factory=list[Mark])
    after: Sequence[Row] = field(default_factory=list[Row])
