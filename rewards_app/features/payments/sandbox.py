"""A provider of our own for where none is configured: everything real but the money.

It speaks as Stripe does, so that its checkouts and events go the same way through the same checks.
"""

import json
import secrets
import time
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

import stripe
from sqlmodel import select

from rewards_app.core import jobs, sealed
from rewards_app.core.actor import Actor
from rewards_app.core.database import AsyncSession, transaction
from rewards_app.core.errors import DomainError
from rewards_app.core.settings import settings
from rewards_app.features.payments.gateway import Asked, Opened
from rewards_app.features.payments.rules import Checkout, ProviderRefused
from rewards_app.features.payments.stripe_gateway import checkout_from
from rewards_app.models import TestCheckout

LONGEST_NAME = 80
PATH = "/shop/test-payment"
TELL = "payments.tell_test_webhook"


class UnknownTestCheckout(DomainError):
    """No such test payment, or somebody else's."""

    code = "payments.unknown_test_checkout"


class TestCheckoutEnded(DomainError):
    """It was paid, or its time is over."""

    code = "payments.test_checkout_ended"


@dataclass(frozen=True, slots=True)
class ShownTestCheckout:
    id: str
    payment_id: UUID
    description: str
    amount: int
    currency: str
    status: str


def signing_secret() -> str:
    return "whsec_" + sealed.fingerprint("the sandbox's webhook")


class SandboxGateway:
    name = "sandbox"
    is_for_trial = True

    async def open(self, asked: Asked) -> Opened:
        async with transaction() as session:
            known = await _of_payment(session, asked.payment_id)
            if known is None:
                known = TestCheckout(
                    id=f"cs_test_{secrets.token_urlsafe(32)}",
                    payment_id=asked.payment_id,
                    account_id=asked.account_id,
                    description=asked.description,
                    amount=asked.amount,
                    currency=asked.currency,
                    expires_at=asked.expires_at,
                )
                session.add(known)
        return Opened(known.id, f"{settings().origin}{PATH}?checkout={known.id}")

    async def find(self, checkout_id: str) -> Checkout:
        async with transaction() as session:
            return checkout_from(_as_stripe(await _locked(session, checkout_id)))

    async def close(self, checkout_id: str) -> Checkout:
        async with transaction() as session:
            checkout = await _locked(session, checkout_id)
            if checkout.status == "open":
                checkout.status = "expired"
            return checkout_from(_as_stripe(checkout))

    async def pay_back(self, payment_id: UUID, intent_id: str, amount: int) -> str:
        async with transaction() as session:
            checkout = await _of_payment(session, payment_id)
            if checkout is None or checkout.intent_id != intent_id or amount > checkout.amount:
                raise ProviderRefused("no_such_payment")
            checkout.returned = amount
        return f"re_test_{payment_id.hex}"


async def shown(
    session: AsyncSession, actor: Actor, checkout_id: str, *, now: datetime
) -> ShownTestCheckout:
    return _shown(await _own(session, actor, checkout_id, now=now))


async def pay(
    session: AsyncSession, actor: Actor, checkout_id: str, *, loses_webhook: bool, now: datetime
) -> ShownTestCheckout:
    """As a card that has money does. A lost webhook is noticed when the sandbox is asked."""
    checkout = await _own(session, actor, checkout_id, now=now)
    if checkout.status != "open":
        raise TestCheckoutEnded
    checkout.status = "complete"
    checkout.intent_id = f"pi_test_{secrets.token_urlsafe(18)}"
    session.add(checkout)
    if not loses_webhook:
        await _tell(session, "checkout.session.completed", _as_stripe(checkout))
    return _shown(checkout)


async def decline(session: AsyncSession, actor: Actor, checkout_id: str, *, now: datetime) -> None:
    """As a card without money does: the checkout stays open for another one."""
    checkout = await _own(session, actor, checkout_id, now=now)
    if checkout.status != "open":
        raise TestCheckoutEnded
    intent = {"id": f"pi_test_{secrets.token_urlsafe(18)}", "object": "payment_intent"}
    await _tell(session, "payment_intent.payment_failed", intent)


async def _own(
    session: AsyncSession, actor: Actor, checkout_id: str, *, now: datetime
) -> TestCheckout:
    query = select(TestCheckout).where(
        TestCheckout.id == checkout_id, TestCheckout.account_id == actor.user_id
    )
    checkout = (await session.exec(query.with_for_update())).first()
    if checkout is None:
        raise UnknownTestCheckout
    if checkout.status == "open" and now > checkout.expires_at:
        checkout.status = "expired"
        session.add(checkout)
    return checkout


async def _locked(session: AsyncSession, checkout_id: str) -> TestCheckout:
    query = select(TestCheckout).where(TestCheckout.id == checkout_id).with_for_update()
    checkout = (await session.exec(query)).first()
    if checkout is None:
        raise ProviderRefused("no_such_checkout")
    return checkout


async def _of_payment(session: AsyncSession, payment_id: UUID) -> TestCheckout | None:
    query = select(TestCheckout).where(TestCheckout.payment_id == payment_id)
    return (await session.exec(query.with_for_update())).first()


def _shown(checkout: TestCheckout) -> ShownTestCheckout:
    return ShownTestCheckout(
        checkout.id,
        checkout.payment_id,
        checkout.description,
        checkout.amount,
        checkout.currency,
        checkout.status,
    )


def _as_stripe(checkout: TestCheckout) -> dict[str, Any]:
    return {
        "id": checkout.id,
        "object": "checkout.session",
        "mode": "payment",
        "client_reference_id": str(checkout.payment_id),
        "metadata": {"payment_id": str(checkout.payment_id)},
        "amount_total": checkout.amount,
        "currency": checkout.currency,
        "status": checkout.status,
        "payment_status": "paid" if checkout.status == "complete" else "unpaid",
        "payment_intent": checkout.intent_id,
        "expires_at": int(checkout.expires_at.timestamp()),
        "livemode": False,
    }


async def _tell(session: AsyncSession, kind: str, about: dict[str, Any]) -> None:
    """Send the event to our own webhook once this transaction has committed."""
    event = {
        "id": f"evt_test_{secrets.token_urlsafe(18)}",
        "object": "event",
        "type": kind,
        "created": int(time.time()),
        "data": {"object": about},
    }
    await jobs.later(session, TELL, body=json.dumps(event))


def signature_of(body: str) -> str:
    """Made when it is sent: an old one would be refused."""
    return stripe.WebhookSignature.generate_signature_header(body, signing_secret())
