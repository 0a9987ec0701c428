"""Which tab of the admin panel is open: the address says it."""

from collections.abc import Sequence
from typing import Any

from rewards_app.core.access import allow
from rewards_app.core.actor import Role
from rewards_app.core.state import AppState

PATH = "/admin"
LOADS: dict[str, Sequence[Any]] = {}
"""What each tab loads, in the tabs' order; filled from their table."""


class AdminState(AppState):
    tab: str = ""
    """Empty until it is known."""

    @allow(Role.ADMIN)
    async def open(self):
        wanted = self.router.url.query_parameters.get("tab", "")
        self.tab = wanted if wanted in LOADS else next(iter(LOADS))
        return self._lead_on(LOADS[self.tab])
