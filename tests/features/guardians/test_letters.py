"""What guardians are mailed, in the language of the account."""

import pytest

from rewards_app.core.mail import Letter, composed
from rewards_app.i18n.languages import CODES
from tests.serving import text_of

PARAMS = {
    "name": "Maja",
    "support": "support@example.com",
    "privacy": "https://example.com/privacy",
    "days": 7,
    "kept": 30,
}
LINK = "https://example.com/guardian?token=abc"


@pytest.mark.parametrize("language", CODES)
class TestLetters:
    @pytest.mark.parametrize(
        ("name", "link"),
        [
            ("guardian_request", LINK),
            ("guardian_given", LINK),
            ("guardian_withdrawn", ""),
            ("guardian_withdrawn_grown", ""),
        ],
    )
    def test_say_whom_it_is_about_and_where_to_ask(self, language: str, name: str, link: str):
        said = text_of(composed(Letter("mum@example.com", language, name, link, PARAMS)))
        assert "{{" not in said
        for told in ("Maja", "support@example.com", "https://example.com/privacy", link):
            assert told in said

    def test_of_the_question_names_its_days(self, language: str):
        letter = Letter("mum@example.com", language, "guardian_request", LINK, PARAMS)
        said = text_of(composed(letter))
        assert "7" in said
        assert "30" in said

    def test_keep_a_name_of_many_lines_out_of_the_headers(self, language: str):
        params = PARAMS | {"name": "Maja\nBcc: everybody@example.com"}
        letter = Letter("mum@example.com", language, "guardian_request", LINK, params)
        assert composed(letter)["Bcc"] is None
