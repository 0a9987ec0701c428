"""Where a company stands, and which tab of its dashboard is open: the address says it."""

from collections.abc import Sequence
from typing import Any

from rewards_app.core.access import signed_in
from rewards_app.core.actor import Role
from rewards_app.core.database import transaction
from rewards_app.core.state import AppState
from rewards_app.features.advertiser import desk
from rewards_app.features.advertiser.desk import Desk
from rewards_app.features.advertiser.rules import Status

PATH = "/advertiser"
LOADS: dict[str, Sequence[Any]] = {}
"""What each tab loads, in the tabs' order; filled from their table."""
OF_ONE_COMPANY: set[str] = set()
"""Tabs that say nothing to admins, who have none."""
LOADS_BEFORE: list[Any] = []
"""What loads for who has no approved company yet; filled where the page is put together."""
LOADS_BY_LINK: list[Any] = []
"""What loads besides for who has one, and comes by the link of an invitation."""


class AdvertiserState(AppState):
    standing: str = ""
    """A Status of the company, or `none` for who acts for none; empty until it is known."""
    company: str = ""
    """Empty for admins, who see all companies."""
    reason: str = ""
    """Why the application was rejected."""
    is_owner: bool = False
    balance: int = 0
    """In thousandths of a cent, like what is set aside for campaigns."""
    set_aside: int = 0
    tab: str = ""
    came_by_link: bool = False
    """To the dashboard, by that of an invitation."""

    @signed_in()
    async def open(self):
        self.tab = ""
        found = await self._load()
        is_invited = "invite" in self._query
        self.came_by_link = is_invited and found.standing == Status.APPROVED
        return self._what_loads(found)

    @signed_in(passive=True)
    async def refresh(self):
        """An admin decided, or money moved: the page follows by itself."""
        before = self.standing
        found = await self._load()
        return self._what_loads(found) if found.standing != before else None

    async def _load(self) -> Desk:
        async with transaction() as session:
            found = await desk.desk_of(session, self._actor)
        self.standing, self.company, self.reason = found.standing, found.company, found.reason
        self.is_owner = found.is_owner
        self.balance, self.set_aside = found.funds.balance, found.funds.set_aside
        if found.follows:
            self._care_for(found.follows)
        return found

    def _what_loads(self, found: Desk) -> list[Any]:
        if found.standing != Status.APPROVED:
            self.tab = ""
            return self._lead_on(LOADS_BEFORE)
        is_admin = self._actor.role is Role.ADMIN
        there = [tab for tab in LOADS if not (is_admin and tab in OF_ONE_COMPANY)]
        wanted = self._query.get("tab", "")
        self.tab = wanted if wanted in there else there[0]
        by_link = LOADS_BY_LINK if self.came_by_link else []
        return self._lead_on([*by_link, *LOADS[self.tab]])
