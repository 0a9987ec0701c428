"""The tests' Stripe as a provider without HTTP between: the same books, thousands of times over."""

from typing import Any
from uuid import UUID

from rewards_app.features.payments.gateway import Asked, Opened
from rewards_app.features.payments.rules import Checkout, ProviderRefused
from rewards_app.features.payments.stripe_gateway import checkout_from
from tests.stripe.books import Books
from tests.stripe.objects import Thing
from tests.stripe.refusals import Refusal
from tests.stripe_server import StripeServer


class StripeAtHand:
    name = "stripe"
    is_for_trial = False

    def __init__(self, stripe: StripeServer) -> None:
        self.stripe = stripe
        self._refunds: dict[UUID, str] = {}

    async def open(self, asked: Asked) -> Opened:
        price = {"unit_amount": asked.amount, "currency": asked.currency}
        wanted = {
            "line_items": [{"quantity": 1, "price_data": price}],
            "client_reference_id": str(asked.payment_id),
            "metadata": {"payment_id": str(asked.payment_id)},
            "payment_intent_data": {"metadata": {"payment_id": str(asked.payment_id)}},
            "expires_at": int(asked.expires_at.timestamp()),
            "success_url": asked.paid_url,
        }
        made = self._done(Books.open_session, wanted)
        return Opened(made["id"], made["url"])

    async def find(self, checkout_id: str) -> Checkout:
        return checkout_from(self._done(Books.session, checkout_id))

    async def close(self, checkout_id: str) -> Checkout:
        try:
            return checkout_from(self._done(Books.expire, checkout_id))
        except ProviderRefused:
            return await self.find(checkout_id)

    async def pay_back(self, payment_id: UUID, intent_id: str, amount: int) -> str:
        if payment_id not in self._refunds:
            wanted = {"payment_intent": intent_id, "amount": amount}
            try:
                self._refunds[payment_id] = self._done(Books.give_back, wanted)["id"]
            except ProviderRefused as refusal:
                if refusal.reason != "charge_already_refunded":
                    raise
                return f"before:{intent_id}"
        return self._refunds[payment_id]

    def _done(self, act: Any, *details: Any) -> Thing:
        try:
            return self.stripe._done(act, *details)
        except Refusal as refusal:
            raise ProviderRefused(refusal.body["error"].get("code", "")) from refusal
