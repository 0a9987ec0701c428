"""Payments in the database. Nothing else writes them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, LiteralString
from uuid import UUID

from psycopg.errors import UniqueViolation
from sqlmodel import col, select

from rewards_app.core import sealed
from rewards_app.core.database import AsyncSession, lookup, statement, write
from rewards_app.core.ids import id_from
from rewards_app.features.payments.events_repository import WORDS, Told
from rewards_app.features.payments.rules import Checkout, Due, Status
from rewards_app.models import Payment

ASKING: LiteralString = """
asked_for as (
    insert into payments (id, account_id, purpose, subject_id, description, amount, currency,
        provider, status, expires_at, look_at, looks, created_at, is_being_cancelled)
    select id, account_id, purpose, subject_id, description, amount, currency, provider,
        'opening', expires_at, look_at, 0, asked_at, false
    from asking
    returning id
)
"""
"""A part of one statement `with asking as (…), …`: each row of `asking` becomes a payment."""


@dataclass(frozen=True, slots=True)
class DuePayment:
    """A payment as it is now; locked by whoever found it in a transaction."""

    id: UUID
    account_id: UUID
    purpose: str
    subject_id: UUID
    status: Status
    amount: int
    currency: str
    provider: str
    checkout_id: str | None
    checkout_url: str | None
    intent_id: str | None
    charged: int | None
    expires_at: datetime
    looks: int
    created_at: datetime
    is_being_cancelled: bool
    is_under_way: bool

    @property
    def due(self) -> Due:
        return Due(
            self.id, self.status, self.amount, self.currency, self.checkout_id, self.intent_id
        )


_FOUND: LiteralString = """select id, account_id, purpose, subject_id, status, amount, currency,
    provider, checkout_id, checkout_url, intent_id, charged, expires_at, looks, created_at,
    is_being_cancelled, is_under_way
from payments where """
BY_ID = _FOUND + "id = %(key)s"
_BY_CHECKOUT = _FOUND + "checkout_id = %(key)s"
_BY_INTENT = _FOUND + "intent_id = %(key)s"
_BY_SUBJECT = _FOUND + "purpose = %(purpose)s and subject_id = %(key)s"
LOCK = BY_ID + " for update"


def _payment(row: Any) -> DuePayment | None:
    if row is None:
        return None
    payment_id, account_id, purpose, subject_id, status, *rest = row
    return DuePayment(payment_id, account_id, purpose, subject_id, Status(status), *rest)


async def find(payment_id: UUID) -> DuePayment | None:
    return _payment(await lookup(BY_ID, {"key": payment_id}))


async def of_subject(purpose: str, subject_id: UUID) -> DuePayment | None:
    return _payment(await lookup(_BY_SUBJECT, {"purpose": purpose, "key": subject_id}))


async def lock(session: AsyncSession, payment_id: UUID) -> DuePayment | None:
    return _payment(await write(session, LOCK, {"key": payment_id}))


async def of_news(news: Checkout) -> DuePayment | None:
    """The payment that the news is about, by our own name for it or by the checkout's."""
    for name in sorted(news.references):
        payment_id = id_from(name)
        return await find(payment_id) if payment_id else None
    return _payment(await lookup(_BY_CHECKOUT, {"key": news.id}))


async def lock_of_money(session: AsyncSession, about: Mapping[str, Any]) -> DuePayment | None:
    """The payment of a charge or refund. Told before the payment itself was, it has our name."""
    intent, named = about.get("payment_intent"), about.get("metadata")
    if not isinstance(intent, str):
        return None
    known = _payment(await write(session, _BY_INTENT + " for update", {"key": intent}))
    payment_id = id_from(str(named.get("payment_id"))) if isinstance(named, dict) else None
    if known or payment_id is None:
        return known
    unheard_of = await lock(session, payment_id)
    return unheard_of if unheard_of and unheard_of.intent_id in (None, intent) else None


OPENED: LiteralString = """
update payments set checkout_id = %(checkout_id)s, checkout_url = %(url)s,
    status = case status when 'opening' then 'open' else status end
where id = %(id)s and (checkout_id is null or checkout_id = %(checkout_id)s)
returning status
"""


async def opened(payment_id: UUID, checkout_id: str, url: str) -> Status | None:
    """Keep where it is paid; its status now, since it may have been paid or ended meanwhile."""
    values = {"id": payment_id, "checkout_id": checkout_id, "url": url}
    found = await statement(OPENED, values)
    return Status(found[0]) if found else None


