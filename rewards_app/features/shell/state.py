"""What the frame shows of its player or company, and what it hears from the browser."""

from math import ceil

from rewards_app.core.access import allow
from rewards_app.core.actor import Role
from rewards_app.core.clock import utc_now
from rewards_app.core.database import transaction
from rewards_app.core.state import REFRESHES, AppState
from rewards_app.features.advertiser import desk
from rewards_app.features.advertiser.rules import Status
from rewards_app.features.shell import service


class BarState(AppState):
    is_known: bool = False
    balance: int = 0
    ads_today: int = 0
    time_zone: str = ""
    day_ends_at: str = ""
    day_ends_in: int = 0
    """In seconds: what a browser takes for the time may be wrong."""

    @allow(Role.PLAYER, Role.MODERATOR, passive=True, even_suspended=True)
    async def load(self):
        now = utc_now()
        bar = await service.bar(self._actor.user_id, now=now)
        self.balance = bar.balance
        self.ads_today = bar.ads_today
        self.time_zone = bar.time_zone
        self.day_ends_at = bar.day_ends_at.isoformat()
        self.day_ends_in = ceil((bar.day_ends_at - now).total_seconds())
        self.is_known = True

    @allow(Role.PLAYER, Role.MODERATOR, passive=True, even_suspended=True)
    async def begin_day(self):
        """The player's day has ended while the page was open: a new one is to be shown."""
        own = () if self.is_suspended else REFRESHES.get(self.place, ())
        return [BarState.load, *own]

    @allow(Role.PLAYER, Role.MODERATOR, passive=True)
    async def tell_time_zone(self, zone: str):
        """The browser is in another zone than the one we know."""
        async with transaction() as session:
            await service.tell_time_zone(session, self._actor, zone, now=utc_now())
        self.time_zone = zone
        # Told for the first time it counts at once: the day has another end.
        return BarState.load


class CompanyBarState(AppState):
    """For whom somebody acts who has come to advertise."""

    company: str = ""
    """Empty until it is approved."""
    balance: int = 0
    """In thousandths of a cent."""

    @allow(Role.COMPANY, passive=True, even_suspended=True)
    async def load(self):
        async with transaction() as session:
            found = await desk.desk_of(session, self._actor)
        is_approved = found.standing == Status.APPROVED
        self.company = found.company if is_approved else ""
        self.balance = found.funds.balance
