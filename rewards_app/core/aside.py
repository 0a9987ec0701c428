"""What a sick disk is asked: beside the event loop, for a few seconds, and one thing at a time."""

import asyncio
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import suppress
from threading import Thread
from typing import Any, TypeVar

SECONDS = 3.0
Answer = TypeVar("Answer")

_asked: dict[str, Future[Any]] = {}
"""The last of each name."""


async def answer_to(name: str, ask: Callable[[], Answer]) -> Answer | None:
    """None: it fails, or takes too long. While one hangs no other of its name is begun."""
    if name not in _asked or _asked[name].done():
        _asked[name] = _begun(ask)
    with suppress(OSError, TimeoutError):
        return await asyncio.wait_for(asyncio.wrap_future(_asked[name]), SECONDS)
    return None


def _begun(ask: Callable[[], Answer]) -> Future[Answer]:
    """In a thread of its own: those of a pool are waited for when the process ends."""
    answer: Future[Answer] = Future()
    # From here on whoever stops waiting does not take the answer from the others.
    answer.set_running_or_notify_cancel()

    def run() -> None:
        try:
            answer.set_result(ask())
        except BaseException as failure:
            answer.set_exception(failure)

    Thread(target=run, daemon=True).start()
    return answer
