"""What moderation finds in a text, and what others see of it. Pure."""

import re
from dataclasses import dataclass
from enum import StrEnum

EDITION = 1
"""Grows with every change of rules or words: what an older one let through is looked at again."""


class Kind(StrEnum):
    """What was found; each has its words in every catalogue, under `moderation.violations.`."""

    LANGUAGE = "language"
    BULLYING = "bullying"
    SCAM = "scam"
    CAPITALS = "capitals"
    SELF_HARM = "self_harm"


REMOVES = frozenset({Kind.BULLYING, Kind.SCAM})
"""Nothing of the text is shown."""


@dataclass(frozen=True, slots=True)
class Violation:
    kind: Kind
    words: tuple[str, ...] = ()
    """Those that were masked, as they were written."""


@dataclass(frozen=True, slots=True)
class Moderated:
    shown: str
    """What others see; empty where the text is removed as a whole."""
    violations: tuple[Violation, ...] = ()

    @property
    def removed_for(self) -> Kind | None:
        return next((v.kind for v in self.violations if v.kind in REMOVES), None)

    @property
    def needs_person(self) -> bool:
        """Somebody looks at it before anybody else sees it."""
        return any(v.kind is Kind.SELF_HARM for v in self.violations)


MILD = ("hate", "stupid", "idiot", "loser", "noob", "trash", "garbage", "suck", "awful", "terrible")


def moderate(text: str) -> Moderated:
    """What others see of `text`, in whichever of the languages it is written."""
    found = tuple(dict.fromkeys(w for w in re.findall(r"\w+", text.lower()) if w in MILD))
    shown = re.sub(r"\w+", lambda w: "*" * len(w[0]) if w[0].lower() in MILD else w[0], text)
    return Moderated(shown, (Violation(Kind.LANGUAGE, found),) if found else ())
