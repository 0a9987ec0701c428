"""A clock that stands while the machine does: what is due within seconds is due by this one.

A process of its own counts its beats. Where one comes late, nobody had the machine meanwhile, and
it counts as one; a server that is slow is slow by this clock as well. Run as a script this is that
process: it needs nothing but the standard library, and ends with whoever started it.
"""

import asyncio
import mmap
import select
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from functools import cache

BEAT = 0.005
LONGEST_BEAT = 1.5 * BEAT
A_NUMBER = 8


def seconds() -> float:
    """Those that the machine has granted since somebody first asked, never more than went by."""
    process, counted = _running()
    assert process.poll() is None, "the clock has ended"
    return counted[0]


@asynccontextmanager
async def timeout(within: float) -> AsyncGenerator[None]:
    """As `asyncio.timeout`; whoever goes on although they were told to end is late all the same."""
    due, loop = seconds() + within, asyncio.get_running_loop()

    def look() -> None:
        nonlocal looking
        if (left := due - seconds()) > 0:
            looking = loop.call_later(max(left, BEAT), look)
        else:
            limit.reschedule(loop.time())

    looking = loop.call_later(within, look)
    try:
        async with asyncio.timeout(None) as limit:
            yield
    finally:
        looking.cancel()
    if limit.expired():
        raise TimeoutError


@cache
def _running() -> tuple[subprocess.Popen[bytes], "memoryview[float]"]:
    """The process, and where it writes what it has counted."""
    with tempfile.TemporaryFile() as file:
        file.truncate(A_NUMBER)
        counted = _number_in(file.fileno())
        process = subprocess.Popen(
            [sys.executable, "-I", "-S", __file__, str(file.fileno())],
            stdin=subprocess.PIPE,
            pass_fds=[file.fileno()],
        )
    while not counted[0]:
        assert process.poll() is None, "the clock does not begin"
        time.sleep(BEAT)
    return process, counted


def _number_in(file: int) -> "memoryview[float]":
    return memoryview(mmap.mmap(file, A_NUMBER)).cast("d")


def _count(file: int) -> None:
    """Until our input ends, which whoever started us holds open while they live."""
    counted, last = _number_in(file), time.monotonic()
    while not select.select([sys.stdin.fileno()], [], [], BEAT)[0]:
        now = time.monotonic()
        counted[0] += min(now - last, LONGEST_BEAT)
        last = now


if __name__ == "__main__":
    # Whoever started us is told as well, and ends.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _count(int(sys.argv[1]))
