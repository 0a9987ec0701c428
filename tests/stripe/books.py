"""What Stripe remembers and how it changes: sessions, payments, charges, refunds, events.

What banks do about disputed charges is in disputes.py.
"""

from collections.abc import Callable
from copy import deepcopy
from typing import Literal

from tests.stripe import objects
from tests.stripe.objects import Thing
from tests.stripe.parameters import MAXIMUM, MINIMUMS
from tests.stripe.refusals import Refusal, missing, no_such

SHORTEST, LONGEST = 30 * 60, 24 * 3600
RefundOutcome = Literal["succeeded", "pending", "failed"]


class Books:
    """Each change tells its events, in the order in which Stripe makes them."""

    def __init__(self, base: str, clock: Callable[[], float]) -> None:
        self.base = base
        self.clock = clock
        self.sessions: dict[str, Thing] = {}
        self.payments: dict[str, Thing] = {}
        self.charges: dict[str, Thing] = {}
        self.refunds: dict[str, Thing] = {}
        self.disputes: dict[str, Thing] = {}
        self.events: list[Thing] = []
        self.refund_outcome: RefundOutcome = "succeeded"
        self._payment_data: dict[str, Thing] = {}
        self._payment_of: dict[str, Thing] = {}

    @property
    def now(self) -> int:
        return int(self.clock())

    def tell(self, kind: str, thing: Thing) -> None:
        self.events.append(objects.event(kind, deepcopy(thing), now=self.now))

    # Checkout

    def open_session(self, wanted: Thing) -> Thing:
        session = objects.checkout_session(wanted, base=self.base, now=self.now)
        _check_amount(session["amount_total"], session["currency"])
        _check_lifetime(session["expires_at"] - self.now)
        self.sessions[session["id"]] = session
        self._payment_data[session["id"]] = wanted.get("payment_intent_data", {})
        return session

    def session(self, name: str) -> Thing:
        """As it is now: one whose time is up has expired."""
        session = self.sessions.get(name)
        if session is None:
            raise no_such("checkout.session", name, param="session")
        if session["status"] == "open" and self.now >= session["expires_at"]:
            self._close(session)
        return session

    def list_sessions(self, wanted: Thing) -> Thing:
        found = [self.session(name) for name in reversed(self.sessions)]
        return _page(found, wanted.get("limit", 10), "/v1/checkout/sessions")

    def shown(self, name: str, wanted: Thing) -> Thing:
        """The session, with its payment in full where that is wanted."""
        session = self.session(name)
        payment = session["payment_intent"]
        if not payment or "payment_intent" not in wanted.get("expand", []):
            return session
        return session | {"payment_intent": self.payments[payment]}

    def expire(self, name: str) -> Thing:
        session = self.session(name)
        if session["status"] != "open":
            raise Refusal(
                'Only Checkout Sessions with a status in ["open"] can be expired. '
                f"This Checkout Session has a status of `{session['status']}`."
            )
        return self._close(session)

    def _close(self, session: Thing) -> Thing:
        session.update(status="expired", url=None)
        self.tell("checkout.session.expired", session)
        return session

    # Paying

    def pay(self, name: str) -> Thing:
        session, payment = self.payable(name)
        charge = self._charge(payment, has_succeeded=True)
        payment.update(
            status="succeeded", amount_received=payment["amount"], last_payment_error=None
        )
        session.update(
            status="complete", payment_status="paid", payment_intent=payment["id"], url=None
        )
        self.tell("charge.succeeded", charge)
        self.tell("payment_intent.succeeded", payment)
        self.tell("checkout.session.completed", session)
        return session

    def decline(self, name: str) -> Thing:
        """The card is refused; the buyer may try another while the session is open."""
        session, payment = self.payable(name)
        charge = self._charge(payment, has_succeeded=False)
        payment["last_payment_error"] = {
            "type": "card_error",
            "code": "card_declined",
            "message": "Your card was declined.",
        }
        self.tell("charge.failed", charge)
        self.tell("payment_intent.payment_failed", payment)
        return session

    def payable(self, name: str) -> tuple[Thing, Thing]:
        session = self.session(name)
        if session["status"] != "open":
            raise Refusal(f"This Checkout Session has a status of `{session['status']}`.")
        if name not in self._payment_of:
            data = self._payment_data[name]
            payment = objects.payment_intent(session, data, now=self.now)
            self.payments[payment["id"]] = self._payment_of[name] = payment
            self.tell("payment_intent.created", payment)
        return session, self._payment_of[name]

    def _charge(self, payment: Thing, *, has_succeeded: bool) -> Thing:
        charge = objects.charge(payment, has_succeeded=has_succeeded, now=self.now)
        self.charges[charge["id"]] = charge
        payment["latest_charge"] = charge["id"]
        return charge

    def payment(self, name: str, *, param: str = "intent") -> Thing:
        if name not in self.payments:
            raise no_such("payment_intent", name, param=param)
        return self.payments[name]

    def list_payments(self, wanted: Thing) -> Thing:
        found = list(reversed(self.payments.values()))
        return _page(found, wanted.get("limit", 10), "/v1/payment_intents")

    # Refunds

    def give_back(self, wanted: Thing) -> Thing:
        charge = self._paid_charge(wanted)
        left = charge["amount"] - charge["amount_refunded"]
        if not left:
            message = f"Charge {charge['id']} has already been refunded."
            raise Refusal(message, code="charge_already_refunded")
        if self._is_charged_back(charge):
            message = f"Charge {charge['id']} has been charged back; cannot issue a refund."
            raise Refusal(message, code="charge_disputed")
        amount = wanted.get("amount", left)
        if amount > left:
            message = (
                f"Refund amount ({_money(amount)}) is greater than "
                f"unrefunded amount on charge ({_money(left)})"
            )
            raise Refusal(message, param="amount")
        return self._begin_refund(charge, {**wanted, "amount": amount})

    def _is_charged_back(self, charge: Thing) -> bool:
        return any(
            dispute["charge"] == charge["id"] and not dispute["is_charge_refundable"]
            for dispute in self.disputes.values()
        )

    def _paid_charge(self, wanted: Thing) -> Thing:
        if "payment_intent" in wanted:
            payment = self.payment(wanted["payment_intent"], param="payment_intent")
            if payment["status"] != "succeeded":
                message = (
                    f"This PaymentIntent ({payment['id']}) does not have a successful charge "
                    "to refund."
                )
                raise Refusal(message, param="payment_intent")
            return self.charges[payment["latest_charge"]]
        if "charge" not in wanted:
            raise missing("payment_intent")
        if wanted["charge"] not in self.charges:
            raise no_such("charge", wanted["charge"], param="charge")
        charge = self.charges[wanted["charge"]]
        if not charge["paid"]:
            raise Refusal(f"Charge {charge['id']} has failed.", param="charge")
        return charge

    def _begin_refund(self, charge: Thing, wanted: Thing) -> Thing:
        refund = objects.refund(charge, wanted, status=self.refund_outcome, now=self.now)
        self.refunds[refund["id"]] = refund
        self._add_up(charge)
        self.tell("refund.created", refund)
        if refund["status"] == "failed":
            self.tell("refund.failed", refund)
        else:
            self.tell("charge.refunded", charge)
        return refund

    def _add_up(self, charge: Thing) -> None:
        """What failed to reach the buyer can be given back once more."""
        given = sum(
            refund["amount"]
            for refund in self.refunds.values()
            if refund["charge"] == charge["id"] and refund["status"] != "failed"
        )
        charge.update(amount_refunded=given, refunded=given == charge["amount"])

    def refund(self, name: str) -> Thing:
        if name not in self.refunds:
            raise no_such("refund", name)
        return self.refunds[name]

    def list_refunds(self, wanted: Thing) -> Thing:
        """The newest first."""
        limit = wanted.pop("limit", 10)
        found = [
            refund
            for refund in reversed(self.refunds.values())
            if all(refund[name] == value for name, value in wanted.items())
        ]
        return _page(found, limit, "/v1/refunds")

    def settle_refund(self, name: str) -> Thing:
        """The bank took it: a pending refund has succeeded."""
        refund = self.refund(name)
        refund.update(status="succeeded", pending_reason=None)
        self.tell("refund.updated", refund)
        self.tell("charge.refund.updated", refund)
        return refund

    def fail_refund(self, name: str) -> Thing:
        """The bank sent it back, which may happen days after it had succeeded."""
        refund = self.refund(name)
        refund.update(
            status="failed", pending_reason=None, failure_reason="expired_or_canceled_card"
        )
        self._add_up(self.charges[refund["charge"]])
        self.tell("refund.updated", refund)
        self.tell("charge.refund.updated", refund)
        self.tell("refund.failed", refund)
        return refund

    # Events

    def event(self, name: str) -> Thing:
        for event in self.events:
            if event["id"] == name:
                return event
        raise no_such("event", name)

    def list_events(self, wanted: Thing) -> Thing:
        """The newest first, a page at a time."""
        found = [event for event in reversed(self.events) if _matches(event, wanted)]
        names = [event["id"] for event in found]
        limit = wanted.get("limit", 10)
        if before := wanted.get("ending_before"):
            found = found[: _place(names, before)]
            page, has_more = found[-limit:], len(found) > limit
        else:
            after = wanted.get("starting_after")
            found = found[_place(names, after) + 1 if after else 0 :]
            page, has_more = found[:limit], len(found) > limit
        return {"object": "list", "data": page, "has_more": has_more, "url": "/v1/events"}


