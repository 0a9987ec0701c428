"""What pages keep of figures: one's own, while they may be seen, and no more than has changed."""

from collections.abc import AsyncIterator
from contextlib import contextmanager
from datetime import timedelta
from typing import Any
from uuid import UUID

import pytest
import time_machine

from rewards_app.core import tabs
from rewards_app.core.actor import Actor, Role
from rewards_app.core.clock import utc_now
from rewards_app.core.database import transaction
from rewards_app.core.gate import current_actor
from rewards_app.features.ads import service
from rewards_app.features.ads.audience import AgeGroup
from rewards_app.features.ads.days import platform_day
from rewards_app.features.ads.rules import TooQuick
from rewards_app.features.advertiser import creatives
from rewards_app.features.advertiser.analytics_state import PATH, AnalyticsState
from rewards_app.features.advertiser.campaign_state import CampaignState
from rewards_app.features.advertiser.campaigns_state import CampaignsState
from rewards_app.features.advertiser.home_state import PATH as HOME
from rewards_app.features.advertiser.home_state import AdvertiserState
from rewards_app.features.advertiser.overview_state import OverviewState
from rewards_app.models import Ad, AdCampaign, Advertiser, AdvertiserMember
from tests.ads import (
    NOON,
    SECOND,
    a_campaign,
    an_ad,
    an_advertiser,
    finishes,
    starts,
    the_actor,
    the_player,
    watches,
)
from tests.figures import came_of
from tests.people import an_account
from tests.states import at, calls

pytestmark = pytest.mark.usefixtures("database")
A_MINUTE = timedelta(minutes=1)
A_DAY = timedelta(days=1)


@pytest.fixture
async def fjord(database: str) -> Advertiser:
    return await an_advertiser("Fjord Audio")


@pytest.fixture
async def ad(noon: None, fjord: Advertiser) -> Ad:
    made = await an_ad(await a_campaign(fjord, name="Autumn", budget_cents=2500))
    await came_of(made, platform_day(utc_now()), impressions=4, completions=3, clicks=1)
    return made


@pytest.fixture
async def rival(noon: None, database: str) -> Ad:
    made = await an_ad(await a_campaign(await an_advertiser("Rival")))
    await came_of(made, platform_day(utc_now()), impressions=9, completions=9)
    return made


async def somebody(role: Role = Role.COMPANY, acts_for: Advertiser | None = None) -> Actor:
    account = await an_account(f"{role}@example.com", role, now=utc_now())
    if acts_for:
        async with transaction() as session:
            session.add(AdvertiserMember(account_id=account.id, advertiser_id=acts_for.id))
    return the_actor(account)


@pytest.fixture
async def astrid(fjord: Advertiser) -> AsyncIterator[Actor]:
    """Acts for Fjord Audio, and is who calls."""
    actor = await somebody(acts_for=fjord)
    before = current_actor.set(actor)
    yield actor
    current_actor.reset(before)


@contextmanager
def acting(actor: Actor):
    before = current_actor.set(actor)
    yield
    current_actor.reset(before)


@pytest.fixture(autouse=True)
def at_the_analytics():
    """The tab without a token, which these states belong to, shows that page."""
    tabs.show("", PATH)
    yield
    tabs.show("", "")


@pytest.fixture
async def shown(page: Any) -> AnalyticsState:
    return await page.get_state(AnalyticsState)


async def leaves(actor: Actor) -> None:
    async with transaction() as session:
        await session.delete(await session.get_one(AdvertiserMember, actor.user_id))


