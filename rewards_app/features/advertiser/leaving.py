"""What becomes of a company when one of its people closes their account, and is forgotten."""

from datetime import datetime
from typing import Any, LiteralString
from uuid import UUID

from rewards_app.core import live
from rewards_app.core.database import AsyncSession, rows
from rewards_app.features.accounts import closing
from rewards_app.features.ads import serving
from rewards_app.features.ads.budgets import cents_of
from rewards_app.features.advertiser import lifecycle, money
from rewards_app.features.advertiser.campaign_rules import EndedBy
from rewards_app.features.advertiser.membership import CHANGED
from rewards_app.features.alerts import service as alerts

# Of those who leave at the same instant, each knows who left before them.
ONE_AFTER_THE_OTHER: LiteralString = """
select account_id from advertiser_members where advertiser_id in (
    select advertiser_id from advertiser_members where account_id = %(account)s
)
order by account_id for no key update
"""
# Who is leaving as well takes nothing over.
ALONE: LiteralString = """
select own.advertiser_id from advertiser_members own
where own.account_id = %(account)s and not exists (select from advertiser_members other
    join accounts account on account.id = other.account_id
    where other.advertiser_id = own.advertiser_id and other.account_id <> own.account_id
        and account.closed_at is null)
"""
# Locked in the order of their ids, as everywhere; an update takes rows as it finds them.
RUNNING: LiteralString = f"""
with running as materialized (
    select id from ad_campaigns where status = 'active' and advertiser_id in ({ALONE})
    order by id for no key update
)
update ad_campaigns campaign set status = 'paused', paused_at = %(now)s, updated_at = %(now)s
from running where campaign.id = running.id
returning campaign.id, campaign.advertiser_id
"""  # noqa: S608  (both parts are ours)
WAITING: LiteralString = """
with waiting as materialized (
    select id from ad_campaigns
    where id = any(%(ids)s::uuid[]) and status = 'paused' and paused_at = %(since)s
    order by id for no key update
)
update ad_campaigns campaign set status = 'active', paused_at = null, updated_at = %(now)s
from waiting where campaign.id = waiting.id
returning campaign.id, campaign.advertiser_id
"""


async def pause(session: AsyncSession, account_id: UUID, now: datetime) -> dict[str, Any]:
    """Nobody is left to look after what runs: it is shown no more; which that was."""
    await rows(session, ONE_AFTER_THE_OTHER, {"account": account_id})
    found = await rows(session, RUNNING, {"account": account_id, "now": now})
    await _follow(session, [(row[0], row[1]) for row in found], now)
    return {"since": now.isoformat(), "campaigns": [str(row[0]) for row in found]}


async def resume(session: AsyncSession, account_id: UUID, hidden: Any, now: datetime) -> None:
    """What was paused then, and touched by nobody since, runs again."""
    values = {
        "ids": hidden["campaigns"],
        "since": datetime.fromisoformat(hidden["since"]),
        "now": now,
    }
    found = await rows(session, WAITING, values)
    await _follow(session, [(row[0], row[1]) for row in found], now)


async def _follow(session: AsyncSession, changed: list[tuple[UUID, UUID]], now: datetime) -> None:
    for campaign_id, advertiser_id in changed:
        live.announce_after(session, CHANGED, str(advertiser_id))
        await serving.sync(session, campaign_id, now=now)


async def strands(session: AsyncSession, account_id: UUID) -> int:
    """What a company has that nobody else acts for, in cents: what its campaigns would give back
    is part of it."""
    found = await rows(session, ALONE, {"account": account_id})
    return sum([await _left_in(session, advertiser_id) for (advertiser_id,) in found])


async def _left_in(session: AsyncSession, advertiser_id: UUID) -> int:
    funds = await money.funds_of(session, advertiser_id)
    return max(0, cents_of(funds.balance + funds.set_aside))


LEAVING = closing.Leaving("campaigns", pause, resume, strands)


