"""The application form: what it begins with, and what became of sending it."""

from rewards_app.core.access import LongForm, allow
from rewards_app.core.actor import MEMBER_ROLES
from rewards_app.core.clock import utc_now
from rewards_app.core.database import transaction
from rewards_app.core.errors import Unexpected
from rewards_app.core.state import AppState
from rewards_app.core.told import then_show, told_as
from rewards_app.features.advertiser import application
from rewards_app.features.advertiser.home_state import AdvertiserState
from rewards_app.features.advertiser.rules import NOT_CORRECTED, REGISTRATION_FAILED

MAY_APPLY = MEMBER_ROLES


class ApplicationState(AppState):
    typed: dict[str, str] = {}
    """What the form begins with; empty until it is known."""
    is_again: bool = False
    """Somebody who was rejected, or waits for the answer, corrects what they typed."""

    @allow(*MAY_APPLY)
    async def load(self):
        self.is_again = False
        await self._load()

    async def _load(self) -> None:
        async with transaction() as session:
            self.typed = await application.typed_before(session, self._actor)

    @allow(*MAY_APPLY)
    async def begin_again(self):
        self._forget_refusal()
        self.is_again = True

    @allow(*MAY_APPLY)
    async def leave_as_it_is(self):
        self._forget_refusal()
        self.is_again = False

    @allow(*MAY_APPLY)
    async def correct(self, form: LongForm):
        """What waits for the answer."""
        self._start_work()
        yield
        with told_as(NOT_CORRECTED, broken=Unexpected):
            async with transaction() as session:
                await application.correct(session, self._actor, form, now=utc_now())
        self.is_busy, self.is_again = False, False
        self._notify("advertiser.corrected_title", "advertiser.corrected_text")
        await then_show(self._load)
        yield AdvertiserState.refresh

    @allow(*MAY_APPLY)
    async def withdraw(self):
        async with transaction() as session:
            await application.withdraw(session, self._actor)
        self._notify("advertiser.withdrawn_title", "advertiser.withdrawn_text")
        return AdvertiserState.refresh

    @allow(*MAY_APPLY)
    async def apply(self, form: LongForm):
        self._start_work()
        yield
        with told_as(REGISTRATION_FAILED, broken=Unexpected):
            async with transaction() as session:
                await application.apply(session, self._actor, form, now=utc_now())
        self.is_busy = False
        self._notify("advertiser.registered_title", "advertiser.registered_text", style="gaming")
        yield AdvertiserState.refresh
