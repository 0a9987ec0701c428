"""Players with coins in front of a stocked shop."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from datetime import datetime

from sqlalchemy import text

from rewards_app.core.actor import Actor
from rewards_app.core.clock import utc_now
from rewards_app.core.database import run, transaction
from rewards_app.features.shop import service
from tests import shop
from tests.browser.chromium import Visitor
from tests.browser.conftest import Person
from tests.browser.pages import Shop
from tests.browser.watching import the_actor_behind


async def a_rich(person: Person, coins: int) -> Actor:
    """Somebody who earned so many coins."""
    actor = await the_actor_behind(person)
    await shop.earns(actor, coins, now=utc_now())
    return actor


async def in_the_shop(visitor: Visitor, person: Person, *, coins: int = 0) -> Shop:
    if coins:
        await a_rich(person, coins)
    await visitor.comes_with(person.session)
    screen = Shop(visitor.page)
    await screen.open()
    return screen


async def bought(
    actor: Actor, coins: int, package_id: str = shop.THE_PACKAGE, now: datetime | None = None
) -> str:
    """An order made before the page was opened; its identifier."""
    await shop.stock(1, package_id)
    found = await shop.buys(actor, coins, package_id, now=now or utc_now())
    return str(found.purchase_id)


async def the_code_of(person: Person) -> str:
    """The code that the stock gave to the latest order."""
    actor = await the_actor_behind(person)
    latest, *_ = await shop.orders_of(actor)
    return await service.code_of(actor, latest.id)


@asynccontextmanager
async def sold_out(package_id: str) -> AsyncGenerator[None]:
    """Nothing of it is left; afterwards there is again, for those who come next."""
    async with transaction() as session:
        await run(
            session,
            text("delete from gift_codes where package_id = :package and status = 'free'"),
            {"package": package_id},
        )
    try:
        yield
    finally:
        await shop.stock(12, package_id)


async def live_in(person: Person, country: str) -> None:
    async with transaction() as session:
        await run(
            session,
            text("update accounts set country = :country where id = :id"),
            {"country": country, "id": person.account_id},
        )
