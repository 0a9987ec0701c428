"""Orders: what a player bought, cancels, reports; what an admin refunds."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

import structlog

from rewards_app.core import limits, live
from rewards_app.core.actor import Actor
from rewards_app.core.database import AsyncSession
from rewards_app.core.errors import DomainError
from rewards_app.core.sealed import unseal
from rewards_app.features.audit import service as audit
from rewards_app.features.payments import rules as payment_rules
from rewards_app.features.payments import service as payments
from rewards_app.features.shop import (
    history_repository,
    outcomes,
    repository,
    rules,
)
from rewards_app.features.shop.buying import CHANGED
from rewards_app.features.shop.history_repository import WithPaymentAndCode
from rewards_app.features.shop.repository import PURPOSE
from rewards_app.features.shop.rules import Status
from rewards_app.features.support import service as support
from rewards_app.features.support import tickets
from rewards_app.features.support.rules import Status as SupportStatus
from rewards_app.features.support.service import Latest
from rewards_app.models import GiftCode, Payment, Purchase

_log = structlog.get_logger(__name__)

A_PAGE = 20
LOOKS = limits.parse("10 per minute")


@dataclass(frozen=True, slots=True)
class Order:
    """A purchase as its owner sees it."""

    id: UUID
    package_id: str
    product_name: str
    amount: int
    game: str
    status: Status
    coins: int
    to_pay_kr: int
    purchase_code: str
    created_at: datetime
    checkout_url: str | None
    """Where it can still be paid."""
    expires_at: datetime | None
    is_under_way: bool
    """The player has done their part, and the money takes days: there is nothing left to pay."""
    is_test: bool
    is_demo: bool
    was_completed: bool
    """A code was given and a receipt exists, though it may have been refunded since."""
    was_paid: bool
    """Money was charged, though it may have gone back since."""
    was_taken: bool
    """It went back by the card owner's bank, and not by us."""
    refund_reason: str
    ticket: int | None
    """The number of what was asked about it, unless that is closed."""
    ticket_status: str


@dataclass(frozen=True, slots=True)
class Orders:
    """A stretch of the history; `next_before` leads to the older rest."""

    shown: Sequence[Order]
    next_before: UUID | None


async def orders(
    session: AsyncSession, actor: Actor, *, before: UUID | None = None, limit: int | None = None
) -> Orders:
    most = limit or A_PAGE
    found = await history_repository.before(session, actor.user_id, before=before, limit=most + 1)
    shown = await _as_seen(session, actor, found[:most])
    return Orders(shown, shown[-1].id if len(found) > most else None)


async def these_orders(
    session: AsyncSession, actor: Actor, purchase_ids: Collection[UUID]
) -> list[Order]:
    """The actor's own among them, however old they are."""
    found = await history_repository.these(session, actor.user_id, purchase_ids)
    return await _as_seen(session, actor, found)


async def _as_seen(
    session: AsyncSession, actor: Actor, found: Sequence[WithPaymentAndCode]
) -> list[Order]:
    abouts = [about(purchase.id) for purchase, _, _ in found]
    reported = await support.latest_about(session, actor.user_id, abouts)
    return [
        _order(purchase, payment, code, reported.get(about(purchase.id)))
        for purchase, payment, code in found
    ]


def _order(
    purchase: Purchase, payment: Payment | None, code: GiftCode | None, asked: Latest | None
) -> Order:
    ticket = asked if asked and asked.status != SupportStatus.CLOSED else None
    is_waiting = purchase.status == Status.WAITING
    is_under_way = payment is not None and is_waiting and payment.is_under_way
    to_be_paid = payment if is_waiting and not is_under_way else None
    return Order(
        id=purchase.id,
        package_id=purchase.package_id,
        product_name=purchase.product_name,
        amount=purchase.currency_amount,
        game=purchase.game,
        status=Status(purchase.status),
        coins=purchase.coins_spent,
        to_pay_kr=purchase.price_kr - purchase.coins_spent,
        purchase_code=purchase.purchase_code,
        created_at=purchase.created_at,
        checkout_url=to_be_paid.checkout_url if to_be_paid else None,
        expires_at=to_be_paid.expires_at if to_be_paid else None,
        is_under_way=is_under_way,
        is_test=payment is not None and payment.provider == "sandbox",
        is_demo=code is not None and code.is_demo,
        was_completed=code is not None and code.status in history_repository.GIVEN,
        was_paid=payment is not None and payment.charged is not None,
        was_taken=payment is not None and payment_rules.is_taken(payment.refund_id),
        refund_reason=purchase.refund_reason,
        ticket=ticket.number if ticket else None,
        ticket_status=ticket.status if ticket else "",
    )


async def order_count(session: AsyncSession, actor: Actor) -> int:
    return await history_repository.count(session, actor.user_id)


@dataclass(frozen=True, slots=True)
class Buy:
    """A package that somebody has, and the coins that were taken for it."""

    package_id: str
    product_name: str
    coins: int
    at: datetime


async def latest_buys(session: AsyncSession, account_id: UUID, *, limit: int) -> list[Buy]:
    """The newest first; unpaid, ended and refunded orders are none."""
    found = await history_repository.latest_completed(session, account_id, limit=limit)
    return [Buy(p.package_id, p.product_name, p.coins_spent, p.created_at) for p in found]


