"""The servings are what can be served, at places without gaps; choosing one is fair."""

import random
from collections import Counter
from collections.abc import Awaitable
from datetime import datetime, timedelta
from uuid import UUID

import psycopg
import pytest

from rewards_app.core import live
from rewards_app.core.actor import Actor
from rewards_app.core.database import transaction, write
from rewards_app.core.ids import new_id
from rewards_app.features.ads import catalogue, listing, service, serving
from rewards_app.features.ads.rules import NoAdToShow
from rewards_app.features.ads.serving import Wanted
from rewards_app.models import Ad, AdCampaign, Advertiser
from tests.ads import (
    NOON,
    SECOND,
    a_campaign,
    an_ad,
    an_advertiser,
    change,
    serve_what_can_be,
    starts,
    the_player,
    watches,
)
from tests.companies import Company, a_company, a_member
from tests.crowds import all_at_once

pytestmark = pytest.mark.usefixtures("database")
DAY = timedelta(days=1)
MINUTE = timedelta(minutes=1)
UNFAIR = 29.9
"""Chi-squared with seven degrees of freedom is larger than this in one of ten thousand runs."""
ELIGIBLE = """
select ads.id from ads join ad_campaigns campaign on campaign.id = campaign_id
    join advertisers company on company.id = advertiser_id
where ads.status = 'active' and campaign.status = 'active' and company.status = 'approved'
    and campaign.starts_at <= %(now)s and %(now)s < campaign.ends_at
    and (budget_cents is null or taken < 1000)
"""


async def choices(player: Actor | None = None, wanted: UUID | None = None, **who: bool):
    """The identifiers of the ads that are offered, the best first."""
    asked = Wanted(wanted, player.user_id if player else None, **{"is_minor": False} | who)
    async with transaction() as session:
        return [ad.id for ad in await serving.choose(session, asked, now=NOON)]


def servings(database: str) -> tuple[list[int], set[UUID]]:
    with psycopg.connect(database) as connection:
        rows = connection.execute("select position, ad_id from ad_servings order by 1").fetchall()
    return [row[0] for row in rows], {row[1] for row in rows}


def eligible(database: str, *, now: datetime = NOON) -> set[UUID]:
    with psycopg.connect(database) as connection:
        return {row[0] for row in connection.execute(ELIGIBLE, {"now": now})}


class TestServings:
    async def test_follow_every_change_of_an_ad(self, database: str):
        ads = [await an_ad() for _ in range(5)]
        for changed in ads[1], ads[4], ads[0]:
            await change(changed, status="paused")
            positions, served = servings(database)
            assert positions == list(range(1, len(served) + 1))
            assert served == eligible(database)
        await change(ads[1], status="active")
        assert servings(database)[1] == {ads[1].id, ads[2].id, ads[3].id}

    async def test_know_the_dates_of_a_campaign_at_the_moment_of_their_change(self, database: str):
        campaign = await a_campaign()
        ad = await an_ad(campaign)
        await change(campaign, ends_at=NOON)
        assert servings(database) == ([], set())
        await change(campaign, ends_at=NOON + DAY)
        assert servings(database) == ([1], {ad.id})
        await change(campaign, starts_at=NOON + SECOND)
        assert servings(database) == ([], set())

    async def test_begin_and_end_with_a_campaign_when_the_minute_comes(self, database: str):
        ad = await an_ad(await a_campaign(starts_at=NOON + MINUTE, ends_at=NOON + 2 * MINUTE))
        known = []
        for minute in range(3):
            await service.sweep(now=NOON + minute * MINUTE)
            known.append(servings(database)[1])
        assert known == [set(), {ad.id}, set()]

    async def test_know_what_an_ad_pays_now(self, database: str):
        ad = await an_ad(seconds=10, reward=10)
        await change(ad, duration=20, reward_coins=30)
        async with transaction() as session:
            assert await catalogue.usual(session) == (30, 20)
        assert servings(database) == ([1], {ad.id})

    async def test_of_one_campaign_are_made_without_looking_at_others(self, database: str):
        campaign = await a_campaign()
        ad, other = await an_ad(campaign), await an_ad()
        await turn("ads", other.id, "paused", sync=False)
        await turn("ads", ad.id, "paused", campaign_id=campaign.id)
        assert servings(database) == ([1], {other.id}), "its own change will tell"
        await serve_what_can_be()
        assert servings(database) == ([], set())

    @pytest.mark.parametrize("seed", range(3))
    async def test_have_no_gaps_whatever_many_change_at_the_same_time(
        self, seed: int, database: str
    ):
        chance = random.Random(seed)
        companies = [await an_advertiser() for _ in range(2)]
        campaigns = [await a_campaign(chance.choice(companies)) for _ in range(4)]
        for _ in range(12):
            await an_ad(chance.choice(campaigns))
        ads = list(eligible(database))

        def a_change() -> Awaitable[object]:
            return chance.choice(
                [
                    lambda: turn("ads", chance.choice(ads), chance.choice(["active", "paused"])),
                    lambda: turn_one(chance, campaigns, "ad_campaigns", ["active", "paused"]),
                    lambda: turn_one(chance, companies, "advertisers", ["approved", "rejected"]),
                    lambda: service.sweep(now=NOON),
                ]
            )()

        outcomes = await all_at_once((a_change() for _ in range(60)), room=8)
        assert [one for one in outcomes if isinstance(one, BaseException)] == []
        positions, served = servings(database)
        assert positions == list(range(1, len(served) + 1))
        assert served == eligible(database)


