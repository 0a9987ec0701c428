"""Who came by which campaign, in the time that the economy is shown for."""

from typing import Any

from rewards_app.core.access import allow
from rewards_app.core.actor import Role
from rewards_app.core.clock import utc_now
from rewards_app.core.database import transaction
from rewards_app.core.state import AppState
from rewards_app.features.arrivals import rules, service
from rewards_app.features.arrivals.rules import Arrived
from rewards_app.features.economy.rules import period_from, span_of


class ArrivalsState(AppState):
    are_counted: bool = False
    arrivals: list[dict[str, Any]] = []
    """By campaign, those with most visits first."""

    @allow(Role.ADMIN)
    async def load(self):
        """For the period that the address says."""
        period = period_from(self._query.get("period", ""))
        span = span_of(period, rules.day_of(utc_now()))
        async with transaction() as session:
            found = await service.of_days(session, span.first, span.last)
        self._keep(arrivals=[_row(one) for one in found], are_counted=True)


def _row(one: Arrived) -> dict[str, Any]:
    return {
        "source": one.campaign.source,
        "medium": one.campaign.medium,
        "name": one.campaign.name,
        "are_others": one.campaign == rules.OTHERS,
        "visits": one.visits,
        "sign_ups": one.sign_ups,
    }
