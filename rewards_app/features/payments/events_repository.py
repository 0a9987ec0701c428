"""What the provider told us of payments, as it is kept; receiving money keeps its own beside it."""

from dataclasses import dataclass
from datetime import datetime
from typing import LiteralString
from uuid import UUID

from rewards_app.core import sealed
from rewards_app.core.database import AsyncSession, write
from rewards_app.features.payments import rules
from rewards_app.features.payments.rules import Outcome

WORDS: LiteralString = """case when exists (
        select from payments where id = {payment} and not exists (
            select from account_closures closure
            where closure.account_id = payments.account_id and closure.erased_at is not null)
    ) then %(payload)s::text else %(nothing)s::text end"""
"""What the provider sent, sealed; nothing of a payment that is not ours, or of who is forgotten."""


@dataclass(frozen=True, slots=True)
class Told:
    """What the provider sent, as it is kept."""

    event_id: str
    kind: str
    payload: str


async def is_kept(session: AsyncSession, told: Told) -> bool:
    """Whether this event was done before; its payment is locked, so that nobody does it now."""
    query: LiteralString = "select 1 from payment_events where id = %(id)s"
    return await write(session, query, {"id": told.event_id}) is not None


CONTESTED: LiteralString = """
select count(*) filter (where outcome = 'disputed')
        > count(*) filter (where outcome = 'dispute_won')
    or coalesce(bool_or(outcome = 'dispute_lost'), false)
from payment_events where payment_id = %(id)s
"""


async def is_contested(session: AsyncSession, payment_id: UUID) -> bool:
    """Whether a bank takes it back or may do so; who acts on it has locked the payment.

    Counted, since a dispute's end may be told before its beginning.
    """
    found = await write(session, CONTESTED, {"id": payment_id})
    return bool(found and found[0])


LOST: LiteralString = """
select 1 from payments where id = %(id)s and refund_id = %(taken)s
union all
select 1 from payment_events where payment_id = %(id)s and outcome = 'dispute_lost' limit 1
"""


async def was_lost(session: AsyncSession, payment_id: UUID, taken_by: str) -> bool:
    """Whether a bank had taken this money for good, and we had heard of it."""
    return await write(session, LOST, {"id": payment_id, "taken": taken_by}) is not None


TAKEN: LiteralString = """
select id from payments
where purpose = %(purpose)s and subject_id = %(subject)s and starts_with(refund_id, %(taken_by)s)
"""


async def was_taken(session: AsyncSession, purpose: str, subject_id: UUID) -> bool:
    """Whether a bank has taken the money that was paid for this, and nobody has sent it back."""
    values = {"purpose": purpose, "subject": subject_id, "taken_by": rules.TAKEN_BY}
    return await write(session, TAKEN, values) is not None


STORE: LiteralString = f"""
insert into payment_events (id, kind, payload, payment_id, outcome, received_at)
select %(id)s, %(kind)s, {WORDS.replace("{payment}", "%(payment)s")},
    %(payment)s::uuid, %(outcome)s, %(now)s
on conflict (id) do nothing returning id
"""


async def store_event(
    session: AsyncSession,
    told: Told,
    payment_id: UUID | None,
    outcome: Outcome,
    *,
    now: datetime,
) -> bool:
    """Keep what the provider told us; False when it was kept before.

    Of a payment that is not ours, or somebody's who was forgotten, no word: it may name them.
    """
    values = {
        "id": told.event_id,
        "kind": told.kind,
        "payload": sealed.seal(told.payload),
        "nothing": sealed.seal("{}"),
        "payment": payment_id,
        "outcome": outcome,
        "now": now,
    }
    return await write(session, STORE, values) is not None
