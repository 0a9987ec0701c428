"""What moderation makes of a topic or a reply: what others see, and what was found. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from rewards_app.features.forum.desk_rules import LIFTED
from rewards_app.features.moderation.rules import EDITION, REMOVES, Moderated, moderate

Violations: TypeAlias = list[dict[str, Any]]
TITLE, CONTENT = "title", "content"
REMOVING = frozenset(kind.value for kind in REMOVES)


@dataclass(frozen=True, slots=True)
class Judged:
    """What others see; `violations` as they are kept with it."""

    shown_title: str
    shown_content: str
    violations: Violations
    needs_person: bool

    def leaves(self, title: str, content: str) -> bool:
        """Whether others see it as it was written."""
        return (self.shown_title, self.shown_content) == (title, content)

    @property
    def removed(self) -> str:
        return removed_for(self.violations, CONTENT)

    @property
    def removed_title(self) -> str:
        return removed_for(self.violations, TITLE)


def judge(title: str, content: str, language: str) -> Judged:
    of_title, of_content = moderate(title, language), moderate(content, language)
    return Judged(
        of_title.shown,
        of_content.shown,
        [*_kept(of_title, TITLE), *_kept(of_content, CONTENT)],
        of_title.needs_person or of_content.needs_person,
    )


def _kept(moderated: Moderated, field: str) -> Violations:
    return [
        {"kind": violation.kind.value, "words": list(violation.words), "field": field}
        for violation in moderated.violations
    ]


def removed_for(violations: Sequence[dict[str, Any]], field: str) -> str:
    """The kind for which a field was removed as a whole; empty where it is shown."""
    removing = (v["kind"] for v in violations if v["field"] == field and v["kind"] in REMOVING)
    return next(removing, "")


def is_outdated(edition: int) -> bool:
    """Whether later rules look again; what a person has shown as written stays so."""
    return edition < EDITION and edition < LIFTED
