"""What a package costs with coins, and what may become of a purchase. Pure."""

import math
import re
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from string import ascii_uppercase, digits
from typing import NamedTuple

from rewards_app.core.errors import DomainError
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


class ReasonMissing(DomainError):
    """Nobody takes something back from a player without saying why."""

    code = "shop.reason_missing"


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


def half_up(numerator: int, denominator: int) -> int:
    """The quotient rounded to the nearest whole number, halves upwards."""
    return (2 * numerator + denominator) // (2 * denominator)


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
    if not SHORTEST_REASON <= len(cleaned) <= LONGEST_REASON:
        raise ReasonMissing(count=SHORTEST_REASON)
    return cleaned


def was_bought(status: str, refund_reason: str) -> bool:
    """Whether its buyer is told of an order that was refunded, also where its code is missing. What
    was paid too late goes back by itself, with no word of anybody's.

    Never whether coins go back: the word is forgotten with whom it was said to.
    """
    return status == Status.COMPLETED or refund_reason != ""


@dataclass(frozen=True, slots=True)
class Earning:
    """What watching pays at present, and how much of today is left."""

    coins_an_ad: float
    seconds_an_ad: float
    left_today: int


@dataclass(frozen=True, slots=True)
class WayToFree:
    """How far a package is from costing coins alone."""

    coins: int
    ads: int
    minutes: int
    is_today: bool


def way_to_free(price_kr: int, balance: int, earning: Earning) -> WayToFree:
    missing = max(0, price_kr - balance)
    ads = math.ceil(missing / earning.coins_an_ad)
    minutes = math.ceil(timedelta(seconds=ads * earning.seconds_an_ad) / timedelta(minutes=1))
    return WayToFree(missing, ads, minutes, is_today=ads <= earning.left_today)


def days_of_watching(ads: int, left_today: int, a_day: int) -> int:
    """How many midnights pass before so many ads are watched."""
    return math.ceil(max(0, ads - left_today) / a_day)


class Moved(NamedTuple):
    """What of a purchase is where: its coins, its money, its code."""

    coins_held: int = 0
    coins_taken: int = 0
    coins_returned: int = 0
    charged_ore: int = 0
    returned_ore: int = 0
    codes_reserved: int = 0
    codes_delivered: int = 0
    codes_withdrawn: int = 0


@dataclass(frozen=True, slots=True)
class Books:
    """One purchase as its coins, its money and its code tell it."""

    purchase_code: str
    status: Status
    price_kr: int
    coins: int
    moved: Moved

    @property
    def is_balanced(self) -> bool:
        """Money and coins moved together, or not at all."""
        return self.moved in _EXPECTED[self.status](self)

    @property
    def to_pay_ore(self) -> int:
        return Offer(self.price_kr, self.coins).to_pay_ore


def _nothing(books: Books) -> list[Moved]:
    return [Moved()]


def _waiting(books: Books) -> list[Moved]:
    return [Moved(coins_held=books.coins, codes_reserved=1)] if books.to_pay_ore else []


def _completed(books: Books) -> list[Moved]:
    return [Moved(coins_taken=books.coins, charged_ore=books.to_pay_ore, codes_delivered=1)]


def _refunding(books: Books) -> list[Moved]:
    """Delivered, or paid too late for that; with coins alone nothing is ever on its way."""
    charged = books.moved.charged_ore
    return [*_completed(books), Moved(charged_ore=charged)] if charged else []


def _refunded(books: Books) -> list[Moved]:
    coins, ore, charged = books.coins, books.to_pay_ore, books.moved.charged_ore
    delivered = Moved(
        coins_taken=coins,
        coins_returned=coins,
        charged_ore=ore,
        returned_ore=ore,
        codes_withdrawn=1,
    )
    without_a_code = delivered._replace(codes_withdrawn=0)
    too_late = Moved(charged_ore=charged, returned_ore=charged)
    all_back = [delivered, without_a_code]
    return [*all_back, too_late] if charged else all_back


_EXPECTED = {
    Status.WAITING: _waiting,
    Status.COMPLETED: _completed,
    Status.CANCELLED: _nothing,
    Status.EXPIRED: _nothing,
    Status.FAILED: _nothing,
    Status.REFUNDING: _refunding,
    Status.REFUNDED: _refunded,
}
