"""The bell: how much is unread, and what somebody was told."""

from typing import Any

from rewards_app.core.access import Identifier, allow
from rewards_app.core.clock import utc_now
from rewards_app.core.database import transaction
from rewards_app.core.state import AppState
from rewards_app.core.stretches import read_again, so_many
from rewards_app.features.notifications import service
from rewards_app.features.notifications.rules import TOLD_ROLES
from rewards_app.features.notifications.service import Told

MOST_AT_ONCE = 200
"""Each change sends the whole list again: a longer one goes on without its beginning."""


class BellState(AppState):
    unread: int = 0
    """Counted up to a hundred."""
    is_loaded: bool = False
    told: list[dict[str, Any]] = []
    """Newest first."""
    next_before: str = ""
    """Older ones come before this one; empty where there are none."""

    @allow(*TOLD_ROLES, passive=True, even_suspended=True)
    async def load(self):
        """With every page, and when there is something new: the list only where it was opened."""
        self._keep(unread=await service.unread(self._actor.user_id))
        if self.is_loaded:
            await self._load_newest()

    @allow(*TOLD_ROLES, even_suspended=True)
    async def open(self):
        await self._load_newest()
        self.is_loaded = True

    @allow(*TOLD_ROLES, even_suspended=True)
    async def load_more(self, before: Identifier):
        """Older ones; asked twice for the same ones, they come once."""
        if str(before) != self.next_before:
            return
        async with transaction() as session:
            found = await service.told(session, self._actor.user_id, before=before)
        is_full = len(self.told) >= MOST_AT_ONCE
        self.told = _rows(found) if is_full else self.told + _rows(found)
        self.next_before = str(found.next_before or "")

    @allow(*TOLD_ROLES, even_suspended=True)
    async def read(self, notification_id: Identifier):
        async with transaction() as session:
            await service.read(session, self._actor, notification_id, now=utc_now())
        await self._after_reading()

    @allow(*TOLD_ROLES, even_suspended=True)
    async def read_all(self):
        async with transaction() as session:
            await service.read(session, self._actor, now=utc_now())
        await self._after_reading()

    async def _after_reading(self) -> None:
        self._keep(unread=await service.unread(self._actor.user_id))
        await self._load_newest()

    async def _load_newest(self) -> None:
        """As many as are shown: what was read meanwhile is read in all of them."""
        limit = so_many(self.told, service.A_PAGE, most=MOST_AT_ONCE)
        async with transaction() as session:
            found = await service.told(session, self._actor.user_id, limit=limit)
        newest = _rows(found)
        together = read_again(self.told, newest)
        if together and len(together) <= MOST_AT_ONCE:
            self._keep(told=together)
        else:
            self._keep(told=newest, next_before=str(found.next_before or ""))


def _rows(found: Told) -> list[dict[str, Any]]:
    return [
        {
            "id": str(one.id),
            "kind": one.kind,
            "says": {
                "text": f"notifications.kinds.{one.kind}",
                "params": found.said_by(one),
            },
            "link": one.link,
            "is_read": one.read_at is not None,
            "at": one.created_at.isoformat(),
        }
        for one in found.shown
    ]
