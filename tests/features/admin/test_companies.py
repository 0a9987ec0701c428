"""What the admin's page keeps of the company that its address names, and what leads to it."""

from datetime import timedelta
from typing import Any
from uuid import UUID

import pytest

from rewards_app.core.clock import utc_now
from rewards_app.core.database import transaction
from rewards_app.core.errors import StorageAway
from rewards_app.core.ids import new_id
from rewards_app.features.admin import company_state
from rewards_app.features.admin.ad_reviews_state import AdReviewState
from rewards_app.features.admin.advertisers_state import AdvertisersState
from rewards_app.features.admin.company_state import CompanyState
from rewards_app.features.admin.people_state import PeopleDeskState
from rewards_app.features.admin.security_state import SecurityState
from rewards_app.features.admin.state import AdminState
from rewards_app.features.admin.support_state import SupportDeskState
from rewards_app.features.advertiser import directory, review, top_ups
from rewards_app.features.advertiser.campaigns_state import CampaignsState
from rewards_app.features.advertiser.rules import CARD
from rewards_app.features.alerts import service as alerts
from rewards_app.features.alerts.service import Kind
from tests.ads import an_advertiser
from tests.campaigns import ends, plans
from tests.companies import A_DOLLAR, Company, a_company, a_member, pays_in
from tests.panel import followed
from tests.people import an_account
from tests.review import REASON, a_draft, a_waiting_ad, an_applicant, withdraws
from tests.states import acting, at, calls, failing
from tests.tickets import asks

pytestmark = pytest.mark.usefixtures("admin")
FAILURES = [StorageAway, RuntimeError]


@pytest.fixture
async def card(page: Any) -> CompanyState:
    (await page.get_state(AdminState)).tab = "advertisers"
    return await page.get_state(CompanyState)


@pytest.fixture
async def desk(page: Any) -> AdvertisersState:
    (await page.get_state(AdminState)).tab = "advertisers"
    return await page.get_state(AdvertisersState)


async def opens(card: CompanyState, page: Any, company_id: UUID | str) -> None:
    at(page, f"{CARD}{company_id}")
    await calls(CompanyState.load, card)


