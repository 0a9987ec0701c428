"""Where a player stands today, in their own day."""

from dataclasses import dataclass, replace
from datetime import datetime
from uuid import UUID

from rewards_app.core.actor import Actor
from rewards_app.core.database import AsyncSession
from rewards_app.features.accounts import age
from rewards_app.features.ads import days, history_repository, repository, rules
from rewards_app.features.ads.days import Calendar, Day
from rewards_app.features.ads.rules import Sitting
from rewards_app.models import Watcher


@dataclass(frozen=True, slots=True)
class Standing:
    """Where a player stands today."""

    ads_today: int
    coins_today: int
    time_zone: str
    """Empty while no browser has told it."""
    day_ends_at: datetime
    is_new_day: bool = False
    """Their last day has ended, and their row does not say so yet."""

    @property
    def left_today(self) -> int:
        return max(0, rules.DAILY_LIMIT - self.ads_today)


async def sitting_of(account_id: UUID, *, now: datetime) -> Sitting | None:
    """The sitting of somebody under 18; None for whoever needs no breaks."""
    years = await age.years_of(account_id, now=now)
    if years is None or years >= rules.ADULT_AT:
        return None
    return await history_repository.last_sitting(
        account_id, begun_after=now - rules.SITTING_ENDS_AFTER
    )


async def left_in_sitting(account_id: UUID, *, now: datetime) -> int | None:
    """How many ads somebody under 18 can watch before a break; None for whoever needs none."""
    sitting = await sitting_of(account_id, now=now)
    return None if sitting is None else rules.left_in(sitting)


async def platform_ads_today(*, now: datetime) -> int:
    """Ads that anybody was paid for since the platform's midnight."""
    today = days.day_at(days.PLATFORM_CALENDAR, now)
    return await history_repository.all_rewarded_since(today.starts_at)


async def todays_watcher(session: AsyncSession, account_id: UUID, *, now: datetime) -> Watcher:
    """The player's row, locked, with the day that `now` is in."""
    watcher = await repository.lock_watcher(session, account_id, days.day_at(Calendar(), now))
    known = Day(watcher.day_starts_at, watcher.day_ends_at)
    _keep(watcher, days.turned(_calendar(watcher), known, now), now=now)
    session.add(watcher)
    return watcher


def _calendar(watcher: Watcher) -> Calendar:
    return Calendar(watcher.time_zone, watcher.zone_since, watcher.next_time_zone)


def _keep(watcher: Watcher, calendar: Calendar, *, now: datetime) -> None:
    day = days.day_at(calendar, now)
    watcher.time_zone = calendar.zone
    watcher.zone_since = calendar.since
    watcher.next_time_zone = calendar.following
    watcher.day_starts_at, watcher.day_ends_at = day.starts_at, day.ends_at


async def tell_time_zone(session: AsyncSession, actor: Actor, zone: str, *, now: datetime) -> None:
    """The browser names its zone: before the first ad at once, else from the end of the day on."""
    if not days.is_zone(zone):
        raise rules.UnknownZone
    watcher = await todays_watcher(session, actor.user_id, now=now)
    is_first = watcher.last_started_at is None
    calendar = days.told(_calendar(watcher), zone, is_first=is_first)
    _keep(watcher, calendar, now=now)
    session.add(watcher)


async def last_day(session: AsyncSession, account_id: UUID, *, now: datetime) -> Day:
    """As the player's row says, which is locked: it may be over."""
    watcher = await repository.lock_watcher(session, account_id, days.day_at(Calendar(), now))
    return Day(watcher.day_starts_at, watcher.day_ends_at)


async def begin_day(session: AsyncSession, account_id: UUID, *, now: datetime) -> None:
    """The player's row says so from now on, for whoever reads that alone: days in a row do."""
    await todays_watcher(session, account_id, now=now)


async def standing(account_id: UUID, *, now: datetime) -> Standing:
    found = await history_repository.last_day(account_id, now=now)
    if found is None:
        return _standing(Calendar(), days.day_at(Calendar(), now), (0, 0))
    calendar, day, paid = found
    if now not in day:
        # It has turned, and nothing was started since.
        calendar = days.turned(calendar, day, now)
        day = days.day_at(calendar, now)
        paid = await history_repository.rewarded_since(account_id, day.starts_at)
        return replace(_standing(calendar, day, paid), is_new_day=True)
    return _standing(calendar, day, paid)


def _standing(calendar: Calendar, day: Day, paid: tuple[int, int]) -> Standing:
    return Standing(*paid, calendar.following or calendar.zone, day.ends_at)
