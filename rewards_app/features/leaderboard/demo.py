"""Days in a row for the demo's players: ads of the house, watched and paid in the past."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from uuid import UUID

from rewards_app.core.database import AsyncSession
from rewards_app.core.ids import id_at
from rewards_app.features.ads import catalogue, days, past
from rewards_app.features.ads.catalogue import ShownAd
from rewards_app.models import AdView

DAY, HOUR, MINUTE = timedelta(days=1), timedelta(hours=1), timedelta(minutes=1)
AFTERNOON = 15 * HOUR
PAUSE = 2
"""Days without an ad between an earlier streak and the present one."""


@dataclass(frozen=True, slots=True)
class Habit:
    ads_a_day: int
    streak: int
    """Days in a row up to today."""
    before: int = 0
    """Days of an earlier streak."""


HABITS: Mapping[str, Habit] = {
    "demo_novafalke": Habit(9, 31),
    "demo_lunarox": Habit(9, 23, 4),
    "demo_zimnywilk": Habit(6, 18, 9),
    "demo_bytebjorn": Habit(5, 14, 21),
    "demo_reinasombra": Habit(8, 12),
    "demo_pixelrenard": Habit(4, 9, 3),
    "demo_tihiylis": Habit(6, 7, 12),
    "demo_lupoveloce": Habit(10, 5, 8),
    "demo_skogsraven": Habit(3, 4, 6),
    "demo_craftqueen": Habit(5, 3, 17),
    "demo_kaffeepause": Habit(2, 2, 5),
    "demo_dropzonedan": Habit(4, 1, 2),
}


async def add_past(session: AsyncSession, players: Mapping[str, UUID], *, now: datetime) -> None:
    """Each player's watched ads, with their entries in the ledger.

    Any ad that is served may be among them: it is done while there are only those of the house.
    """
    ads = await catalogue.listed(session)
    views = [
        _watched(players[handle], ads[number % len(ads)], at)
        for handle, habit in HABITS.items()
        for number, at in enumerate(_moments(habit, now))
    ]
    await past.keep(session, views)


def _moments(habit: Habit, now: datetime) -> Iterator[datetime]:
    """When their ads were over; of today, some of the last minutes."""
    today = days.platform_day(now)
    for ago in _days_ago(habit):
        for number in range(habit.ads_a_day):
            yield _afternoon(today - ago * DAY, number) if ago else now - (number + 1) * MINUTE


def _days_ago(habit: Habit) -> Sequence[int]:
    present = range(habit.streak)
    earlier = range(habit.streak + PAUSE, habit.streak + PAUSE + habit.before)
    return [*present, *earlier]


def _afternoon(day: date, number: int) -> datetime:
    return days.start_of(days.PLATFORM_CALENDAR.zone, day) + AFTERNOON + number * MINUTE


def _watched(player: UUID, ad: ShownAd, finished_at: datetime) -> AdView:
    started_at = finished_at - timedelta(seconds=ad.seconds)
    return AdView(
        id=id_at(finished_at),
        account_id=player,
        ad_id=ad.id,
        status="rewarded",
        started_at=started_at,
        required_seconds=ad.seconds,
        reward_coins=ad.reward,
        expires_at=finished_at,
        rewarded_at=finished_at,
        ended_at=finished_at,
        tab_hash="",
        day=days.platform_day(started_at),
    )
