"""Ads that cost less than their players get: told, held back or neither, as it is set."""

from collections.abc import Callable, Iterator
from uuid import UUID

import pytest

from rewards_app.core.database import rows, transaction
from rewards_app.core.settings import settings
from rewards_app.features.ads import places, rules, service
from rewards_app.features.advertiser import campaign_rules
from rewards_app.features.advertiser.ad_rows import facts_of
from rewards_app.features.advertiser.ad_rules import Status as AdStatus
from rewards_app.features.advertiser.campaign_notes import Note
from rewards_app.models import Ad
from tests.ads import (
    NOON,
    SECOND,
    a_campaign,
    an_ad,
    finishes,
    serve_what_can_be,
    starts,
    the_player,
)
from tests.campaigns import (
    a_draft,
    ads_of,
    changes_ad,
    edits,
    makes_ad,
    pauses_ad,
    plans,
    resumes,
    resumes_ad,
    runs,
    sees,
    served_now,
    status_of,
)
from tests.campaigns import the_admin as an_admin
from tests.companies import Company, a_company
from tests.review import approves

pytestmark = pytest.mark.usefixtures("database")
ENOUGH_CENTS = 142_500
"""Of a budget: its views cost what fifteen coins are worth."""
Set = Callable[[str], None]


@pytest.fixture
def funding(monkeypatch: pytest.MonkeyPatch) -> Iterator[Set]:
    """The house sets it."""

    def set_to(value: str) -> None:
        monkeypatch.setenv("REWARD_FUNDING", value)
        settings.cache_clear()

    yield set_to
    monkeypatch.undo()
    settings.cache_clear()


@pytest.fixture
async def fjord() -> Company:
    return await a_company(dollars=2500)


async def an_ad_at(cents: int | None, **changes: object) -> Ad:
    return await an_ad(await a_campaign(budget_cents=cents), reward=15, **changes)


async def gap_of(company: Company, ad_id: UUID) -> str:
    [known] = [ad for ad in (await ads_of(company.owner)).shown if ad.found.id == ad_id]
    return facts_of(known.found)["gap"]


class TestServing:
    @pytest.mark.parametrize("value", ["off", "warn"])
    async def test_shows_what_does_not_cover_its_reward(self, funding: Set, value: str):
        funding(value)
        ad = await an_ad_at(ENOUGH_CENTS - 1)
        assert (await starts(await the_player(), ad)).ad.id == ad.id

    async def test_that_is_enforced_holds_it_back_by_a_thousandth_of_a_cent(self, funding: Set):
        funding("enforce")
        await an_ad_at(ENOUGH_CENTS - 1)
        covered = await an_ad_at(ENOUGH_CENTS)
        assert await served_now() == {covered.id}

    async def test_that_is_enforced_shows_the_houses_own(self, funding: Set):
        funding("enforce")
        own = await an_ad_at(None)
        assert (await starts(await the_player(), own)).ad.id == own.id

    async def test_follows_the_setting_at_once_and_the_servings_within_a_minute(self, funding: Set):
        ad = await an_ad_at(ENOUGH_CENTS - 1)
        assert await served_now() == {ad.id}
        funding("enforce")
        with pytest.raises(rules.NoAdToShow):
            await starts(await the_player(), ad)
        await service.sweep(now=NOON)
        assert await served_now() == set()
        funding("warn")
        await service.sweep(now=NOON)
        assert await served_now() == {ad.id}

    async def test_pays_for_the_view_that_ran_when_it_was_enforced(self, funding: Set):
        maja = await the_player()
        view = await starts(maja, await an_ad_at(ENOUGH_CENTS - 1))
        funding("enforce")
        await serve_what_can_be()
        assert (await finishes(maja, view, now=NOON + 5 * SECOND)).coins == 15


class TestTheCompany:
    async def test_is_warned_on_the_ad_and_on_the_campaign(self, fjord: Company):
        campaign_id, ad_id = await runs(fjord)
        assert (await sees(fjord.owner, campaign_id)).note is Note.NOT_COVERED
        assert await gap_of(fjord, ad_id) == "warned"

    async def test_is_told_why_it_is_not_shown(self, funding: Set, fjord: Company):
        campaign_id, ad_id = await runs(fjord)
        funding("enforce")
        assert (await sees(fjord.owner, campaign_id)).note is Note.NOT_SERVED
        assert await gap_of(fjord, ad_id) == "not_served"

    async def test_is_told_nothing_where_nothing_is_done(self, funding: Set, fjord: Company):
        funding("off")
        campaign_id, ad_id = await runs(fjord)
        assert (await sees(fjord.owner, campaign_id)).note is Note.NOTHING
        assert await gap_of(fjord, ad_id) == ""

    async def test_is_told_nothing_of_an_ad_that_costs_enough(self, funding: Set, fjord: Company):
        funding("enforce")
        campaign_id, ad_id = await runs(fjord, budget="1425.00")
        assert (await sees(fjord.owner, campaign_id)).note is Note.NOTHING
        assert await gap_of(fjord, ad_id) == ""
        assert await served_now() == {ad_id}

    async def test_who_pays_less_is_reviewed_again_only_where_something_is_done(self, funding: Set):
        poor = await a_company()
        campaign_id, shown = await runs(poor, budget="2000")
        paused = await makes_ad(poor.owner, campaign_id)
        await approves(await an_admin(), paused)
        await pauses_ad(poor.owner, paused)
        funding("off")
        assert await edits(poor.owner, campaign_id, {"budget": "1000"}) == 0
        assert await status_of(poor.owner, shown) is AdStatus.ACTIVE
        funding("warn")
        assert await edits(poor.owner, campaign_id, {"budget": "900"}) == 2
        assert await status_of(poor.owner, shown) is AdStatus.PENDING_REVIEW
        funding("off")
        assert await resumes_ad(poor.owner, paused) is AdStatus.ACTIVE

    async def test_pays_no_budget_for_ads_that_nobody_would_be_shown(
        self, funding: Set, fjord: Company
    ):
        funding("enforce")
        campaign_id = await plans(fjord.owner)
        ad_id = await makes_ad(fjord.owner, campaign_id)
        await approves(await an_admin(), ad_id)
        waiting = await sees(fjord.owner, campaign_id)
        assert (waiting.status, waiting.note) == (campaign_rules.Status.DRAFT, Note.NOT_SERVED)
        assert not waiting.can_resume
        with pytest.raises(campaign_rules.CannotResume):
            await resumes(fjord.owner, campaign_id)

    async def test_lowers_the_reward_and_is_shown(self, funding: Set, fjord: Company):
        funding("enforce")
        campaign_id = await plans(fjord.owner)
        ad_id = await makes_ad(fjord.owner, campaign_id)
        await changes_ad(fjord.owner, ad_id, a_draft(reward_coins="5"))
        await approves(await an_admin(), ad_id)
        assert (await sees(fjord.owner, campaign_id)).note is Note.NOTHING
        assert await served_now() == {ad_id}


class TestADay:
    async def test_keeps_what_players_got_also_of_views_that_cost_nothing_after_all(
        self, database: str
    ):
        maja, ad = await the_player(), await an_ad_at(ENOUGH_CENTS)
        view = await starts(maja, ad)
        await finishes(maja, view, now=NOON + 5 * SECOND)
        async with transaction() as session:
            await places.invalidate(session, view.view_id, "A script watched.", now=NOON)
            [(spend, rewards)] = await rows(
                session, "select sum(spend)::int, sum(rewards)::int from ad_days", {}
            )
        assert (spend, rewards) == (0, 15)
