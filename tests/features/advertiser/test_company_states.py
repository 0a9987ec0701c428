"""The page of a company as its states show it: what loads, for whom, and what follows changes."""

from contextlib import contextmanager
from typing import Any
from uuid import UUID

import pytest
from reflex.istate.data import RouterData
from reflex.state import State

from rewards_app.core import gate, tabs
from rewards_app.core.actor import Actor, Role
from rewards_app.core.caller import Caller
from rewards_app.core.clock import utc_now
from rewards_app.core.database import transaction
from rewards_app.core.errors import BadArguments
from rewards_app.core.ids import id_from, new_id
from rewards_app.core.state import AppState
from rewards_app.features.ads.places import VIEWED
from rewards_app.features.advertiser import (
    campaigns,
    choices_repository,
    creatives,
    home,
    leaving,
    people,
    settings_service,
    statement,
    top_ups,
)
from rewards_app.features.advertiser.ads_state import AdsState
from rewards_app.features.advertiser.billing_rules import Status
from rewards_app.features.advertiser.billing_state import BillingState
from rewards_app.features.advertiser.campaign_state import CampaignState
from rewards_app.features.advertiser.campaigns_state import CampaignsState
from rewards_app.features.advertiser.home_state import (
    LOADS,
    LOADS_BEFORE,
    PATH,
    AdvertiserState,
)
from rewards_app.features.advertiser.people_state import InvitationState
from rewards_app.features.advertiser.settings_state import TAB as SETTINGS
from rewards_app.features.advertiser.settings_state import SettingsState
from rewards_app.features.advertiser.tabs import TABS
from rewards_app.features.advertiser.top_ups import Begun
from rewards_app.features.security.sessions_state import SessionsState
from rewards_app.features.shell.state import CompanyBarState
from tests.ads import the_player, watches
from tests.campaigns import (
    ads_of,
    changes_ad,
    edits,
    ends,
    makes_ad,
    pauses_ad,
    plans,
    runs,
    sees,
    the_admin,
)
from tests.companies import (
    A_DOLLAR,
    a_company,
    a_member,
    an_owner,
    applies,
    asks,
    is_decided,
    is_paid_at,
)
from tests.paying import hears
from tests.people import NOON
from tests.review import approves, rejects
from tests.states import at, breaks, calls, failing
from tests.stripe_server import StripeServer

pytestmark = pytest.mark.usefixtures("database")
A_TAB = "tab-of-a-company"
WHAT_LOADS = [load for several in (LOADS_BEFORE, *LOADS.values()) for load in several]
SAYS_NOTHING = (CampaignState.open, SessionsState.load)
"""A dialog that no address asks for asks nobody, and lost sessions are only logged."""
WHAT_ASKS = [load for load in WHAT_LOADS if load not in SAYS_NOTHING]


@contextmanager
def acting(actor: Actor):
    actor_mark = gate.current_actor.set(actor)
    caller_mark = gate.current_caller.set(Caller(tab=A_TAB))
    tabs.show(A_TAB, "/advertiser")
    yield
    gate.current_actor.reset(actor_mark)
    gate.current_caller.reset(caller_mark)


@pytest.fixture
async def owner(database: str) -> Actor:
    return await an_owner()


def a_state() -> AdvertiserState:
    return AdvertiserState(_reflex_internal_init=True)  # pyright: ignore


async def opened(actor: Actor) -> tuple[AdvertiserState, list]:
    state = a_state()
    with acting(actor):
        loads = await AdvertiserState.open.fn(state)  # pyright: ignore
    return state, loads


class TestWhatLoads:
    @pytest.mark.parametrize("load", WHAT_ASKS, ids=lambda load: load.state_full_name)
    async def test_says_so_where_it_cannot(
        self, load: Any, owner: Actor, page: Any, without_tables: None
    ):
        (await page.get_state(AdvertiserState)).is_owner = True
        with acting(owner):
            assert await breaks(load, page)


