"""What was bought, as it is read: for its buyer, for letters, for the proof of the books."""

from collections.abc import AsyncGenerator, Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, LiteralString
from uuid import UUID

from sqlalchemy import text
from sqlmodel import col, func, select

from rewards_app.core.database import AsyncSession, lookup, rows, run
from rewards_app.features.shop.book_rules import Books, Moved
from rewards_app.features.shop.repository import PURPOSE
from rewards_app.features.shop.rules import Status
from rewards_app.models import Account, GiftCode, Payment, Purchase


async def of_code(session: AsyncSession, purchase_code: str) -> Purchase | None:
    found = await session.exec(select(Purchase).where(Purchase.purchase_code == purchase_code))
    return found.first()


COMPLETED: LiteralString = "select count(*) from purchases where status = 'completed'"
"""Read from `ix_purchases_completed` alone."""


async def completed() -> int:
    found = await lookup(COMPLETED, ())
    assert found, "counting always finds a number"
    return int(found[0])


async def own(session: AsyncSession, account_id: UUID, purchase_id: UUID) -> Purchase | None:
    found = await session.exec(
        select(Purchase).where(Purchase.id == purchase_id, Purchase.account_id == account_id)
    )
    return found.first()


OfCard = (col(Payment.subject_id) == col(Purchase.id)) & (col(Payment.purpose) == PURPOSE)


OfCode = col(GiftCode.purchase_id) == col(Purchase.id)


GIVEN = ("delivered", "withdrawn")
"""Codes that a buyer has seen, even if they were refunded since."""


WithPaymentAndCode = tuple[Purchase, Payment | None, GiftCode | None]


def _own(account_id: UUID) -> Any:
    return (
        select(Purchase, Payment, GiftCode)
        .join(Payment, OfCard, isouter=True)
        .join(GiftCode, OfCode, isouter=True)
        .where(Purchase.account_id == account_id)
    )


async def these(
    session: AsyncSession, account_id: UUID, purchase_ids: Collection[UUID]
) -> Sequence[WithPaymentAndCode]:
    found = await session.exec(_own(account_id).where(col(Purchase.id).in_(purchase_ids)))
    return found.all()


async def before(
    session: AsyncSession, account_id: UUID, *, before: UUID | None, limit: int
) -> Sequence[WithPaymentAndCode]:
    """The newest purchases first, with their payments and codes."""
    query = _own(account_id)
    if before is not None:
        query = query.where(col(Purchase.id) < before)
    found = await session.exec(query.order_by(col(Purchase.id).desc()).limit(limit))
    return found.all()


@dataclass(frozen=True, slots=True)
class Sold:
    """A purchase with its buyer, its money and its code, as letters and receipts need it."""

    id: UUID
    account_id: UUID
    email: str
    name: str
    language: str
    product_name: str
    game: str
    purchase_code: str
    price_kr: int
    coins: int
    bought_at: datetime
    refunded_at: datetime | None
    charged_ore: int
    is_test: bool
    sealed_code: str | None
    """Only while it is the buyer's to use."""
    was_delivered: bool
    is_demo: bool


SOLD = text("""
select purchases.id, purchases.account_id, email, display_name, language, product_name, game,
    purchase_code, price_kr, coins_spent, coalesce(purchases.ended_at, purchases.created_at),
    refunded_at, coalesce(charged, 0), coalesce(provider = 'sandbox', false),
    case when purchases.status = 'completed' and gift_codes.status = 'delivered' then code end,
    coalesce(gift_codes.status in ('delivered', 'withdrawn'), false), coalesce(is_demo, false)
from purchases
    join accounts on accounts.id = purchases.account_id
    left join payments on payments.subject_id = purchases.id and payments.purpose = 'purchase'
    left join gift_codes on gift_codes.purchase_id = purchases.id
where purchases.id = :id
""")


async def sold(session: AsyncSession, purchase_id: UUID) -> Sold | None:
    found = (await run(session, SOLD, {"id": purchase_id})).first()
    return Sold(*found) if found else None


async def count(session: AsyncSession, account_id: UUID) -> int:
    query = select(func.count(col(Purchase.id))).where(Purchase.account_id == account_id)
    return (await session.exec(query)).one()


async def latest_completed(
    session: AsyncSession, account_id: UUID, *, limit: int
) -> Sequence[Purchase]:
    query = select(Purchase).where(
        Purchase.account_id == account_id, Purchase.status == Status.COMPLETED.value
    )
    return (await session.exec(query.order_by(col(Purchase.id).desc()).limit(limit))).all()


# What is paid too late goes back without having taken any.
COINS_SPENT: LiteralString = """
select coalesce(sum(coins_spent), 0)::bigint from purchases
where account_id = %(account)s and (status = 'completed' or status = 'refunding' and exists (
    select from coin_entries where cause = 'purchase:' || purchases.id
        and month = month_of_cause('purchase:' || purchases.id)
))
"""


async def coins_spent(session: AsyncSession, account_id: UUID) -> int:
    """While a refund is under way its coins have not come back yet."""
    return (await rows(session, COINS_SPENT, {"account": account_id}))[0][0]


async def own_code(account_id: UUID, purchase_id: UUID) -> str | None:
    """The sealed code that this account's own completed purchase was given."""
    found = await lookup(
        "select code from gift_codes join purchases on purchases.id = gift_codes.purchase_id"
        " where purchases.id = %s and purchases.account_id = %s"
        " and purchases.status = 'completed' and gift_codes.status = 'delivered'",
        (purchase_id, account_id),
    )
    return found[0] if found else None


async def country_of(session: AsyncSession, account_id: UUID) -> str | None:
    return (await session.exec(select(Account.country).where(Account.id == account_id))).first()


BOOKS_AT_ONCE = 2000
"""All of them would fill the memory, and keep everybody else waiting for a while."""
BOOKS = text("""
with charged as (
    select subject_id, sum(charged) as charged,
        sum(charged) filter (where returned_at is not null) as returned
    from payments where purpose = 'purchase' and paid_at is not null group by subject_id
),
codes as (
    select purchase_id, count(*) filter (where status = 'reserved') as reserved,
        count(*) filter (where status = 'delivered') as delivered,
        count(*) filter (where status = 'withdrawn') as withdrawn
    from gift_codes where purchase_id is not null group by purchase_id
)
select purchase_code, purchases.status, price_kr, coins_spent,
    coalesce(hold.amount, 0), coalesce(-taken.amount, 0), coalesce(given.amount, 0),
    coalesce(charged, 0), coalesce(returned, 0),
    coalesce(reserved, 0), coalesce(delivered, 0), coalesce(withdrawn, 0)
from purchases
    left join coin_holds as hold
        on hold.cause = 'purchase:' || purchases.id and hold.status = 'held'
    left join coin_entries as taken on taken.cause = 'purchase:' || purchases.id
        and taken.month = month_of_cause('purchase:' || purchases.id)
    left join coin_entries as given on given.cause = 'refund:' || purchases.id
        and given.month = month_of_cause('refund:' || purchases.id)
    left join charged on charged.subject_id = purchases.id
    left join codes on codes.purchase_id = purchases.id
""")


async def books(session: AsyncSession) -> AsyncGenerator[list[Books]]:
    """Every purchase in one look, beside its coins, its money and its code; some at a time."""
    found = await session.stream(BOOKS, execution_options={"yield_per": BOOKS_AT_ONCE})
    async for part in found.partitions():
        yield [
            Books(code, Status(status), price_kr, coins_spent, Moved(*moved))
            for code, status, price_kr, coins_spent, *moved in map(tuple, part)
        ]