class TestTheCard:
    async def test_shows_who_the_company_is_and_what_it_has(self, card: CompanyState, page: Any):
        company = await a_company(dollars=100, website="https://fjord.example/")
        await a_member(company)
        await opens(card, page, company.id)
        assert card.company["company"] == "Fjord Audio"
        assert card.company["website"] == "https://fjord.example/"
        assert card.company["audit"] == f"/admin?tab=audit&about=company:{company.id}"
        assert (card.balance, card.set_aside, card.spent) == (100 * A_DOLLAR, 0, 0)
        assert [(one["name"], one["role"]) for one in card.members] == [
            ("Freja", "owner"),
            ("Sven", "member"),
        ]
        person = f"/admin?tab=people&person={company.owner.user_id}"
        assert card.members[0]["person"] == person

    async def test_is_not_there_where_the_address_names_nobody(self, card: CompanyState, page: Any):
        for known in ("", "x", "' or 1=1"):
            await opens(card, page, known)
            assert (card.company_id, card.is_unknown) == ("", False)

    async def test_says_so_of_a_company_that_is_not_there(self, card: CompanyState, page: Any):
        await opens(card, page, new_id())
        assert (card.is_unknown, card.company, card.has_failed) == (True, {}, False)

    async def test_says_so_once_its_application_was_withdrawn(self, card: CompanyState, page: Any):
        waiting = await an_applicant()
        await opens(card, page, waiting.id)
        await withdraws(waiting)
        await calls(CompanyState.refresh, card)
        assert (card.is_unknown, card.company, card.members) == (True, {}, [])
        assert not card.notice
        assert card.company_id == str(waiting.id)

    @pytest.mark.parametrize("failure", FAILURES)
    async def test_says_so_where_it_cannot_be_read(
        self,
        card: CompanyState,
        page: Any,
        monkeypatch: pytest.MonkeyPatch,
        failure: type[Exception],
    ):
        company = await a_company()
        monkeypatch.setattr(company_state.directory, "look_into", failing(failure))
        await opens(card, page, company.id)
        assert (card.has_failed, card.company) == (True, {})

    async def test_of_another_company_keeps_nothing_of_the_one_before(
        self, card: CompanyState, page: Any
    ):
        company = await a_company(dollars=5)
        await plans(company.owner)
        await opens(card, page, company.id)
        await opens(card, page, (await an_advertiser("The house's own")).id)
        assert (card.campaigns, card.entries, card.members, card.balance) == ([], [], [], 0)

    async def test_shows_each_top_up_with_its_payment_and_no_way_to_pay(
        self, card: CompanyState, page: Any
    ):
        company = await a_company()
        await pays_in(company, "100")
        await top_ups.begin(company.owner, "50", new_id(), language="en", now=utc_now())
        await opens(card, page, company.id)
        waiting, paid = card.top_ups
        assert (waiting["status"], waiting["url"]) == ("waiting", "")
        assert (paid["invoice"], paid["cents"], paid["payer"]) == ("WCA-000001", 10_000, "Freja")
        assert UUID(paid["payment"])
        assert paid["intent"]

    async def test_leads_on_through_campaigns_top_ups_and_entries_once(
        self, card: CompanyState, page: Any, monkeypatch: pytest.MonkeyPatch
    ):
        monkeypatch.setattr(directory, "CAMPAIGNS_AT_ONCE", 1)
        monkeypatch.setattr(top_ups, "A_PAGE", 1)
        monkeypatch.setattr(directory.statement, "A_PAGE", 1)
        company = await a_company()
        for name in ("First", "Second"):
            await plans(company.owner, {"name": name})
            await pays_in(company)
        await opens(card, page, company.id)
        campaign, top_up = UUID(card.campaigns_before), UUID(card.top_ups_before)
        entry = card.entries_before
        for _ in range(2):
            await calls(CompanyState.load_more_campaigns, card, before=campaign)
            await calls(CompanyState.load_more_top_ups, card, before=top_up)
            await calls(CompanyState.load_more_entries, card, before=entry)
        assert [one["name"] for one in card.campaigns] == ["Second", "First"]
        assert [one["invoice"] for one in card.top_ups] == ["WCA-000002", "WCA-000001"]
        assert [one["subject"] for one in card.entries] == ["WCA-000002", "WCA-000001"]
        assert (card.campaigns_before, card.top_ups_before, card.entries_before) == ("", "", 0)

    async def test_follows_what_changes(self, card: CompanyState, page: Any):
        company = await a_company()
        await opens(card, page, company.id)
        async with followed(page):
            await plans(company.owner)
            await pays_in(company)
        assert [one["name"] for one in card.campaigns] == ["Winter sale"]
        assert card.balance == 100 * A_DOLLAR
        assert len(card.entries) == 1

    async def test_is_left_alone_while_another_tab_is_open(self, card: CompanyState, page: Any):
        company = await a_company()
        await opens(card, page, company.id)
        (await page.get_state(AdminState)).tab = "stock"
        await plans(company.owner)
        await calls(CompanyState.refresh, card)
        assert card.campaigns == []


class TestTheEndOfAllCampaigns:
    async def test_is_asked_about_and_done_for_a_reason(self, card: CompanyState, page: Any):
        company = await a_company()
        await plans(company.owner)
        await opens(card, page, company.id)
        await calls(CompanyState.ask_to_end_all, card)
        await calls(CompanyState.end_all, card, form={"reason": "No"})
        assert (card.refusal["params"]["field"], card.is_asking) == ("reason", True)
        await calls(CompanyState.end_all, card, form={"reason": REASON})
        assert card.notice["title"] == "admin.company.ended_title"
        assert ([one["status"] for one in card.campaigns], card.is_asking) == (["completed"], False)

    async def test_that_nobody_asked_about_does_nothing(self, card: CompanyState, page: Any):
        company = await a_company()
        await plans(company.owner)
        await opens(card, page, company.id)
        await calls(CompanyState.end_all, card, form={"reason": REASON})
        await calls(CompanyState.ask_to_end_all, card)
        await calls(CompanyState.close, card)
        await calls(CompanyState.end_all, card, form={"reason": REASON})
        assert card.open_campaigns == 1

    async def test_is_not_asked_about_where_nothing_goes_on(self, card: CompanyState, page: Any):
        await opens(card, page, (await a_company()).id)
        await calls(CompanyState.ask_to_end_all, card)
        assert not card.is_asking

    async def test_that_somebody_else_was_quicker_with_closes_the_question(
        self, card: CompanyState, page: Any
    ):
        company = await a_company()
        campaign_id = await plans(company.owner)
        await opens(card, page, company.id)
        await calls(CompanyState.ask_to_end_all, card)
        async with followed(page):
            await ends(company.owner, campaign_id)
        assert (card.is_asking, card.open_campaigns) == (False, 0)


