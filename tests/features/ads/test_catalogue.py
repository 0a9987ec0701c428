"""Which ads are listed, and how players see them."""

from datetime import timedelta

import pytest

from rewards_app.core.database import transaction
from rewards_app.core.ids import new_id
from rewards_app.features.ads import catalogue, serving
from rewards_app.features.ads.catalogue import ShownAd
from rewards_app.features.ads.serving import Wanted
from tests.ads import NOON, SECOND, a_campaign, an_ad, an_advertiser, change

pytestmark = pytest.mark.usefixtures("database")


async def listed() -> list[ShownAd]:
    async with transaction() as session:
        return await catalogue.listed(session)


async def servable_count() -> int:
    async with transaction() as session:
        return await catalogue.servable_count(session)


async def is_servable(ad_id) -> bool:
    async with transaction() as session:
        found = await serving.choose(session, Wanted(ad_id, None, is_minor=False), now=NOON)
    return ad_id in {ad.id for ad in found}


async def shown(ad_id) -> ShownAd | None:
    async with transaction() as session:
        return await catalogue.shown(session, ad_id)


async def ads_that_are_not_served() -> list:
    """One for each reason that there is."""
    return [
        await an_ad(status="pending_review"),
        await an_ad(status="paused"),
        await an_ad(status="rejected"),
        await an_ad(await a_campaign(status="draft")),
        await an_ad(await a_campaign(status="paused")),
        await an_ad(await a_campaign(status="completed")),
        await an_ad(await a_campaign(starts_at=NOON + SECOND)),
        await an_ad(await a_campaign(ends_at=NOON)),
        await an_ad(await a_campaign(await an_advertiser(status="pending"))),
        await an_ad(await a_campaign(await an_advertiser(status="rejected"))),
    ]


class TestTheListing:
    async def test_is_empty_in_an_empty_house(self):
        assert await listed() == []
        assert await servable_count() == 0

    async def test_shows_an_ad_as_players_see_it(self):
        campaign = await a_campaign(await an_advertiser("Hexhaven"))
        ad = await an_ad(campaign, title="Rise", seconds=30, reward=20, image_url="/ads/rise.webp")
        assert await listed() == [
            ShownAd(
                id=ad.id,
                title="Rise",
                description="A chair for long evenings.",
                kind="video",
                video_url="/ads/clip.webm",
                image_url="/ads/rise.webp",
                seconds=30,
                reward=20,
                advertiser="Hexhaven",
                has_link=True,
            )
        ]

    async def test_says_nothing_of_where_an_ad_leads(self):
        await an_ad(click_url="https://secret.example/deal")
        assert "secret.example" not in str(await listed())

    async def test_knows_an_ad_without_a_link(self):
        await an_ad(click_url="")
        assert not (await listed())[0].has_link

    async def test_leaves_out_what_is_not_served_for_whatever_reason(self):
        await ads_that_are_not_served()
        ad = await an_ad()
        assert [one.id for one in await listed()] == [ad.id]
        assert await servable_count() == 1

    async def test_shows_the_ten_newest_and_counts_all(self):
        made = [await an_ad(created_at=NOON - timedelta(days=age)) for age in range(12)]
        assert [one.id for one in await listed()] == [ad.id for ad in made[:10]]
        assert await servable_count() == len(made)

    async def test_begins_and_ends_with_the_campaigns_dates(self):
        await an_ad(await a_campaign(starts_at=NOON, ends_at=NOON + SECOND))
        assert len(await listed()) == 1


class TestOneAd:
    async def test_can_be_served_or_not_as_the_listing_says(self):
        assert await is_servable((await an_ad()).id)
        refused = await ads_that_are_not_served()
        assert [ad.title for ad in refused if await is_servable(ad.id)] == []

    async def test_is_shown_also_when_it_is_served_no_more(self):
        ad = await an_ad(title="Rise")
        await change(ad, status="rejected")
        found = await shown(ad.id)
        assert found
        assert found.title == "Rise"

    @pytest.mark.parametrize("status", ["pending_review", "rejected"])
    async def test_shows_nothing_of_what_nobody_has_approved_but_its_title(self, status: str):
        """It was changed while it is watched."""
        ad = await an_ad(title="Rise")
        await change(ad, status=status, video_url="https://evil.example/x.webm", description="Hm")
        found = await shown(ad.id)
        assert found
        assert (found.title, found.seconds, found.reward) == ("Rise", 5, 15)
        assert (found.description, found.video_url, found.image_url) == ("", "", "")
        assert not found.has_link

    async def test_that_never_was_is_neither_served_nor_shown(self):
        assert not await is_servable(new_id())
        assert await shown(new_id()) is None
