"""What the home pages show; loaded when they open, after the role is known."""

from dataclasses import asdict
from datetime import datetime
from math import ceil
from typing import Any

import structlog

from rewards_app.core.access import allow, signed_in
from rewards_app.core.actor import PLAYING_ROLES, Role
from rewards_app.core.clock import utc_now
from rewards_app.core.database import transaction
from rewards_app.core.state import AppState
from rewards_app.features.dashboard import service
from rewards_app.features.dashboard.figures import figures
from rewards_app.features.dashboard.rules import SAMPLE, Platform

_log = structlog.get_logger(__name__)


class HomeState(AppState):
    account: dict[str, str] = {}
    open_sessions: int = 0

    @signed_in()
    async def load(self):
        async with transaction() as session:
            own = await service.own_account(session, self._actor, now=utc_now())
        self.open_sessions = own.open_sessions
        self.account = _written(asdict(own))


class OwnDayState(AppState):
    day: dict[str, int] = {}
    rests_until: str = ""
    """Empty where no break is due."""
    rests_for: int = 0
    """In seconds: what a browser takes for the time may be wrong."""

    @allow(*PLAYING_ROLES, passive=True)
    async def refresh(self):
        now = utc_now()
        day = asdict(await service.own_day(self._actor, now=now))
        until: datetime | None = day.pop("rests_until")
        self._keep(
            rests_until=until.isoformat() if until else "",
            rests_for=ceil((until - now).total_seconds()) if until else 0,
        )
        self.day = day


class PlatformState(AppState):
    """Everybody's figures; each change is pushed to the tabs that show them."""

    figures: dict[str, int] = {}
    top_name: str = ""
    is_sample: bool = False

    @allow(*PLAYING_ROLES)
    async def load(self):
        platform = await figures.fresh()
        self._show_platform(platform or SAMPLE, is_sample=platform is None)

    @allow(*PLAYING_ROLES, passive=True)
    async def refresh(self):
        """After a time of hearing nothing; where counting fails, what is shown stays."""
        if platform := await figures.fresh():
            self._show_platform(platform)

    def _show_platform(self, platform: Platform, *, is_sample: bool = False) -> None:
        """Only what is different is set: what is set is sent."""
        numbers = asdict(platform)
        name = numbers.pop("top_name")
        if self.figures != numbers:
            self.figures = numbers
        if self.top_name != name:
            self.top_name = name
        if self.is_sample != is_sample:
            self.is_sample = is_sample


class PasswordState(AppState):
    """Whether the password must be changed soon, on the homes of all."""

    days_left: int = 0
    """0 for nothing to tell."""
    is_expired: bool = False
    is_mailed: bool = False

    @signed_in(passive=True)
    async def check(self):
        """A check that fails is logged and tells nobody: the banner is no reason to alarm."""
        try:
            age = await service.password_age(self._actor, now=utc_now())
        except Exception:
            _log.exception("password_age.not_checked")
            return
        self.days_left = age.days_remaining if age and age.is_warning else 0
        self.is_expired = bool(age and age.needs_rotation)

    @signed_in()
    async def mail_link(self):
        async with transaction() as session:
            await service.mail_password_link(session, self._actor, self._caller, now=utc_now())
        self.is_mailed = True
        self._notify("password.link_mailed", "password.link_mailed_text", email=self._actor.email)


class CensusState(AppState):
    census: dict[str, int] = {}

    @allow(Role.ADMIN)
    async def load(self):
        await self._count()

    @allow(Role.ADMIN, passive=True)
    async def refresh(self):
        """Once a minute: counting everybody at each sign-in would be the most costly thing here."""
        await self._count()

    async def _count(self) -> None:
        async with transaction() as session:
            self._keep(census=asdict(await service.census(session, now=utc_now())))


def _written(values: dict[str, Any]) -> dict[str, str]:
    return {
        name: value.isoformat() if isinstance(value, datetime) else str(value)
        for name, value in values.items()
    }
