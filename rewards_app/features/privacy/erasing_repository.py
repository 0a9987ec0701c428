"""Forgetting somebody in the database: table by table, and where others were told of them."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, LiteralString, cast
from uuid import UUID

from rewards_app.core.database import AsyncSession, rows, write
from rewards_app.features.alerts.rules import Kind
from rewards_app.features.privacy.holding import AtTheEnd, Holding
from rewards_app.features.privacy.holdings import HOLDINGS


@dataclass(frozen=True, slots=True)
class Closed:
    """An account whose time is up, with every word that names its owner."""

    account_id: UUID
    closure_id: UUID
    due_at: datetime
    email: str
    language: str
    names: Sequence[str]
    handles: Sequence[str]
    addresses: Sequence[str]


DUE: LiteralString = """
select account_id from account_closures
where due_at <= %(now)s and cancelled_at is null and erased_at is null
order by due_at limit %(limit)s
"""


async def due(session: AsyncSession, *, now: datetime, limit: int) -> list[UUID]:
    return [row[0] for row in await rows(session, DUE, {"now": now, "limit": limit})]


async def forgotten(session: AsyncSession) -> list[UUID]:
    query: LiteralString = """
        select account_id from account_closures where erased_at is not null order by account_id
    """
    return [row[0] for row in await rows(session, query, {})]


async def is_named(session: AsyncSession, account_id: UUID) -> bool:
    """Whether there is such an account, and somebody it belongs to."""
    query: LiteralString = """
        select from accounts where id = %(id)s and not exists (select from account_closures
            where account_id = accounts.id and erased_at is not null)
    """
    return bool(await rows(session, query, {"id": account_id}))


LOCK: LiteralString = """
select closure.id, closure.due_at, account.email, account.language,
    account.display_name, account.username, closure.hidden,
    array(select handle from account_handles
        where account_handles.account_id = account.id order by handle),
    array(select distinct ip_address from account_sessions
        where account_sessions.account_id = account.id and ip_address is not null)
from accounts account
    join account_closures closure on closure.account_id = account.id
        and closure.cancelled_at is null and closure.erased_at is null
