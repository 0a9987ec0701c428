"""The ledger in the database. Nothing else writes entries, balances or holds."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import LiteralString
from uuid import UUID

from psycopg import errors as postgres
from sqlalchemy import func, text
from sqlalchemy.dialects.postgresql import insert
from sqlmodel import col, select, update

from rewards_app.core.database import AsyncSession, lookup, run, write
from rewards_app.core.ids import new_id
from rewards_app.features.coins.rules import (
    EARNING,
    Balance,
    Books,
    Kind,
    LaterPurchases,
    Purchases,
)
from rewards_app.models import CoinBalance, CoinEntry, CoinHold

CREDITING: LiteralString = """
credited as (
    insert into coin_balances as known (account_id, total, balance, held, ads)
    select account_id, amount, amount, 0, (kind = 'ad')::int from paid
    on conflict (account_id) do update set total = known.total + excluded.total,
        balance = known.balance + excluded.balance, ads = known.ads + excluded.ads
    returning account_id, total, balance, held
),
entered as (
    insert into coin_entries
        (month, account_id, amount, kind, cause, subject, balance_after, created_at)
    select month_of_cause(paid.cause), paid.account_id, paid.amount, paid.kind, paid.cause,
        paid.subject, credited.balance + credited.held, paid.paid_at
    from paid join credited using (account_id)
    returning account_id
)
"""
"""Two parts of one statement `with paid as (…), …`: each row of `paid` becomes an entry.

`paid` has account_id, amount, kind (an earning one), cause, subject and paid_at. A cause that
was paid before breaks the whole statement.
"""

CREDITING_ALL: LiteralString = """
credited as (
    insert into coin_balances as known (account_id, total, balance, held, ads)
    select account_id, sum(amount), sum(amount), 0, count(*) filter (where kind = 'ad') from paid
    group by account_id
    on conflict (account_id) do update set total = known.total + excluded.total,
        balance = known.balance + excluded.balance, ads = known.ads + excluded.ads
    returning account_id, balance + held as owned
),
entered as (
    insert into coin_entries
        (month, account_id, amount, kind, cause, subject, balance_after, created_at)
    select month_of_cause(cause), account_id, amount, kind, cause, subject,
        owned - coalesce(sum(amount) over (partition by account_id order by paid_at, cause
        rows between 1 following and unbounded following), 0), paid_at
    from paid join credited using (account_id)
    order by paid_at, cause
    returning account_id
)
"""
"""As CREDITING, where an account may be paid several times: its entries follow their moments."""

HOLDING: LiteralString = """
set_aside as (
    update coin_balances set balance = balance - wanted.amount, held = held + wanted.amount
    from wanted where coin_balances.account_id = wanted.account_id
    returning coin_balances.account_id
),
held as (
    insert into coin_holds (id, account_id, amount, cause, status, created_at)
    select hold_id, account_id, amount, cause, 'held', at from wanted
    returning id
)
"""
"""Two parts of one statement `with wanted as (…), …`: each row of `wanted` becomes a hold.

`wanted` has hold_id, account_id, amount, cause and at. Who has no coins at all must be refused
before; who has too few breaks the whole statement (`is_short_of_coins`).
"""

SETTLING: LiteralString = """
settled as (
    update coin_holds set status = 'settled', ended_at = ending.at
    from ending
    where coin_holds.cause = ending.cause and coin_holds.status not in ('settled', 'released')
    returning coin_holds.account_id, coin_holds.amount, coin_holds.cause, ending.subject, ending.at
),
owned as (
    update coin_balances set held = coin_balances.held - settled.amount
    from settled where coin_balances.account_id = settled.account_id
    returning coin_balances.account_id, coin_balances.balance + coin_balances.held as coins
),
spent as (
    insert into coin_entries
        (month, account_id, amount, kind, cause, subject, balance_after, created_at)
    select month_of_cause(settled.cause), settled.account_id, -settled.amount, 'purchase',
        settled.cause, settled.subject, owned.coins, settled.at
    from settled join owned using (account_id)
    returning account_id
)
"""
"""Three parts of one statement `with ending as (…), …`: the holds of these causes are spent.

