"""What the frame shows of its player or company, and what it hears from the browser."""

from rewards_app.core.access import allow
from rewards_app.core.actor import Role
from rewards_app.core.clock import utc_now
from rewards_app.core.database import transaction
from rewards_app.core.state import AppState
from rewards_app.features.advertiser import desk
from rewards_app.features.advertiser.rules import Status
from rewards_app.features.shell import service


class BarState(AppState):
    is_known: bool = False
    balance: int = 0
    ads_today: int = 0
    time_zone: str = ""

    @allow(Role.PLAYER, Role.MODERATOR, passive=True, even_suspended=True)
    async def load(self):
        bar = await service.bar(self._actor.user_id, now=utc_now())
        self.balance = bar.balance
        self.ads_today = bar.ads_today
        self.time_zone = bar.time_zone
        self.is_known = True

    @allow(Role.PLAYER, Role.MODERATOR, passive=True)
    async def tell_time_zone(self, zone: str):
        """The browser is in another zone than the one we know."""
        async with transaction() as session:
            await service.tell_time_zone(session, self._actor, zone, now=utc_now())
        self.time_zone = zone


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