class TestWhatCannotBeMade:
    @pytest.mark.parametrize(
        ("handler", "title", "text"),
        [
            (CampaignState.create, "campaigns.error", "errors.campaigns.not_created"),
            (
                CampaignState.create_at_dashboard,
                "campaigns.not_created_title",
                "errors.campaigns.not_created",
            ),
            (AdsState.create, "ads_desk.not_created_title", "errors.unexpected"),
        ],
        ids=["campaign", "at-the-dashboard", "ad"],
    )
    async def test_is_told_as_the_specification_says(
        self,
        handler: Any,
        title: str,
        text: str,
        owner: Actor,
        page: Any,
        monkeypatch: pytest.MonkeyPatch,
    ):
        for service in (campaigns, creatives):
            monkeypatch.setattr(service, "create", failing(RuntimeError))
        shown = await page.get_state(State.get_class_substate(handler.state_full_name))
        with acting(owner):
            await calls(handler, shown, form={"campaign_id": str(new_id())})
        assert (shown.notice["title"], shown.notice["text"]) == (title, text)
        assert not shown.is_busy


@pytest.fixture
async def long_lists(owner: Actor, page: Any) -> tuple[str, str]:
    """The oldest campaign and the oldest ad: both stand below the newest that a page loads."""
    await a_company(owner=owner)
    oldest = await plans(owner)
    for _ in range(campaigns.A_PAGE):
        await plans(owner)
    ads = [await makes_ad(owner, oldest) for _ in range(creatives.A_PAGE + 2)]
    await approves(await the_admin(), ads[0])
    (await page.get_state(AdvertiserState)).standing = "approved"
    return str(oldest), str(ads[0])


async def all_of(opening: Any, page: Any) -> Any:
    """The state of a list that was opened, and then read to its end."""
    shown = await page.get_state(State.get_class_substate(opening.state_full_name))
    await calls(opening, shown)
    while shown.next_before:
        more = type(shown).event_handlers["load_more"]
        await calls(more, shown, before=UUID(shown.next_before))
    return shown


class TestWhatStandsFurtherDown:
    async def test_of_the_ads_changes_where_it_stands(
        self, long_lists: tuple[str, str], owner: Actor, page: Any
    ):
        ad_id = UUID(long_lists[1])
        (await page.get_state(AdvertiserState)).tab = "ads"
        with acting(owner):
            shown = await all_of(AdsState.open, page)
            assert shown.ads[-1]["id"] == str(ad_id)
            await calls(AdsState.pause, shown, ad_id=ad_id)
            assert shown.ads[-1]["status"] == "paused"
            await calls(AdsState.resume, shown, ad_id=ad_id)
            assert shown.ads[-1]["status"] == "active"
            await rejects(await the_admin(), ad_id)
            await calls(AdsState.refresh, shown)
            assert shown.ads[-1]["status"] == "rejected"
            await calls(AdsState.edit, shown, ad_id=ad_id)
            await calls(AdsState.save, shown, form=shown.typed | {"title": "Every step"})
        assert (shown.ads[-1]["title"], shown.ads[-1]["status"]) == ("Every step", "pending_review")
        assert (len(shown.ads), shown.next_before) == (creatives.A_PAGE + 2, "")

    async def test_of_the_campaigns_stays_when_it_is_changed(
        self, long_lists: tuple[str, str], owner: Actor, page: Any
    ):
        campaign_id = UUID(long_lists[0])
        dialog = await page.get_state(CampaignState)
        with acting(owner):
            shown = await all_of(CampaignsState.open, page)
            await calls(CampaignState.edit, dialog, campaign_id=campaign_id)
            await calls(CampaignState.save, dialog, form=dialog.typed | {"name": "Spring"})
        last = shown.campaigns[-1]
        assert (last["id"], last["name"]) == (str(campaign_id), "Spring")


class TestAmongCampaignsOfOneStatus:
    async def test_what_is_paused_and_resumed_is_told_by_its_name(self, page: Any):
        company = await a_company(dollars=500)
        campaign_id, _ = await runs(company, end_date="2199-03-31")
        shown = await page.get_state(CampaignsState)
        with acting(company.owner):
            for status, handler in [
                ("active", CampaignsState.pause),
                ("paused", CampaignsState.resume),
            ]:
                await calls(CampaignsState.choose_status, shown, status=status)
                await calls(handler, shown, campaign_id=campaign_id)
                assert shown.campaigns == []
                assert shown.notice["params"]["name"] == "Winter sale"


