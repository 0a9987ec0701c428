"""Companies' figures: what came of each ad, each campaign and each day, and whose they are."""

from datetime import date, datetime, timedelta
from uuid import UUID, uuid4

import pytest

from rewards_app.core.actor import Actor
from rewards_app.core.database import transaction
from rewards_app.features.ads.audience import AgeGroup
from rewards_app.features.advertiser import campaigns_repository, figures
from rewards_app.features.advertiser.figure_rules import NOTHING, Figures, Note, Period
from rewards_app.features.advertiser.figures import Analytics
from rewards_app.features.advertiser.membership import EVERYTHING, Scope
from rewards_app.models import Ad, AdCampaign, Advertiser
from tests.ads import NOON, a_campaign, an_ad, an_advertiser, starts, the_player, watches
from tests.figures import TODAY, came_of

pytestmark = pytest.mark.usefixtures("database")
DAY = timedelta(days=1)


@pytest.fixture
async def fjord(database: str) -> Advertiser:
    return await an_advertiser("Fjord Audio")


@pytest.fixture
async def campaign(fjord: Advertiser) -> AdCampaign:
    """A view costs two and a half cents."""
    return await a_campaign(fjord, name="Autumn", budget_cents=2500)


@pytest.fixture
async def ad(campaign: AdCampaign) -> Ad:
    return await an_ad(campaign, title="Hear the fjord")


@pytest.fixture
async def rival(database: str) -> Ad:
    """Another company's ad, of which much came."""
    return await an_ad(title="Sit")


async def analytics(
    owner: Advertiser | None, period: Period = Period.MONTH, *, now: datetime = NOON
) -> Analytics:
    async with transaction() as session:
        return await figures.analytics(session, scope(owner), period, now=now)


def scope(owner: Advertiser | None) -> Scope:
    return Scope(owner.id) if owner else EVERYTHING


class TestOfCampaignsAndAds:
    async def test_are_sums_of_all_days_and_slots(self, ad: Ad, fjord: Advertiser):
        await came_of(ad, impressions=5, completions=2, clicks=1)
        for name in ("Maja", "Emil"):
            await watches(await the_player(name), ad)
        await came_of(ad, TODAY - 400 * DAY, impressions=1)
        async with transaction() as session:
            of_ads = await figures.of_ads(session, scope(fjord), [ad.id])
            of_campaigns = await figures.of_campaigns(session, scope(fjord), [ad.campaign_id])
        assert of_ads == {ad.id: Figures(8, 4, 1, 10_000)}
        assert of_campaigns == {ad.campaign_id: Figures(8, 4, 1, 10_000)}

    async def test_have_what_was_refused_at_its_end_wherever_they_are_shown(
        self, ad: Ad, fjord: Advertiser
    ):
        await came_of(ad, impressions=5, completions=2, refused=1)
        whole = Figures(5, 2, 0, 5000, refused=1)
        found = await analytics(fjord)
        async with transaction() as session:
            by_ad = await figures.of_ads(session, scope(fjord), [ad.id])
            _, lines = await figures.by_day(session, scope(fjord), Period.MONTH, now=NOON)
            days = await campaigns_repository.days(session, ad.campaign_id, TODAY, TODAY)
        assert found.now == found.best_ads[0].figures == by_ad[ad.id] == whole
        assert [line.figures for line in lines] == [*days.values()] == [whole]

    async def test_of_another_company_are_nothing(self, ad: Ad, rival: Ad, fjord: Advertiser):
        await came_of(rival, impressions=9)
        made_up = uuid4()
        async with transaction() as session:
            found = await figures.of_ads(session, scope(fjord), [rival.id, made_up])
            theirs = await figures.of_campaigns(session, scope(fjord), [rival.campaign_id])
            everybodys = await figures.of_ads(session, EVERYTHING, [rival.id])
        assert found == {rival.id: NOTHING, made_up: NOTHING}
        assert theirs == {rival.campaign_id: NOTHING}
        assert everybodys[rival.id].impressions == 9


