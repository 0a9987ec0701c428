"""What servers say in their own words, told apart by what they mean."""

import pytest

from rewards_app.core.refused_mail import is_about_sender, is_nobodys, is_of_no_relay, passes


@pytest.mark.parametrize(
    ("words", "is_it"),
    [
        ("5.1.1 <my.sender@localhost>: Recipient address rejected: User unknown", False),
        ("5.1.6 Recipient no longer here. Please inform the sender", False),
        ("5.1.0 <us@localhost>: Sender address rejected: User unknown", True),
        ("5.1.0 Mail from address rejected", True),
        ("Sender verify failed", True),
        ("5.1.8 <us@localhost>: Domain not found", True),
    ],
)
def test_whose_address_it_is_about(words: str, is_it: bool):
    assert is_about_sender(words) is is_it
    assert is_nobodys(550, words) is (words.startswith("5.1") and not is_it)


def test_nobody_is_given_up_for_what_is_refused_for_now():
    assert not is_nobodys(450, "5.1.1 User unknown")


@pytest.mark.parametrize(
    ("words", "is_it"),
    [
        ("5.7.1 <nobody@example.com>: Relay access denied", True),
        ("5.7.54 SMTP; Unable to relay recipient in non-accepted domain", True),
        ("relay not permitted", True),
        ("4.3.2 relay1 is busy", False),
        ("5.1.1 <relay@not.example>: User unknown", False),
    ],
)
def test_whether_it_takes_mails_for_others(words: str, is_it: bool):
    assert is_of_no_relay(words) is is_it


@pytest.mark.parametrize(
    ("code", "words", "does"),
    [
        (451, "4.7.1 Greylisted", True),
        (454, "4.7.1 Relay access denied", False),
        (450, "4.1.8 <us@localhost>: Sender address rejected: Domain not found", False),
        (550, "5.1.1 User unknown", False),
        (-1, "* OK IMAP4rev1", False),
    ],
)
def test_whether_it_passes_by_itself(code: int, words: str, does: bool):
    assert passes(code, words) is does
