"""How much waits for an admin's decision: shown beside the tabs' names."""

from rewards_app.core.access import allow
from rewards_app.core.actor import Role
from rewards_app.core.database import transaction
from rewards_app.core.state import AppState
from rewards_app.features.advertiser import review
from rewards_app.features.alerts import service as alerts
from rewards_app.features.factors import resets
from rewards_app.features.support import appeals, inbox


class WaitingState(AppState):
    applications: int = 0
    ads: int = 0
    """To be reviewed, or reported by players."""
    open_alerts: int = 0
    appeals: int = 0
    tickets: int = 0
    """To be answered, appeals among them, and lost second factors."""

    @allow(Role.ADMIN, passive=True)
    async def count(self):
        async with transaction() as session:
            waiting = await review.waiting(session)
            by_severity = await alerts.open_by_severity(session)
            appealed = await appeals.waiting_count(session)
            asked = await inbox.waiting_count(session) + await resets.waiting_count(session)
        self._keep(
            applications=waiting.applications,
            ads=waiting.ads,
            open_alerts=sum(by_severity.values()),
            appeals=appealed,
            tickets=asked,
        )
