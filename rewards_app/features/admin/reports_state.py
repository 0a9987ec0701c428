"""The moderators' desk as a tab of the panel: it looks again while it is the open one."""

from rewards_app.core.access import allow
from rewards_app.core.actor import Role
from rewards_app.core.state import AppState
from rewards_app.features.admin.state import AdminState
from rewards_app.features.forum.desk_state import DeskState, ModerationLogState


class ReportsTabState(AppState):
    @allow(Role.ADMIN, passive=True)
    async def refresh(self):
        """Something was reported, decided or appealed somewhere."""
        if (await self.get_state(AdminState)).tab != "reports":
            return None
        return [DeskState.refresh, ModerationLogState.refresh]
