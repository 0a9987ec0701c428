"""What is waited for only so long, however long it takes to end once it is told to.

A driver whose question is cancelled asks its server to stop and waits for that: for ten seconds
where the server hangs.
"""

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

Answer = TypeVar("Answer")

_ending: set[asyncio.Task[Any]] = set()
"""Those that nobody waits for any more: kept until they have ended."""


async def no_longer_than(seconds: float, work: Coroutine[Any, Any, Answer]) -> Answer:
    """Else a TimeoutError; what was begun is told to end, and ends by itself."""
    doing = asyncio.create_task(work)
    try:
        await asyncio.wait({doing}, timeout=seconds)
    finally:
        if not doing.done():
            _leave(doing)
    if doing in _ending:
        raise TimeoutError
    return doing.result()


def _leave(doing: asyncio.Task[Any]) -> None:
    _ending.add(doing)
    doing.add_done_callback(_forget)
    doing.cancel()


def _forget(ended: asyncio.Task[Any]) -> None:
    _ending.discard(ended)
    # Nobody asks it any more what came of it.
    _ = ended.cancelled() or ended.exception()
