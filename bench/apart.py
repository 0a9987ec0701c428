"""What a machine takes for the same work when more processes do it, though they share nothing.

Of a process that has less to do, less is in the caches of the processor when its turn comes.
"""

import json
import multiprocessing
import time
from collections.abc import Mapping, Sequence
from statistics import median

from bench.report import Row

UNITS_A_SECOND = 200
"""Of all processes together: about as busy as one worker whose players watch ads."""
SECONDS = 10
THINGS = 60_000
"""So many lie apart in the memory of each; a unit of work touches some of them all over it."""


def rows(costs: Mapping[int, Sequence[float]]) -> list[Row]:
    """`costs` of each number of processes, one a round."""
    one = median(costs[1])
    return [
        Row(
            f"processor seconds of work that shares nothing, {count} processes / 1",
            median(found) / one,
            "x",
            against=f"{median(found) * 1e3:.2f} ms / {one * 1e3:.2f} ms a unit,"
            f" {UNITS_A_SECOND} units a second in all, median of {len(found)}",
        )
        for count, found in costs.items()
        if count > 1
    ]


def cost(count: int) -> float:
    """Processor seconds of one unit, done by so many processes in turn."""
    told: multiprocessing.Queue[tuple[float, int]] = multiprocessing.Queue()
    every = count / UNITS_A_SECOND
    processes = [
        multiprocessing.Process(target=_work, args=(every, number / UNITS_A_SECOND, told))
        for number in range(count)
    ]
    for process in processes:
        process.start()
    found = [told.get() for _ in processes]
    for process in processes:
        process.join()
    return sum(seconds for seconds, _ in found) / sum(units for _, units in found)


def _work(every: float, after: float, told: "multiprocessing.Queue[tuple[float, int]]") -> None:
    things = [{"name": str(number), "count": number % 256} for number in range(THINGS)]
    for _ in range(UNITS_A_SECOND // 10):
        _unit(things)
    before, units = time.process_time(), 0
    begun = time.monotonic() + after
    while units * every < SECONDS:
        time.sleep(max(0.0, begun + units * every - time.monotonic()))
        _unit(things)
        units += 1
    told.put((time.process_time() - before, units))


def _unit(things: list[dict[str, str | int]]) -> str:
    said = 0
    for thing in things[::7]:
        said += len(str(thing["name"])) + int(thing["count"])
        thing["count"] = said % 256
    return json.dumps(things[:400])
