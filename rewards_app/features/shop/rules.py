"""What a package costs with coins, and what may become of a purchase. Pure."""

import math
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from string import ascii_uppercase, digits
from typing import Any
from uuid import UUID

from rewards_app.core.errors import DomainError, FieldRefused
from rewards_app.core.rounding import half_up
from rewards_app.features.shop.catalogue import Package

ORE_PER_KR = 100
CARD_MINIMUM_KR = 3
"""What the card networks take at least, in our currency."""
MOST_WAITING = 3
"""Unpaid orders at once: each of them keeps a code from everybody else."""
SHORTEST_REASON, LONGEST_REASON = 3, 300
CODE_LETTERS = "".join(sorted({*ascii_uppercase, *digits} - {*"IO01"}))
"""Without those that people read as others."""
CODE_LENGTH = 10
PURCHASE_CODE = re.compile(rf"COIN-\d{{13}}-[{CODE_LETTERS}]{{{CODE_LENGTH}}}")


class Codes(StrEnum):
    """Which of the stock may be sold. What no game accepts is for trying out."""

    ANY = "any"
    DEMO = "demo"
    REAL = "real"


def codes_for(*, is_trial: bool, is_production: bool) -> Codes:
    """Nobody gives real money, or coins that were earned, for a code that no game accepts; and what
    is worth something is not given away for a payment in which no money moves."""
    if not is_production:
        return Codes.ANY
    return Codes.DEMO if is_trial else Codes.REAL


class Card(StrEnum):
    """Whether this player can pay by card what coins leave to pay."""

    TAKEN = "taken"
    OFF = "off"
    NEEDS_GUARDIAN = "needs_guardian"


FAILED_TITLE = "errors.shop.failed_title"
"""Of whatever keeps a purchase from being made."""


class NotThatManyCoins(DomainError):
    """Coins below zero, above the price, or no whole number."""

    code = "shop.not_that_many_coins"
    title = FAILED_TITLE


class BelowCardMinimum(DomainError):
    """`count` is the smallest amount in kronor that a card pays."""

    code = "shop.below_card_minimum"
    title = FAILED_TITLE


class SoldOut(DomainError):
    code = "shop.sold_out"
    title = FAILED_TITLE


class TooManyWaiting(DomainError):
    """`count` orders wait to be paid already."""

    code = "shop.too_many_waiting"
    title = FAILED_TITLE


class AllUnderWay(DomainError):
    """As many orders as may wait are being paid, by ways that take days: none can be cancelled."""

    code = "shop.all_under_way"
    title = FAILED_TITLE


class AgeUnknown(DomainError):
    code = "shop.age_unknown"
    title = FAILED_TITLE


class PurchaseFailed(DomainError):
    """The card checkout could not be opened, or something of ours broke: nothing has moved.

    Of an order that `is_over`, the next press makes a new one.
    """

    code = "shop.failed"
    title = FAILED_TITLE

    def __init__(self, *, is_over: bool = False) -> None:
        super().__init__()
        self.is_over = is_over


class StillOpening(DomainError):
    """An earlier press has made the order, and where it is paid is not known yet."""

    code = "shop.still_opening"


class NoAnswer(DomainError):
    """It is bought and cannot be shown, or may be: the same press again asks for the same order."""

    code = "shop.no_answer"


class UnknownPurchase(DomainError):
    """No such purchase, or somebody else's."""

    code = "shop.unknown_purchase"


class NotWaiting(DomainError):
    """Only an unpaid order can be cancelled."""

    code = "shop.not_waiting"


class AlreadyPaid(DomainError):
    """It was paid before it could be cancelled."""

    code = "shop.already_paid"


class GoesBack(DomainError):
    """It was paid before it could be cancelled, and not as agreed: the money goes back."""

    code = "shop.goes_back"


class PaymentUnderWay(DomainError):
    """Its payer has done their part, by a way of paying that takes days: nobody can close it."""

    code = "shop.payment_under_way"


