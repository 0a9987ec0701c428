"""What a worker does again and again for as long as it lives, all of it to one beat.

Whoever looks for something each quarter of a second mostly finds nothing. A worker that wakes once
for all of them costs less than one that wakes for each.
"""

import asyncio
import random
from collections.abc import Awaitable, Callable
from typing import NoReturn

import structlog

from rewards_app.core.errors import DomainError

_log = structlog.get_logger(__name__)

_OWN_BEAT = random.random()  # noqa: S311  (no secret)
"""Seconds: workers of one machine do not all wake at once."""
TOO_SOON = 0.1
"""Of the time between two beats: a clock that wakes somebody a little early gives no second one."""


async def rounds(work: Callable[[], Awaitable[object]], every: float, failed: str) -> NoReturn:
    """Do `work` at each beat; what fails is logged by that name, and tried at the next one."""
    while True:
        try:
            await work()
        except DomainError as failure:
            _log.warning(failed, reason=failure.code)
        except Exception:
            _log.exception(failed)
        await asyncio.sleep(until_next_beat(every, asyncio.get_running_loop().time()))


def until_next_beat(every: float, now: float, *, of: float = _OWN_BEAT) -> float:
    """`of` is a moment that has one: 0.0 is the same for all workers of a machine."""
    left = every - (now - of) % every
    return left if left > TOO_SOON * every else left + every
