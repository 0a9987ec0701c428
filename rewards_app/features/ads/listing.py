"""What there is to watch, read for all tabs here once a second at most, unless it has changed.

Budgets end and go on all the time, somewhere: tabs are asked only where they would show other ads.
"""

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

from rewards_app.core import live
from rewards_app.core.database import transaction
from rewards_app.core.rounds import rounds
from rewards_app.core.shared import FRESH_FOR_SECONDS, Shared
from rewards_app.features.ads import catalogue, serving
from rewards_app.features.ads.catalogue import ShownAd

SHOWN = "ads.shown"
"""What a worker tells its own pages: another listing is to be seen."""
TOLD_WITHIN_SECONDS = 30.0
"""How soon it is told that something changed where the ads to be seen are the same: there are more
or fewer of those that are not shown."""


@dataclass(frozen=True, slots=True)
class Listing:
    ads: Sequence[ShownAd]
    """The newest."""
    available: int
    """How many there are in all."""


class Listings:
    """One for minors and one for everybody else; who acts for a company has one of their own.

    Many have the page open: when ads come or go, all of them ask in the same moment.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._shared = Shared[bool, Listing](clock)
        self.note_change = self._shared.note_change
        self._looked_at = 0
        """The edition of the last round."""
        self._told: Mapping[bool, Listing] = {}
        self._told_at = float("-inf")
        self._is_owed = False
        """Something has changed since they were told."""

    async def of(self, *, is_minor: bool, player: UUID | None = None) -> Listing:
        """`player` is who acts for a company."""
        if player:
            return await read(is_minor=is_minor, player=player)
        return await self._shared.of(is_minor, lambda: read(is_minor=is_minor))

    async def opened(self, *, is_minor: bool, player: UUID | None = None) -> Listing:
        """As it is now, for a page that opens.

        What came in this moment may be gone again by the next round, and only this page shows it.
        """
        found = await read(is_minor=is_minor, player=player)
        if not player and is_minor in self._told and found.ads != self._told[is_minor].ads:
            self._told = {}
        return found

    async def look(self) -> None:
        """One round of a worker: its pages are asked to look where they would show other ads, and
        now and then where anything else has changed."""
        edition, now = self._shared.edition, self._clock()
        is_due = now - self._told_at >= TOLD_WITHIN_SECONDS
        if edition == self._looked_at and not (self._is_owed and is_due):
            return
        found = {is_minor: await self.of(is_minor=is_minor) for is_minor in (True, False)}
        self._looked_at, self._is_owed = edition, True
        if is_due or _seen(found) != _seen(self._told):
            self._told, self._told_at, self._is_owed = found, now, False
            await live.hear(SHOWN)

    def forget(self) -> None:
        """For tests, which share one process."""
        self._shared.forget()
        self._told, self._told_at, self._is_owed = {}, float("-inf"), False


def _seen(listings: Mapping[bool, Listing]) -> dict[bool, Sequence[ShownAd]]:
    return {is_minor: listing.ads for is_minor, listing in listings.items()}


async def read(*, is_minor: bool, player: UUID | None = None) -> Listing:
    async with transaction() as session:
        ads = await catalogue.listed(session, is_minor=is_minor, player=player)
        count = await catalogue.servable_count(session, is_minor=is_minor, player=player)
        return Listing(ads, count)


listings = Listings()


def listen() -> None:
    """Hear what every worker changes."""
    for topic in (serving.CHANGED, live.TAKEN_UP):
        live.on(topic, listings.note_change)


async def tell() -> None:
    """Run for the life of a worker."""
    await rounds(listings.look, FRESH_FOR_SECONDS, "ads.not_told")
