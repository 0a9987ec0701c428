"""By what somebody without a picture is recognised."""

from uuid import UUID

import pytest

from rewards_app.features.accounts.face_rules import NOBODY, TINTS, face_of
from rewards_app.ui.palette import DARK, FACE_WASH, LIGHT

THEMES = {"dark": DARK, "light": LIGHT}
MAJA, SVEN = UUID(int=1), UUID(int=2)


class TestAFace:
    @pytest.mark.parametrize(
        ("name", "letter"),
        [
            ("maja", "M"),
            ("  _maja", "M"),
            ("[1337] Sven", "1"),
            ("анна", "А"),
            ("łukasz", "Ł"),
            ("ßen", "ß"),
            ("ანა", "ა"),
        ],
    )
    def test_shows_the_first_letter_of_the_name(self, name: str, letter: str):
        assert face_of(MAJA, name)["letter"] == letter

    def test_keeps_its_tint_under_another_name(self):
        assert face_of(MAJA, "Maja")["tint"] == face_of(MAJA, "Queen of Clubs")["tint"]

    def test_tells_two_of_one_name_apart(self):
        assert face_of(MAJA, "Maja") != face_of(SVEN, "Maja")

    def test_takes_every_tint_for_somebody(self):
        assert {face_of(UUID(int=one), "x")["tint"] for one in range(len(TINTS))} == set(TINTS)

    def test_says_nothing_of_who_has_no_name_any_more(self):
        assert face_of(MAJA, "") == face_of(SVEN, "") == NOBODY


class TestItsLetter:
    @pytest.mark.parametrize("tint", TINTS)
    @pytest.mark.parametrize("theme", ["dark", "light"])
    def test_can_be_read_on_its_wash(self, theme: str, tint: str):
        colours, share = THEMES[theme], FACE_WASH[theme] / 100
        letter, panel = _channels(colours[f"tint-{tint}"]), _channels(colours["panel"])
        pairs = zip(letter, panel, strict=True)
        wash = [share * tinted + (1 - share) * plain for tinted, plain in pairs]
        assert _contrast(letter, wash) >= 4.5


def _channels(colour: str) -> list[float]:
    return [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]


def _contrast(one: list[float], other: list[float]) -> float:
    lighter, darker = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


def _luminance(channels: list[float]) -> float:
    red, green, blue = (
        one / 12.92 if one <= 0.04045 else ((one + 0.055) / 1.055) ** 2.4 for one in channels
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
