"""The words of a text however they are disguised, and the language of each sentence. Pure.

Everything here takes time in proportion to the text: a word is read in a few ways at most, and
letters that stand apart are joined within a bounded reach.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from rewards_app.features.moderation.folding import (
    in_one_alphabet,
    spellings,
    without_marks,
)
from rewards_app.features.moderation.lexicon import Lexicon

_RUN = re.compile(r"(?:[^\W_]|[@$!|*#€])+")
_PLAIN = re.compile(r"[^\W_]+")
_SYMBOL = re.compile(r"[@$!|*#€]")
_NO_LETTER = re.compile(r"[\d@$!|€]")
_DOUBLED = re.compile(r"(.)\1")
_STARRED = re.compile(r"[*#]")
_SENTENCE_ENDS = re.compile(r"[!?…]|\.\s|\n\s*\n")
_LEET = str.maketrans("034578@$€9", "oeastbaseg")
_STROKES = (str.maketrans("1!|", "iii"), str.maketrans("1!|", "lll"))
_DIGITS = "0123456789"

_ONLY_CYRILLIC = frozenset("бгджзийлфцчшщъыьэюя")
"""Letters that look like no Latin one."""
_GLUE = frozenset(".-_'*~/+,:;")
_BETWEEN_LETTERS = _GLUE | {" ", "\u00a0"}
_LONGEST = 30
"""Letters of what is tried as one word."""
_FEWEST_APART, _FEWEST_GLUED, _WIDEST_GAP = 3, 5, 3
_ALONE = 2
"""What a letter that joins no word counts, where a word counts one."""
_LONE_CONSONANTS = frozenset("bcdfghjklmnpqrstvx")
"""Those that are no word of their own: `f uck` is one."""


@dataclass(frozen=True, slots=True)
class Word:
    start: int
    end: int
    readings: tuple[str, ...]
    """As it was written, and what that may stand for."""
    language: str
    ends_sentence: bool = False


Run = tuple[int, int, bool]
"""Where a word stands, and whether its sentence ends with it."""
Holds = Callable[[Word, Word, str], bool]


def words_of(text: str, known: Lexicon, writers: str) -> list[Word]:
    """The words of a folded text; `writers` is the language of a text too short to tell its own."""
    runs = list(_runs(text))
    sentences = [(one, _told_language(one, text, known)) for one in _sentences(runs)]
    whole = writers
    if not all(told for _, told in sentences):
        whole = _told_language(runs, text, known) or writers
    words: list[Word] = []
    for sentence, told in sentences:
        words += _read(sentence, text, known, told or whole)
    return list(_joined(words, text, known))


def _runs(text: str) -> Iterator[Run]:
    start = end = -1
    for run in _RUN.finditer(text):
        word = run[0].rstrip("!|*#€")
        first = run.start() + len(word) - len(word := word.lstrip("*#|€"))
        if not word:
            continue
        if end >= 0:
            yield start, end, _SENTENCE_ENDS.search(text, end, first) is not None
        start, end = first, first + len(word)
    if end >= 0:
        yield start, end, True


def _sentences(runs: Iterable[Run]) -> Iterator[list[Run]]:
    sentence: list[Run] = []
    for run in runs:
        sentence.append(run)
        if run[2]:
            yield sentence
            sentence = []


def _told_language(runs: Iterable[Run], text: str, known: Lexicon) -> str | None:
    """What the small words tell, where they agree."""
    votes = Counter[str]()
    for start, end, _ in runs:
        word = text[start:end]
        if len(word) > 1 and (languages := known.told_by.get(word)):
            for language in languages:
                votes[language] += 12 // len(languages)
        elif not _ONLY_CYRILLIC.isdisjoint(word):
            votes["ru"] += 12
    (first, most), (_, next_most) = (*votes.most_common(2), ("", 0), ("", 0))[:2]
    return first if most >= 12 and most > next_most else None


def _read(sentence: Sequence[Run], text: str, known: Lexicon, language: str) -> Iterator[Word]:
    for start, end, is_last in sentence:
        pieces = list(_pieces(text, start, end, known, language))
        yield from pieces[:-1]
        yield replace(pieces[-1], ends_sentence=is_last) if is_last else pieces[-1]


def _pieces(text: str, start: int, end: int, known: Lexicon, language: str) -> Iterator[Word]:
    """One word where symbols are its letters, several where they stand between them."""
    written = text[start:end]
    if not _SYMBOL.search(written):
        yield Word(start, end, _readings(written, known, language), language)
        return
    readings = _readings(written, known, language)
    pieces = [] if len(readings) > 1 else list(_PLAIN.finditer(written))
    if not pieces:
        yield Word(start, end, readings, language)
    for piece in pieces:
        readings = _readings(piece[0], known, language)
        yield Word(start + piece.start(), start + piece.end(), readings, language)


def _readings(word: str, known: Lexicon, language: str) -> tuple[str, ...]:
    if known.knows(word) or len(word) == 1 or word.isdigit():
        return (word,)
    if len(word) == 2 and not word[0].isalpha():
        return (word,)
    found: dict[str, None] = {word: None}
    for way in _ways(word, known.letters[language]):
        if known.knows(way):
            found[way] = None
        if len(way) > 2 and _STARRED.search(way):
            found.update(dict.fromkeys(known.starred(way)))
        elif _DOUBLED.search(way):
            found.update(dict.fromkeys(known.stretched(way)))
    return tuple(found)


def _ways(word: str, alphabet: str) -> Iterator[str]:
    """As it stands, in one alphabet, without strange marks, with letters for digits and symbols."""
    plain = [word]
    if not word.isascii() and not all(letter in alphabet for letter in word):
        plain += [without_marks(word, alphabet), *in_one_alphabet(word)]
        plain += in_one_alphabet(without_marks(word))
    yield from plain
    if _NO_LETTER.search(word) and not _is_number(word):
        yield word.strip(_DIGITS)
        for way in plain:
            for strokes in _STROKES:
                spelled = way.translate(_LEET).translate(strokes)
                yield from dict.fromkeys(spellings(spelled))


def _is_number(word: str) -> bool:
    """As much as one letter makes of digits: `E847`, but not `a55`."""
    return len(word) > 3 and sum(map(str.isalpha, word)) < 2


def _joined(words: Sequence[Word], text: str, known: Lexicon) -> Iterator[Word]:
    """Letters and parts that stand apart, as the words they make."""
    at = 0
    while at < len(words):
        if _is_plain(words, text, at):
            yield words[at]
            at += 1
            continue
        apart = _reach(words, text, at, _is_apart)
        if apart - at >= _FEWEST_APART:
            yield from _spelled_out(words[at:apart], known)
            at = apart
            continue
        glued = max(_reach(words, text, at, _is_glued), at + 1)
        whole = _as_one(words[at:glued], known)
        if whole is None and _is_torn(words, text, at):
            whole = _torn_word(words[at : at + 2], known)
            glued = at + 2 if whole else at + 1
        yield from (whole,) if whole else words[at:glued]
        at = glued


def _is_plain(words: Sequence[Word], text: str, at: int) -> bool:
    """Nothing is joined to it: it is no lone letter, before none, and glued to nothing."""
    word = words[at]
    if word.end - word.start == 1 or text[word.end : word.end + 1] in _GLUE:
        return False
    return at + 1 == len(words) or words[at + 1].end - words[at + 1].start > 1


def _reach(words: Sequence[Word], text: str, at: int, holds: Holds) -> int:
    """How far from `at` each word holds to the one before it."""
    behind = at + 1
    while behind < len(words) and holds(words[behind - 1], words[behind], text):
        behind += 1
    return behind


def _is_apart(one: Word, other: Word, text: str) -> bool:
    lone = one.end - one.start == 1 and other.end - other.start == 1
    gap = text[one.end : other.start]
    return lone and len(gap) <= _WIDEST_GAP and _BETWEEN_LETTERS.issuperset(gap)


def _is_glued(one: Word, other: Word, text: str) -> bool:
    return other.start - one.end == 1 and text[one.end] in _GLUE


def _is_torn(words: Sequence[Word], text: str, at: int) -> bool:
    """A lone letter that is no word, and the rest of one."""
    if at + 1 >= len(words) or text[words[at].end : words[at + 1].start] != " ":
        return False
    one, other = words[at].readings[0], words[at + 1].readings[0]
    return one in _LONE_CONSONANTS or other in _LONE_CONSONANTS


def _torn_word(words: Sequence[Word], known: Lexicon) -> Word | None:
    together = "".join(word.readings[0] for word in words)
    return _spanning(words, (together,)) if known.is_listed(together) else None


def _as_one(words: Sequence[Word], known: Lexicon) -> Word | None:
    if len(words) < 2 or words[-1].end - words[0].start > 2 * _LONGEST:
        return None
    together = "".join(word.readings[0] for word in words)
    if len(together) < _FEWEST_GLUED or any(word.readings[0].isdigit() for word in words):
        return None
    language = words[0].language
    readings = tuple(one for one in _readings(together, known, language) if known.is_listed(one))
    return _spanning(words, (together, *readings)) if readings else None


def _spanning(words: Sequence[Word], readings: tuple[str, ...]) -> Word:
    first, last = words[0], words[-1]
    return Word(first.start, last.end, readings, first.language, last.ends_sentence)


def _spelled_out(words: Sequence[Word], known: Lexicon) -> Iterable[Word]:
    """The longest known words that lone letters make, in the first way that makes any."""
    letters = "".join(word.readings[0] for word in words)
    for way in (letters, *in_one_alphabet(letters)):
        made = list(_made_of(words, way.translate(_LEET).translate(_STROKES[0]), known))
        if len(made) < len(words):
            return made
    return words


def _made_of(words: Sequence[Word], letters: str, known: Lexicon) -> Iterator[Word]:
    at = 0
    for length in _lengths(letters, known):
        one = words[at : at + length]
        yield one[0] if length == 1 else _spanning(one, (letters[at : at + length],))
        at += length


def _lengths(letters: str, known: Lexicon) -> Iterator[int]:
    """Of the words that use up all letters, with as few left alone as can be."""
    cost, best = [0] * (len(letters) + 1), [1] * len(letters)
    for at in range(len(letters) - 1, -1, -1):
        cost[at] = cost[at + 1] + _ALONE
        for length in range(2, min(len(letters) - at, _LONGEST) + 1):
            if cost[at + length] + 1 < cost[at] and known.knows(letters[at : at + length]):
                cost[at], best[at] = cost[at + length] + 1, length
    at = 0
    while at < len(letters):
        yield best[at]
        at += best[at]
