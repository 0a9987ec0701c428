"""First steps that were put aside: shown again to who asks."""

import reflex as rx

from rewards_app.core.access import allow
from rewards_app.core.actor import PLAYING_ROLES
from rewards_app.core.clock import utc_now
from rewards_app.core.database import transaction
from rewards_app.core.state import AppState
from rewards_app.features.accounts import first_steps


class StartAgainState(AppState):
    @allow(*PLAYING_ROLES)
    async def show_first_steps(self):
        async with transaction() as session:
            await first_steps.take_up(session, self._actor.user_id, now=utc_now())
        return rx.redirect("/")
