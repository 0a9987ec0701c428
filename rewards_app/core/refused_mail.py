"""What a mail server means that takes no mail: about whom it is, and whether it passes. Pure."""

import re

FOR_NOW, FOR_GOOD = 400, 500

_ADDRESS = re.compile(r"<[^<>]*>|\S+@\S+")
_NO_SUCH_ADDRESS = re.compile(r"#?5\.1\.(?![78]\b)|.*\(#5\.1\.(?![78]\b)", re.DOTALL)
_SENDER = re.compile(
    r"\b(?:sender|mail from):? (?:address|verif|domain|is|denied|rejected|refused)", re.IGNORECASE
)
_SENDERS_CODE = re.compile(r"#?[45]\.1\.[78]\b")
_RELAY = re.compile(
    r"\brelay(?:ing)?\b.*\b(?:denied|not|prohibited|refused|disallowed)\b"
    r"|\b(?:not|unable|cannot|refuse[sd]?)\b.*\brelay",
    re.IGNORECASE | re.DOTALL,
)


def is_nobodys(code: int, words: str) -> bool:
    """No such address exists, and never will (RFC 3463): trying on is no use.

    Not so where it is our own sender's, which many servers judge once they know for whom it is.
    """
    known = bool(_NO_SUCH_ADDRESS.match(words))
    return code >= FOR_GOOD and known and not is_about_sender(words)


def is_about_sender(words: str) -> bool:
    """What it quotes of addresses says nothing: anybody may be called a sender there."""
    return bool(_SENDERS_CODE.match(words) or _SENDER.search(_ADDRESS.sub("", words)))


def is_of_no_relay(words: str) -> bool:
    """It takes mails for its own people alone, of whoever has not signed in."""
    return bool(_RELAY.search(_ADDRESS.sub("", words)))


def passes(code: int, words: str) -> bool:
    """What it takes no mail for now may end by itself; where it is our setting, it does not."""
    is_ours = is_about_sender(words) or is_of_no_relay(words)
    return FOR_NOW <= code < FOR_GOOD and not is_ours
