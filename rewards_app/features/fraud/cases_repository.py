"""Everything that is known of one account, on one time line: each source read by its own index."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from typing import Any, LiteralString
from uuid import UUID

from rewards_app.core.database import AsyncSession, rows
from rewards_app.features.fraud.case_rules import Source
from rewards_app.features.support.appeals import MOST_ADDITIONS, SAID

# Each part answers with the moment, the event's key, what kind of event it is, and what is told of
# it. What comes before a moment is cut off in each part, so that none reads more than it shows.
_SIGNALS: LiteralString = """
(select created_at as at, 'signal:' || id as key, 'signal' as what,
    jsonb_build_object('rule', rule, 'risk', risk_score, 'evidence', evidence,
        'action', action_taken) as told
from fraud_signals
where account_id = %(account_id)s and created_at <= %(at)s
    and (created_at, 'signal:' || id) < (%(at)s, %(key)s)
order by created_at desc, key desc limit %(limit)s)
"""
# From one hour with views to the one before it: however many views there are, only those that are
# shown are read. An hour stands where its last view began.
_VIEWS: LiteralString = """
(with recursive hours as (
    (select 1 as step, date_trunc('hour', started_at) as hour from ad_views
    where account_id = %(account_id)s and started_at <= %(at)s order by started_at desc limit 1)
    union all
    select step + 1, (select date_trunc('hour', started_at) from ad_views
        where account_id = %(account_id)s and started_at < hours.hour
        order by started_at desc limit 1)
    from hours where step <= %(limit)s and hour is not null
)
select last as at, 'views:' || extract(epoch from hour)::bigint as key, 'views' as what,
    jsonb_build_object('hour', hour, 'first', first, 'last', last, 'views', views,
        'rewarded', rewarded, 'coins', coins, 'given_up', given_up, 'expired', expired,
        'refused', refused, 'running', running, 'clicks', clicks, 'parts', parts,
        'credited', credited) as told
from hours cross join lateral (
    select min(started_at) as first, max(started_at) as last, count(*) as views,
        count(*) filter (where status = 'rewarded') as rewarded,
        coalesce(sum(reward_coins) filter (where status = 'rewarded'), 0) as coins,
        count(*) filter (where status = 'given_up') as given_up,
        count(*) filter (where status = 'expired') as expired,
        count(*) filter (where status = 'refused') as refused,
        count(*) filter (where status = 'running') as running,
        count(clicked_at) as clicks,
        coalesce(sum(price) filter (where status = 'rewarded' and invalid_at is null), 0) as parts,
        count(invalid_at) as credited
    from ad_views where account_id = %(account_id)s and started_at >= hours.hour
        and started_at < hours.hour + interval '1 hour'
) as counted
where hour is not null and (last, 'views:' || extract(epoch from hour)::bigint)
    < (%(at)s, %(key)s)
order by at desc, key desc limit %(limit)s)
"""
_SESSIONS: LiteralString = """
(select created_at as at, 'begun:' || id as key, 'session_begun' as what,
    jsonb_build_object('agent', user_agent, 'address', coalesce(ip_address, ''),
        'is_open', ended_at is null, 'active', last_active_at) as told
from account_sessions
where account_id = %(account_id)s and (created_at, 'begun:' || id) < (%(at)s, %(key)s)
order by created_at desc, key desc limit %(limit)s)
union all
(select ended_at as at, 'ended:' || id as key, 'session_ended' as what,
    jsonb_build_object('agent', user_agent, 'begun', created_at) as told
from account_sessions
where account_id = %(account_id)s and (ended_at, 'ended:' || id) < (%(at)s, %(key)s)
order by ended_at desc, key desc limit %(limit)s)
"""
_DEVICES: LiteralString = """
(select first_seen_at as at, 'device:' || own.device_hash as key, 'device' as what,
    jsonb_build_object('device', left(own.device_hash, 8), 'last', own.last_seen_at,
        'accounts', (select count(*) from device_uses other
            where other.device_hash = own.device_hash and other.account_id <> own.account_id),
        'others', (select coalesce(jsonb_agg(jsonb_build_object('id', id, 'name', display_name,
                'is_suspended', is_suspended) order by last_seen_at desc), '[]')
            from (select account.id, account.display_name, other.last_seen_at,
                    exists (select from account_restrictions held
                        where held.account_id = account.id and held.kind = 'suspended'
                            and held.ended_at is null) as is_suspended
                from device_uses other join accounts account on account.id = other.account_id
                where other.device_hash = own.device_hash and other.account_id <> own.account_id
                order by other.last_seen_at desc limit 8) as seen)) as told
from device_uses own
where own.account_id = %(account_id)s
    and (first_seen_at, 'device:' || own.device_hash) < (%(at)s, %(key)s)
order by first_seen_at desc, key desc limit %(limit)s)
"""
_PURCHASES: LiteralString = """
(select created_at as at, 'purchase:' || id as key, 'purchase' as what,
    jsonb_build_object('product', product_name, 'coins', coins_spent,
        'ore', (price_kr - coins_spent) * 100, 'status', status, 'code', purchase_code) as told
from purchases
where account_id = %(account_id)s and (created_at, 'purchase:' || id) < (%(at)s, %(key)s)
order by created_at desc, key desc limit %(limit)s)
union all
(select refunded_at as at, 'refund:' || purchase.id as key, 'refund' as what,
    jsonb_build_object('product', product_name, 'coins', coins_spent,
        'ore', (price_kr - coins_spent) * 100, 'code', purchase_code, 'reason', refund_reason,
        'by', coalesce(admin.display_name, '')) as told
from purchases purchase left join accounts admin on admin.id = purchase.refunded_by
where purchase.account_id = %(account_id)s
    and (refunded_at, 'refund:' || purchase.id) < (%(at)s, %(key)s)
order by refunded_at desc, key desc limit %(limit)s)
"""
_RESTRICTIONS: LiteralString = """
(select begun_at as at, 'held:' || held.id as key, 'restricted' as what,
    jsonb_build_object('kind', kind, 'reason', reason, 'is_automatic', is_automatic,
        'grounds', grounds, 'risk', coalesce(risk_score, 0),
        'by', coalesce(admin.display_name, '')) as told
from account_restrictions held left join accounts admin on admin.id = held.begun_by
where held.account_id = %(account_id)s and (begun_at, 'held:' || held.id) < (%(at)s, %(key)s)
order by begun_at desc, key desc limit %(limit)s)
union all
(select ended_at as at, 'lifted:' || held.id as key, 'lifted' as what,
    jsonb_build_object('kind', kind, 'reason', end_reason, 'by',
        coalesce(admin.display_name, '')) as told
from account_restrictions held left join accounts admin on admin.id = held.ended_by
where held.account_id = %(account_id)s and (ended_at, 'lifted:' || held.id) < (%(at)s, %(key)s)
order by ended_at desc, key desc limit %(limit)s)
"""
_APPEALS: LiteralString = f"""
(select created_at as at, 'appeal:' || id as key, 'appeal' as what,
    jsonb_build_object('number', number, 'said', {SAID}, 'status', status) as told
from support_tickets ticket
where account_id = %(account_id)s and about like 'restriction:%%'
    and (created_at, 'appeal:' || id) < (%(at)s, %(key)s)
order by created_at desc, key desc limit %(limit)s)
"""  # noqa: S608  (both parts are ours)
# What the restrictions tell already is not told twice.
_AUDIT: LiteralString = """
(select created_at as at, 'audit:' || lpad(number::text, 12, '0') as key, 'audit' as what,
    jsonb_build_object('number', number, 'action', action, 'by', actor_name, 'origin', origin,
        'before', before, 'after', after, 'reason', reason) as told
from audit_entries
where about = 'account:' || %(account_id)s::text
    and action not in ('earning_paused', 'earning_resumed', 'suspended', 'restored')
    and (created_at, 'audit:' || lpad(number::text, 12, '0')) < (%(at)s, %(key)s)
order by number desc limit %(limit)s)
"""
_JOINED: LiteralString = """
(select created_at as at, 'joined' as key, 'joined' as what,
    jsonb_build_object('role', role) as told
from accounts
where id = %(account_id)s and (created_at, 'joined') < (%(at)s, %(key)s))
"""
PARTS: dict[Source, LiteralString] = {
    Source.SIGNALS: _SIGNALS,
    Source.VIEWS: _VIEWS,
    Source.SESSIONS: f"{_SESSIONS} union all {_DEVICES} union all {_JOINED}",
    Source.PURCHASES: _PURCHASES,
    Source.DECISIONS: f"{_RESTRICTIONS} union all {_APPEALS} union all {_AUDIT}",
}


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened, and where it stands on the time line."""

    at: datetime
    key: str
    what: str
    told: dict[str, Any]


