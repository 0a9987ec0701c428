"""The proof that companies' money is where it should be: entries, balances, invoices, budgets.

What is counted of views that nobody pays for is compared with them, too.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import LiteralString

import structlog

from rewards_app.core.database import AsyncSession, rows
from rewards_app.features.ads.budgets import PARTS, VIEWS
from rewards_app.features.alerts import service as alerts

_log = structlog.get_logger(__name__)

MOST_NAMED = 100

BALANCE: LiteralString = """
with summed as (
    select advertiser_id, sum(amount) as total from advertiser_entries group by advertiser_id
)
select 'company ' || id || ' has ' || balance || ', its entries add up to ' || coalesce(total, 0)
from advertisers left join summed on summed.advertiser_id = advertisers.id
where balance <> coalesce(total, 0)
"""
SKIPS: LiteralString = """
select 'entry ' || number || ' of company ' || advertiser_id
    || ' does not follow from the one before it'
from (select number, advertiser_id, amount, balance_after,
        coalesce(lag(balance_after) over (partition by advertiser_id order by number), 0) as before
    from advertiser_entries) as lines
where balance_after <> before + amount
"""
TOP_UPS: LiteralString = f"""
select 'top-up ' || coalesce(top_ups.id::text, entry.cause, back.cause) || ' is '
    || coalesce(status, 'not there') || ', which its entries contradict'
from top_ups
    full join (select * from advertiser_entries where kind = 'top_up') as entry
        on entry.cause = 'top_up:' || top_ups.id
    full join (
        select 'returned:' || split_part(cause, ':', 2) as cause, advertiser_id,
            sum(amount) as amount
        from advertiser_entries where kind = 'returned'
        group by split_part(cause, ':', 2), advertiser_id
    ) as back on back.cause = 'returned:' || top_ups.id
where coalesce(entry.amount, 0) <> case when status in ('paid', 'returned')
        then cents * {PARTS}::bigint else 0 end
    or coalesce(back.amount, 0) <> case when status = 'returned'
        then cents * -{PARTS}::bigint else returned_cents * -{PARTS}::bigint end
    or status is null
    or entry.advertiser_id <> top_ups.advertiser_id or back.advertiser_id <> top_ups.advertiser_id
"""  # noqa: S608  (all parts are ours)
MONEY: LiteralString = """
select 'top-up ' || coalesce(top_ups.id, payments.subject_id) || ' is '
    || coalesce(top_ups.status, 'not there') || ', its payment is '
    || coalesce(payments.status, 'not there')
from top_ups
    full join (select * from payments where purpose = 'top_up') as payments
        on payments.subject_id = top_ups.id
where payments.id is null or top_ups.id is null or payments.amount <> cents
    or payments.currency <> 'usd' or payments.account_id <> top_ups.account_id
    or not case top_ups.status
        when 'waiting' then payments.status in ('opening', 'open')
        when 'paid' then payments.status in ('paid', 'returning') and coalesce(charged, 0) = cents
        when 'returned' then payments.status = 'returned'
        else payments.status in (top_ups.status, 'returning', 'returned') end
"""
INVOICES: LiteralString = """
select 'invoices were numbered up to ' || last || ', and ' || count(invoice_number)
    || ' of them are there, up to ' || coalesce(max(invoice_number), 0)
from invoice_numbers left join top_ups on invoice_number is not null
group by last, skipped
having count(invoice_number) <> last - skipped or coalesce(max(invoice_number), 0) > last
"""
SET_ASIDE: LiteralString = f"""
select 'campaign ' || coalesce(campaign.id::text, entry.cause) || ' set aside '
    || coalesce(-entry.amount, 0) || ' for a budget of '
    || coalesce(campaign.budget_cents, 0) * {VIEWS}
from (select * from ad_campaigns where set_aside_at is not null) as campaign
    full join (select * from advertiser_entries where kind = 'set_aside') as entry
        on entry.cause = 'campaign:' || campaign.id
where entry.amount is distinct from -campaign.budget_cents * {VIEWS}
    or entry.advertiser_id <> campaign.advertiser_id
"""  # noqa: S608  (all parts are ours)
REST: LiteralString = f"""
select 'campaign ' || coalesce(campaign.id::text, entry.cause) || ' gave back '
    || coalesce(entry.amount, 0) || ' of ' || coalesce(campaign.rest, 0) || ' that were left'
