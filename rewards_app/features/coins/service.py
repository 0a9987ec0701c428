"""Coins come, are held, go; and the proof that nothing was lost on the way."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from uuid import UUID

import structlog

from rewards_app.core import live
from rewards_app.core.actor import PLAYING_ROLES
from rewards_app.core.database import AsyncSession
from rewards_app.features.alerts import service as alerts
from rewards_app.features.coins import figures_repository, proof_repository, repository, rules
from rewards_app.features.coins.figures_repository import TALLIED
from rewards_app.features.coins.parts import (
    CREDITING,
    CREDITING_ALL,
    HOLDING,
    RELEASING,
    SETTLING,
    is_short_of_coins,
)
from rewards_app.features.coins.repository import NewEntry
from rewards_app.features.coins.rules import Balance, Books, Kind, NotEnoughCoins
from rewards_app.models import CoinEntry, CoinHold

__all__ = [
    "CREDITING",
    "CREDITING_ALL",
    "HOLDING",
    "RELEASING",
    "SETTLING",
    "TALLIED",
    "NotEnoughCoins",
    "is_short_of_coins",
]

_log = structlog.get_logger(__name__)

CHANGED = "coins_changed"
"""Published with the account's id whenever its balance has changed."""
A_PAGE = 25
LONGEST_SUBJECT = 120


async def balance_of(account_id: UUID) -> Balance:
    return await repository.balance_of(account_id)


async def has_spent(session: AsyncSession, account_id: UUID) -> bool:
    """Whether a purchase of the account was ever settled."""
    return await repository.has_spent(session, account_id)


async def was_taken(session: AsyncSession, cause: str) -> bool:
    """Whether coins were spent for this cause, though they may have come back since."""
    return await repository.is_entered(session, cause)


@dataclass(frozen=True, slots=True)
class TopPlayer:
    name: str
    ads: int


async def top_player() -> TopPlayer | None:
    """Who was paid for most ads ever; nobody while nobody was paid for any."""
    found = await figures_repository.most_ads([role.value for role in PLAYING_ROLES])
    return TopPlayer(*found) if found else None


async def distributed() -> int:
    """Coins that players ever earned, all of them together."""
    return (await figures_repository.earned())[0]


async def ads_watched() -> int:
    """Ads that were rewarded, of all players together."""
    return (await figures_repository.earned())[1]


async def credit(
    session: AsyncSession,
    account_id: UUID,
    amount: int,
    kind: Kind,
    cause: str,
    *,
    subject: str = "",
    now: datetime,
) -> bool:
    """Give coins; False when this cause has given them before."""
    rules.refuse_bad_amount(amount)
    balance = await repository.lock_balance(session, account_id)
    if await repository.is_entered(session, cause):
        return False
    earned = amount if kind in rules.EARNING else 0
    after = replace(
        balance,
        total=balance.total + earned,
        balance=balance.balance + amount,
        ads=balance.ads + (kind is Kind.AD),
    )
    entry = NewEntry(account_id, amount, kind, cause, subject[:LONGEST_SUBJECT], now)
    await repository.enter(session, entry, after)
    live.announce_after(session, CHANGED, str(account_id))
    return True


async def hold(
    session: AsyncSession, account_id: UUID, amount: int, cause: str, *, now: datetime
) -> UUID:
    """Set coins aside for a purchase; the same cause holds once. Refuses more than there are."""
    rules.refuse_bad_amount(amount)
    balance = await repository.lock_balance(session, account_id)
    known = await repository.hold_of_cause(session, cause)
    if known:
        return known.id
    if balance.balance < amount:
        raise rules.NotEnoughCoins(count=amount - balance.balance)
    hold_id = await repository.hold(session, account_id, amount, cause, now=now)
    live.announce_after(session, CHANGED, str(account_id))
    return hold_id


async def settle(session: AsyncSession, hold_id: UUID, *, subject: str = "", now: datetime) -> bool:
    """The held coins are spent; False when they were already. Refuses a released hold."""
    cause = await _cause_to_end(session, hold_id, "settled")
    if cause:
        await repository.settle(session, cause, subject[:LONGEST_SUBJECT], now=now)
    return bool(cause)


async def release(session: AsyncSession, hold_id: UUID, *, now: datetime) -> bool:
    """The held coins can be spent again; False when they could already. Refuses a settled hold."""
    cause = await _cause_to_end(session, hold_id, "released")
    if cause:
        await repository.release(session, cause, now=now)
    return bool(cause)


async def _cause_to_end(session: AsyncSession, hold_id: UUID, status: str) -> str | None:
    """The cause of the hold, which is locked; None when it ended this way before."""
    known = await repository.lock_hold(session, hold_id)
    if known is None or known.status not in ("held", status):
        raise rules.HoldEnded
    if known.status == status:
        return None
    live.announce_after(session, CHANGED, str(known.account_id))
    return known.cause


@dataclass(frozen=True, slots=True)
class Statement:
    """A stretch of an account's history; `next_before` leads to the older rest."""

    entries: Sequence[CoinEntry]
    next_before: int | None


async def statement(
    session: AsyncSession, account_id: UUID, *, before: int | None = None
) -> Statement:
    found = await repository.entries_before(session, account_id, before=before, limit=A_PAGE + 1)
    shown = found[:A_PAGE]
    return Statement(shown, shown[-1].number if len(found) > A_PAGE else None)


async def open_holds(session: AsyncSession, account_id: UUID) -> Sequence[CoinHold]:
    return await repository.open_holds(session, account_id)


@dataclass(frozen=True, slots=True)
class Audit:
    """What a check of the whole ledger found."""

    accounts: int
    wrong: Sequence[Books]
    skips: Sequence[tuple[UUID, int]]

    @property
    def is_clean(self) -> bool:
        return not self.wrong and not self.skips


async def check(session: AsyncSession) -> Audit:
    """Prove that the entries add up to the balances, for every account."""
    accounts, wrong = 0, list[Books]()
    async for books in proof_repository.books(session):
        accounts += len(books)
        wrong += rules.unbalanced(books)
    return Audit(accounts, wrong, await proof_repository.entries_that_skip(session))


async def check_and_alert(session: AsyncSession, *, now: datetime) -> Audit:
    """The nightly check: any difference becomes an alert, one for each account."""
    audit = await check(session)
    for book in audit.wrong:
        await alerts.raise_alert(
            session,
            alerts.Kind.LEDGER_DIFFERENCE,
            about=f"account:{book.account_id}",
            account_id=book.account_id,
            now=now,
            account=str(book.account_id),
            stored=str(book.stored),
            added_up=str(book.added_up),
        )
    for account_id, number in audit.skips:
        await alerts.raise_alert(
            session,
            alerts.Kind.LEDGER_SKIP,
            about=f"entry:{number}",
            account_id=account_id,
            now=now,
            account=str(account_id),
            entry=number,
        )
    _log.info("ledger.checked", accounts=audit.accounts, wrong=len(audit.wrong))
    return audit
