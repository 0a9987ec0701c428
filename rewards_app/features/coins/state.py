"""A player's statement: what they have, what is held, and every coin that came or went."""

from typing import Annotated, Any

from pydantic import Field

from rewards_app.core.access import allow
from rewards_app.core.actor import PLAYING_ROLES
from rewards_app.core.database import AsyncSession, transaction
from rewards_app.core.state import AppState
from rewards_app.core.stretches import renewed
from rewards_app.features.coins import service
from rewards_app.features.coins.rules import Kind
from rewards_app.features.coins.service import Statement

EntryNumber = Annotated[int, Field(gt=0, lt=2**63)]
MOST_AT_ONCE = 500
"""Each change sends the whole list again: a longer one goes on without its beginning."""


class StatementState(AppState):
    is_loaded: bool = False
    balance: int = 0
    total: int = 0
    held: int = 0
    holds: list[dict[str, Any]] = []
    entries: list[dict[str, Any]] = []
    """Newest first."""
    next_before: int = 0
    """Older entries come before this number; 0 where there are none."""
    has_newer: bool = False

    @allow(*PLAYING_ROLES, even_suspended=True)
    async def load(self):
        async with transaction() as session:
            await self._load_balance(session)
            found = await service.statement(session, self._actor.user_id)
        self.entries, self.next_before = _rows(found), found.next_before or 0
        self.has_newer = False
        self.is_loaded = True

    @allow(*PLAYING_ROLES, passive=True, even_suspended=True)
    async def refresh(self):
        """Coins came or went: what is new comes first, what was loaded stays."""
        async with transaction() as session:
            await self._load_balance(session)
            if self.has_newer:
                return
            found = await service.statement(session, self._actor.user_id)
        self._renew(found)

    @allow(*PLAYING_ROLES, even_suspended=True)
    async def load_more(self, before: EntryNumber):
        """Older entries; asked twice for the same ones, they come once."""
        if before != self.next_before:
            return
        async with transaction() as session:
            found = await service.statement(session, self._actor.user_id, before=before)
        is_full = len(self.entries) >= MOST_AT_ONCE
        self.has_newer = self.has_newer or is_full
        self.entries = _rows(found) if is_full else self.entries + _rows(found)
        self.next_before = found.next_before or 0

    async def _load_balance(self, session: AsyncSession) -> None:
        account_id = self._actor.user_id
        balance = await service.balance_of(account_id)
        self.balance, self.total, self.held = balance.balance, balance.total, balance.held
        holds = await service.open_holds(session, account_id)
        self.holds = [
            {"amount": hold.amount, "since": hold.created_at.isoformat()} for hold in holds
        ]

    def _renew(self, found: Statement) -> None:
        """The newest entries, and below them the older ones that were loaded, if nothing lacks."""
        newest = _rows(found)
        entries = renewed(self.entries, newest, key="number")
        if entries:
            self.entries = entries
        else:
            self.entries, self.next_before = newest, found.next_before or 0


def _counted(subject: str, kind: str) -> tuple[int, str]:
    """How many of what was bought: 2800 of V-Bucks. The titles of ads are taken as they are."""
    amount, _, unit = subject.partition(" ")
    is_counted = kind in {Kind.PURCHASE, Kind.REFUND} and amount.isdecimal()
    return (int(amount), unit) if is_counted else (0, subject)


def _rows(found: Statement) -> list[dict[str, Any]]:
    counted = [_counted(entry.subject, entry.kind) for entry in found.entries]
    return [
        {
            "number": entry.number,
            "at": entry.created_at.isoformat(),
            "kind": entry.kind,
            "count": count,
            "subject": subject,
            "amount": entry.amount,
            "left": entry.balance_after,
        }
        for entry, (count, subject) in zip(found.entries, counted, strict=True)
    ]