class TestTheSearch:
    async def test_stands_in_the_place_of_the_lists_until_it_is_given_up(
        self, desk: AdvertisersState
    ):
        company = await a_company()
        await a_company("Sidewind Studio")
        await calls(AdvertisersState.load, desk)
        await calls(AdvertisersState.find, desk, form={"search": " fjord "})
        assert [row["company"] for row in desk.found] == ["Fjord Audio"]
        assert desk.found[0]["card"] == f"{CARD}{company.id}"
        before = desk.round
        await calls(AdvertisersState.show_all, desk)
        assert (desk.search, desk.found, desk.round) == ("", [], before + 1)

    async def test_leads_on_once(self, desk: AdvertisersState, monkeypatch: pytest.MonkeyPatch):
        monkeypatch.setattr(review, "A_PAGE", 2)
        for number in range(3):
            await a_company(f"Fjord {number}")
        await calls(AdvertisersState.load, desk)
        await calls(AdvertisersState.find, desk, form={"search": "fjord"})
        before = UUID(desk.found_before)
        for _ in range(2):
            await calls(AdvertisersState.load_more_found, desk, before=before)
        assert [row["company"] for row in desk.found] == ["Fjord 2", "Fjord 1", "Fjord 0"]

    async def test_that_finds_who_waits_leads_to_the_decision(self, desk: AdvertisersState):
        company = await a_company(status="pending")
        await calls(AdvertisersState.load, desk)
        await calls(AdvertisersState.find, desk, form={"search": "fjord"})
        await calls(AdvertisersState.ask, desk, advertiser_id=company.id, decision="approved")
        await calls(AdvertisersState.decide, desk, form={})
        assert [row["status"] for row in desk.found] == ["approved"]