class TestAnAddressOfCampaigns:
    @pytest.mark.parametrize("path", ["/campaigns?", "/advertiser?tab=campaigns&"])
    async def test_opens_the_form_of_a_new_one(self, owner: Actor, page: Any, path: str):
        await a_company(owner=owner)
        dialog = await page.get_state(CampaignState)
        with acting(owner):
            at(page, f"{path}dialog=new")
            await calls(CampaignState.open, dialog)
            assert dialog.dialog == "new"
            at(page, path)
            await calls(CampaignState.open, dialog)
            assert dialog.dialog == ""

    async def test_opens_nothing_for_who_acts_for_no_company(self, owner: Actor, page: Any):
        dialog = await page.get_state(CampaignState)
        at(page, "/campaigns?dialog=new")
        with acting(owner):
            await calls(CampaignState.open, dialog)
        assert (dialog.dialog, dialog.refusal) == ("", {})

    async def test_narrows_down_to_one_company_for_admins(self, page: Any):
        fjord, rival = await a_company(), await a_company("Rival Sound")
        for company in (fjord, rival):
            await plans(company.owner, {"name": f"Of {company.name}"})
        cards, dialog = await page.get_state(CampaignsState), await page.get_state(CampaignState)
        at(page, f"/campaigns?company={rival.id}&dialog=new")
        with acting(await the_admin()):
            await calls(CampaignsState.open, cards)
            await calls(CampaignState.open, dialog)
            assert [row["name"] for row in cards.campaigns] == ["Of Rival Sound"]
            assert (cards.only["name"], cards.total) == ("Rival Sound", 1)
            assert (dialog.company, dialog.not_offered) == (str(rival.id), "")
            await calls(CampaignsState.show_all, cards)
            assert len(cards.campaigns) == 1
            at(page, "/campaigns")
            await calls(CampaignsState.open, cards)
        assert (len(cards.campaigns), cards.only) == (2, {})

    @pytest.mark.parametrize("others", [(), ("A stranger",)], ids=["alone", "beside-another"])
    async def test_says_that_nothing_is_planned_for_a_company_that_is_not_approved(
        self, page: Any, others: tuple[str, ...]
    ):
        for name in others:
            await a_company(name)
        left = await a_company(status="rejected")
        cards, dialog = await page.get_state(CampaignsState), await page.get_state(CampaignState)
        with acting(await the_admin()):
            at(page, f"/campaigns?company={left.id}&dialog=new")
            await calls(CampaignsState.open, cards)
            await calls(CampaignState.open, dialog)
            assert [name for _, name in dialog.companies] == [*others]
            assert (dialog.company, dialog.not_offered) == ("", left.name)
            at(page, "/campaigns")
            await calls(CampaignsState.open, cards)
            await calls(CampaignState.plan, dialog)
        assert (dialog.dialog, dialog.not_offered) == ("new", "")

    async def test_shows_nobody_else_another_company(self, owner: Actor, page: Any):
        await a_company(owner=owner)
        rival = await a_company("Rival Sound")
        await plans(rival.owner)
        cards = await page.get_state(CampaignsState)
        at(page, f"/campaigns?company={rival.id}")
        with acting(owner):
            await calls(CampaignsState.open, cards)
        assert (cards.campaigns, cards.only, cards.refusal) == ([], {}, {})

    async def test_searches_for_nothing_that_the_database_refuses(self, owner: Actor, page: Any):
        await a_company(owner=owner)
        await plans(owner, {"name": "Winter sale"})
        cards = await page.get_state(CampaignsState)
        at(page, "/campaigns?search=winter%00sale")
        with acting(owner):
            await calls(CampaignsState.open, cards)
        assert [row["name"] for row in cards.campaigns] == ["Winter sale"]

    async def test_says_that_a_company_is_gone(self, page: Any):
        await a_company()
        cards = await page.get_state(CampaignsState)
        at(page, f"/campaigns?company={new_id()}")
        with acting(await the_admin()):
            await calls(CampaignsState.open, cards)
        assert cards.refusal["code"] == "advertiser.unknown_company"


