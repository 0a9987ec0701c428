"""What a page tells of the campaign that led to it."""

from rewards_app.core.access import Line, public
from rewards_app.core.clock import utc_now
from rewards_app.core.database import transaction
from rewards_app.core.state import AppState
from rewards_app.features.arrivals import service
from rewards_app.features.consent.state import ConsentState


class ArrivalState(AppState):
    @public(passive=True)
    async def come(self, campaign: Line):
        """Once a visit, by browsers that allow it."""
        consent = await self.get_state(ConsentState)
        if not consent._may_count_campaigns:
            return
        async with transaction() as session:
            await service.note_visit(session, campaign, self._caller, now=utc_now())
