"""The clock stands while the machine does, and only then."""

import asyncio
import contextlib
import subprocess
import sys
import time
from collections.abc import Generator

import psutil
import pytest

from tests import steady
from tests.processes import is_over
from tests.serving import PROJECT

SHORT = 0.2
LONG = 60
STARTER = """
import sys
from tests import steady
steady.seconds()
print(steady._running()[0].pid, flush=True)
sys.stdin.read()
"""


@contextlib.contextmanager
def standing_still() -> Generator[None]:
    """The clock gets no turn, as on a machine that stalls."""
    clock = psutil.Process(steady._running()[0].pid)
    clock.suspend()
    while clock.status() != psutil.STATUS_STOPPED:
        time.sleep(0.01)
    try:
        yield
    finally:
        clock.resume()


async def goes_on_although_ended() -> None:
    with contextlib.suppress(asyncio.CancelledError):
        await asyncio.sleep(LONG)


class TestTheClock:
    def test_goes_on_and_never_faster_than_time(self):
        began, counted = time.monotonic(), steady.seconds()
        while steady.seconds() - counted < SHORT:
            time.sleep(0.01)
        assert time.monotonic() - began >= SHORT - steady.LONGEST_BEAT

    def test_counts_nothing_of_what_the_machine_stood_still(self):
        with standing_still():
            counted = steady.seconds()
            time.sleep(SHORT)
            assert steady.seconds() == counted
            resumed = time.monotonic()
        while (since := steady.seconds() - counted) == 0:
            time.sleep(steady.BEAT)
        assert since <= time.monotonic() - resumed + steady.LONGEST_BEAT

    def test_ends_with_whoever_started_it(self):
        starter = subprocess.Popen(
            [sys.executable, "-P", "-c", STARTER],
            cwd=PROJECT,
            env={"PYTHONPATH": str(PROJECT)},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        assert starter.stdout
        clock = int(starter.stdout.readline())
        assert not is_over(clock, within=0)
        starter.kill()
        starter.wait(10)
        assert is_over(clock)


class TestATimeout:
    async def test_ends_what_takes_longer(self):
        with pytest.raises(TimeoutError):
            async with steady.timeout(SHORT):
                await asyncio.sleep(LONG)

    async def test_is_none_for_what_is_done_in_time(self):
        async with steady.timeout(SHORT):
            pass
        await asyncio.sleep(2 * SHORT)

    async def test_waits_for_a_machine_that_stands_still(self):
        with standing_still():
            async with steady.timeout(SHORT):
                await asyncio.sleep(3 * SHORT)

    async def test_finds_who_went_on_late_though_they_were_ended(self):
        with pytest.raises(TimeoutError):
            async with steady.timeout(SHORT):
                await goes_on_although_ended()

    async def test_lets_out_what_failed(self):
        with pytest.raises(ZeroDivisionError):
            async with steady.timeout(SHORT):
                raise ZeroDivisionError
