"""Attempts counted in one process: by the same rules as in Redis, and without looking at all."""

import asyncio
import time

import pytest
from limits.aio.storage import memory
from limits.aio.strategies import MovingWindowRateLimiter

from rewards_app.core import limits, limits_in_memory
from rewards_app.core.limits_in_memory import SweptStorage

TWICE = limits.parse("2/hour")
Limiter = MovingWindowRateLimiter
PEOPLE = [f"player {number}" for number in range(1_200)]


class Clock:
    """Of the storage alone: the event loop keeps the real one."""

    ahead = 0.0

    def time(self) -> float:
        return time.time() + self.ahead

    def monotonic(self) -> float:
        return time.monotonic() + self.ahead


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    ours = Clock()
    monkeypatch.setattr(memory, "time", ours)
    monkeypatch.setattr(limits_in_memory, "time", ours)
    return ours


@pytest.fixture
def storage(clock: Clock) -> SweptStorage:
    return SweptStorage()


@pytest.fixture
def limiter(storage: SweptStorage) -> Limiter:
    return Limiter(storage)


async def is_swept(storage: SweptStorage) -> None:
    assert storage.timer is not None
    await storage.timer


class TestCounting:
    async def test_lets_through_as_many_as_the_limit_says(self, limiter: Limiter):
        assert [await limiter.hit(TWICE, "maja") for _ in range(4)] == [True, True, False, False]
        assert await limiter.hit(TWICE, "emil")

    async def test_counts_no_more_what_is_longer_ago_swept_or_not(
        self, limiter: Limiter, clock: Clock
    ):
        assert [await limiter.hit(TWICE, "maja") for _ in range(3)] == [True, True, False]
        clock.ahead = 3601
        assert [await limiter.hit(TWICE, "maja") for _ in range(3)] == [True, True, False]

    async def test_many_at_once_get_no_more_than_the_limit(self, limiter: Limiter):
        tried = await asyncio.gather(*(limiter.hit(TWICE, "maja") for _ in range(50)))
        assert sum(tried) == 2


class TestSweeping:
    async def test_no_attempt_looks_at_the_others(
        self, limiter: Limiter, storage: SweptStorage, monkeypatch: pytest.MonkeyPatch
    ):
        async def never(*_: object) -> None:
            raise AssertionError("another thread is asked")

        monkeypatch.setattr(asyncio, "to_thread", never)
        for who in PEOPLE:
            await limiter.hit(TWICE, who)
        assert storage.timer is None

    async def test_forgets_once_a_minute_what_counts_no_more(
        self, limiter: Limiter, storage: SweptStorage, clock: Clock
    ):
        for who in PEOPLE:
            await limiter.hit(TWICE, who)
        clock.ahead = 1800
        await limiter.hit(TWICE, "maja")
        await is_swept(storage)
        assert len(storage.events) == len(PEOPLE) + 1, "all of them count still"
        clock.ahead = 3700
        await limiter.hit(TWICE, "emil")
        await is_swept(storage)
        assert len(storage.events) == len(storage.locks) == 2
        await limiter.hit(TWICE, "maja")
        assert not await limiter.hit(TWICE, "maja"), "her first attempt is half an hour old"

    async def test_leaves_alone_who_is_being_counted(
        self, limiter: Limiter, storage: SweptStorage, clock: Clock
    ):
        await limiter.hit(TWICE, "maja")
        (key,) = storage.events
        clock.ahead = 3700
        async with storage.locks[key]:
            await storage.sweep()
            assert key in storage.events
        await storage.sweep()
        assert storage.events == {}


async def test_is_what_one_worker_counts_with():
    limits.forget_everything()
    assert isinstance(limits._limiter().storage, SweptStorage)