where account.id = %(account)s
for no key update of account, closure
"""


async def lock(session: AsyncSession, account_id: UUID, unseal: Any) -> Closed | None:
    """As it stays until this transaction ends; None where it is kept or erased meanwhile."""
    # Whoever changes it has the account first: waiting for it before looking, what is seen is true.
    # What only names it, a reply's notice or a refund, waits for no letter.
    query: LiteralString = "select from accounts where id = %(id)s for no key update"
    await rows(session, query, {"id": account_id})
    found = await rows(session, LOCK, {"account": account_id})
    if not found:
        return None
    closure_id, due_at, email, language, *known = found[0]
    display_name, username, hidden, handles, addresses = known
    was = json.loads(unseal(hidden)) if hidden else {}
    names = {display_name, username, was.get("display_name", ""), was.get("username", "")}
    return Closed(
        account_id, closure_id, due_at, email, language, sorted(names - {""}), handles, addresses
    )


async def has_money_on_its_way(session: AsyncSession, account_id: UUID) -> bool:
    """Whether a checkout of theirs may still be paid, or a payment is going back."""
    query: LiteralString = """
        select from payments where account_id = %(account)s
            and status in ('opening', 'open', 'returning') limit 1
    """
    return bool(await rows(session, query, {"account": account_id}))


BEING_MAILED: LiteralString = """
select id from procrastinate_jobs where status = 'doing' and {named} limit 1
"""
UNQUEUE: LiteralString = """
delete from procrastinate_jobs where status <> 'doing' and {named} returning id
"""
NAMED: LiteralString = """
(args ->> 'about' = %(account)s::text or exists (
    select from jsonb_path_query(args, '$.**') as told
    where jsonb_typeof(told) = 'string' and lower(told #>> '{}') = lower(%(email)s)))
"""


async def is_being_mailed(session: AsyncSession, account_id: UUID, email: str) -> bool:
    """Whether a worker is sending a letter to that address, or about them, right now."""
    query: LiteralString = BEING_MAILED.replace("{named}", NAMED)
    return bool(await rows(session, query, {"account": account_id, "email": email}))


async def unqueue(session: AsyncSession, account_id: UUID, email: str) -> None:
    """Letters to that address, or about them, that wait or that could not be sent."""
    query: LiteralString = UNQUEUE.replace("{named}", NAMED)
    await rows(session, query, {"account": account_id, "email": email})


# An alert names who acted, as somebody else may be called, too: the log knows whose act it was.
ACTED: LiteralString = """(
    select alert.id from security_alerts alert join audit_entries entry
        on entry.about = 'account:' || alert.account_id and entry.created_at = alert.created_at
    where entry.actor_id = %(account)s and entry.action = 'role_changed'
)"""
ABOUTS: LiteralString = """
select 'account:' || %(account)s::text
union all select 'order:' || id from purchases where account_id = %(account)s
union all select 'view:' || id from ad_views
    where account_id = %(account)s and invalid_at is not null
union all select 'ticket:' || number from support_tickets where account_id = %(account)s
union all select 'alert:' || id from security_alerts where account_id = %(account)s
union all select 'alert:' || acted.id from {acted} acted
union all select 'waitlist:' || id from waitlist where email = %(email)s
union all select 'company:' || advertiser_id from advertiser_members leaving
    where account_id = %(account)s and not exists (select from advertiser_members other
        where other.advertiser_id = leaving.advertiser_id
            and other.account_id <> leaving.account_id)
union select 'company:' || id from advertisers company
    where account_id = %(account)s and not exists (select from advertiser_members other
        where other.advertiser_id = company.id)
"""


async def abouts_of(session: AsyncSession, closed: Closed) -> list[str]:
    """How the audit log calls what is theirs."""
    query: LiteralString = ABOUTS.replace("{acted}", ACTED)
    values = {"account": closed.account_id, "email": closed.email}
    return [row[0] for row in await rows(session, query, values)]


MARKS_OF_PAGES: LiteralString = """
select distinct unnest(array[token_hash, door_hash]) as mark from account_sessions
where account_id = %(account)s and greatest(last_active_at, ended_at) > %(since)s
order by mark
"""


async def marks_of_pages(session: AsyncSession, account_id: UUID, *, since: datetime) -> list[str]:
    """What marks the pages that their sessions and browsers have shown since then."""
    found = await rows(session, MARKS_OF_PAGES, {"account": account_id, "since": since})
    return [row[0] for row in found if row[0]]


# The bell knows a list as a key of the catalogue, and says it in its reader's language.
UNNAME_NOTIFICATIONS: LiteralString = """
with things as (
    select id, id as post_id from forum_posts where author_id = %(account)s
    union all select id, post_id from forum_replies where author_id = %(account)s
)
update notifications told
set params = told.params || jsonb_build_object('who', jsonb_build_array(%(nobody)s::text))
from things
where told.params ? 'who' and told.cause in ('mention:' || things.id, 'reply:' || things.id)
returning told.id
"""
UNTITLE_NOTIFICATIONS: LiteralString = """
update notifications told set params = told.params || '{"title": "…"}'
from forum_posts post
where post.author_id = %(account)s and told.params ? 'title'
    and starts_with(told.link, '/forum/topic?id=' || post.id)
returning told.id
"""
# What a company left behind when its last person was forgotten names nobody: it is to be paid back.
FORGET_ALERTS: LiteralString = """
delete from security_alerts
where alert_type <> %(left_money)s and (account_id = %(account)s or about = any(%(abouts)s)
    or account_id is null and ip_address = any(%(addresses)s))
returning id
"""
UNNAME_ALERTS: LiteralString = """
update security_alerts set params = params || '{"by": ""}', description = ''
where id in {acted} and (description <> '' or params ->> 'by' <> '')
returning id
"""


async def unname_to_others(session: AsyncSession, account_id: UUID, nobody: str) -> None:
    """What others were told that this person did, they were told that somebody did."""
    values = {"account": account_id, "nobody": nobody}
    await rows(session, UNNAME_NOTIFICATIONS, values)
    await rows(session, UNTITLE_NOTIFICATIONS, values)


async def forget_alerts(
    session: AsyncSession, account_id: UUID, abouts: Sequence[str], addresses: Sequence[str]
) -> None:
    """Those about them or from where they were; where they acted as an admin, their name."""
    values = {
        "account": account_id,
        "addresses": list(addresses),
        "abouts": list(abouts),
        "left_money": Kind.ADVERTISER_LEFT_MONEY.value,
    }
    await rows(session, FORGET_ALERTS, values)
    query: LiteralString = UNNAME_ALERTS.replace("{acted}", ACTED)
    await rows(session, query, values)


async def forget_holdings(
    session: AsyncSession, account_id: UUID, values: Mapping[str, Any]
) -> None:
    """Everything that is held, as its line says; the account last: by it the others are found."""
    for holding in sorted(HOLDINGS, key=_order):
        query = _ending(holding)
        if query:
            await rows(session, query, {"account": account_id, **values})


def _order(holding: Holding) -> tuple[bool, bool, bool]:
    """Rows that are found by others go before those; what is kept is found by what goes."""
    return (
        holding.table == "accounts",
        holding.at_the_end is AtTheEnd.DELETED,
        "select" not in holding.whose,
    )


def _ending(holding: Holding) -> LiteralString:
    """Empty where nothing is to be done."""
    # All parts are ours: the holdings are written by hand.
    table, whose = cast("LiteralString", holding.table), cast("LiteralString", holding.whose)
    changes = cast("LiteralString", ", ".join(f"{n} = {v}" for n, v in holding.emptied.items()))
    if not whose:
        return ""
    if holding.at_the_end is AtTheEnd.DELETED:
        change: LiteralString = f"delete from {table} t"  # noqa: S608
    elif changes:
        change = f"update {table} t set {changes}"  # noqa: S608
    else:
        return ""
    return f"{change} where {whose} returning 1"


NOTE: LiteralString = """
update account_closures set erased_at = %(now)s where id = %(closure)s returning id
"""


async def note_erased(session: AsyncSession, closure_id: UUID, *, now: datetime) -> None:
    await write(session, NOTE, {"closure": closure_id, "now": now})
