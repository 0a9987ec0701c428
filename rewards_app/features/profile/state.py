"""A player's own profile, and what is changed on it."""

from typing import Any

import structlog

from rewards_app.core.access import Identifier, LongForm, allow
from rewards_app.core.actor import PLAYING_ROLES
from rewards_app.core.clock import utc_now
from rewards_app.core.database import transaction
from rewards_app.core.state import AppState
from rewards_app.core.told import then_shown
from rewards_app.features.leaderboard import service as leaderboard
from rewards_app.features.profile import games, service, shelf, unlocking, written

_log = structlog.get_logger(__name__)
EDIT, REMOVE = "edit", "remove"


class ProfileState(AppState):
    profile: dict[str, Any] = {}
    """Empty until it is loaded."""
    rank: int = 0
    """0 for none."""
    ranked: int = 0
    """How many players have one."""
    violations: list[dict[str, str]] = []
    """What others don't read of the bio, and why."""
    shown_games: list[dict[str, Any]] = []
    """The newest first."""
    has_games: bool = False
    """They were loaded, however many there are."""
    has_failed_games: bool = False
    """They were not, and nothing is known of them."""
    achievements: list[dict[str, Any]] = []
    activity: list[dict[str, Any]] = []
    is_editing: bool = False
    asked: str = ""
    """What is being done with a game: EDIT or REMOVE."""
    game: dict[str, Any] = {}
    """Which one."""

    _name_before: str | None = None
    """With which the form began."""

    @allow(*PLAYING_ROLES)
    async def load(self):
        self.is_editing, self.asked = False, ""
        self._care_for(str(self._actor.user_id))
        await self._load()
        await self._load_games()
        async with transaction() as session:
            await unlocking.note_reading(session, self._actor.user_id, now=utc_now())

    @allow(*PLAYING_ROLES, passive=True)
    async def refresh(self):
        """Coins, orders, achievements or the profile itself are different now."""
        await self._load()
        await self._load_games()

    @allow(*PLAYING_ROLES, passive=True)
    async def refresh_figures(self):
        """Somebody has earned something: that may move this player, too.

        Of what they earned themselves, the day is counted only now.
        """
        now = utc_now()
        standing = await service.standing(self._actor.user_id, now=now)
        self._keep(rank=standing.rank or 0, ranked=standing.players)
        if self.profile:
            streak = await leaderboard.streak(self._actor.user_id, now=now)
            self._keep(
                profile=self.profile | written.days_in_a_row(streak),
                achievements=written.counted_on(self.achievements, streak),
            )

    @allow(*PLAYING_ROLES)
    async def edit(self):
        self._forget_refusal()
        self._name_before = self.profile.get("display_name")
        self.is_editing = True

    @allow(*PLAYING_ROLES)
    async def cancel(self):
        self._forget_refusal()
        self.is_editing = False

    @allow(*PLAYING_ROLES)
    async def save(self, form: LongForm):
        self._start_work()
        yield
        async with transaction() as session:
            await service.describe(
                session, self._actor, form, name_before=self._name_before, now=utc_now()
            )
        await self._load()
        self.is_busy = self.is_editing = False
        self._notify("profile.saved_title", "profile.saved_text")

    @allow(*PLAYING_ROLES)
    async def open_or_close(self, is_public: bool):
        async with then_shown(self._load), transaction() as session:
            await service.open_or_close(session, self._actor, is_public=is_public, now=utc_now())

    @allow(*PLAYING_ROLES)
    async def ask_to_edit(self, game_id: Identifier):
        self._ask(EDIT, str(game_id))

    @allow(*PLAYING_ROLES)
    async def ask_to_remove(self, game_id: Identifier):
        self._ask(REMOVE, str(game_id))

    @allow(*PLAYING_ROLES)
    async def close(self):
        self.asked, self.refusal = "", {}

    @allow(*PLAYING_ROLES)
    async def save_game(self, game_id: Identifier, form: LongForm):
        self._start_work()
        yield
        async with transaction() as session:
            await shelf.change(session, self._actor, game_id, form, now=utc_now())
        await self._end_with("games.changed_title", "games.changed_text")

    @allow(*PLAYING_ROLES)
    async def remove_game(self, game_id: Identifier):
        self._forget_refusal()
        async with transaction() as session:
            await shelf.remove(session, self._actor, game_id, now=utc_now())
        await self._end_with("games.removed_title", "games.removed_text")

    def _ask(self, what: str, game_id: str) -> None:
        """One that is shown no more was removed in another tab."""
        game = next((row for row in self.shown_games if row["id"] == game_id), None)
        if game is None:
            raise games.UnknownGame
        self._forget_refusal()
        self.game, self.asked = game, what

    async def _end_with(self, title: str, text: str) -> None:
        await self._load_games()
        self.is_busy, self.asked = False, ""
        self._notify(title, text)

    async def _load(self) -> None:
        """Where that fails, what was known before stays; where nothing was, the page says so."""
        try:
            async with transaction() as session:
                await unlocking.check(session, [self._actor.user_id], now=utc_now())
                own = await service.own_profile(session, self._actor, now=utc_now())
        except Exception:
            if not self.profile:
                raise
            _log.exception("profile.not_loaded")
            return
        unlocked = {one.achievement.value: one.unlocked_at for one in own.achievements}
        progress = {one.achievement.value: one.progress for one in own.achievements}
        self._keep(
            profile=written.own_card(own),
            rank=own.standing.rank or 0,
            ranked=own.standing.players,
            violations=written.bio_rows(own),
            achievements=written.achievement_rows(
                {key: at for key, at in unlocked.items() if at}, progress
            ),
            activity=written.activity_rows(own.watched, own.buys),
        )

    async def _load_games(self) -> None:
        try:
            found = await shelf.own_games(self._actor)
        except Exception:
            _log.exception("games.not_loaded")
            self._keep(has_failed_games=not self.has_games)
            self._notify("games.not_loaded_title", "games.not_loaded_text", style="destructive")
            return
        self._keep(
            shown_games=[written.own_game_row(own) for own in found],
            has_games=True,
            has_failed_games=False,
        )
