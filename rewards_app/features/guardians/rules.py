"""When a guardian is asked, what counts as an answer, and what waits for it. Pure."""

from datetime import date, datetime, timedelta
from enum import StrEnum

from rewards_app.core.errors import DomainError, FieldRefused
from rewards_app.features.accounts import age_rules

ANSWER_WITHIN = timedelta(days=7)
ASKED_A_DAY = 3
SHORTEST_NAME, LONGEST_NAME = 3, 80
UNANSWERED_ARE_KEPT = timedelta(days=30)
"""After its link is over; a consent itself is kept as long as the account, to prove it."""


class Status(StrEnum):
    """Of what a guardian was asked; each has its words under `guardians.status.`."""

    ASKED = "asked"
    GIVEN = "given"
    REFUSED = "refused"
    WITHDRAWN = "withdrawn"
    REPLACED = "replaced"


class ConsentNeeded(DomainError):
    """Somebody under 16 wants what a guardian has not said yes to."""

    code = "guardians.consent_needed"
    title = "errors.guardians.consent_needed_title"


class NoGuardianNeeded(DomainError):
    """Whoever is 16 decides alone."""

    code = "guardians.not_needed"


class ConsentIsThere(DomainError):
    """Another guardian need not be asked."""

    code = "guardians.is_there"


class OwnAddress(FieldRefused):
    """Nobody is their own guardian."""

    code = "guardians.own_address"


class AskedTooOften(DomainError):
    code = "guardians.asked_too_often"


class LinkOver(DomainError):
    """Made up, used, replaced or too old: the same words for all."""

    code = "guardians.link_over"


class NameMissing(FieldRefused):
    code = "guardians.name_missing"


class NotConfirmed(FieldRefused):
    """The box that says who is answering is not ticked."""

    code = "guardians.not_confirmed"


def is_needed(born: date | None, *, today: date) -> bool:
    return born is not None and age_rules.needs_parents(born, today=today)


def email_from(raw: str, *, own: str) -> str:
    email = raw.strip().lower()
    if _mailbox(email) == _mailbox(own.lower()):
        raise OwnAddress("guardian_email")
    return email


def _mailbox(email: str) -> str:
    """What follows a plus sign changes no mailbox."""
    name, _, domain = email.rpartition("@")
    return f"{name.partition('+')[0]}@{domain}"


def signed_name(raw: str, *, is_guardian: bool) -> str:
    """The full name of whoever says that they are a parent or legal guardian."""
    name = " ".join(raw.split())
    letters = sum(letter.isalpha() for letter in name)
    if not SHORTEST_NAME <= len(name) <= LONGEST_NAME or letters < SHORTEST_NAME:
        raise NameMissing("full_name", least=SHORTEST_NAME, most=LONGEST_NAME)
    if not is_guardian:
        raise NotConfirmed("is_guardian")
    return name


def shown_status(status: Status, expires_at: datetime, *, now: datetime) -> str:
    """As the card says it: what was asked too long ago is over."""
    return "expired" if status is Status.ASKED and expires_at <= now else status.value


def masked(email: str) -> str:
    """Enough to know which address it was: m•••@example.com."""
    name, _, domain = email.rpartition("@")
    return f"{name[:1]}•••@{domain}"
