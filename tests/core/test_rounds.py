"""What a worker does again and again: to one beat, and whatever fails."""

import asyncio

import pytest
from hypothesis import given
from hypothesis import strategies as st
from structlog.testing import capture_logs

from rewards_app.core.errors import StorageAway
from rewards_app.core.rounds import TOO_SOON, rounds, until_next_beat

EVERY = (0.25, 0.5, 1.0, 5.0)
A_TENTH_OF_A_MILLISECOND = 1e-4
now = st.floats(1, 1e7)


class TestABeat:
    @given(now=now, every=st.sampled_from(EVERY))
    def test_comes_in_time_and_not_at_once(self, now: float, every: float):
        left = until_next_beat(every, now)
        assert TOO_SOON * every < left <= (1 + TOO_SOON) * every

    @given(now=now, later=st.floats(0, 100))
    def test_of_who_looks_seldom_is_one_of_who_looks_often(self, now: float, later: float):
        often, seldom = now + until_next_beat(0.25, now), now + later
        seldom += until_next_beat(5.0, seldom)
        apart = (seldom - often) % 0.25
        assert min(apart, 0.25 - apart) < A_TENTH_OF_A_MILLISECOND


@pytest.mark.parametrize(
    ("failure", "level"), [(StorageAway(), "warning"), (ZeroDivisionError(), "error")]
)
async def test_what_fails_is_logged_and_tried_again(failure: Exception, level: str):
    times, is_third = 0, asyncio.Event()

    async def work() -> None:
        nonlocal times
        times += 1
        if times == 1:
            raise failure
        if times == 3:
            is_third.set()

    with capture_logs() as lines:
        working = asyncio.create_task(rounds(work, 0.01, "work.not_done"))
        async with asyncio.timeout(10):
            await is_third.wait()
        working.cancel()
        await asyncio.gather(working, return_exceptions=True)
    assert [(line["event"], line["log_level"]) for line in lines] == [("work.not_done", level)]