async def coins_spent(session: AsyncSession, account_id: UUID) -> int:
    """On all purchases; what was refunded came back."""
    return await history_repository.coins_spent(session, account_id)


async def code_of(actor: Actor, purchase_id: UUID) -> str:
    """The gift code, for its owner alone."""
    sealed = await history_repository.own_code(actor.user_id, purchase_id)
    if sealed is None:
        raise rules.UnknownPurchase
    return unseal(sealed)


async def cancel(actor: Actor, purchase_id: UUID) -> None:
    """Close the checkout, then give the coins back; one that was paid meanwhile is delivered."""
    payment = await _own_payment(actor, purchase_id)
    if payment.is_under_way:
        raise rules.PaymentUnderWay
    await limits.spend(LOOKS, "look", str(actor.user_id))
    try:
        await payments.close(payment)
    except DomainError as failure:
        _log.warning("checkout.not_closed", purchase=str(purchase_id), reason=failure.code)
        raise rules.CannotCancelNow from failure
    # Not what closing it told: the webhook may have been quicker.
    closed = await payments.of_subject(PURPOSE, purchase_id)
    if closed and closed.status in payment_rules.UNDECIDED:
        raise rules.PaymentUnderWay if closed.is_under_way else rules.CannotCancelNow
    # Nobody asks about it again, and how many there are is limited where they are opened.
    await limits.give_back(LOOKS, "look", str(actor.user_id))
    if closed and closed.status is payment_rules.Status.PAID:
        raise rules.AlreadyPaid
    if closed and closed.status in payment_rules.GOES_BACK:
        raise rules.GoesBack


async def come_back(actor: Actor, purchase_id: UUID, *, has_cancelled: bool) -> None:
    """The player returns from the checkout; an order that is settled by now stays as it is."""
    try:
        await (cancel if has_cancelled else look_again)(actor, purchase_id)
    except (rules.NotWaiting, rules.UnknownPurchase):
        return


async def look_again(actor: Actor, purchase_id: UUID) -> None:
    """Ask the provider what became of the player's own payment."""
    payment = await _own_payment(actor, purchase_id)
    await limits.spend(LOOKS, "look", str(actor.user_id))
    try:
        await payments.look(payment.id)
    except DomainError as failure:
        # The webhook or the reconciliation will tell.
        _log.info("checkout.not_looked_at", purchase=str(purchase_id), reason=failure.code)


async def _own_payment(actor: Actor, purchase_id: UUID) -> payments.DuePayment:
    payment = await payments.of_subject(PURPOSE, purchase_id)
    if payment is None or payment.account_id != actor.user_id:
        raise rules.UnknownPurchase
    if payment.status not in payment_rules.UNDECIDED:
        raise rules.NotWaiting
    return payment


def about(purchase_id: UUID) -> str:
    """What a ticket on this purchase is about."""
    return f"purchase:{purchase_id}"


async def report(
    session: AsyncSession, actor: Actor, purchase_id: UUID, message: str, *, now: datetime
) -> int:
    """'Something is wrong': a ticket about the player's own order; its number."""
    purchase = await history_repository.own(session, actor.user_id, purchase_id)
    if purchase is None:
        raise rules.UnknownPurchase
    subject = f"{purchase.product_name} · {purchase.purchase_code}"
    number = await tickets.ask_about(session, actor, about(purchase_id), subject, message, now=now)
    live.announce_after(session, CHANGED, str(actor.user_id))
    return number


async def refund(
    session: AsyncSession, actor: Actor | None, purchase_id: UUID, reason: str, *, now: datetime
) -> None:
    """Take a purchase back: the money first, then the coins, each once.

    Nobody is `actor` where the command line asks.
    """
    why = rules.cleaned_reason(reason)
    payment = await payments.of_subject(PURPOSE, purchase_id)
    if payment:
        await payments.lock(session, payment.id)
    purchase = await repository.lock(session, purchase_id)
    if purchase is None:
        raise rules.UnknownPurchase
    if purchase.status != Status.COMPLETED:
        raise rules.NotRefundable
    await repository.begin_refund(session, purchase_id, actor.user_id if actor else None, why)
    await audit.record(
        session,
        actor,
        audit.Action.ORDER_REFUNDED,
        f"order:{purchase_id}",
        label=purchase.purchase_code,
        before={"status": Status.COMPLETED.value},
        after=_back(purchase, is_paid=payment is not None),
        reason=why,
        now=now,
    )
    if payment:
        await payments.ask_back(session, payment.id, now=now)
        live.announce_after(session, CHANGED, str(purchase.account_id))
    else:
        await outcomes.finish_refund(session, purchase_id, now=now)


def _back(purchase: Purchase, *, is_paid: bool) -> dict[str, str | int]:
    """What goes back, as it stays written down."""
    return {
        "status": (Status.REFUNDING if is_paid else Status.REFUNDED).value,
        "coins": purchase.coins_spent,
        "kronor": purchase.price_kr - purchase.coins_spent,
    }


async def completed() -> int:
    """Orders of everybody that were delivered, however they were paid, and not taken back since."""
    return await history_repository.completed()


async def find_by_code(session: AsyncSession, purchase_code: str) -> Purchase | None:
    return await history_repository.of_code(session, purchase_code.strip().upper())
