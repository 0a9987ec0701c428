"""Made buyers with coins, stock to buy from, and the steps of a purchase."""

from datetime import datetime
from uuid import UUID

from rewards_app.core.actor import Actor
from rewards_app.core.database import rows, transaction
from rewards_app.core.ids import new_id
from rewards_app.features.coins import service as coins
from rewards_app.features.coins.rules import Kind
from rewards_app.features.payments import purposes
from rewards_app.features.shop import books, buying, outcomes, service, stock_repository
from rewards_app.features.shop.buying import Bought, Wish
from rewards_app.features.shop.stock import mark_of
from rewards_app.models import GiftCode
from tests.ads import the_player
from tests.people import NOON

purposes.offer(outcomes.PAYING)

THE_PACKAGE = "vbucks-1000"
PRICE = 89


async def a_buyer(name: str = "Maja", *, coins_owned: int = 0, now: datetime = NOON) -> Actor:
    buyer = await the_player(name, now=now)
    if coins_owned:
        await earns(buyer, coins_owned, now=now)
    return buyer


async def earns(buyer: Actor, amount: int, *, now: datetime = NOON) -> None:
    async with transaction() as session:
        await coins.credit(
            session, buyer.user_id, amount, Kind.WELCOME, f"test:{new_id()}", now=now
        )


async def stock(
    count: int = 1, package_id: str = THE_PACKAGE, *, is_demo: bool = False
) -> list[str]:
    """So many codes of the package, in the clear."""
    codes = [f"CODE-{new_id().hex}" for _ in range(count)]
    async with transaction() as session:
        await stock_repository.add_codes(
            session,
            [
                GiftCode(
                    package_id=package_id,
                    code=code,
                    fingerprint=mark_of(code),
                    is_demo=is_demo,
                )
                for code in codes
            ],
        )
    return codes


def a_wish(coins_used: int = 0, package_id: str = THE_PACKAGE, attempt: UUID | None = None) -> Wish:
    return Wish(package_id.partition("-")[0], package_id, coins_used, attempt or new_id())


async def buys(
    buyer: Actor,
    coins_used: int = 0,
    package_id: str = THE_PACKAGE,
    *,
    attempt: UUID | None = None,
    now: datetime = NOON,
) -> Bought:
    wish = a_wish(coins_used, package_id, attempt)
    return await buying.buy(buyer, wish, language="en", now=now)


async def orders_of(buyer: Actor) -> list[service.Order]:
    async with transaction() as session:
        return list((await service.orders(session, buyer)).shown)


GONE = "doubloons-50"
"""A package that the catalogue had once, with all of its currency."""


async def was_of_what_is_sold_no_more(
    purchase_id: UUID, package_id: str = GONE, product_name: str = "50 Doubloons"
) -> None:
    """Ordered while the catalogue had that package."""
    change = """update purchases set package_id = %(package_id)s, game = 'Port Royal',
        product_name = %(product_name)s, currency_amount = 50 where id = %(id)s returning id"""
    told = {"id": purchase_id, "package_id": package_id, "product_name": product_name}
    async with transaction() as session:
        await rows(session, change, told)


async def balance_of(buyer: Actor) -> tuple[int, int]:
    """What can be spent, and what is held."""
    found = await coins.balance_of(buyer.user_id)
    return found.balance, found.held


__all__ = [
    "GONE",
    "NOON",
    "PRICE",
    "THE_PACKAGE",
    "a_buyer",
    "a_wish",
    "balance_of",
    "buys",
    "earns",
    "orders_of",
    "stock",
    "was_of_what_is_sold_no_more",
]


async def the_books_are_clean() -> bool:
    async with transaction() as session:
        return (await books.check(session)).is_clean