async def time_line(
    session: AsyncSession,
    account_id: UUID,
    sources: Collection[Source],
    *,
    before: tuple[datetime, str],
    limit: int,
) -> list[Event]:
    """The newest first, all of them before that moment and key."""
    parts = " union all ".join(PARTS[source] for source in Source if source in sources)
    query: LiteralString = (  # pyright: ignore[reportAssignmentType]
        f"select at, key, what, told from ({parts}) as event"  # noqa: S608  (the parts are ours)
        " order by at desc, key desc limit %(limit)s"
    )
    values = {
        "account_id": account_id,
        "at": before[0],
        "key": before[1],
        "limit": limit,
        "additions": MOST_ADDITIONS,
    }
    return [Event(*row) for row in await rows(session, query, values)]


@dataclass(frozen=True, slots=True)
class Person:
    id: UUID
    name: str
    email: str
    role: str
    is_verified: bool
    since: datetime
    language: str
    country: str
    is_closed: bool
    is_erased: bool
    company: str
    """For which they act; empty for most, as its id is."""
    company_id: str

    @property
    def is_mailed(self) -> bool:
        """Whether what is decided is mailed to them, as `measures` does."""
        return self.is_verified and not self.is_closed


_WITH_COMPANY: LiteralString = """
from accounts account left join (advertiser_members member join advertisers company
        on company.id = member.advertiser_id and company.status = 'approved')
    on member.account_id = account.id
where account.id = %(id)s
"""
_COMPANY: LiteralString = "coalesce(company.company_name, '')"
PERSON: LiteralString = f"""
select account.id, account.display_name, account.email, account.role,
    account.email_verified_at is not null, account.created_at, account.language, account.country,
    account.closed_at is not null,
    exists(select from account_closures closure
        where closure.account_id = account.id and closure.erased_at is not null),
    {_COMPANY}, coalesce(company.id::text, '')
{_WITH_COMPANY}
"""  # noqa: S608  (all parts are ours)
COMPANY: LiteralString = f"select {_COMPANY} {_WITH_COMPANY}"


