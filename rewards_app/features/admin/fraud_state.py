"""What the fraud rules noticed: the newest first, and all of it in four figures."""

from dataclasses import asdict
from datetime import datetime
from typing import Any
from uuid import UUID

from rewards_app.core.access import Identifier, allow
from rewards_app.core.actor import Role
from rewards_app.core.database import transaction
from rewards_app.core.errors import DomainError
from rewards_app.core.state import AppState
from rewards_app.core.stretches import renewed
from rewards_app.features.admin.case_address import TAB, address_of
from rewards_app.features.admin.state import AdminState
from rewards_app.features.fraud import detections
from rewards_app.features.fraud.case_rules import level_of
from rewards_app.features.fraud.detections import Detection, Detections
from rewards_app.features.signals.rules import HIGH_RISK


class FraudState(AppState):
    is_loaded: bool = False
    has_failed: bool = False
    figures: dict[str, int] = {}
    logs: list[dict[str, Any]] = []
    """The newest first."""
    next_before: str = ""
    """Older ones come before this one; empty where there are none."""

    _is_loading: bool = False
    _next: tuple[datetime, UUID] | None = None

    @allow(Role.ADMIN)
    async def load(self):
        self._forget()
        self._is_loading = True
        self._list(await self._found())
        self.is_loaded, self._is_loading = True, False

    @allow(Role.ADMIN, passive=True)
    async def refresh(self):
        """Something was noticed somewhere: the newest come on top, older ones stay."""
        if not self.is_loaded or (await self.get_state(AdminState)).tab != TAB:
            return
        found = await self._found()
        is_all = found.next_before is None
        logs = renewed(self.logs, [_row(one) for one in found.shown], is_all=is_all)
        if logs:
            self.logs = logs
        else:
            self._list(found)

    @allow(Role.ADMIN)
    async def load_more(self, before: Identifier):
        """Older ones; asked twice for the same ones, they come once."""
        if str(before) != self.next_before or self._next is None:
            return
        async with transaction() as session:
            found = await detections.newest(session, before=self._next)
        self.logs = self.logs + [_row(one) for one in found.shown]
        self._remember(found)

    def _forget(self) -> None:
        self.is_loaded, self.has_failed = False, False

    async def _found(self) -> Detections:
        async with transaction() as session:
            found = await detections.newest(session)
            self.figures = asdict(await detections.figures(session))
        return found

    def _list(self, found: Detections) -> None:
        self.logs = [_row(one) for one in found.shown]
        self._remember(found)

    def _remember(self, found: Detections) -> None:
        self._next = found.next_before
        self.next_before = str(found.next_before[1]) if found.next_before else ""

    def _refuse(self, error: DomainError) -> None:
        """What could not be loaded says so in its place."""
        super()._refuse(error)
        if self._is_loading:
            self.has_failed, self._is_loading = True, False


def _row(one: Detection) -> dict[str, Any]:
    """A detection as the page shows it."""
    return {
        "id": str(one.id),
        "case": address_of(one.account_id),
        "name": one.name,
        "risk": one.risk,
        "level": level_of(one.risk).value,
        "is_high": one.risk >= HIGH_RISK,
        "patterns": list(one.patterns),
        "action": one.action_taken,
        "at": one.created_at.isoformat(),
    }
