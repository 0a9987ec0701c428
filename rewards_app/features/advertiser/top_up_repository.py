"""Top-ups in the database. Nothing else writes them."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import LiteralString, NamedTuple
from uuid import UUID

from rewards_app.core.database import AsyncSession, lookup, rows, write
from rewards_app.core.jobs import QUEUEING
from rewards_app.features.ads.budgets import PARTS
from rewards_app.features.advertiser.billing_rules import Status
from rewards_app.features.advertiser.money import ENTERING
from rewards_app.features.payments import service as payments

PURPOSE = "top_up"
SEND_INVOICE: LiteralString = "advertiser.send_invoice"
START_WHAT_WAITED: LiteralString = "advertiser.start_what_waited"


@dataclass(frozen=True, slots=True)
class NewTopUp:
    id: UUID
    advertiser_id: UUID
    account_id: UUID
    attempt: UUID
    cents: int
    payment_id: UUID
    description: str
    provider: str
    expires_at: datetime
    look_at: datetime
    now: datetime


class Kept(NamedTuple):
    top_up_id: UUID
    status: Status


async def waiting(session: AsyncSession, advertiser_id: UUID) -> int:
    """How many can still be paid or cancelled; the company is locked, so that it stays true.

    Of what is with a bank nobody can do either.
    """
    query: LiteralString = """
        select count(*) from top_ups
            join payments on payments.purpose = 'top_up' and payments.subject_id = top_ups.id
        where top_ups.advertiser_id = %(id)s and top_ups.status = 'waiting'
            and not payments.is_under_way
    """
    return int((await rows(session, query, {"id": advertiser_id}))[0][0])


BEGIN: LiteralString = f"""
with begun as (
    insert into top_ups (id, advertiser_id, account_id, attempt, cents, status, company_name,
        email, created_at)
    select %(id)s, id, %(account_id)s, %(attempt)s, %(cents)s, 'waiting', company_name, email,
        %(now)s
    from advertisers where id = %(advertiser_id)s and status = 'approved'
    on conflict (attempt) do nothing
    returning id, account_id, cents, created_at
),
asking as (
    select %(payment_id)s::uuid as id, account_id, 'top_up' as purpose, id as subject_id,
        %(description)s::text as description, cents as amount, 'usd' as currency,
        %(provider)s::text as provider, %(expires_at)s::timestamptz as expires_at,
        %(look_at)s::timestamptz as look_at, created_at as asked_at
    from begun
),
{payments.ASKING}
select id from begun
"""  # noqa: S608  (both parts are ours)


async def begin(session: AsyncSession, new: NewTopUp) -> bool:
    """Keep it with the payment that is asked for; False for an attempt that was made before."""
    values = {name: getattr(new, name) for name in NewTopUp.__slots__}
    return await write(session, BEGIN, values) is not None


async def of_attempt(session: AsyncSession, advertiser_id: UUID, attempt: UUID) -> Kept | None:
    query: LiteralString = (
        "select id, status from top_ups where advertiser_id = %(advertiser)s"
        " and attempt = %(attempt)s"
    )
    found = await rows(session, query, {"advertiser": advertiser_id, "attempt": attempt})
    return Kept(found[0][0], Status(found[0][1])) if found else None


# Invoices are numbered one after the other: all of them wait for one row, after everything else
# that could keep this one from being paid.
GIVING: LiteralString = f"""
due as (
    select top_ups.id, paid_for.at from top_ups join paid_for on top_ups.id = paid_for.subject_id
    where top_ups.status = 'waiting' for update of top_ups
),
numbered as (
    update invoice_numbers set last = invoice_numbers.last + 1 from due
    returning invoice_numbers.last as number
),
paid as (
    update top_ups set status = 'paid', paid_at = due.at, invoice_number = numbered.number
    from due cross join numbered where top_ups.id = due.id
    returning top_ups.id, top_ups.advertiser_id, top_ups.cents, top_ups.paid_at,
        'WCA-' || lpad(numbered.number::text, greatest(6, length(numbered.number::text)), '0')
            as invoice
),
moved as (
    select advertiser_id, cents * {PARTS}::bigint as amount, 'top_up' as kind,
        'top_up:' || id as cause, invoice as subject, paid_at as at
    from paid
),
{ENTERING},
later as (
    select '{SEND_INVOICE}' as task, true as is_letter,
        jsonb_build_object('top_up_id', id) as arguments
    from paid
    union all
    select '{START_WHAT_WAITED}', false,
        jsonb_build_object('advertiser_id', advertiser_id)
    from entered
),
{QUEUEING},
given as (
    select advertiser_id as owner_id, 0 as coins, (select count(ids) from queued) as letters
    from paid
)
"""  # noqa: S608  (all parts are ours)
"""Numbers the invoice, adds to the balance and queues the letter of each top-up in `paid_for`."""


SKIP: LiteralString = """
update invoice_numbers set skipped = skipped + %(last)s - last, last = %(last)s
where last < %(last)s returning last
"""


async def skip_numbers(session: AsyncSession, last: int) -> bool:
    """As if invoices up to `last` had been numbered; False where they were."""
    return await write(session, SKIP, {"last": last}) is not None


async def end(session: AsyncSession, top_up_id: UUID, status: Status) -> UUID | None:
    """Nothing was paid; whose it was."""
    query: LiteralString = (
        "update top_ups set status = %(status)s where id = %(id)s and status = 'waiting'"
        " returning advertiser_id"
    )
    found = await write(session, query, {"id": top_up_id, "status": status.value})
    return found[0] if found else None


@dataclass(frozen=True, slots=True)
class Returned:
    advertiser_id: UUID
    cents: int
    """By now, all parts together."""
    newly: int
    """Of them, what has not left the balance yet."""
    invoice_number: int


GIVE_BACK: LiteralString = """
with before as (
    select id, returned_cents as cents from top_ups
    where id = %(id)s and status = 'paid' for update
)
update top_ups set returned_cents = coalesce(%(part)s::int, top_ups.cents),
    status = case when %(part)s::int is null then 'returned' else status end
