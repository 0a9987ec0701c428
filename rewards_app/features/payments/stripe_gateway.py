"""Card payments by Stripe Checkout, through Stripe's own package."""

import asyncio
from functools import lru_cache
from typing import Any
from urllib.parse import urlsplit
from uuid import UUID

import stripe
import structlog

from rewards_app.core.ids import may_be_ours
from rewards_app.core.settings import Settings, settings
from rewards_app.core.watching import traces, watch
from rewards_app.features.payments.gateway import Asked, Opened
from rewards_app.features.payments.rules import Checkout, ProviderAway, ProviderRefused

_log = structlog.get_logger(__name__)

SECONDS_FOR_AN_ANSWER = 10
SECONDS_IN_ALL = 20
RETRIES = 1
LOCALES = {"en", "sv", "de", "fr", "es", "it", "pl", "ru"}


@lru_cache(maxsize=1)
def _client() -> stripe.StripeClient:
    return _client_of(settings())


def _client_of(chosen: Settings) -> stripe.StripeClient:
    base = chosen.stripe_api_base
    return stripe.StripeClient(
        chosen.stripe_secret_key.get_secret_value(),
        http_client=stripe.HTTPXClient(timeout=SECONDS_FOR_AN_ANSWER),
        base_addresses={"api": base} if base else {},
        max_network_retries=RETRIES,
    )


class StripeGateway:
    name = "stripe"
    is_for_trial = False

    async def open(self, asked: Asked) -> Opened:
        given: Any = {
            "mode": "payment",
            "client_reference_id": str(asked.payment_id),
            "metadata": {"payment_id": str(asked.payment_id), "site": settings().origin},
            "payment_intent_data": {"metadata": {"payment_id": str(asked.payment_id)}},
            "line_items": [
                {
                    "quantity": 1,
                    "price_data": {
                        "currency": asked.currency,
                        "unit_amount": asked.amount,
                        "product_data": {"name": asked.description},
                    },
                }
            ],
            "customer_email": asked.email,
            "locale": asked.language if asked.language in LOCALES else "auto",
            "expires_at": int(asked.expires_at.timestamp()),
            "success_url": asked.paid_url,
            "cancel_url": asked.cancelled_url,
        }
        made = await _asked(
            _client().v1.checkout.sessions.create_async(
                given, {"idempotency_key": f"checkout-{asked.payment_id}"}
            )
        )
        checkout = checkout_from(made)
        money = (checkout.amount, checkout.currency)
        is_ours = not checkout.references - {str(asked.payment_id)}
        if not is_ours or money != (asked.amount, asked.currency):
            raise _nonsense("another checkout than the one we asked for")
        return Opened(checkout.id, _address(made.get("url")))

    async def find(self, checkout_id: str) -> Checkout:
        with_its_payment: Any = {"expand": ["payment_intent"]}
        sessions = _client().v1.checkout.sessions
        found = await _asked(sessions.retrieve_async(checkout_id, with_its_payment))
        return _the_same(checkout_id, checkout_from(found))

    async def close(self, checkout_id: str) -> Checkout:
        try:
            closed = await _asked(_client().v1.checkout.sessions.expire_async(checkout_id))
        except ProviderRefused:
            # Paid or expired before: what it is now decides.
            return await self.find(checkout_id)
        return _the_same(checkout_id, checkout_from(closed))

    async def pay_back(self, payment_id: UUID, intent_id: str, amount: int) -> str:
        """All of it, or what a part that went back by hand has left of it."""
        key = f"refund-{payment_id}"
        try:
            return await _refund(payment_id, intent_id, amount, key)
        except ProviderRefused as refusal:
            if refusal.reason == "charge_already_refunded":
                return f"before:{intent_id}"
            rest = amount - await _back_by_now(intent_id)
            if rest <= 0:
                return f"before:{intent_id}"
            if rest == amount:
                raise
        return await _refund(payment_id, intent_id, rest, f"{key}-rest-{rest}")


REFUSED_IN_THE_END = ("requires_payment_method", "canceled")
REFUND_IS_ON_ITS_WAY = ("succeeded", "pending", "requires_action")
MOST_REFUNDS = 100
"""Of one payment, as Stripe lists them at once."""


async def _refund(payment_id: UUID, intent_id: str, amount: int, key: str) -> str:
    given: Any = {
        "payment_intent": intent_id,
        "amount": amount,
        "metadata": {"payment_id": str(payment_id)},
    }
    made = await _asked(_client().v1.refunds.create_async(given, {"idempotency_key": key}))
    if not _is_going_back(made):
        raise _nonsense("no refund")
    return str(made["id"])


async def _back_by_now(intent_id: str) -> int:
    """How much of a payment is back with its payer, or on its way there."""
    asked: Any = {"payment_intent": intent_id, "limit": MOST_REFUNDS}
    listed = (await _asked(_client().v1.refunds.list_async(asked))).get("data")
    if not isinstance(listed, list):
        raise _nonsense("no refunds")
    amounts = [refund.get("amount") for refund in listed if _is_going_back(refund)]
    if not all(type(amount) is int for amount in amounts):
        raise _nonsense("no amount of a refund")
    return sum(amounts)


def _is_going_back(found: Any) -> bool:
    is_refund = isinstance(found, dict) and found.get("object") == "refund"
    return is_refund and found.get("status") in REFUND_IS_ON_ITS_WAY


class KeyUnknown(Exception):
    """Stripe has no such key, or has it no more."""


