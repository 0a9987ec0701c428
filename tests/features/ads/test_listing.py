"""What there is to watch is read once for all who have the page open."""

import asyncio
from collections.abc import Iterator
from uuid import UUID

import pytest

from rewards_app.core import live
from rewards_app.core.database import transaction
from rewards_app.core.errors import StorageAway
from rewards_app.features.ads import catalogue, listing
from rewards_app.features.ads.catalogue import ShownAd
from rewards_app.features.ads.listing import (
    FRESH_FOR_SECONDS,
    SHOWN,
    TOLD_WITHIN_SECONDS,
    Listing,
    Listings,
)
from tests import listeners
from tests.ads import a_campaign, an_ad, an_advertiser


class Reading:
    """Stands in for the database: counts how often it is asked, and by what for."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.seconds = 0.0
        self.ads: list[ShownAd] = []
        self.available: int | None = None
        """As many in all; otherwise one more whenever it is asked."""
        self.breaks = False
        self.asked: list[bool] = []
        self.listings = Listings(clock=lambda: self.seconds)
        monkeypatch.setattr(listing, "read", self._read)

    async def _read(self, *, is_minor: bool, player: UUID | None = None) -> Listing:
        self.asked.append(is_minor)
        available = self.available or len(self.asked)
        await asyncio.sleep(0)
        if self.breaks:
            raise StorageAway
        return Listing(self.ads, available)

    async def many_ask(self, *, is_minor: bool = False) -> set[int]:
        """What a thousand tabs are told in the same moment."""
        told = (self.listings.of(is_minor=is_minor) for _ in range(1000))
        return {found.available for found in await asyncio.gather(*told)}


@pytest.fixture
def reading(monkeypatch: pytest.MonkeyPatch) -> Reading:
    return Reading(monkeypatch)


class TestTheListing:
    async def test_is_read_once_for_all_who_ask(self, reading: Reading):
        assert await reading.many_ask() == {1}
        assert reading.asked == [False]

    async def test_is_read_again_when_ads_came_or_went(self, reading: Reading):
        await reading.many_ask()
        await reading.listings.note_change()
        assert await reading.many_ask() == {2}

    async def test_that_changes_while_it_is_read_is_read_next_time(self, reading: Reading):
        asking = asyncio.create_task(reading.many_ask())
        while not reading.asked:
            await asyncio.sleep(0)
        await reading.listings.note_change()
        await asking
        await reading.many_ask()
        assert len(reading.asked) == 2

    async def test_is_never_older_than_a_second(self, reading: Reading):
        await reading.many_ask()
        reading.seconds = FRESH_FOR_SECONDS
        assert await reading.many_ask() == {2}

    async def test_of_minors_is_another_one(self, reading: Reading):
        await reading.many_ask()
        await reading.many_ask(is_minor=True)
        assert reading.asked == [False, True]

    async def test_that_cannot_be_read_is_asked_for_once_a_second(self, reading: Reading):
        reading.breaks = True
        told = [reading.listings.of(is_minor=False) for _ in range(40)]
        refused = await asyncio.gather(*told, return_exceptions=True)
        assert {type(one) for one in refused} == {StorageAway}
        assert len(reading.asked) == 1
        reading.seconds, reading.breaks = FRESH_FOR_SECONDS, False
        assert await reading.many_ask() == {2}

    async def test_has_what_people_of_this_age_may_see(self, database: str):
        careful = await a_campaign(await an_advertiser(reaches_minors=False))
        for_all, grown_up = await an_ad(), await an_ad(careful)
        seen = {}
        for is_minor in (True, False):
            found = await listing.read(is_minor=is_minor)
            seen[is_minor] = ({ad.id for ad in found.ads}, found.available)
        assert seen == {True: ({for_all.id}, 1), False: ({for_all.id, grown_up.id}, 2)}


@pytest.fixture
def told() -> Iterator[list[str]]:
    """What the pages of a worker are told."""
    heard: list[str] = []

    async def note(key: str) -> None:
        heard.append(key)

    with listeners.put_back():
        live.on(SHOWN, note)
        yield heard


class TestTabs:
    async def test_are_asked_where_other_ads_are_to_be_seen(
        self, reading: Reading, told: list[str], database: str
    ):
        await reading.listings.note_change()
        await reading.listings.look()
        await reading.listings.look()
        assert len(told) == 1
        await an_ad()
        async with transaction() as session:
            reading.ads = list(await catalogue.listed(session, is_minor=False))
        await reading.listings.note_change()
        await reading.listings.look()
        assert len(told) == 2

    async def test_hear_now_and_then_that_only_the_count_is_another_one(
        self, reading: Reading, told: list[str]
    ):
        await reading.listings.note_change()
        await reading.listings.look()
        for _ in range(10):
            reading.seconds += FRESH_FOR_SECONDS
            await reading.listings.note_change()
            await reading.listings.look()
        assert len(told) == 1
        reading.seconds = TOLD_WITHIN_SECONDS
        await reading.listings.look()
        assert len(told) == 2

    async def comes_and_goes(self, reading: Reading, *, opens: bool) -> None:
        """Between two rounds."""
        reading.available = 1
        await reading.listings.note_change()
        await reading.listings.look()
        await an_ad()
        async with transaction() as session:
            reading.ads = list(await catalogue.listed(session))
        await reading.listings.note_change()
        if opens:
            assert (await reading.listings.opened(is_minor=False)).ads == reading.ads
        reading.ads = []
        await reading.listings.note_change()
        await reading.listings.look()

    async def test_hear_at_once_that_what_one_of_them_was_opened_with_is_gone(
        self, reading: Reading, told: list[str], database: str
    ):
        await self.comes_and_goes(reading, opens=True)
        assert len(told) == 2

    async def test_hear_later_of_what_none_of_them_shows(
        self, reading: Reading, told: list[str], database: str
    ):
        await self.comes_and_goes(reading, opens=False)
        assert len(told) == 1
        reading.seconds = TOLD_WITHIN_SECONDS
        await reading.listings.look()
        await reading.listings.look()
        assert len(told) == 2

    async def test_are_left_alone_while_nothing_changes(self, reading: Reading, told: list[str]):
        await reading.listings.note_change()
        await reading.listings.look()
        reading.seconds = 2 * TOLD_WITHIN_SECONDS
        await reading.listings.look()
        assert (len(told), len(reading.asked)) == (1, 2)
