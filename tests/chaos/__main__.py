"""`make chaos`: many random bad days, one after the other, and what holds after each of them.

ARGS: `--schedules 200` for fewer, `--seed 7` for other ones, `--only 31` to replay one,
`--whole 3` for fewer days of the whole app.
"""

import argparse
import asyncio
import random
import signal
import sys
import time
from collections import Counter
from pathlib import Path

from tests import scratch
from tests.chaos.faults import possible
from tests.chaos.plan import Schedule, drawn
from tests.chaos.running import Came, run
from tests.chaos.whole import WholeDay, served_on
from tests.chaos.world import World, a_world

SCHEDULES, WHOLE_DAYS = 1000, 10
SHOWN = ("credited", "bought", "paid", "refund begun", "signed in", "unanswered")


def main() -> int:
    # Whoever ends it early finds no server and no disk left behind.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    wanted = _arguments()
    seed = wanted.seed or random.SystemRandom().randrange(1, 10**6)
    numbers = [wanted.only] if wanted.only is not None else range(wanted.schedules)
    print(f"seed {seed}: replay one by make chaos ARGS='--seed {seed} --only NUMBER'", flush=True)
    folder = scratch.a_folder()
    began, whole = time.monotonic(), 0
    came: list[Came] = []
    try:
        with a_world(folder) as world:
            for number in numbers:
                came.append(run(world, drawn(seed, number, possible(world))))
                print(_line(came[-1]), flush=True)
                if not came[-1].is_sound:
                    _tell(world, came[-1])
            whole = _whole_days(world, seed, 0 if wanted.only is not None else wanted.whole)
    finally:
        scratch.remove(Path(folder))
    return max(whole, _summary(came, time.monotonic() - began))


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="make chaos", description="Random bad days.")
    parser.add_argument("--schedules", type=int, default=SCHEDULES, help="how many")
    parser.add_argument("--seed", type=int, default=0, help="which ones; printed by each run")
    parser.add_argument("--whole", type=int, default=WHOLE_DAYS, help="days of the whole app")
    parser.add_argument("--only", type=int, help="this number of the seed alone")
    return parser.parse_args()


def _line(came: Came) -> str:
    counts = "  ".join(f"{came.counts[what]} {what}" for what in SHOWN)
    return f"{'holds ' if came.is_sound else 'BROKEN'} {came.schedule}\n         {counts}"


def _tell(world: World, came: Came) -> None:
    for promise, rows in came.wrong.items():
        print(f"         {promise}:")
        for row in rows[:5]:
            print(f"           {row}")
    smallest = _minimised(world, came.schedule)
    print(f"         breaks with as little as: {smallest}", flush=True)


def _whole_days(world: World, seed: int, count: int) -> int:
    """Those of the whole app, at the end: it is served for all of them once."""
    broken = 0
    if count:
        with served_on(world) as served:
            for number in range(count):
                chance = random.Random(f"{seed}/whole/{number}")
                wrong = asyncio.run(WholeDay(world, served, chance).is_lived())
                print(f"{'BROKEN' if wrong else 'holds '} whole app, day {number} {wrong or ''}")
                broken += bool(wrong)
    return 1 if broken else 0


def _minimised(world: World, schedule: Schedule) -> Schedule:
    """Without what is not needed to break it, as far as one try of each tells."""
    for fault in schedule.faults:
        fewer = schedule.without(fault)
        if not run(world, fewer).is_sound:
            schedule = fewer
    return schedule


def _summary(came: list[Came], seconds: float) -> int:
    done, faults = Counter[str](), Counter[str]()
    for one in came:
        done.update(one.counts)
        faults.update(fault.what for fault in one.schedule.faults)
    broken = [one.schedule.number for one in came if not one.is_sound]
    print(f"\n{len(came)} schedules in {seconds:.0f} s, {sum(faults.values())} faults")
    for what, count in sorted(faults.items()):
        print(f"{count:8} {what}")
    print("\nWhat people were answered")
    for what, count in sorted(done.items()):
        print(f"{count:8} {what}")
    print(f"\nbroken: {broken or 'none'}")
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
