"""How well moderation agrees with people, by language and by kind; and what it takes of a post."""

import time
from collections.abc import Iterable, Iterator
from itertools import chain
from statistics import median

from bench.report import Row
from bench.sites import Sites
from rewards_app.features.moderation.rules import Kind, moderate
from rewards_app.i18n.languages import CODES
from tests.features.moderation.labelled_sets import Agreement, Sentence, agreement_on, sentences

PRECISION_GOAL, RECALL_GOAL = 0.97, 0.95
ROUNDS = 50
MILLISECONDS = 1000
KNOWN = "used while the lists were written"
HELD_OUT = "kept apart; what was wrong at first is mended"


def measure(sites: Sites) -> list[Row]:
    """Needs no site: moderation is a function of a text."""
    return [*_of(KNOWN, held_out=False), *_of(HELD_OUT, held_out=True), _cost()]


def _of(against: str, *, held_out: bool) -> Iterator[Row]:
    sets = {language: list(sentences(language, held_out=held_out)) for language in CODES}
    for language, labelled in sets.items():
        yield from _agreement(f"moderation, {language}", labelled, against)
    everything = list(chain.from_iterable(sets.values()))
    yield from _agreement("moderation, all languages", everything, against)
    yield from _by_kind(agreement_on(everything), against)


def _agreement(name: str, labelled: list[Sentence], against: str) -> Iterator[Row]:
    agreement = agreement_on(labelled)
    said = f"{len(labelled)} sentences {against}"
    yield Row(f"{name}: precision", agreement.precision(), "", PRECISION_GOAL, said, is_least=True)
    yield Row(f"{name}: recall", agreement.recall(), "", RECALL_GOAL, said, is_least=True)


def _by_kind(agreement: Agreement, against: str) -> Iterable[Row]:
    for kind in Kind:
        said = f"{agreement.right[kind] + agreement.missed[kind]} sentences {against}"
        yield Row(f"moderation, {kind}: precision", agreement.precision(kind), "", against=said)
        yield Row(f"moderation, {kind}: recall", agreement.recall(kind), "", against=said)


def _cost() -> Row:
    """Of a post as long as five of the sentences, in each language."""
    posts = [
        (" ".join(one.text for one in list(sentences(code, held_out=False))[:5]), code)
        for code in CODES
    ]
    taken = [_seconds(text, code) for _ in range(ROUNDS) for text, code in posts]
    letters = round(median(len(text) for text, _ in posts))
    against = f"a post of {letters} letters, median of {ROUNDS} rounds in {len(CODES)} languages"
    return Row("moderating a post", median(taken) * MILLISECONDS, "ms", against=against)


def _seconds(text: str, language: str) -> float:
    begin = time.perf_counter()
    moderate(text, language)
    return time.perf_counter() - begin
