"""Days in several worlds at once: each world is a process, with servers of its own."""

import multiprocessing
import signal
import sys
from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from itertools import chain
from typing import NoReturn

from tests import scratch
from tests.chaos.faults import possible
from tests.chaos.plan import Schedule, drawn
from tests.chaos.running import Came, run
from tests.chaos.world import World, a_world

SHOWN = ("credited", "bought", "paid", "refund begun", "signed in", "unanswered")


def leave_nothing_behind() -> None:
    """Whoever ends it early finds no server and no disk left behind."""
    signal.signal(signal.SIGTERM, _end)


def _end(*_: object) -> NoReturn:
    # One end is enough: a second one would interrupt the first one's tidying up.
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    sys.exit(1)


def lived(seed: int, numbers: Sequence[int], *, worlds: int) -> list[Came]:
    """Each world is a process, which lives its share of the days."""
    if worlds <= 1:
        return _lived_in_a_world(seed, numbers)
    shares = [numbers[first::worlds] for first in range(worlds)]
    processes = multiprocessing.get_context("spawn")
    with processes.Pool(worlds, leave_nothing_behind) as pool:
        came = pool.map(partial(_lived_in_a_world, seed), shares, chunksize=1)
    return sorted(chain.from_iterable(came), key=lambda one: one.schedule.number)


def _lived_in_a_world(seed: int, numbers: Sequence[int]) -> list[Came]:
    came: list[Came] = []
    with a_world_of_its_own() as world:
        for number in numbers:
            came.append(run(world, drawn(seed, number, possible(world))))
            told = [_line(came[-1]), *([] if came[-1].is_sound else _told(world, came[-1]))]
            # At once, since others write, too.
            print("\n".join(told), flush=True)
    return came


@contextmanager
def a_world_of_its_own() -> Generator[World]:
    folder = scratch.a_folder()
    try:
        with a_world(folder) as world:
            yield world
    finally:
        scratch.remove(folder)


def _line(came: Came) -> str:
    counts = "  ".join(f"{came.counts[what]} {what}" for what in SHOWN)
    return f"{'holds ' if came.is_sound else 'BROKEN'} {came.schedule}\n         {counts}"


def _told(world: World, came: Came) -> Iterator[str]:
    for promise, rows in came.wrong.items():
        yield f"         {promise}:"
        yield from (f"           {row}" for row in rows[:5])
    yield f"         breaks with as little as: {_minimised(world, came.schedule)}"


def _minimised(world: World, schedule: Schedule) -> Schedule:
    """Without what is not needed to break it, as far as one try of each tells."""
    for fault in schedule.faults:
        fewer = schedule.without(fault)
        if not run(world, fewer).is_sound:
            schedule = fewer
    return schedule
