"""Whether money, coins and code of every purchase moved together."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

import structlog

from rewards_app.core.database import AsyncSession
from rewards_app.features.alerts import service as alerts
from rewards_app.features.shop import (
    history_repository,
)
from rewards_app.features.shop.book_rules import Books

_log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Audit:
    purchases: int
    wrong: Sequence[Books]

    @property
    def is_clean(self) -> bool:
        return not self.wrong


async def check(session: AsyncSession) -> Audit:
    """Prove for every purchase that money, coins and code moved together, or not at all."""
    purchases, wrong = 0, list[Books]()
    async for books in history_repository.books(session):
        purchases += len(books)
        wrong += [book for book in books if not book.is_balanced]
    return Audit(purchases, wrong)


async def check_and_alert(session: AsyncSession, *, now: datetime) -> Audit:
    """The nightly check: any difference becomes an alert, one for each purchase."""
    proof = await check(session)
    for book in proof.wrong:
        await alerts.raise_alert(
            session,
            alerts.Kind.PURCHASE_DIFFERENCE,
            about=f"purchase:{book.purchase_code}",
            now=now,
            code=book.purchase_code,
            status=[f"orders.status.{book.status}"],
        )
    _log.info("orders.checked", purchases=proof.purchases, wrong=len(proof.wrong))
    return proof
