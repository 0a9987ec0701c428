"""Everybody's purchases, as admins look for them. No statement here reads a gift code."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import LiteralString
from uuid import UUID

from sqlalchemy.orm import aliased
from sqlmodel import col, func, or_, select

from rewards_app.core.database import AsyncSession, plan_for_these_values, write
from rewards_app.core.like import literally
from rewards_app.features.shop.history_repository import OfCard, OfCode
from rewards_app.features.shop.rules import Status
from rewards_app.models import Account, GiftCode, Payment, Purchase


@dataclass(frozen=True, slots=True)
class Found:
    """A purchase with its buyer, its payment, and what became of its code."""

    purchase: Purchase
    name: str
    email: str
    payment: Payment | None
    is_demo: bool
    delivered_at: datetime | None
    refunded_by: str | None
    """The admin's name."""


_Admin = aliased(Account)
_FOUND = (
    select(  # pyright: ignore[reportCallIssue]
        Purchase,  # pyright: ignore[reportArgumentType]
        Account.display_name,
        Account.email,
        Payment,
        func.coalesce(GiftCode.is_demo, False),
        GiftCode.delivered_at,
        _Admin.display_name,
    )
    .join(Account, col(Account.id) == col(Purchase.account_id))
    .join(Payment, OfCard, isouter=True)
    .join(GiftCode, OfCode, isouter=True)
    .join(_Admin, col(_Admin.id) == col(Purchase.refunded_by), isouter=True)
)


async def newest(
    session: AsyncSession,
    *,
    purchase_code: str = "",
    buyer_id: UUID | None = None,
    begins: str = "",
    status: Status | None = None,
    before: UUID | None = None,
    limit: int,
) -> Sequence[Found]:
    """The newest first; `begins` is what the buyer's email or name begins with."""
    query = _FOUND
    if purchase_code:
        query = query.where(Purchase.purchase_code == purchase_code)
    if buyer_id:
        query = query.where(Purchase.account_id == buyer_id)
    if begins:
        await plan_for_these_values(session)
        query = query.where(col(Purchase.account_id).in_(_people(begins)))
    if status:
        query = query.where(Purchase.status == status)
    if before:
        query = query.where(col(Purchase.id) < before)
    rows = await session.exec(query.order_by(col(Purchase.id).desc()).limit(limit))
    return [Found(*row) for row in rows.all()]


def _people(begins: str):
    pattern = func.lower(literally(begins) + "%")
    return select(Account.id).where(
        or_(
            col(Account.email).like(pattern, escape="\\"),
            func.lower(Account.display_name).like(pattern, escape="\\"),
        )
    )


async def one(session: AsyncSession, purchase_id: UUID) -> Found | None:
    row = (await session.exec(_FOUND.where(Purchase.id == purchase_id))).first()
    return Found(*row) if row else None


@dataclass(frozen=True, slots=True)
class Past:
    """How a buyer's purchases went so far, this one included."""

    completed: int
    refunded: int


async def past_of(session: AsyncSession, account_id: UUID) -> Past:
    def of(*statuses: Status):
        return func.count(col(Purchase.id)).filter(col(Purchase.status).in_(statuses))

    query = select(of(Status.COMPLETED), of(Status.REFUNDING, Status.REFUNDED))
    return Past(*(await session.exec(query.where(Purchase.account_id == account_id))).one())


# A test payment gets a code for trying out, any other one rather a real one, in production nothing
# else.
GIVE_MISSING: LiteralString = """
with missing as (
    select purchases.id, package_id, coalesce(payments.provider = 'sandbox', false) as is_test
    from purchases
        left join payments on payments.subject_id = purchases.id and payments.purpose = 'purchase'
    where purchases.id = %(id)s and not exists (
        select from gift_codes where gift_codes.purchase_id = purchases.id)
),
taken as (
    select gift_codes.id from missing join gift_codes
        on gift_codes.package_id = missing.package_id and gift_codes.status = 'free'
        and (gift_codes.is_demo or not missing.is_test)
        and (missing.is_test or not gift_codes.is_demo or not %(is_production)s::boolean)
    order by gift_codes.is_demo, gift_codes.id limit 1 for update of gift_codes skip locked
)
update gift_codes set status = 'delivered', purchase_id = %(id)s, delivered_at = %(now)s
from taken where gift_codes.id = taken.id returning gift_codes.id
"""


async def give_missing_code(
    session: AsyncSession, purchase_id: UUID, *, is_production: bool, now: datetime
) -> bool:
    """Give the purchase a code if it has none; whether one was given."""
    values = {"id": purchase_id, "is_production": is_production, "now": now}
    return await write(session, GIVE_MISSING, values) is not None


async def has_its_code(session: AsyncSession, purchase_id: UUID) -> bool:
    query = select(GiftCode.id).where(
        GiftCode.purchase_id == purchase_id, GiftCode.status == "delivered"
    )
    return (await session.exec(query)).first() is not None
