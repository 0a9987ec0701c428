"""What a player has to spend in the shop, and what they could earn more."""

from datetime import datetime
from typing import NamedTuple

from rewards_app.core.actor import Actor
from rewards_app.core.database import AsyncSession
from rewards_app.core.settings import settings
from rewards_app.features.ads import catalogue as ads
from rewards_app.features.ads import standings
from rewards_app.features.coins import service as coins
from rewards_app.features.guardians import service as guardians
from rewards_app.features.payments import service as payments
from rewards_app.features.shop import (
    exchange,
    history_repository,
    rules,
    stock_repository,
)
from rewards_app.features.shop.catalogue import PACKAGES
from rewards_app.features.shop.exchange import Money
from rewards_app.features.shop.rules import Card
from rewards_app.features.shop.watching_rules import Earning

UNKNOWN_AD = (15, 30)
"""Coins and seconds of an ad while none is running: the usual ones."""


class Purse(NamedTuple):
    """What a player has to spend, and what they could earn more.

    A tuple: a state would watch every look into a dataclass that it keeps for changes.
    """

    balance: int
    money: Money
    earning: Earning
    in_stock: set[str]
    card: Card


async def purse_of(session: AsyncSession, actor: Actor, *, now: datetime) -> Purse:
    standing = await standings.standing(actor.user_id, now=now)
    paid, takes = await ads.usual(session) or UNKNOWN_AD
    balance = await coins.balance_of(actor.user_id)
    return Purse(
        balance.balance,
        exchange.money_of(await history_repository.country_of(session, actor.user_id)),
        Earning(
            paid,
            takes,
            standing.left_today,
            await standings.left_in_sitting(actor.user_id, now=now),
        ),
        await stock_repository.in_stock(
            session,
            PACKAGES,
            rules.codes_for(is_trial=False, is_production=settings().is_production),
        ),
        await _card(session, actor, now=now),
    )


async def _card(session: AsyncSession, actor: Actor, *, now: datetime) -> Card:
    if not payments.takes_cards():
        return Card.OFF
    is_missing = await guardians.is_missing(session, actor.user_id, now=now)
    return Card.NEEDS_GUARDIAN if is_missing else Card.TAKEN
