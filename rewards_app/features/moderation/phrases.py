"""Phrases found among words in one pass, however many phrases there are. Pure.

A phrase is written as it is said: `you are (so|very)* {insult}`. Brackets hold choices, braces name
a group of them, `?` makes the part before it optional, `*` lets it stand up to three times, and
`…` is whatever else the sentence says there.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from rewards_app.features.moderation.folding import spellings

_PARTS = re.compile(r"[(|)?*]|[^\s(|)?*]+")
_MOST = 3
_START = 0
WHATEVER = "…"
BOUNDARY = "."
"""Stands before, between and behind sentences; only phrases that name it go beyond one."""
PAUSE = ","
"""How a word reads, too, that a comma follows; what takes a phrase back behind it begins so."""
ADDRESS = "www"
"""How the first word of any address reads, too: `discord.gg`."""

Spell = Callable[[str], list[str]]
"""The words of a phrase's part, as texts are cut into words: `don't` is two."""


Step = tuple[frozenset[str], int]
"""Words, and the state that each of them leads to."""


@dataclass(frozen=True, slots=True)
class Found:
    kind: str
    first: int
    last: int


@dataclass(frozen=True, slots=True)
class Phrase:
    """Found only where no word of `unless_after` stands right before it."""

    kind: str
    said: str
    unless_after: frozenset[str] = frozenset()
    unless_before: "Phrases | None" = None
    """Nor where one of these stands right behind: `I will find you a team`."""


@dataclass(slots=True)
class Phrases:
    """States joined by words; one phrase shares nothing with another but the start."""

    words: set[str] = field(default_factory=set[str])
    begun_by: dict[str, list[int]] = field(default_factory=dict[str, list[int]])
    """The states that a word leads to from the start."""
    _steps: list[list[Step]] = field(default_factory=lambda: [[]])
    _lingering: dict[int, int] = field(default_factory=dict[int, int])
    """Where a state leads whatever is said, up to the end of the sentence."""
    _ends: dict[int, list[Phrase]] = field(default_factory=dict[int, list[Phrase]])

    def add(self, phrase: Phrase, groups: Mapping[str, Sequence[str]], spell: Spell) -> None:
        parts = _PARTS.findall(_with_groups(phrase.said, groups))
        for state in _Reader(parts, self, spell).all({_START}):
            if state != _START:
                self._ends.setdefault(state, []).append(phrase)

    def step(self, states: Iterable[int], words: Iterable[str]) -> set[int]:
        """A state behind `states`, reached by any of `words`."""
        self._steps.append([])
        reached = len(self._steps) - 1
        forms = _forms(tuple(words))
        self.words |= forms
        for state in states:
            if state == _START:
                self._begin(forms, reached)
            else:
                self._steps[state].append((forms, reached))
        return {reached}

    def linger(self, states: set[int]) -> set[int]:
        """`states`, and one that whatever is said leads to from them."""
        self._steps.append([])
        reached = len(self._steps) - 1
        for state in (*states, reached):
            self._lingering.setdefault(state, reached)
        return states | {reached}

    def _begin(self, forms: Iterable[str], reached: int) -> None:
        for form in forms:
            self.begun_by.setdefault(form, []).append(reached)

    def found_in(self, words: Sequence[Sequence[str]]) -> list[Found]:
        """Every phrase among `words`; each word comes with all the ways it reads."""
        found: list[Found] = []
        active: dict[int, int] = {}
        for place, readings in enumerate(words):
            if not active and self.begun_by.keys().isdisjoint(readings):
                continue
            active = self._continued(active, readings) if active else {}
            for reading in readings:
                for state in self.begun_by.get(reading, ()):
                    active.setdefault(state, place)
            for state, first in active.items():
                if ended := self._ends.get(state):
                    found += [
                        Found(phrase.kind, first, place)
                        for phrase in ended
                        if _stands(phrase, words, first, place)
                    ]
        return found

    def begin(self, words: Iterator[Sequence[str]]) -> bool:
        """Whether one of the phrases is what `words` begin with."""
        beginning = next(words, (BOUNDARY,))
        active = {state: 0 for reading in beginning for state in self.begun_by.get(reading, ())}
        while active and self._ends.keys().isdisjoint(active):
            active = self._continued(active, next(words, (BOUNDARY,)))
        return bool(active)

    def _continued(self, active: dict[int, int], readings: Sequence[str]) -> dict[int, int]:
        """The states that `active` ones lead to, each with the place where it began."""
        reached: dict[int, int] = {}
        for reading in readings:
            if reading not in self.words:
                continue
            for state, first in active.items():
                for words, following in self._steps[state]:
                    if reading in words:
                        reached.setdefault(following, first)
        if not self._lingering.keys().isdisjoint(active) and BOUNDARY not in readings:
            for state in active.keys() & self._lingering.keys():
                reached.setdefault(self._lingering[state], active[state])
        return reached


@lru_cache(maxsize=8192)
def _forms(words: tuple[str, ...]) -> frozenset[str]:
    """Kept once, however many phrases choose among the same words."""
    return frozenset(form for word in words for form in spellings(word))


def _stands(phrase: Phrase, words: Sequence[Sequence[str]], first: int, last: int) -> bool:
    before = words[first - 1] if first else ()
    if not phrase.unless_after.isdisjoint(before):
        return False
    return phrase.unless_before is None or not phrase.unless_before.begin(_behind(words, last))


def _behind(words: Sequence[Sequence[str]], last: int) -> Iterator[Sequence[str]]:
    """What follows the word at `last`, each pause a word of its own."""
    for place in range(last, len(words)):
        if place > last:
            yield words[place]
        if PAUSE in words[place]:
            yield (PAUSE,)


def _with_groups(said: str, groups: Mapping[str, Sequence[str]]) -> str:
    while "{" in said:
        said = re.sub(r"\{(\w+)\}", lambda name: f"({'|'.join(groups[name[1]])})", said)
    return said


@dataclass(slots=True)
class _Reader:
    """Reads the parts of one phrase, and writes its states as it goes."""

    parts: list[str]
    phrases: Phrases
    spell: Spell
    at: int = 0

    def all(self, starts: set[int]) -> set[int]:
        """A choice of sequences, up to a closing bracket or the end."""
        one_word: set[str] = set()
        ends: set[int] = set()
        while True:
            if word := self._lone_word():
                one_word.add(word)
            else:
                ends |= self._sequence(starts)
            if self._next() != "|":
                break
            self.at += 1
        return ends | (self.phrases.step(starts, sorted(one_word)) if one_word else set())

    def _lone_word(self) -> str | None:
        """A choice that is a single word: those of one bracket share a state."""
        if self._next() in (None, "(") or self._next(1) not in ("|", ")", None):
            return None
        words = self.spell(self.parts[self.at])
        if len(words) != 1:
            return None
        self.at += 1
        return words[0]

    def _sequence(self, starts: set[int]) -> set[int]:
        while self._next() not in (None, "|", ")"):
            begin = self.at
            ends = self._element(starts)
            if self._next() == "?":
                self.at += 1
                ends |= starts
            elif self._next() == "*":
                ends |= starts | self._repeated(begin, ends)
            starts = ends
        return starts

    def _repeated(self, begin: int, ends: set[int]) -> set[int]:
        behind, more = self.at + 1, set(ends)
        for _ in range(_MOST - 1):
            self.at = begin
            ends = self._element(ends)
            more |= ends
        self.at = behind
        return more

    def _element(self, starts: set[int]) -> set[int]:
        if self._next() == WHATEVER:
            self.at += 1
            return self.phrases.linger(starts)
        if self._next() == "(":
            self.at += 1
            ends = self.all(starts)
            self.at += 1
            return ends
        for word in self.spell(self.parts[self.at]):
            starts = self.phrases.step(starts, [word])
        self.at += 1
        return starts

    def _next(self, ahead: int = 0) -> str | None:
        place = self.at + ahead
        return self.parts[place] if place < len(self.parts) else None
