"""What a look at a deployment finds. Pure."""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum


class Kind(StrEnum):
    FINE = "fine"
    WORTH_KNOWING = "note"
    WRONG = "WRONG"


@dataclass(frozen=True, slots=True)
class Finding:
    kind: Kind
    what: str
    """What is so, and what to do about it, on one line; never a secret."""

    def __str__(self) -> str:
        return f"{self.kind.value:<7}{self.what}"


def fine(what: str) -> Finding:
    return Finding(Kind.FINE, what)


def worth_knowing(what: str) -> Finding:
    return Finding(Kind.WORTH_KNOWING, what)


def wrong(what: str) -> Finding:
    return Finding(Kind.WRONG, what)


def is_anything_wrong(findings: Iterable[Finding]) -> bool:
    return any(finding.kind is Kind.WRONG for finding in findings)


def summary(findings: Iterable[Finding]) -> str:
    kinds = [finding.kind for finding in findings]
    return (
        f"{kinds.count(Kind.WRONG)} wrong, {kinds.count(Kind.WORTH_KNOWING)} worth knowing,"
        f" {kinds.count(Kind.FINE)} fine."
    )
