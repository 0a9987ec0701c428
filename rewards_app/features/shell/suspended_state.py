"""Why an account does nothing for now, told to its owner."""

from rewards_app.core.access import signed_in
from rewards_app.core.database import transaction
from rewards_app.core.state import AppState
from rewards_app.features.accounts import restrictions
from rewards_app.features.accounts.restriction_rules import AUTOMATIC_REASON, Kind


class SuspendedState(AppState):
    since: str = ""
    reason: str = ""
    is_automatic: bool = False
    """The reason is a key of the catalogue."""

    @signed_in(passive=True)
    async def load(self):
        async with transaction() as session:
            open_ones = await restrictions.open_of(session, self._actor.user_id)
        for one in open_ones:
            if one.kind == Kind.SUSPENDED:
                self.since = one.begun_at.isoformat()
                self.reason = one.reason
                self.is_automatic = one.reason == AUTOMATIC_REASON
