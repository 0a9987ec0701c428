"""Sums for the economy: of the days of ads, and of what the ledger has besides ads."""

from dataclasses import dataclass
from datetime import date, datetime
from typing import LiteralString
from uuid import UUID

from rewards_app.core.database import AsyncSession, rows
from rewards_app.features.ads.budgets import SERVABLE
from rewards_app.features.ads.catalogue import OWNERS
from rewards_app.features.ads.funding import A_COIN, FUNDED, IS_COVERED
from rewards_app.features.ads.serving import asked_at
from rewards_app.features.advertiser.figure_rules import Span
from rewards_app.features.coins.service import TALLIED
from rewards_app.features.economy.rules import Flow

_OF_ADS: LiteralString = """
select ad_id, day, campaign_id, sum(spend)::bigint as spend, sum(rewards)::bigint as rewards
from ad_days where day between %(first)s and %(last)s group by ad_id, day, campaign_id
"""
DAYS: LiteralString = f"""
select day, sum(spend)::bigint, sum(rewards)::bigint,
    coalesce(sum(rewards) filter (where budget_cents is null), 0)::bigint,
    sum({FUNDED})::bigint
from ({_OF_ADS}) known join ad_campaigns campaign on campaign.id = known.campaign_id
group by day
"""  # noqa: S608  (all parts are ours)


async def of_ads(session: AsyncSession, span: Span) -> dict[date, Flow]:
    """What companies spent and players got, on each day on which there was something."""
    found = await rows(session, DAYS, {"first": span.first, "last": span.last})
    return {
        day: Flow(spend=spend, rewards=rewards, house_rewards=house, funded=funded)
        for day, spend, rewards, house, funded in found
    }


ENTRIES: LiteralString = f"""
select day,
    coalesce(sum(amount) filter (where kind = 'welcome'), 0)::bigint,
    coalesce(-sum(amount) filter (where kind = 'purchase'), 0)::bigint,
    coalesce(sum(amount) filter (where kind = 'refund'), 0)::bigint,
    coalesce(-sum(amount) filter (where kind = 'expiry'), 0)::bigint
from {TALLIED} as known
where kind <> 'ad' and day between %(first)s and %(last)s group by day
"""  # noqa: S608  (both parts are ours)


async def of_entries(session: AsyncSession, first: date, last: date) -> dict[date, Flow]:
    """What the ledger has besides ads, on the days of the platform."""
    found = await rows(session, ENTRIES, {"first": first, "last": last})
    return {
        day: Flow(otherwise=otherwise, spent=spent, refunded=refunded, expired=expired)
        for day, otherwise, spent, refunded, expired in found
    }


@dataclass(frozen=True, slots=True)
class Outstanding:
    """Coins that players can still spend."""

    free: int
    held: int
    """Promised to orders that are not paid yet."""

    @property
    def coins(self) -> int:
        return self.free + self.held


# Balances of who was forgotten stay, for the ledger's sums; nobody can spend them.
OUTSTANDING: LiteralString = """
select coalesce(sum(balance), 0)::bigint, coalesce(sum(held), 0)::bigint
from coin_balances balance where not exists (select from account_closures closure
    where closure.account_id = balance.account_id and closure.erased_at is not null)
"""


async def outstanding(session: AsyncSession) -> Outstanding:
    return Outstanding(*(await rows(session, OUTSTANDING, {}))[0])


@dataclass(frozen=True, slots=True)
class Shown:
    """Ads that players could be shown now, if the house did not enforce that they are funded."""

    covered: int
    uncovered: int
    """Their price does not cover their reward: these are what the setting decides on."""


SHOWN: LiteralString = f"""
select count(*) filter (where {IS_COVERED}), count(*) filter (where not {IS_COVERED})
from ads {OWNERS} where {SERVABLE}
"""  # noqa: S608  (all parts are ours)


async def shown(session: AsyncSession, *, now: datetime) -> Shown:
    return Shown(*(await rows(session, SHOWN, asked_at(now) | {"enforces": False}))[0])


@dataclass(frozen=True, slots=True)
class AdGap:
    """An ad for whose rewards more was paid than its company paid."""

    ad_id: UUID
    title: str
    company: str
    is_house: bool
    flow: Flow


GAPS: LiteralString = f"""
with worst as (
    select ad_id, campaign_id, sum(spend)::bigint as spend, sum(rewards)::bigint as rewards,
        sum({FUNDED})::bigint as funded
    from ({_OF_ADS}) known group by ad_id, campaign_id
    having sum(rewards) * {A_COIN} > sum({FUNDED})
    order by sum(rewards) * {A_COIN} - sum({FUNDED}) desc, ad_id limit %(limit)s
)
select ads.id, ads.title, advertiser.company_name, campaign.budget_cents is null, worst.spend,
    worst.rewards, worst.funded
from worst join ads on ads.id = worst.ad_id {OWNERS}
order by worst.rewards * {A_COIN} - worst.funded desc, ads.id
"""  # noqa: S608  (all parts are ours)


async def gaps(session: AsyncSession, span: Span, *, limit: int) -> list[AdGap]:
    """The ads whose rewards cost the house most, the worst first."""
    values = {"first": span.first, "last": span.last, "limit": limit}
    return [
        AdGap(
            ad_id,
            title,
            company,
            is_house,
            Flow(spend, rewards, house_rewards=rewards if is_house else 0, funded=funded),
        )
        for ad_id, title, company, is_house, spend, rewards, funded in await rows(
            session, GAPS, values
        )
    ]
