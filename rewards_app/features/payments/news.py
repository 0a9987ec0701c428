"""What news of a checkout or a refund means: money is taken, an order ends, something goes back."""

from datetime import datetime
from uuid import UUID

import structlog

from rewards_app.core import jobs
from rewards_app.core.database import AsyncSession, transaction
from rewards_app.features.alerts import service as alerts
from rewards_app.features.payments import events_repository, repository, rules
from rewards_app.features.payments.events_repository import Told
from rewards_app.features.payments.purposes import PURPOSES, Purpose
from rewards_app.features.payments.repository import DuePayment
from rewards_app.features.payments.rules import Checkout, Outcome, Status

_log = structlog.get_logger(__name__)

RETURN_MONEY = "payments.return_money"


async def take_news(
    news: Checkout, told: Told | None = None, *, ends_as: Status = Status.EXPIRED, now: datetime
) -> Outcome:
    """Do what news of a checkout means, and keep what was told with it."""
    while True:
        payment = await repository.of_news(news)
        if payment is None:
            return await _take_news_of_nobodys(news, told, now=now)
        outcome = rules.outcome_of(payment.due, news)
        done = (
            await _receive(payment, news, told, now=now)
            if outcome is Outcome.PAID
            else await _do(payment, news, outcome, told, ends_as, now=now)
        )
        # Else it has changed since we looked: what it is now decides.
        if done:
            return done


async def _take_news_of_nobodys(news: Checkout, told: Told | None, *, now: datetime) -> Outcome:
    """What else is sold on the provider's account is not ours to speak of. Money for a payment that
    we had, and have no more since the database went back, is somebody's who gets nothing for it."""
    if not news.took_money_for_us:
        return await keep_event(told, None, Outcome.NOT_OURS, now=now)
    async with transaction() as session:
        if told is None or await events_repository.store_event(
            session, told, None, Outcome.UNKNOWN, now=now
        ):
            await _warn_of_unknown(session, news, now=now)
    return Outcome.UNKNOWN


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
    if received.was_given and received.owner_id:
        purpose.given(received.owner_id, received.coins or 0)
        return Outcome.PAID
    async with transaction() as session:
        await _tell_too_late(session, payment, now=now)
    return Outcome.TOO_LATE


