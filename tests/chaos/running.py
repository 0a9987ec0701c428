"""One schedule from its beginning to its end: people, bad things, an hour of peace, the books."""

import random
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace

from tests import steady
from tests.chaos import promises
from tests.chaos.diary import Diary
from tests.chaos.faults import BY_THE_RUNNER, MADE, clock_of
from tests.chaos.plan import SECONDS, Fault, Schedule
from tests.chaos.worker import BROKEN, Task
from tests.chaos.world import World

WORKERS = 2
KILLED = -9
BEGUN = 4
"""So many lines each worker has in the diary before anything goes wrong."""
FEWEST_LINES = 80
"""A machine that is busy is given more time, until so much has happened."""
COMES_ABOUT = (
    *("credited", "bought", "paid", "refund begun", "code"),
    *("topped up", "top-up returned", "signed in", "signed out", "mail"),
)
"""What succeeds now and then, however bad the days are."""


@dataclass(frozen=True, slots=True)
class Came:
    """What came of a schedule."""

    schedule: Schedule
    counts: Counter[str]
    wrong: dict[str, list[str]] = field(default_factory=dict[str, list[str]])

    @property
    def is_sound(self) -> bool:
        return not self.wrong


@dataclass
class Day:
    """A schedule under way."""

    world: World
    schedule: Schedule
    task: Task
    diary: Diary
    chance: random.Random
    born: int = 0
    broke: list[str] = field(default_factory=list[str])

    def lives(self) -> None:
        for _ in range(WORKERS):
            self._starts_worker()
        self._waits_for_the_first_acts()
        begun = time.monotonic()
        for at, fault, begins in self._moments():
            time.sleep(max(0.0, begun + at - time.monotonic()))
            self._makes(fault, begins=begins)
        time.sleep(max(0.0, begun + SECONDS - time.monotonic()))
        self._waits_for_more_acts()
        for worker in list(self.world.workers.alive):
            self._kills(worker)

    def _waits_for_the_first_acts(self, within: float = 30) -> None:
        """On a machine that is busy a worker needs its time before it does anything."""
        deadline = steady.seconds() + within
        while self._noted < WORKERS * BEGUN:
            assert steady.seconds() < deadline, "no worker does anything"
            time.sleep(0.02)

    def _waits_for_more_acts(self, within: float = 5) -> None:
        deadline = steady.seconds() + within
        while self._noted < FEWEST_LINES and steady.seconds() < deadline:
            time.sleep(0.05)

    @property
    def _noted(self) -> int:
        return sum(map(len, self.diary.lines().values()))

    def _moments(self) -> Iterator[tuple[float, Fault, bool]]:
        """When each fault begins and ends, one after the other."""
        both = [(f.at, f, True) for f in self.schedule.faults]
        both += [(f.until, f, False) for f in self.schedule.faults]
        return iter(sorted(both, key=lambda moment: moment[0]))

    def _makes(self, fault: Fault, *, begins: bool) -> None:
        if fault.what != BY_THE_RUNNER:
            MADE[fault.what][0 if begins else 1](self.world, fault)
        elif begins:
            self._kills(self.chance.choice(self.world.workers.alive))
            self._starts_worker()

    def _starts_worker(self) -> None:
        self.born += 1
        self.world.workers.start(replace(self.task, seed=f"{self.task.seed}/{self.born}"))

    def _kills(self, worker: int) -> None:
        ended = self.world.workers.kill(worker)
        if ended != KILLED:
            self.broke.append(
                f"ended with {ended} ({BROKEN}: an error)\n{said_at_last(self.world)}"
            )


def said_at_last(world: World) -> str:
    """What it broke with, if it says so: others may have said much since."""
    said = (world.folder / "workers.log").read_text()
    if (broke := said.rfind("Traceback")) < 0:
        return said[-3000:]
    return _with_both_ends(said[broke:])


def _with_both_ends(text: str) -> str:
    """Where it broke stands at its end, what was being done at its beginning."""
    return text if len(text) <= 6000 else f"{text[:2000]}\n[…]\n{text[2000:][-4000:]}"


def run(world: World, schedule: Schedule) -> Came:
    world.begin_anew()
    diary = Diary(world.folder / "diary")
    diary.path.unlink(missing_ok=True)
    clock_of(world).write_text("0")
    people = world.workers.ask("found")
    task = Task(
        seed=f"{schedule.seed}/{schedule.number}",
        storm=schedule.storm,
        diary=str(diary.path),
        clock=str(clock_of(world)),
        stripe=world.stripe.url,
        hours=1 + 24 * schedule.moves_the_clock,
        players=tuple(people["players"]),
        admin=people["admin"],
        owner=people["owner"],
        ads=tuple(people["ads"]),
    )
    day = Day(world, schedule, task, diary, random.Random(task.seed))
    if schedule.mail_is_away_for_a_day:
        world.post.refuses()
    day.lives()
    world.heal()
    if schedule.mail_is_away_for_a_day:
        world.post.refuses()
        world.workers.ask("live without mail")
        world.post.passes()
    found = world.workers.ask("settle", task)
    lines = diary.lines()
    wrong = promises.broken(world, schedule, lines)
    wrong |= {promise: rows for promise, rows in found.items() if promise != "ended"}
    if "ended" in found:
        wrong["the settling broke"] = [said_at_last(world)]
    if day.broke:
        wrong["a worker broke"] = day.broke
    counts = Counter({what: len(noted) for what, noted in lines.items()})
    return Came(schedule, counts, wrong)


def never_came_about(came: Iterable[Came]) -> list[str]:
    """Days on which nothing succeeds break no promise, and prove none."""
    counts = sum((one.counts for one in came), Counter[str]())
    return [what for what in COMES_ABOUT if not counts[what]]
