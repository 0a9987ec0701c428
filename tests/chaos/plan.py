"""What happens in one schedule: drawn from its seed and number, so that it happens again."""

import random
from dataclasses import dataclass, replace

SECONDS = 1.5
"""How long the life of a schedule lasts, once its people have begun."""
SHORTEST, LONGEST = 0.1, 0.7
"""How long something bad lasts."""
MOST_AT_ONCE = 4
DAY = 24 * 3600

FAULTS = (
    "a worker is killed",
    "the database crashes",
    "the database restarts",
    "the database refuses",
    "the database resets",
    "the database stands still",
    "the database is slow",
    "the database is cut off",
    "the disk is full",
    "redis is killed",
    "redis forgets",
    "redis refuses",
    "redis stands still",
    "redis is slow",
    "stripe refuses",
    "stripe stands still",
    "stripe is slow",
    "stripe is cut off",
    "stripe loses answers",
    "stripe talks nonsense",
    "mail refuses",
    "mail stands still",
    "mail is cut off",
    "the clock jumps",
)


@dataclass(frozen=True, slots=True)
class Fault:
    """One bad thing: what, from when on, for how long, and how bad, from 0 to 1."""

    what: str
    at: float
    lasts: float
    strength: float

    @property
    def until(self) -> float:
        return self.at + self.lasts

    def __str__(self) -> str:
        return f"{self.what} ({self.at:.2f}-{self.until:.2f} s)"


@dataclass(frozen=True, slots=True)
class Schedule:
    """`storm` is how often each webhook comes, shuffled, with forged ones among them."""

    seed: int
    number: int
    faults: tuple[Fault, ...]
    storm: int
    mail_is_away_for_a_day: bool = False

    def __str__(self) -> str:
        more = ["mail is away for a day"] if self.mail_is_away_for_a_day else []
        return f"{self.number}: " + ", ".join([*map(str, self.faults), *more] or ["nothing bad"])

    def without(self, fault: Fault) -> "Schedule":
        return replace(self, faults=tuple(other for other in self.faults if other is not fault))

    @property
    def moves_the_clock(self) -> bool:
        return any(fault.what == "the clock jumps" for fault in self.faults)


def drawn(seed: int, number: int, known: tuple[str, ...] = FAULTS) -> Schedule:
    """The schedule of this number; `known` are the faults that can be made on this machine."""
    chance = random.Random(f"{seed}/{number}")
    count = chance.randint(1, MOST_AT_ONCE)
    faults = sorted((_a_fault(chance, chance.choice(FAULTS)) for _ in range(count)), key=_at)
    storm, no_mail = chance.choice([1, 1, 2, 5]), chance.random() < 0.1
    possible = tuple(
        fault
        for fault in faults
        if fault.what in known and not (no_mail and fault.what.startswith("mail"))
    )
    return Schedule(seed, number, possible, storm, mail_is_away_for_a_day=no_mail)


def in_turn(seed: int, number: int, names: tuple[str, ...]) -> Schedule:
    """One fault after the other, each alone."""
    chance, each = random.Random(f"{seed}/{number}"), SECONDS / len(names)
    faults = tuple(
        replace(_a_fault(chance, what), at=(turn + 0.2) * each, lasts=0.6 * each)
        for turn, what in enumerate(names)
    )
    return Schedule(seed, number, faults, storm=3)


def _a_fault(chance: random.Random, what: str) -> Fault:
    lasts = chance.uniform(SHORTEST, LONGEST)
    return Fault(what, chance.uniform(0.1, SECONDS - lasts), lasts, chance.random())


def _at(fault: Fault) -> float:
    return fault.at
