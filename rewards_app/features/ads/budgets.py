"""What a campaign's budget buys, and where serving stops. Pure.

Amounts of companies are US dollars in cents. A budget buys a thousand completed views, so that a
view costs a thousandth of it: as many thousandths of a cent as the budget has cents.
"""

from typing import LiteralString

from rewards_app.features.ads.funding import IS_COVERED

VIEWS: LiteralString = "1000"
VIEWS_A_BUDGET = int(VIEWS)
PARTS: LiteralString = "1000"
PARTS_A_CENT = int(PARTS)
"""Prices, balances and spend are counted in thousandths of a cent."""
PARTS_A_DOLLAR = 100 * PARTS_A_CENT

IS_OF_TODAY: LiteralString = "campaign.taken_day between %(day)s and %(day)s + 1"
"""Whether the places counted last are the day's. A worker whose clock is ahead may have begun the
next one; a day that is further off was counted by a clock that was wrong, and holds nobody up."""
TAKEN_TODAY: LiteralString = f"case when {IS_OF_TODAY} then campaign.taken_today else 0 end"
"""How many places of the day are taken, while no clock is wrong: then `places.begin` counts."""
IS_FULL: LiteralString = f"""
    (campaign.taken >= {VIEWS} or campaign.daily_budget_cents is not null
        and ({TAKEN_TODAY} + 1) * campaign.budget_cents > campaign.daily_budget_cents * {PARTS})
"""
"""Whether no place is left in the budget of `campaign`, or in that of its day."""
SERVABLE: LiteralString = f"""
    ads.status = 'active' and campaign.status = 'active' and advertiser.status = 'approved'
    and campaign.starts_at <= %(now)s and campaign.ends_at > %(now)s
    and (campaign.budget_cents is null or not {IS_FULL})
    and (not %(enforces)s or {IS_COVERED})
"""
"""Whether `ads`, of `campaign`, of `advertiser`, can be served at `now`, on the platform's `day`.

Active, in its dates, and with a place left in the budget and in that of the day; where the house
`enforces` it, only if its price covers its reward. Views that run have their places: those who
finish them are always paid, and nobody pays for more than was agreed.
"""


def cents_of(parts: int) -> int:
    """Thousandths of a cent as whole cents, halves away from zero: so do the pages write them."""
    cents = (2 * abs(parts) + PARTS_A_CENT) // (2 * PARTS_A_CENT)
    return cents if parts >= 0 else -cents


def whole_cents(parts: int) -> int:
    """Thousandths of a cent, filled up to the next whole one."""
    return -(-parts // PARTS_A_CENT) * PARTS_A_CENT


def cost_and_rest(spent: int, back: int) -> tuple[int, int]:
    """What was spent and what went back, in cents; together they are what was set aside."""
    cost = cents_of(spent)
    return cost, cents_of(spent + back) - cost


def views_a_day(budget_cents: int, daily_budget_cents: int) -> int:
    """How many views a day's budget pays for; the house's own campaigns count none."""
    if not budget_cents:
        return VIEWS_A_BUDGET
    return min(daily_budget_cents * VIEWS_A_BUDGET // budget_cents, VIEWS_A_BUDGET)
