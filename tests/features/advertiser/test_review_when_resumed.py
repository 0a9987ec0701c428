"""A paused ad that was approved at a higher price: its review waits until it is resumed."""

from uuid import UUID

import pytest

from rewards_app.core.database import transaction
from rewards_app.features.advertiser import review, review_rules
from rewards_app.features.advertiser.ad_rules import Status
from rewards_app.features.advertiser.campaign_rules import Status as CampaignStatus
from tests.campaigns import (
    a_draft,
    changes_ad,
    edits,
    entries_of,
    makes_ad,
    pauses_ad,
    resumes_ad,
    runs,
    sees,
    served_now,
    status_of,
    the_admin,
)
from tests.companies import Company, a_company
from tests.people import NOON
from tests.review import approves

pytestmark = pytest.mark.usefixtures("database")
ENOUGH, LESS = {"budget": "1425"}, {"budget": "1424"}
"""What covers fifteen coins a view, and what does not."""


@pytest.fixture
async def fjord() -> Company:
    """It has funds for a lower budget than the one that it plans first."""
    return await a_company(dollars=1500)


async def a_paused_ad(company: Company) -> tuple[UUID, UUID]:
    """The only one of a draft that lacks funds; the draft and its ad."""
    campaign_id, ad_id = await runs(company, budget="2000")
    await pauses_ad(company.owner, ad_id)
    return campaign_id, ad_id


class TestALoweredBudget:
    async def test_leaves_what_is_paused_paused_and_starts_nothing(self, fjord: Company):
        campaign_id, ad_id = await a_paused_ad(fjord)
        assert await edits(fjord.owner, campaign_id, LESS) == 1
        assert await status_of(fjord.owner, ad_id) is Status.PAUSED
        with pytest.raises(review_rules.DecidedMeanwhile):
            await approves(await the_admin(), ad_id)
        assert (await sees(fjord.owner, campaign_id)).status is CampaignStatus.DRAFT
        assert await entries_of(fjord) == [("opening", 1500)]
        assert await served_now() == set()

    async def test_counts_no_ad_twice(self, fjord: Company):
        campaign_id, _ = await a_paused_ad(fjord)
        assert await edits(fjord.owner, campaign_id, LESS) == 1
        assert await edits(fjord.owner, campaign_id, {"budget": "1400"}) == 0

    async def test_has_who_looks_at_a_paused_ad_just_then_look_again(self, fjord: Company):
        campaign_id, ad_id = await a_paused_ad(fjord)
        async with transaction() as session:
            seen = await review.ad(session, ad_id)
        later = NOON.replace(minute=1)
        await edits(fjord.owner, campaign_id, LESS, now=later)
        with pytest.raises(review_rules.ChangedMeanwhile):
            async with transaction() as session:
                await review.keep_ad(
                    session, await the_admin(), ad_id, seen.version, seen.reported, now=later
                )


class TestResuming:
    async def test_sends_it_to_its_review_which_shows_it_and_starts_its_draft(self, fjord: Company):
        campaign_id, ad_id = await a_paused_ad(fjord)
        await edits(fjord.owner, campaign_id, LESS)
        assert await resumes_ad(fjord.owner, ad_id) is Status.PENDING_REVIEW
        assert await status_of(fjord.owner, ad_id) is Status.PENDING_REVIEW
        assert (await sees(fjord.owner, campaign_id)).status is CampaignStatus.DRAFT
        await approves(await the_admin(), ad_id)
        assert (await sees(fjord.owner, campaign_id)).status is CampaignStatus.ACTIVE
        assert await served_now() == {ad_id}

    async def test_sends_it_there_also_where_another_ad_has_started_the_draft(self, fjord: Company):
        campaign_id, dear = await a_paused_ad(fjord)
        cheap = await makes_ad(fjord.owner, campaign_id, {"reward_coins": "5"})
        await approves(await the_admin(), cheap)
        await edits(fjord.owner, campaign_id, LESS)
        assert (await sees(fjord.owner, campaign_id)).status is CampaignStatus.ACTIVE
        assert await resumes_ad(fjord.owner, dear) is Status.PENDING_REVIEW
        assert await served_now() == {cheap}

    async def test_shows_at_once_what_costs_enough_again(self, fjord: Company):
        campaign_id, ad_id = await a_paused_ad(fjord)
        await edits(fjord.owner, campaign_id, LESS)
        await edits(fjord.owner, campaign_id, ENOUGH)
        assert await resumes_ad(fjord.owner, ad_id) is Status.ACTIVE

    async def test_of_what_was_approved_at_this_price_needs_no_review(self, fjord: Company):
        _, ad_id = await runs(fjord, **LESS)
        for _ in range(2):
            await pauses_ad(fjord.owner, ad_id)
            assert await resumes_ad(fjord.owner, ad_id) is Status.ACTIVE

    @pytest.mark.parametrize("is_changed", [False, True], ids=["resumed", "changed"])
    async def test_needs_one_review_only(self, fjord: Company, is_changed: bool):
        campaign_id, ad_id = await a_paused_ad(fjord)
        await edits(fjord.owner, campaign_id, LESS)
        if is_changed:
            await changes_ad(fjord.owner, ad_id, a_draft(title="Hear more"))
        else:
            await resumes_ad(fjord.owner, ad_id)
        await approves(await the_admin(), ad_id)
        await pauses_ad(fjord.owner, ad_id)
        assert await resumes_ad(fjord.owner, ad_id) is Status.ACTIVE

    async def test_needs_it_also_where_an_admin_has_kept_the_ad_meanwhile(self, fjord: Company):
        """What players had reported was looked at, and not what a view costs."""
        campaign_id, ad_id = await a_paused_ad(fjord)
        await edits(fjord.owner, campaign_id, LESS)
        async with transaction() as session:
            seen = await review.ad(session, ad_id)
            await review.keep_ad(
                session, await the_admin(), ad_id, seen.version, seen.reported, now=NOON
            )
        assert await resumes_ad(fjord.owner, ad_id) is Status.PENDING_REVIEW
