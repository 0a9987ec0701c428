"""Purchases and gift codes in the database. Nothing else writes them."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, LiteralString
from uuid import UUID

from psycopg import errors as postgres
from sqlalchemy.exc import DBAPIError
from sqlmodel import select

from rewards_app.core.database import AsyncSession, lookup, statement, write
from rewards_app.core.jobs import QUEUEING
from rewards_app.features.coins import service as coins
from rewards_app.features.payments import service as payments
from rewards_app.features.shop import rules
from rewards_app.features.shop.rules import Status
from rewards_app.models import Purchase

PURPOSE = "purchase"
ONE_A_SLOT = "one_unpaid_purchase_a_slot"


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
    codes: rules.Codes
    expires_at: datetime
    look_at: datetime
    now: datetime


BEGIN: LiteralString = f"""
with turn as (
    select pg_advisory_xact_lock(hashtextextended(%(attempt)s::text, 0))
),
place as (
    select min(number) as slot from generate_series(1, %(most_waiting)s::integer) as number
    where not exists (
        select from purchases where account_id = %(account_id)s and slot = number
    )
),
code as (
    update gift_codes set status = 'reserved', purchase_id = %(id)s
    where id = (
        select id from gift_codes where package_id = %(package_id)s and status = 'free'
            and (%(codes)s::text = 'any' or is_demo = (%(codes)s::text = 'demo'))
            and exists (select from turn)
        order by is_demo, id limit 1 for update skip locked
    ) and (%(amount_ore)s::integer = 0 or exists (select from place where slot is not null))
    returning id
),
bought as (
    insert into purchases (id, account_id, attempt, package_id, product_name, game,
        currency_amount, price_kr, coins_spent, status, slot, purchase_code, created_at,
        refund_reason)
    select %(id)s, %(account_id)s, %(attempt)s, %(package_id)s, %(product_name)s, %(game)s,
        %(currency_amount)s, %(price_kr)s, %(coins)s, 'waiting',
        case when %(amount_ore)s::integer > 0 then slot end, %(purchase_code)s, %(now)s, ''
    from code cross join place
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
select (select count(*) from bought), slot from place
"""  # noqa: S608  (all parts are ours)


class PressedTwice(Exception):
    """This attempt has made its purchase before."""


async def begin(session: AsyncSession, new: NewPurchase) -> None:
    """Reserve a code and hold the coins: all of it, or a refusal and nothing."""
    try:
        found = await write(session, BEGIN, _values(new))
    except DBAPIError as failure:
        # Else it stays what it is: a lost connection is no refusal, and is told as one.
        if refusal := _refusal(failure.orig):
            raise refusal from failure
        raise
    _refuse_unless_begun(new, found)


async def begin_alone(new: NewPurchase) -> None:
    """The same and ask for the rest of the price, as a transaction of its own."""
    while True:
        try:
            found = await statement(BEGIN, _values(new))
        except postgres.IntegrityError as failure:
            # Another tab took this place at the same moment: there may be another one.
            if failure.diag.constraint_name == ONE_A_SLOT:
                continue
            if refusal := _refusal(failure):
                raise refusal from failure
            raise
        else:
            return _refuse_unless_begun(new, found)


def _values(new: NewPurchase) -> dict[str, Any]:
    known = {name: getattr(new, name) for name in NewPurchase.__slots__}
    return known | {"most_waiting": rules.MOST_WAITING}


def _refuse_unless_begun(new: NewPurchase, found: Sequence[Any] | None) -> None:
    assert found, "it always tells"
    begun, slot = found
    if not begun and new.amount_ore and slot is None:
        raise rules.TooManyWaiting(count=rules.MOST_WAITING)
    if not begun:
        raise rules.SoldOut


def _refusal(failure: BaseException | None) -> Exception | None:
    if isinstance(failure, postgres.UniqueViolation):
        return PressedTwice()
    is_short = failure is not None and coins.is_short_of_coins(failure)
    return rules.NotThatManyCoins() if is_short else None


async def are_all_under_way(account_id: UUID) -> bool:
    """Whether every order that holds a place waits for money that is on its way."""
    found = await lookup(
        "select bool_and(payments.is_under_way) from purchases"
        " join payments on payments.subject_id = purchases.id and payments.purpose = 'purchase'"
        " where purchases.account_id = %s and purchases.slot is not null",
        (account_id,),
    )
    return bool(found and found[0])


MAIL_TASK: LiteralString = "shop.send_code"


GIVING: LiteralString = f"""
bought as (
    update purchases set status = 'completed', ended_at = paid_for.at, slot = null
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
    select '{MAIL_TASK}' as task, true as is_letter,
        jsonb_build_object('purchase_id', id) as arguments
    from bought
),
{QUEUEING},
given as (
    select account_id as owner_id, coins_spent as coins, (select count(ids) from queued) as letters
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
    update purchases set status = %(status)s, ended_at = %(now)s, slot = null
    where id = %(id)s and status = 'waiting'
    returning id, account_id
),
code as (
    update gift_codes set purchase_id = null,
        status = case when is_withheld then 'withdrawn' else 'free' end
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
    """The code is free again, unless it is withheld, and so are the coins; whose they were."""
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


async def finish_refund(session: AsyncSession, purchase_id: UUID, *, now: datetime) -> None:
    """Refunded; its code is never given again."""
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
    select id from refunded
    """
    await write(session, query, {"id": purchase_id, "now": now})


async def lock(session: AsyncSession, purchase_id: UUID) -> Purchase | None:
    found = await session.exec(select(Purchase).where(Purchase.id == purchase_id).with_for_update())
    return found.first()


async def of_attempt(account_id: UUID, attempt: UUID) -> tuple[UUID, Status] | None:
    found = await lookup(
        "select id, status from purchases where account_id = %s and attempt = %s",
        (account_id, attempt),
    )
    return (found[0], Status(found[1])) if found else None
