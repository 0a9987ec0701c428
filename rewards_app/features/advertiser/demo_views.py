"""Who watched the demo's campaigns, and when: made up, but the same for every demo. Pure."""

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta

from rewards_app.features.ads import rules
from rewards_app.features.ads.audience import AgeGroup
from rewards_app.features.ads.days import PLATFORM_CALENDAR, day_at

SEED = 20261121
VIEWERS = (
    (AgeGroup.UNDER_18, 16, 2),
    (AgeGroup.FROM_18, 21, 22),
    (AgeGroup.FROM_25, 29, 21),
    (AgeGroup.FROM_35, 38, 2),
    (AgeGroup.FROM_45, 51, 1),
)
"""How old the viewers of each group are, and how many there are: two groups are large enough."""
FINISHED = 0.86
CLICKED = 0.05
WEEKEND = 1.5
FIRST_HOUR, HOURS = 8, 14
A_SECOND = timedelta(seconds=1)


@dataclass(frozen=True, slots=True)
class Viewing:
    """One viewer's watching of one ad, by their numbers."""

    viewer: int
    ad: int
    started_at: datetime
    is_finished: bool
    clicked_at: datetime | None
    seconds: int
    """How much of it was watched."""

    @property
    def ended_at(self) -> datetime:
        return self.started_at + self.seconds * A_SECOND

    @property
    def expires_at(self) -> datetime:
        return rules.expiry(self.seconds * A_SECOND, now=self.started_at)


def births(today: date) -> Iterator[tuple[AgeGroup, date]]:
    """When each viewer was born."""
    for group, age, count in VIEWERS:
        for number in range(count):
            yield group, date(today.year - age, 1, 1 + number)


def viewings(
    lengths: Sequence[int], days: Sequence[date], *, a_day: float, first: int
) -> Iterator[Viewing]:
    """What came of ads of these lengths on these days: ever more, and most at weekends.

    Those of one day begin minutes apart, the first one `first` minutes after the hour.
    """
    chance = random.Random(SEED + first)  # noqa: S311  (nothing is kept secret by it)
    viewers = sum(count for *_, count in VIEWERS)
    for number, day in enumerate(days):
        weekend = WEEKEND if day.weekday() >= 5 else 1
        growth = 0.4 + 1.2 * number / len(days)
        count = round(a_day * growth * weekend * chance.uniform(0.85, 1.15))
        begins = day_at(PLATFORM_CALENDAR, datetime.combine(day, time(12), UTC))
        for view in range(count):
            ad = chance.choices(range(len(lengths)), weights=range(len(lengths) + 1, 1, -1))[0]
            started_at = begins.starts_at + timedelta(
                hours=FIRST_HOUR, minutes=first + view * (HOURS * 60) // count
            )
            yield _viewing(chance, chance.randrange(viewers), ad, lengths[ad], started_at)


def _viewing(
    chance: random.Random, viewer: int, ad: int, seconds: int, started_at: datetime
) -> Viewing:
    is_finished = chance.random() < FINISHED
    watched = seconds if is_finished else chance.randrange(1, seconds)
    has_clicked = chance.random() < CLICKED
    return Viewing(
        viewer,
        ad,
        started_at,
        is_finished,
        started_at + min(watched, 4) * A_SECOND if has_clicked else None,
        watched,
    )
