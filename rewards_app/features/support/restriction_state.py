"""Why an account is suspended or earns nothing for now, told to its owner, and their appeal."""

from typing import Any
from uuid import UUID

from rewards_app.core.access import Entry, signed_in
from rewards_app.core.clock import utc_now
from rewards_app.core.database import transaction
from rewards_app.core.state import AppState
from rewards_app.core.told import then_show
from rewards_app.features.accounts.restriction_rules import AUTOMATIC_REASON, Kind
from rewards_app.features.support import appeals
from rewards_app.features.support.appeals import Held


class RestrictionState(AppState):
    suspended: dict[str, Any] = {}
    paused: dict[str, Any] = {}
    """Earning is; empty where it is not."""
    is_appealing: bool = False

    @signed_in(passive=True, even_suspended=True)
    async def load(self):
        """Called again when something of it has changed: what has ended is good news."""
        was_suspended, was_paused = bool(self.suspended), bool(self.paused)
        await self._load()
        if was_suspended and not self.suspended:
            self._notify("restrictions.restored_title", "restrictions.restored_text")
        elif was_paused and not self.paused and not self.suspended:
            self._notify("restrictions.resumed_title", "restrictions.resumed_text")

    @signed_in()
    async def ask(self):
        """Open the form of the banner."""
        self._forget_refusal()
        self.is_appealing = True

    @signed_in(even_suspended=True)
    async def cancel(self):
        self._forget_refusal()
        self.is_appealing = False

    @signed_in(even_suspended=True)
    async def appeal(self, message: Entry):
        """Against what is shown: the suspension, else the pause."""
        shown = self.suspended or self.paused
        if not shown:
            return
        self._start_work()
        yield
        async with transaction() as session:
            number = await appeals.appeal(
                session, self._actor, UUID(shown["id"]), message, now=utc_now()
            )
        self.is_busy, self.is_appealing = False, False
        self._notify(
            "restrictions.appealed_title", "restrictions.appealed_text", number=str(number)
        )
        await then_show(self._load)

    async def _load(self) -> None:
        async with transaction() as session:
            found = await appeals.held(session, self._actor.user_id)
        shown = {held.kind: _shown(held) for held in found}
        self._keep(
            suspended=shown.get(Kind.SUSPENDED, {}), paused=shown.get(Kind.EARNING_PAUSED, {})
        )


def _shown(held: Held) -> dict[str, Any]:
    return {
        "id": str(held.id),
        "reason": held.reason,
        "is_automatic": held.reason == AUTOMATIC_REASON,
        "grounds": list(held.grounds),
        "since": held.since.isoformat(),
        "ticket": str(held.appeal.number) if held.appeal else "",
        "status": held.appeal.status if held.appeal else "",
        "answer": held.answer,
        "asked_at": held.appeal.created_at.isoformat() if held.appeal else "",
    }
