"""Payments by card: asked for, paid once, given back once; whatever is unclear is asked again."""

from datetime import datetime
from uuid import UUID

import structlog

from rewards_app.core import jobs
from rewards_app.core.clock import utc_now
from rewards_app.core.database import AsyncSession, transaction
from rewards_app.core.errors import DomainError
from rewards_app.core.settings import settings
from rewards_app.features.alerts import service as alerts
from rewards_app.features.payments import repository, rules
from rewards_app.features.payments.gateway import Asked, Gateway, Opened
from rewards_app.features.payments.purposes import PURPOSES, Purpose
from rewards_app.features.payments.repository import ASKING, DuePayment, Told
from rewards_app.features.payments.rules import Checkout, Outcome, Status
from rewards_app.features.payments.sandbox import SandboxGateway
from rewards_app.features.payments.stripe_gateway import StripeGateway

__all__ = ["ASKING", "DuePayment"]

_log = structlog.get_logger(__name__)

GATEWAYS: dict[str, Gateway] = {kind.name: kind() for kind in (StripeGateway, SandboxGateway)}
RETURN_MONEY = "payments.return_money"
AT_ONE_LOOK = 200


def gateway() -> Gateway:
    """The provider of this installation."""
    if settings().takes_cards:
        return GATEWAYS[StripeGateway.name]
    if settings().offers_test_payments:
        return GATEWAYS[SandboxGateway.name]
    raise rules.CardsAreOff


async def open_checkout(asked: Asked, provider: Gateway) -> Opened:
    """Have the provider ask for a payment that was committed before.

    When it cannot, the payment has failed: nobody was shown where it could be paid.
    """
    try:
        opened = await provider.open(asked)
    except DomainError:
        async with transaction() as session:
            await fail(session, asked.payment_id, now=utc_now())
        raise
    status = await repository.opened(asked.payment_id, opened.checkout_id, opened.url)
    if status is None or status in rules.UNPAID:
        # It took so long that the payment was given up: nobody shall pay there.
        await take_news(await provider.close(opened.checkout_id), now=utc_now())
        raise rules.ProviderAway
    return opened


async def fail(session: AsyncSession, payment_id: UUID, *, now: datetime) -> None:
    """The checkout was never shown to anybody."""
    payment = await repository.lock(session, payment_id)
    if payment and payment.status is Status.OPENING:
        await _end(session, payment, Status.FAILED, now=now)


def return_path(purpose: str, subject_id: UUID, came: str) -> str:
    """Where the payer comes back to, `paid` or `cancelled`."""
    return f"{PURPOSES[purpose].return_path}?order={subject_id}&came={came}"


async def of_subject(purpose: str, subject_id: UUID) -> DuePayment | None:
    return await repository.of_subject(purpose, subject_id)


async def lock(session: AsyncSession, payment_id: UUID) -> None:
    """Before what it pays for: news of it lock in this order, and two orders block each other."""
    await repository.lock(session, payment_id)


async def take_news(
    news: Checkout, told: Told | None = None, *, ends_as: Status = Status.EXPIRED, now: datetime
) -> Outcome:
    """Do what news of a checkout means, and keep what was told with it."""
    while True:
        payment = await repository.of_news(news)
        if payment is None:
            return await keep_event(told, None, Outcome.NOT_OURS, now=now)
        outcome = rules.outcome_of(payment.due, news)
        done = (
            await _receive(payment, news, told, now=now)
            if outcome is Outcome.PAID
            else await _do(payment, news, outcome, told, ends_as, now=now)
        )
        # Else it has changed since we looked: what it is now decides.
        if done:
            return done


async def _receive(
    payment: DuePayment, news: Checkout, told: Told | None, *, now: datetime
) -> Outcome | None:
    purpose = _purpose(payment)
    try:
        received = await repository.receive(payment.id, news, purpose.giving, told, now=now)
    except repository.MoneySpentBefore:
        return await _refuse_spent_money(payment, news, told, now=now)
    if received is None:
        return None
    if received.was_given and received.account_id:
        purpose.given(received.account_id, received.coins or 0)
        return Outcome.PAID
    async with transaction() as session:
        await _tell_too_late(session, payment, now=now)
    return Outcome.TOO_LATE


