"""What an admin does to a company's campaign or ad stands in the audit log; what it does, not."""

import pytest

from rewards_app.core.database import transaction
from rewards_app.features.advertiser import campaign_rules
from rewards_app.features.audit import log
from rewards_app.features.audit.rules import Action, Line, Search
from tests.campaigns import (
    a_draft,
    a_plan,
    ads_of,
    changes_ad,
    edits,
    ends,
    makes_ad,
    pauses,
    pauses_ad,
    plans,
    resumes,
    resumes_ad,
    runs,
    the_admin,
)
from tests.companies import Company, a_company

pytestmark = pytest.mark.usefixtures("database")
WHY = "Its product is not sold any more."


@pytest.fixture
async def fjord() -> Company:
    return await a_company(dollars=2500)


async def lines(about: str = "") -> list[Line]:
    async with transaction() as session:
        return list((await log.find(session, Search(about=about))).shown)


async def newest(about: str) -> Line:
    return (await lines(about))[0]


class TestAnAdmin:
    async def test_who_plans_a_campaign_is_written_down_with_the_plan(self, fjord: Company):
        campaign_id = await plans(await the_admin(), company=fjord.id)
        line = await newest(f"campaign:{campaign_id}")
        assert (line.action, line.label) == (Action.CAMPAIGN_PLANNED, "Winter sale")
        assert line.before == {}
        assert line.after["budget"] == "500.00"

    async def test_who_changes_one_is_written_down_with_what_became_different(self, fjord: Company):
        campaign_id = await plans(fjord.owner)
        await edits(await the_admin(), campaign_id, {"name": "Spring", "budget": "500"})
        line = await newest(f"campaign:{campaign_id}")
        assert (line.action, line.label) == (Action.CAMPAIGN_CHANGED, "Winter sale")
        assert (line.before, line.after) == ({"name": "Winter sale"}, {"name": "Spring"})

    async def test_who_changes_nothing_has_done_nothing(self, fjord: Company):
        campaign_id = await plans(fjord.owner)
        await edits(await the_admin(), campaign_id, {"name": "Winter sale"})
        assert await lines(f"campaign:{campaign_id}") == []

    async def test_who_pauses_resumes_and_ends_one_is_written_down_each_time(self, fjord: Company):
        campaign_id, _ = await runs(fjord)
        admin = await the_admin()
        await pauses(admin, campaign_id)
        await resumes(admin, campaign_id)
        await ends(admin, campaign_id, WHY)
        found = await lines(f"campaign:{campaign_id}")
        assert [
            (line.action, line.before["status"], line.after["status"], line.reason)
            for line in found
        ] == [
            (Action.CAMPAIGN_ENDED, "active", "completed", WHY),
            (Action.CAMPAIGN_RESUMED, "paused", "active", ""),
            (Action.CAMPAIGN_PAUSED, "active", "paused", ""),
        ]

    async def test_who_is_refused_leaves_no_line(self, fjord: Company):
        campaign_id = await plans(fjord.owner)
        with pytest.raises(campaign_rules.CannotResume):
            await resumes(await the_admin(), campaign_id)
        assert await lines(f"campaign:{campaign_id}") == []

    async def test_who_resumes_what_runs_has_done_nothing(self, fjord: Company):
        campaign_id, _ = await runs(fjord)
        await resumes(await the_admin(), campaign_id)
        assert await lines(f"campaign:{campaign_id}") == []

    async def test_who_changes_an_ad_is_written_down_with_its_way_back_to_the_review(
        self, fjord: Company
    ):
        _, ad_id = await runs(fjord)
        await changes_ad(await the_admin(), ad_id, a_draft(title="Hear more"))
        line = await newest(f"ad:{ad_id}")
        assert (line.action, line.label) == (Action.AD_CHANGED, "Hear the fjord")
        assert line.before == {"title": "Hear the fjord", "status": "active"}
        assert line.after == {"title": "Hear more", "status": "pending_review"}

    async def test_who_resumes_an_ad_is_written_down_with_what_it_became(self):
        poor = await a_company()
        campaign_id, ad_id = await runs(poor, budget="2000")
        admin = await the_admin()
        became = []
        for budget in ("2000", "1000"):
            await pauses_ad(admin, ad_id)
            await edits(admin, campaign_id, {"budget": budget})
            await resumes_ad(admin, ad_id)
            line = await newest(f"ad:{ad_id}")
            assert (line.action, line.before) == (Action.AD_RESUMED, {"status": "paused"})
            became.append(line.after["status"])
        assert became == ["active", "pending_review"]

    async def test_who_makes_an_ad_is_written_down_with_it(self, fjord: Company):
        ad_id = await makes_ad(await the_admin(), await plans(fjord.owner))
        line = await newest(f"ad:{ad_id}")
        assert (line.action, line.label) == (Action.AD_MADE, "Hear the fjord")
        assert line.after["click_url"] == "https://fjord.example/"


class TestACompany:
    async def test_does_with_its_own_what_it_wants(self, fjord: Company):
        campaign_id, ad_id = await runs(fjord)
        before = len(await lines())
        await edits(fjord.owner, campaign_id, a_plan(name="Spring"))
        await pauses(fjord.owner, campaign_id)
        await resumes(fjord.owner, campaign_id)
        await changes_ad(fjord.owner, ad_id, a_draft(title="Hear more"))
        await ends(fjord.owner, campaign_id)
        assert len((await ads_of(fjord.owner)).shown) == 1
        assert len(await lines()) == before