`ending` has cause, subject and at. Not `status = 'held'`: the planner would read the index of
all open holds instead of finding this one by its cause.
"""

RELEASING: LiteralString = """
released as (
    update coin_holds set status = 'released', ended_at = ending.at
    from ending
    where coin_holds.cause = ending.cause and coin_holds.status not in ('settled', 'released')
    returning coin_holds.account_id, coin_holds.amount
),
freed as (
    update coin_balances set balance = coin_balances.balance + released.amount,
        held = coin_balances.held - released.amount
    from released where coin_balances.account_id = released.account_id
    returning coin_balances.account_id
)
"""
"""Two parts of one statement `with ending as (…), …`: these holds can be spent again."""

NOTHING_IS_NEGATIVE = "nothing_is_negative"


def is_short_of_coins(failure: BaseException) -> bool:
    """Whether a statement broke because it would have left less than nothing."""
    broken = failure.diag.constraint_name if isinstance(failure, postgres.CheckViolation) else None
    return broken == NOTHING_IS_NEGATIVE


@dataclass(frozen=True, slots=True)
class NewEntry:
    account_id: UUID
    amount: int
    """As it changes what the account owns: less than 0 when coins go."""
    kind: Kind
    cause: str
    subject: str
    at: datetime


async def lock_balance(session: AsyncSession, account_id: UUID) -> Balance:
    """The account's balance, which nobody else changes before this transaction ends."""
    row = insert(CoinBalance).values(account_id=account_id, total=0, balance=0, held=0, ads=0)
    known = row.on_conflict_do_update(
        index_elements=["account_id"], set_={"held": CoinBalance.held}
    ).returning(
        col(CoinBalance.total),
        col(CoinBalance.balance),
        col(CoinBalance.held),
        col(CoinBalance.ads),
    )
    return Balance(*(await run(session, known)).one())


async def is_entered(session: AsyncSession, cause: str) -> bool:
    found = await session.exec(
        select(CoinEntry.number).where(
            CoinEntry.cause == cause, CoinEntry.month == func.month_of_cause(cause)
        )
    )
    return found.first() is not None


async def has_spent(session: AsyncSession, account_id: UUID) -> bool:
    query = select(CoinEntry.number).where(
        CoinEntry.account_id == account_id, CoinEntry.kind == Kind.PURCHASE.value
    )
    return (await session.exec(query.limit(1))).first() is not None


async def enter(session: AsyncSession, entry: NewEntry, balance: Balance) -> None:
    """Write one entry and the balance that it leaves; the balance is locked."""
    row = insert(CoinEntry).values(
        month=func.month_of_cause(entry.cause),
        account_id=entry.account_id,
        amount=entry.amount,
        kind=entry.kind.value,
        cause=entry.cause,
        subject=entry.subject,
        balance_after=balance.owned,
        created_at=entry.at,
    )
    await run(session, row)
    await write_balance(session, entry.account_id, balance)


async def write_balance(session: AsyncSession, account_id: UUID, balance: Balance) -> None:
    await session.exec(
        update(CoinBalance)
        .where(col(CoinBalance.account_id) == account_id)
        .values(**asdict(balance))
    )


HOLD: LiteralString = f"""
with wanted as (
    select %(hold)s::uuid as hold_id, %(account)s::uuid as account_id,
        %(amount)s::integer as amount, %(cause)s::text as cause, %(now)s::timestamptz as at
),
{HOLDING}
select id from held
"""  # noqa: S608  (both parts are ours)
ENDING: LiteralString = """
with ending as (
    select %(cause)s::text as cause, %(subject)s::text as subject, %(now)s::timestamptz as at
),
"""
SETTLE: LiteralString = f"{ENDING} {SETTLING} select account_id from spent"  # noqa: S608
RELEASE: LiteralString = f"{ENDING} {RELEASING} select account_id from freed"  # noqa: S608


async def hold(
    session: AsyncSession, account_id: UUID, amount: int, cause: str, *, now: datetime
) -> UUID:
    """Set coins aside; the balance is locked and has enough."""
    values = {"account": account_id, "amount": amount, "cause": cause, "now": now}
    return (await write(session, HOLD, values | {"hold": new_id()}))[0]


async def settle(session: AsyncSession, cause: str, subject: str, *, now: datetime) -> None:
    await write(session, SETTLE, {"cause": cause, "subject": subject, "now": now})


async def release(session: AsyncSession, cause: str, *, now: datetime) -> None:
    await write(session, RELEASE, {"cause": cause, "subject": "", "now": now})


async def hold_of_cause(session: AsyncSession, cause: str) -> CoinHold | None:
    return (await session.exec(select(CoinHold).where(CoinHold.cause == cause))).first()


async def lock_hold(session: AsyncSession, hold_id: UUID) -> CoinHold | None:
    query = select(CoinHold).where(CoinHold.id == hold_id).with_for_update()
    # Holds are changed by statements that the session does not see.
    return (await session.exec(query.execution_options(populate_existing=True))).first()


async def balance_of(account_id: UUID) -> Balance:
    found = await lookup(
        "select total, balance, held, ads from coin_balances where account_id = %s", (account_id,)
    )
    return Balance(*found) if found else Balance()


