"""What the provider tells us: signed, kept once, in any order, as often as it likes."""

import json
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

import stripe
import structlog

from rewards_app.core.clock import utc_now
from rewards_app.core.database import AsyncSession, transaction
from rewards_app.core.settings import settings
from rewards_app.features.payments import repository, sandbox, service
from rewards_app.features.payments.rules import Forged, Outcome, ProviderAway
from rewards_app.features.payments.stripe_gateway import checkout_from

_log = structlog.get_logger(__name__)

LARGEST_BODY = 256 * 1024
OLDEST_SECONDS = 300
LONGEST_NAME = 255


@dataclass(frozen=True, slots=True)
class Event:
    id: str
    kind: str
    about: dict[str, Any]
    payload: str


def secret() -> str:
    """What the provider of this installation signs with; empty where there is none."""
    if settings().takes_cards:
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
    return Event(found["id"], found["type"][:80], about, payload)


def _is_name(*values: object) -> bool:
    return all(isinstance(value, str) and 0 < len(value) <= LONGEST_NAME for value in values)


async def receive(body: bytes, signature: str) -> Outcome:
    """Keep the event and do what it means, in one transaction; the same one again does nothing."""
    event = opened(body, signature)
    now = utc_now()
    async with transaction() as session:
        payment_id, outcome = await _handle(session, event, now=now)
        is_new = await repository.store_event(
            session, event.id, event.kind, event.payload, payment_id, outcome, now=now
        )
    _log.info("webhook.received", kind=event.kind, outcome=outcome, is_new=is_new)
    return outcome


Handled = tuple[UUID | None, Outcome]


async def _handle(session: AsyncSession, event: Event, *, now: datetime) -> Handled:
    handler = EVENTS.get(event.kind)
    return await handler(session, event.about, now) if handler else (None, Outcome.NOT_FOR_US)


async def _checkout(session: AsyncSession, about: dict[str, Any], now: datetime) -> Handled:
    try:
        news = checkout_from(about)
    except ProviderAway:
        return None, Outcome.NOT_FOR_US
    payment = await repository.lock_of_news(session, news)
    if payment is None:
        return None, Outcome.NOT_OURS
    return payment.id, await service.take_news(session, payment, news, now=now)


async def _checkout_failed(session: AsyncSession, about: dict[str, Any], now: datetime) -> Handled:
    """A way of paying that takes its time has come to nothing: nobody can pay this any more."""
    return await _checkout(session, about | {"status": "expired"}, now)


async def _charge_refunded(session: AsyncSession, about: dict[str, Any], now: datetime) -> Handled:
    """Refunds by us, and by hand at the provider."""
    payment = await _payment_of(session, about)
    if payment is None:
        return None, Outcome.NOT_OURS
    if about.get("amount_refunded") != payment.charged:
        said = str(about.get("id"))
        return payment.id, await service.warn(
            session, payment, Outcome.PARTLY_RETURNED, said, now=now
        )
    refund_id = f"before:{payment.intent_id}"
    return payment.id, await service.note_returned(session, payment.id, refund_id, now=now)


async def _refund_changed(session: AsyncSession, about: dict[str, Any], now: datetime) -> Handled:
    payment = await _payment_of(session, about)
    if payment is None:
        return None, Outcome.NOT_OURS
    if about.get("status") not in ("failed", "canceled"):
        return payment.id, Outcome.NOTHING_NEW
    said = str(about.get("id"))
    return payment.id, await service.warn(session, payment, Outcome.REFUND_FAILED, said, now=now)


async def _payment_of(session: AsyncSession, about: dict[str, Any]) -> repository.DuePayment | None:
    intent = about.get("payment_intent")
    return await repository.lock_of_intent(session, intent) if isinstance(intent, str) else None


EVENTS: dict[str, Callable[[AsyncSession, dict[str, Any], datetime], Awaitable[Handled]]] = {
    "checkout.session.completed": _checkout,
    "checkout.session.async_payment_succeeded": _checkout,
    "checkout.session.async_payment_failed": _checkout_failed,
    "checkout.session.expired": _checkout,
    "charge.refunded": _charge_refunded,
    "refund.updated": _refund_changed,
    "refund.failed": _refund_changed,
    "charge.refund.updated": _refund_changed,
}
"""Every kind of event that means something to us."""