class CannotCancelNow(DomainError):
    """The card checkout cannot be reached to close it."""

    code = "shop.cannot_cancel_now"


class NotRefundable(DomainError):
    """Only a completed purchase is refunded, and once."""

    code = "shop.not_refundable"


class NothingToSend(DomainError):
    """Only what was bought and not refunded is delivered again."""

    code = "shop.nothing_to_send"


class BuyerIsGone(DomainError):
    """Nobody reads what is sent to somebody who was forgotten."""

    code = "shop.buyer_is_gone"


class NoCodeLeft(DomainError):
    """The order has no code, and there is none in stock that it could get."""

    code = "shop.no_code_left"


class ReasonMissing(FieldRefused):
    """Nobody takes something back from a player without saying why."""

    code = "shop.reason_missing"


class ReasonTooLong(FieldRefused):
    """More than `most` characters."""

    code = "shop.reason_too_long"


class Status(StrEnum):
    WAITING = "waiting"
    COMPLETED = "completed"
    CANCELLED = "cancelled"
    EXPIRED = "expired"
    FAILED = "failed"
    REFUNDING = "refunding"
    REFUNDED = "refunded"


@dataclass(frozen=True, slots=True)
class Offer:
    """One package with so many coins on it."""

    price_kr: int
    coins: int

    @property
    def to_pay_kr(self) -> int:
        return self.price_kr - self.coins

    @property
    def to_pay_ore(self) -> int:
        return self.to_pay_kr * ORE_PER_KR

    @property
    def is_free(self) -> bool:
        return self.to_pay_kr == 0

    @property
    def savings_percent(self) -> int:
        return half_up(100 * self.coins, self.price_kr)

    @property
    def is_below_card_minimum(self) -> bool:
        return 0 < self.to_pay_kr < CARD_MINIMUM_KR

    @property
    def coins_too_many_for_a_card(self) -> int:
        """How many coins fewer would make it an amount that a card pays."""
        return CARD_MINIMUM_KR - self.to_pay_kr if self.is_below_card_minimum else 0


def most_coins(package: Package, balance: int) -> int:
    """As many as there are, and never more than the price: where the slider ends and begins."""
    return max(0, min(balance, package.price_kr))


def offer_for(package: Package, coins: int) -> Offer:
    """The offer that can be bought, or what is wrong with it."""
    if type(coins) is not int or not 0 <= coins <= package.price_kr:
        raise NotThatManyCoins
    offer = Offer(package.price_kr, coins)
    if offer.is_below_card_minimum:
        raise BelowCardMinimum(count=CARD_MINIMUM_KR)
    return offer


def purchase_code(now: datetime, letters: str) -> str:
    """`letters` are random; the moment in milliseconds tells when."""
    milliseconds = now.timestamp() * 1000
    return f"COIN-{math.floor(milliseconds)}-{letters}"


def cleaned_reason(reason: str) -> str:
    cleaned = " ".join(reason.split())
    if len(cleaned) < SHORTEST_REASON:
        raise ReasonMissing("reason", count=SHORTEST_REASON)
    if len(cleaned) > LONGEST_REASON:
        raise ReasonTooLong("reason", most=LONGEST_REASON)
    return cleaned


def cancelled_text(shown: Iterable[Mapping[str, Any]], order_id: UUID) -> str:
    """What is said of the cancelled one of these orders: coins are back where some were on it."""
    cancelled = (order for order in shown if order.get("id") == str(order_id))
    is_by_card_alone = any(not order["coins"] for order in cancelled)
    return "orders.card_alone.cancelled_text" if is_by_card_alone else "orders.cancelled_text"


def was_bought(status: str, refund_reason: str) -> bool:
    """Whether its buyer is told of an order that was refunded, also where its code is missing. What
    was paid too late goes back by itself, with no word of anybody's.

    Never whether coins go back: the word is forgotten with whom it was said to.
    """
    return status == Status.COMPLETED or refund_reason != ""
