"""Who acts for a company beside its owner. Pure."""

from datetime import timedelta
from enum import StrEnum

from rewards_app.core.errors import DomainError, FieldRefused
from rewards_app.features.advertiser.rules import Status

INVITATION_LASTS = timedelta(days=7)
MOST_PEOPLE = 50
"""Members and invitations together."""


class Way(StrEnum):
    """What the company that somebody acts for already makes of an invitation."""

    FREE = "free"
    """They act for none."""
    LEAVES = "leaves"
    """Theirs was rejected, and nobody else acts for it: they leave it behind."""
    WAITS = "waits"
    """Theirs is under review: nobody knows yet whether it keeps them."""
    TAKEN = "taken"


def way_past(status: Status, *, is_theirs_alone: bool) -> Way:
    """`status` is that of the company that they act for."""
    if status is Status.PENDING:
        return Way.WAITS
    return Way.LEAVES if status is Status.REJECTED and is_theirs_alone else Way.TAKEN


class UnknownInvitation(DomainError):
    """Withdrawn, used, over, or sent to another address."""

    code = "people.unknown_invitation"


class UnknownMember(DomainError):
    """Nobody who acts for this company, or its owner, who stays."""

    code = "people.unknown_member"


class IsMember(FieldRefused):
    """They act for the company already."""

    code = "people.is_member"


class TooManyPeople(DomainError):
    """`most` act for the company or are invited."""

    code = "people.too_many"
