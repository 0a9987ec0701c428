"""Stripe's objects, with the fields that Stripe fills."""

import secrets
import string
from typing import Any

import stripe

Thing = dict[str, Any]
TEXT_PLACES = ("after_submit", "shipping_address", "submit", "terms_of_service_acceptance")
LETTERS = string.ascii_letters + string.digits


def identifier(prefix: str, length: int = 24) -> str:
    return prefix + "".join(secrets.choice(LETTERS) for _ in range(length))


def checkout_session(wanted: Thing, *, base: str, now: int) -> Thing:
    name = identifier("cs_test_a1", 56)
    total = _total(wanted["line_items"])
    address = wanted.get("customer_email")
    return {
        "id": name,
        "object": "checkout.session",
        "adaptive_pricing": wanted.get("adaptive_pricing", {"enabled": True}),
        "allow_promotion_codes": wanted.get("allow_promotion_codes"),
        "allowed_payment_method_types": wanted.get("allowed_payment_method_types"),
        "amount_subtotal": total,
        "amount_total": total,
        "automatic_tax": {"enabled": False, "liability": None, "provider": None, "status": None},
        "billing_address_collection": wanted.get("billing_address_collection"),
        "cancel_url": wanted.get("cancel_url"),
        "client_reference_id": wanted.get("client_reference_id"),
        "created": now,
        "currency": _currency(wanted["line_items"]),
        "custom_fields": [],
        "custom_text": dict.fromkeys(TEXT_PLACES) | wanted.get("custom_text", {}),
        "customer": None,
        "customer_creation": wanted.get("customer_creation", "if_required"),
        "customer_details": {"email": address, "name": None} if address else None,
        "customer_email": address,
        "expires_at": wanted.get("expires_at", now + 24 * 3600),
        "livemode": False,
        "locale": wanted.get("locale"),
        "metadata": wanted.get("metadata", {}),
        "mode": "payment",
        "origin_context": wanted.get("origin_context"),
        "payment_intent": None,
        "payment_method_options": {},
        "payment_method_types": wanted.get("allowed_payment_method_types", ["card"]),
        "payment_status": "unpaid",
        "recovered_from": None,
        "shipping_options": [],
        "status": "open",
        "submit_type": wanted.get("submit_type"),
        "success_url": wanted["success_url"],
        "total_details": {"amount_discount": 0, "amount_shipping": 0, "amount_tax": 0},
        "ui_mode": "hosted_page",
        # As long as the real ones.
        "url": f"{base}/c/pay/{name}#{identifier('fidkdWxOYHwnPyd1blpxYHZxWjA0', 300)}",
    }


def _currency(line_items: list[Thing]) -> str:
    return line_items[0]["price_data"]["currency"]


def _total(line_items: list[Thing]) -> int:
    return sum(item["quantity"] * item["price_data"]["unit_amount"] for item in line_items)


def payment_intent(session: Thing, data: Thing, *, now: int) -> Thing:
    return {
        "id": identifier("pi_3"),
        "object": "payment_intent",
        "amount": session["amount_total"],
        "amount_capturable": 0,
        "amount_received": 0,
        "canceled_at": None,
        "capture_method": data.get("capture_method", "automatic_async"),
        "confirmation_method": "automatic",
        "created": now,
        "currency": session["currency"],
        "customer": None,
        "description": data.get("description"),
        "last_payment_error": None,
        "latest_charge": None,
        "livemode": False,
        "metadata": data.get("metadata", {}),
        "payment_method_types": session["payment_method_types"],
        "receipt_email": data.get("receipt_email"),
        "status": "requires_payment_method",
    }


def charge(intent: Thing, *, has_succeeded: bool, now: int) -> Thing:
    return {
        "id": identifier("ch_3"),
        "object": "charge",
        "amount": intent["amount"],
        "amount_captured": intent["amount"] if has_succeeded else 0,
        "amount_refunded": 0,
        "billing_details": {"address": None, "email": None, "name": None, "phone": None},
        "captured": has_succeeded,
        "created": now,
        "currency": intent["currency"],
        "disputed": False,
        "failure_code": None if has_succeeded else "card_declined",
        "failure_message": None if has_succeeded else "Your card was declined.",
        "livemode": False,
        "metadata": intent["metadata"],
        "paid": has_succeeded,
        "payment_intent": intent["id"],
        "refunded": False,
        "status": "succeeded" if has_succeeded else "failed",
    }


def refund(charge: Thing, wanted: Thing, *, status: str, now: int) -> Thing:
    return {
        "id": identifier("re_3"),
        "object": "refund",
        "amount": wanted["amount"],
        "balance_transaction": identifier("txn_3"),
        "charge": charge["id"],
        "created": now,
        "currency": charge["currency"],
        "failure_reason": "expired_or_canceled_card" if status == "failed" else None,
        "metadata": wanted.get("metadata", {}),
        "payment_intent": charge["payment_intent"],
        "pending_reason": "processing" if status == "pending" else None,
        "reason": wanted.get("reason"),
        "receipt_number": None,
        "status": status,
    }


def dispute(charge: Thing, amount: int | None, *, is_inquiry: bool, now: int) -> Thing:
    return {
        "id": identifier("du_1"),
        "object": "dispute",
        "amount": amount or charge["amount"],
        "balance_transactions": [],
        "charge": charge["id"],
        "created": now,
        "currency": charge["currency"],
        "enhanced_eligibility_types": [],
        "evidence": {"customer_email_address": None, "customer_name": None, "receipt": None},
        "evidence_details": {
            "due_by": now + 7 * 24 * 3600,
            "has_evidence": False,
            "past_due": False,
            "submission_count": 0,
        },
        "is_charge_refundable": is_inquiry,
        "livemode": False,
        "metadata": {},
        "payment_intent": charge["payment_intent"],
        "reason": "fraudulent",
        "status": "warning_needs_response" if is_inquiry else "needs_response",
    }


def event(kind: str, snapshot: Thing, *, now: int) -> Thing:
    return {
        "id": identifier("evt_1"),
        "object": "event",
        "api_version": stripe.api_version,
        "created": now,
        "data": {"object": snapshot},
        "livemode": False,
        "pending_webhooks": 1,
        "request": {"id": None, "idempotency_key": None},
        "type": kind,
    }
