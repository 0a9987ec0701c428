"""What news of a checkout means for the payment that it belongs to. Pure."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from uuid import UUID

from rewards_app.core.errors import DomainError

CHECKOUT_LASTS = timedelta(minutes=31)
"""Stripe's shortest is 30 minutes, counted when it reads our request."""
FIRST_LOOK = timedelta(seconds=30)
"""Shorter than the minute from one round to the next: due then, whatever a round's delay."""
LONGEST_BETWEEN_LOOKS = timedelta(minutes=15)
MOST_DOUBLINGS = 5
"""Five reach the longest wait; a day of doublings is beyond every calendar."""
OPENING_TAKES_AT_MOST = timedelta(seconds=60)
LOOKS_OF_A_DAY = 100
"""Who looks that often, each time a little later, has looked for a day."""
BANKS_TAKE_AT_MOST = timedelta(days=15)
"""Money that is on its way may take so long; Stripe names 14 days for the slowest."""
TAKEN_BY = "dispute:"
"""Before the dispute's name, in the place of a refund's: this money went back by no refund."""
UNKNOWN_THERE = frozenset({"resource_missing", "no_such_checkout"})


class CardsAreOff(DomainError):
    """No provider is configured here: coins alone can be spent."""

    code = "payments.cards_are_off"


class ProviderAway(DomainError):
    """The provider does not answer, or not in its own language: nothing is known to have moved."""

    code = "payments.provider_away"


class ProviderRefused(DomainError):
    """The provider understood, and said no; `reason` is its own code for the log."""

    code = "payments.provider_refused"

    def __init__(self, reason: str = "") -> None:
        super().__init__()
        self.reason = reason

    @property
    def knows_nothing(self) -> bool:
        """It was asked about something that it does not have."""
        return self.reason in UNKNOWN_THERE


class Forged(DomainError):
    """What came to the webhook was not signed by the provider."""

    code = "payments.forged"


class NotReturnable(DomainError):
    """Only money that is here goes back, and once."""

    code = "payments.not_returnable"


class Contested(DomainError):
    """A bank decides whose this money is: what we gave back as well, we would pay twice."""

    code = "payments.contested"


class Status(StrEnum):
    OPENING = "opening"
    OPEN = "open"
    PAID = "paid"
    EXPIRED = "expired"
    CANCELLED = "cancelled"
    FAILED = "failed"
    RETURNING = "returning"
    RETURNED = "returned"


UNDECIDED = frozenset({Status.OPENING, Status.OPEN})
UNPAID = frozenset({Status.EXPIRED, Status.CANCELLED, Status.FAILED})
GOES_BACK = frozenset({Status.RETURNING, Status.RETURNED})
UNSETTLED = UNDECIDED | {Status.RETURNING}


class Outcome(StrEnum):
    """What came of the news; the inbox keeps it beside each event."""

    PAID = "paid"
    ENDED = "ended"
    RETURNED = "returned"
    TOO_LATE = "too_late"
    """Paid after it had ended: the money goes back."""
    NOTHING_NEW = "nothing_new"
    STILL_OPEN = "still_open"
    NOT_OURS = "not_ours"
    UNKNOWN = "unknown"
    """Paid for a payment of ours that is not here: the database is older than it."""
    OTHER_CHECKOUT = "other_checkout"
    OTHER_AMOUNT = "other_amount"
    PAID_TWICE = "paid_twice"
    PARTLY_RETURNED = "partly_returned"
    REFUND_FAILED = "refund_failed"
    DISPUTED = "disputed"
    """The card's owner has their bank take the money back."""
    DISPUTE_WON = "dispute_won"
    """The bank left the money with us."""
    DISPUTE_LOST = "dispute_lost"
    """The bank took it for good, and what it paid for stays given."""
    NOT_FOR_US = "not_for_us"
    """A kind of event that we have no use for, or one of a test mode where things cost money."""


SUSPICIOUS = frozenset(
    {
        Outcome.OTHER_CHECKOUT,
        Outcome.OTHER_AMOUNT,
        Outcome.PAID_TWICE,
        Outcome.PARTLY_RETURNED,
        Outcome.REFUND_FAILED,
        Outcome.DISPUTED,
        Outcome.DISPUTE_LOST,
    }
)
"""Signed, and still not what it should be: somebody has to look."""


@dataclass(frozen=True, slots=True)
class Checkout:
    """A checkout as the provider describes it, in an event or in an answer."""

    id: str
    references: frozenset[str]
    """The payments that it says it is for: ours alone, if it is ours."""
    is_paid: bool
    is_expired: bool
    amount: int
    currency: str
    intent_id: str | None
    is_under_way: bool
    """Its payer has done their part, by a way of paying that takes days: nobody can pay it again,
    and nobody can close it."""
    is_by_us: bool
    """It names a payment as we alone do, whether we know that payment or not."""
    was_refused: bool = False
    """It took days, and the payer's bank has said no in the end."""

    @property
    def took_money_for_us(self) -> bool:
        return self.is_paid and self.is_by_us


@dataclass(frozen=True, slots=True)
class Due:
    """What we ask for."""

    id: UUID
    status: Status
    amount: int
    currency: str
    checkout_id: str | None = None
    intent_id: str | None = None


def outcome_of(due: Due, news: Checkout) -> Outcome:
    """What the news means; whatever does not fit moves neither money nor coins."""
    if due.checkout_id not in (None, news.id) or news.references - {str(due.id)}:
        return Outcome.OTHER_CHECKOUT
    if news.is_paid:
        return _outcome_of_money(due, news)
    if news.is_expired:
        return Outcome.ENDED if due.status in UNDECIDED else Outcome.NOTHING_NEW
    return Outcome.STILL_OPEN if due.status in UNDECIDED else Outcome.NOTHING_NEW


def _outcome_of_money(due: Due, news: Checkout) -> Outcome:
    if (news.amount, news.currency) != (due.amount, due.currency):
        return Outcome.OTHER_AMOUNT
    if due.status in UNDECIDED:
        return Outcome.PAID
    if due.status in UNPAID:
        return Outcome.TOO_LATE
    return Outcome.NOTHING_NEW if due.intent_id == news.intent_id else Outcome.PAID_TWICE


def is_taken(refund_id: str | None) -> bool:
    """Whether what went back was taken by the payer's bank."""
    return refund_id is not None and refund_id.startswith(TAKEN_BY)


def next_look(looks: int, *, expires_at: datetime, now: datetime) -> datetime:
    """At every round while it can be paid, and once its checkout must have ended; `looks` count
    from there, and come less and less often."""
    if now < expires_at + FIRST_LOOK:
        return now + FIRST_LOOK
    return now + min(FIRST_LOOK * 2 ** min(looks, MOST_DOUBLINGS), LONGEST_BETWEEN_LOOKS)