class TestAnalytics:
    async def test_show_a_companys_own_figures(self, shown, astrid, ad: Ad, rival: Ad):
        await calls(AnalyticsState.load, shown)
        assert shown.standing == "open"
        assert not shown.is_of_all
        assert shown.metrics["impressions"]["now"] == shown.today["impressions"] == 4
        assert shown.metrics["spend"]["now"] == 3 * 2500
        assert shown.metrics["ctr"]["now"] == 0.25
        assert shown.metrics["clicks"]["way"] == "new"
        assert [row["campaign"] for row in shown.best_ads] == ["Autumn"]
        assert len(shown.days) == 29

    async def test_of_an_admin_are_of_everybody(self, shown, ad: Ad, rival: Ad):
        with acting(await somebody(Role.ADMIN)):
            await calls(AnalyticsState.load, shown)
        assert shown.is_of_all
        assert shown.metrics["impressions"]["now"] == 13
        assert {row["company"] for row in shown.best_ads} == {"Fjord Audio", "Rival"}

    @pytest.mark.parametrize("role", [Role.PLAYER, Role.MODERATOR, Role.COMPANY])
    async def test_are_closed_to_who_acts_for_nobody(self, shown, ad: Ad, role: Role):
        with acting(await somebody(role)):
            await calls(AnalyticsState.load, shown)
        assert (shown.standing, shown.metrics, shown.best_ads) == ("closed", {}, [])

    @pytest.mark.parametrize("status", ["pending", "rejected"])
    async def test_are_closed_to_a_company_that_is_not_approved(self, shown, status: str):
        company = await an_advertiser("Not yet", status=status)
        with acting(await somebody(acts_for=company)):
            await calls(AnalyticsState.load, shown)
        assert (shown.standing, shown.metrics) == ("closed", {})

    async def test_forget_everything_when_somebody_may_not_see_them_any_more(
        self, shown, astrid: Actor, ad: Ad
    ):
        await calls(AnalyticsState.load, shown)
        await leaves(astrid)
        await calls(AnalyticsState.refresh, shown)
        assert (shown.standing, shown.metrics, shown.best_ads) == ("closed", {}, [])
        assert (shown.days, shown.today, shown.ages, shown.notes) == ([], {}, [], [])

    async def test_are_renewed_where_they_are_shown(self, page, shown, astrid, ad: Ad):
        await calls(AnalyticsState.load, shown)
        await came_of(ad, platform_day(utc_now()), impressions=1)
        tabs.show("", "/elsewhere")
        await calls(AnalyticsState.refresh, shown)
        assert shown.today["impressions"] == 4
        tabs.show("", HOME)
        await calls(AnalyticsState.refresh, shown)
        assert shown.today["impressions"] == 4
        (await page.get_state(AdvertiserState)).tab = "analytics"
        await calls(AnalyticsState.refresh, shown)
        assert shown.today["impressions"] == 5

    async def test_send_only_what_has_changed(self, shown, astrid, ad: Ad):
        await calls(AnalyticsState.load, shown)
        shown._clean()
        await calls(AnalyticsState.refresh, shown)
        assert shown.dirty_vars == set()
        await came_of(ad, platform_day(utc_now()), impressions=1)
        await calls(AnalyticsState.refresh, shown)
        assert shown.dirty_vars == {"metrics", "today", "best_ads"}

    async def test_count_the_viewers_again_once_a_minute(self, shown, astrid, ad: Ad):
        await calls(AnalyticsState.load, shown)
        assert shown.viewers == 0
        for _ in range(20):
            viewer = (await the_player("Somebody")).user_id
            await came_of(
                ad,
                platform_day(utc_now()),
                impressions=1,
                player=viewer,
                age_group=AgeGroup.FROM_25,
            )
        await calls(AnalyticsState.refresh, shown)
        assert (shown.today["impressions"], shown.viewers) == (24, 0)
        with time_machine.travel(utc_now() + A_MINUTE, tick=True):
            await calls(AnalyticsState.refresh, shown)
        assert shown.viewers == 20

    async def test_go_on_to_the_next_day(self, shown, astrid, ad: Ad):
        await calls(AnalyticsState.load, shown)
        with time_machine.travel(utc_now() + A_DAY, tick=True):
            await calls(AnalyticsState.refresh, shown)
        assert shown.today["impressions"] == 0
        assert shown.days[-1]["impressions"] == 4

    async def test_follow_what_concerns_them(self, shown, astrid, fjord: Advertiser):
        await calls(AnalyticsState.load, shown)
        assert tabs.concerns("", {str(fjord.id)})
        assert not tabs.concerns("", {"another company"})


