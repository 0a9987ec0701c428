"""The three figures under the form: everybody's, counted once for all who look."""

import asyncio
import time
from collections.abc import Callable
from dataclasses import dataclass

import structlog

from rewards_app.features.accounts import service as accounts
from rewards_app.features.coins import service as coins
from rewards_app.features.shop import service as shop

_log = structlog.get_logger(__name__)
AT_MOST_EVERY_SECONDS = 30.0


@dataclass(frozen=True, slots=True)
class PublicFigures:
    players: int
    ads: int
    rewards: int


class Counted:
    """Counts at most once in a while, however many ask; what cannot be counted is unknown."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._known: PublicFigures | None = None
        self._tried_at = float("-inf")
        self._one_at_a_time = asyncio.Lock()

    async def fresh(self) -> PublicFigures | None:
        async with self._one_at_a_time:
            if self._clock() - self._tried_at >= AT_MOST_EVERY_SECONDS:
                self._tried_at = self._clock()
                self._known = await self._count()
        return self._known

    async def _count(self) -> PublicFigures | None:
        try:
            return PublicFigures(
                players=await accounts.players(),
                ads=await coins.ads_watched(),
                rewards=await shop.completed(),
            )
        except Exception as failure:
            _log.warning("public_figures.not_counted", reason=type(failure).__name__)
            return None


counted = Counted()
