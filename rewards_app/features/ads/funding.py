"""Whether what a view costs its company covers what its player gets for it. Pure.

A coin is a krona. Prices are compared with it in thousandths of a cent, at 0.095 dollars a krona.
"""

from enum import StrEnum
from typing import LiteralString

A_COIN: LiteralString = "9500"
PARTS_A_COIN = int(A_COIN)
"""What a coin is worth, in thousandths of a cent."""
PARTS_AN_ORE = PARTS_A_COIN // 100


class Funding(StrEnum):
    """What is done about an ad whose price does not cover its reward."""

    OFF = "off"
    WARN = "warn"
    ENFORCE = "enforce"


class Gap(StrEnum):
    """What its company is told of such an ad."""

    NONE = ""
    WARNED = "warned"
    NOT_SERVED = "not_served"


IS_COVERED: LiteralString = f"""
    (campaign.budget_cents is null or ads.reward_coins * {A_COIN} <= campaign.budget_cents)
"""
"""Whether `ads`, of `campaign`, cost enough: the house's own are its own expense."""
HAS_AD_TO_SHOW: LiteralString = f"""
    exists (select from ads where ads.campaign_id = campaign.id and ads.status = 'active'
        and (not %(enforces)s or {IS_COVERED}))
"""
"""Whether `campaign` has an approved ad, which the house does not hold back."""
FUNDED: LiteralString = f"least(spend, rewards * {A_COIN})"
"""How much of the rewards of an ad's day its company paid for, in thousandths of a cent."""


def is_covered(price: int | None, coins: int) -> bool:
    """Of one view. What costs nothing is the house's own, and its own expense."""
    return not price or worth_of(coins) <= price


def worth_of(coins: int) -> int:
    """In thousandths of a cent."""
    return coins * PARTS_A_COIN


def gap(price: int | None, coins: int, funding: Funding) -> Gap:
    if funding is Funding.OFF or is_covered(price, coins):
        return Gap.NONE
    return Gap.NOT_SERVED if funding is Funding.ENFORCE else Gap.WARNED


def ore_of(parts: int) -> int:
    """Thousandths of a cent as öre, to the nearest."""
    return (2 * parts + PARTS_AN_ORE) // (2 * PARTS_AN_ORE)