OWN: LiteralString = """
select advertiser_id from advertiser_members where account_id = %(account)s
union select id from advertisers where account_id = %(account)s
"""
# Who has been there longest owns it from now on; of those who are leaving, too, only where nobody
# else is left: they may come back.
HAND_OVER: LiteralString = """
update advertiser_members heir set role = 'owner'
from advertiser_members leaving
where leaving.account_id = %(account)s and leaving.role = 'owner'
    and heir.account_id = (
        select member.account_id from advertiser_members member
            join accounts account on account.id = member.account_id
        where member.advertiser_id = leaving.advertiser_id
            and member.account_id <> leaving.account_id
        order by account.closed_at is not null, member.role <> 'owner', member.created_at,
            member.account_id
        limit 1
    )
returning heir.account_id
"""
# Also what they applied with once, and left behind.
LEFT_ALONE: LiteralString = f"""
select own.advertiser_id from ({OWN}) as own
where not exists (select from advertiser_members other
    where other.advertiser_id = own.advertiser_id and other.account_id <> %(account)s)
"""  # noqa: S608  (it is ours)
# Campaigns and top-ups come before their company, as everywhere: all of them, before the first is
# settled.
CAMPAIGNS: LiteralString = """
select id, status in ('draft', 'active', 'paused') as is_open from ad_campaigns
where advertiser_id = any(%(companies)s::uuid[])
order by id for no key update
"""
TOP_UPS: LiteralString = """
select id from top_ups
where advertiser_id = any(%(companies)s::uuid[]) or account_id = %(account)s
    or lower(email) = lower(%(email)s)
order by id for no key update
"""
# Invoices go on naming their customer: the law wants them whole for seven years. Nobody waits for
# the answer to an application any more, and an admin who still looks at it decides on nothing; what
# was approved is no advertiser any more, for whom something could be planned.
FORGET_COMPANY: LiteralString = """
update advertisers set company_name = '–', email = '', phone = null, website = '', reason = '',
    mails_reviews = false, mails_budgets = false, mails_reports = false,
    status = 'rejected', updated_at = %(now)s
where id = %(company)s returning id
"""
FORGET_WHY_THEY_ENDED: LiteralString = """
update ad_campaigns set ended_because = ''
where advertiser_id = %(company)s and ended_because <> '' returning id
"""
FORGET_INVITATIONS: LiteralString = """
delete from advertiser_invitations where advertiser_id = %(company)s returning id
"""
FORGET_UNPAID: LiteralString = """
update top_ups set company_name = '–'
where advertiser_id = %(company)s and invoice_number is null returning id
"""
OF_THE_COMPANY = (FORGET_COMPANY, FORGET_WHY_THEY_ENDED, FORGET_INVITATIONS, FORGET_UNPAID)
# Whoever applied, and whom it can be reached at now. The phone is theirs if it is their company.
FORGET_CONTACT: LiteralString = """
update advertisers company set account_id = nullif(company.account_id, %(account)s),
    phone = case when company.account_id = %(account)s or company.id in (
        select advertiser_id from advertiser_members where account_id = %(account)s
    ) then null else company.phone end,
    email = case when lower(company.email) = lower(%(email)s) then coalesce((
        select account.email from advertiser_members owner
            join accounts account on account.id = owner.account_id
        where owner.advertiser_id = company.id and owner.role = 'owner'
            and owner.account_id <> %(account)s
        order by account.closed_at is not null, owner.created_at limit 1
    ), '') else company.email end
where company.account_id = %(account)s or lower(company.email) = lower(%(email)s) returning id
"""
FORGET_PAYER: LiteralString = """
update top_ups set email = ''
where account_id = %(account)s or lower(email) = lower(%(email)s) returning id
"""


PAID_IN: LiteralString = """
select payments.id from top_ups
    join payments on payments.purpose = 'top_up' and payments.subject_id = top_ups.id
where top_ups.advertiser_id = %(company)s and top_ups.status = 'paid'
order by top_ups.paid_at desc limit 3
"""


async def _call_for_money(session: AsyncSession, advertiser_id: UUID, *, now: datetime) -> None:
    """Nobody can ask for it any more: somebody has to pay it back."""
    cents = await _left_in(session, advertiser_id)
    if not cents:
        return
    paid_in = await rows(session, PAID_IN, {"company": advertiser_id})
    await alerts.raise_alert(
        session,
        alerts.Kind.ADVERTISER_LEFT_MONEY,
        about=f"company:{advertiser_id}",
        now=now,
        cents=cents,
        company=str(advertiser_id),
        payments=", ".join(str(payment_id) for (payment_id,) in paid_in) or "–",
    )


async def forget(session: AsyncSession, account_id: UUID, email: str, *, now: datetime) -> None:
    """Whoever remains goes on with the company; where nobody does, it ends, and only books stay."""
    values = {"account": account_id, "email": email}
    for (advertiser_id,) in await rows(session, OWN, values):
        live.announce_after(session, CHANGED, str(advertiser_id))
    await rows(session, HAND_OVER, values)
    left_alone = [advertiser_id for (advertiser_id,) in await rows(session, LEFT_ALONE, values)]
    locking = values | {"companies": left_alone}
    campaigns = await rows(session, CAMPAIGNS, locking)
    await rows(session, TOP_UPS, locking)
    for campaign_id, is_open in campaigns:
        if is_open:
            await lifecycle.end(session, campaign_id, EndedBy.COMPANY, now=now)
    for advertiser_id in left_alone:
        await _call_for_money(session, advertiser_id, now=now)
        for query in OF_THE_COMPANY:
            await rows(session, query, {"company": advertiser_id, "now": now})
    for query in (FORGET_CONTACT, FORGET_PAYER):
        await rows(session, query, values)
