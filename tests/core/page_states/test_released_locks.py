"""A worker hears of a lock that another one lets go, if it waits for one; else of none."""

import asyncio
from collections.abc import AsyncIterator, Awaitable
from typing import Any
from uuid import uuid4

import pytest
from reflex.istate.manager.redis import StateManagerRedis

from rewards_app.core.page_states import released_locks
from rewards_app.doctor import rules
from tests import steady
from tests.holding import a_holder
from tests.serving import Redis

Worker = StateManagerRedis


@pytest.fixture
async def workers(redis: Redis, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[list[Worker]]:
    monkeypatch.setattr(released_locks, "SECONDS_TO_RECONNECT", 0.01)
    both = [await a_holder(redis, monkeypatch) for _ in range(2)]
    await both[0].redis.flushdb()
    yield both
    for worker in both:
        await worker.close()


def a_lock() -> bytes:
    return f"{uuid4()}_lock".encode()


async def takes(worker: Worker, lock: bytes) -> None:
    await worker._wait_lock(lock, b"mine")


async def soon(*waiting: Awaitable[None]) -> None:
    """From now on: to wait for a lock takes as long as somebody has it."""
    async with steady.timeout(3):
        await asyncio.gather(*waiting)


async def is_true_soon(what: Any, within: float = 3) -> None:
    async with steady.timeout(within):
        while not await what():
            await asyncio.sleep(0.01)


async def hearers(worker: Worker) -> int:
    """How many are told of a lock."""
    return await worker.redis.publish("__keyspace@0__:nobodys_lock", "set")


async def test_who_waits_for_none_hears_of_none(workers: list[Worker]):
    here, there = workers
    for worker in (here, there):
        await soon(takes(worker, a_lock()))
    assert await hearers(here) == 0


async def test_who_waits_gets_it_as_soon_as_it_is_let_go(workers: list[Worker]):
    here, there = workers
    lock, waits = await one_that_waits(here, there)
    assert not waits.done()
    await here.redis.delete(lock)
    await soon(waits)
    assert await there.redis.get(lock) == b"mine"


async def test_many_wait_by_one_subscription_which_ends_with_the_last(workers: list[Worker]):
    here, there = workers
    waiting = [await one_that_waits(here, there) for _ in range(20)]
    assert await hearers(here) == 1
    for lock, _ in waiting:
        await here.redis.delete(lock)
    await soon(*(waits for _, waits in waiting))
    await is_true_soon(lambda: nobody_hears(here))


async def test_who_is_cut_off_while_it_waits_misses_nothing(workers: list[Worker]):
    here, there = workers
    lock, waits = await one_that_waits(here, there)
    # At once: no notice can come in between.
    async with here.redis.pipeline(transaction=True) as both:
        both.execute_command("client kill type pubsub")
        both.delete(lock)
        await both.execute()
    await soon(waits)


async def test_who_gives_up_waiting_listens_no_more(workers: list[Worker]):
    here, there = workers
    _, waits = await one_that_waits(here, there)
    waits.cancel()
    await is_true_soon(lambda: nobody_hears(here))


async def test_a_redis_that_was_started_anew_tells_of_locks_again(
    workers: list[Worker], redis: Redis
):
    here, there = workers
    with redis.away():
        pass
    # Whoever holds states has it told before anybody waits: tabs need to be told, too.
    await is_true_soon(lambda: keys_are_told(here), within=30)
    lock, waits = await one_that_waits(here, there)
    await here.redis.delete(lock)
    await soon(waits)


async def test_a_redis_that_takes_no_wishes_tells_what_it_was_set_up_to(
    workers: list[Worker], redis: Redis, monkeypatch: pytest.MonkeyPatch
):
    """As one that somebody else runs."""
    its_own = workers[0].redis
    await its_own.config_set("notify-keyspace-events", rules.TELLS_OF_KEYS)
    limited: Any = ("limited", "on", "nopass", "~*", "&*", "+@all", "-config")
    await its_own.execute_command("ACL", "SETUSER", *limited)
    try:
        here, there = [
            await a_holder(redis, monkeypatch, signed_in="limited:any@") for _ in range(2)
        ]
        lock, waits = await one_that_waits(here, there)
        await here.redis.delete(lock)
        await soon(waits)
        for worker in (here, there):
            await worker.close()
    finally:
        await its_own.execute_command("ACL", "DELUSER", "limited")


async def one_that_waits(here: Worker, there: Worker) -> tuple[bytes, asyncio.Task[None]]:
    """A lock that one worker holds and another one waits for."""
    lock = a_lock()
    await soon(takes(here, lock))
    waits = asyncio.create_task(takes(there, lock))
    await is_true_soon(lambda: is_waited_for(there, lock))
    return lock, waits


async def keys_are_told(worker: Worker) -> bool:
    told: Any = await worker.redis.config_get("notify-keyspace-events")
    return bool(told["notify-keyspace-events"])


async def nobody_hears(worker: Worker) -> bool:
    return not await hearers(worker)


async def is_waited_for(worker: Worker, lock: bytes) -> bool:
    """It has tried, and waits to be told."""
    return bool(await worker._n_lock_contenders(lock))
