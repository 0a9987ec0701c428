"""What becomes of a purchase once its payment was made, has ended, or went back."""

from datetime import datetime
from uuid import UUID

from rewards_app.core import live
from rewards_app.core.database import AsyncSession
from rewards_app.features.coins import service as coins
from rewards_app.features.coins.rules import Kind
from rewards_app.features.payments import rules as payment_rules
from rewards_app.features.payments.purposes import Purpose
from rewards_app.features.shop import letters, repository, rules
from rewards_app.features.shop.buying import CHANGED
from rewards_app.features.shop.letters import ORDERS
from rewards_app.features.shop.repository import PURPOSE
from rewards_app.features.shop.rules import Status

STATUS_OF_ENDED = {
    payment_rules.Status.EXPIRED: Status.EXPIRED,
    payment_rules.Status.CANCELLED: Status.CANCELLED,
    payment_rules.Status.FAILED: Status.FAILED,
}


def on_given(account_id: UUID, spent: int) -> None:
    """The coins are spent and the code is given."""
    live.announce(CHANGED, str(account_id))
    if spent:
        live.announce(coins.CHANGED, str(account_id))


async def on_ended(
    session: AsyncSession, purchase_id: UUID, status: payment_rules.Status, now: datetime
) -> None:
    """Nothing was paid: the coins and the code are free again."""
    account_id = await repository.end(session, purchase_id, STATUS_OF_ENDED[status], now=now)
    if account_id:
        live.announce_after(session, CHANGED, str(account_id))
        live.announce_after(session, coins.CHANGED, str(account_id))


async def on_under_way(session: AsyncSession, purchase_id: UUID, now: datetime) -> None:
    """The money takes days: coins and code stay aside for it."""
    purchase = await repository.lock(session, purchase_id)
    if purchase:
        live.announce_after(session, CHANGED, str(purchase.account_id))


async def on_refused(session: AsyncSession, purchase_id: UUID, now: datetime) -> None:
    """The player's bank did not pay: the player is told, who had been told to wait for it."""
    await letters.tell_refused(session, purchase_id)


async def on_too_late(session: AsyncSession, purchase_id: UUID, now: datetime) -> None:
    """Paid when coins and code were gone already: the money goes back, and the player is told."""
    # Where its code alone was gone, its coins are still aside for it.
    await on_ended(session, purchase_id, payment_rules.Status.EXPIRED, now)
    account_id = await repository.begin_refund(session, purchase_id, None, "")
    if account_id:
        live.announce_after(session, CHANGED, str(account_id))


async def on_returned(session: AsyncSession, purchase_id: UUID, now: datetime) -> None:
    """The money is back; so are the coins, if they were spent."""
    await finish_refund(session, purchase_id, now=now)


async def finish_refund(session: AsyncSession, purchase_id: UUID, *, now: datetime) -> None:
    """The coins go back, once; the code is worth nothing any more; the player is told."""
    purchase = await repository.lock(session, purchase_id)
    assert purchase is not None, "purchases are never deleted"
    if purchase.status == Status.REFUNDED:
        return
    was_bought = rules.was_bought(purchase.status, purchase.refund_reason)
    await repository.finish_refund(session, purchase_id, now=now)
    # The word of who refunded it is forgotten with its buyer; the ledger forgets nothing.
    if await coins.was_taken(session, f"purchase:{purchase_id}"):
        await coins.credit(
            session,
            purchase.account_id,
            purchase.coins_spent,
            Kind.REFUND,
            f"refund:{purchase_id}",
            subject=purchase.product_name,
            now=now,
        )
    await letters.tell_refund(session, purchase_id, was_bought=was_bought)
    live.announce_after(session, CHANGED, str(purchase.account_id))


PAYING = Purpose(
    PURPOSE,
    return_path=ORDERS,
    giving=repository.GIVING,
    given=on_given,
    ended=on_ended,
    under_way=on_under_way,
    refused=on_refused,
    too_late=on_too_late,
    returned=on_returned,
    partly_returned=None,
)
