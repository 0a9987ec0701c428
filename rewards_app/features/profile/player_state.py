"""The profile of another player, as the address names them."""

from typing import Any

from rewards_app.core.access import allow
from rewards_app.core.actor import Role
from rewards_app.core.clock import utc_now
from rewards_app.core.database import transaction
from rewards_app.core.state import AppState
from rewards_app.features.profile import service, written

PATH = "/player"
QUERY = "name"
MISSING, PRIVATE, SHOWN = "missing", "private", "shown"


class PlayerState(AppState):
    found: str = ""
    """Empty until it is known, then MISSING, PRIVATE or SHOWN."""
    player: dict[str, Any] = {}
    player_games: list[dict[str, Any]] = []
    player_achievements: list[dict[str, Any]] = []

    @allow(Role.PLAYER, Role.MODERATOR, Role.COMPANY)
    async def load(self):
        self.found, self.player = "", {}
        self.player_games, self.player_achievements = [], []
        await self._load()

    async def _load(self) -> None:
        handle = self.router.url.query_parameters.get(QUERY, "")
        async with transaction() as session:
            seen = await service.public_profile(session, self._actor, handle, now=utc_now())
        if seen is None:
            self.found = MISSING
        elif seen.is_private and not seen.is_own:
            self.found = PRIVATE
        else:
            self.player = written.public_card(seen)
            self.player_games = [written.seen_game_row(game) for game in seen.games]
            self.player_achievements = written.achievement_rows(seen.unlocked, {})
            self.found = SHOWN
