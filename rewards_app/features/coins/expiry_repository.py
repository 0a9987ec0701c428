"""Whose coins may expire, and what they were told of it, in the database."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import LiteralString
from uuid import UUID

from rewards_app.core.actor import PLAYING_ROLES
from rewards_app.core.database import AsyncSession, rows, write
from rewards_app.features.coins.expiry_rules import Warned


@dataclass(frozen=True, slots=True)
class Away:
    """Somebody who has not been here for long, locked, and the coins that they could spend."""

    account_id: UUID
    active_at: datetime
    email: str
    language: str
    balance: int
    warned: Warned | None


Place = tuple[datetime, UUID]
"""How far a look through everybody has come."""

# Read along the index of activity. Locked, and found to be away still once that has succeeded.
AWAY: LiteralString = """
select account.id, account.last_active_at, account.email, account.language, coins.balance,
    notice.inactive_since, notice.first_told_at, notice.last_told_at
from accounts account join coin_balances coins on coins.account_id = account.id
    left join coin_expiry_notices notice on notice.account_id = account.id
where account.last_active_at < %(before)s
    and (account.last_active_at, account.id) > (%(at)s, %(id)s)
    and coins.balance > 0 and account.role = any(%(roles)s)
    and account.email_verified_at is not null and account.closed_at is null
    and not exists (select from account_restrictions restriction
        where restriction.account_id = account.id and restriction.ended_at is null)
order by account.last_active_at, account.id limit %(limit)s
for no key update of account skip locked
"""


async def away(
    session: AsyncSession, before: datetime, *, after: Place, limit: int
) -> Sequence[Away]:
    """Those with coins, the longest away first; nobody who is restricted or being deleted."""
    at, id_ = after
    values = {
        "before": before,
        "at": at,
        "id": id_,
        "limit": limit,
        "roles": [role.value for role in PLAYING_ROLES],
    }
    found = await rows(session, AWAY, values)
    return [
        Away(
            account_id,
            active_at,
            email,
            language,
            balance,
            Warned(since, first, last) if first else None,
        )
        for account_id, active_at, email, language, balance, since, first, last in found
    ]


WARNED: LiteralString = """
insert into coin_expiry_notices (account_id, inactive_since, first_told_at, coins)
values (%(account)s, %(since)s, %(now)s, %(coins)s)
on conflict (account_id) do update set inactive_since = excluded.inactive_since,
    first_told_at = excluded.first_told_at, last_told_at = null, coins = excluded.coins
    where coin_expiry_notices.first_told_at = %(seen)s::timestamptz
returning coins
"""
WARNED_AGAIN: LiteralString = """
update coin_expiry_notices set last_told_at = %(now)s, coins = least(coins, %(coins)s)
where account_id = %(account)s and last_told_at is null
returning coins
"""


async def note_warned(session: AsyncSession, known: Away, *, now: datetime) -> int | None:
    """How many coins they are told of; None where another worker has told them meanwhile."""
    values = {"account": known.account_id, "coins": known.balance, "now": now}
    seen = known.warned.first_told_at if known.warned else None
    values |= {"since": known.active_at, "seen": seen}
    told = await write(session, WARNED, values)
    return told and told[0]


async def note_warned_again(session: AsyncSession, known: Away, *, now: datetime) -> int | None:
    """The same, once more: what came back since the first time is told anew, and not now."""
    values = {"account": known.account_id, "coins": known.balance, "now": now}
    told = await write(session, WARNED_AGAIN, values)
    return told and told[0]


# Coins of restricted people are frozen: whatever they were told, they are told again afterwards.
VOID: LiteralString = """
with void as (
    delete from coin_expiry_notices notice where %(all)s or exists (
        select from accounts account where account.id = notice.account_id
            and (account.last_active_at <> notice.inactive_since or account.closed_at is not null)
    ) or exists (
        select from account_restrictions restriction
        where restriction.account_id = notice.account_id and restriction.ended_at is null
    ) returning 1
)
select count(*) from void
"""


async def forget_void(session: AsyncSession, *, everything: bool = False) -> int:
    """Warnings that count no more: their people came back, are restricted or are leaving."""
    return (await write(session, VOID, {"all": everything}))[0]


async def forget(session: AsyncSession, account_id: UUID) -> int:
    """What was told counts no more; of how many coins that was."""
    query: LiteralString = (
        "delete from coin_expiry_notices where account_id = %(account)s returning coins"
    )
    told = await write(session, query, {"account": account_id})
    return told[0] if told else 0
