"""Everybody's figures on the homes of players: pushed to all of them when they change."""

from rewards_app.core import live, tabs
from rewards_app.core.rounds import rounds
from rewards_app.features.accounts import sessions
from rewards_app.features.coins import service as coins
from rewards_app.features.dashboard.figures import SharedFigures
from rewards_app.features.dashboard.rules import Platform
from rewards_app.features.dashboard.service import PlatformCount
from rewards_app.features.dashboard.state import PlatformState
from rewards_app.features.shell.live import TabCalls
from rewards_app.features.shop import buying

LOOK_EVERY_SECONDS = 0.25
SHOWN_AT = "/"
CHANGES = (coins.CHANGED, sessions.ACCOUNT_ADDED, sessions.ACCOUNT_CHANGED)
"""An ad that was paid for is a change of coins."""


class FigureCalls:
    """Keeps this worker's dashboards up to date; where none is open, nothing is counted."""

    def __init__(self, calls: TabCalls, figures: SharedFigures, counting: PlatformCount) -> None:
        self.calls = calls
        self.figures = figures
        self.counting = counting
        self.told = 0
        for topic in CHANGES:
            live.on(topic, self._on_change)
        live.on(buying.CHANGED, self._on_order)

    async def _on_change(self, _key: str) -> None:
        self.figures.note_change()

    async def _on_order(self, _key: str) -> None:
        self.counting.note_order()

    async def tell(self) -> None:
        """Run for the life of a worker."""
        await rounds(self._tell_once, LOOK_EVERY_SECONDS, "figures.not_told")

    async def _tell_once(self) -> None:
        if not tabs.players_at(SHOWN_AT):
            return
        if self.counting.is_owed():
            self.figures.note_change()
        platform = await self.figures.fresh()
        edition = self.figures.edition
        # Where counting failed, real figures stay as they are.
        if platform is None or edition == self.told:
            return
        await self._show(platform)
        self.told = edition

    async def _show(self, platform: Platform) -> None:
        def show(state: PlatformState) -> None:
            state._show_platform(platform)  # pyright: ignore[reportPrivateUsage]

        # Asked again: a home that opened meanwhile may have loaded what was known before.
        await self.calls.change(tabs.players_at(SHOWN_AT), PlatformState, show)
