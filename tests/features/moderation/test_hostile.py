"""Moderation takes time in proportion to a text, whatever the text is made to do."""

import time

import pytest

from rewards_app.features.forum.rules import LONGEST_TEXT
from rewards_app.features.moderation.folding import folded
from rewards_app.features.moderation.rules import Kind, moderate

LENGTH, TIMES_LONGER = 4_000, 10
MOST_TIMES_SLOWER = 25
"""Ten where the machine does nothing else; a hundred or more would be a square."""

HOSTILE = {
    "one letter": "a",
    "letters apart": "a ",
    "letters glued": "s.t.u.",
    "held letters": "stuuuuupid",
    "stars": "s*",
    "digits": "1!0",
    "zero width": "s\u200bt\u200d",
    "marks": "e\u0301\u0302\u0303\u0335",
    "mixed alphabets": "sѕаaοо",
    "almost a phrase": "you are so so so ",
    "almost a scam": "free coins for all ",
    "a scam that is never told": "you have won, ",
    "threats that may be a game": "i will find you tomorrow in the next ",
    "starts of phrases": "you ya u get shut kill ",
    "symbols": "@$!|*#€",
    "humps": "aB",
    "spaces": " \t",
    "line breaks": "\n.\n",
    "letters that unfold": "\ufdfa",
    "capitals": "STUPID",
    "emoji": "👩\u200d👩\u200d👧",
}


def seconds_for(text: str) -> float:
    begin = time.process_time()
    moderate(text)
    return time.process_time() - begin


@pytest.mark.parametrize("piece", HOSTILE.values(), ids=HOSTILE.keys())
def test_ten_times_the_text_takes_about_ten_times_the_time(piece: str):
    # As it is read, where one letter unfolds to eighteen; but as long as people may write it.
    as_read = LENGTH // max(len(piece), len(folded(piece).text))
    short = piece * max(as_read, LONGEST_TEXT // (TIMES_LONGER * len(piece)))
    moderate(short)
    once = min(seconds_for(short) for _ in range(3))
    most = MOST_TIMES_SLOWER * max(once, 0.001)
    assert any(seconds_for(short * TIMES_LONGER) <= most for _ in range(2))


@pytest.mark.parametrize("text", ["", " ", "*", "\u200b", "\u0301", "@", "!!!", "\ud800", "\x00"])
def test_nothing_to_read_is_nothing_to_say(text: str):
    assert moderate(text).violations == ()


def test_what_is_shown_is_never_longer_than_what_was_written():
    for piece in HOSTILE.values():
        text = f"{piece} stupid {piece}" * 20
        assert len(moderate(text).shown) <= len(text)


def test_a_bad_word_is_found_at_either_end_of_a_very_long_text():
    text = f"stupid {'fine words ' * 9_000}idiot"
    shown = moderate(text).shown
    assert shown.startswith("****** fine")
    assert shown.endswith("words *****")
    assert {violation.kind for violation in moderate(text).violations} == {Kind.LANGUAGE}
