"""Who acts for a company beside its owner. Pure."""

from datetime import timedelta

from rewards_app.core.errors import DomainError, FieldRefused

INVITATION_LASTS = timedelta(days=7)
MOST_PEOPLE = 50
"""Members and invitations together."""


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