class TestAnAddressOfAds:
    async def test_opens_an_ad_that_was_rejected_in_its_form(self, owner: Actor, page: Any):
        company = await a_company(owner=owner, dollars=500)
        campaign_id, ad_id = await runs(company)
        await makes_ad(owner, campaign_id)
        await rejects(await the_admin(), ad_id)
        shown = await opens(page, f"ad={ad_id}", owner)
        assert [row["id"] for row in shown.ads] == [str(ad_id)]
        assert (shown.dialog, shown.ad["id"]) == ("edit", str(ad_id))
        assert shown.typed["title"] == "Hear the fjord"

    async def test_shows_any_other_ad_alone_and_leads_back_to_all(self, owner: Actor, page: Any):
        company = await a_company(owner=owner, dollars=500)
        campaign_id, ad_id = await runs(company)
        await makes_ad(owner, campaign_id)
        shown = await opens(page, f"ad={ad_id}", owner)
        assert [row["id"] for row in shown.ads] == [str(ad_id)]
        assert (shown.dialog, shown.only["name"]) == ("", "Hear the fjord")
        assert len((await opens(page, "", owner)).ads) == 2

    @pytest.mark.parametrize("asked", ["ad", "campaign", "new"])
    @pytest.mark.parametrize("is_there", [True, False], ids=["anothers", "gone"])
    async def test_shows_nothing_of_what_is_anothers_or_gone(
        self, owner: Actor, page: Any, asked: str, is_there: bool
    ):
        await a_company(owner=owner)
        mine = await makes_ad(owner, await plans(owner))
        rival = await a_company("Rival Sound")
        campaign_id = await plans(rival.owner, {"name": "Secret"})
        ids = {"ad": await makes_ad(rival.owner, campaign_id, {"title": "Secret"})}
        wanted = ids.get(asked, campaign_id) if is_there else new_id()
        shown = await opens(page, f"{asked}={wanted}", owner)
        kind = "ad" if asked == "ad" else "campaign"
        assert shown.refusal["code"] == f"advertiser.unknown_{kind}"
        assert [row["id"] for row in shown.ads] == [str(mine)]
        assert (shown.dialog, shown.only) == ("", {})
        assert "Secret" not in str(shown.dict())

    async def test_opens_the_form_for_a_campaign(self, owner: Actor, page: Any):
        await a_company(owner=owner)
        first, _ = [await plans(owner) for _ in range(2)]
        shown = await opens(page, f"new={first}", owner)
        assert (shown.dialog, shown.typed["campaign_id"]) == ("new", str(first))

    async def test_says_that_a_campaign_has_ended(self, owner: Actor, page: Any):
        await a_company(owner=owner)
        over = await plans(owner)
        await ends(owner, over)
        shown = await opens(page, f"new={over}", owner)
        assert (shown.dialog, shown.refusal["code"]) == ("", "campaigns.has_ended")

    async def test_narrows_down_to_a_campaign_for_which_the_next_ad_is(
        self, owner: Actor, page: Any
    ):
        await a_company(owner=owner)
        first, second = [await plans(owner) for _ in range(2)]
        for campaign_id in (first, second):
            await makes_ad(owner, campaign_id)
        shown = await opens(page, f"campaign={first}", owner)
        assert (len(shown.ads), shown.counts["all"]) == (1, 1)
        with acting(owner):
            await calls(AdsState.plan, shown)
        assert shown.typed["campaign_id"] == str(first)

    async def test_narrows_down_to_one_company_for_admins_alone(self, owner: Actor, page: Any):
        await a_company(owner=owner)
        rival = await a_company("Rival Sound")
        for actor in (owner, rival.owner):
            await makes_ad(actor, await plans(actor))
        shown = await opens(page, f"company={rival.id}", await the_admin())
        assert {row["company"] for row in shown.ads} == {"Rival Sound"}
        shown = await opens(page, f"company={rival.id}", owner)
        assert ({row["company"] for row in shown.ads}, shown.only) == ({"Fjord Audio"}, {})


async def opens(page: Any, asked: str, actor: Actor) -> AdsState:
    at(page, f"/advertiser?tab=ads&{asked}")
    shown = await page.get_state(AdsState)
    with acting(actor):
        await calls(AdsState.open, shown)
    return shown


