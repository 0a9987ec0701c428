"""Ways of paying that take days, as a debit of a bank account: promised first, then done or not."""

from tests.stripe.books import Books
from tests.stripe.objects import Thing


def promise(books: Books, name: str) -> Thing:
    """The buyer has done their part: nothing can be paid any more, and nothing is paid yet."""
    session, payment = books.payable(name)
    payment["status"] = "processing"
    session.update(
        status="complete", payment_status="unpaid", payment_intent=payment["id"], url=None
    )
    books.tell("payment_intent.processing", payment)
    books.tell("checkout.session.completed", session)
    return session


def come_to_nothing(books: Books, name: str) -> Thing:
    """The bank refuses, days later: the session stays complete, and unpaid."""
    session = books.session(name)
    payment = books.payment(session["payment_intent"])
    payment["status"] = "requires_payment_method"
    books.tell("payment_intent.payment_failed", payment)
    books.tell("checkout.session.async_payment_failed", session)
    return session
