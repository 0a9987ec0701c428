"""What there is to watch, read for all tabs here once a second at most, unless it has changed.

Budgets end and go on all the time, somewhere: tabs are asked only where they would show other ads.
"""

import asyncio
import time
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from rewards_app.core import live
from rewards_app.core.database import transaction
from rewards_app.core.errors import DomainError
from rewards_app.core.rounds import rounds
from rewards_app.features.ads import catalogue, serving
from rewards_app.features.ads.catalogue import ShownAd

SHOWN = "ads.shown"
"""What a worker tells its own pages: another listing is to be seen."""
FRESH_FOR_SECONDS = 1.0
TOLD_WITHIN_SECONDS = 30.0
"""How soon it is told that something changed where the ads to be seen are the same: there are more
or fewer, or what came is gone again, and a page that was opened in between shows it."""


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
    failure: DomainError | None = None
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
        self._looked_at = 0
        """The edition of the last round."""
        self._told: Mapping[bool, Listing] = {}
        self._told_at = float("-inf")
        self._is_owed = False
        """Something has changed since they were told."""

    async def note_change(self, _key: str = "") -> None:
        self._edition += 1

    async def of(self, *, is_minor: bool) -> Listing:
        known = self._known[is_minor]
        async with known.one_at_a_time:
            if known.listing is None or self._is_old(known):
                await self._read(known, is_minor)
            if known.failure:
                raise known.failure
            assert known.listing, "it was read, or could not be"
            return known.listing

    async def _read(self, known: _Known, is_minor: bool) -> None:
        """Whoever waited for it shares a failure, too: none of them asks again at once."""
        if known.failure and self._clock() - known.read_at < FRESH_FOR_SECONDS:
            return
        # Before reading: what changes meanwhile is read next time.
        edition, known.failure = self._edition, None
        try:
            known.listing, known.edition = await read(is_minor=is_minor), edition
        except DomainError as failure:
            known.failure = failure
        known.read_at = self._clock()

    async def look(self) -> None:
        """One round of a worker: its pages are asked to look where they would show other ads, and
        now and then where anything else has changed."""
        edition, now = self._edition, self._clock()
        is_due = now - self._told_at >= TOLD_WITHIN_SECONDS
        if edition == self._looked_at and not (self._is_owed and is_due):
            return
        found = {is_minor: await self.of(is_minor=is_minor) for is_minor in (True, False)}
        self._looked_at, self._is_owed = edition, True
        if is_due or _seen(found) != _seen(self._told):
            self._told, self._told_at, self._is_owed = found, now, False
            await live.hear(SHOWN)

    def _is_old(self, known: _Known) -> bool:
        is_late = self._clock() - known.read_at >= FRESH_FOR_SECONDS
        return is_late or known.edition != self._edition

    def forget(self) -> None:
        """For tests, which share one process."""
        self._known.clear()
        self._told, self._told_at, self._is_owed = {}, float("-inf"), False


def _seen(listings: Mapping[bool, Listing]) -> dict[bool, Sequence[ShownAd]]:
    return {is_minor: listing.ads for is_minor, listing in listings.items()}


async def read(*, is_minor: bool) -> Listing:
    async with transaction() as session:
        ads = await catalogue.listed(session, is_minor=is_minor)
        return Listing(ads, await catalogue.servable_count(session, is_minor=is_minor))


listings = Listings()


def listen() -> None:
    """Hear what every worker changes."""
    for topic in (serving.CHANGED, live.TAKEN_UP):
        live.on(topic, listings.note_change)


async def tell() -> None:
    """Run for the life of a worker."""
    await rounds(listings.look, FRESH_FOR_SECONDS, "ads.not_told")
