"""What companies set for themselves: kept, told again, and the owner's where it is the owner's."""

from datetime import timedelta

import pytest

from rewards_app.core import live
from rewards_app.core.database import rows, transaction
from rewards_app.core.errors import BadArguments
from rewards_app.features.ads import serving
from rewards_app.features.advertiser import fields, rules, settings_service
from rewards_app.features.advertiser.settings_service import SWITCHES, CompanySettings
from rewards_app.models import Advertiser
from tests.ads import a_campaign, an_ad
from tests.companies import Company, a_company, a_form, a_member, an_owner
from tests.figures import TODAY, came_of
from tests.paying import ask
from tests.people import NOON

pytestmark = pytest.mark.usefixtures("database")


async def settings_of(actor) -> CompanySettings:
    async with transaction() as session:
        return await settings_service.settings_of(session, actor, now=NOON)


async def describes(actor, **changes: str) -> None:
    async with transaction() as session:
        await settings_service.describe(session, actor, a_form(**changes), now=NOON)


async def flips(actor, name: str, is_on: bool) -> None:
    async with transaction() as session:
        await settings_service.switch(session, actor, name, is_on, now=NOON)


@pytest.mark.parametrize(("name", "is_told"), [("reaches_minors", 1), ("tags_links", 0)])
async def test_whom_ads_may_be_shown_to_reaches_open_pages(name: str, is_told: int):
    company = await a_company()
    before = live._waiting.get((serving.CHANGED, ""), 0)
    await flips(company.owner, name, True)
    assert live._waiting.get((serving.CHANGED, ""), 0) == before + is_told


class TestTheForm:
    async def test_is_kept(self):
        company = await a_company()
        await describes(company.owner, company_name="Fjord Audio AB", email="HI@fjord.example")
        assert (await settings_of(company.owner)).company == {
            "company_name": "Fjord Audio AB",
            "email": "hi@fjord.example",
            "phone": "+46812345678",
            "website": "https://fjord.example",
        }

    @pytest.mark.parametrize("is_owner", [True, False], ids=["owner", "member"])
    async def test_is_kept_of_a_company_whose_name_was_taken_before_it_had_to_be_written(
        self, is_owner: bool
    ):
        company = await a_company("Fjord 株式会社")
        actor = company.owner if is_owner else await a_member(company)
        form = {"company_name": "Fjord 株式会社", "phone": ""}
        async with transaction() as session:
            await settings_service.describe(session, actor, form, now=NOON)
        assert (await settings_of(actor)).company["phone"] == ""

    async def test_tells_an_admin_of_another_name_alone(self, database: str):
        company = await a_company()
        await describes(company.owner, phone="")
        told = "select alert_type, params->>'was', params->>'name' from security_alerts"
        assert ask(database, told) == []
        await describes(company.owner, company_name="WatchCoins")
        assert ask(database, told) == [("advertiser_renamed", "Fjord Audio", "WatchCoins")]

    async def test_tells_an_admin_of_several_names_from_the_one_that_was_approved(
        self, database: str
    ):
        company = await a_company()
        for name in ("WatchCoins", "CoinWatchers"):
            await describes(company.owner, company_name=name)
        told = "select params->>'was', params->>'name', times from security_alerts"
        assert ask(database, told) == [("Fjord Audio", "CoinWatchers", 2)]

    async def test_keeps_what_it_leaves_out(self):
        company = await a_company()
        await describes(company.owner)
        before = (await settings_of(company.owner)).company
        async with transaction() as session:
            typed = {"phone": ""}
            await settings_service.describe(session, company.owner, typed, now=NOON)
        assert (await settings_of(company.owner)).company == {**before, "phone": ""}

    async def test_of_a_member_keeps_the_companys_name(self):
        company = await a_company()
        await describes(await a_member(company), company_name="Sven's", email="hi@fjord.example")
        known = (await settings_of(company.owner)).company
        assert (known["company_name"], known["email"]) == ("Fjord Audio", "hi@fjord.example")

    async def test_refuses_bad_input_beside_its_field_and_keeps_nothing(self):
        company = await a_company()
        with pytest.raises(fields.BadScheme) as refusal:
            await describes(company.owner, company_name="X", website="javascript:alert(1)")
        assert refusal.value.params["field"] == "website"
        assert (await settings_of(company.owner)).company["company_name"] == "Fjord Audio"


class TestSwitches:
    @pytest.mark.parametrize("name", SWITCHES)
    async def test_stay_as_they_were_put(self, name: str):
        company = await a_company()
        before = (await settings_of(company.owner)).switches
        await flips(await a_member(company), name, not before[name])
        assert (await settings_of(company.owner)).switches == before | {name: not before[name]}

    @pytest.mark.parametrize("name", ["balance", "status", "id", "", "reaches_minors; --"])
    async def test_there_are_no_others(self, name: str, database: str):
        company = await a_company()
        with pytest.raises(BadArguments):
            await flips(company.owner, name, True)
        assert ask(database, "select status, balance from advertisers") == [("approved", 0)]


class TestWhatStandsBeside:
    async def test_counts_what_was_spent_since_the_month_began(self):
        company = await a_company()
        campaign = await a_campaign(await _row(company), budget_cents=25_000)
        ad = await an_ad(campaign)
        await came_of(ad, TODAY.replace(day=1), impressions=3, completions=2)
        await came_of(ad, TODAY.replace(day=1) - timedelta(days=1), impressions=5, completions=5)
        assert (await settings_of(company.owner)).spent_this_month == await _spent(
            company, TODAY.replace(day=1)
        )

    async def test_tells_whether_the_one_who_asks_has_a_second_factor(self):
        company = await a_company()
        sven = await a_member(company)
        query = "update accounts set second_factor_at = now() where id = %(id)s returning id"
        async with transaction() as session:
            await rows(session, query, {"id": sven.user_id})
        assert (await settings_of(sven)).has_second_factor
        assert not (await settings_of(company.owner)).has_second_factor


async def _row(company: Company) -> Advertiser:
    async with transaction() as session:
        found = await session.get(Advertiser, company.id)
    assert found is not None
    return found


async def _spent(company: Company, since) -> int:
    async with transaction() as session:
        query = "select sum(spend) from ad_days where advertiser_id = %(id)s and day >= %(since)s"
        return int((await rows(session, query, {"id": company.id, "since": since}))[0][0])


class TestNobodyElse:
    @pytest.mark.parametrize("status", ["pending", "rejected"])
    async def test_reads_or_changes_them_before_approval(self, status: str):
        company = await a_company(status=status)
        for act in (
            settings_of(company.owner),
            describes(company.owner),
            flips(company.owner, "tags_links", True),
        ):
            with pytest.raises(rules.NotAnAdvertiser):
                await act

    async def test_reads_or_changes_them_without_a_company(self):
        eva = await an_owner("Eva")
        for act in (settings_of(eva), describes(eva), flips(eva, "tags_links", True)):
            with pytest.raises(rules.NotAnAdvertiser):
                await act
