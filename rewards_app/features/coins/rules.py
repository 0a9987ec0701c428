"""What coins are: kinds of entries, levels, and when a balance is wrong. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from uuid import UUID

from rewards_app.core.errors import DomainError

COINS_PER_LEVEL = 1000
LARGEST_AMOUNT = 1_000_000


class Kind(StrEnum):
    """Why coins came or went; each has its words in every catalogue, under `coins.kinds.`."""

    AD = "ad"
    WELCOME = "welcome"
    PURCHASE = "purchase"
    REFUND = "refund"
    EXPIRY = "expiry"


EARNING = frozenset({Kind.AD, Kind.WELCOME})
"""What counts as earned: a refund gives coins back, and earns nothing."""


class NotEnoughCoins(DomainError):
    """`count` is how many more it would take."""

    code = "coins.not_enough"


class BadAmount(DomainError):
    """Not a whole number of coins above zero."""

    code = "coins.bad_amount"


class HoldEnded(DomainError):
    """The hold was settled or released before, the other way."""

    code = "coins.hold_ended"


@dataclass(frozen=True, slots=True)
class Balance:
    """What an account has: `total` was ever earned, `balance` can be spent now."""

    total: int = 0
    balance: int = 0
    held: int = 0
    ads: int = 0
    """How many ads were paid for."""

    @property
    def owned(self) -> int:
        return self.balance + self.held

    @property
    def level(self) -> int:
        return level_of(self.total)


def level_of(total: int) -> int:
    return total // COINS_PER_LEVEL + 1


def into_level(total: int) -> int:
    """Coins since the present level began."""
    return total % COINS_PER_LEVEL


def refuse_bad_amount(amount: int) -> None:
    # PostgreSQL would round a fraction, and True would be a coin.
    if type(amount) is not int or not 0 < amount <= LARGEST_AMOUNT:
        raise BadAmount


@dataclass(frozen=True, slots=True)
class Books:
    """One account as the entries and open holds add up, beside what its balance says."""

    account_id: UUID
    entries: int
    earned: int
    open_holds: int
    ads: int
    stored: Balance

    @property
    def added_up(self) -> Balance:
        owned = self.entries - self.open_holds
        return Balance(self.earned, owned, self.open_holds, self.ads)

    @property
    def is_balanced(self) -> bool:
        return self.added_up == self.stored


def unbalanced(books: Sequence[Books]) -> list[Books]:
    return [book for book in books if not book.is_balanced]