class TestAmongAds:
    async def test_a_search_and_a_status_are_given_up_together(self, owner: Actor, page: Any):
        await a_company(owner=owner)
        campaign_id = await plans(owner)
        for title in ("Hear the fjord", "Every step"):
            await makes_ad(owner, campaign_id, {"title": title})
        shown = await opens(page, "", owner)
        typed_in = shown.round
        with acting(owner):
            await calls(AdsState.find, shown, text="step ", typed_in=typed_in)
            assert ([row["title"] for row in shown.ads], shown.counts["all"]) == (["Every step"], 1)
            await calls(AdsState.choose_status, shown, status="active")
            assert (shown.ads, shown.counts["pending_review"]) == ([], 1)
            await calls(AdsState.choose_status, shown, status="stolen")
            assert (shown.refusal["code"], shown.status) == (BadArguments.code, "active")
            await calls(AdsState.show_all, shown)
            await calls(AdsState.find, shown, text="step", typed_in=typed_in)
            assert (shown.search, shown.status, len(shown.ads)) == ("", "", 2)
            await calls(AdsState.submit, shown, form={"search": "fjord"})
        assert [row["title"] for row in shown.ads] == ["Hear the fjord"]


class TestChoosing:
    """From more than are listed."""

    async def test_a_campaign_for_an_ad_is_found_by_its_name(
        self, owner: Actor, page: Any, monkeypatch: pytest.MonkeyPatch
    ):
        monkeypatch.setattr(choices_repository, "MOST_CHOICES", 2)
        await a_company(owner=owner)
        first, *_ = [await plans(owner, {"name": name}) for name in ("Winter", "A", "B")]
        shown = await page.get_state(AdsState)
        with acting(owner):
            await calls(AdsState.plan, shown)
            assert (len(shown.campaigns), shown.are_more_campaigns) == (2, True)
            await calls(AdsState.find_campaign, shown, form={"campaign_search": "wint"})
        assert [one["name"] for one in shown.campaigns] == ["Winter"]
        assert (shown.typed["campaign_id"], shown.are_more_campaigns) == (str(first), False)

    async def test_a_company_to_plan_for_is_found_by_its_name(
        self, page: Any, monkeypatch: pytest.MonkeyPatch
    ):
        monkeypatch.setattr(choices_repository, "MOST_CHOICES", 2)
        wanted, *_ = [await a_company(name) for name in ("Winter", "A", "B")]
        dialog = await page.get_state(CampaignState)
        with acting(await the_admin()):
            await calls(CampaignState.plan, dialog)
            assert (len(dialog.companies), dialog.are_more_companies) == (2, True)
            assert dialog.company == ""
            await calls(CampaignState.find_company, dialog, form={"company_search": "wint"})
        assert dialog.companies == [(str(wanted.id), "Winter")]
        assert (dialog.company, dialog.are_more_companies) == (str(wanted.id), False)


class TestEndingACampaign:
    @pytest.mark.parametrize(
        ("has_run", "text"),
        [(True, "campaigns.ended_text"), (False, "campaigns.end_no_rest")],
        ids=["that-ran", "a-draft"],
    )
    async def test_promises_back_only_what_was_set_aside(self, page: Any, has_run: bool, text: str):
        company = await a_company(dollars=500)
        made = (await runs(company))[0] if has_run else await plans(company.owner)
        dialog = await page.get_state(CampaignState)
        with acting(company.owner):
            await calls(CampaignState.edit, dialog, campaign_id=made)
            await calls(CampaignState.ask_to_end, dialog)
            await calls(CampaignState.end, dialog, form={})
        assert (dialog.notice["title"], dialog.notice["text"]) == ("campaigns.ended_title", text)


class TestResumingAnAd:
    async def test_tells_that_it_waits_for_its_review_first(self, page: Any):
        company = await a_company()
        campaign_id, ad_id = await runs(company, budget="2000")
        shown = await page.get_state(AdsState)
        with acting(company.owner):
            for budget, title in (("2000", None), ("1000", "ads_desk.saved_title")):
                await pauses_ad(company.owner, ad_id)
                await edits(company.owner, campaign_id, {"budget": budget})
                await calls(AdsState.resume, shown, ad_id=ad_id)
                assert shown.notice.get("title") == title
        assert shown.notice["text"] == "ads_desk.resumed_uncovered"
        assert shown.ads[0]["status"] == "pending_review"


