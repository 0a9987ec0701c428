"""The settings of a company: its form, its switches, what is told beside them."""

from collections.abc import Mapping

from rewards_app.core.access import LongForm, signed_in
from rewards_app.core.clock import utc_now
from rewards_app.core.database import transaction
from rewards_app.core.state import AppState
from rewards_app.core.told import then_show, then_shown
from rewards_app.features.advertiser import fields, settings_service
from rewards_app.features.advertiser.home_state import AdvertiserState
from rewards_app.features.advertiser.settings_service import CompanySettings

TAB = "settings"


class SettingsState(AppState):
    is_loaded: bool = False
    company: dict[str, str] = {}
    """What its form begins with; it stays while others change what is kept."""
    round: int = 0
    """Another one when the form begins anew with something else than it shows."""
    switches: dict[str, bool] = {}
    approved_at: str = ""
    spent_this_month: int = 0
    """In thousandths of a cent."""
    has_second_factor: bool = False

    @signed_in()
    async def load(self):
        await self._begin(self.company)
        self.is_loaded = True

    @signed_in(passive=True)
    async def refresh(self):
        if (await self.get_state(AdvertiserState)).tab == TAB:
            await self._load()

    @signed_in(passive=True)
    async def follow_views(self):
        """A view was paid for: of what is set aside, which the whole page knows, as well."""
        if (await self.get_state(AdvertiserState)).tab != TAB:
            return None
        await self._load()
        return AdvertiserState.refresh

    @signed_in()
    async def save(self, form: LongForm):
        self._start_work()
        yield
        typed = fields.retyped(form, self.company)
        async with transaction() as session:
            await settings_service.describe(session, self._actor, typed, now=utc_now())
        self.is_busy = False
        self._notify("advertiser.saved_title", "advertiser.saved_text")
        await then_show(lambda: self._begin(self.company | form))
        yield AdvertiserState.refresh

    @signed_in()
    async def flip(self, name: str, is_on: bool):
        async with then_shown(self._load), transaction() as session:
            await settings_service.switch(session, self._actor, name, is_on, now=utc_now())

    async def _begin(self, shown: Mapping[str, str]) -> None:
        """The form says what is kept, whatever it has `shown` until now."""
        kept = (await self._look()).company
        if any(shown.get(name) != text for name, text in kept.items()):
            self.round += 1
        self.company = dict(kept)

    async def _load(self) -> None:
        await self._look()

    async def _look(self) -> CompanySettings:
        """All but the form."""
        async with transaction() as session:
            found = await settings_service.settings_of(session, self._actor, now=utc_now())
        self.switches = dict(found.switches)
        self.approved_at = found.approved_at.isoformat()
        self.spent_this_month = found.spent_this_month
        self.has_second_factor = found.has_second_factor
        return found