class TestWhoHasThePageOpen:
    @pytest.fixture
    def heard(self, monkeypatch: pytest.MonkeyPatch) -> list[str]:
        heard: list[str] = []
        monkeypatch.setattr(live, "announce", lambda topic, key="": heard.append(topic))
        return heard

    async def test_hears_that_an_ad_came_and_that_it_went(self, heard: list[str]):
        ad = await an_ad()
        assert heard == [serving.CHANGED]
        await change(ad, status="paused")
        assert heard == [serving.CHANGED] * 2

    async def test_hears_that_an_ad_pays_something_else(self, heard: list[str]):
        ad = await an_ad(reward=10)
        await change(ad, reward_coins=30)
        assert heard == [serving.CHANGED] * 2

    async def test_hears_that_the_last_place_of_a_budget_was_taken(self, heard: list[str]):
        ad = await an_ad(await a_campaign(budget_cents=100_000, daily_budget_cents=100))
        heard.clear()
        await starts(await the_player(), ad)
        assert serving.CHANGED in heard

    async def test_hears_nothing_where_all_is_as_before(self, heard: list[str]):
        await an_ad()
        heard.clear()
        await service.sweep(now=NOON)
        assert heard == []


async def turn(
    table: str, key: UUID, status: str, *, campaign_id: UUID | None = None, sync: bool = True
) -> None:
    """Another status, and the servings that follow from it, as each change of the app does it."""
    async with transaction() as session:
        query = f"update {table} set status = %(status)s where id = %(id)s returning id"
        await write(session, query, {"status": status, "id": key})  # pyright: ignore
        if sync:
            await serving.sync(session, campaign_id, now=NOON)


def turn_one(
    chance: random.Random, of: list[Advertiser] | list[AdCampaign], table: str, into: list[str]
) -> Awaitable[None]:
    chosen = chance.choice(of)
    return turn(
        table,
        chosen.id,
        chance.choice(into),
        campaign_id=chosen.id if isinstance(chosen, AdCampaign) else None,
    )


class TestChoosing:
    async def test_gives_each_of_eight_ads_its_share(self):
        ads = [(await an_ad()).id for _ in range(8)]
        times = 800
        first = Counter([(await choices())[0] for _ in range(times)])
        expected = times / len(ads)
        distance = sum((first[ad] - expected) ** 2 / expected for ad in ads)
        assert distance < UNFAIR, first

    async def test_offers_each_ad_once(self):
        ads = {(await an_ad()).id for _ in range(8)}
        for wanted in (None, *ads):
            offered = await choices(wanted=wanted)
            assert len(offered) == len(ads)
            assert set(offered) == ads

    async def test_gives_the_wanted_ad_first_also_when_it_was_seen_last(self):
        ads = [await an_ad() for _ in range(12)]
        maja = await the_player()
        for number, ad in enumerate(ads[:3]):
            await watches(maja, ad, now=NOON + number * MINUTE)
            assert (await choices(maja, ad.id))[0] == ad.id

    async def test_never_gives_the_last_one_seen_while_there_is_another(self):
        ads = [await an_ad() for _ in range(3)]
        maja = await the_player()
        await watches(maja, ads[1], now=NOON - DAY)
        assert {(await choices(maja))[0] for _ in range(60)} == {ads[0].id, ads[2].id}

    async def test_finds_another_than_the_last_one_seen_though_it_is_far_away(self):
        """Of twenty ads two are for everybody: few choices see both at the first look."""
        grown_up = await a_campaign(await an_advertiser(reaches_minors=False))
        for_all = await a_campaign()
        seen, other = await an_ad(for_all), None
        for _ in range(18):
            await an_ad(grown_up)
        other = await an_ad(for_all)
        maja = await the_player(born="2010-05-17")
        await watches(maja, seen, now=NOON - DAY)
        assert {(await choices(maja, is_minor=True))[0] for _ in range(40)} == {other.id}

    async def test_gives_the_last_one_seen_for_want_of_others(self):
        ad = await an_ad()
        maja = await the_player()
        await watches(maja, ad, now=NOON - DAY)
        assert await choices(maja) == [ad.id]

    async def test_finds_the_one_that_is_left_though_the_servings_are_stale(self, database: str):
        ads = [await an_ad() for _ in range(30)]
        for ad in ads[1:]:
            await turn("ads", ad.id, "paused", sync=False)
        assert {(await choices())[0] for _ in range(10)} == {ads[0].id}

    async def test_offers_nothing_in_an_empty_house(self):
        assert await choices() == []
        assert await choices(wanted=new_id()) == []


