"""Who waits, from when on they count, and how friends move them ahead. Pure."""

import re
from dataclasses import dataclass
from datetime import datetime, timedelta
from string import ascii_lowercase, digits

from rewards_app.core.errors import DomainError

CONFIRM_WITHIN = timedelta(days=7)
ASK_AGAIN_AFTER = timedelta(minutes=10)
UNCONFIRMED_ARE_KEPT = timedelta(days=30)
AHEAD_PER_FRIEND = timedelta(days=1)
FRIENDS_THAT_MOVE = 30
LONGEST_EMAIL = 254
LETTERS_OF_A_CODE = "".join(sorted({*ascii_lowercase, *digits} - {*"01ilo"}))
"""None that another one is read as."""
LENGTH_OF_A_CODE = 10
CODE = re.compile(f"[{LETTERS_OF_A_CODE}]{{{LENGTH_OF_A_CODE}}}")


class InvalidEmail(DomainError):
    """What was typed is no address that a mail could reach."""

    code = "joining.invalid_email"
    title = "errors.joining.invalid_email_title"


class AlreadyWaiting(DomainError):
    """This address is on the list; that it is mailed the question once more stays."""

    code = "joining.already_waiting"
    title = "errors.joining.already_waiting_title"
    is_recorded = True


class NotJoined(DomainError):
    """Something broke on our side."""

    code = "joining.failed"
    title = "errors.joining.failed_title"


class WaitingLinkOver(DomainError):
    """Nobody waits behind this link: it is not ours, it came too late, or they left."""

    code = "joining.link_over"


def email_from(typed: str) -> str:
    """As it is kept; what is longer than any address is none, whatever it says."""
    email = typed.strip().lower()
    if len(email) > LONGEST_EMAIL:
        raise InvalidEmail
    return email


def friends_code(given: str) -> str | None:
    """The code of a friend's link, unless it is none of ours: then nobody is thanked."""
    return given if CODE.fullmatch(given) else None


def is_confirmed_in_time(asked_at: datetime, *, now: datetime) -> bool:
    return now < asked_at + CONFIRM_WITHIN


@dataclass(frozen=True, slots=True)
class Place:
    """Where somebody stands who confirmed."""

    number: int
    of: int
    friends: int
    """Those who confirmed."""
    code: str
    is_told: bool = False
    """They were mailed that the doors are open: they wait for nothing more."""