class TestAnalytics:
    async def test_count_what_players_do(self, ad: Ad, fjord: Advertiser):
        maja: Actor = await the_player("Maja")
        await watches(maja, ad)
        await starts(await the_player("Emil"), ad)
        found = await analytics(fjord, Period.WEEK)
        assert found.now == Figures(impressions=2, completions=1, clicks=0, spend=2500)
        assert found.days[-1] == (TODAY, found.now)
        assert [day for _, day in found.days[:-1]] == [NOTHING] * 6

    async def test_compare_with_the_period_before(self, ad: Ad, fjord: Advertiser):
        await came_of(ad, TODAY - 6 * DAY, impressions=10, completions=8, clicks=1)
        await came_of(ad, TODAY - 7 * DAY, impressions=3)
        await came_of(ad, TODAY - 13 * DAY, impressions=4)
        await came_of(ad, TODAY - 14 * DAY, impressions=100)
        await came_of(ad, TODAY + DAY, impressions=100)
        found = await analytics(fjord, Period.WEEK)
        assert found.now == Figures(10, 8, 1, 20_000)
        assert found.before == Figures(7)

    async def test_follow_the_platforms_midnight(self, ad: Ad, fjord: Advertiser):
        await came_of(ad, TODAY + DAY, impressions=3)
        before = datetime(2026, 3, 14, 22, 59, tzinfo=NOON.tzinfo)
        assert (await analytics(fjord, Period.WEEK, now=before)).now == NOTHING
        after = await analytics(fjord, Period.WEEK, now=before + timedelta(minutes=1))
        assert after.now.impressions == 3

    async def test_of_one_company_have_nothing_of_another(
        self, ad: Ad, rival: Ad, fjord: Advertiser
    ):
        await came_of(ad, impressions=2, clicks=1)
        await came_of(rival, impressions=11)
        own, all_of_them = await analytics(fjord), await analytics(None)
        assert own.now.impressions == 2
        assert [one.title for one in own.best_ads] == ["Hear the fjord"]
        assert own.stock.campaigns == 1
        assert all_of_them.now.impressions == 13
        assert {one.company for one in all_of_them.best_ads} == {"Fjord Audio", "Northlight Chairs"}

    async def test_of_a_new_company_are_empty(self, fjord: Advertiser):
        found = await analytics(fjord)
        assert (found.now, found.before, found.best_ads, found.notes) == (NOTHING, NOTHING, [], [])
        assert len(found.days) == 30


class TestOfOneCampaign:
    async def test_are_its_own_alone(self, fjord: Advertiser, campaign: AdCampaign, ad: Ad):
        other = await an_ad(await a_campaign(fjord, name="Spring"), title="Every step")
        await came_of(ad, impressions=5, completions=2, clicks=1)
        await came_of(other, impressions=50)
        for owner in (fjord, None):
            found = await of_campaign(owner, campaign.id, Period.WEEK)
            assert found.now == found.days[-1][1] == Figures(5, 2, 1, 5000)
            assert [one.title for one in found.best_ads] == ["Hear the fjord"]
            assert found.stock.campaigns == 1

    async def test_are_nothing_to_another_company(self, fjord: Advertiser, rival: Ad):
        await came_of(rival, impressions=50)
        for period in (Period.WEEK, None):
            found = await of_campaign(fjord, rival.campaign_id, period)
            assert (found.now, found.best_ads, found.stock.campaigns) == (NOTHING, [], 0)

    async def test_can_be_of_all_its_days_until_today(
        self, fjord: Advertiser, campaign: AdCampaign, ad: Ad
    ):
        await came_of(ad, TODAY - 400 * DAY, impressions=4)
        await came_of(ad, TODAY - 3 * DAY, impressions=1)
        found = await of_campaign(fjord, campaign.id, None)
        assert (found.span.first, found.span.last) == (TODAY - 400 * DAY, TODAY)
        assert (len(found.days), found.now.impressions, found.before) == (401, 5, None)
        async with transaction() as session:
            span, lines = await figures.by_day(
                session, scope(fjord), None, campaign_id=campaign.id, now=NOON
            )
        assert sum((line.figures for line in lines), NOTHING) == found.now
        assert span.first == found.span.first

    async def test_ends_with_the_last_day_on_which_anything_came_of_what_has_ended(
        self, fjord: Advertiser
    ):
        over = await a_campaign(fjord, status="completed")
        ad = await an_ad(over)
        for ago in (9, 3):
            await came_of(ad, TODAY - ago * DAY, impressions=1)
        found = await of_campaign(fjord, over.id, None)
        assert (found.span.first, found.span.last) == (TODAY - 9 * DAY, TODAY - 3 * DAY)

    async def test_of_which_nothing_came_yet_are_of_today(self, fjord: Advertiser):
        new = await a_campaign(fjord, status="draft")
        found = await of_campaign(fjord, new.id, None)
        assert found.days == [(TODAY, NOTHING)]


