"""Paying money in by card: asked for, looked after, cancelled; each step is committed by itself."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

import structlog

from rewards_app.core import limits, live
from rewards_app.core.actor import Actor
from rewards_app.core.database import AsyncSession, transaction
from rewards_app.core.errors import DomainError, StorageAway
from rewards_app.core.ids import new_id
from rewards_app.features.advertiser import (
    billing_rules,
    company_repository,
    membership,
    top_up_repository,
)
from rewards_app.features.advertiser.billing_rules import Status
from rewards_app.features.advertiser.membership import CHANGED
from rewards_app.features.advertiser.top_up_repository import PURPOSE, Kept, NewTopUp, TopUp
from rewards_app.features.payments import rules as payment_rules
from rewards_app.features.payments import service as payments
from rewards_app.features.payments.gateway import Asked, Gateway
from rewards_app.i18n.mail_text import text

_log = structlog.get_logger(__name__)

CHECKOUTS_AT_ONCE = limits.parse("12 per 10 minutes")
LOOKS = limits.parse("10 per minute")
A_PAGE = 6


@dataclass(frozen=True, slots=True)
class Begun:
    """What came of a press: it is paid at `checkout_url`, if there is still something to pay."""

    top_up_id: UUID
    status: Status
    checkout_url: str | None


async def begin(actor: Actor, raw: str, attempt: UUID, *, language: str, now: datetime) -> Begun:
    """Ask for the money. Pressed twice, asked once."""
    provider = _provider()
    cents = billing_rules.cents_of(raw)
    await limits.spend(CHECKOUTS_AT_ONCE, "top-up", str(actor.user_id))
    async with transaction() as session:
        company = await membership.owned_company(session, actor)
    new = _new(actor, company.advertiser_id, cents, attempt, provider, language, now=now)
    try:
        kept = await _keep(new)
    except StorageAway:
        # The database may have kept it just before it went away, and before it said so.
        kept = await _keep(new)
    is_ours = kept.top_up_id == new.id
    return await (_open(actor, new, provider, language) if is_ours else _pressed_before(kept))


def _provider() -> Gateway:
    try:
        return payments.gateway()
    except payment_rules.CardsAreOff as refusal:
        raise billing_rules.CardsAreOff from refusal


def _new(
    actor: Actor,
    advertiser_id: UUID,
    cents: int,
    attempt: UUID,
    provider: Gateway,
    language: str,
    *,
    now: datetime,
) -> NewTopUp:
    return NewTopUp(
        id=new_id(),
        advertiser_id=advertiser_id,
        account_id=actor.user_id,
        attempt=attempt,
        cents=cents,
        payment_id=new_id(),
        description=text("top_up.item", language),
        provider=provider.name,
        expires_at=now + payment_rules.CHECKOUT_LASTS,
        look_at=now + payment_rules.OPENING_TAKES_AT_MOST,
        now=now,
    )


async def _keep(new: NewTopUp) -> Kept:
    """The one of this attempt: this one, unless an earlier press has made one. Safe to repeat."""
    async with transaction() as session:
        await company_repository.lock(session, new.advertiser_id)
        if known := await top_up_repository.of_attempt(session, new.advertiser_id, new.attempt):
            return known
        count = await top_up_repository.waiting(session, new.advertiser_id)
        if count >= billing_rules.MOST_WAITING:
            raise billing_rules.TooManyWaiting(most=billing_rules.MOST_WAITING)
        if not await top_up_repository.begin(session, new):
            raise billing_rules.TopUpFailed
        live.announce_after(session, CHANGED, str(new.advertiser_id))
    return Kept(new.id, Status.WAITING)


async def _pressed_before(kept: Kept) -> Begun:
    payment = await payments.of_subject(PURPOSE, kept.top_up_id)
    is_open = payment is not None and kept.status is Status.WAITING
    return Begun(*kept, payment.checkout_url if payment and is_open else None)


async def _open(actor: Actor, new: NewTopUp, provider: Gateway, language: str) -> Begun:
    asked = Asked(
        payment_id=new.payment_id,
        account_id=new.account_id,
        description=new.description,
        amount=new.cents,
        currency="usd",
        email=actor.email,
        language=language,
        expires_at=new.expires_at,
        paid_url=payments.return_url(PURPOSE, new.id, "paid"),
        cancelled_url=payments.return_url(PURPOSE, new.id, "cancelled"),
    )
    try:
        opened = await payments.open_checkout(asked, provider)
    except StorageAway:
        # It may be open: who presses again asks for the same one.
        raise
    except DomainError as failure:
        _log.warning("top_up.failed", top_up=str(new.id), reason=failure.code)
        raise billing_rules.TopUpFailed from failure
    return Begun(new.id, Status.WAITING, opened.url)


@dataclass(frozen=True, slots=True)
class TopUps:
    """A stretch of them, newest first; `next_before` leads to the older rest."""

    shown: Sequence[TopUp]
    next_before: UUID | None


async def listed(
    session: AsyncSession, actor: Actor, *, before: UUID | None = None, limit: int = A_PAGE
) -> TopUps:
    """Those of the company whose owner the actor is, whatever became of them."""
    company = await membership.owned_company(session, actor)
    return await of_company(session, company.advertiser_id, before=before, limit=limit)


async def of_company(
    session: AsyncSession, advertiser_id: UUID, *, before: UUID | None = None, limit: int = A_PAGE
) -> TopUps:
    """Whoever asks has proven that they may read them."""
    found = await top_up_repository.newest(session, advertiser_id, before=before, limit=limit + 1)
    shown = found[:limit]
    return TopUps(shown, shown[-1].id if len(found) > limit else None)


async def come_back(actor: Actor, top_up_id: UUID, *, has_cancelled: bool) -> None:
    """From the checkout; what is settled by now stays as it is."""
    try:
        await (cancel if has_cancelled else look_again)(actor, top_up_id)
    except (billing_rules.NotWaiting, billing_rules.UnknownTopUp):
        return


async def look_again(actor: Actor, top_up_id: UUID) -> None:
    """Ask the provider what became of the payment."""
    payment = await _own_payment(actor, top_up_id)
    await limits.spend(LOOKS, "top-up-look", str(actor.user_id))
    try:
        await payments.look(payment.id)
    except DomainError as failure:
        # The webhook or the reconciliation will tell.
        _log.info("top_up.not_looked_at", top_up=str(top_up_id), reason=failure.code)


async def cancel(actor: Actor, top_up_id: UUID) -> None:
    """Close the checkout; one that was paid meanwhile counts."""
    payment = await _own_payment(actor, top_up_id)
    if payment.is_under_way:
        raise billing_rules.PaymentUnderWay
    await limits.spend(LOOKS, "top-up-look", str(actor.user_id))
    try:
        await payments.close(payment)
    except DomainError as failure:
        _log.warning("top_up.not_closed", top_up=str(top_up_id), reason=failure.code)
        raise billing_rules.CannotCancelNow from failure
    # Not what closing it told: the webhook may have been quicker.
    closed = await payments.of_subject(PURPOSE, top_up_id)
    if closed and closed.status in payment_rules.UNDECIDED:
        is_under_way = closed.is_under_way
        raise billing_rules.PaymentUnderWay if is_under_way else billing_rules.CannotCancelNow
    # Nobody asks about it again, and how many there are is limited where they are opened.
    await limits.give_back(LOOKS, "top-up-look", str(actor.user_id))
    if closed and closed.status is payment_rules.Status.PAID:
        raise billing_rules.AlreadyPaid
    if closed and closed.status in payment_rules.GOES_BACK:
        raise billing_rules.GoesBack


async def _own_payment(actor: Actor, top_up_id: UUID) -> payments.DuePayment:
    """Of a top-up of the company whose owner the actor is, while it is unpaid."""
    async with transaction() as session:
        company = await membership.owned_company(session, actor)
    found = await top_up_repository.find(top_up_id)
    payment = await payments.of_subject(PURPOSE, top_up_id)
    if found is None or payment is None or found.advertiser_id != company.advertiser_id:
        raise billing_rules.UnknownTopUp
    if payment.status not in payment_rules.UNDECIDED:
        raise billing_rules.NotWaiting
    return payment