class TestNarrowedFigures:
    async def test_of_a_company_are_for_admins_and_stay_so(
        self, page, shown, ad: Ad, rival: Ad, fjord: Advertiser
    ):
        at(page, f"{PATH}?company={fjord.id}&period=7d")
        with acting(await somebody(Role.ADMIN)):
            await calls(AnalyticsState.load, shown)
            await came_of(rival, platform_day(utc_now()), impressions=1)
            await calls(AnalyticsState.refresh, shown)
        assert shown.metrics["impressions"]["now"] == 4
        assert (shown.only["name"], shown.narrows) == ("Fjord Audio", f"&company={fjord.id}")
        assert (shown.period, shown.is_of_all, len(shown.days)) == ("7d", False, 6)

    async def test_of_another_company_are_ones_own(self, page, shown, astrid, ad: Ad, rival: Ad):
        async with transaction() as session:
            theirs = (await session.get_one(AdCampaign, rival.campaign_id)).advertiser_id
        at(page, f"{PATH}?company={theirs}")
        await calls(AnalyticsState.load, shown)
        assert (shown.metrics["impressions"]["now"], shown.only) == (4, {})

    async def test_of_a_campaign_can_be_of_its_whole(self, page, shown, astrid, ad: Ad):
        today = platform_day(utc_now())
        await came_of(ad, today - 40 * A_DAY, impressions=2)
        at(page, f"{PATH}?campaign={ad.campaign_id}&period=all")
        await calls(AnalyticsState.load, shown)
        assert (shown.period, shown.is_whole, len(shown.days)) == ("all", True, 40)
        assert shown.metrics["impressions"]["now"] == 6
        assert shown.metrics["impressions"]["way"] == "none"
        assert (shown.today["impressions"], shown.ages) == (4, [])
        await came_of(ad, today, impressions=1)
        await calls(AnalyticsState.refresh, shown)
        assert shown.metrics["impressions"]["now"] == 7

    async def test_of_a_campaign_that_has_ended_have_no_day_that_goes_on(
        self, page, shown, astrid, fjord: Advertiser
    ):
        over = await an_ad(await a_campaign(fjord, status="completed"))
        await came_of(over, platform_day(utc_now()) - 3 * A_DAY, impressions=2)
        at(page, f"{PATH}?campaign={over.campaign_id}&period=all")
        await calls(AnalyticsState.load, shown)
        assert (len(shown.days), shown.today) == (1, {})

    async def test_of_everything_have_no_whole(self, page, shown, astrid, ad: Ad):
        at(page, f"{PATH}?period=all")
        await calls(AnalyticsState.load, shown)
        assert (shown.period, shown.is_whole) == ("30d", False)

    async def test_of_another_companys_campaign_say_that_there_is_none(
        self, page, shown, astrid, ad: Ad, rival: Ad
    ):
        at(page, f"{PATH}?campaign={rival.campaign_id}&period=all")
        await calls(AnalyticsState.load, shown)
        assert shown.refusal["code"] == "advertiser.unknown_campaign"
        assert (shown.only, shown.metrics["impressions"]["now"]) == ({}, 4)


class TestCampaigns:
    async def test_are_all_seen_again_whatever_was_still_being_typed(self, page, astrid, ad: Ad):
        cards = await page.get_state(CampaignsState)
        await calls(CampaignsState.open, cards)
        typed_in = cards.round
        await calls(CampaignsState.find, cards, text="christmas", typed_in=typed_in)
        assert (cards.search, cards.campaigns) == ("christmas", [])
        await calls(CampaignsState.show_all, cards)
        await calls(CampaignsState.find, cards, text="christmas", typed_in=typed_in)
        assert (cards.search, len(cards.campaigns)) == ("", 1)

    async def test_in_figures_lead_to_every_ad(self, page, astrid, fjord: Advertiser):
        campaign = await a_campaign(fjord)
        made = {str((await an_ad(campaign)).id) for _ in range(creatives.A_PAGE + 1)}
        dialog = await page.get_state(CampaignState)
        await calls(CampaignState.show_stats, dialog, campaign_id=campaign.id)
        before = UUID(dialog.ads_before)
        for _ in ("once", "twice"):
            await calls(CampaignState.load_more_ads, dialog, before=before)
        for _ in ("loaded", "read again"):
            assert {row["id"] for row in dialog.ads} == made
            assert (len(dialog.ads), dialog.ads_before) == (len(made), "")
            await calls(CampaignState.refresh, dialog)

    async def test_forget_everything_and_say_nothing_to_who_has_left(self, page, astrid, ad: Ad):
        cards, dialog = await page.get_state(CampaignsState), await page.get_state(CampaignState)
        await calls(CampaignsState.open, cards)
        await CampaignState.show_stats.fn(dialog, campaign_id=ad.campaign_id)
        await leaves(astrid)
        leads_to = await CampaignsState.refresh.fn(cards)
        await calls(CampaignState.refresh, dialog)
        assert f'"{HOME}"' in str(leads_to)
        assert (cards.campaigns, cards.total, cards.refusal) == ([], 0, {})
        assert (dialog.dialog, dialog.campaign, dialog.refusal) == ("", {}, {})


