"""Processes that a test has to do with: those below its own, and whether one is over."""

import time
from contextlib import suppress

import psutil


def below_us(word: str) -> list[psutil.Process]:
    """Those that were started with this word."""
    return [one for one in psutil.Process().children(recursive=True) if _has(one, word)]


def _has(process: psutil.Process, word: str) -> bool:
    with suppress(psutil.NoSuchProcess):
        return any(word in said for said in process.cmdline())
    return False


def is_over(pid: int, within: float = 10) -> bool:
    """Ended, whether its parent has noticed or not."""
    deadline = time.monotonic() + within
    with suppress(psutil.NoSuchProcess):
        while psutil.Process(pid).status() != psutil.STATUS_ZOMBIE:
            if time.monotonic() > deadline:
                return False
            time.sleep(0.02)
    return True
