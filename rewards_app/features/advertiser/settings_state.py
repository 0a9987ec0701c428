"""The settings of a company: its form, its switches, what is told beside them."""

from rewards_app.core.access import LongForm, signed_in
from rewards_app.core.clock import utc_now
from rewards_app.core.database import transaction
from rewards_app.core.state import AppState
from rewards_app.core.told import then_show, then_shown
from rewards_app.features.advertiser import settings_service
from rewards_app.features.advertiser.home_state import AdvertiserState

TAB = "settings"


class SettingsState(AppState):
    is_loaded: bool = False
    company: dict[str, str] = {}
    """What its form begins with."""
    switches: dict[str, bool] = {}
    approved_at: str = ""
    spent_this_month: int = 0
    """In thousandths of a cent."""
    open_sessions: int = 0
    has_second_factor: bool = False

    @signed_in()
    async def load(self):
        await self._load()
        self.is_loaded = True

    @signed_in(passive=True)
    async def refresh(self):
        if (await self.get_state(AdvertiserState)).tab == TAB:
            await self._load()

    @signed_in()
    async def save(self, form: LongForm):
        self._forget_refusal()
        self.is_busy = True
        yield
        async with transaction() as session:
            await settings_service.describe(session, self._actor, form, now=utc_now())
        self.is_busy = False
        self._notify("advertiser.saved_title", "advertiser.saved_text")
        await then_show(self._load)
        yield AdvertiserState.refresh

    @signed_in()
    async def flip(self, name: str, is_on: bool):
        async with then_shown(self._load), transaction() as session:
            await settings_service.switch(session, self._actor, name, is_on, now=utc_now())

    async def _load(self) -> None:
        async with transaction() as session:
            found = await settings_service.settings_of(session, self._actor, now=utc_now())
        self.company, self.switches = dict(found.company), dict(found.switches)
        self.approved_at = found.approved_at.isoformat()
        self.spent_this_month = found.spent_this_month
        self.open_sessions = found.open_sessions
        self.has_second_factor = found.has_second_factor
