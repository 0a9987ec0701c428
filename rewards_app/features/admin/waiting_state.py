"""How much waits for an admin's decision: shown on every page of theirs."""

from rewards_app.core.access import allow
from rewards_app.core.actor import Role
from rewards_app.core.database import transaction
from rewards_app.core.state import AppState
from rewards_app.features.advertiser import review
from rewards_app.features.alerts import service as alerts
from rewards_app.features.factors import resets
from rewards_app.features.forum import casebook
from rewards_app.features.support import appeals, inbox


class WaitingState(AppState):
    is_counted: bool = False
    applications: int = 0
    ads: int = 0
    """To be reviewed, or reported by players."""
    open_alerts: int = 0
    appeals: int = 0
    reports: int = 0
    """Of what is written in the forum and on profiles."""
    tickets: int = 0
    """To be answered, appeals among them, and lost second factors."""
    everything: int = 0
    """Each once: whatever is appealed has a ticket, too."""

    @allow(Role.ADMIN, passive=True)
    async def count(self):
        async with transaction() as session:
            waiting = await review.waiting(session)
            by_severity = await alerts.open_by_severity(session)
            appealed = await appeals.waiting_count(session)
            written = await casebook.counts(session)
            asked = await inbox.waiting_count(session) + await resets.waiting_count(session)
        open_alerts = sum(by_severity.values())
        unasked = written.all - written.appealed
        self._keep(
            is_counted=True,
            applications=waiting.applications,
            ads=waiting.ads,
            open_alerts=open_alerts,
            appeals=appealed,
            reports=written.all,
            tickets=asked,
            everything=waiting.applications + waiting.ads + open_alerts + unasked + asked,
        )