class TestMinors:
    """A company can say that it does not want to reach them."""

    @pytest.fixture
    async def for_adults(self, database: str) -> Ad:
        return await an_ad(await a_campaign(await an_advertiser(reaches_minors=False)))

    @pytest.fixture
    async def for_all(self, database: str) -> Ad:
        return await an_ad()

    async def test_are_served_what_is_for_them(self, for_adults: Ad, for_all: Ad):
        maja = await the_player(born="2010-05-17")
        for number in range(5):
            view = await starts(maja, for_adults, now=NOON + number * SECOND)
            assert view.ad.id == for_all.id

    async def test_grow_up_on_their_birthday(self, for_adults: Ad, for_all: Ad):
        maja = await the_player(born="2008-03-14")
        eve = await starts(maja, for_adults, now=NOON - DAY)
        day = await starts(maja, for_adults)
        assert (eve.ad.id, day.ad.id) == (for_all.id, for_adults.id)

    @pytest.mark.parametrize("born", ["2010-05-17", None])
    async def test_are_shown_no_card_of_the_others(self, for_adults: Ad, for_all: Ad, born):
        maja = await the_player(born=born)
        async with transaction() as session:
            is_minor = await service.is_minor(maja, now=NOON)
            listed = await catalogue.listed(session, is_minor=is_minor)
            count = await catalogue.servable_count(session, is_minor=is_minor)
        assert ([ad.id for ad in listed], count) == ([for_all.id], 1)

    async def test_are_the_only_ones_who_miss_them(self, for_adults: Ad, for_all: Ad):
        maja = await the_player()
        async with transaction() as session:
            assert not await service.is_minor(maja, now=NOON)
            assert len(await catalogue.listed(session)) == 2
        assert (await starts(maja, for_adults)).ad.id == for_adults.id


class TestWhoActsForACompany:
    """Paid for watching their own ads, they would pay themselves."""

    @pytest.fixture
    async def freja(self, database: str) -> Actor:
        return await the_player("Freja")

    @pytest.fixture
    async def company(self, freja: Actor) -> Company:
        return await a_company(owner=freja)

    @pytest.fixture
    async def own(self, company: Company) -> Ad:
        return await an_ad(await a_campaign(advertiser_id=company.id))

    async def test_is_served_the_ads_of_all_others(self, freja: Actor, own: Ad):
        of_another = await an_ad()
        for number in range(5):
            view = await starts(freja, own, now=NOON + number * SECOND)
            assert view.ad.id == of_another.id

    async def test_has_none_to_watch_where_there_are_no_others(self, company: Company, own: Ad):
        for one in (company.owner, await a_member(company)):
            with pytest.raises(NoAdToShow):
                await starts(one, own)

    async def test_sees_no_card_of_their_own(self, freja: Actor, own: Ad):
        of_another = await an_ad()
        seen = {}
        for player in (freja.user_id, None):
            found = await listing.read(is_minor=False, player=player)
            seen[player] = ({ad.id for ad in found.ads}, found.available)
        assert seen == {freja.user_id: ({of_another.id}, 1), None: ({of_another.id, own.id}, 2)}

    async def test_is_the_only_one_who_misses_them(self, own: Ad):
        assert (await starts(await the_player(), own)).ad.id == own.id
