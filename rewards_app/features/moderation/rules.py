"""What moderation finds in a text, and what others see of it. Pure."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import pairwise

from rewards_app.features.moderation.folding import Folded, folded, is_shown
from rewards_app.features.moderation.lexicon import ALLOWED, Lexicon, lexicon
from rewards_app.features.moderation.phrases import ADDRESS, BOUNDARY, PAUSE, Found
from rewards_app.features.moderation.reading import Word, words_of

EDITION = 6
"""Grows with every change of rules or words: what an older one let through is looked at again."""

MOST_QUIET_LETTERS, MOST_CAPITALS = 20, 0.7
_STOPS = (".", ",", ";", ":", "\n", " –", " —")
_HUMP = re.compile(r"(?<=[a-zà-ÿа-яё])(?=[A-ZÀ-ÞА-ЯЁ])|(?<=[A-Z])(?=[A-Z][a-z])|_|\d+")


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


def moderate(text: str, language: str = "en") -> Moderated:
    """What others see of `text`, in whichever of the languages it is written.

    `language` is the writer's: it decides about a text too short to tell its own.
    """
    plain, known = folded(text), lexicon()
    words = words_of(plain.text, known, language if language in known.letters else "en")
    phrases = known.phrases.found_in(list(_as_said(words, plain.text)))
    kinds = {one.kind for one in (*phrases, *_said_word_by_word(words, known))}
    bad = _bad_words(words, known, _allowed(words, phrases))
    spans = [_span(word, plain, len(text)) for word in bad]
    violations = tuple(_violations(text, spans, kinds))
    removed = any(violation.kind in REMOVES for violation in violations)
    return Moderated("" if removed else _masked(text, spans), violations)


def has_bad_words(text: str, language: str = "en") -> bool:
    """Whether a name or a title cannot stay, also when it is written `likeThis_99`."""
    apart = _HUMP.sub(" ", text)
    return any(
        violation.kind is not Kind.CAPITALS
        for way in (text, apart)
        for violation in moderate(way, language).violations
    )


def _as_said(words: Iterable[Word], text: str) -> Iterable[Sequence[str]]:
    """How each word reads, with what stands between sentences."""
    yield (BOUNDARY,)
    for word in words:
        if text.startswith(_STOPS, word.end):
            yield (*word.readings, *_heard_behind(text[word.end : word.end + 2]))
        else:
            yield word.readings
        if word.ends_sentence:
            yield (BOUNDARY,)


def _heard_behind(signs: str) -> Iterable[str]:
    if signs[0] != ".":
        yield PAUSE
    elif signs[1:].isalpha():
        yield ADDRESS


def _said_word_by_word(words: Sequence[Word], known: Lexicon) -> list[Found]:
    """Phrases whose every word is made a sentence: `Shut. Up.`"""
    pairs = pairwise(words)
    if not any(one.ends_sentence and other.ends_sentence for one, other in pairs):
        return []
    return known.phrases.found_in(list(_in_one_breath(words)))


def _in_one_breath(words: Sequence[Word]) -> Iterable[Sequence[str]]:
    """How each word reads; what is one word by itself is no sentence of its own."""
    ends = [True, *(word.ends_sentence for word in words), True]
    for word, before, here, behind in zip(words, ends, ends[1:], ends[2:], strict=False):
        yield word.readings
        if here and not before and not behind:
            yield (BOUNDARY,)


def _allowed(words: Sequence[Word], phrases: Iterable[Found]) -> set[int]:
    """Which words stand in a phrase that takes the offence from them."""
    inside = {
        place
        for found in phrases
        if found.kind == ALLOWED
        for place in range(found.first, found.last + 1)
    }
    return set(_without_boundaries(words, inside)) if inside else inside


def _without_boundaries(words: Sequence[Word], places: set[int]) -> Iterable[int]:
    place = 1
    for number, word in enumerate(words):
        if place in places:
            yield number
        place += 2 if word.ends_sentence else 1


def _bad_words(words: Sequence[Word], known: Lexicon, allowed: set[int]) -> list[Word]:
    return [
        word
        for number, word in enumerate(words)
        if number not in allowed
        and any(known.is_bad(reading, word.language) for reading in word.readings)
    ]


def _span(word: Word, plain: Folded, length: int) -> tuple[int, int]:
    """Where a word stands in the original, with the marks behind its last letter."""
    end = plain.at[word.end] if word.end < len(plain.at) else length
    return plain.at[word.start], max(end, plain.at[word.end - 1] + 1)


def _violations(
    text: str, spans: Iterable[tuple[int, int]], kinds: set[str]
) -> Iterable[Violation]:
    if words := tuple(dict.fromkeys(_clean(text[start:end]) for start, end in spans)):
        yield Violation(Kind.LANGUAGE, words)
    for kind in (Kind.BULLYING, Kind.SCAM, Kind.SELF_HARM):
        if kind in kinds:
            yield Violation(kind)
    if _is_shouted(text):
        yield Violation(Kind.CAPITALS)


def _is_shouted(text: str) -> bool:
    letters = sum(map(str.isalpha, text))
    return letters > MOST_QUIET_LETTERS and sum(map(str.isupper, text)) > MOST_CAPITALS * letters


def _masked(text: str, spans: Iterable[tuple[int, int]]) -> str:
    """With one asterisk for each letter of the words at `spans`."""
    parts: list[str] = []
    behind = 0
    for start, end in spans:
        parts += [text[behind:start], "".join(map(_hidden, text[start:end]))]
        behind = end
    return "".join([*parts, text[behind:]])


def _hidden(character: str) -> str:
    if character.isspace() or character in ".,-_'":
        return character
    return "*" if is_shown(character) else ""


def _clean(written: str) -> str:
    return "".join(filter(is_shown, written)).strip()