def _page(found: list[Thing], limit: int, url: str) -> Thing:
    """The first of them."""
    has_more = len(found) > limit
    return {"object": "list", "data": found[:limit], "has_more": has_more, "url": url}


def _check_amount(amount: int, currency: str) -> None:
    if amount < MINIMUMS[currency]:
        message = (
            "The Checkout Session's total amount due must add up to at least "
            f"{_money(MINIMUMS[currency])} {currency}"
        )
        raise Refusal(message, code="amount_too_small")
    if amount > MAXIMUM:
        message = f"Amount must be no more than {_money(MAXIMUM)}"
        raise Refusal(message, code="amount_too_large")


def _check_lifetime(seconds: int) -> None:
    if seconds < SHORTEST:
        message = "The `expires_at` timestamp must be at least 30 minutes from now."
        raise Refusal(message, param="expires_at")
    if seconds > LONGEST:
        message = "The `expires_at` timestamp must be less than 24 hours from now."
        raise Refusal(message, param="expires_at")


def _money(amount: int) -> str:
    return f"{amount // 100}.{amount % 100:02}"


def _place(names: list[str], name: str) -> int:
    if name not in names:
        raise no_such("event", name)
    return names.index(name)


COMPARISONS: dict[str, Callable[[int, int], bool]] = {
    "gt": int.__gt__,
    "gte": int.__ge__,
    "lt": int.__lt__,
    "lte": int.__le__,
}


def _matches(event: Thing, wanted: Thing) -> bool:
    kinds = wanted.get("types") or ([wanted["type"]] if "type" in wanted else [])
    return any(_is_of(event["type"], kind) for kind in kinds or ["*"]) and all(
        COMPARISONS[name](event["created"], bound)
        for name, bound in wanted.get("created", {}).items()
    )


def _is_of(kind: str, wanted: str) -> bool:
    return kind.startswith(wanted[:-1]) if wanted.endswith("*") else kind == wanted