async def person(session: AsyncSession, account_id: UUID) -> Person | None:
    found = await rows(session, PERSON, {"id": account_id})
    return Person(*found[0]) if found else None


async def company_of(session: AsyncSession, account_id: UUID) -> str:
    """The name of the company that they act for; empty where they act for none."""
    return (await rows(session, COMPANY, {"id": account_id}))[0][0]


@dataclass(frozen=True, slots=True)
class Holding:
    """A restriction in force, who began it, and the appeal against it that is not closed."""

    id: UUID
    kind: str
    reason: str
    is_automatic: bool
    grounds: list[str]
    risk: int
    since: datetime
    by: str
    ticket: int | None
    status: str
    said: list[str]
    """What the appeal began with, and what was added last."""


HOLDING: LiteralString = f"""
select held.id, held.kind, held.reason, held.is_automatic, held.grounds,
    coalesce(held.risk_score, 0), held.begun_at, coalesce(admin.display_name, ''),
    ticket.number, coalesce(ticket.status, ''),
    case when ticket.number is null then '{{}}' else {SAID} end
from account_restrictions held left join accounts admin on admin.id = held.begun_by
    left join support_tickets ticket on ticket.account_id = held.account_id
        and ticket.about = 'restriction:' || held.id and ticket.status <> 'closed'
where held.account_id = %(id)s and held.ended_at is null
order by held.kind desc
"""  # noqa: S608  (both parts are ours)


