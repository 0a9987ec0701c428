"""Kronor as other money, to give an idea: what is charged is always kronor. Pure."""

from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal

from rewards_app.features.ads.budgets import PARTS_A_DOLLAR
from rewards_app.features.ads.funding import PARTS_A_COIN


@dataclass(frozen=True, slots=True)
class Money:
    code: str
    rate: Decimal
    """For one krona."""


SEK = Money("SEK", Decimal(1))
USD = Money("USD", Decimal(PARTS_A_COIN) / PARTS_A_DOLLAR)
EUR = Money("EUR", Decimal("0.087"))
GBP = Money("GBP", Decimal("0.075"))
NOK = Money("NOK", Decimal("1.05"))
DKK = Money("DKK", Decimal("0.65"))

EURO_COUNTRIES = (
    "DE", "FR", "IT", "ES", "NL", "BE", "AT", "FI", "IE", "PT",
    "GR", "LU", "SI", "CY", "MT", "SK", "EE", "LV", "LT",
)  # fmt: skip
MONEY_OF = {
    "US": USD,
    "SE": SEK,
    "NO": NOK,
    "DK": DKK,
    "GB": GBP,
    "UK": GBP,
    **dict.fromkeys(EURO_COUNTRIES, EUR),
}


def money_of(country: str | None) -> Money:
    """What people of `country` count in; kronor where we do not know."""
    return MONEY_OF.get((country or "").upper(), SEK)


def converted(kronor: int, money: Money) -> int:
    """Rounded to whole ones, halves upwards."""
    return int((kronor * money.rate).quantize(Decimal(1), rounding=ROUND_HALF_UP))
