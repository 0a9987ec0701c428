"""The specification's numbers that only browsers know, as the modules of the pages have them."""

from pathlib import Path

import pytest

ASSETS = Path(__file__).parents[2] / "assets"


@pytest.mark.parametrize(
    ("module", "number"),
    [
        ("confetti.js", "const CONFETTI = { pieces: 500, waves: 10, lasts: 5000,"),
        ("confetti.js", "pieces = CONFETTI.pieces"),
        ("toasts.js", "const DURATION = 5000;"),
        ("toasts.js", "duration: DURATION,"),
        ("session.js", "const IDLE_LIMIT = 30 * 60 * 1000;"),
        ("session.js", "const CHECK_EVERY = 60 * 1000;"),
    ],
)
def test_stand_in_the_pages(module: str, number: str):
    assert number in (ASSETS / module).read_text()