async def holding(session: AsyncSession, account_id: UUID) -> list[Holding]:
    """The suspension first."""
    values = {"id": account_id, "additions": MOST_ADDITIONS}
    return [Holding(*row) for row in await rows(session, HOLDING, values)]


@dataclass(frozen=True, slots=True)
class View:
    """One view of an hour."""

    id: UUID
    title: str
    company: str
    status: str
    refusal: str
    started_at: datetime
    seconds: int
    """From its start to its end; for one that runs, none."""
    required: int
    reward: int
    parts: int
    """What its company pays for it, in thousandths of a cent."""
    is_credited: bool
    credited_why: str
    """What whoever credited it back wrote."""
    credited_by: str
    """Empty for the command line, and where the line of the log has lost its words."""


HOUR: LiteralString = """
select view.id, ads.title, company.company_name, view.status, coalesce(view.refusal, ''),
    view.started_at,
    coalesce(extract(epoch from view.ended_at - view.started_at), 0)::int,
    view.required_seconds, view.reward_coins, view.price, view.invalid_at is not null,
    view.invalid_reason, coalesce((select actor_name from audit_entries
        where view.invalid_at is not null and about = 'view:' || view.id
        order by number limit 1), '')
from ad_views view join ads on ads.id = view.ad_id
    join ad_campaigns campaign on campaign.id = ads.campaign_id
    join advertisers company on company.id = campaign.advertiser_id
where view.account_id = %(id)s and view.started_at >= %(hour)s
    and view.started_at < %(hour)s + interval '1 hour'
order by view.started_at desc limit %(limit)s
"""


async def views_of_hour(
    session: AsyncSession, account_id: UUID, hour: datetime, *, limit: int
) -> list[View]:
    """The newest first."""
    values = {"id": account_id, "hour": hour, "limit": limit}
    return [View(*row) for row in await rows(session, HOUR, values)]


_PAID_FOR: LiteralString = """
from ad_views where account_id = %(id)s and rewarded_at >= %(since)s and invalid_at is null
    and price > 0
"""
# The house pays for nothing, so that nothing can come back to it.
CREDITABLE: LiteralString = f"select count(*), coalesce(sum(price), 0)::bigint {_PAID_FOR}"
IDS: LiteralString = f"select id {_PAID_FOR} order by rewarded_at limit %(limit)s"


async def creditable(session: AsyncSession, account_id: UUID, since: datetime) -> tuple[int, int]:
    """How many rewarded views companies paid for since then, and how much together."""
    found = await rows(session, CREDITABLE, {"id": account_id, "since": since})
    return found[0][0], found[0][1]


async def creditable_views(
    session: AsyncSession, account_id: UUID, since: datetime, *, limit: int
) -> list[UUID]:
    """The oldest first."""
    values = {"id": account_id, "since": since, "limit": limit}
    return [row[0] for row in await rows(session, IDS, values)]


async def is_view_of(session: AsyncSession, account_id: UUID, view_id: UUID) -> bool:
    found = await rows(
        session,
        "select 1 from ad_views where id = %(view)s and account_id = %(id)s",
        {"view": view_id, "id": account_id},
    )
    return bool(found)
