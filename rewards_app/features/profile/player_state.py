"""The profile of another player, as the address names them."""

from typing import Any
from uuid import UUID

from rewards_app.core.access import allow
from rewards_app.core.actor import MEMBER_ROLES
from rewards_app.core.clock import utc_now
from rewards_app.core.database import transaction
from rewards_app.core.state import AppState
from rewards_app.features.profile import service, written

PATH = "/player"
QUERY = "name"
MISSING, PRIVATE, SHOWN = "missing", "private", "shown"
NOBODY = "nobody"
"""No account is announced so: a page of nobody hears of none."""


class PlayerState(AppState):
    found: str = ""
    """Empty until it is known, then MISSING, PRIVATE or SHOWN."""
    player: dict[str, Any] = {}
    player_games: list[dict[str, Any]] = []
    player_achievements: list[dict[str, Any]] = []

    _asked: str = ""
    """The handle that the address names; empty where it names none."""
    _owner: UUID | None = None
    """Whose page it is, shown or not."""

    @allow(*MEMBER_ROLES)
    async def load(self):
        self.found, self.player = "", {}
        self.player_games, self.player_achievements = [], []
        self._asked = self._query.get(QUERY, "")
        async with transaction() as session:
            self._owner = await service.owner_of(session, self._asked)
        # What other players do does not concern this tab.
        self._care_for(str(self._owner or NOBODY))
        await self._load()

    @allow(*MEMBER_ROLES, passive=True)
    async def refresh(self):
        """Its owner has changed, opened or closed it, or is suspended, or no more."""
        if self._owner:
            await self._load()

    @allow(*MEMBER_ROLES, passive=True)
    async def refresh_figures(self):
        """Somebody has earned something: that may move this player, too."""
        if self._owner and self.found == SHOWN:
            known = await service.figures_of(self._owner, now=utc_now())
            self._keep(player=self.player | written.figures(known))

    async def _load(self) -> None:
        seen = await service.public_profile(self._actor, self._asked, now=utc_now())
        if seen is None or (seen.is_private and not seen.is_own):
            found = PRIVATE if seen else MISSING
            self._keep(found=found, player={}, player_games=[], player_achievements=[])
            return
        self._keep(
            found=SHOWN,
            player=written.public_card(seen),
            player_games=[written.seen_game_row(game) for game in seen.games],
            player_achievements=written.achievement_rows(seen.unlocked, {}),
        )
