"""Applications of companies, and what their people may do. Pure."""

from enum import StrEnum

from rewards_app.core.errors import DomainError

CARD = "/admin?tab=advertisers&company="
"""Where admins look into a company, with its id."""


class Status(StrEnum):
    PENDING = "pending"
    APPROVED = "approved"
    REJECTED = "rejected"


class NotAnAdvertiser(DomainError):
    """Acts for no company, or for one that is not approved."""

    code = "advertiser.not_approved"


class NotTheOwner(DomainError):
    """Only the owner of a company's account decides about its people and its money."""

    code = "advertiser.not_the_owner"


class UnknownCompany(DomainError):
    code = "advertiser.unknown_company"


class UnknownCampaign(DomainError):
    """Made up, or another company's."""

    code = "advertiser.unknown_campaign"


class UnknownAd(DomainError):
    """Made up, or another company's."""

    code = "advertiser.unknown_ad"


NOT_CORRECTED = "errors.advertiser.not_corrected"
REGISTRATION_FAILED = "errors.advertiser.registration_failed"
"""The title of whatever keeps an application from being made."""


class EmailNotVerified(DomainError):
    code = "advertiser.email_not_verified"
    title = REGISTRATION_FAILED


class NotWaiting(DomainError):
    """What was applied for was decided, or withdrawn, meanwhile."""

    code = "advertiser.not_waiting"


class ActsAlready(DomainError):
    """Everybody acts for one company at most."""

    code = "advertiser.acts_already"
