"""Many at once, but no more than a server has room for."""

import asyncio
from collections.abc import Awaitable, Iterable
from typing import TypeVar

T = TypeVar("T")


async def all_at_once(wanted: Iterable[Awaitable[T]], *, room: int = 12) -> list[T | BaseException]:
    """What came of each, a refusal included; `room` of them are under way at any moment."""
    places = asyncio.Semaphore(room)

    async def one(of_many: Awaitable[T]) -> T:
        async with places:
            return await of_many

    return await asyncio.gather(*map(one, wanted), return_exceptions=True)
