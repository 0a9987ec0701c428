"""Whether coins, money and code of a purchase tell the same. Pure."""

from dataclasses import dataclass
from typing import NamedTuple

from rewards_app.features.shop.rules import Offer, Status


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
