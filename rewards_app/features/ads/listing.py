"""What there is to watch, read for all tabs here once a second at most, unless it has changed."""

import asyncio
import time
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from rewards_app.core import live
from rewards_app.core.database import transaction
from rewards_app.features.ads import catalogue, serving
from rewards_app.features.ads.catalogue import ShownAd

FRESH_FOR_SECONDS = 1.0


@dataclass(frozen=True, slots=True)
class Listing:
    ads: Sequence[ShownAd]
    """The newest."""
    available: int
    """How many there are in all."""


@dataclass
class _Known:
    listing: Listing | None = None
    read_at: float = 0.0
    edition: int = 0
    one_at_a_time: asyncio.Lock = field(default_factory=asyncio.Lock)


class Listings:
    """One for minors and one for everybody else; whoever asks while somebody reads waits for that.

    Many have the page open: when ads come or go, all of them ask in the same moment.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._edition = 0
        """Grows when other ads are served."""
        self._known: dict[bool, _Known] = defaultdict(_Known)

    async def note_change(self, _key: str = "") -> None:
        self._edition += 1

    async def of(self, *, is_minor: bool) -> Listing:
        known = self._known[is_minor]
        async with known.one_at_a_time:
            if known.listing is None or self._is_old(known):
                # Before reading: what changes meanwhile is read next time.
                edition = self._edition
                known.listing = await read(is_minor=is_minor)
                known.read_at, known.edition = self._clock(), edition
            return known.listing

    def _is_old(self, known: _Known) -> bool:
        is_late = self._clock() - known.read_at >= FRESH_FOR_SECONDS
        return is_late or known.edition != self._edition

    def forget(self) -> None:
        """For tests, which share one process."""
        self._known.clear()


async def read(*, is_minor: bool) -> Listing:
    async with transaction() as session:
        ads = await catalogue.listed(session, is_minor=is_minor)
        return Listing(ads, await catalogue.servable_count(session, is_minor=is_minor))


listings = Listings()


def listen() -> None:
    """Hear what every worker changes."""
    for topic in (serving.CHANGED, live.TAKEN_UP):
        live.on(topic, listings.note_change)
