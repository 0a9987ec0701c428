"""What a company may pay in, and what may become of it. Pure."""

from enum import StrEnum

from rewards_app.core.errors import DomainError
from rewards_app.features.advertiser import fields

LEAST_CENTS = 1_000
MOST_CENTS = 5_000_000
MOST_WAITING = 3
"""Unpaid ones at once."""

FAILED_TITLE = "errors.top_ups.failed_title"
"""Of whatever keeps a top-up from being made."""


class TopUpFailed(DomainError):
    """The card checkout could not be opened: nothing has moved."""

    code = "top_ups.failed"
    title = FAILED_TITLE


class StillOpening(DomainError):
    """An earlier press has asked for it, and where it is paid is not known yet."""

    code = "top_ups.still_opening"


class CardsAreOff(DomainError):
    """No provider is configured here."""

    code = "top_ups.cards_are_off"
    title = FAILED_TITLE


class TooManyWaiting(DomainError):
    """`most` top-ups wait to be paid already."""

    code = "top_ups.too_many_waiting"
    title = FAILED_TITLE


class UnknownTopUp(DomainError):
    """No such top-up, or another company's."""

    code = "top_ups.unknown"


class NotWaiting(DomainError):
    """Only what is unpaid can be cancelled."""

    code = "top_ups.not_waiting"


class AlreadyPaid(DomainError):
    """It was paid before it could be cancelled."""

    code = "top_ups.already_paid"


class GoesBack(DomainError):
    """It was paid before it could be cancelled, and not as agreed: the money goes back."""

    code = "top_ups.goes_back"


class PaymentUnderWay(DomainError):
    """Its payer has done their part, by a way of paying that takes days: nobody can close it."""

    code = "top_ups.payment_under_way"


class CannotCancelNow(DomainError):
    """The card checkout cannot be reached to close it."""

    code = "top_ups.cannot_cancel_now"


class Status(StrEnum):
    WAITING = "waiting"
    PAID = "paid"
    EXPIRED = "expired"
    CANCELLED = "cancelled"
    FAILED = "failed"
    RETURNED = "returned"


UNPAID = frozenset({Status.EXPIRED, Status.CANCELLED, Status.FAILED})


def cents_of(raw: str) -> int:
    """What was typed, as an amount that can be paid in."""
    cents = fields.cents_from(raw, "amount", least=LEAST_CENTS, most=MOST_CENTS)
    assert cents is not None, "it is required"
    return cents


def invoice_name(number: int) -> str:
    """As it stands on the invoice: WCA-000012."""
    return f"WCA-{number:06}"
