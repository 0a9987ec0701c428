"""A fuzzer on each parser: it answers or says its own no, again alike, and never slowly."""

import gc
import inspect
import time
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import hypothesis
import pytest

from tests.hostile.generated import ROUNDS, SEED
from tests.hostile.parsers import FOUND, OURS_ALONE, PARSERS, function
from tests.hostile.reading import readers

EXAMPLES = 40 * ROUNDS
LENGTH, TIMES_AS_LONG = 2_000, 4
MOST_TIMES_AS_SLOW = 40
"""Sixteen would be a parser that looks at each character for each; one that tries all ways to
part a text takes thousands."""
SHORTEST_SPELL = 0.005
PATTERNS = (
    *(
        "a",
        "A",
        "1",
        " ",
        ".",
        "\n",
        "-",
        "a@",
        "a.",
        "@maja ",
        "a@b.c ",
        "://a:",
        "+1 ",
        "http://",
    ),
    *('"', ",", "\u0301", "a\u0301", "\u200b", "İ", "%", "[", "{", "9 ", "shit ", "a b", "(1)"),
)
OF_BYTES = {"features.payments.webhook.opened"}
OF_TEXT = [name for name, fuzz in PARSERS.items() if fuzz.is_text]
pytestmark = pytest.mark.timeout(240 + 240 * ROUNDS)


def called(name: str, text: Any) -> Any:
    """With the fuzzed value in the first place that is none of our own arguments."""
    parser, more = function(name), PARSERS[name].more
    free = next(one for one in inspect.signature(parser).parameters if one not in more)
    return parser(**{free: text, **more})


def test_each_parser_has_a_fuzzer():
    """One that is new, or that reads something new, has none yet: give it a row in `parsers.py`."""
    found = set(readers())
    assert found - FOUND.keys() - OURS_ALONE.keys() == set()
    assert (FOUND.keys() | OURS_ALONE.keys()) - found == set(), "these are gone"


@pytest.mark.parametrize("name", PARSERS)
def test_a_parser_raises_nothing_but_its_refusals(name: str):
    fuzz = PARSERS[name]

    @hypothesis.seed(f"{SEED} {name}")
    @hypothesis.settings(max_examples=EXAMPLES, suppress_health_check=list(hypothesis.HealthCheck))
    @hypothesis.given(fuzz.given)
    def holds(text: Any) -> None:
        try:
            found = called(name, text)
        except fuzz.refusals:
            return
        if fuzz.settles and found is not None:
            assert called(name, found) == found

    holds()


@pytest.fixture
def without_sweeping() -> Iterator[None]:
    """The memory of a whole run of tests, swept in the middle of a parser, is not its own time."""
    gc.disable()
    yield
    gc.enable()


def spell(name: str, text: str) -> float:
    """Processor seconds, whatever else the machine and this program do meanwhile."""
    start = time.thread_time()
    with suppress(*PARSERS[name].refusals):
        called(name, text.encode() if name in OF_BYTES else text)
    return time.thread_time() - start


@pytest.mark.parametrize("name", OF_TEXT)
@pytest.mark.usefixtures("without_sweeping")
def test_a_long_text_takes_no_parser_longer_than_its_length(name: str):
    spell(name, "what it does only once")
    slow = {
        pattern: (short, long)
        for pattern in PATTERNS
        if (long := spell(name, pattern * (LENGTH * TIMES_AS_LONG))) > SHORTEST_SPELL
        and long > MOST_TIMES_AS_SLOW * (short := spell(name, pattern * LENGTH))
    }
    assert not slow