class TestOfTwoWhoEditAtOnce:
    """The one begins first and saves last: what the other has saved meanwhile stays."""

    async def test_each_changes_what_they_typed_of_a_campaign(self, page: Any):
        company = await a_company()
        dates = {"start_date": "2026-03-01T00:00", "end_date": "2199-03-31T23:59"}
        campaign_id = await plans(company.owner, {"daily_budget": "50", **dates})
        dialog = await page.get_state(CampaignState)
        with acting(company.owner):
            await calls(CampaignState.edit, dialog, campaign_id=campaign_id)
            shown = dict(dialog.typed)
            await edits(await a_member(company), campaign_id, shown | {"daily_budget": "10"})
            await calls(CampaignState.save, dialog, form=shown | {"description": "Snow"})
        plan = (await sees(company.owner, campaign_id)).plan
        assert (plan.description, plan.daily_budget_cents) == ("Snow", 1000)

    async def test_each_changes_what_they_typed_of_an_ad(self, page: Any):
        company = await a_company()
        ad_id = await makes_ad(company.owner, await plans(company.owner))
        ads = await page.get_state(AdsState)
        with acting(company.owner):
            await calls(AdsState.edit, ads, ad_id=ad_id)
            shown = dict(ads.typed)
            another = {"ad_type": "image", "image_url": "/ads/fjord.webp"}
            await changes_ad(await a_member(company), ad_id, shown | another | {"duration": "9"})
            await calls(AdsState.save, ads, form=shown | {"title": "Every step"})
        (kept,) = (await ads_of(company.owner)).shown
        draft = kept.found.draft
        assert (draft.title, draft.seconds) == ("Every step", 9)
        assert (draft.kind, draft.image_url) == ("image", "/ads/fjord.webp")

    async def test_each_changes_what_they_typed_of_the_company(self, page: Any):
        company = await a_company(phone="+46812345678", website="https://fjord.example")
        (await page.get_state(AdvertiserState)).tab = "settings"
        settings = await page.get_state(SettingsState)
        with acting(company.owner):
            await calls(SettingsState.load, settings)
            shown, began = dict(settings.company), settings.round
            async with transaction() as session:
                sven, typed = await a_member(company), {"email": "hi@fjord.example"}
                await settings_service.describe(session, sven, typed, now=NOON)
            await calls(SettingsState.refresh, settings)
            assert (settings.company, settings.round) == (shown, began), "what is typed stays"
            await calls(SettingsState.save, settings, form=shown | {"phone": ""})
        assert settings.company == shown | {"email": "hi@fjord.example", "phone": ""}
        assert settings.round > began, "its fields show what is kept"

    async def test_the_form_that_says_what_is_kept_is_left_alone(self, page: Any):
        company = await a_company()
        settings = await page.get_state(SettingsState)
        with acting(company.owner):
            await calls(SettingsState.load, settings)
            began = settings.round
            form = settings.company | {"company_name": "Fjord Audio AB"}
            await calls(SettingsState.save, settings, form=form)
            await calls(SettingsState.load, settings)
        assert settings.company["company_name"] == "Fjord Audio AB"
        assert settings.round == began


class TestATopUpThatCannotBeShown:
    @pytest.mark.parametrize(
        ("status", "checkout", "text"),
        [
            (Status.WAITING, "https://pay.example.com", "errors.done_not_shown"),
            (Status.WAITING, None, "errors.top_ups.still_opening"),
            (Status.FAILED, None, "errors.top_ups.failed"),
        ],
        ids=["begun", "still-opening", "failed"],
    )
    async def test_is_told_as_what_came_of_it(
        self,
        status: Status,
        checkout: str | None,
        text: str,
        owner: Actor,
        page: Any,
        monkeypatch: pytest.MonkeyPatch,
    ):
        async def begins(*_: Any, **__: Any) -> Begun:
            return Begun(new_id(), status, checkout)

        monkeypatch.setattr(top_ups, "begin", begins)
        monkeypatch.setattr(statement, "statement", failing(RuntimeError))
        shown = await page.get_state(BillingState)
        with acting(owner):
            form = {"amount": "100", "attempt": str(new_id())}
            steps = await calls(BillingState.top_up, shown, form=form)
        assert shown.notice["text"] == text
        assert not shown.is_busy
        assert len([step for step in steps if step]) == bool(checkout), "led to the checkout"


