"""What each fault does to the world, and how it passes."""

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from subprocess import SubprocessError
from typing import get_args

from redis.exceptions import ConnectionError as RedisConnectionError

from tests.chaos.plan import DAY, FAULTS, Fault
from tests.chaos.world import World
from tests.stripe.nonsense import Nonsense

Act = Callable[[World, Fault], None]
SLOWEST = 0.05
FEWEST_BYTES_A_SECOND = 20_000


def _latency(fault: Fault) -> float:
    return 0.001 + fault.strength * SLOWEST


def _nothing(world: World, fault: Fault) -> None:
    """It has passed by itself."""


def _slows_database(world: World, fault: Fault) -> None:
    world.database.slows(latency=_latency(fault) / 4)


def _slows_stripe(world: World, fault: Fault) -> None:
    world.cards.slows(latency=_latency(fault), bytes_a_second=FEWEST_BYTES_A_SECOND)


def _talks_nonsense(world: World, fault: Fault) -> None:
    kinds = get_args(Nonsense)
    world.stripe.nonsense = kinds[int(fault.strength * len(kinds))]


def _talks_sense(world: World, fault: Fault) -> None:
    world.stripe.nonsense = None


def _loses_answers(world: World, fault: Fault) -> None:
    world.stripe.swallows_answers = 1 + int(fault.strength * 5)


def _finds_answers(world: World, fault: Fault) -> None:
    world.stripe.swallows_answers = 0


def clock_of(world: World) -> Path:
    return world.folder / "clock"


def _sets_clock_wrong(world: World, fault: Fault) -> None:
    """By up to a day, either way."""
    clock_of(world).write_text(str((fault.strength * 2 - 1) * DAY))


def _sets_clock_right(world: World, fault: Fault) -> None:
    clock_of(world).write_text("0")


def _lets_pass(name: str) -> Act:
    return lambda world, fault: getattr(world, name).passes()


def _cuts(name: str) -> Act:
    return lambda world, fault: getattr(world, name).cuts(after=1 + int(fault.strength * 4000))


def _crashes(world: World, fault: Fault) -> None:
    # It may have gone down before, by another fault.
    with suppress(SubprocessError):
        world.postgres.crash()


def _stops(world: World, fault: Fault) -> None:
    with suppress(SubprocessError):
        world.postgres.stop()


def _forgets(world: World, fault: Fault) -> None:
    # It may have been killed before, by another fault.
    with suppress(RedisConnectionError):
        world.forget_cache()


def _starts(world: World, fault: Fault) -> None:
    world.disk.empty()
    world.start_postgres()


def _fills(world: World, fault: Fault) -> None:
    world.disk.fill()


MADE: dict[str, tuple[Act, Act]] = {
    "the database crashes": (_crashes, _starts),
    "the database restarts": (_stops, _starts),
    "the database refuses": (lambda world, fault: world.database.refuses(), _lets_pass("database")),
    "the database resets": (lambda world, fault: world.database.resets(), _lets_pass("database")),
    "the database stands still": (
        lambda world, fault: world.database.stands_still(),
        _lets_pass("database"),
    ),
    "the database is slow": (_slows_database, _lets_pass("database")),
    "the database is cut off": (_cuts("database"), _lets_pass("database")),
    "the disk is full": (_fills, _starts),
    "redis is killed": (
        lambda world, fault: world.redis.stop(),
        lambda world, fault: world.start_redis(),
    ),
    "redis forgets": (_forgets, _nothing),
    "redis refuses": (lambda world, fault: world.cache.refuses(), _lets_pass("cache")),
    "redis stands still": (lambda world, fault: world.cache.stands_still(), _lets_pass("cache")),
    "redis is slow": (
        lambda world, fault: world.cache.slows(latency=_latency(fault)),
        _lets_pass("cache"),
    ),
    "stripe refuses": (lambda world, fault: world.cards.refuses(), _lets_pass("cards")),
    "stripe stands still": (lambda world, fault: world.cards.stands_still(), _lets_pass("cards")),
    "stripe is slow": (_slows_stripe, _lets_pass("cards")),
    "stripe is cut off": (_cuts("cards"), _lets_pass("cards")),
    "stripe loses answers": (_loses_answers, _finds_answers),
    "stripe talks nonsense": (_talks_nonsense, _talks_sense),
    "mail refuses": (lambda world, fault: world.post.refuses(), _lets_pass("post")),
    "mail stands still": (lambda world, fault: world.post.stands_still(), _lets_pass("post")),
    "mail is cut off": (_cuts("post"), _lets_pass("post")),
    "the clock jumps": (_sets_clock_wrong, _sets_clock_right),
}
"""By name: how it begins, and how it ends. Workers are killed by whoever starts them."""
BY_THE_RUNNER = "a worker is killed"

assert set(FAULTS) == {*MADE, BY_THE_RUNNER}


def possible(world: World) -> tuple[str, ...]:
    """Those that this machine lets us make."""
    return tuple(name for name in FAULTS if world.disk.is_small or name != "the disk is full")
