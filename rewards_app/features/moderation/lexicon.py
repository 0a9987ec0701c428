"""The lists of all languages as one: `words/<language>.toml`. Pure.

A line `idiot/,s,ic` lists `idiot`, `idiots` and `idiotic`; `/@adj` takes the endings that the file
names so; `fuck*` is whatever begins like that.
"""

import re
import tomllib
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

from rewards_app.features.moderation.folding import folded, spellings
from rewards_app.features.moderation.phrases import BOUNDARY, PAUSE, Phrase, Phrases

FOLDER = Path(__file__).with_name("words")
ALLOWED = "allowed"
"""The kind of phrases whose words are no offence there: `avoir hâte`."""
PHRASES = ("bullying", "scam", "self_harm", ALLOWED)
GAMES = (
    *("fortnite", "roblox", "minecraft", "call of duty", "cod", "warzone", "apex", "valorant"),
    *("league of legends", "overwatch", "genshin impact", "ea sports fc", "fifa", "mario"),
    *("tekken", "rocket league", "pubg", "gta"),
)
"""Called alike in all languages: `{title}`."""

_REPEATED = re.compile(r"(.)\1+")
_RUNS = re.compile(r"(.)\1*")
_SHORTEST, _LONGEST = 3, 12
"""Letters of a beginning."""
_UMLAUTS = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue"})
_WORD = re.compile(r"[^\W_]+")

Languages = frozenset[str]
Lists = Mapping[str, Any]
Groups = Mapping[str, Sequence[str]]


@dataclass(slots=True)
class Lexicon:
    masked: dict[str, set[str]] = field(default_factory=lambda: defaultdict[str, set[str]](set))
    """Words that are no way to talk, and the languages that list them."""
    at_home: dict[str, set[str]] = field(default_factory=lambda: defaultdict[str, set[str]](set))
    """Likewise, but only in texts of those languages: elsewhere they are other words."""
    beginnings: dict[str, set[str]] = field(default_factory=lambda: defaultdict[str, set[str]](set))
    begun: set[str] = field(default_factory=set[str])
    """The first letters of those."""
    innocent: dict[str, set[str]] = field(default_factory=lambda: defaultdict[str, set[str]](set))
    """Words of a language that others list: `slut` is the end in Swedish."""
    told_by: dict[str, set[str]] = field(default_factory=lambda: defaultdict[str, set[str]](set))
    """The small words that tell which languages a text may be in."""
    letters: dict[str, str] = field(default_factory=dict[str, str])
    """Those of each language beyond the plain ones: there a mark is part of the letter."""
    phrases: Phrases = field(default_factory=Phrases)
    harmless: set[str] = field(default_factory=set[str])
    by_shape: dict[str, list[str]] = field(
        default_factory=lambda: defaultdict[str, list[str]](list)
    )
    by_outline: dict[tuple[int, str, str], list[str]] = field(
        default_factory=lambda: defaultdict[tuple[int, str, str], list[str]](list)
    )

    def knows(self, word: str) -> bool:
        return (
            word in self.masked
            or word in self.at_home
            or word in self.phrases.words
            or word in self.harmless
            or self._beginning(word) is not None
        )

    def is_listed(self, word: str) -> bool:
        return word in self.masked or word in self.at_home

    def is_bad(self, word: str, language: str) -> bool:
        if language in self.masked.get(word, ()) or language in self.at_home.get(word, ()):
            return True
        if word in self.innocent[language]:
            return False
        return word in self.masked or self._beginning(word) is not None

    def stretched(self, word: str) -> list[str]:
        """Listed words that `word` is when some of its letters are held: `stuuupid`."""
        shape = shape_of(word)
        return [known for known in self.by_shape.get(shape, ()) if _is_held(known, word)]

    def starred(self, word: str) -> list[str]:
        """Listed words that `word` is when its stars are letters: `st*pid`."""
        known = self.by_outline.get((len(word), word[0], word[-1]), ())
        return [
            one for one in known if all(a == b or a in "*#" for a, b in zip(word, one, strict=True))
        ]

    def _beginning(self, word: str) -> str | None:
        if word[:_SHORTEST] not in self.begun:
            return None
        lengths = range(_SHORTEST, _LONGEST + 1)
        return next((word[:n] for n in lengths if word[:n] in self.beginnings), None)