class TestTopUps:
    async def test_that_take_days_are_under_way_and_have_nothing_left_to_pay(
        self, stripe: StripeServer, page: Any
    ):
        company = await a_company()
        begun = await asks(company)
        stripe.promise_to_pay(stripe.newest_session["id"])
        desk = await page.get_state(AdvertiserState)
        desk.is_owner = True
        shown = await page.get_state(BillingState)
        with acting(company.owner):
            await calls(BillingState.load, shown)
            await calls(
                BillingState.come_back, shown, top_up_id=begun.top_up_id, has_cancelled=False
            )
        (row,) = shown.top_ups
        assert (row["is_under_way"], row["url"], row["until"]) == (True, "", "")

    @pytest.mark.parametrize(("is_away", "status"), [(True, "waiting"), (False, "cancelled")])
    async def test_whose_checkout_was_left_are_confirmed_by_nobody(
        self, is_away: bool, status: str, stripe: StripeServer, page: Any
    ):
        company = await a_company()
        begun = await asks(company)
        stripe.is_away = is_away
        desk = await page.get_state(AdvertiserState)
        desk.is_owner = True
        shown = await page.get_state(BillingState)
        at(page, f"/advertiser?tab=settings&order={begun.top_up_id}&came=cancelled")
        with acting(company.owner):
            await calls(BillingState.load, shown)
            await calls(
                BillingState.come_back, shown, top_up_id=begun.top_up_id, has_cancelled=True
            )
        (row,) = shown.top_ups
        assert (row["status"], shown.has_left) == (status, True)
        assert bool(shown.notice) is is_away

    async def test_of_which_a_part_went_back_say_how_much(self, stripe: StripeServer, page: Any):
        company = await a_company()
        begun = await asks(company)
        await hears(stripe, await is_paid_at(stripe, begun))
        stripe.refund_at_dashboard(stripe.payments[-1]["id"], amount=6_000)
        await hears(stripe, stripe.events_of("charge.refunded")[-1])
        desk = await page.get_state(AdvertiserState)
        desk.is_owner = True
        shown = await page.get_state(BillingState)
        with acting(company.owner):
            await calls(BillingState.load, shown)
        (row,) = shown.top_ups
        assert (row["cents"], row["returned"], row["status"]) == (10_000, 6_000, "paid")

    async def test_lead_to_every_invoice_and_stay_when_something_changes(
        self, stripe: StripeServer, page: Any
    ):
        company = await a_company()
        paid = await asks(company)
        await hears(stripe, await is_paid_at(stripe, paid))
        for _ in range(top_ups.A_PAGE):
            await top_ups.cancel(company.owner, (await asks(company)).top_up_id)
        desk = await page.get_state(AdvertiserState)
        desk.tab, desk.is_owner = "settings", True
        shown = await page.get_state(BillingState)
        with acting(company.owner):
            await calls(BillingState.load, shown)
            assert {row["invoice"] for row in shown.top_ups} == {""}
            before = UUID(shown.top_ups_before)
            for _ in ("once", "twice"):
                await calls(BillingState.load_more_top_ups, shown, before=before)
            for _ in ("loaded", "read again"):
                assert len(shown.top_ups) == top_ups.A_PAGE + 1
                assert (shown.top_ups[-1]["invoice"], shown.top_ups_before) == ("WCA-000001", "")
                await calls(BillingState.refresh, shown)
            await calls(BillingState.load, shown)
        assert len(shown.top_ups) == top_ups.A_PAGE


