"""What the server writes: filled in, and in the plural that the count asks for."""

import pytest

from rewards_app.i18n import catalogues
from rewards_app.i18n.languages import CODES
from rewards_app.i18n.mail_text import PLACEHOLDER, text, words

MILLION = 1_000_000


class TestText:
    @pytest.mark.parametrize(
        ("language", "count", "words"),
        [
            ("en", 0, "0 WatchCoins are"),
            ("en", 1, "1 WatchCoin is"),
            ("en", 2800, "2,800 WatchCoins are"),
            ("sv", 2800, "2\N{NO-BREAK SPACE}800 WatchCoins finns"),
            ("fr", 0, "0 WatchCoin est"),
            ("fr", MILLION, "de WatchCoins sont"),
            ("es", MILLION, "de WatchCoins ya"),
            ("pl", 3, "3 WatchCoins są"),
            ("pl", 5, "5 WatchCoins jest"),
            ("xx", 2, "2 WatchCoins are"),
        ],
    )
    def test_chooses_the_plural_by_the_count(self, language: str, count: int, words: str):
        written = text("back.coins", language, count=count)
        assert words.replace(" ", "\N{NO-BREAK SPACE}") in written.replace(
            " ", "\N{NO-BREAK SPACE}"
        )

    def test_a_count_leaves_texts_without_plural_as_they_are(self):
        assert text("receipt.title", "en", count=2) == "Receipt"

    def test_a_value_is_not_filled_in_again(self):
        assert "{{order}}" in text("receipt.subject", "en", order="{{order}}")

    def test_a_list_holds_keys_that_are_said_in_its_language_and_joined(self):
        roles = ["roles.player", "roles.moderator"]
        said = words("admin.people.change_role", "sv", role=roles)
        assert said == "Ändra roll till Spelare och Moderator"

    def test_refuses_to_leave_a_placeholder(self):
        with pytest.raises(KeyError):
            text("receipt.subject", "en")

    @pytest.mark.parametrize("language", CODES)
    def test_every_text_can_be_filled_in(self, language: str):
        for key, known in catalogues.mails(language).items():
            params = dict.fromkeys(PLACEHOLDER.findall(known), 7)
            assert "{" not in text(key, language, **params)