def receiving(giving: LiteralString) -> LiteralString:
    """One statement that takes the money and gives what it was for, if both are still due.

    `giving` reads `paid_for` (subject_id, at) and makes `given`: a row (owner_id, coins,
    letters) for what was given. Where nothing could be given, the money is on its way back at once.
    """
    return f"""
with paid_for as (
    select id as payment_id, subject_id, %(now)s::timestamptz as at
    from payments
    where id = %(id)s and status in ('opening', 'open')
        and (checkout_id is null or checkout_id = %(checkout)s)
    for update
),
{giving},
kept as (
    update payments set intent_id = %(intent)s, charged = %(charged)s, paid_at = paid_for.at,
        checkout_id = %(checkout)s,
        status = case when exists (select from given) then 'paid' else 'returning' end,
        look_at = case when exists (select from given) then null else paid_for.at end
    from paid_for where payments.id = paid_for.payment_id
    returning payments.status
),
stored as (
    insert into payment_events (id, kind, payload, payment_id, outcome, received_at)
    select %(event_id)s::text, %(kind)s, {WORDS.replace("{payment}", "%(id)s")}, %(id)s,
        case kept.status when 'paid' then 'paid' else 'too_late' end, %(now)s
    from kept where %(event_id)s::text is not null
    on conflict (id) do nothing
    returning id
)
select kept.status = 'paid', given.owner_id, given.coins, given.letters,
    (select count(*) from stored)
from kept left join given on true
"""  # noqa: S608  (both parts are ours)


@dataclass(frozen=True, slots=True)
class Received:
    """The money came: whether what it was for was given, and with how many coins."""

    was_given: bool
    owner_id: UUID | None
    """Whose it is now: an account's, or a company's."""
    coins: int | None


class MoneySpentBefore(Exception):
    """The same money, or the same checkout, belongs to another payment."""


async def receive(
    payment_id: UUID,
    news: Checkout,
    giving: LiteralString,
    told: Told | None,
    *,
    now: datetime,
) -> Received | None:
    """Take the money and give what it was for, at once; None when it was not due any more."""
    values = {
        "id": payment_id,
        "intent": news.intent_id,
        "charged": news.amount,
        "checkout": news.id,
        "event_id": told.event_id if told else None,
        "kind": told.kind if told else None,
        "payload": sealed.seal(told.payload) if told else None,
        "nothing": sealed.seal("{}"),
        "now": now,
    }
    try:
        found = await statement(receiving(giving), values)
    except UniqueViolation as failure:
        raise MoneySpentBefore from failure
    return Received(*found[:3]) if found else None


PAID_TO_GO_BACK: LiteralString = """
update payments set status = 'returning', paid_at = %(now)s, intent_id = %(intent)s,
    charged = %(charged)s, checkout_id = coalesce(checkout_id, %(checkout)s), look_at = %(now)s,
    looks = 0
where id = %(id)s returning id
"""


async def paid_to_go_back(
    session: AsyncSession, payment_id: UUID, news: Checkout, *, now: datetime
) -> None:
    """The money is here and cannot be kept: from now on it is on its way back."""
    values = {
        "id": payment_id,
        "intent": news.intent_id,
        "charged": news.amount,
        "checkout": news.id,
        "now": now,
    }
    await write(session, PAID_TO_GO_BACK, values)


async def end(session: AsyncSession, payment_id: UUID, status: Status) -> None:
    query: LiteralString = (
        "update payments set status = %(status)s, look_at = null where id = %(id)s returning id"
    )
    await write(session, query, {"id": payment_id, "status": status})


async def begin_return(session: AsyncSession, payment_id: UUID, *, now: datetime) -> None:
    query: LiteralString = (
        "update payments set status = 'returning', look_at = %(now)s, looks = 0"
        " where id = %(id)s returning id"
    )
    await write(session, query, {"id": payment_id, "now": now})


async def returned(
    session: AsyncSession, payment_id: UUID, refund_id: str, *, now: datetime
) -> None:
    query: LiteralString = (
        "update payments set status = 'returned', refund_id = %(refund)s, returned_at = %(now)s,"
        " look_at = null where id = %(id)s returning id"
    )
    await write(session, query, {"id": payment_id, "refund": refund_id, "now": now})


async def is_being_cancelled(payment_id: UUID) -> None:
    """From now on a checkout that ends unpaid has been cancelled."""
    query: LiteralString = (
        "update payments set is_being_cancelled = true where id = %(id)s returning id"
    )
    await statement(query, {"id": payment_id})


UNDER_WAY: LiteralString = """
update payments set is_under_way = true
where id = %(id)s and status in ('opening', 'open') and not is_under_way returning id
"""


async def is_under_way(session: AsyncSession, payment_id: UUID) -> bool:
    """From now on it waits for a bank, not for its payer; False where that was known."""
    return await write(session, UNDER_WAY, {"id": payment_id}) is not None


async def look_again(payment_id: UUID, at: datetime, *, now: datetime) -> None:
    """Looks are counted once nobody can pay there any more: before, every round looks."""
    query: LiteralString = (
        "update payments set look_at = %(at)s, looks = looks + (expires_at <= %(now)s)::integer"
        " where id = %(id)s and look_at is not null returning id"
    )
    await statement(query, {"id": payment_id, "at": at, "now": now})


async def to_look_at(session: AsyncSession, *, now: datetime, limit: int) -> Sequence[UUID]:
    found = await session.exec(
        select(Payment.id)
        .where(col(Payment.look_at) <= now)
        .order_by(col(Payment.look_at))
        .limit(limit)
    )
    return found.all()
