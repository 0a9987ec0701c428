"""What the shop sells: four currencies with four packages each. Pure."""

from dataclasses import dataclass
from enum import StrEnum

from rewards_app.core.errors import DomainError


class Flag(StrEnum):
    POPULAR = "popular"
    BEST_VALUE = "best_value"


class NoPackage(DomainError):
    """Nothing was chosen, or something that we do not sell."""

    code = "shop.no_package"
    title = "errors.shop.failed_title"


@dataclass(frozen=True, slots=True)
class Package:
    id: str
    amount: int
    price_kr: int
    flag: Flag | None = None


@dataclass(frozen=True, slots=True)
class Currency:
    """A game's own money; `tint` names its colours in the theme."""

    id: str
    name: str
    game: str
    tint: str
    packages: tuple[Package, ...]

    def product_name(self, package: Package) -> str:
        return f"{package.amount} {self.name}"


def _currency(
    currency_id: str, name: str, game: str, tint: str, *rows: tuple[int, int, Flag | None]
) -> Currency:
    packages = (
        Package(f"{currency_id}-{amount}", amount, price, flag) for amount, price, flag in rows
    )
    return Currency(currency_id, name, game, tint, tuple(packages))


CATALOGUE = (
    _currency(
        "vbucks",
        "V-Bucks",
        "Fortnite",
        "sky",
        (1000, 89, None),
        (2800, 249, Flag.POPULAR),
        (5000, 449, None),
        (13500, 999, Flag.BEST_VALUE),
    ),
    _currency(
        "robux",
        "Robux",
        "Roblox",
        "orchid",
        (400, 45, None),
        (800, 89, Flag.POPULAR),
        (1700, 179, None),
        (4500, 449, Flag.BEST_VALUE),
    ),
    _currency(
        "cod",
        "COD Points",
        "Call of Duty",
        "lime",
        (500, 49, None),
        (1100, 99, Flag.POPULAR),
        (2400, 199, None),
        (5000, 399, Flag.BEST_VALUE),
    ),
    _currency(
        "valorant",
        "Valorant Points",
        "Valorant",
        "coral",
        (475, 59, None),
        (1000, 119, Flag.POPULAR),
        (2050, 239, None),
        (5350, 599, Flag.BEST_VALUE),
    ),
)
CURRENCIES = {currency.id: currency for currency in CATALOGUE}
PACKAGES = {package.id: package for currency in CATALOGUE for package in currency.packages}
CURRENCY_OF = {package.id: currency for currency in CATALOGUE for package in currency.packages}


def tint_of(package_id: str) -> str:
    """Its currency's, also where the package itself is sold no more; else there is none."""
    currency = CURRENCIES.get(package_id.partition("-")[0])
    return currency.tint if currency else ""


def currency_name(product_name: str, amount: int) -> str:
    """Taken from what `Currency.product_name` made, which a purchase keeps for ever."""
    return product_name.removeprefix(f"{amount} ")


def package_of(currency_id: str, package_id: str) -> tuple[Currency, Package]:
    """The package of that currency, or NoPackage."""
    currency = CURRENCIES.get(currency_id)
    package = PACKAGES.get(package_id)
    if currency is None or package is None or package not in currency.packages:
        raise NoPackage
    return currency, package
