"""What a card owner's bank does: it asks, takes money back, and decides whose it is."""

from tests.stripe import objects
from tests.stripe.books import Books
from tests.stripe.objects import Thing
from tests.stripe.refusals import no_such

WON = ("won", "warning_closed")


def begin(books: Books, payment_intent: str, amount: int | None, *, is_inquiry: bool) -> Thing:
    """A mere inquiry takes nothing yet; what it asks about can still be refunded."""
    charge = books.charges[books.payment(payment_intent)["latest_charge"]]
    dispute = objects.dispute(charge, amount, is_inquiry=is_inquiry, now=books.now)
    books.disputes[dispute["id"]] = dispute
    charge["disputed"] = True
    books.tell("charge.dispute.created", dispute)
    if not is_inquiry:
        books.tell("charge.dispute.funds_withdrawn", dispute)
    return dispute


def close(books: Books, name: str, status: str) -> Thing:
    """The bank has decided: `won` or `lost`; `warning_closed` is an inquiry without an end."""
    if name not in books.disputes:
        raise no_such("dispute", name)
    dispute = books.disputes[name]
    dispute.update(status=status, is_charge_refundable=status in WON)
    books.tell("charge.dispute.closed", dispute)
    if status == "won":
        books.tell("charge.dispute.funds_reinstated", dispute)
    return dispute
