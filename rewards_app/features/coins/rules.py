"""What coins are: kinds of entries, levels, and when a balance is wrong. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
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


@dataclass(frozen=True, slots=True)
class Purchases:
    """How many purchases the ledger has; the first `settled` of them are never counted again.

    A number is given out before its entry is seen, so an entry can appear below newer ones. Nothing
    more appears up to `newest` once every transaction before `open_until` is over.
    """

    count: int = 0
    settled: int = 0
    settled_to: int = 0
    newest: int = 0
    open_until: int = 0


@dataclass(frozen=True, slots=True)
class LaterPurchases:
    """What the ledger has above `settled_to`, and which transactions could still add to it."""

    count: int
    count_to_newest: int
    newest: int
    oldest_open: int
    next_open: int


def counted_on(known: Purchases, later: LaterPurchases) -> Purchases:
    """Count on from what was known: each stretch of history is read once."""
    count = known.settled + later.count
    if later.oldest_open < known.open_until:
        return replace(known, count=count)
    return Purchases(
        count,
        settled=known.settled + later.count_to_newest,
        settled_to=known.newest,
        newest=max(known.newest, later.newest),
        open_until=later.next_open,
    )


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