async def closed_to(chosen: Settings) -> list[str]:
    """Of what payments need to read, what the key may not; who looks is told, and no log.

    Raises KeyUnknown, or ProviderAway where no answer is Stripe's.
    """
    v1 = _client_of(chosen).v1
    lists: dict[str, Any] = {
        "checkout sessions": v1.checkout.sessions,
        "refunds": v1.refunds,
        "payment intents": v1.payment_intents,
    }
    try:
        async with asyncio.timeout(SECONDS_IN_ALL):
            return [what for what, things in lists.items() if not await _may_read(things)]
    except stripe.AuthenticationError as refusal:
        raise KeyUnknown from refusal
    except Exception as failure:
        # As in `_asked`: what is not Stripe's breaks its package anywhere.
        raise ProviderAway from failure


async def _may_read(things: Any) -> bool:
    try:
        found = await things.list_async({"limit": 1})
    except stripe.PermissionError:
        return False
    if found.object != "list":
        raise ValueError("no list")
    return True


def _host() -> str:
    return urlsplit(settings().stripe_api_base).hostname or "api.stripe.com"


async def _asked(answer: Any) -> dict[str, Any]:
    """Stripe's answer as plain values; its errors in our words."""
    try:
        with traces.span("stripe", "client", server__address=_host()):
            async with asyncio.timeout(SECONDS_IN_ALL):
                found = (await answer).to_dict()
    except (stripe.InvalidRequestError, stripe.CardError, stripe.IdempotencyError) as refusal:
        _log.warning("stripe.refused", code=refusal.code, status=refusal.http_status)
        raise ProviderRefused(refusal.code or "") from refusal
    except (stripe.AuthenticationError, stripe.PermissionError) as failure:
        # It answers, and goes on refusing until somebody gives us another key.
        _log.error("stripe.key_refused", reason=type(failure).__name__)
        watch.PROVIDER_FAILURES.labels("key_refused").inc()
        raise ProviderAway from failure
    except (stripe.StripeError, TimeoutError) as failure:
        _log.warning("stripe.away", reason=type(failure).__name__)
        watch.PROVIDER_FAILURES.labels("away").inc()
        raise ProviderAway from failure
    except Exception as failure:
        # Its package trusts that an answer is Stripe's; one that is not breaks it anywhere.
        raise _nonsense(type(failure).__name__) from failure
    if not isinstance(found, dict):
        raise _nonsense("no object")
    return found


def checkout_from(found: dict[str, Any]) -> Checkout:
    """A checkout session as Stripe writes it, in answers and in events alike."""
    checkout_id, amount, currency = (
        found.get("id"),
        found.get("amount_total"),
        found.get("currency"),
    )
    if (
        found.get("object") != "checkout.session"
        or not isinstance(checkout_id, str)
        or type(amount) is not int
        or not isinstance(currency, str)
    ):
        raise _nonsense("no checkout session")
    intent = found.get("payment_intent")
    is_paid = found.get("status") == "complete" and found.get("payment_status") == "paid"
    if is_paid and isinstance(intent, dict) and _taken(intent) != (amount, currency):
        # To give back what was never taken would be tried for ever.
        raise _nonsense("two amounts")
    has_come_to_nothing = _has_come_to_nothing(found, intent)
    return Checkout(
        id=checkout_id,
        references=_references(found),
        is_paid=is_paid,
        is_expired=found.get("status") == "expired" or has_come_to_nothing,
        amount=amount,
        currency=currency,
        intent_id=str(intent.get("id") if isinstance(intent, dict) else intent) if intent else None,
        is_under_way=_is_promised(found) and not has_come_to_nothing,
        is_by_us=_is_by_us(found),
        was_refused=has_come_to_nothing,
    )


def _taken(intent: dict[str, Any]) -> tuple[object, object]:
    return intent.get("amount_received"), intent.get("currency")


def _is_promised(found: dict[str, Any]) -> bool:
    return found.get("status") == "complete" and found.get("payment_status") == "unpaid"


def _has_come_to_nothing(found: dict[str, Any], intent: object) -> bool:
    """Done by a way of paying that takes its time, which was refused in the end: it says nothing of
    that itself, and nobody can pay it any more."""
    is_refused = isinstance(intent, dict) and intent.get("status") in REFUSED_IN_THE_END
    return is_refused and _is_promised(found)


def _references(found: dict[str, Any]) -> frozenset[str]:
    metadata = found.get("metadata")
    named = metadata.get("payment_id") if isinstance(metadata, dict) else None
    return frozenset(str(name) for name in (found.get("client_reference_id"), named) if name)


def _is_by_us(found: dict[str, Any]) -> bool:
    """It says in both places which payment it is for, by an identifier such as ours are, and that
    it is of this site: another one may sell by the same account."""
    metadata = found.get("metadata")
    if not isinstance(metadata, dict) or metadata.get("site") != settings().origin:
        return False
    named = metadata.get("payment_id")
    return may_be_ours(named) and found.get("client_reference_id") == named


def _the_same(checkout_id: str, found: Checkout) -> Checkout:
    if found.id != checkout_id:
        raise _nonsense("another checkout")
    return found


def _address(url: object) -> str:
    """Where the payer goes: a page on the web and nothing else."""
    is_ours_to_try = bool(settings().stripe_api_base) and not settings().is_production
    schemes = {"https", "http"} if is_ours_to_try else {"https"}
    if not isinstance(url, str) or _scheme_of(url) not in schemes:
        raise _nonsense("no address to pay at")
    return url


def _scheme_of(url: str) -> str:
    try:
        return urlsplit(url).scheme
    except ValueError:
        return ""


def _nonsense(what: str) -> ProviderAway:
    _log.error("stripe.nonsense", reason=what)
    return ProviderAway()
