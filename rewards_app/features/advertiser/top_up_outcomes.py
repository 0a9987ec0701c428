"""What becomes of a top-up once its payment was made, has ended, or went back."""

from datetime import datetime
from uuid import UUID

from rewards_app.core import live
from rewards_app.core.database import AsyncSession
from rewards_app.core.routes import BILLING
from rewards_app.features.ads.budgets import PARTS_A_CENT
from rewards_app.features.advertiser import invoices, money, top_up_repository
from rewards_app.features.advertiser.billing_rules import Status, invoice_name
from rewards_app.features.advertiser.membership import CHANGED
from rewards_app.features.advertiser.money import Kind
from rewards_app.features.advertiser.top_up_repository import GIVING, PURPOSE, Returned
from rewards_app.features.alerts import service as alerts
from rewards_app.features.payments import rules as payment_rules
from rewards_app.features.payments.purposes import Purpose

STATUS_OF_ENDED = {
    payment_rules.Status.EXPIRED: Status.EXPIRED,
    payment_rules.Status.CANCELLED: Status.CANCELLED,
    payment_rules.Status.FAILED: Status.FAILED,
}


def on_given(advertiser_id: UUID, _coins: int) -> None:
    """The money is in the balance."""
    live.announce(CHANGED, str(advertiser_id))


async def on_ended(
    session: AsyncSession, top_up_id: UUID, status: payment_rules.Status, now: datetime
) -> None:
    """Nothing was paid."""
    advertiser_id = await top_up_repository.end(session, top_up_id, STATUS_OF_ENDED[status])
    if advertiser_id:
        live.announce_after(session, CHANGED, str(advertiser_id))


async def on_under_way(session: AsyncSession, top_up_id: UUID, now: datetime) -> None:
    """The money takes days, and is in the balance when it is here."""
    top_up = await top_up_repository.find(top_up_id)
    if top_up:
        live.announce_after(session, CHANGED, str(top_up.advertiser_id))


async def on_refused(session: AsyncSession, top_up_id: UUID, now: datetime) -> None:
    """The payer's bank did not pay: the payer is told, who had been told to wait for it."""
    await invoices.tell_refused(session, top_up_id)


async def on_too_late(session: AsyncSession, top_up_id: UUID, now: datetime) -> None:
    """Paid when it had ended: the money goes back, and nothing else changes."""


async def on_returned(session: AsyncSession, top_up_id: UUID, now: datetime) -> None:
    """The money is back on the card: what was added to the balance leaves it, once."""
    returned = await top_up_repository.give_back(session, top_up_id)
    if returned:
        await _take_back(session, returned, f"returned:{top_up_id}", now=now)
    await invoices.tell_returned(session, top_up_id, newly=returned.newly if returned else None)


async def on_partly_returned(
    session: AsyncSession, top_up_id: UUID, cents: int, now: datetime
) -> None:
    """So much of it is back on the card by now: what had not left the balance leaves it."""
    returned = await top_up_repository.give_back(session, top_up_id, part=cents)
    if returned:
        await _take_back(session, returned, f"returned:{top_up_id}:{cents}", now=now)
        await invoices.tell_returned(session, top_up_id, newly=returned.newly)


async def _take_back(
    session: AsyncSession, returned: Returned, cause: str, *, now: datetime
) -> None:
    invoice = invoice_name(returned.invoice_number)
    await money.enter(
        session,
        returned.advertiser_id,
        -returned.newly * PARTS_A_CENT,
        Kind.RETURNED,
        cause,
        subject=invoice,
        now=now,
    )
    live.announce_after(session, CHANGED, str(returned.advertiser_id))
    funds = await money.funds_of(session, returned.advertiser_id)
    if funds.balance < 0:
        # It was spent before it was taken back.
        await alerts.raise_alert(
            session,
            alerts.Kind.ADVERTISER_BELOW_ZERO,
            about=f"company:{returned.advertiser_id}",
            now=now,
            invoice=str(invoice),
            company=str(returned.advertiser_id),
        )


PAYING = Purpose(
    PURPOSE,
    return_path=BILLING,
    giving=GIVING,
    given=on_given,
    ended=on_ended,
    under_way=on_under_way,
    refused=on_refused,
    too_late=on_too_late,
    returned=on_returned,
    partly_returned=on_partly_returned,
)