def shape_of(word: str) -> str:
    return _REPEATED.sub(r"\1", word)


def _is_held(known: str, word: str) -> bool:
    """Twice a letter is a slip or another word in short ones; three times is none."""
    runs = [len(run[0]) for run in _RUNS.finditer(word)]
    of_known = [len(run[0]) for run in _RUNS.finditer(known)]
    return (len(known) >= 5 or max(runs) > 2) and all(
        held >= needed for held, needed in zip(runs, of_known, strict=True)
    )


@cache
def lexicon() -> Lexicon:
    read = Lexicon()
    for file in sorted(FOLDER.glob("*.toml")):
        _add(read, file.stem, tomllib.loads(file.read_text("utf-8")))
    for word in (*read.masked, *read.at_home, *read.phrases.words):
        read.by_shape[shape_of(word)].append(word)
    for word in (*read.masked, *read.at_home):
        read.by_outline[len(word), word[0], word[-1]].append(word)
    return read


def _add(read: Lexicon, language: str, lists: Lists) -> None:
    read.letters[language] = lists["letters"]
    read.innocent[language].update(_spelled(lists, "innocent", language))
    read.harmless |= read.innocent[language]
    for word in lists["function_words"]:
        read.told_by[word].add(language)
    _add_words(read, language, lists)
    _add_phrases(read, language, lists)


def _add_words(read: Lexicon, language: str, lists: Lists) -> None:
    for name in ("mild", "insults", "profanity"):
        for word in _spelled(lists, name, language):
            if word.endswith("*"):
                read.beginnings[word[:-1]].add(language)
                read.begun.add(word[:_SHORTEST])
            if word not in read.innocent[language]:
                read.masked[word.rstrip("*")].add(language)
    for word in _spelled(lists, "at_home", language):
        read.at_home[word].add(language)


def _add_phrases(read: Lexicon, language: str, lists: Lists) -> None:
    groups = {
        **{name: _expanded(entries, lists) for name, entries in lists["groups"].items()},
        "insult": [
            word
            for name in ("insults", "directed")
            for word in _spelled(lists, name, language)
            if not word.endswith("*")
        ],
        "mild": _spelled(lists, "mild", language),
        "title": GAMES,
    }
    for kind in PHRASES:
        for entry in lists.get(kind, ()):
            read.phrases.add(_phrase(kind, entry, groups), groups, words_of_phrase)


def _phrase(kind: str, entry: str | Mapping[str, Any], groups: Groups) -> Phrase:
    if isinstance(entry, str):
        return Phrase(kind, entry)
    after, before = frozenset[str](entry.get("unless_after", ())), entry.get("unless_before")
    return Phrase(kind, entry["said"], after, _behind(before, groups) if before else None)


def _behind(said: Iterable[str], groups: Groups) -> Phrases:
    behind = Phrases()
    for one in said:
        behind.add(Phrase(ALLOWED, one), groups, words_of_phrase)
    return behind


@lru_cache(maxsize=16384)
def words_of_phrase(part: str) -> list[str]:
    return [part] if part in (BOUNDARY, PAUSE) else _WORD.findall(folded(part).text)


def _spelled(lists: Lists, name: str, language: str) -> list[str]:
    """Every form, also as people write it who leave out the marks."""
    words = (folded(word).text for word in _expanded(lists.get(name, ()), lists))
    return list(dict.fromkeys(form for word in words for form in _forms(word, language)))


def _forms(word: str, language: str) -> list[str]:
    return [*spellings(word), *([word.translate(_UMLAUTS)] if language == "de" else [])]


def _expanded(entries: Iterable[str], lists: Lists) -> list[str]:
    endings: Mapping[str, str] = lists.get("endings", {})
    words: list[str] = []
    for entry in entries:
        stem, _, ends = entry.partition("/")
        ends = endings[ends[1:]] if ends.startswith("@") else ends
        words += [stem + end for end in ends.split(",")]
    return words
