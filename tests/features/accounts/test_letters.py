"""What owners are mailed about their account's security, in every language."""

import re

import pytest

from rewards_app.core import mail
from rewards_app.features.accounts import letters
from rewards_app.i18n import catalogues
from rewards_app.i18n.languages import CODES
from tests.people import NOON, a_browser

FIREFOX = "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:130.0) Gecko/20100101 Firefox/130.0"
NAMES = (
    *("new_device", "password_changed", "password_set", "email_asked", "email_changed"),
    *("authenticator_added", "authenticator_removed", "passkey_added", "passkey_removed"),
    *("two_factor_off", "factor_guessed"),
    *("codes_renewed", "backup_code_used", "email_confirm"),
)
TO_STRANGERS = ("email_taken",)
OF_DECISIONS = ("sessions_ended", "role_changed", "birth_date_forgotten")
OF_WHAT_A_THIEF_MAY_HAVE_ADDED = ("authenticator_added", "passkey_added", "email_back")
ABOUT = {"support": "help@example.com", "email": "new@example.com", "passkey": "My phone"}
ROLES = {"before": "Moderator", "role": "Player"}


def a_letter(name: str, language: str, **changes: str | int) -> str:
    caller = a_browser(user_agent=FIREFOX)
    told = letters.circumstances(caller, language, now=NOON)
    params = ABOUT | ROLES | told | {"count": 9} | changes
    letter = mail.Letter(
        "maja@example.com", language, f"security_{name}", "https://example.com", params
    )
    message = mail.composed(letter)
    body = message.get_body(("plain",))
    assert body
    return f"{message['Subject']}\n{body.get_content()}"


@pytest.mark.parametrize("language", CODES)
@pytest.mark.parametrize("name", NAMES + OF_DECISIONS + TO_STRANGERS)
def test_each_is_whole_in_every_language(name: str, language: str):
    assert not re.search(r"\{\{|\}\}|mails\.", a_letter(name, language))


@pytest.mark.parametrize("name", [name for name in NAMES if name != "email_confirm"])
def test_each_says_with_what_and_when(name: str):
    said = a_letter(name, "en")
    assert "Firefox on Windows" in said
    assert "March 14, 2026, 12:00" in said


@pytest.mark.parametrize("name", NAMES)
def test_none_tells_an_address_of_the_network(name: str):
    assert "127.0.0.1" not in a_letter(name, "en")


@pytest.mark.parametrize("language", CODES)
class TestASecondFactorThatAThiefAdded:
    """It stays when the owner has a new password: they are told what to press then."""

    @pytest.mark.parametrize("name", OF_WHAT_A_THIEF_MAY_HAVE_ADDED)
    def test_is_got_rid_of_as_the_letters_say(self, name: str, language: str):
        said = " ".join(a_letter(name, language).split())
        assert catalogues.interface(language)["auth.second_lost"] in said

    def test_is_got_rid_of_as_the_page_says_that_brought_the_account_back(self, language: str):
        texts = catalogues.interface(language)
        assert texts["auth.second_lost"] in texts["auth.email.back_text"]


@pytest.mark.parametrize(
    ("agent", "said"),
    [("curl/8", "Unknown device"), ("Mozilla/5.0 (Windows NT 10.0)", "Windows")],
)
def test_a_device_is_named_as_far_as_it_is_known(agent: str, said: str):
    assert letters.device_words(agent, "en") == said
