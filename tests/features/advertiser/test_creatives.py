"""Ads from the form to the players: reviewed, changed, paused, each by its own company."""

from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Any
from uuid import UUID

import pytest

from rewards_app.core.actor import Actor, Role
from rewards_app.core.database import transaction
from rewards_app.core.errors import FieldRefused, TooManyAttempts
from rewards_app.core.ids import new_id
from rewards_app.features.advertiser import ad_rules, choices_repository, creatives
from rewards_app.features.advertiser.ad_rules import Status
from rewards_app.features.advertiser.creatives import Search
from rewards_app.features.advertiser.rules import NotAnAdvertiser, UnknownAd, UnknownCampaign
from tests.ads import starts, the_player, watches
from tests.campaigns import (
    a_draft,
    ads_of,
    all_kept,
    changes_ad,
    ends,
    lists,
    makes_ad,
    pauses_ad,
    plans,
    resumes_ad,
    runs,
    served_now,
    the_admin,
)
from tests.companies import Company, a_company, an_owner
from tests.people import NOON
from tests.review import approves, rejects

pytestmark = pytest.mark.usefixtures("database")


@pytest.fixture
async def fjord() -> Company:
    return await a_company(dollars=2500)


async def reads_ad(actor: Actor, ad_id: UUID) -> creatives.FoundAd:
    async with transaction() as session:
        return await creatives.one(session, actor, ad_id)


class TestMaking:
    async def test_leaves_an_ad_that_waits_for_its_review(self, fjord: Company):
        ad_id = await makes_ad(fjord.owner, await plans(fjord.owner))
        made = await reads_ad(fjord.owner, ad_id)
        assert made.status is Status.PENDING_REVIEW
        assert (made.draft.title, made.draft.seconds, made.draft.coins) == ("Hear the fjord", 5, 15)
        assert (made.campaign, made.company, made.price) == ("Winter sale", "Fjord Audio", 50_000)
        assert await served_now() == set()

    async def test_is_for_admins_in_every_campaign(self, fjord: Company):
        admin = await the_admin()
        ad_id = await makes_ad(admin, await plans(fjord.owner))
        assert (await reads_ad(fjord.owner, ad_id)).company == "Fjord Audio"

    @pytest.mark.parametrize(
        ("field", "typed"),
        [
            ("title", "x" * 10_000),
            ("title", "Hear\u200bthe fjord"),
            ("duration", "61"),
            ("duration", "4"),
            ("reward_coins", "51"),
            ("reward_coins", "4"),
            ("ad_type", "popup"),
            ("video_url", "javascript:alert(1)"),
            ("video_url", "data:video/webm;base64,AA"),
            ("video_url", "file:///etc/passwd"),
            ("click_url", "https://user:secret@example.com/"),
            ("click_url", "https://127.0.0.1/"),
        ],
    )
    async def test_stores_nothing_that_was_refused(self, fjord: Company, field: str, typed: str):
        campaign_id = await plans(fjord.owner)
        before = await all_kept()
        with pytest.raises(FieldRefused) as refusal:
            await makes_ad(fjord.owner, campaign_id, {field: typed})
        assert refusal.value.params["field"] == field
        assert await all_kept() == before

    async def test_is_limited_to_a_hundred_and_twenty_an_hour(self, fjord: Company):
        campaign_id = await plans(fjord.owner)
        for _ in range(120):
            await makes_ad(fjord.owner, campaign_id)
        with pytest.raises(TooManyAttempts):
            await makes_ad(fjord.owner, campaign_id)

    async def test_offers_the_campaigns_that_have_not_ended(self, fjord: Company):
        rival = await a_company("Rival Sound")
        await plans(rival.owner)
        over, first = await plans(fjord.owner), await plans(fjord.owner)
        await ends(fjord.owner, over)
        async with transaction() as session:
            own = await creatives.campaigns_to_choose(session, fjord.owner)
            all_of_them = await creatives.campaigns_to_choose(session, await the_admin())
        assert [one.id for one in own.shown] == [first]
        assert {one.company for one in all_of_them.shown} == {"Fjord Audio", "Rival Sound"}

    async def test_offers_so_many_campaigns_and_finds_the_others_by_a_name(
        self, fjord: Company, monkeypatch: pytest.MonkeyPatch
    ):
        monkeypatch.setattr(choices_repository, "MOST_CHOICES", 2)
        rival = await a_company("Rival Sound")
        theirs = await plans(rival.owner, {"name": "Winter"})
        oldest, *_ = [await plans(fjord.owner, {"name": name}) for name in ("Winter", "A", "B")]

        async def offered(actor: Actor, text: str = "", **asked: UUID) -> tuple[list[UUID], bool]:
            async with transaction() as session:
                found = await creatives.campaigns_to_choose(session, actor, text, **asked)
            return [one.id for one in found.shown], found.are_more

        assert oldest not in (newest := await offered(fjord.owner))[0]
        assert newest[1]
        assert await offered(fjord.owner, "winter ") == ([oldest], False)
        assert (await offered(fjord.owner, chosen=oldest))[0][0] == oldest
        assert await offered(fjord.owner, "winter", chosen=theirs) == ([oldest], False)
        # Among all companies' a campaign is found by its company, too.
        assert await offered(await the_admin(), "rival") == ([theirs], False)
        assert await offered(fjord.owner, "fjord") == ([], False)


