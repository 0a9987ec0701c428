"""Appeals that wait for a decision."""

from typing import Any

from rewards_app.core.access import allow
from rewards_app.core.actor import Role
from rewards_app.core.database import transaction
from rewards_app.core.state import AppState
from rewards_app.features.admin.case_address import TAB, address_of
from rewards_app.features.admin.state import AdminState
from rewards_app.features.support import appeals
from rewards_app.features.support.appeals import Waiting


class AppealsState(AppState):
    appeals: list[dict[str, Any]] = []
    """What has waited longest comes first."""
    in_all: int = 0

    @allow(Role.ADMIN)
    async def load(self):
        await self._load()

    @allow(Role.ADMIN, passive=True)
    async def refresh(self):
        """One was made or settled somewhere."""
        if (await self.get_state(AdminState)).tab == TAB:
            await self._load()

    async def _load(self) -> None:
        async with transaction() as session:
            found = await appeals.waiting(session)
            self.in_all = await appeals.waiting_count(session)
        self.appeals = [_row(waiting) for waiting in found]


def _row(waiting: Waiting) -> dict[str, Any]:
    return {
        "number": str(waiting.number),
        "name": waiting.name,
        "kind": waiting.kind.value,
        "said": list(waiting.said),
        "at": waiting.asked_at.isoformat(),
        "link": address_of(waiting.account_id),
    }
