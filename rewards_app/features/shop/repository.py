"""Purchases and gift codes in the database. Nothing else writes them."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, LiteralString
from uuid import UUID

from psycopg import errors as postgres
from sqlalchemy import text
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.exc import DBAPIError
from sqlmodel import col, func, select

from rewards_app.core.database import AsyncSession, lookup, run, write
from rewards_app.core.jobs import QUEUEING
from rewards_app.features.coins import service as coins
from rewards_app.features.payments import service as payments
from rewards_app.features.shop import rules
from rewards_app.features.shop.rules import Books, Moved, Status
from rewards_app.models import Account, GiftCode, Payment, Purchase

PURPOSE = "purchase"


@dataclass(frozen=True, slots=True)
class NewPurchase:
    """What is about to be bought; `amount_ore` is what a card pays, 0 for coins alone."""

    id: UUID
    account_id: UUID
    attempt: UUID
    package_id: str
    product_name: str
    game: str
    currency_amount: int
    price_kr: int
    coins: int
    purchase_code: str
    hold_id: UUID
    payment_id: UUID
    amount_ore: int
    provider: str
    expires_at: datetime
    look_at: datetime
    now: datetime


BEGIN: LiteralString = f"""
with code as (
    update gift_codes set status = 'reserved', purchase_id = %(id)s
    where id = (
        select id from gift_codes where package_id = %(package_id)s and status = 'free'
        order by is_demo, id limit 1 for update skip locked
    )
    returning id
),
bought as (
    insert into purchases (id, account_id, attempt, package_id, product_name, game,
        currency_amount, price_kr, coins_spent, status, purchase_code, created_at, refund_reason)
    select %(id)s, %(account_id)s, %(attempt)s, %(package_id)s, %(product_name)s, %(game)s,
        %(currency_amount)s, %(price_kr)s, %(coins)s, 'waiting', %(purchase_code)s, %(now)s, ''
    from code
    returning id, account_id, product_name, coins_spent, created_at
),
wanted as (
    select %(hold_id)s::uuid as hold_id, account_id, coins_spent as amount,
        'purchase:' || id as cause, created_at as at
    from bought where coins_spent > 0
),
{coins.HOLDING},
asking as (
    select %(payment_id)s::uuid as id, account_id, 'purchase' as purpose, id as subject_id,
        product_name as description, %(amount_ore)s::integer as amount, 'sek' as currency,
        %(provider)s as provider, %(expires_at)s::timestamptz as expires_at,
        %(look_at)s::timestamptz as look_at, created_at as asked_at
    from bought where %(amount_ore)s::integer > 0
),
{payments.ASKING}
select count(*) from bought
"""  # noqa: S608  (all parts are ours)


class PressedTwice(Exception):
    """This attempt has made its purchase before."""


async def begin(session: AsyncSession, new: NewPurchase) -> None:
    """Reserve a code, hold the coins, ask for the rest: all of it, or a refusal and nothing."""
    try:
        found = await write(session, BEGIN, _values(new))
    except DBAPIError as failure:
        raise _refusal(failure.orig or failure) from failure
    _refuse_empty_stock(found)


def _values(new: NewPurchase) -> dict[str, Any]:
    return {name: getattr(new, name) for name in NewPurchase.__slots__}


def _refuse_empty_stock(found: Sequence[Any] | None) -> None:
    if not found or not found[0]:
        raise rules.SoldOut


def _refusal(failure: BaseException) -> BaseException:
    if isinstance(failure, postgres.UniqueViolation):
        return PressedTwice()
    return rules.NotThatManyCoins() if coins.is_short_of_coins(failure) else failure


MAIL_TASK: LiteralString = "shop.send_code"
GIVING: LiteralString = f"""
bought as (
    update purchases set status = 'completed', ended_at = paid_for.at
    from paid_for
    where purchases.id = paid_for.subject_id and purchases.status = 'waiting' and exists (
        select from gift_codes
        where gift_codes.purchase_id = purchases.id and gift_codes.status = 'reserved'
    )
    returning purchases.id, account_id, product_name, coins_spent, ended_at
),
code as (
    update gift_codes set status = 'delivered', delivered_at = bought.ended_at
    from bought where gift_codes.purchase_id = bought.id and gift_codes.status = 'reserved'
    returning gift_codes.id
),
ending as (
    select 'purchase:' || id as cause, product_name as subject, ended_at as at
    from bought where coins_spent > 0
),
{coins.SETTLING},
later as (
    select '{MAIL_TASK}' as task, jsonb_build_object('purchase_id', id) as arguments from bought
),
{QUEUEING},
given as (
    select account_id, coins_spent as coins, (select count(ids) from queued) as letters
    from bought
)
"""  # noqa: S608  (all parts are ours)
"""Delivers the code, spends the coins and queues the letter of each purchase in `paid_for`."""

COMPLETE: LiteralString = f"""
with paid_for as (select %(id)s::uuid as subject_id, %(now)s::timestamptz as at),
{GIVING}
select letters from given
"""  # noqa: S608  (both parts are ours)


async def complete(session: AsyncSession, purchase_id: UUID, *, now: datetime) -> None:
    """Nothing is left to pay: the code is delivered and the coins are spent."""
    found = await write(session, COMPLETE, {"id": purchase_id, "now": now})
    assert found, "a purchase that waits has its code"


END: LiteralString = f"""
with ended as (
    update purchases set status = %(status)s, ended_at = %(now)s
    where id = %(id)s and status = 'waiting'
    returning id, account_id
),
code as (
    update gift_codes set status = 'free', purchase_id = null
    from ended where gift_codes.purchase_id = ended.id and gift_codes.status = 'reserved'
    returning gift_codes.id
),
ending as (
    select 'purchase:' || id as cause, '' as subject, %(now)s::timestamptz as at from ended
),
{coins.RELEASING}
select account_id from ended
"""  # noqa: S608  (all parts are ours)


async def end(
    session: AsyncSession, purchase_id: UUID, status: Status, *, now: datetime
) -> UUID | None:
    """The code is free again and so are the coins; whose they were."""
    found = await write(session, END, {"id": purchase_id, "status": status, "now": now})
    return found[0] if found else None


async def begin_refund(
    session: AsyncSession, purchase_id: UUID, by: UUID | None, reason: str
) -> UUID | None:
    """From now on on its way back; whose it was."""
    query: LiteralString = (
        "update purchases set status = 'refunding', refunded_by = %(by)s,"
        " refund_reason = %(reason)s where id = %(id)s returning account_id"
    )
    found = await write(session, query, {"id": purchase_id, "by": by, "reason": reason})
    return found[0] if found else None


async def finish_refund(session: AsyncSession, purchase_id: UUID, *, now: datetime) -> bool:
    """Refunded; its code is never given again. Whether it had been delivered."""
    query: LiteralString = """
    with refunded as (
        update purchases set status = 'refunded', refunded_at = %(now)s where id = %(id)s
        returning id
    ),
    code as (
        update gift_codes set status = 'withdrawn'
        from refunded where gift_codes.purchase_id = refunded.id
        returning gift_codes.id
    )
    select (select count(*) from code) from refunded
    """
    found = await write(session, query, {"id": purchase_id, "now": now})
    return bool(found and found[0])


async def lock(session: AsyncSession, purchase_id: UUID) -> Purchase | None:
    found = await session.exec(select(Purchase).where(Purchase.id == purchase_id).with_for_update())
    return found.first()


async def find(session: AsyncSession, purchase_id: UUID) -> Purchase | None:
    return await session.get(Purchase, purchase_id)


async def of_code(session: AsyncSession, purchase_code: str) -> Purchase | None:
    found = await session.exec(select(Purchase).where(Purchase.purchase_code == purchase_code))
    return found.first()


async def own(session: AsyncSession, account_id: UUID, purchase_id: UUID) -> Purchase | None:
    found = await session.exec(
        select(Purchase).where(Purchase.id == purchase_id, Purchase.account_id == account_id)
    )
    return found.first()


async def of_attempt(account_id: UUID, attempt: UUID) -> tuple[UUID, Status] | None:
    found = await lookup(
        "select id, status from purchases where account_id = %s and attempt = %s",
        (account_id, attempt),
    )
    return (found[0], Status(found[1])) if found else None


async def take_turn(session: AsyncSession, account_id: UUID) -> None:
    """Until this transaction ends, no other tab of the account begins an order to be paid."""
    query: LiteralString = "select pg_advisory_xact_lock(hashtextextended(%(owner)s, 0))"
    await write(session, query, {"owner": f"checkouts of {account_id}"})


async def waiting(session: AsyncSession, account_id: UUID) -> int:
    query: LiteralString = (
        "select count(*) from purchases where account_id = %(owner)s and status = 'waiting'"
    )
    return (await write(session, query, {"owner": account_id}))[0]


OfCard = (col(Payment.subject_id) == col(Purchase.id)) & (col(Payment.purpose) == PURPOSE)
OfCode = col(GiftCode.purchase_id) == col(Purchase.id)
GIVEN = ("delivered", "withdrawn")
"""Codes that a buyer has seen, even if they were refunded since."""


async def before(
    session: AsyncSession, account_id: UUID, *, before: UUID | None, limit: int
) -> Sequence[tuple[Purchase, Payment | None, GiftCode | None]]:
    """The newest purchases first, with their payments and codes."""
    query = (
        select(Purchase, Payment, GiftCode)
        .join(Payment, OfCard, isouter=True)
        .join(GiftCode, OfCode, isouter=True)
        .where(Purchase.account_id == account_id)
    )
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


async def add_codes(session: AsyncSession, rows: Sequence[GiftCode]) -> int:
    """Keep those that are new; how many there were."""
    if not rows:
        return 0
    values = [row.model_dump() for row in rows]
    statement = insert(GiftCode).on_conflict_do_nothing(index_elements=["fingerprint"])
    found = await run(session, statement.values(values).returning(col(GiftCode.id)))
    return len(found.all())


async def known_fingerprints(session: AsyncSession, fingerprints: Sequence[str]) -> set[str]:
    query = select(GiftCode.fingerprint).where(col(GiftCode.fingerprint).in_(fingerprints))
    return set((await session.exec(query)).all())


@dataclass(frozen=True, slots=True)
class Level:
    """How many codes of a package there are, by what became of them."""

    package_id: str
    is_demo: bool
    status: str
    count: int


async def levels(session: AsyncSession) -> list[Level]:
    grouped = (col(GiftCode.package_id), col(GiftCode.is_demo), col(GiftCode.status))
    query = select(*grouped, func.count(col(GiftCode.id))).group_by(*grouped)  # pyright: ignore
    return [Level(*row) for row in (await session.exec(query)).all()]


async def in_stock(session: AsyncSession) -> set[str]:
    """The packages that can be bought now."""
    free = select(GiftCode.package_id).where(GiftCode.status == "free").distinct()
    return set((await session.exec(free)).all())


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
    left join coin_entries as given on given.cause = 'refund:' || purchases.id
    left join charged on charged.subject_id = purchases.id
    left join codes on codes.purchase_id = purchases.id
""")


async def books(session: AsyncSession) -> list[Books]:
    """Every purchase in one look, beside its coins, its money and its code."""
    found = await run(session, BOOKS)
    return [
        Books(code, Status(status), price_kr, coins_spent, Moved(*moved))
        for code, status, price_kr, coins_spent, *moved in map(tuple, found.all())
    ]
