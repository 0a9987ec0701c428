"""`make chaos`: many random bad days, in as many worlds as there are processors, and what holds
after each of them.

ARGS: `--schedules 200` for fewer, `--seed 7` for other ones, `--only 31` to replay one,
`--whole 3` for fewer days of the whole app, `--worlds 1` for one day after the other.
"""

import argparse
import asyncio
import os
import random
import sys
import time
from collections import Counter

from tests.chaos.living import a_world_of_its_own, leave_nothing_behind, lived
from tests.chaos.running import Came, never_came_about
from tests.chaos.whole import WholeDay, served_on

SCHEDULES, WHOLE_DAYS = 1000, 10
ENOUGH = 30
"""So many days in which something never succeeds are no chance."""
MOST_WORLDS = 8
"""Each takes a processor, and a disk of half a gigabyte in memory."""


def main() -> int:
    leave_nothing_behind()
    wanted = _arguments()
    seed = wanted.seed or random.SystemRandom().randrange(1, 10**6)
    numbers = [wanted.only] if wanted.only is not None else range(wanted.schedules)
    print(f"seed {seed}: replay one by make chaos ARGS='--seed {seed} --only NUMBER'", flush=True)
    began = time.monotonic()
    came = lived(seed, numbers, worlds=min(wanted.worlds, len(numbers)))
    took = time.monotonic() - began
    whole = _whole_days(seed, 0 if wanted.only is not None else wanted.whole)
    return max(whole, _summary(came, took))


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="make chaos", description="Random bad days.")
    parser.add_argument("--schedules", type=int, default=SCHEDULES, help="how many")
    parser.add_argument("--seed", type=int, default=0, help="which ones; printed by each run")
    parser.add_argument("--whole", type=int, default=WHOLE_DAYS, help="days of the whole app")
    parser.add_argument("--only", type=int, help="this number of the seed alone")
    parser.add_argument("--worlds", type=int, default=_processors(), help="how many at once")
    return parser.parse_args()


def _processors() -> int:
    return min(os.cpu_count() or 1, MOST_WORLDS)


def _whole_days(seed: int, count: int) -> int:
    """Those of the whole app, at the end: it is served for all of them once."""
    if not count:
        return 0
    broken = 0
    with a_world_of_its_own() as world, served_on(world) as served:
        for number in range(count):
            chance = random.Random(f"{seed}/whole/{number}")
            wrong = asyncio.run(WholeDay(world, served, chance).is_lived())
            print(
                f"{'BROKEN' if wrong else 'holds '} whole app, day {number} {wrong or ''}",
                flush=True,
            )
            broken += bool(wrong)
    return 1 if broken else 0


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
    missed = never_came_about(came) if len(came) >= ENOUGH else []
    if missed:
        print(f"never came about: {missed}")
    return 1 if broken or missed else 0


if __name__ == "__main__":
    sys.exit(main())