async def of_campaign(
    owner: Advertiser | None, campaign_id: UUID, period: Period | None
) -> Analytics:
    async with transaction() as session:
        return await figures.analytics(
            session, scope(owner), period, campaign_id=campaign_id, now=NOON
        )


class TestTheBestAds:
    async def test_are_four_by_their_click_through_rate(
        self, campaign: AdCampaign, fjord: Advertiser
    ):
        rates = {"A": (100, 2), "B": (200, 20), "C": (100, 10), "D": (100, 0), "E": (300, 15)}
        for title, (impressions, clicks) in rates.items():
            made = await an_ad(campaign, title=title)
            await came_of(made, impressions=impressions, clicks=clicks)
        await an_ad(campaign, title="Never shown")
        found = (await analytics(fjord)).best_ads
        # B and C are alike: the one that was shown more often comes first.
        assert [one.title for one in found] == ["B", "C", "E", "A"]
        assert found[0].figures == Figures(200, 0, 20, 0)

    async def test_of_few_impressions_come_behind_all_others(
        self, campaign: AdCampaign, fjord: Advertiser
    ):
        rates = {"A": (1, 1), "B": (99, 50), "C": (100, 1), "D": (1000, 20)}
        for title, (impressions, clicks) in rates.items():
            await came_of(
                await an_ad(campaign, title=title), impressions=impressions, clicks=clicks
            )
        found = (await analytics(fjord)).best_ads
        assert [(one.title, one.figures.is_little_seen) for one in found] == [
            ("D", False),
            ("C", False),
            ("A", True),
            ("B", True),
        ]

    async def test_of_other_days_do_not_count(self, ad: Ad, fjord: Advertiser):
        await came_of(ad, TODAY - 7 * DAY, impressions=10, clicks=10)
        assert (await analytics(fjord, Period.WEEK)).best_ads == []
        assert len((await analytics(fjord)).best_ads) == 1


class TestNotes:
    async def test_tell_of_days_on_which_a_daily_budget_was_spent(self, fjord: Advertiser):
        capped = await a_campaign(
            fjord, name="Black Week", budget_cents=10_000, daily_budget_cents=50
        )
        ad = await an_ad(capped)
        for ago, completions in enumerate((5, 4, 5, 0)):
            await came_of(ad, TODAY - ago * DAY, impressions=9, completions=completions, clicks=9)
        found = (await analytics(fjord)).notes
        assert found == [
            Note("running", 1),
            Note("daily_budget", 2, 4, "Black Week", TODAY),
        ]


