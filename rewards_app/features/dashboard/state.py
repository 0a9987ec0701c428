"""What the home pages show; loaded when they open, after the role is known."""

from dataclasses import asdict
from datetime import datetime
from typing import Any

from rewards_app.core.access import allow, signed_in
from rewards_app.core.actor import Role
from rewards_app.core.clock import utc_now
from rewards_app.core.database import transaction
from rewards_app.core.state import AppState
from rewards_app.features.dashboard import service


class HomeState(AppState):
    account: dict[str, str] = {}
    open_sessions: int = 0

    @signed_in()
    async def load(self):
        async with transaction() as session:
            own = await service.own_account(session, self._actor, now=utc_now())
        self.open_sessions = own.open_sessions
        self.account = _written(asdict(own))


class CensusState(AppState):
    census: dict[str, int] = {}

    @allow(Role.ADMIN)
    async def load(self):
        async with transaction() as session:
            self.census = asdict(await service.census(session, now=utc_now()))


def _written(values: dict[str, Any]) -> dict[str, str]:
    return {
        name: value.isoformat() if isinstance(value, datetime) else str(value)
        for name, value in values.items()
    }
