"""Payments by card: asked for, paid once, given back once; whatever is unclear is asked again."""

import asyncio
import time
from datetime import datetime
from uuid import UUID

import structlog

from rewards_app.core import jobs
from rewards_app.core.clock import utc_now
from rewards_app.core.database import AsyncSession, transaction
from rewards_app.core.errors import DomainError
from rewards_app.core.settings import settings
from rewards_app.features.payments import events_repository, news, repository, rules
from rewards_app.features.payments.gateway import Asked, Gateway, Opened
from rewards_app.features.payments.purposes import PURPOSES
from rewards_app.features.payments.repository import ASKING, DuePayment
from rewards_app.features.payments.rules import Outcome, Status
from rewards_app.features.payments.sandbox import SandboxGateway
from rewards_app.features.payments.stripe_gateway import StripeGateway

__all__ = ["ASKING", "DuePayment"]

_log = structlog.get_logger(__name__)

GATEWAYS: dict[str, Gateway] = {kind.name: kind() for kind in (StripeGateway, SandboxGateway)}
IN_ONE_ROUND = 400
LOOKS_AT_ONCE = 8
SECONDS_A_ROUND = 40


def gateway() -> Gateway:
    """The provider of this installation."""
    if provider := settings().card_provider:
        return GATEWAYS[provider]
    if settings().offers_test_payments:
        return GATEWAYS[SandboxGateway.name]
    raise rules.CardsAreOff


def takes_cards() -> bool:
    return bool(settings().card_provider) or settings().offers_test_payments


async def open_checkout(asked: Asked, provider: Gateway) -> Opened:
    """Have the provider ask for a payment that was committed before.

    When it cannot, the payment has failed: nobody was shown where it could be paid.
    """
    try:
        opened = await provider.open(asked)
    except DomainError:
        async with transaction() as session:
            await news.fail(session, asked.payment_id, now=utc_now())
        raise
    status = await repository.opened(asked.payment_id, opened.checkout_id, opened.url)
    if status is None or status in rules.UNPAID:
        # It took so long that the payment was given up: nobody shall pay there.
        await news.take_news(await provider.close(opened.checkout_id), now=utc_now())
        raise rules.ProviderAway
    return opened


def return_path(purpose: str, subject_id: UUID, came: str) -> str:
    """Where the payer comes back to, `paid` or `cancelled`."""
    path = PURPOSES[purpose].return_path
    return f"{path}{'&' if '?' in path else '?'}order={subject_id}&came={came}"


def return_url(purpose: str, subject_id: UUID, came: str) -> str:
    return f"{settings().origin}{return_path(purpose, subject_id, came)}"


async def of_subject(purpose: str, subject_id: UUID) -> DuePayment | None:
    return await repository.of_subject(purpose, subject_id)


async def lock(session: AsyncSession, payment_id: UUID) -> None:
    """Before what it pays for: news of it lock in this order, and two orders block each other."""
    await repository.lock(session, payment_id)


async def close(payment: DuePayment) -> Outcome:
    """Nobody shall pay this any more; unless somebody has, it is cancelled."""
    if payment.checkout_id is None:
        raise rules.ProviderAway
    # The provider's own word that it is closed may be here before its answer to us.
    await repository.is_being_cancelled(payment.id)
    found = await GATEWAYS[payment.provider].close(payment.checkout_id)
    return await news.take_news(found, ends_as=Status.CANCELLED, now=utc_now())


async def look(payment_id: UUID) -> Outcome:
    """Ask the provider what became of a payment, and do what that means."""
    payment = await repository.find(payment_id)
    if payment is None or payment.status not in rules.UNDECIDED:
        return Outcome.NOTHING_NEW
    if payment.checkout_id is None:
        return await _give_up_opening(payment)
    provider = GATEWAYS[payment.provider]
    try:
        found = await provider.find(payment.checkout_id)
    except rules.ProviderRefused as refusal:
        if refusal.knows_nothing and await _give_up_unknown(payment):
            return Outcome.ENDED
        raise
    is_over = utc_now() > payment.expires_at + rules.FIRST_LOOK
    if is_over and not found.is_paid and not found.is_expired:
        found = await provider.close(payment.checkout_id)
    return await news.take_news(found, now=utc_now())


