"""Orders and stock as admins see them: found, looked into, refunded. Never with a gift code."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

import structlog

from rewards_app.core import jobs, limits, live, mail
from rewards_app.core.actor import Actor
from rewards_app.core.database import AsyncSession
from rewards_app.core.ids import id_from, new_id
from rewards_app.core.settings import settings
from rewards_app.features.audit import service as audit
from rewards_app.features.payments import service as payments
from rewards_app.features.shop import back_office_repository as repository
from rewards_app.features.shop import repository as shop_repository
from rewards_app.features.shop import rules, service, stock
from rewards_app.features.shop.back_office_repository import Found, Past
from rewards_app.features.shop.buying import CHANGED
from rewards_app.features.shop.repository import MAIL_TASK
from rewards_app.features.shop.rules import Status
from rewards_app.features.shop.stock import Imported
from rewards_app.features.support import service as support
from rewards_app.features.support.service import Waiting

_log = structlog.get_logger(__name__)

A_PAGE = 25
SENDINGS = limits.parse("3 per hour")
"""Of one order: whoever gets no mail at all needs another way."""


@dataclass(frozen=True, slots=True)
class Order:
    """Anybody's purchase."""

    id: UUID
    name: str
    email: str
    is_buyer_gone: bool
    """Forgotten for good: nothing that is sent there is read."""
    product_name: str
    amount: int
    purchase_code: str
    status: Status
    coins: int
    to_pay_ore: int
    provider: str
    """Empty where coins alone paid."""
    is_demo: bool
    created_at: datetime
    ticket: int | None


@dataclass(frozen=True, slots=True)
class Search:
    """`text`: a whole purchase code, the buyer's whole id, or what their email or name begins
    with."""

    text: str = ""
    status: Status | None = None


@dataclass(frozen=True, slots=True)
class Orders:
    """A stretch of what was found; `next_before` leads to the older rest."""

    shown: Sequence[Order]
    next_before: UUID | None


async def find(
    session: AsyncSession, search: Search, *, before: UUID | None = None, limit: int | None = None
) -> Orders:
    """The newest first."""
    most = limit or A_PAGE
    text = search.text.strip()
    is_code = bool(rules.PURCHASE_CODE.fullmatch(text.upper()))
    buyer_id = id_from(text)
    found = await repository.newest(
        session,
        purchase_code=text.upper() if is_code else "",
        buyer_id=buyer_id,
        begins="" if is_code or buyer_id else text,
        status=search.status,
        before=before,
        limit=most + 1,
    )
    rows = found[:most]
    tickets = await support.waiting_about(session, [_about(row) for row in rows])
    shown = [_order(row, tickets.get(_about(row))) for row in rows]
    return Orders(shown, shown[-1].id if len(found) > most else None)


def _about(found: Found) -> str:
    return service.about(found.purchase.id)


def _order(found: Found, ticket: Waiting | None) -> Order:
    purchase, payment = found.purchase, found.payment
    return Order(
        id=purchase.id,
        name=found.name,
        email=found.email,
        is_buyer_gone=mail.is_forgotten(found.email),
        product_name=purchase.product_name,
        amount=purchase.currency_amount,
        purchase_code=purchase.purchase_code,
        status=Status(purchase.status),
        coins=purchase.coins_spent,
        to_pay_ore=(purchase.price_kr - purchase.coins_spent) * rules.ORE_PER_KR,
        provider=payment.provider if payment else "",
        is_demo=found.is_demo,
        created_at=purchase.created_at,
        ticket=ticket.number if ticket else None,
    )


@dataclass(frozen=True, slots=True)
class Story:
    """Everything that is known of one order."""

    order: Order
    past: Past
    paid_at: datetime | None
    intent_id: str | None
    """What the provider calls the payment."""
    is_contested: bool
    """A bank decides whose its money is: nothing goes back from here."""
    delivered_at: datetime | None
    ended_at: datetime | None
    """When it was cancelled, expired or failed."""
    ticket: Waiting | None
    returned_at: datetime | None
    was_taken: bool
    """By a bank, and not returned by us."""
    refunded_at: datetime | None
    refunded_by: str | None
    refund_reason: str


async def story(
    session: AsyncSession, actor: Actor, purchase_id: UUID, *, again: bool = False
) -> Story:
    """Who looks is in the log, but not `again` whenever what they look at changes."""
    found = await repository.one(session, purchase_id)
    if found is None:
        raise rules.UnknownPurchase
    purchase, payment = found.purchase, found.payment
    if not again:
        _log.info("order.looked_into", order=str(purchase_id), by=str(actor.user_id))
    ticket = (await support.waiting_about(session, [_about(found)])).get(_about(found))
    is_unpaid_end = purchase.status in (Status.CANCELLED, Status.EXPIRED, Status.FAILED)
    return Story(
        order=_order(found, ticket),
        past=await repository.past_of(session, purchase.account_id),
        paid_at=payment.paid_at if payment else None,
        intent_id=payment.intent_id if payment else None,
        is_contested=payment is not None and await payments.is_contested(session, payment.id),
        delivered_at=found.delivered_at,
        ended_at=purchase.ended_at if is_unpaid_end else None,
        ticket=ticket,
        returned_at=payment.returned_at if payment else None,
        was_taken=await payments.was_taken(session, shop_repository.PURPOSE, purchase_id),
        refunded_at=purchase.refunded_at,
        refunded_by=found.refunded_by,
        refund_reason=purchase.refund_reason,
    )


async def refund(
    session: AsyncSession, actor: Actor, purchase_id: UUID, reason: str, *, now: datetime
) -> None:
    """The money first, then the coins, each once; the player reads the reason."""
    await service.refund(session, actor, purchase_id, reason, now=now)
    _log.info("order.refund_begun", order=str(purchase_id), by=str(actor.user_id))


async def send_again(
    session: AsyncSession, actor: Actor, purchase_id: UUID, *, now: datetime
) -> bool:
    """Mail the buyer the code and its receipt once more; whether a code had to be given first.

    Nobody but the buyer reads it. An order that was paid for and has none gets one from the stock.
    """
    purchase = await shop_repository.lock(session, purchase_id)
    if purchase is None:
        raise rules.UnknownPurchase
    if purchase.status != Status.COMPLETED:
        raise rules.NothingToSend
    found = await repository.one(session, purchase_id)
    if found is None or mail.is_forgotten(found.email):
        raise rules.BuyerIsGone
    await limits.spend(SENDINGS, "send again", str(purchase_id))
    is_given = await repository.give_missing_code(
        session, purchase_id, is_production=settings().is_production, now=now
    )
    if not await repository.has_its_code(session, purchase_id):
        raise rules.NoCodeLeft
    await jobs.later(
        session,
        MAIL_TASK,
        urgency=jobs.Urgency.LETTER,
        purchase_id=str(purchase_id),
        again=str(new_id()),
    )
    await audit.record(
        session,
        actor,
        audit.Action.ORDER_SENT_AGAIN,
        f"order:{purchase_id}",
        label=purchase.purchase_code,
        after={"code_assigned": True} if is_given else None,
        now=now,
    )
    if is_given:
        live.announce_after(session, CHANGED, str(purchase.account_id))
    return is_given


async def import_codes(
    session: AsyncSession, actor: Actor, text: str, *, now: datetime
) -> Imported:
    """All codes of the sheet, or none and what is wrong with each line."""
    imported = await stock.import_sheet(session, text, actor, now=now)
    _log.info(
        "codes.imported",
        count=imported.count,
        problems=len(imported.problems),
        by=str(actor.user_id),
    )
    return imported
