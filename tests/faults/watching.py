"""A process that watches ads for many players, and is killed again and again in the midst of it.

Run by test_kills.py as a process of its own. It loads the app once, then forks a worker for each
life; a worker that is killed leaves nothing behind but what the database has, and its lines in the
file of acknowledgements: one for each finish that had returned.
"""

import asyncio
import json
import os
import random
import signal
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from uuid import UUID

from rewards_app.core import database
from rewards_app.core.actor import Actor
from rewards_app.core.database import transaction
from rewards_app.features.ads import service
from rewards_app.models import Account
from tests.ads import NOON, finishes, in_tab, starts, the_actor

SHORTEST_LIFE, LONGEST_LIFE = 0.020, 0.060
OF_THE_FIRST = 1.5
"""On a machine that is busy a life lasts up to this many times what its first ads took."""


@dataclass(frozen=True, slots=True)
class Task:
    ad: UUID
    players: list[Actor]
    acknowledgements: Path


async def watch(player: Actor, task: Task, said: int, *, now: datetime) -> datetime:
    """Watch one ad, and say so when that has returned; the moment at which it ended."""
    view = await starts(player, task.ad, now=now)
    if random.random() < 0.3:
        await service.pause(player, view.view_id, in_tab("a"), now=now)
        await service.resume(player, view.view_id, in_tab("a"), now=now)
    now += timedelta(seconds=view.seconds)
    await finishes(player, view, now=now)
    # Of a length that lies in one page: whoever is killed has written all of it or nothing.
    os.write(said, f"{view.view_id!s:<63}\n".encode())
    return now


async def live(task: Task, begun: int, *, now: datetime) -> None:
    """Everybody watches one ad; then `begun` is told, and from then on each moment may be the last.

    The clock of each player runs as fast as they watch.
    """
    said = os.open(task.acknowledgements, os.O_WRONLY | os.O_APPEND | os.O_CREAT)
    await asyncio.gather(*(watch(player, task, said, now=now) for player in task.players))
    os.write(begun, b"!")

    async def for_ever(player: Actor) -> None:
        clock = now + timedelta(minutes=1)
        while True:
            clock = await watch(player, task, said, now=clock)

    async def sweep_for_ever() -> None:
        while True:
            await asyncio.sleep(0.02)
            await service.sweep(now=now)

    await asyncio.gather(sweep_for_ever(), *map(for_ever, task.players))


def killed_lives(task: Task, lives: int) -> Iterator[int]:
    """The signal that ended each life; 0 for one that ended by itself."""
    for number in range(lives):
        begins, begun = os.pipe()
        child = os.fork()
        if child == 0:
            random.seed(number)
            # Two days later each time, so that nobody comes to the limit of a day.
            asyncio.run(live(task, begun, now=NOON + timedelta(days=2 * number + 1)))
        os.close(begun)
        born = time.monotonic()
        os.read(begins, 1)
        os.close(begins)
        busy = OF_THE_FIRST * (time.monotonic() - born) / LONGEST_LIFE
        time.sleep(random.uniform(SHORTEST_LIFE, LONGEST_LIFE) * max(1, busy))
        os.kill(child, signal.SIGKILL)
        yield os.WTERMSIG(os.waitpid(child, 0)[1])


async def people(ids: list[str]) -> list[Actor]:
    async with transaction() as session:
        return [the_actor(await session.get_one(Account, UUID(one))) for one in ids]


async def the_task(ad: str, acknowledgements: str, ids: list[str]) -> Task:
    """Ready to be forked: every statement was compiled once, and no connection is left open."""
    task = Task(UUID(ad), await people(ids), Path(acknowledgements))
    for player in task.players:
        view = await starts(player, task.ad, now=NOON)
        await service.pause(player, view.view_id, in_tab("a"), now=NOON)
        await service.resume(player, view.view_id, in_tab("a"), now=NOON)
        await service.give_up(player, view.view_id, now=NOON)
    await database.engine().dispose()
    await database._statements().close()
    database._statements.cache_clear()
    return task


def main() -> None:
    ad, acknowledgements, lives, *ids = sys.argv[1:]
    task = asyncio.run(the_task(ad, acknowledgements, ids))
    print(json.dumps(list(killed_lives(task, int(lives)))))


if __name__ == "__main__":
    main()