class TestWhatLeadsToIt:
    @pytest.mark.parametrize(
        ("kind", "named"),
        [
            (Kind.ADVERTISER_BELOW_ZERO, {"invoice": "WCA-000001", "company": "{company}"}),
            (Kind.ADVERTISER_LEFT_MONEY, {"cents": 5, "company": "{company}", "payments": "–"}),
            (Kind.ADVERTISER_RENAMED, {"was": "A", "name": "B", "company": "{company}"}),
            (Kind.ADVERTISER_DIFFERENCE, {"line": "company {company} has 5, its entries 7"}),
            (Kind.ADVERTISER_DIFFERENCE, {"line": "entry 7 of company {company} does not follow"}),
            (Kind.ADVERTISER_DIFFERENCE, {"line": "campaign {campaign} set aside 5"}),
        ],
    )
    async def test_is_each_alert_about_a_company(
        self, page: Any, kind: Kind, named: dict[str, Any]
    ):
        company = await a_company()
        known = {"company": company.id, "campaign": await plans(company.owner)}
        params = {
            name: text.format(**known) if isinstance(text, str) else text
            for name, text in named.items()
        }
        async with transaction() as session:
            await alerts.raise_alert(session, kind, now=utc_now(), **params)
        (await page.get_state(AdminState)).tab = "security"
        tab = await page.get_state(SecurityState)
        await calls(SecurityState.load, tab)
        [row] = tab.alerts
        assert (row["company_id"], row["company"]) == (str(company.id), "Fjord Audio")
        assert row["params"]["company"] == "Fjord Audio"

    async def test_is_an_alert_by_the_identifier_where_nobody_is_left_to_name(self, page: Any):
        gone = await an_advertiser("–")
        async with transaction() as session:
            known = {"invoice": "WCA-000001", "company": str(gone.id)}
            await alerts.raise_alert(session, Kind.ADVERTISER_BELOW_ZERO, now=utc_now(), **known)
        (await page.get_state(AdminState)).tab = "security"
        tab = await page.get_state(SecurityState)
        await calls(SecurityState.load, tab)
        [row] = tab.alerts
        assert (row["company_id"], row["params"]["company"]) == (str(gone.id), str(gone.id))

    async def test_is_the_notice_of_a_new_alert_by_name(self, page: Any):
        company = await a_company()
        (await page.get_state(AdminState)).tab = "people"
        tab = await page.get_state(SecurityState)
        await calls(SecurityState.hear, tab)
        async with transaction() as session:
            known = {"invoice": "WCA-000001", "company": str(company.id)}
            now = utc_now() - timedelta(seconds=1)
            await alerts.raise_alert(session, Kind.ADVERTISER_BELOW_ZERO, now=now, **known)
        await calls(SecurityState.hear, tab)
        assert "Fjord Audio" in tab.notice["params"]["description"]

    async def test_is_a_person_who_acts_for_it(self, page: Any):
        company = await a_company()
        (await page.get_state(AdminState)).tab = "people"
        people = await page.get_state(PeopleDeskState)
        await calls(PeopleDeskState.look_into, people, account_id=company.owner.user_id)
        assert people.person["company"] == "Fjord Audio"
        assert people.person["company_card"] == f"{CARD}{company.id}"
        await calls(PeopleDeskState.look_into, people, account_id=(await an_account()).id)
        assert people.person["company_card"] == ""

    async def test_is_a_ticket_of_who_acts_for_it(self, page: Any):
        company = await a_company()
        number = await asks(company.owner, now=utc_now())
        desk = await page.get_state(SupportDeskState)
        await desk._open(number)
        assert (desk.ticket["company"], desk.ticket["company_card"]) == (
            "Fjord Audio",
            f"{CARD}{company.id}",
        )

    async def test_is_an_ad_that_is_reviewed(self, page: Any):
        owner = await an_advertiser("Fjord Audio")
        ad = await a_waiting_ad(await a_draft(owner))
        queue = await page.get_state(AdReviewState)
        await calls(AdReviewState.look_at, queue, ad_id=ad.id)
        assert queue.ad["company_card"] == f"{CARD}{owner.id}"


class TestItsCampaigns:
    async def shown(self, page: Any, address: str) -> CampaignsState:
        at(page, address)
        state = await page.get_state(CampaignsState)
        await calls(CampaignsState.open, state)
        return state

    async def both(self) -> tuple[Company, Company]:
        fjord, other = await a_company(), await a_company("Other")
        await plans(fjord.owner, {"name": "Winter"})
        await plans(fjord.owner, {"name": "Spring"})
        await plans(other.owner, {"name": "Winter"})
        return fjord, other

    async def test_stand_alone_where_the_address_names_it(self, page: Any):
        fjord, _ = await self.both()
        state = await self.shown(page, f"/campaigns?company={fjord.id}")
        assert [one["name"] for one in state.campaigns] == ["Spring", "Winter"]
        assert (state.only["name"], state.total) == ("Fjord Audio", 2)
        assert {one["company_id"] for one in state.campaigns} == {str(fjord.id)}

    async def test_are_searched_as_the_address_says(self, page: Any):
        fjord, _ = await self.both()
        state = await self.shown(page, f"/campaigns?company={fjord.id}&search=Winter")
        assert ([one["name"] for one in state.campaigns], state.search) == (["Winter"], "Winter")

    async def test_are_a_companys_own_whatever_the_address_says(self, page: Any):
        fjord, other = await self.both()
        with acting(fjord.owner):
            state = await self.shown(page, f"/campaigns?company={other.id}")
        assert [one["name"] for one in state.campaigns] == ["Spring", "Winter"]
        assert (state.only, state.search) == ({}, "")

    async def test_stand_with_all_others_else(self, page: Any):
        fjord, _ = await self.both()
        await self.shown(page, f"/campaigns?company={fjord.id}")
        for address in ("/campaigns", "/campaigns?company=x", f"/campaigns?company={new_id()}"):
            state = await self.shown(page, address)
            assert (len(state.campaigns), state.only) == (3, {}), address