@pytest.fixture
async def overview(page: Any) -> OverviewState:
    (await page.get_state(AdvertiserState)).tab = "overview"
    tabs.show("", HOME)
    return await page.get_state(OverviewState)


class TestTheOverview:
    async def test_is_a_companys_own(self, overview, astrid, ad: Ad, rival: Ad):
        await calls(OverviewState.load, overview)
        assert overview.totals == {
            "campaigns": 1,
            "running": 1,
            "ads": 1,
            "active_ads": 1,
            "impressions": 4,
            "completions": 3,
            "revenue": 30_000,
        }
        assert overview.insights["completion"] == {
            "share": 0.75,
            "is_known": True,
            "is_above": True,
        }
        assert not overview.insights["engagement"]["is_above"]
        assert [(row["name"], row["views"]) for row in overview.newest] == [("Autumn", 3)]

    async def test_divides_what_was_watched_to_its_end_and_what_was_rewarded_by_all(
        self, overview, astrid, fjord: Advertiser
    ):
        """One is rewarded, one refused at the finish, one left early."""
        ad = await an_ad(await a_campaign(fjord, budget_cents=2500))
        maja, emil = await the_player("Maja"), await the_player("Emil")
        await watches(maja, ad)
        refused, left = await starts(maja, ad), await starts(emil, ad)
        with pytest.raises(TooQuick):
            await finishes(maja, refused, now=NOON + 5 * SECOND)
        await service.give_up(emil, left.view_id, now=NOON + SECOND)
        await calls(OverviewState.load, overview)
        assert overview.insights["completion"]["share"] == 2 / 3
        assert overview.insights["engagement"]["share"] == 1 / 3

    async def test_judges_nothing_without_views(self, overview, astrid):
        await calls(OverviewState.load, overview)
        assert overview.insights["completion"] == {"share": 0, "is_known": False, "is_above": False}

    async def test_of_an_admin_is_of_everybody(self, overview, ad: Ad, rival: Ad):
        with acting(await somebody(Role.ADMIN)):
            await calls(OverviewState.load, overview)
            assert overview.totals["impressions"] == 13
            await came_of(rival, platform_day(utc_now()), impressions=1)
            tabs.show("", "/")
            await calls(OverviewState.refresh, overview)
        assert overview.totals["impressions"] == 14
        assert {row["company"] for row in overview.newest} == {"Fjord Audio", "Rival"}

    async def test_is_closed_to_who_acts_for_nobody(self, overview, ad: Ad):
        for role in (Role.PLAYER, Role.MODERATOR, Role.COMPANY):
            with acting(await somebody(role)):
                await calls(OverviewState.load, overview)
            assert (overview.standing, overview.totals, overview.newest) == ("closed", {}, [])

    async def test_forgets_everything_when_somebody_leaves(self, overview, astrid: Actor, ad: Ad):
        await calls(OverviewState.load, overview)
        await leaves(astrid)
        await calls(OverviewState.refresh, overview)
        assert (overview.standing, overview.totals, overview.newest) == ("closed", {}, [])

    async def test_sends_only_what_has_changed(self, overview, astrid: Actor, ad: Ad):
        await calls(OverviewState.load, overview)
        overview._clean()
        await came_of(ad, platform_day(utc_now()), impressions=1)
        await calls(OverviewState.refresh, overview)
        assert overview.dirty_vars == {"totals", "insights"}
