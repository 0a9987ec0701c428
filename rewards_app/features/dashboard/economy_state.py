"""What is owed to players and what ads bring, in four figures on the admins' overview."""

from typing import Any

from rewards_app.core.access import allow
from rewards_app.core.actor import Role
from rewards_app.core.errors import DomainError, StorageAway, Unexpected
from rewards_app.core.state import AppState
from rewards_app.core.told import told_as
from rewards_app.features.ads.funding import ore_of
from rewards_app.features.economy.figures import economy
from rewards_app.features.economy.rules import ORE_A_COIN, USUAL_PERIOD


class EconomySummaryState(AppState):
    summary: dict[str, Any] = {}
    has_failed: bool = False

    @allow(Role.ADMIN)
    async def load(self):
        self.has_failed = False
        try:
            with told_as("economy.not_loaded", broken=Unexpected):
                await self._count()
        except DomainError:
            self.has_failed = not self.summary
            raise

    @allow(Role.ADMIN, passive=True)
    async def refresh(self):
        """Somebody watched: what is shown stays where nobody can be asked."""
        if not self.summary:
            return
        try:
            await self._count()
        except StorageAway:
            return

    async def _count(self) -> None:
        found = await economy.of(USUAL_PERIOD)
        self._keep(
            summary={
                "coins": found.outstanding.coins,
                "at": found.counted_at.isoformat(),
                "ore": found.outstanding.coins * ORE_A_COIN,
                "spend": found.now.spend,
                "margin_ore": ore_of(found.now.margin),
            }
        )
