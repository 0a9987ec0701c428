"""The moment of an achievement: on whichever page its player is, once."""

from rewards_app.core.access import allow
from rewards_app.core.actor import PLAYING_ROLES
from rewards_app.core.clock import utc_now
from rewards_app.core.database import transaction
from rewards_app.core.ids import new_id
from rewards_app.core.state import AppState
from rewards_app.features.profile import unlocking


class MomentState(AppState):
    moments_waiting: int = 0
    """So many achievements wait for a tab that is looked at."""
    moment_id: str = ""
    """Another one for each moment."""
    won: list[str] = []
    """What it is about."""

    @allow(*PLAYING_ROLES, passive=True, even_suspended=True)
    async def look(self):
        self._keep(moments_waiting=await unlocking.waiting(self._actor.user_id))

    @allow(*PLAYING_ROLES, passive=True, even_suspended=True)
    async def celebrate(self):
        """The tab is looked at; of several, one is told."""
        async with transaction() as session:
            told = await unlocking.celebrate(session, self._actor.user_id, now=utc_now())
        self._keep(moments_waiting=0)
        if told:
            self.won = [one.value for one in told]
            self.moment_id = str(new_id())