from (select *, ({VIEWS} - taken) * budget_cents as rest
        from ad_campaigns where settled_at is not null and taken < {VIEWS}) as campaign
    full join (select * from advertiser_entries where kind = 'given_back') as entry
        on entry.cause = 'rest:' || campaign.id
where entry.amount is distinct from campaign.rest
    or entry.advertiser_id <> campaign.advertiser_id
"""  # noqa: S608  (all parts are ours)
# Of what was settled years ago some views may be gone: nothing is left to compare with.
GONE: LiteralString = """
coalesce((select max(month) from detached_months where table_name = 'ad_views'), '-infinity')
"""
HAS_ALL_VIEWS: LiteralString = f"""
date_trunc('month', campaign.starts_at at time zone 'UTC') > {GONE}
"""
SPENT: LiteralString = f"""
with paid as (
    select ads.campaign_id, sum(view.price) as spent
    from ad_views view join ads on ads.id = view.ad_id
    where view.status = 'rewarded' and view.invalid_at is null
    group by ads.campaign_id
),
counted as (
    select campaign_id, sum(spend) as spend from ad_days group by campaign_id
),
credited as (
    select ads.campaign_id, sum(entry.amount) as credit
    from advertiser_entries entry join ad_views view on entry.cause = 'view:' || view.id
        join ads on ads.id = view.ad_id
    where entry.kind = 'credited' and view.invalid_at is not null
    group by ads.campaign_id
)
select 'campaign ' || id || ' was charged ' || coalesce(spend, 0) || ' for '
    || taken || ' places, its views cost ' || coalesce(spent, 0)
    || ', ' || coalesce(credit, 0) || ' was credited'
from ad_campaigns campaign left join paid on paid.campaign_id = id
    left join counted on counted.campaign_id = id
    left join credited on credited.campaign_id = id
where set_aside_at is not null and {HAS_ALL_VIEWS} and (coalesce(spend, 0) <> coalesce(spent, 0)
    or settled_at is not null
        and taken * budget_cents <> coalesce(spent, 0) + coalesce(credit, 0))
"""  # noqa: S608  (all parts are ours)
REFUSED: LiteralString = f"""
with refused as (
    select ads.campaign_id, count(*) as views
    from ad_views view join ads on ads.id = view.ad_id
    where view.refused_at is not null and view.status <> 'rewarded'
    group by ads.campaign_id
),
counted as (
    select campaign_id, sum(refused) as views from ad_days group by campaign_id
)
select 'campaign ' || id || ' counts ' || coalesce(counted.views, 0)
    || ' views that were refused at their end, there are ' || coalesce(refused.views, 0)
from ad_campaigns campaign left join refused on refused.campaign_id = id
    left join counted on counted.campaign_id = id
where {HAS_ALL_VIEWS} and coalesce(counted.views, 0) <> coalesce(refused.views, 0)
"""  # noqa: S608  (all parts are ours)
CREDITED: LiteralString = f"""
select 'entry ' || entry.number || ' credits a view that is not invalid'
from advertiser_entries entry left join ad_views view
    on entry.cause = 'view:' || view.id and view.invalid_at is not null
        and view.price = entry.amount
where entry.kind = 'credited' and view.id is null and month_of_cause(entry.cause) > {GONE}
"""  # noqa: S608  (all parts are ours)
CHECKS: tuple[LiteralString, ...] = (
    BALANCE,
    SKIPS,
    TOP_UPS,
    MONEY,
    INVOICES,
    SET_ASIDE,
    REST,
    SPENT,
    REFUSED,
    CREDITED,
)


@dataclass(frozen=True, slots=True)
class Audit:
    companies: int
    wrong: Sequence[str]

    @property
    def is_clean(self) -> bool:
        return not self.wrong


async def check(session: AsyncSession) -> Audit:
    """Prove every company's money; each difference is said in one line."""
    wrong: list[str] = []
    for query in CHECKS:
        wrong += [row[0] for row in await rows(session, query, {})][:MOST_NAMED]
    companies = await rows(session, "select count(*) from advertisers", {})
    return Audit(int(companies[0][0]), wrong)


async def check_and_alert(session: AsyncSession, *, now: datetime) -> Audit:
    """The nightly check: each difference becomes an alert."""
    audit = await check(session)
    for line in audit.wrong:
        await alerts.raise_alert(
            session,
            alerts.Kind.ADVERTISER_DIFFERENCE,
            about=line[:120],
            now=now,
            line=line,
        )
    _log.info("companies.checked", companies=audit.companies, wrong=len(audit.wrong))
    return audit
