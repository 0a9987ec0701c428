"""What a player says of an ad."""

from uuid import UUID

from rewards_app.core.access import Identifier, LongForm, allow
from rewards_app.core.actor import PLAYING_ROLES
from rewards_app.core.clock import utc_now
from rewards_app.core.database import transaction
from rewards_app.core.state import AppState
from rewards_app.features.ads import rules, stories


class ReportState(AppState):
    """Of the one whose dialog is open; empty for none."""

    ad_id: str = ""
    title: str = ""

    @allow(*PLAYING_ROLES)
    async def ask(self, ad_id: Identifier, title: str):
        self._forget_refusal()
        self.ad_id, self.title = str(ad_id), title

    @allow(*PLAYING_ROLES)
    async def send(self, form: LongForm):
        self._start_work()
        yield
        async with transaction() as session:
            if not self.ad_id:
                raise rules.UnknownAd
            is_new = await stories.report_ad(
                session,
                self._actor,
                UUID(self.ad_id),
                form.get("reason", ""),
                form.get("text", ""),
                now=utc_now(),
            )
        self.is_busy = False
        self.ad_id = ""
        self._notify("watch.reported", "watch.reported_text" if is_new else "watch.reported_again")

    @allow(*PLAYING_ROLES)
    async def cancel(self):
        self.ad_id = ""
