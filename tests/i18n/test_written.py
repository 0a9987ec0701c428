"""Numbers, money and moments, each as its language writes them."""

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest

from rewards_app.i18n import written
from rewards_app.i18n.languages import CODES

EVENING = datetime(2026, 3, 14, 19, 5, tzinfo=UTC)


def spaced(text: str) -> str:
    """With plain spaces, whichever kind a language takes."""
    return " ".join(text.split())


class TestKronor:
    @pytest.mark.parametrize(
        ("ore", "language", "words"),
        [
            (6900, "en", "69 kr"),
            (6950, "en", "69.50 kr"),
            (6950, "sv", "69,50 kr"),
            (123400, "en", "1,234 kr"),
            (123405, "ru", "1 234,05 kr"),
            (0, "de", "0 kr"),
            (-6900, "en", "−69 kr"),
            (10**17 + 1, "en", "1,000,000,000,000,000.01 kr"),
        ],
    )
    def test_show_ore_only_where_there_are_some(self, ore: int, language: str, words: str):
        assert spaced(written.kronor(ore, language)) == words

    def test_never_part_from_their_unit(self):
        assert written.kronor(6900, "en") == "69\N{NO-BREAK SPACE}kr"


class TestCounted:
    @pytest.mark.parametrize(
        ("name", "language", "words"),
        [
            ("2800 V-Bucks", "en", "2,800 V-Bucks"),
            ("2800 V-Bucks", "sv", "2 800 V-Bucks"),
            ("800 Robux", "de", "800 Robux"),
            ("Drift One", "en", "Drift One"),
        ],
    )
    def test_names_are_written_with_their_amount(self, name: str, language: str, words: str):
        assert spaced(written.counted(name, language)) == words

    def test_never_part_from_it(self):
        assert written.counted("2800 V-Bucks", "en") == "2,800\N{NO-BREAK SPACE}V-Bucks"

    @pytest.mark.parametrize("digits", [16, 26, 5000])
    def test_what_is_too_long_to_be_a_count_stays_as_it_is(self, digits: int):
        name = "1" + "0" * (digits - 1)
        assert written.counted(f"{name} V-Bucks", "en") == f"{name} V-Bucks"


class TestDollars:
    @pytest.mark.parametrize(
        ("cents", "language", "words"),
        [
            (123_450, "en", "$1,234.50"),
            (123_450, "ru", "1 234,50 $"),
            (5, "sv", "0,05 $"),
            (-5, "en", "−$0.05"),
            (0, "de", "0,00 $"),
            (10**17 + 1, "en", "$1,000,000,000,000,000.01"),
        ],
    )
    def test_always_show_their_cents(self, cents: int, language: str, words: str):
        assert spaced(written.dollars(cents, language)) == words


class TestMoments:
    def test_name_their_zone(self):
        assert spaced(written.time_of_day(EVENING, "sv")) == "19:05 UTC"

    def test_stay_in_the_zone_that_they_are_in(self):
        there = EVENING.astimezone(ZoneInfo("Europe/Stockholm"))
        assert spaced(written.time_of_day(there, "de")) == "20:05 UTC+01:00"

    @pytest.mark.parametrize("language", CODES)
    def test_are_days_with_no_full_stop_that_a_sentence_would_double(self, language: str):
        assert not written.day(EVENING, language).endswith(".")

    def test_are_english_in_a_language_that_we_do_not_speak(self):
        assert written.day(EVENING, "xx") == "March 14, 2026"


def test_parts_are_joined_as_the_language_does():
    assert written.together(["a", "b"], "de") == "a und b"
    assert written.together(["a"], "ru") == "a"