async def _refuse_spent_money(
    payment: DuePayment, news: Checkout, told: Told | None, *, now: datetime
) -> Outcome:
    """What pays here has paid for something else already."""
    async with transaction() as session:
        if told is None or await repository.store_event(
            session, told, payment.id, Outcome.PAID_TWICE, now=now
        ):
            await warn(session, payment, Outcome.PAID_TWICE, news.id, now=now)
    return Outcome.PAID_TWICE


async def _do(
    seen: DuePayment,
    news: Checkout,
    outcome: Outcome,
    told: Told | None,
    ends_as: Status,
    *,
    now: datetime,
) -> Outcome | None:
    """Everything but taking money; None when the payment is not what it was when it was seen."""
    async with transaction() as session:
        payment = await repository.lock(session, seen.id)
        if payment is None or rules.outcome_of(payment.due, news) is not outcome:
            return None
        if told and await repository.is_kept(session, told):
            return Outcome.NOTHING_NEW
        if outcome is Outcome.TOO_LATE:
            await _send_back(session, payment, news, now=now)
        elif outcome is Outcome.ENDED:
            await _end(session, payment, ends_as, now=now)
        elif outcome in rules.SUSPICIOUS:
            await warn(session, payment, outcome, news.id, now=now)
            if told is None and outcome is Outcome.OTHER_AMOUNT:
                await _undo(session, payment, news, now=now)
        if told:
            await repository.store_event(session, told, payment.id, outcome, now=now)
    return outcome


async def keep_event(
    told: Told | None, payment_id: UUID | None, outcome: Outcome, *, now: datetime
) -> Outcome:
    if told:
        async with transaction() as session:
            await repository.store_event(session, told, payment_id, outcome, now=now)
    return outcome


async def _undo(
    session: AsyncSession, payment: DuePayment, news: Checkout, *, now: datetime
) -> None:
    """The provider's own answer says so: what was not agreed on is given back."""
    if payment.status in rules.UNDECIDED:
        await _end(session, payment, Status.FAILED, now=now)
        await _send_back(session, payment, news, now=now)


async def _send_back(
    session: AsyncSession, payment: DuePayment, news: Checkout, *, now: datetime
) -> None:
    """Paid when there was nothing to pay for any more."""
    await repository.paid_to_go_back(session, payment.id, news, now=now)
    await _tell_too_late(session, payment, now=now)


async def _tell_too_late(session: AsyncSession, payment: DuePayment, *, now: datetime) -> None:
    await _purpose(payment).too_late(session, payment.subject_id, now)
    await jobs.later(session, RETURN_MONEY, payment_id=str(payment.id))
    _log.warning("payment.too_late", payment=str(payment.id))


async def _end(
    session: AsyncSession, payment: DuePayment, status: Status, *, now: datetime
) -> None:
    await repository.end(session, payment.id, status)
    await _purpose(payment).ended(session, payment.subject_id, status, now)


async def warn(
    session: AsyncSession, payment: DuePayment, outcome: Outcome, said: str, *, now: datetime
) -> Outcome:
    """What was said does not fit: somebody has to look."""
    await alerts.raise_alert(
        session,
        alerts.Severity.CRITICAL,
        f"payment_{outcome}",
        f"What the provider says of {said[:100]} does not fit payment {payment.id}: {outcome}",
        account_id=payment.account_id,
        now=now,
    )
    return outcome


async def close(payment: DuePayment) -> Outcome:
    """Nobody shall pay this any more; unless somebody has, it is cancelled."""
    if payment.checkout_id is None:
        raise rules.ProviderAway
    news = await GATEWAYS[payment.provider].close(payment.checkout_id)
    return await take_news(news, ends_as=Status.CANCELLED, now=utc_now())