class TestOpening:
    async def test_loads_the_application_for_who_has_no_company(self):
        state, loads = await opened(await an_owner())
        assert (state.standing, state.tab, loads) == ("none", "", [*LOADS_BEFORE, AppState.arrive])

    async def test_loads_the_first_tab_of_an_approved_company(self):
        company = await a_company(dollars=7)
        state, loads = await opened(company.owner)
        assert (state.company, state.is_owner) == ("Fjord Audio", True)
        assert (state.tab, loads) == (TABS[0].key, [*TABS[0].loads, AppState.arrive])
        assert state.balance == 700_000

    async def test_of_the_dashboard_by_a_link_tells_of_the_invitation(self, page: Any):
        company, other = await a_company(), await a_company("Sidewind Studio")
        form = {"colleague": other.owner.email}
        async with transaction() as session:
            await people.invite(session, company.owner, form, language="en", now=utc_now())
        page.router = RouterData.from_router_data(
            {"asPath": f"{PATH}?invite=an-older-one", "pathname": PATH}
        )
        desk, invited = await page.get_state(AdvertiserState), await page.get_state(InvitationState)
        with acting(other.owner):
            [loads] = await calls(AdvertiserState.open, desk)
            assert loads == [InvitationState.load, *TABS[0].loads, AppState.arrive]
            await calls(InvitationState.load, invited)
        assert desk.came_by_link
        asked = {"company": "Fjord Audio", "way": "taken", "own": "Sidewind Studio"}
        assert invited.invitation.items() >= asked.items()

    async def test_has_no_settings_for_admins(self):
        state, _ = await opened(await an_owner(role=Role.ADMIN))
        assert (state.company, state.tab) == ("", TABS[0].key)
        assert {tab.key for tab in TABS if tab.is_of_one_company} == {"settings"}

    async def test_follows_one_company_alone(self):
        company, other = await a_company(), await a_company("Sidewind Studio")
        await opened(company.owner)
        assert tabs.concerns(A_TAB, {str(company.id)})
        assert not tabs.concerns(A_TAB, {str(other.id)})


class TestFollowing:
    async def test_an_approval_opens_the_dashboard(self):
        freja = await an_owner()
        await applies(freja)
        state, _ = await opened(freja)
        assert state.standing == "pending"
        await is_decided("Fjord Audio", "approved")
        with acting(freja):
            loads = await AdvertiserState.refresh.fn(state)  # pyright: ignore
        assert (state.standing, state.tab) == ("approved", TABS[0].key)
        assert loads == [*LOADS[TABS[0].key], AppState.arrive]

    async def test_who_owns_it_from_now_on_can_pay_in_at_once(self, page: Any):
        company = await a_company(dollars=7)
        sven = await a_member(company)
        desk, billing = await page.get_state(AdvertiserState), await page.get_state(BillingState)
        with acting(sven):
            await calls(AdvertiserState.open, desk)
            desk.tab = SETTINGS
            await calls(BillingState.load, billing)
            assert not billing.is_loaded
            async with transaction() as session:
                freja = company.owner
                await leaving.forget(session, freja.user_id, freja.email, now=utc_now())
            await calls(AdvertiserState.refresh, desk)
            await calls(BillingState.refresh, billing)
        assert billing.is_loaded
        assert id_from(billing.attempt)
        assert [entry["kind"] for entry in billing.entries] == ["opening"]

    async def test_a_view_changes_the_sums_of_the_settings(self, page: Any):
        company = await a_company(dollars=500)
        await runs(company)
        desk = await page.get_state(AdvertiserState)
        settings = await page.get_state(SettingsState)
        with acting(company.owner):
            await calls(AdvertiserState.open, desk)
            assert desk.set_aside == 500 * A_DOLLAR
            await watches(await the_player())
            (tab,) = (tab for tab in TABS if tab.key == SETTINGS)
            (follow,) = tab.follows[VIEWED]
            assert await calls(follow, settings) == [None]
            desk.tab = SETTINGS
            (led_to,) = await calls(follow, settings)
            await calls(led_to, desk)
        assert desk.set_aside == 500 * A_DOLLAR - A_DOLLAR // 2

    async def test_what_stays_the_same_loads_nothing(self):
        company = await a_company()
        state, _ = await opened(company.owner)
        with acting(company.owner):
            assert await AdvertiserState.refresh.fn(state) is None  # pyright: ignore

    def test_the_page_follows_what_its_tabs_follow(self):
        followed = home.follows()
        for tab in TABS:
            for topic, handlers in tab.follows.items():
                assert set(map(str, handlers)) <= set(map(str, followed[topic]))


class TestTheFrame:
    @pytest.mark.parametrize(("status", "shown"), [("approved", "Fjord Audio"), ("pending", "")])
    async def test_names_the_company_once_it_is_approved(self, status: str, shown: str):
        company = await a_company(dollars=7, status=status)
        state = CompanyBarState(_reflex_internal_init=True)  # pyright: ignore
        with acting(company.owner):
            await CompanyBarState.load.fn(state)  # pyright: ignore
        assert state.company == shown
        assert state.balance == (700_000 if shown else 0)