class TestChanging:
    async def test_takes_an_ad_out_of_serving_until_it_is_approved_again(self, fjord: Company):
        _, ad_id = await runs(fjord)
        assert await changes_ad(fjord.owner, ad_id, a_draft(title="Every step"))
        assert await served_now() == set()
        changed = await reads_ad(fjord.owner, ad_id)
        assert (changed.status, changed.draft.title) == (Status.PENDING_REVIEW, "Every step")
        await approves(await the_admin(), ad_id)
        assert await served_now() == {ad_id}

    async def test_that_changes_nothing_leaves_it_where_it_is(self, fjord: Company):
        _, ad_id = await runs(fjord)
        before = await all_kept()
        assert not await changes_ad(fjord.owner, ad_id, a_draft())
        assert await all_kept() == before

    async def test_keeps_what_the_form_leaves_out(self, fjord: Company):
        _, ad_id = await runs(fjord)
        before = (await reads_ad(fjord.owner, ad_id)).draft
        assert await changes_ad(fjord.owner, ad_id, {"title": "Every step"})
        after = (await reads_ad(fjord.owner, ad_id)).draft
        assert after == replace(before, title="Every step")

    async def test_of_its_type_alone_needs_what_that_type_shows(self, fjord: Company):
        _, ad_id = await runs(fjord)
        before = await all_kept()
        with pytest.raises(FieldRefused) as refusal:
            await changes_ad(fjord.owner, ad_id, {"ad_type": "image"})
        assert refusal.value.params["field"] == "image_url"
        assert await all_kept() == before

    async def test_sends_a_rejected_ad_again_even_as_it_was(self, fjord: Company):
        ad_id = await makes_ad(fjord.owner, await plans(fjord.owner))
        await rejects(await the_admin(), ad_id, "The link does not open.")
        assert (await reads_ad(fjord.owner, ad_id)).review_reason == "The link does not open."
        assert await changes_ad(fjord.owner, ad_id, a_draft())
        again = await reads_ad(fjord.owner, ad_id)
        assert (again.status, again.review_reason) == (Status.PENDING_REVIEW, "")

    async def test_stores_nothing_that_was_refused(self, fjord: Company):
        _, ad_id = await runs(fjord)
        before = await all_kept()
        with pytest.raises(FieldRefused):
            await changes_ad(fjord.owner, ad_id, a_draft(click_url="javascript:alert(1)"))
        assert await all_kept() == before


class TestPausing:
    async def test_takes_it_out_of_serving_and_back_without_a_review(self, fjord: Company):
        _, ad_id = await runs(fjord)
        await pauses_ad(fjord.owner, ad_id)
        assert (await reads_ad(fjord.owner, ad_id)).status is Status.PAUSED
        assert await served_now() == set()
        await resumes_ad(fjord.owner, ad_id)
        assert await served_now() == {ad_id}

    async def test_is_for_approved_ads_only(self, fjord: Company):
        ad_id = await makes_ad(fjord.owner, await plans(fjord.owner))
        before = await all_kept()
        with pytest.raises(ad_rules.CannotPause):
            await pauses_ad(fjord.owner, ad_id)
        with pytest.raises(ad_rules.CannotResume):
            await resumes_ad(fjord.owner, ad_id)
        assert await all_kept() == before

    async def test_does_not_approve_a_rejected_ad(self, fjord: Company):
        _, ad_id = await runs(fjord)
        await rejects(await the_admin(), ad_id)
        with pytest.raises(ad_rules.CannotResume):
            await resumes_ad(fjord.owner, ad_id)
        assert await served_now() == set()


class TestListing:
    async def test_shows_ones_own_with_their_figures_newest_first(self, fjord: Company):
        rival = await a_company("Rival Sound", dollars=500)
        campaign_id, first = await runs(fjord)
        await watches(await the_player("Maja"), now=NOON)
        await starts(await the_player("Nils"), now=NOON)
        second = await makes_ad(fjord.owner, campaign_id)
        await runs(rival)
        shown = (await ads_of(fjord.owner)).shown
        assert [one.found.id for one in shown] == [second, first]
        figures = shown[1].figures
        assert (figures.impressions, figures.completions, figures.spend) == (2, 1, 50_000)

    async def test_shows_everything_to_admins(self, fjord: Company):
        rival = await a_company("Rival Sound")
        for company in (fjord, rival):
            await makes_ad(company.owner, await plans(company.owner))
        shown = (await ads_of(await the_admin())).shown
        assert {one.found.company for one in shown} == {"Fjord Audio", "Rival Sound"}

    async def test_goes_on_page_by_page_without_gaps(self, fjord: Company):
        campaign_id = await plans(fjord.owner)
        made = [await makes_ad(fjord.owner, campaign_id) for _ in range(creatives.A_PAGE + 3)]
        first = await ads_of(fjord.owner)
        rest = await ads_of(fjord.owner, before=first.next_before)
        assert [one.found.id for one in [*first.shown, *rest.shown]] == made[::-1]
        assert rest.next_before is None

    async def test_of_another_companys_campaign_is_empty(self, fjord: Company):
        rival = await a_company("Rival Sound")
        campaign_id, _ = await runs(fjord)
        assert (await ads_of(rival.owner, Search(campaign_id=campaign_id))).shown == []


