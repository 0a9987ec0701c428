"""Labelled sentences of all languages, and how well moderation agrees with their labels.

The lists were looked through with `<language>.toml`. Those of `<language>_held_out.toml` were
written apart from the lists, and what those had wrong of them at first was mended, too: neither
says how well texts of strangers are judged.
"""

import tomllib
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from rewards_app.features.moderation.rules import Kind, moderate

FOLDER = Path(__file__).with_name("labelled")
CLEAN = "clean"
HELD_OUT = "_held_out"
SAID_ALONG = frozenset({Kind.BULLYING, Kind.SCAM, Kind.SELF_HARM})
"""Whoever bullies often swears, too: then the language is found rightly as well."""


@dataclass(frozen=True, slots=True)
class Sentence:
    text: str
    language: str
    label: Kind | None

    @property
    def found(self) -> set[Kind]:
        kinds = {violation.kind for violation in moderate(self.text, self.language).violations}
        return kinds - {Kind.LANGUAGE} if self.label in SAID_ALONG else kinds


@dataclass(slots=True)
class Agreement:
    """How often a kind was found rightly, wrongly, and not at all."""

    right: Counter[Kind] = field(default_factory=Counter[Kind])
    wrong: Counter[Kind] = field(default_factory=Counter[Kind])
    missed: Counter[Kind] = field(default_factory=Counter[Kind])
    disagreements: list[Sentence] = field(default_factory=list[Sentence])

    def precision(self, *kinds: Kind) -> float:
        return _share(self.right, self.wrong, kinds)

    def recall(self, *kinds: Kind) -> float:
        return _share(self.right, self.missed, kinds)


def _share(right: Counter[Kind], other: Counter[Kind], kinds: Iterable[Kind]) -> float:
    kinds = tuple(kinds) or tuple(Kind)
    agreed = sum(right[kind] for kind in kinds)
    return agreed / max(1, agreed + sum(other[kind] for kind in kinds))


def sentences(language: str, *, held_out: bool) -> Iterator[Sentence]:
    file = FOLDER / f"{language}{HELD_OUT if held_out else ''}.toml"
    for label, texts in tomllib.loads(file.read_text("utf-8")).items():
        kind = None if label == CLEAN else Kind(label)
        yield from (Sentence(text, language, kind) for text in texts)


def agreement_on(labelled: Iterable[Sentence]) -> Agreement:
    agreement = Agreement()
    for sentence in labelled:
        found, right = sentence.found, {sentence.label} if sentence.label else set[Kind]()
        agreement.right.update(found & right)
        agreement.wrong.update(found - right)
        agreement.missed.update(right - found)
        if found != right:
            agreement.disagreements.append(sentence)
    return agreement
