"""What is asked most often, in the order of the page. Pure: the figures come from elsewhere."""

from dataclasses import asdict, dataclass
from enum import StrEnum


class Category(StrEnum):
    """Each has its label in every catalogue, under `support.categories.`."""

    GETTING_STARTED = "getting_started"
    COINS = "coins"
    SHOPPING = "shopping"
    ACCOUNT = "account"
    SAFETY = "safety"
    TECHNICAL = "technical"


@dataclass(frozen=True, slots=True)
class Figures:
    """What the answers name; each is a parameter of their words."""

    least: int
    most: int
    usual: int
    """Coins for one ad."""
    daily: int
    sitting: int
    """Ads a day, and in one go for whoever is under age."""
    adult: int
    youngest: int
    currencies: tuple[str, ...]
    """What coins buy, as the shop names it."""

    @property
    def numbers(self) -> dict[str, int]:
        return {name: value for name, value in asdict(self).items() if isinstance(value, int)}


@dataclass(frozen=True, slots=True)
class Entry:
    """`name` stands in the address, and names the words `support.faq.<name>` and its answer."""

    name: str
    category: Category


PRICES = "prices"
"""Its answer is another one where no cards are taken."""
ENTRIES = (
    Entry("earn", Category.GETTING_STARTED),
    Entry("limits", Category.GETTING_STARTED),
    Entry("credited", Category.COINS),
    Entry(PRICES, Category.SHOPPING),
    Entry("codes", Category.SHOPPING),
    Entry("accounts", Category.ACCOUNT),
    Entry("young", Category.SAFETY),
    Entry("loading", Category.TECHNICAL),
)
