"""What receipts and invoices can write: the letters that our fonts have."""

import unicodedata
from functools import cache
from pathlib import Path

FONTS = Path(__file__).with_name("fonts")
INTER = {"": FONTS / "Inter-Regular.ttf", "B": FONTS / "Inter-Bold.ttf"}

LONGEST_TEXT = 260
"""An email is no longer; what is comes from no page of ours."""
SPACES = dict.fromkeys(map(ord, "\N{NARROW NO-BREAK SPACE}\N{FIGURE SPACE}"), "\N{NO-BREAK SPACE}")


def drawable(text: str) -> str:
    """`text` without what has no letter in our fonts: emoji, far alphabets, marks of direction."""
    composed = unicodedata.normalize("NFC", " ".join(text.split(" "))).translate(SPACES)
    kept = "".join(letter if ord(letter) in _letters() else " " for letter in composed)
    words = " ".join(word for word in kept.split(" ") if word)
    return words if len(words) <= LONGEST_TEXT else f"{words[: LONGEST_TEXT - 1]}…"


def undrawable_letters(text: str) -> str:
    """The letters and digits that a paper would leave out of `text`, each once."""
    composed = unicodedata.normalize("NFC", text)
    missing = (
        c for c in composed if unicodedata.category(c)[0] in "LN" and ord(c) not in _letters()
    )
    return "".join(dict.fromkeys(missing))


@cache
def _letters() -> frozenset[int]:
    """What both weights can draw."""
    # What reads fonts is large, and the app starts more often than a company gives its name.
    from fontTools.ttLib import TTFont

    regular, bold = (set(TTFont(file).getBestCmap() or ()) for file in INTER.values())
    return frozenset(regular & bold)
