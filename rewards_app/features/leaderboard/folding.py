"""The first of the workers counts what is new soon after it was heard; the others make sure.

Each of them tells when a new day has begun: boards are of a week or a month, and say what is left.
"""

import math
import time
from collections.abc import Callable

from rewards_app.core import live
from rewards_app.core.clock import utc_now
from rewards_app.core.queue import turns
from rewards_app.core.rounds import rounds
from rewards_app.features.accounts import restrictions, sessions
from rewards_app.features.ads.days import platform_day
from rewards_app.features.coins import service as coins
from rewards_app.features.leaderboard import service
from rewards_app.features.leaderboard.boards import boards

LOOK_EVERY_SECONDS = 0.25
AT_MOST_EVERY_SECONDS = 1.0
OTHERS_EVERY_SECONDS = 5.0
AT_LEAST_EVERY_SECONDS = 30.0
"""A worker that died in the moment tells nobody of the coins that it gave."""
OF_COINS = (coins.CHANGED,)
OF_PEOPLE = (restrictions.CHANGED, sessions.ACCOUNT_CHANGED, live.TAKEN_UP)
OF_BOARDS = (service.CHANGED, live.TAKEN_UP)


class Folding:
    """Knows when counting is due: at once when something was heard, and now and then anyway."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._has_changed = True
        self._people_changed = True
        self._tried_at = -math.inf
        self._looked_at = -math.inf
        """When it was asked last who competes."""
        self._day = platform_day(utc_now())

    async def note_change(self, _key: str = "") -> None:
        self._has_changed = True

    async def note_people(self, _key: str = "") -> None:
        self._has_changed = self._people_changed = True

    def is_due(self) -> bool:
        age = self._clock() - self._tried_at
        if self._has_changed:
            is_first = turns.turn().is_first
            return age >= (AT_MOST_EVERY_SECONDS if is_first else OTHERS_EVERY_SECONDS)
        return age >= AT_LEAST_EVERY_SECONDS

    async def fold_if_due(self) -> None:
        self._tell_of_new_day()
        if not self.is_due():
            return
        now = self._tried_at = self._clock()
        looks = self._people_changed or now - self._looked_at >= AT_LEAST_EVERY_SECONDS
        # Before counting: what changes meanwhile is counted next time.
        self._has_changed = self._people_changed = False
        try:
            done = await service.fold(looks_at_everybody=looks, now=utc_now())
        except BaseException:
            self._put_back(looks)
            raise
        if done.is_busy:
            self._put_back(looks)
        elif looks:
            self._looked_at = now

    def _tell_of_new_day(self) -> None:
        before, self._day = self._day, platform_day(utc_now())
        if self._day != before:
            live.announce(service.CHANGED)

    def _put_back(self, looks: bool) -> None:
        self._has_changed = True
        self._people_changed = self._people_changed or looks


async def keep_folding() -> None:
    """Run for the life of a worker; what cannot be counted now is counted later."""
    folding = Folding()
    for topic in OF_COINS:
        live.on(topic, folding.note_change)
    for topic in OF_PEOPLE:
        live.on(topic, folding.note_people)
    for topic in OF_BOARDS:
        live.on(topic, boards.note_change)
    await rounds(folding.fold_if_due, LOOK_EVERY_SECONDS, "leaderboard.not_folded")
