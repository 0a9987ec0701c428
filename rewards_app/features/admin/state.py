"""Which tab of the admin panel is open: the address says it."""

from collections.abc import Sequence
from typing import Any

from rewards_app.core.access import allow
from rewards_app.core.actor import Role
from rewards_app.core.state import AppState

PATH = "/admin"
LONGEST_SEARCH = 254
"""An email may be as long."""
LOADS: dict[str, Sequence[Any]] = {}
"""What each tab loads, in the tabs' order; filled from their table."""
FORGETS: dict[str, Sequence[Any]] = {}
"""The states whose last visit is over before a tab is seen again; filled from the same table."""


class AdminState(AppState):
    tab: str = ""
    """Empty until it is known."""

    @allow(Role.ADMIN)
    async def open(self):
        wanted = self._query.get("tab", "")
        self.tab = wanted if wanted in LOADS else next(iter(LOADS))
        for kind in FORGETS.get(self.tab, ()):
            # What it showed is about to be read again: a decision begun on it would be closed.
            (await self.get_state(kind))._forget()
        return self._lead_on(LOADS[self.tab])