from before
where top_ups.id = before.id
    and before.cents < coalesce(%(part)s::int, top_ups.cents)
    and coalesce(%(part)s::int, 0) < top_ups.cents
returning advertiser_id, returned_cents, returned_cents - before.cents, invoice_number
"""


async def give_back(
    session: AsyncSession, top_up_id: UUID, *, part: int | None = None
) -> Returned | None:
    """What was paid goes back to the card, or so much of it by now.

    None for what was never added to the balance, or has left it already.
    """
    found = await write(session, GIVE_BACK, {"id": top_up_id, "part": part})
    return Returned(*found) if found else None


@dataclass(frozen=True, slots=True)
class TopUp:
    """A top-up with its payment, as its company, its letters and its invoice need it."""

    id: UUID
    advertiser_id: UUID
    cents: int
    returned_cents: int
    status: Status
    invoice_number: int | None
    company: str
    company_email: str
    created_at: datetime
    paid_at: datetime | None
    returned_at: datetime | None
    """All of it, or its last part."""
    checkout_url: str | None
    """Where it can still be paid."""
    expires_at: datetime | None
    is_under_way: bool
    """The payer has done their part, and the money takes days: there is nothing left to pay."""
    is_test: bool
    payer: str
    payer_email: str
    language: str
    """The payer's."""
    payment_id: UUID
    intent: str
    """What the provider's own pages call the payment; empty until it was made."""


TOP_UPS: LiteralString = """
select top_ups.id, top_ups.advertiser_id, top_ups.cents, top_ups.returned_cents, top_ups.status,
    top_ups.invoice_number, top_ups.company_name, top_ups.email, top_ups.created_at,
    top_ups.paid_at,
    coalesce(payments.returned_at, (
        select part.created_at from advertiser_entries part
        where part.cause = 'returned:' || top_ups.id || ':' || top_ups.returned_cents
    )),
    case when top_ups.status = 'waiting' and not payments.is_under_way
        then payments.checkout_url end,
    case when top_ups.status = 'waiting' and not payments.is_under_way
        then payments.expires_at end,
    top_ups.status = 'waiting' and payments.is_under_way,
    payments.provider = 'sandbox', accounts.display_name, accounts.email, accounts.language,
    payments.id, coalesce(payments.intent_id, '')
from top_ups join accounts on accounts.id = top_ups.account_id
    join payments on payments.purpose = 'top_up' and payments.subject_id = top_ups.id
"""
ONE: LiteralString = TOP_UPS + "where top_ups.id = %(id)s"
NEWEST: LiteralString = f"""
{TOP_UPS} where top_ups.advertiser_id = %(id)s
    and (%(before)s::uuid is null or (top_ups.created_at, top_ups.id)
        < (select created_at, id from top_ups where id = %(before)s))
order by top_ups.created_at desc, top_ups.id desc limit %(limit)s
"""  # noqa: S608  (all parts are ours)


def _top_up(row: Sequence[object]) -> TopUp:
    top_up_id, advertiser_id, cents, returned_cents, status, *rest = row
    return TopUp(top_up_id, advertiser_id, cents, returned_cents, Status(str(status)), *rest)  # pyright: ignore


async def find(top_up_id: UUID) -> TopUp | None:
    found = await lookup(ONE, {"id": top_up_id})
    return _top_up(found) if found else None


async def newest(
    session: AsyncSession, advertiser_id: UUID, *, before: UUID | None, limit: int
) -> list[TopUp]:
    values = {"id": advertiser_id, "before": before, "limit": limit}
    return [_top_up(row) for row in await rows(session, NEWEST, values)]
