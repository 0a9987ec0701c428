"""What admins decide about companies and ads, and what stands in the way. Pure."""

from rewards_app.core.errors import DomainError, FieldRefused
from rewards_app.features.advertiser import ad_rules, fields
from rewards_app.features.advertiser.rules import Status

SHORTEST_REASON, LONGEST_REASON = 5, 500
LONGEST_CREDIT_REASON = 200

BEFORE: dict[Status, tuple[Status, ...]] = {
    Status.APPROVED: (Status.PENDING, Status.REJECTED),
    Status.REJECTED: (Status.PENDING,),
}
"""What an application is, so that it can become this: a rejected one can be approved later."""
IN_USE = (ad_rules.Status.ACTIVE, ad_rules.Status.PAUSED)
"""Ads that were approved: one that players report can still be rejected."""


class ReasonTooShort(FieldRefused):
    """Less than `least` characters say nothing."""

    code = "review.reason_too_short"


class UnknownApplication(DomainError):
    code = "review.unknown_application"


class OwnCompany(DomainError):
    """Nobody decides on what their own company sends: another admin does."""

    code = "review.own_company"


class DecidedMeanwhile(DomainError):
    """By another admin, or in another tab."""

    code = "review.decided_meanwhile"


class ChangedMeanwhile(DomainError):
    """It is not what was shown when it was decided on."""

    code = "review.changed_meanwhile"


class NothingToCredit(DomainError):
    """No company paid for this view, or it has its money back already."""

    code = "review.nothing_to_credit"


def reason_from(raw: str, *, longest: int = LONGEST_REASON) -> str:
    reason = fields.text_from(raw, "reason", longest=longest, required=True)
    if len(reason) < SHORTEST_REASON:
        raise ReasonTooShort("reason", least=SHORTEST_REASON)
    return reason
