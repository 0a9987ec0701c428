"""Adding a game: one of the ten, found by its title, or one that the player describes."""

import reflex as rx
import structlog

from rewards_app.core.access import Line, LongForm, allow
from rewards_app.core.actor import PLAYING_ROLES
from rewards_app.core.clock import utc_now
from rewards_app.core.database import transaction
from rewards_app.core.errors import BadArguments, DomainError, StorageAway, StorageFull
from rewards_app.core.state import AppState
from rewards_app.features.profile import shelf
from rewards_app.features.profile.games import BY_ID, CATALOGUE

PROFILE = "/profile"

_log = structlog.get_logger(__name__)


class AddGameState(AppState):
    found: list[str] = [game.id for game in CATALOGUE]
    """The games whose titles contain what was searched for."""
    searched: str = ""
    chosen: str = ""
    """The game of the catalogue that will be added; empty for one's own."""

    @allow(*PLAYING_ROLES)
    async def load(self):
        self.refusal, self.chosen = {}, ""
        self._search("")

    @allow(*PLAYING_ROLES)
    async def search(self, text: Line):
        self._search(text)

    @allow(*PLAYING_ROLES)
    async def choose(self, game: Line):
        """Another one, or none."""
        if game and game not in BY_ID:
            raise BadArguments
        self.refusal, self.chosen = {}, game

    @allow(*PLAYING_ROLES)
    async def add(self, form: LongForm):
        self._start_work()
        yield
        try:
            async with transaction() as session:
                wanted = {**form, "game": self.chosen}
                await shelf.add(session, self._actor, wanted, now=utc_now())
        except Exception as failure:
            is_ours = isinstance(failure, DomainError)
            if is_ours and not isinstance(failure, StorageAway | StorageFull):
                raise
            _log.error("game.not_added", exc_info=None if is_ours else failure)
            self.is_busy = False
            self._notify("games.not_added_title", "games.not_added_text", style="destructive")
            return
        self.is_busy = False
        self._notify("games.added_title", "games.added_text", style="gaming")
        yield rx.redirect(PROFILE)

    def _search(self, text: str) -> None:
        self.searched = text
        wanted = text.strip().casefold()
        self.found = [game.id for game in CATALOGUE if wanted in game.title.casefold()]