async def look(payment_id: UUID) -> Outcome:
    """Ask the provider what became of a payment, and do what that means."""
    payment = await repository.find(payment_id)
    if payment is None or payment.status not in rules.UNDECIDED:
        return Outcome.NOTHING_NEW
    if payment.checkout_id is None:
        return await _give_up_opening(payment)
    provider = GATEWAYS[payment.provider]
    news = await provider.find(payment.checkout_id)
    is_over = utc_now() > payment.expires_at + rules.FIRST_LOOK
    if is_over and not news.is_paid and not news.is_expired:
        news = await provider.close(payment.checkout_id)
    return await take_news(news, now=utc_now())


async def _give_up_opening(payment: DuePayment) -> Outcome:
    """Whoever opened it has died on the way, and the payer never saw where to pay."""
    now = utc_now()
    if now < payment.created_at + rules.OPENING_TAKES_AT_MOST:
        return Outcome.STILL_OPEN
    async with transaction() as session:
        await fail(session, payment.id, now=now)
    return Outcome.ENDED


async def ask_back(session: AsyncSession, payment_id: UUID, *, now: datetime) -> None:
    """From now on the money is on its way back."""
    payment = await repository.lock(session, payment_id)
    if payment is None or payment.status is not Status.PAID:
        raise rules.NotReturnable
    await repository.begin_return(session, payment_id, now=now)
    await jobs.later(session, RETURN_MONEY, payment_id=str(payment_id))


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
        await note_returned(session, payment.id, refund_id, now=utc_now())


async def _intent_of(payment: DuePayment) -> str:
    """What was paid with; an event may have told of the money without naming it."""
    assert payment.checkout_id, "what was charged had a checkout"
    found = await GATEWAYS[payment.provider].find(payment.checkout_id)
    if found.intent_id is None:
        raise rules.ProviderAway
    return found.intent_id


async def note_returned(
    session: AsyncSession, payment_id: UUID, refund_id: str, *, now: datetime
) -> Outcome:
    """The money went back, by us or by hand at the provider."""
    payment = await repository.lock(session, payment_id)
    if payment is None or payment.status not in (Status.PAID, Status.RETURNING):
        return Outcome.NOTHING_NEW
    await repository.returned(session, payment.id, refund_id, now=now)
    await _purpose(payment).returned(session, payment.subject_id, now)
    return Outcome.RETURNED


async def note_undone(
    session: AsyncSession, payment: DuePayment, intent_id: str, *, now: datetime
) -> Outcome:
    """Paid and returned before we had heard that it was paid: nothing is given for it."""
    if payment.checkout_id is None:
        return await warn(session, payment, Outcome.OTHER_CHECKOUT, intent_id, now=now)
    if payment.status in rules.UNDECIDED:
        await _end(session, payment, Status.FAILED, now=now)
    paid = Checkout(
        id=payment.checkout_id,
        references=frozenset(),
        is_paid=True,
        is_expired=False,
        amount=payment.amount,
        currency=payment.currency,
        intent_id=intent_id,
    )
    await _send_back(session, payment, paid, now=now)
    return await note_returned(session, payment.id, f"before:{intent_id}", now=now)


async def look_at_what_waits(*, now: datetime) -> int:
    """The reconciliation: each payment that is due to be asked about; how many there were."""
    async with transaction() as session:
        waiting = await repository.to_look_at(session, now=now, limit=AT_ONE_LOOK)
    for payment_id in waiting:
        await _look_once(payment_id, now=now)
    return len(waiting)


async def _look_once(payment_id: UUID, *, now: datetime) -> None:
    payment = await repository.find(payment_id)
    if payment is None:
        return
    # Before asking: what breaks here must not keep the others from being looked at, now or later.
    later = rules.next_look(payment.looks, expires_at=payment.expires_at, now=now)
    await repository.look_again(payment_id, later)
    try:
        if payment.status is Status.RETURNING:
            await return_money(payment_id)
        else:
            await look(payment_id)
    except DomainError as refusal:
        _log.warning("payment.not_settled", payment=str(payment_id), reason=refusal.code)
    except Exception:
        _log.exception("payment.broke", payment=str(payment_id))


def _purpose(payment: DuePayment) -> Purpose:
    return PURPOSES[payment.purpose]


async def way_back(payment_id: UUID, came: str) -> str:
    payment = await repository.find(payment_id)
    return return_path(payment.purpose, payment.subject_id, came) if payment else "/"