async def _give_up_unknown(payment: DuePayment) -> bool:
    """It was opened with another key: it ends once somebody was called, after a day of looks."""
    async with transaction() as session:
        is_called = await news.was_warned_of_waiting(session, payment.id)
        if is_called:
            await news.expire(session, payment.id, now=utc_now())
    return is_called


async def _give_up_opening(payment: DuePayment) -> Outcome:
    """Whoever opened it has died on the way, and the payer never saw where to pay."""
    now = utc_now()
    if now < payment.created_at + rules.OPENING_TAKES_AT_MOST:
        return Outcome.STILL_OPEN
    async with transaction() as session:
        await news.fail(session, payment.id, now=now)
    return Outcome.ENDED


async def ask_back(session: AsyncSession, payment_id: UUID, *, now: datetime) -> None:
    """From now on the money is on its way back."""
    payment = await repository.lock(session, payment_id)
    if payment is None or payment.status is not Status.PAID:
        raise rules.NotReturnable
    if await events_repository.is_contested(session, payment_id):
        raise rules.Contested
    await repository.begin_return(session, payment_id, now=now)
    await jobs.later(session, news.RETURN_MONEY, payment_id=str(payment_id))


async def is_contested(session: AsyncSession, payment_id: UUID) -> bool:
    """Whether a bank takes it back or may do so, as far as we have heard."""
    return await events_repository.is_contested(session, payment_id)


async def was_taken(session: AsyncSession, purpose: str, subject_id: UUID) -> bool:
    """Whether the payer's bank has taken the money back after a dispute."""
    return await events_repository.was_taken(session, purpose, subject_id)


async def return_money(payment_id: UUID) -> None:
    """Give the money back that is on its way: once, however often this is called."""
    payment = await repository.find(payment_id)
    if payment is None or payment.status is not Status.RETURNING:
        return
    assert payment.charged, "what goes back was charged before"
    provider = GATEWAYS[payment.provider]
    intent_id = payment.intent_id or await _intent_of(payment)
    refund_id = await provider.pay_back(payment.id, intent_id, payment.charged)
    async with transaction() as session:
        await news.note_returned(session, payment.id, refund_id, now=utc_now())


async def _intent_of(payment: DuePayment) -> str:
    """What was paid with; an event may have told of the money without naming it."""
    assert payment.checkout_id, "what was charged had a checkout"
    found = await GATEWAYS[payment.provider].find(payment.checkout_id)
    if found.intent_id is None:
        raise rules.ProviderAway
    return found.intent_id


async def look_at_what_waits(*, now: datetime) -> int:
    """The reconciliation: each payment that is due to be asked about; how many there were."""
    async with transaction() as session:
        waiting = await repository.to_look_at(session, now=now, limit=IN_ONE_ROUND)
    slots = asyncio.Semaphore(LOOKS_AT_ONCE)
    begun = time.monotonic()

    async def look_in_turn(payment_id: UUID) -> None:
        async with slots:
            # A provider that is slow must not fill the queue's workers: the next round goes on.
            if time.monotonic() - begun < SECONDS_A_ROUND:
                await _look_once(payment_id, now=now)

    await asyncio.gather(*map(look_in_turn, waiting))
    return len(waiting)


async def _look_once(payment_id: UUID, *, now: datetime) -> None:
    payment = await repository.find(payment_id)
    if payment is None:
        return
    # Before asking: what breaks here must not keep the others from being looked at, now or later.
    later = rules.next_look(payment.looks, expires_at=payment.expires_at, now=now)
    await repository.look_again(payment_id, later, now=now)
    may_wait = False
    try:
        if payment.status is Status.RETURNING:
            await return_money(payment_id)
        else:
            await look(payment_id)
        may_wait = True
    except DomainError as refusal:
        # Who is away for a moment may know all about it.
        may_wait = isinstance(refusal, rules.ProviderAway)
        _log.warning("payment.not_settled", payment=str(payment_id), reason=refusal.code)
    except Exception:
        _log.exception("payment.broke", payment=str(payment_id))
    if payment.looks >= rules.LOOKS_OF_A_DAY:
        async with transaction() as session:
            await news.warn_of_waiting(session, payment_id, may_wait=may_wait, now=now)


async def way_back(payment_id: UUID, came: str) -> str:
    payment = await repository.find(payment_id)
    return return_path(payment.purpose, payment.subject_id, came) if payment else "/"
