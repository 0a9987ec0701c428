"""What the frame shows of its player or company, and what it hears from the browser."""

from math import ceil

import structlog

from rewards_app.core.access import allow
from rewards_app.core.actor import PLAYING_ROLES, Role
from rewards_app.core.clock import utc_now
from rewards_app.core.database import transaction
from rewards_app.core.state import REFRESHES, AppState
from rewards_app.features.ads.rules import UnknownZone
from rewards_app.features.advertiser import desk
from rewards_app.features.advertiser.rules import Status
from rewards_app.features.shell import service

_log = structlog.get_logger(__name__)
LONGEST_ZONE = 60


class BarState(AppState):
    is_known: bool = False
    balance: int = 0
    ads_today: int = 0
    time_zone: str = ""
    day_ends_at: str = ""
    day_ends_in: int = 0
    """In seconds: what a browser takes for the time may be wrong."""
    company: str = ""
    """For which a suspended player cannot act; empty where they act for none."""

    @allow(*PLAYING_ROLES, passive=True, even_suspended=True)
    async def load(self):
        now = utc_now()
        bar = await service.bar(self._actor.user_id, now=now)
        self.balance = bar.balance
        self.ads_today = bar.ads_today
        self.time_zone = bar.time_zone
        self.day_ends_at = bar.day_ends_at.isoformat()
        self.day_ends_in = ceil((bar.day_ends_at - now).total_seconds())
        self.company = await service.company_of(self._actor.user_id) if self.is_suspended else ""
        self.is_known = True

    @allow(*PLAYING_ROLES, passive=True, even_suspended=True)
    async def begin_day(self):
        """The player's day has ended while the page was open: a new one is to be shown."""
        own = () if self.is_suspended else REFRESHES.get(self.place, ())
        return [BarState.load, *own]

    @allow(*PLAYING_ROLES, passive=True)
    async def tell_time_zone(self, zone: str):
        """The browser is in another zone than the one we know; under no zone's name, in none."""
        try:
            async with transaction() as session:
                await service.tell_time_zone(session, self._actor, zone, now=utc_now())
        except UnknownZone:
            # Nobody has pressed anything, or could do anything about it.
            _log.info("time_zone.unknown", zone=zone[:LONGEST_ZONE])
            return None
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