async def _refuse_spent_money(
    payment: DuePayment, news: Checkout, told: Told | None, *, now: datetime
) -> Outcome:
    """What pays here has paid for something else already."""
    async with transaction() as session:
        if told is None or await events_repository.store_event(
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
        if told and await events_repository.is_kept(session, told):
            return Outcome.NOTHING_NEW
        if outcome is Outcome.TOO_LATE:
            await _send_back(session, payment, news, now=now)
        elif outcome is Outcome.ENDED:
            await _end_unpaid(session, payment, news, ends_as, now=now)
        elif outcome is Outcome.STILL_OPEN and news.is_under_way:
            await _wait_for_bank(session, payment, now=now)
        elif outcome in rules.SUSPICIOUS:
            await warn(session, payment, outcome, news.id, now=now)
            if told is None and outcome is Outcome.OTHER_AMOUNT:
                await _undo(session, payment, news, now=now)
        if told:
            await events_repository.store_event(session, told, payment.id, outcome, now=now)
    return outcome


async def _wait_for_bank(session: AsyncSession, payment: DuePayment, *, now: datetime) -> None:
    """The provider says for days that the money is on its way: who waits for it is told once."""
    if await repository.is_under_way(session, payment.id):
        await _purpose(payment).under_way(session, payment.subject_id, now)


async def _end_unpaid(
    session: AsyncSession,
    payment: DuePayment,
    news: Checkout,
    ends_as: Status,
    *,
    now: datetime,
) -> None:
    """What waited for a bank is ended by its no alone, also where we hear of that no first: who
    waits for it hears of it."""
    is_refused = payment.is_under_way or (news.was_refused and ends_as is Status.EXPIRED)
    await _end(session, payment, Status.FAILED if is_refused else ends_as, now=now)
    if is_refused:
        await _purpose(payment).refused(session, payment.subject_id, now)


async def keep_event(
    told: Told | None, payment_id: UUID | None, outcome: Outcome, *, now: datetime
) -> Outcome:
    if told:
        async with transaction() as session:
            await events_repository.store_event(session, told, payment_id, outcome, now=now)
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


async def fail(session: AsyncSession, payment_id: UUID, *, now: datetime) -> None:
    """The checkout was never shown to anybody."""
    payment = await repository.lock(session, payment_id)
    if payment and payment.status is Status.OPENING:
        await _end(session, payment, Status.FAILED, now=now)


async def expire(session: AsyncSession, payment_id: UUID, *, now: datetime) -> None:
    """Nobody can pay it there any more; whoever did all the same gets the money back."""
    payment = await repository.lock(session, payment_id)
    if payment and payment.status in rules.UNDECIDED:
        await _end(session, payment, Status.EXPIRED, now=now)


async def _end(
    session: AsyncSession, payment: DuePayment, status: Status, *, now: datetime
) -> None:
    is_cancelled = payment.is_being_cancelled and status is Status.EXPIRED
    ends_as = Status.CANCELLED if is_cancelled else status
    await repository.end(session, payment.id, ends_as)
    await _purpose(payment).ended(session, payment.subject_id, ends_as, now)


async def warn(
    session: AsyncSession, payment: DuePayment, outcome: Outcome, said: str, *, now: datetime
) -> Outcome:
    """What was said does not fit: somebody has to look."""
    await alerts.raise_alert(
        session,
        alerts.Kind(f"payment_{outcome}"),
        account_id=payment.account_id,
        now=now,
        said=said[:100],
        payment=str(payment.id),
    )
    return outcome


async def warn_of_waiting(
    session: AsyncSession, payment_id: UUID, *, may_wait: bool, now: datetime
) -> None:
    """The provider was asked again and again, and it is still not settled: somebody has to look.

    They are called once, also where the worker that was to call them has died.
    """
    payment = await repository.lock(session, payment_id)
    if payment is None or payment.status not in rules.UNSETTLED:
        return
    if may_wait and _may_be_with_a_bank(payment, now=now):
        return
    if not await was_warned_of_waiting(session, payment_id):
        await alerts.raise_alert(
            session,
            alerts.Kind.PAYMENT_UNSETTLED,
            about=_about(payment_id),
            account_id=payment.account_id,
            now=now,
            payment=str(payment.id),
            status=[f"alerts.payments.{payment.status}"],
        )


def _may_be_with_a_bank(payment: DuePayment, *, now: datetime) -> bool:
    is_promised = payment.is_under_way and payment.status in rules.UNDECIDED
    return is_promised and now < payment.created_at + rules.BANKS_TAKE_AT_MOST


async def was_warned_of_waiting(session: AsyncSession, payment_id: UUID) -> bool:
    kind = alerts.Kind.PAYMENT_UNSETTLED
    return await alerts.was_raised(session, kind, about=_about(payment_id))


def _about(payment_id: UUID) -> str:
    return f"payment:{payment_id}"


async def _warn_of_unknown(session: AsyncSession, news: Checkout, *, now: datetime) -> None:
    """Once for each checkout, whatever is told of it later."""
    kind, about = alerts.Kind.PAYMENT_UNKNOWN, f"checkout:{news.id}"
    if not await alerts.was_raised(session, kind, about=about):
        [payment] = news.references
        await alerts.raise_alert(
            session, kind, about=about, now=now, said=news.id[:100], payment=payment
        )


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


async def note_partly_returned(
    session: AsyncSession, payment: DuePayment, amount: int, said: str, *, now: datetime
) -> Outcome:
    """By hand, at the provider: `amount` has gone back by now, all parts together.

    What was given for it goes with it where it can; else somebody has to know.
    """
    goes_too = _purpose(payment).partly_returned
    is_a_part = 0 < amount < (payment.charged or 0)
    if payment.status is Status.PAID and is_a_part and goes_too:
        await goes_too(session, payment.subject_id, amount, now)
        return Outcome.PARTLY_RETURNED
    if payment.status in rules.GOES_BACK and is_a_part and goes_too:
        # An earlier word, which comes late.
        return Outcome.NOTHING_NEW
    return await warn(session, payment, Outcome.PARTLY_RETURNED, said, now=now)


async def note_lost(
    session: AsyncSession, payment: DuePayment, dispute_id: str, *, is_whole: bool, now: datetime
) -> Outcome:
    """A bank has taken the money back for good: nobody has to return it any more.

    What was given for it goes with it where it can; else somebody has to know.
    """
    is_owed = payment.status is Status.RETURNING
    goes_too = payment.status is Status.PAID and _purpose(payment).partly_returned
    if is_whole and (is_owed or goes_too):
        return await note_returned(session, payment.id, _taken_by(dispute_id), now=now)
    return await warn(session, payment, Outcome.DISPUTE_LOST, dispute_id, now=now)


async def note_won(
    session: AsyncSession, payment: DuePayment, dispute_id: str, *, now: datetime
) -> Outcome:
    """The bank leaves the money with us. Where we had lost it before, what that did stays done:
    whether something is to be given anew is for somebody to decide."""
    if await events_repository.was_lost(session, payment.id, _taken_by(dispute_id)):
        await warn(session, payment, Outcome.DISPUTED, dispute_id, now=now)
    return Outcome.DISPUTE_WON


def _taken_by(dispute_id: str) -> str:
    return f"{rules.TAKEN_BY}{dispute_id}"


async def note_undone(
    session: AsyncSession, payment: DuePayment, intent_id: str, *, now: datetime
) -> Outcome:
    """Paid and returned before we had heard that it was paid: nothing is given for it."""
    if payment.checkout_id is None:
        return await warn(session, payment, Outcome.OTHER_CHECKOUT, intent_id, now=now)
    if payment.status not in rules.UNDECIDED | rules.UNPAID:
        # We had heard of it, though not what it was paid with.
        return await note_returned(session, payment.id, f"before:{intent_id}", now=now)
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
        is_under_way=False,
        is_by_us=True,
    )
    await _send_back(session, payment, paid, now=now)
    return await note_returned(session, payment.id, f"before:{intent_id}", now=now)


def _purpose(payment: DuePayment) -> Purpose:
    return PURPOSES[payment.purpose]