async def entries_before(
    session: AsyncSession, account_id: UUID, *, before: int | None, limit: int
) -> Sequence[CoinEntry]:
    """The newest entries first, from the one before number `before` on."""
    query = select(CoinEntry).where(CoinEntry.account_id == account_id)
    if before is not None:
        query = query.where(col(CoinEntry.number) < before)
    found = await session.exec(query.order_by(col(CoinEntry.number).desc()).limit(limit))
    return found.all()


async def open_holds(session: AsyncSession, account_id: UUID) -> Sequence[CoinHold]:
    found = await session.exec(
        select(CoinHold)
        .where(CoinHold.account_id == account_id, CoinHold.status == "held")
        .order_by(col(CoinHold.created_at).desc())
    )
    return found.all()


TALLIED: LiteralString = """
(select day, kind, entries, amount from ledger_days
union all
select (created_at at time zone 'Europe/Stockholm')::date, kind, 1, amount from coin_entries
where number > coalesce((select settled_to from board_progress), 0)
    and not coalesce(pg_visible_in_snapshot(written_by::text::xid8,
        (select counted::pg_snapshot from board_progress)), false))
"""
"""The whole ledger by days and kinds: what is counted, and the few entries that are not yet."""
EARNED: LiteralString = f"""
select coalesce(sum(amount), 0), coalesce(sum(entries) filter (where kind = 'ad'), 0)
from {TALLIED} as known where kind = any(%(earning)s)
"""  # noqa: S608  (both parts are ours)


async def earned() -> tuple[int, int]:
    """What players ever earned, all of them together: coins, and how many ads were among it."""
    found = await lookup(EARNED, {"earning": [kind.value for kind in EARNING]})
    assert found, "a sum is a row"
    return int(found[0]), int(found[1])


# The few at the top are found before their names: joining everybody first takes ten times as long.
MOST_ADS: LiteralString = """
with leaders as (
    select account_id, ads from coin_balances where ads > 0 order by ads desc, account_id limit 20
)
select display_name, ads from leaders join accounts on accounts.id = leaders.account_id
where role = any(%s) and closed_at is null order by ads desc, account_id limit 1
"""


async def most_ads(roles: Sequence[str]) -> tuple[str, int] | None:
    found = await lookup(MOST_ADS, (roles,))
    return (found[0], found[1]) if found else None


LATER_PURCHASES: LiteralString = """
select count(*), count(*) filter (where number <= %(newest)s), coalesce(max(number), 0),
    pg_snapshot_xmin(pg_current_snapshot())::text::bigint,
    pg_snapshot_xmax(pg_current_snapshot())::text::bigint
from coin_entries where kind = 'purchase' and number > %(settled_to)s
"""


async def later_purchases(known: Purchases) -> LaterPurchases:
    values = {"settled_to": known.settled_to, "newest": known.newest}
    found = await lookup(LATER_PURCHASES, values)
    assert found is not None, "counting always finds a number"
    return LaterPurchases(*found)


BOOKS = text("""
with entries as (
    select account_id, sum(amount) as owned,
        sum(amount) filter (where kind = any(:earning)) as earned,
        count(*) filter (where kind = 'ad') as watched
    from coin_entries group by account_id
),
holds as (
    select account_id, sum(amount) as held
    from coin_holds where status = 'held' group by account_id
)
select account_id, coalesce(owned, 0), coalesce(earned, 0), coalesce(holds.held, 0),
    coalesce(watched, 0), coalesce(total, 0), coalesce(balance, 0),
    coalesce(coin_balances.held, 0), coalesce(ads, 0)
from entries full join holds using (account_id) full join coin_balances using (account_id)
""")


async def books(session: AsyncSession) -> list[Books]:
    """Every account in one look, so that no change comes between the sums and the balances."""
    found = await run(session, BOOKS, {"earning": [kind.value for kind in EARNING]})
    return [
        Books(owner, entries, earned, holds, ads, Balance(*stored))
        for owner, entries, earned, holds, ads, *stored in map(tuple, found.all())
    ]


async def entries_that_skip(session: AsyncSession) -> list[tuple[UUID, int]]:
    """Entries whose running balance does not follow from the one before: account and number."""
    found = await run(
        session,
        text(
            "select account_id, number from (select account_id, number, balance_after, amount,"
            " coalesce(lag(balance_after) over (partition by account_id order by number), 0)"
            " as before from coin_entries) as lines where balance_after <> before + amount"
            " order by number limit 100"
        ),
    )
    return [(account_id, number) for account_id, number in map(tuple, found.all())]
