"""A worker holds a page's state for a moment, and gives it to whoever wants it."""

import asyncio
from collections.abc import AsyncIterator
from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from reflex.istate.manager.redis import StateManagerRedis
from reflex.istate.manager.token import BaseStateToken
from reflex.state import State

from rewards_app.core.page_states import held
from rewards_app.core.page_states.held import forget_locks, write_states
from rewards_app.core.state import AppState
from tests.holding import a_holder
from tests.serving import Redis


@pytest.fixture
async def workers(
    redis: Redis, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[list[StateManagerRedis]]:
    both = [await a_holder(redis, monkeypatch) for _ in range(2)]
    await both[0].redis.flushdb()
    yield both
    for worker in both:
        await worker.close()


async def says(worker: StateManagerRedis, token: BaseStateToken, name: str) -> str:
    """An event of the page that changes what it shows; what it showed before."""
    async with worker.modify_state(token) as root:
        state = await root.get_state(AppState)
        before, state.name = state.name, name
    return before


def a_token() -> BaseStateToken:
    return BaseStateToken(ident=str(uuid4()), cls=State)


async def in_redis(worker: StateManagerRedis, token: BaseStateToken) -> str:
    return (await (await worker.get_state(token)).get_state(AppState)).name


@pytest.fixture
def held_for_a_while(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(held, "HELD", timedelta(seconds=6))


@pytest.mark.usefixtures("held_for_a_while")
async def test_what_was_done_is_written_when_the_moment_is_over(workers: list[StateManagerRedis]):
    here, _ = workers
    token = a_token()
    await says(here, token, "Maja")
    assert await says(here, token, "Maja S.") == "Maja"
    assert await in_redis(here, token) == ""
    async with asyncio.timeout(30):
        while await in_redis(here, token) != "Maja S.":
            await asyncio.sleep(0.05)


LIFE_OF_A_LOCK = 4.0
"""Seconds in place of ten, and longer than a page is held."""


async def takes_long(worker: StateManagerRedis, token: BaseStateToken, seconds: float) -> None:
    """An event that waits for somebody else before it changes what the page shows."""
    async with worker.modify_state(token) as root:
        state = await root.get_state(AppState)
        await asyncio.sleep(seconds)
        state.name = "Maja"


@pytest.fixture
def short_lives(workers: list[StateManagerRedis]) -> None:
    for worker in workers:
        worker.lock_expiration = int(LIFE_OF_A_LOCK * 1000)


@pytest.mark.usefixtures("short_lives")
async def test_what_takes_longer_than_a_lock_lives_is_written_all_the_same(
    workers: list[StateManagerRedis],
):
    here, there = workers
    token = a_token()
    await takes_long(here, token, 2 * LIFE_OF_A_LOCK)
    await write_states(here, list(here._cached_states))
    assert await in_redis(there, token) == "Maja"


@pytest.mark.usefixtures("short_lives")
async def test_what_is_stuck_keeps_a_page_from_nobody(
    workers: list[StateManagerRedis], monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(held, "LONGEST_EVENT", timedelta(0))
    here, there = workers
    token = a_token()
    stuck = asyncio.create_task(takes_long(here, token, 60))
    await asyncio.sleep(0.1)
    async with asyncio.timeout(10):
        assert await says(there, token, "Ola") == ""
    stuck.cancel()


async def test_another_worker_gets_it_as_it_is(workers: list[StateManagerRedis]):
    here, there = workers
    token = a_token()
    for number in range(5):
        await says(here, token, f"here {number}")
        assert await says(there, token, f"there {number}") == f"here {number}"
        assert await says(here, token, "") == f"there {number}"


@pytest.fixture
def held_for_long(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(held, "HELD", timedelta(seconds=9))


@pytest.mark.usefixtures("held_for_long")
async def test_another_worker_gets_it_at_once_also_by_a_redis_that_was_started_anew(
    workers: list[StateManagerRedis], redis: Redis
):
    here, there = workers
    with redis.away():
        pass
    async with asyncio.timeout(30):
        while not await are_told(here):
            await asyncio.sleep(0.05)
    token = a_token()
    await says(here, token, "Maja")
    async with asyncio.timeout(5):
        assert await says(there, token, "Ola") == "Maja"


async def are_told(worker: StateManagerRedis) -> bool:
    """Whether both hear who waits, and Redis says it."""
    told: Any = await worker.redis.config_get("notify-keyspace-events")
    hearers = await worker.redis.publish("__keyspace@0__:nobodys_lock_waiters", "set")
    return bool(told["notify-keyspace-events"]) and hearers == 2


async def test_a_worker_that_stops_writes_what_it_holds(workers: list[StateManagerRedis]):
    here, there = workers
    token = a_token()
    await says(here, token, "Maja")
    await here.close()
    assert await in_redis(there, token) == "Maja"


async def test_what_is_to_be_written_is_written_at_once(workers: list[StateManagerRedis]):
    here, there = workers
    tokens = [a_token() for _ in range(3)]
    for token in tokens:
        await says(here, token, "Maja")
    await write_states(here, list(here._cached_states))
    assert [await in_redis(there, token) for token in tokens] == ["Maja"] * 3


async def test_locks_of_pages_that_are_gone_are_forgotten(workers: list[StateManagerRedis]):
    here, _ = workers
    gone, still_held = a_token(), a_token()
    await says(here, gone, "Maja")
    await write_states(here, list(here._cached_states))
    await says(here, still_held, "Ola")
    forget_locks(here)
    assert list(here._cached_states_locks) == [still_held.lock_key]
    assert await says(here, gone, "Maja again") == "Maja"
    assert await says(here, still_held, "") == "Ola"
