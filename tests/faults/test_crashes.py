"""The database crashes while people watch: calls fail in words, and what was answered is kept."""

import asyncio
import os
from collections import Counter
from dataclasses import dataclass, field
from datetime import timedelta
from uuid import UUID

import psycopg
import pytest

from rewards_app.core.actor import Actor
from rewards_app.core.database import transaction
from rewards_app.core.errors import StorageAway
from rewards_app.features.ads.service import RunningAd
from rewards_app.features.coins import service as coins
from rewards_app.models import Ad
from tests import steady
from tests.ads import NOON, an_ad, finishes, starts, the_player
from tests.ledger import what_is_wrong
from tests.servers import OwnServer

PLAYERS = 20
CRASHES = int(os.environ.get("CRASHES", "4"))
LAST_ONE_LASTS = float(os.environ.get("LAST_ONE_LASTS", "3"))
"""Seconds. `make promises` takes a hundred, the last of them for a minute."""
BACK_WITHIN = 5.0


@dataclass
class Crowd:
    """Players who watch one ad after the other, and ask again when no answer came."""

    ad: Ad
    players: list[Actor]
    is_over: bool = False
    rewarded: list[UUID] = field(default_factory=list)
    answered: Counter[str] = field(default_factory=Counter)
    last_success: float = 0.0

    async def watch(self) -> None:
        await asyncio.gather(*map(self._watch, self.players))

    async def _watch(self, player: Actor) -> None:
        now = NOON
        while not self.is_over:
            now += timedelta(hours=1)  # fifty a day are never reached
            view = await self._start(player, now)
            if view and await self._finish(player, view, now + timedelta(seconds=5)):
                self.rewarded.append(view.view_id)

    async def _start(self, player: Actor, now) -> RunningAd | None:
        try:
            view = await starts(player, self.ad, now=now)
        except StorageAway:
            await self._wait()
            return None
        return view

    async def _finish(self, player: Actor, view: RunningAd, now) -> bool:
        """As the page does: it asks until it is answered, and says that it asks again."""
        is_repeated = False
        while not self.is_over:
            try:
                await finishes(player, view, now=now, is_repeated=is_repeated)
            except StorageAway:
                await self._wait()
                is_repeated = True
            else:
                self.answered["finished"] += 1
                self.last_success = steady.seconds()
                return True
        return False

    async def _wait(self) -> None:
        self.answered["away"] += 1
        await asyncio.sleep(0.05)

    async def is_served_again(self) -> float:
        """How long it took from now until somebody was paid again."""
        start = steady.seconds()
        while self.last_success <= start:
            assert steady.seconds() - start < BACK_WITHIN, self.answered
            await asyncio.sleep(0.01)
        return steady.seconds() - start


@pytest.fixture
async def crowd(own_server: OwnServer) -> Crowd:
    return Crowd(await an_ad(), [await the_player(f"Player{n}") for n in range(PLAYERS)])


@pytest.mark.timeout(240 + 10 * CRASHES + LAST_ONE_LASTS)
class TestCrashes:
    async def test_under_load_lose_nothing_and_are_over_at_once(
        self, crowd: Crowd, own_server: OwnServer
    ):
        watching = asyncio.create_task(crowd.watch())
        waits = []
        for number in range(CRASHES):
            is_last = number == CRASHES - 1
            await asyncio.sleep(0.5)
            await asyncio.to_thread(own_server.crash)
            await asyncio.sleep(LAST_ONE_LASTS if is_last else 0.2)
            await asyncio.to_thread(own_server.start)
            waits.append(await crowd.is_served_again())
        crowd.is_over = True
        await watching  # nothing but success or StorageAway has come out of any call
        print(f"{CRASHES} crashes, {dict(crowd.answered)}, back after {max(waits):.2f} s at most")

        assert crowd.answered["away"] > 0
        assert crowd.rewarded
        assert set(crowd.rewarded) <= rewarded_in(own_server.url)
        assert not what_is_wrong(own_server.url)
        async with transaction() as session:
            assert (await coins.check(session)).is_clean


def rewarded_in(url: str) -> set[UUID]:
    with psycopg.connect(url) as connection:
        rows = connection.execute(
            "select ad_views.id from ad_views join coin_entries on cause = 'ad:' || ad_views.id"
            " where status = 'rewarded'"
        ).fetchall()
    return {row[0] for row in rows}