class TestSearching:
    async def test_finds_parts_of_titles_in_whatever_case_and_signs_as_they_are(
        self, fjord: Company
    ):
        campaign_id = await plans(fjord.owner)
        titles = ("Hear the fjord", "50% off", "Every_step")
        for title in titles:
            await makes_ad(fjord.owner, campaign_id, {"title": title})
        assert await found_by(fjord.owner, text=" FJORD ") == ["Hear the fjord"]
        assert await found_by(fjord.owner, text="%") == ["50% off"]
        assert await found_by(fjord.owner, text="_") == ["Every_step"]
        assert await found_by(fjord.owner, text="Winter sale") == []

    async def test_by_status_counts_those_of_campaigns_that_have_ended_as_ended(
        self, fjord: Company
    ):
        running, approved = await runs(fjord)
        await makes_ad(fjord.owner, running, {"title": "Every step"})
        over, _ = await runs(fjord, name="Spring", budget="100")
        await ends(fjord.owner, over)
        async with transaction() as session:
            counts = await creatives.counts(session, fjord.owner, Search(status="active"))
            found = await creatives.counts(session, fjord.owner, Search(text="every"))
        assert counts == {"active": 1, "pending_review": 1, creatives.ENDED: 1}
        assert found == {"pending_review": 1}
        active = (await ads_of(fjord.owner, Search(status="active"))).shown
        assert [one.found.id for one in active] == [approved]
        assert len((await ads_of(fjord.owner, Search(status=creatives.ENDED))).shown) == 1

    async def test_of_one_company_is_for_who_sees_all_of_them(self, fjord: Company):
        rival = await a_company("Rival Sound")
        for company in (fjord, rival):
            title = {"title": f"Of {company.name}"}
            await makes_ad(company.owner, await plans(company.owner), title)
        assert await found_by(await the_admin(), company_id=rival.id) == ["Of Rival Sound"]
        assert await found_by(fjord.owner, company_id=rival.id) == ["Of Fjord Audio"]
        async with transaction() as session:
            asked = Search(company_id=rival.id)
            assert await creatives.counts(session, fjord.owner, asked) == {"pending_review": 1}

    async def test_of_one_ad_has_that_ad_alone_and_nothing_of_anothers(self, fjord: Company):
        rival = await a_company("Rival Sound")
        campaign_id = await plans(fjord.owner)
        first, _ = [await makes_ad(fjord.owner, campaign_id) for _ in range(2)]
        only = Search(ad_id=first)
        assert [one.found.id for one in (await ads_of(fjord.owner, only)).shown] == [first]
        assert (await ads_of(rival.owner, only)).shown == []


async def found_by(actor: Actor, **asked: Any) -> list[str]:
    return [one.found.draft.title for one in (await ads_of(actor, Search(**asked))).shown]


Doing = Callable[[Actor, UUID], Awaitable[object]]
ON_AN_AD: dict[str, Doing] = {
    "reads": reads_ad,
    "changes": lambda actor, ad_id: changes_ad(actor, ad_id, a_draft(title="Mine now")),
    "pauses": pauses_ad,
    "resumes": resumes_ad,
}


class TestOthers:
    @pytest.mark.parametrize("doing", ON_AN_AD.values(), ids=ON_AN_AD)
    async def test_cannot_touch_an_ad_that_is_not_theirs(self, fjord: Company, doing: Doing):
        _, ad_id = await runs(fjord)
        rival = await a_company("Rival Sound")
        before = await all_kept()
        for made_up_or_not in (ad_id, new_id()):
            with pytest.raises(UnknownAd):
                await doing(rival.owner, made_up_or_not)
        assert await all_kept() == before

    @pytest.mark.parametrize("doing", ON_AN_AD.values(), ids=ON_AN_AD)
    async def test_without_an_approved_company_can_do_nothing(self, fjord: Company, doing: Doing):
        _, ad_id = await runs(fjord)
        waiting = await a_company("Waiting AB", status="pending")
        player = await an_owner("Nobody", Role.PLAYER)
        before = await all_kept()
        for actor in (waiting.owner, player):
            with pytest.raises(NotAnAdvertiser):
                await doing(actor, ad_id)
        assert await all_kept() == before

    async def test_cannot_put_an_ad_into_a_campaign_that_is_not_theirs(self, fjord: Company):
        campaign_id = await plans(fjord.owner)
        rival = await a_company("Rival Sound")
        with pytest.raises(UnknownCampaign):
            await makes_ad(rival.owner, campaign_id)
        assert (await lists(fjord.owner)).shown[0].note == "needs_ad"