class TestTheAudience:
    async def test_counts_those_who_saw_an_ad_in_the_period(self, ad: Ad, fjord: Advertiser):
        for _ in range(20):
            await seen_by(ad, AgeGroup.FROM_25)
            await seen_by(ad, AgeGroup.FROM_18, TODAY - 7 * DAY)
            await seen_by(ad, None)
        assert await audience(fjord) == {AgeGroup.FROM_25: 20}

    async def test_of_everybody_counts_each_person_once(self, ad: Ad, rival: Ad):
        for _ in range(20):
            await seen_by(rival, AgeGroup.FROM_35, player=await seen_by(ad, AgeGroup.FROM_35))
        assert await audience(None) == {AgeGroup.FROM_35: 20}

    async def test_of_one_company_has_nobody_of_another(self, ad: Ad, rival: Ad, fjord: Advertiser):
        for _ in range(20):
            await seen_by(rival, AgeGroup.FROM_35)
        assert await audience(fjord) == {}


async def seen_by(
    ad: Ad, group: AgeGroup | None, day: date = TODAY, *, player: UUID | None = None
) -> UUID:
    viewer = player or (await the_player("Somebody")).user_id
    await came_of(ad, day, impressions=1, player=viewer, age_group=group)
    return viewer


async def audience(owner: Advertiser | None) -> dict[AgeGroup, int]:
    async with transaction() as session:
        found = await figures.audience(session, scope(owner), Period.WEEK, now=NOON)
    return {one.group: one.viewers for one in found if one.viewers}


class TestTheOverview:
    async def test_is_of_all_that_ever_was(self, fjord: Advertiser, ad: Ad, rival: Ad):
        await came_of(ad, TODAY - 900 * DAY, impressions=4, completions=3)
        await came_of(rival, impressions=50)
        await an_ad(await a_campaign(fjord, status="draft"), status="pending_review")
        await an_ad(await a_campaign(fjord, status="completed"), status="active")
        async with transaction() as session:
            found = await figures.overview(session, scope(fjord))
        assert found.figures == Figures(4, 3, 0, 7500)
        assert (found.stock.campaigns, found.stock.running) == (3, 1)
        assert (found.stock.ads, found.stock.active_ads) == (3, 1)

    async def test_shows_the_two_newest_campaigns(self, fjord: Advertiser):
        for number in range(3):
            made = await a_campaign(
                fjord, name=f"C{number}", created_at=NOON + number * timedelta(hours=1)
            )
            await came_of(await an_ad(made), completions=number, impressions=5)
        async with transaction() as session:
            found = await figures.overview(session, scope(fjord))
        assert [(line.name, sums.completions) for line, sums in found.newest] == [
            ("C2", 2),
            ("C1", 1),
        ]


class TestByDay:
    async def test_adds_up_to_what_the_page_shows(self, fjord: Advertiser, ad: Ad, rival: Ad):
        other = await an_ad(await a_campaign(fjord, name="Winter", budget_cents=99_999))
        for ago in (0, 1, 6, 7, 29, 30, 60, 120, 364, 365):
            for number, one in enumerate((ad, other, rival)):
                await came_of(
                    one, TODAY - ago * DAY, impressions=number + 3, completions=2, clicks=number
                )
        await watches(await the_player("Maja"), ad)
        for owner in (fjord, None):
            for period in Period:
                async with transaction() as session:
                    span, lines = await figures.by_day(session, scope(owner), period, now=NOON)
                found = await analytics(owner, period)
                assert sum((line.figures for line in lines), NOTHING) == found.now
                assert all(span.first <= line.day <= span.last for line in lines)
                keys = [(line.day, line.campaign, line.ad) for line in lines]
                assert len(keys) == len(set(keys))
                assert keys == sorted(keys, key=lambda key: key[0])

    async def test_of_one_company_has_nothing_of_another(
        self, fjord: Advertiser, ad: Ad, rival: Ad
    ):
        await came_of(ad, impressions=1)
        await came_of(rival, impressions=1)
        async with transaction() as session:
            _, own = await figures.by_day(session, scope(fjord), Period.WEEK, now=NOON)
            _, everybodys = await figures.by_day(session, EVERYTHING, Period.WEEK, now=NOON)
        assert [(line.company, line.ad) for line in own] == [("Fjord Audio", "Hear the fjord")]
        assert len(everybodys) == 2
