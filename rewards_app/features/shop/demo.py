"""Gift codes to try the shop out with, and a player's past in it."""

import secrets
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from rewards_app.core.database import AsyncSession
from rewards_app.core.ids import new_id
from rewards_app.features.coins import service as coins
from rewards_app.features.payments import demo as payments
from rewards_app.features.shop import rules, stock, stock_repository
from rewards_app.features.shop.catalogue import CURRENCY_OF, PACKAGES
from rewards_app.features.shop.repository import PURPOSE
from rewards_app.features.shop.rules import Offer, Status
from rewards_app.models import GiftCode, Purchase

CODES_A_PACKAGE = 12


@dataclass(frozen=True, slots=True)
class DemoOrder:
    package_id: str
    coins: int
    ago: timedelta


DEMO_ORDERS = (
    DemoOrder("valorant-475", 0, timedelta(hours=23)),
    DemoOrder("robux-400", 45, timedelta(hours=22, minutes=30)),
    DemoOrder("cod-500", 30, timedelta(hours=22)),
)
"""One by test payment, one with coins alone, one with both: fewer coins than the past earned.

Of those whose package is sold.
"""


async def add_stock(session: AsyncSession, *, now: datetime) -> None:
    """Codes that no game accepts, a dozen for each package."""
    codes = [_code(package_id, now) for package_id in PACKAGES for _ in range(CODES_A_PACKAGE)]
    await stock_repository.add_codes(session, codes)


def _code(package_id: str, now: datetime) -> GiftCode:
    code = f"DEMO-{package_id.upper()}-{_letters(4)}-{_letters(4)}"
    return GiftCode(
        package_id=package_id,
        code=code,
        fingerprint=stock.mark_of(code),
        is_demo=True,
        imported_at=now,
    )


def _letters(count: int) -> str:
    return "".join(secrets.choice(rules.CODE_LETTERS) for _ in range(count))


async def add_past(session: AsyncSession, player: UUID, *, now: datetime) -> None:
    """Completed orders, each with its coins, its money and its code; no letter is sent."""
    # The history is in the order of its identifiers.
    orders = [order for order in DEMO_ORDERS if order.package_id in PACKAGES]
    names = sorted(new_id() for _ in orders)
    for purchase_id, order in zip(names, orders, strict=True):
        await _add_order(session, player, purchase_id, order, at=now - order.ago)


async def _add_order(
    session: AsyncSession, player: UUID, purchase_id: UUID, order: DemoOrder, *, at: datetime
) -> None:
    purchase = _purchase(player, purchase_id, order, at=at)
    session.add(purchase)
    await session.flush()
    code = _code(order.package_id, at)
    code.status, code.purchase_id, code.delivered_at = "delivered", purchase_id, at
    session.add(code)
    offer = Offer(purchase.price_kr, purchase.coins_spent)
    if offer.coins:
        hold_id = await coins.hold(session, player, offer.coins, f"purchase:{purchase_id}", now=at)
        await coins.settle(session, hold_id, subject=purchase.product_name, now=at)
    if not offer.is_free:
        await payments.add_paid(
            session,
            player,
            PURPOSE,
            purchase_id,
            purchase.product_name,
            offer.to_pay_ore,
            paid_at=at,
        )


def _purchase(player: UUID, purchase_id: UUID, order: DemoOrder, *, at: datetime) -> Purchase:
    package, currency = PACKAGES[order.package_id], CURRENCY_OF[order.package_id]
    return Purchase(
        id=purchase_id,
        account_id=player,
        attempt=new_id(),
        package_id=package.id,
        product_name=currency.product_name(package),
        game=currency.game,
        currency_amount=package.amount,
        price_kr=package.price_kr,
        coins_spent=min(order.coins, package.price_kr),
        status=Status.COMPLETED,
        purchase_code=rules.purchase_code(at, _letters(rules.CODE_LENGTH)),
        created_at=at,
        ended_at=at,
    )
