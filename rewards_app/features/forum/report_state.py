"""Reporting a topic, a reply or a profile: the dialog, for whatever is pressed on the page."""

from rewards_app.core.access import Identifier, LongForm, allow
from rewards_app.core.clock import utc_now
from rewards_app.core.database import transaction
from rewards_app.core.state import AppState
from rewards_app.features.forum import desk_rules, reports
from rewards_app.features.notifications.rules import TOLD_ROLES


class ReportState(AppState):
    is_open: bool = False
    target: str = ""
    thing: str = ""
    """What is reported."""

    @allow(*TOLD_ROLES)
    async def ask(self, target: str, thing_id: Identifier):
        self._forget_refusal()
        self.target, self.thing = desk_rules.target_from(target).value, str(thing_id)
        self.is_open = True

    @allow(*TOLD_ROLES)
    async def close(self):
        self._forget_refusal()
        self.is_open = False

    @allow(*TOLD_ROLES)
    async def send(self, target: str, thing_id: Identifier, form: LongForm):
        """What was typed stays where it is until the report is in."""
        self._start_work()
        yield
        async with transaction() as session:
            await reports.report(
                session,
                self._actor,
                desk_rules.target_from(target),
                thing_id,
                form.get("reason", ""),
                form.get("text", ""),
                now=utc_now(),
            )
        self.is_busy, self.is_open = False, False
        self._notify("forum.reports.sent_title", "forum.reports.sent_text")
