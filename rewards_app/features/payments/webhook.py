"""What the provider tells us: signed, kept once, in any order, as often as it likes."""

import json
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, TypeAlias

import stripe
import structlog

from rewards_app.core.clock import utc_now
from rewards_app.core.database import AsyncSession, transaction
from rewards_app.core.settings import settings
from rewards_app.features.payments import events_repository, news, repository, sandbox, service
from rewards_app.features.payments.events_repository import Told
from rewards_app.features.payments.repository import DuePayment
from rewards_app.features.payments.rules import UNDECIDED, Forged, Outcome, ProviderAway
from rewards_app.features.payments.stripe_gateway import checkout_from

_log = structlog.get_logger(__name__)

LARGEST_BODY = 256 * 1024
OLDEST_SECONDS = 300
LONGEST_NAME = 255
LEFT_WITH_US = ("won", "warning_closed")
"""How a dispute, or a bank's mere question, ends well."""


@dataclass(frozen=True, slots=True)
class Event:
    told: Told
    about: dict[str, Any]
    is_live: bool
    """Money moves: it is no event of the provider's test mode."""


Handler: TypeAlias = Callable[[Event, datetime], Awaitable[Outcome]]


def secret() -> str:
    """What the provider of this installation signs with; empty where there is none."""
    if settings().uses_stripe:
        return settings().stripe_webhook_secret.get_secret_value()
    return sandbox.signing_secret() if settings().offers_test_payments else ""


def opened(body: bytes, signature: str) -> Event:
    """The event, if it was signed by the provider within the last minutes; else Forged."""
    known = secret()
    if not known or not signature:
        raise Forged
    try:
        payload = body.decode()
        stripe.WebhookSignature.verify_header(payload, signature, known, OLDEST_SECONDS)
        return _event(payload)
    except (stripe.SignatureVerificationError, ValueError, TypeError, RecursionError) as refusal:
        raise Forged from refusal


def _event(payload: str) -> Event:
    found = json.loads(payload)
    data = found.get("data") if isinstance(found, dict) else None
    about = data.get("object") if isinstance(data, dict) else None
    if not isinstance(about, dict) or not _is_name(found.get("id"), found.get("type")):
        raise ValueError("not an event")
    told = Told(found["id"], found["type"][:80], payload)
    return Event(told, about, is_live=found.get("livemode") is True)


def _is_name(*values: object) -> bool:
    return all(isinstance(value, str) and 0 < len(value) <= LONGEST_NAME for value in values)


async def receive(body: bytes, signature: str) -> Outcome:
    """Keep the event and do what it means, together; the same one again does nothing."""
    event = opened(body, signature)
    outcome = await _handler_of(event)(event, utc_now())
    _log.info("webhook.received", kind=event.told.kind, outcome=outcome)
    return outcome


def _handler_of(event: Event) -> Handler:
    """What was paid with a test card is worth nothing where things are sold for money."""
    if settings().sells_for_money_alone and not event.is_live:
        _log.warning("webhook.test_mode", kind=event.told.kind)
        return _not_for_us
    return EVENTS.get(event.told.kind, _not_for_us)


async def _not_for_us(event: Event, now: datetime) -> Outcome:
    return await news.keep_event(event.told, None, Outcome.NOT_FOR_US, now=now)


async def _checkout(event: Event, now: datetime, *, was_refused: bool = False) -> Outcome:
    try:
        found = replace(checkout_from(event.about), was_refused=was_refused)
    except ProviderAway:
        return await _not_for_us(event, now)
    return await news.take_news(found, event.told, now=now)


async def _checkout_failed(event: Event, now: datetime) -> Outcome:
    """A way of paying that takes its time has come to nothing: nobody can pay this any more."""
    failed = replace(event, about=event.about | {"status": "expired"})
    return await _checkout(failed, now, was_refused=True)


async def _charge_refunded(event: Event, now: datetime) -> Outcome:
    """Refunds by us, and by hand at the provider."""
    charge = event.about

    async def note(session: AsyncSession, payment: DuePayment) -> Outcome:
        is_known = payment.intent_id == charge["payment_intent"]
        amount, said = charge.get("amount_refunded"), str(charge.get("id"))
        if amount != (payment.charged if is_known else payment.amount):
            part = amount if is_known and type(amount) is int else 0
            return await news.note_partly_returned(session, payment, part, said, now=now)
        if not is_known:
            return await news.note_undone(session, payment, charge["payment_intent"], now=now)
        refund_id = f"before:{payment.intent_id}"
        return await news.note_returned(session, payment.id, refund_id, now=now)

    await _look_before_a_part_goes(charge)
    return await _of_payment(event, note, now)


async def _look_before_a_part_goes(charge: dict[str, Any]) -> None:
    """A part of what we have not heard of as paid leaves something only once the whole is here."""
    async with transaction() as session:
        payment = await repository.lock_of_money(session, charge)
    if payment and payment.status in UNDECIDED and charge.get("amount_refunded") != payment.amount:
        await service.look(payment.id)


async def _refund_changed(event: Event, now: datetime) -> Outcome:
    async def note(session: AsyncSession, payment: DuePayment) -> Outcome:
        if event.about.get("status") not in ("failed", "canceled"):
            return Outcome.NOTHING_NEW
        said = str(event.about.get("id"))
        return await news.warn(session, payment, Outcome.REFUND_FAILED, said, now=now)

    return await _of_payment(event, note, now)


async def _disputed(event: Event, now: datetime) -> Outcome:
    async def note(session: AsyncSession, payment: DuePayment) -> Outcome:
        said = str(event.about.get("id"))
        return await news.warn(session, payment, Outcome.DISPUTED, said, now=now)

    return await _of_payment(event, note, now)


async def _dispute_closed(event: Event, now: datetime) -> Outcome:
    """The bank has decided. What ended in a way that we do not know calls somebody as well."""
    dispute = event.about

    async def note(session: AsyncSession, payment: DuePayment) -> Outcome:
        said, amount = str(dispute.get("id")), dispute.get("amount")
        if dispute.get("status") in LEFT_WITH_US:
            return await news.note_won(session, payment, said, now=now)
        if dispute.get("status") != "lost":
            return await news.warn(session, payment, Outcome.DISPUTED, said, now=now)
        is_whole = type(amount) is int and amount >= (payment.charged or payment.amount)
        return await news.note_lost(session, payment, said, is_whole=is_whole, now=now)

    return await _of_payment(event, note, now)


async def _of_payment(
    event: Event, note: Callable[[AsyncSession, DuePayment], Awaitable[Outcome]], now: datetime
) -> Outcome:
    """What the event says of a payment that we know by its money, or by our own name for it."""
    async with transaction() as session:
        payment = await repository.lock_of_money(session, event.about)
        if payment and await events_repository.is_kept(session, event.told):
            return Outcome.NOTHING_NEW
        outcome = await note(session, payment) if payment else Outcome.NOT_OURS
        payment_id = payment.id if payment else None
        await events_repository.store_event(session, event.told, payment_id, outcome, now=now)
    return outcome


EVENTS: dict[str, Handler] = {
    "checkout.session.completed": _checkout,
    "checkout.session.async_payment_succeeded": _checkout,
    "checkout.session.async_payment_failed": _checkout_failed,
    "checkout.session.expired": _checkout,
    "charge.refunded": _charge_refunded,
    "charge.dispute.created": _disputed,
    "charge.dispute.closed": _dispute_closed,
    "refund.updated": _refund_changed,
    "refund.failed": _refund_changed,
    "charge.refund.updated": _refund_changed,
}
"""Every kind of event that means something to us."""
