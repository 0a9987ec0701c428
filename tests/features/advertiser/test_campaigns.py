"""Campaigns from the plan to the last dollar that goes back, each by its own people only."""

import asyncio
from collections.abc import Awaitable, Callable
from datetime import timedelta
from typing import Any
from uuid import UUID

import pytest

from rewards_app.core import live
from rewards_app.core.actor import Actor, Role
from rewards_app.core.database import AsyncSession, transaction
from rewards_app.core.errors import FieldRefused, NotAllowed, TooManyAttempts
from rewards_app.core.ids import new_id
from rewards_app.features.advertiser import (
    ad_rules,
    campaign_rules,
    campaigns,
    choices_repository,
    creatives,
    lifecycle,
    money,
    review,
    review_rules,
)
from rewards_app.features.advertiser.campaign_notes import Note
from rewards_app.features.advertiser.campaign_rules import Status
from rewards_app.features.advertiser.campaigns import Resumed, Search
from rewards_app.features.advertiser.membership import CHANGED
from rewards_app.features.advertiser.rules import NotAnAdvertiser, UnknownCampaign
from rewards_app.features.audit import log
from rewards_app.features.audit import service as audit
from rewards_app.features.audit.rules import Line
from rewards_app.models import AdCampaign
from tests.ads import SECOND, a_campaign, change, finishes, starts, the_player, watches
from tests.campaigns import (
    a_plan,
    ads_of,
    all_kept,
    edits,
    ends,
    entries_of,
    funds_of,
    lists,
    makes_ad,
    pauses,
    pauses_ad,
    plans,
    resumes,
    runs,
    sees,
    served_now,
    the_admin,
)
from tests.companies import A_DOLLAR, Company, a_company, a_member, an_owner
from tests.measures import suspends
from tests.people import NOON
from tests.review import approves, rejects
from tests.waiting import are_waiting

pytestmark = pytest.mark.usefixtures("database")
DAY = timedelta(days=1)
A_CENT = 1000
WHY = "Its product is not sold any more."


async def ends_all(admin: Actor, company: Company, reason: str) -> int:
    async with transaction() as session:
        return await campaigns.end_all(session, admin, company.id, reason, now=NOON)


async def written() -> list[Line]:
    """What the audit log says of campaigns that ended, the newest first."""
    async with transaction() as session:
        wanted = log.Search(action=audit.Action.CAMPAIGN_ENDED)
        return list((await log.find(session, wanted)).shown)


@pytest.fixture
async def fjord() -> Company:
    return await a_company(dollars=2500)


class TestPlanning:
    async def test_makes_a_draft_that_costs_nothing_yet(self, fjord: Company):
        made = await sees(fjord.owner, await plans(fjord.owner, {"daily_budget": "25"}))
        assert made.status is Status.DRAFT
        assert (made.plan.name, made.plan.budget_cents) == ("Winter sale", 50_000)
        assert made.plan.daily_budget_cents == 2_500
        assert made.note is Note.NEEDS_AD
        assert (await funds_of(fjord)).balance == 2500 * A_DOLLAR
        assert not made.can_pause
        assert not made.can_resume

    async def test_is_open_to_members_too(self, fjord: Company):
        sven = await a_member(fjord)
        assert (await sees(fjord.owner, await plans(sven))).advertiser_id == fjord.id

    async def test_is_for_the_admins_who_name_the_company(self, fjord: Company):
        admin = await the_admin()
        made = await sees(fjord.owner, await plans(admin, company=fjord.id))
        assert made.company == "Fjord Audio"
        with pytest.raises(campaign_rules.FieldsMissing) as refusal:
            await plans(admin)
        assert refusal.value.params == {"field": "company"}

    async def test_for_a_company_that_is_not_approved_is_refused_to_admins_too(self):
        waiting = await a_company(status="pending")
        admin = await the_admin()
        for company in (waiting.id, new_id()):
            with pytest.raises(NotAnAdvertiser):
                await plans(admin, company=company)

    async def test_never_reaches_another_company(self, fjord: Company):
        rival = await a_company("Rival Sound")
        made = await plans(fjord.owner, company=rival.id)
        assert (await sees(fjord.owner, made)).company == "Fjord Audio"

    async def test_offers_the_approved_companies_to_admins_alone(self, fjord: Company):
        await a_company("Waiting AB", status="pending")
        async with transaction() as session:
            offered = await campaigns.companies(session, await the_admin())
            assert (await campaigns.companies(session, fjord.owner)).shown == []
        assert [name for _, name in offered.shown] == ["Fjord Audio"]
        assert not offered.are_more

    async def test_offers_so_many_companies_and_finds_the_others_by_their_name(
        self, fjord: Company, monkeypatch: pytest.MonkeyPatch
    ):
        monkeypatch.setattr(choices_repository, "MOST_CHOICES", 2)
        rival = await a_company("Rival Sound")
        await a_company("Åkesson_Ljud")
        admin = await the_admin()
        async with transaction() as session:
            offered = await campaigns.companies(session, admin)
            found = await campaigns.companies(session, admin, " rival ")
            by_sign = await campaigns.companies(session, admin, "_")
            with_the_chosen = await campaigns.companies(session, admin, "_", chosen=rival.id)
            none = await campaigns.companies(session, fjord.owner, "rival")
        assert (len(offered.shown), offered.are_more) == (2, True)
        assert (list(found.shown), found.are_more) == ([(rival.id, "Rival Sound")], False)
        assert [name for _, name in by_sign.shown] == ["Åkesson_Ljud"]
        assert [name for _, name in with_the_chosen.shown] == ["Rival Sound", "Åkesson_Ljud"]
        assert none.shown == []

    @pytest.mark.parametrize(
        ("field", "typed"),
        [
            ("name", "x" * 10_000),
            ("name", "a\u202eb"),
            ("budget", "NaN"),
            ("budget", "-5"),
            ("budget", "1e9"),
            ("end_date", "2026-02-01"),
            ("daily_budget", "501"),
        ],
    )
    async def test_stores_nothing_that_was_refused(self, fjord: Company, field: str, typed: str):
        before = await all_kept()
        with pytest.raises(FieldRefused) as refusal:
            await plans(fjord.owner, {field: typed})
        assert refusal.value.params["field"] == field
        assert await all_kept() == before

    async def test_is_limited_to_sixty_an_hour(self, fjord: Company):
        for _ in range(60):
            await plans(fjord.owner)
        with pytest.raises(TooManyAttempts):
            await plans(fjord.owner)


class TestStarting:
    async def test_comes_with_the_approval_of_the_first_ad(self, fjord: Company):
        campaign_id, ad_id = await runs(fjord)
        running = await sees(fjord.owner, campaign_id)
        assert running.status is Status.ACTIVE
        assert running.is_set_aside
        assert running.note is Note.NOT_COVERED
        assert await entries_of(fjord) == [("opening", 2500), ("set_aside", -500)]
        assert await funds_of(fjord) == money.Funds(2000 * A_DOLLAR, 500 * A_DOLLAR)
        assert await served_now() == {ad_id}

    async def test_waits_for_the_review(self, fjord: Company):
        campaign_id = await plans(fjord.owner)
        await makes_ad(fjord.owner, campaign_id)
        assert (await sees(fjord.owner, campaign_id)).note is Note.IN_REVIEW
        assert await served_now() == set()

    async def test_says_why_an_ad_was_rejected(self, fjord: Company):
        campaign_id = await plans(fjord.owner)
        ad_id = await makes_ad(fjord.owner, campaign_id)
        await rejects(await the_admin(), ad_id, "The link does not open.")
        told = await sees(fjord.owner, campaign_id)
        assert told.note is Note.AD_REJECTED
        assert (told.rejected_ad, told.rejected_because) == (
            "Hear the fjord",
            "The link does not open.",
        )

    async def test_waits_for_its_date_and_comes_by_itself(self, fjord: Company):
        campaign_id, ad_id = await runs(fjord, start_date="2026-03-20")
        assert (await sees(fjord.owner, campaign_id)).note is Note.WAITS_FOR_DATE
        none = {"ended": 0, "settled": 0, "started": 0}
        assert await lifecycle.tend(now=NOON + DAY) == none
        assert (await sees(fjord.owner, campaign_id)).status is Status.DRAFT
        assert await lifecycle.tend(now=NOON + 6 * DAY) == none | {"started": 1}
        assert (await sees(fjord.owner, campaign_id)).status is Status.ACTIVE
        assert await served_now() == {ad_id}

    async def test_waits_where_its_ad_went_to_its_review_just_as_the_date_came(
        self, fjord: Company, database: str
    ):
        campaign_id, _ = await runs(fjord, budget="2000", start_date="2026-03-20")
        async with transaction() as session:
            await campaigns.edit(session, fjord.owner, campaign_id, {"budget": "1424"}, now=NOON)
            tending = asyncio.create_task(lifecycle.tend(now=NOON + 6 * DAY))
            await are_waiting(database)
        assert (await tending)["started"] == 0
        waiting = await sees(fjord.owner, campaign_id)
        assert (waiting.status, waiting.note) == (Status.DRAFT, Note.IN_REVIEW)
        assert await entries_of(fjord) == [("opening", 2500)]

    async def test_waits_for_funds_and_says_how_much_is_missing(self):
        poor = await a_company(dollars=120)
        campaign_id, _ = await runs(poor)
        waiting = await sees(poor.owner, campaign_id)
        assert (waiting.status, waiting.note) == (Status.DRAFT, Note.NEEDS_FUNDS)
        assert waiting.missing == 380 * A_DOLLAR
        assert not waiting.can_resume
        assert await entries_of(poor) == [("opening", 120)]

    async def test_misses_a_whole_cent_where_a_part_of_it_is_missing(self):
        poor = await a_company(dollars=500)
        async with transaction() as session:
            await money.enter(session, poor.id, -333, money.Kind.OPENING, "parts", now=NOON)
        campaign_id, _ = await runs(poor)
        assert (await sees(poor.owner, campaign_id)).missing == A_CENT

    async def test_comes_by_itself_once_there_are_funds(self):
        poor = await a_company(dollars=120)
        campaign_id, _ = await runs(poor)
        async with transaction() as session:
            await money.enter(
                session, poor.id, 380 * A_DOLLAR, money.Kind.OPENING, "more", now=NOON
            )
            started = await lifecycle.start_what_can(session, advertiser_id=poor.id, now=NOON)
        assert started == [campaign_id]
        assert (await funds_of(poor)).balance == 0

    async def test_of_two_that_share_the_funds_of_one_takes_them_once(self):
        poor = await a_company(dollars=500)
        first, _ = await runs(poor)
        second, _ = await runs(poor)
        statuses = {(await sees(poor.owner, one)).status for one in (first, second)}
        assert statuses == {Status.ACTIVE, Status.DRAFT}
        assert await entries_of(poor) == [("opening", 500), ("set_aside", -500)]

    async def test_by_two_at_once_never_spends_more_than_there_is(self):
        poor = await a_company(dollars=700, starts_by_itself=False)
        drafts = [(await runs(poor))[0] for _ in range(3)]
        await asyncio.gather(*(resumes(poor.owner, one) for one in drafts), return_exceptions=True)
        running = [one for one in drafts if (await sees(poor.owner, one)).status is Status.ACTIVE]
        assert len(running) == 1
        assert (await funds_of(poor)).balance == 200 * A_DOLLAR

    async def test_waits_until_somebody_who_is_not_suspended_acts_for_it(self):
        company = await a_company()
        made, _ = await runs(company)
        await suspends(await the_admin(), company.owner.user_id)
        async with transaction() as session:
            given = (session, company.id, 500 * A_DOLLAR, money.Kind.OPENING, "a gift")
            assert await money.enter(*given, now=NOON)
        await lifecycle.tend(now=NOON)
        assert (await funds_of(company)).balance == 500 * A_DOLLAR
        sven = await a_member(company)
        await lifecycle.tend(now=NOON)
        assert (await sees(sven, made)).status is Status.ACTIVE

    async def test_is_promised_to_no_admin_while_nobody_can_look_after_it(self):
        company = await a_company(dollars=500, starts_by_itself=False)
        made, _ = await runs(company)
        admin = await the_admin()
        await suspends(admin, company.owner.user_id)
        waiting = await sees(admin, made)
        assert (waiting.note, waiting.can_resume) == (Note.NOBODY_ACTS, False)
        with pytest.raises(campaign_rules.CannotResume):
            await resumes(admin, made)

    async def test_waits_for_a_hand_where_the_company_wants_it_so(self):
        careful = await a_company(dollars=500, starts_by_itself=False)
        campaign_id, ad_id = await runs(careful)
        waiting = await sees(careful.owner, campaign_id)
        assert (waiting.note, waiting.can_resume) == (Note.WAITS_FOR_YOU, True)
        await resumes(careful.owner, campaign_id)
        assert (await sees(careful.owner, campaign_id)).status is Status.ACTIVE
        assert await served_now() == {ad_id}


class TestChanging:
    async def test_a_draft_takes_everything(self, fjord: Company):
        campaign_id = await plans(fjord.owner)
        await edits(fjord.owner, campaign_id, a_plan(name="Spring", budget="700"))
        changed = (await sees(fjord.owner, campaign_id)).plan
        assert (changed.name, changed.budget_cents) == ("Spring", 70_000)

    async def test_what_runs_keeps_its_budget_and_its_price(self, fjord: Company):
        campaign_id, _ = await runs(fjord)
        before = await all_kept()
        with pytest.raises(campaign_rules.BudgetIsFixed):
            await edits(fjord.owner, campaign_id, {"budget": "700"})
        assert await all_kept() == before

    async def test_what_was_approved_at_a_higher_price_is_reviewed_again(self):
        poor = await a_company()
        campaign_id = await plans(poor.owner, {"budget": "2000"})
        covered, uncovered, paused = [
            await makes_ad(poor.owner, campaign_id, {"reward_coins": coins})
            for coins in ("5", "15", "15")
        ]
        for ad_id in (covered, uncovered, paused):
            await approves(await the_admin(), ad_id)
        await pauses_ad(poor.owner, paused)
        assert await edits(poor.owner, campaign_id, {"budget": "1425"}) == 0
        assert await edits(poor.owner, campaign_id, {"budget": "1424"}) == 2
        assert await edits(poor.owner, campaign_id, {"budget": "1425"}) == 0
        shown = {one.found.id: one.found.status for one in (await ads_of(poor.owner)).shown}
        assert shown == {
            covered: ad_rules.Status.ACTIVE,
            uncovered: ad_rules.Status.PENDING_REVIEW,
            paused: ad_rules.Status.PAUSED,
        }

    async def test_who_has_looked_at_another_price_looks_again(self):
        poor = await a_company()
        campaign_id = await plans(poor.owner, {"budget": "2000"})
        ad_id, admin = await makes_ad(poor.owner, campaign_id), await the_admin()
        async with transaction() as session:
            seen = await review.ad(session, ad_id)
        later = NOON + timedelta(minutes=1)
        assert await edits(poor.owner, campaign_id, {"budget": "10"}, now=later) == 0
        with pytest.raises(review_rules.ChangedMeanwhile):
            async with transaction() as session:
                await review.approve_ad(
                    session, admin, ad_id, seen.version, seen.reported, now=later
                )

    async def test_a_smaller_daily_budget_stops_serving_at_once(self, fjord: Company):
        campaign_id, ad_id = await runs(fjord)
        await watches(await the_player(), now=NOON)
        await edits(fjord.owner, campaign_id, {"daily_budget": "0.50"})
        told = await sees(fjord.owner, campaign_id)
        assert (told.note, told.taken_today, told.views_a_day) == (Note.DAILY_REACHED, 1, 1)
        assert await served_now() == set()
        await edits(fjord.owner, campaign_id, {"daily_budget": ""})
        assert await served_now() == {ad_id}

    @pytest.mark.parametrize(
        ("end", "serves_again"),
        [("2026-03-14", False), ("2026-03-14T20:00", False), ("2026-03-15T00:01", True)],
    )
    async def test_a_daily_budget_that_is_reached_on_the_last_day_promises_no_other(
        self, fjord: Company, end: str, serves_again: bool
    ):
        campaign_id, _ = await runs(fjord, end_date=end, daily_budget="0.50")
        await watches(await the_player(), now=NOON)
        told = await sees(fjord.owner, campaign_id)
        assert (told.taken_today, told.views_a_day) == (1, 1)
        assert (told.note is Note.DAILY_REACHED) == serves_again
        assert await served_now() == set()

    async def test_a_date_that_comes_near_starts_a_draft(self, fjord: Company):
        campaign_id, _ = await runs(fjord, start_date="2026-03-20")
        await edits(fjord.owner, campaign_id, {"start_date": "2026-03-10"})
        assert (await sees(fjord.owner, campaign_id)).status is Status.ACTIVE

    async def test_an_end_to_the_minute_and_other_words_leave_the_start_exact(self, fjord: Company):
        campaign_id, _ = await runs(fjord)
        async with transaction() as session:
            kept = await session.get(AdCampaign, campaign_id)
        assert kept
        exact = NOON - timedelta(days=1, seconds=7)
        await change(kept, starts_at=exact)
        plan = (await sees(fjord.owner, campaign_id)).plan
        await edits(fjord.owner, campaign_id, campaign_rules.written(plan) | {"name": "Spring"})
        assert (await sees(fjord.owner, campaign_id)).plan.starts_at == exact

    async def test_admins_rename_the_houses_own(self):
        house = await a_campaign()
        admin = await the_admin()
        await edits(admin, house.id, {"name": "House", "description": "Ours"})
        renamed = await sees(admin, house.id)
        assert (renamed.plan.name, renamed.is_house) == ("House", True)
        assert renamed.figures.spend == 0


class TestPausing:
    async def test_shows_it_to_nobody_until_it_is_resumed(self, fjord: Company):
        campaign_id, ad_id = await runs(fjord)
        await pauses(fjord.owner, campaign_id)
        paused = await sees(fjord.owner, campaign_id)
        assert (paused.status, paused.note) == (Status.PAUSED, Note.PAUSED)
        assert paused.paused_at == NOON
        assert (paused.can_pause, paused.can_resume) == (False, True)
        assert await served_now() == set()
        assert await resumes(fjord.owner, campaign_id) is Resumed.NOW
        assert await served_now() == {ad_id}
        assert (await entries_of(fjord))[1:] == [("set_aside", -500)]

    async def test_promises_nothing_when_it_goes_on_without_an_ad_to_show(self, fjord: Company):
        campaign_id, ad_id = await runs(fjord)
        await pauses_ad(fjord.owner, ad_id)
        assert (await sees(fjord.owner, campaign_id)).note is Note.ADS_PAUSED
        await pauses(fjord.owner, campaign_id)
        assert await resumes(fjord.owner, campaign_id) is Resumed.WITH_AN_AD

    async def test_promises_nothing_today_when_the_days_budget_is_used(self, fjord: Company):
        campaign_id, _ = await runs(fjord, daily_budget="0.50")
        await watches(await the_player(), now=NOON)
        await pauses(fjord.owner, campaign_id)
        assert await resumes(fjord.owner, campaign_id) is Resumed.NOT_TODAY
        assert await served_now() == set()

    async def test_may_be_ended_by_each_of_two_who_want_it(self, fjord: Company):
        campaign_id, ad_id = await runs(fjord)
        await pauses(fjord.owner, campaign_id)
        for one in (fjord.owner, await a_member(fjord)):
            assert await resumes(one, campaign_id) is Resumed.NOW
        assert await served_now() == {ad_id}

    async def test_of_what_was_ended_meanwhile_is_not_undone_and_says_why(self, fjord: Company):
        campaign_id, _ = await runs(fjord)
        await pauses(fjord.owner, campaign_id)
        await ends(await a_member(fjord), campaign_id)
        with pytest.raises(campaign_rules.CampaignHasEnded):
            await resumes(fjord.owner, campaign_id)

    async def test_of_its_only_ad_keeps_a_draft_waiting_and_says_so(self):
        poor = await a_company()
        campaign_id, ad_id = await runs(poor)
        await pauses_ad(poor.owner, ad_id)
        assert (await sees(poor.owner, campaign_id)).note is Note.ADS_PAUSED

    async def test_lets_views_that_run_be_paid(self, fjord: Company):
        campaign_id, _ = await runs(fjord)
        maja = await the_player()
        view = await starts(maja, now=NOON)
        await pauses(fjord.owner, campaign_id)
        await finishes(maja, view, now=NOON + view.seconds * SECOND)
        assert (await sees(fjord.owner, campaign_id)).figures.completions == 1

    async def test_is_refused_where_nothing_runs(self, fjord: Company):
        campaign_id = await plans(fjord.owner)
        with pytest.raises(campaign_rules.CannotPause):
            await pauses(fjord.owner, campaign_id)
        with pytest.raises(campaign_rules.CannotResume):
            await resumes(fjord.owner, campaign_id)

    async def test_cannot_be_undone_when_the_dates_have_passed(self, fjord: Company):
        campaign_id, _ = await runs(fjord)
        await pauses(fjord.owner, campaign_id)
        late = NOON + 40 * DAY
        assert not (await sees(fjord.owner, campaign_id, now=late)).can_resume
        with pytest.raises(campaign_rules.CannotResume):
            await resumes(fjord.owner, campaign_id, now=late)


class TestEnding:
    async def test_gives_back_what_was_not_spent(self, fjord: Company):
        campaign_id, _ = await runs(fjord)
        await watches(await the_player(), now=NOON)
        await ends(fjord.owner, campaign_id)
        over = await sees(fjord.owner, campaign_id)
        assert (over.status, over.note) == (Status.COMPLETED, Note.ENDED_BY_HAND)
        assert not over.can_end
        assert await entries_of(fjord) == [
            ("opening", 2500),
            ("set_aside", -500),
            ("given_back", 499.5),
        ]
        assert over.figures.spend == 50 * A_CENT
        assert (await funds_of(fjord)).set_aside == 0
        assert await served_now() == set()

    async def test_waits_with_the_money_for_views_that_run(self, fjord: Company):
        campaign_id, _ = await runs(fjord)
        maja = await the_player()
        view = await starts(maja, now=NOON)
        await ends(fjord.owner, campaign_id)
        assert (await entries_of(fjord))[2:] == []
        await finishes(maja, view, now=NOON + view.seconds * SECOND)
        await lifecycle.tend(now=NOON + timedelta(minutes=1))
        assert (await entries_of(fjord))[2:] == [("given_back", 499.5)]
        await lifecycle.tend(now=NOON + timedelta(minutes=2))
        assert len(await entries_of(fjord)) == 3

    async def test_of_a_draft_gives_nothing_back(self, fjord: Company):
        campaign_id = await plans(fjord.owner)
        await ends(fjord.owner, campaign_id)
        assert await entries_of(fjord) == [("opening", 2500)]

    async def test_happens_once(self, fjord: Company):
        campaign_id, _ = await runs(fjord)
        ended = await asyncio.gather(
            *(ends(fjord.owner, campaign_id) for _ in range(5)), return_exceptions=True
        )
        assert [type(one) for one in ended if one].count(campaign_rules.CampaignHasEnded) == 4
        assert (await entries_of(fjord))[2:] == [("given_back", 500)]

    async def test_by_an_admin_is_told_as_that_with_the_reason(self, fjord: Company):
        campaign_id, _ = await runs(fjord)
        await ends(await the_admin(), campaign_id, f"  {WHY} ")
        over = await sees(fjord.owner, campaign_id)
        assert (over.note, over.ended_because) == (Note.ENDED_BY_ADMIN, WHY)

    @pytest.mark.parametrize("reason", ["", "   ", "ads", "x" * 501])
    async def test_by_an_admin_needs_a_reason(self, fjord: Company, reason: str):
        campaign_id, _ = await runs(fjord)
        before = await all_kept()
        with pytest.raises(FieldRefused) as refusal:
            await ends(await the_admin(), campaign_id, reason)
        assert refusal.value.params["field"] == "reason"
        assert await all_kept() == before

    async def test_by_its_company_needs_none_and_keeps_none(self, fjord: Company):
        campaign_id, _ = await runs(fjord)
        await ends(fjord.owner, campaign_id, WHY)
        over = await sees(fjord.owner, campaign_id)
        assert (over.note, over.ended_because) == (Note.ENDED_BY_HAND, "")

    async def test_of_all_of_a_company_is_each_for_itself_for_one_reason(self, fjord: Company):
        other = await a_company("Other", dollars=900)
        running, _ = await runs(fjord)
        draft, over = await plans(fjord.owner), await plans(fjord.owner)
        await ends(fjord.owner, over)
        others, _ = await runs(other)
        admin = await the_admin()
        assert await ends_all(admin, fjord, f" {WHY} ") == 2
        for campaign_id in (running, draft):
            ended = await sees(fjord.owner, campaign_id)
            assert (ended.note, ended.ended_because) == (Note.ENDED_BY_ADMIN, WHY)
        assert (await sees(fjord.owner, over)).note is Note.ENDED_BY_HAND
        assert (await sees(other.owner, others)).status is Status.ACTIVE
        assert (await entries_of(fjord))[2:] == [("given_back", 500)]
        assert [(line.about, line.reason, line.actor_id) for line in await written()] == [
            (f"campaign:{campaign_id}", WHY, admin.user_id)
            for campaign_id in sorted((running, draft), reverse=True)
        ]

    @pytest.mark.parametrize("reason", ["", "   ", "ads", "x" * 501])
    async def test_of_all_of_a_company_needs_a_reason(self, fjord: Company, reason: str):
        await runs(fjord)
        before = await all_kept()
        with pytest.raises(FieldRefused) as refusal:
            await ends_all(await the_admin(), fjord, reason)
        assert refusal.value.params["field"] == "reason"
        assert await all_kept() == before

    async def test_of_all_is_for_no_company_to_decide_not_even_on_its_own(self, fjord: Company):
        await runs(fjord)
        before = await all_kept()
        with pytest.raises(NotAllowed):
            await ends_all(fjord.owner, fjord, WHY)
        assert await all_kept() == before

    async def test_of_all_ends_none_where_one_cannot_be_ended(
        self, fjord: Company, monkeypatch: pytest.MonkeyPatch
    ):
        for _ in range(2):
            await runs(fjord)
        before, told = await all_kept(), lifecycle.letters.tell_ended_by_admin
        ended: list[UUID] = []

        async def breaks_at_the_second(session: AsyncSession, campaign_id: UUID, **known: Any):
            ended.append(campaign_id)
            if len(ended) == 2:
                raise RuntimeError
            await told(session, campaign_id, **known)

        monkeypatch.setattr(lifecycle.letters, "tell_ended_by_admin", breaks_at_the_second)
        with pytest.raises(RuntimeError):
            await ends_all(await the_admin(), fjord, WHY)
        assert len(ended) == 2
        assert await all_kept() == before

    async def test_of_all_happens_once(self, fjord: Company):
        await runs(fjord)
        admin = await the_admin()
        ended = await asyncio.gather(
            *(ends_all(admin, fjord, WHY) for _ in range(3)), return_exceptions=True
        )
        assert [one for one in ended if isinstance(one, int)] == [1]
        refused = [type(one) for one in ended if not isinstance(one, int)]
        assert refused == [campaign_rules.NothingToEnd] * 2
        assert (await entries_of(fjord))[2:] == [("given_back", 500)]

    async def test_comes_by_itself_with_the_last_date(self, fjord: Company):
        campaign_id, _ = await runs(fjord)
        did = await lifecycle.tend(now=NOON + 40 * DAY)
        assert did == {"ended": 1, "settled": 0, "started": 0}
        over = await sees(fjord.owner, campaign_id)
        assert (over.status, over.note) == (Status.COMPLETED, Note.ENDED_BY_DATE)
        assert (await entries_of(fjord))[-1] == ("given_back", 500)

    async def test_comes_by_itself_with_the_last_place(self, fjord: Company):
        campaign_id, _ = await runs(fjord)
        async with transaction() as session:
            kept = await session.get(AdCampaign, campaign_id)
        assert kept
        await change(kept, taken=1000)
        assert (await sees(fjord.owner, campaign_id)).note is Note.BUDGET_USED
        await lifecycle.tend(now=NOON + DAY)
        over = await sees(fjord.owner, campaign_id)
        assert (over.status, over.note) == (Status.COMPLETED, Note.BUDGET_USED)
        assert (await entries_of(fjord))[-1] == ("set_aside", -500)

    @pytest.mark.usefixtures("spoilt_books")
    async def test_comes_to_each_even_where_another_cannot_be_settled(self, fjord: Company):
        broken, _ = await runs(fjord)
        sound, _ = await runs(fjord)
        async with transaction() as session:
            await money.enter(
                session, fjord.id, 1, money.Kind.GIVEN_BACK, f"rest:{broken}", now=NOON
            )
        await lifecycle.tend(now=NOON + 40 * DAY)
        assert (await sees(fjord.owner, broken)).status is Status.ACTIVE
        assert (await sees(fjord.owner, sound)).status is Status.COMPLETED

    async def test_does_not_come_to_who_was_given_more_time_meanwhile(
        self, fjord: Company, monkeypatch: pytest.MonkeyPatch
    ):
        campaign_id, _ = await runs(fjord)
        late = NOON + 40 * DAY
        look = lifecycle.rows

        async def looks_while_somebody_edits(session: AsyncSession, query: str, values: object):
            found = await look(session, query, values)
            if query == lifecycle.OVER:
                await edits(fjord.owner, campaign_id, a_plan(end_date="2026-05-31"), now=late)
            return found

        monkeypatch.setattr(lifecycle, "rows", looks_while_somebody_edits)
        await lifecycle.tend(now=late)
        assert (await sees(fjord.owner, campaign_id, now=late)).status is Status.ACTIVE

    async def test_leaves_a_draft_whose_dates_have_passed_to_its_people(self, fjord: Company):
        campaign_id = await plans(fjord.owner)
        await lifecycle.tend(now=NOON + 40 * DAY)
        told = await sees(fjord.owner, campaign_id, now=NOON + 40 * DAY)
        assert (told.status, told.note) == (Status.DRAFT, Note.DATES_PASSED)

    async def test_takes_no_new_ads_and_changes_none(self, fjord: Company):
        campaign_id, ad_id = await runs(fjord)
        await ends(fjord.owner, campaign_id)
        before = await all_kept()
        with pytest.raises(campaign_rules.CampaignHasEnded):
            await makes_ad(fjord.owner, campaign_id)
        async with transaction() as session:
            with pytest.raises(campaign_rules.CampaignHasEnded):
                await creatives.pause(session, fjord.owner, ad_id, now=NOON)
        assert await all_kept() == before


class TestListing:
    async def test_shows_ones_own_newest_first(self, fjord: Company):
        rival = await a_company("Rival Sound")
        first, second = await plans(fjord.owner), await plans(fjord.owner, {"name": "Spring sale"})
        await plans(rival.owner)
        assert [one.id for one in (await lists(fjord.owner)).shown] == [second, first]
        assert (await lists(fjord.owner)).totals.campaigns == 2

    async def test_shows_everything_to_admins_with_the_companies_names(self, fjord: Company):
        rival = await a_company("Rival Sound")
        await plans(fjord.owner)
        await plans(rival.owner)
        shown = (await lists(await the_admin())).shown
        assert {one.company for one in shown} == {"Fjord Audio", "Rival Sound"}

    @pytest.mark.parametrize(
        ("text", "found"),
        [
            ("winter", {"Winter sale"}),
            ("WINTER", {"Winter sale"}),
            ("  sale ", {"Winter sale", "Spring SALE"}),
            ("december", {"Spring SALE"}),
            ("100%", {"100% off"}),
            ("%", {"100% off"}),
            ("_", set()),
            ("\\", set()),
            ("' or 1=1 --", set()),
            ("", {"Winter sale", "Spring SALE", "100% off"}),
        ],
    )
    async def test_finds_what_names_or_descriptions_contain(
        self, fjord: Company, text: str, found: set[str]
    ):
        await plans(fjord.owner)
        await plans(fjord.owner, {"name": "Spring SALE", "description": "After December"})
        await plans(fjord.owner, {"name": "100% off", "description": ""})
        listed = await lists(fjord.owner, Search(text))
        assert {one.plan.name for one in listed.shown} == found
        assert sum(listed.counts.values()) == len(found)
        assert listed.totals.campaigns == 3

    async def test_counts_and_filters_by_status(self, fjord: Company):
        running, _ = await runs(fjord)
        await plans(fjord.owner)
        await plans(fjord.owner)
        listed = await lists(fjord.owner, Search(status=Status.ACTIVE))
        assert [one.id for one in listed.shown] == [running]
        assert listed.counts == {Status.ACTIVE: 1, Status.DRAFT: 2}
        assert listed.totals.running == 1

    async def test_goes_on_page_by_page_without_gaps(self, fjord: Company):
        made = [await plans(fjord.owner, {"name": f"Sale {number}"}) for number in range(5)]
        first = await lists(fjord.owner, limit=2)
        second = await lists(fjord.owner, limit=2, before=first.next_before)
        third = await lists(fjord.owner, limit=2, before=second.next_before)
        shown = [one.id for page in (first, second, third) for one in page.shown]
        assert shown == made[::-1]
        assert third.next_before is None

    async def test_tells_what_views_came_to(self, fjord: Company):
        campaign_id, _ = await runs(fjord)
        await watches(await the_player("Maja"), now=NOON)
        await starts(await the_player("Nils"), now=NOON)
        told = await sees(fjord.owner, campaign_id)
        assert (told.figures.impressions, told.figures.completions) == (2, 1)
        assert (told.figures.spend, told.views_left) == (50 * A_CENT, 999)
        assert (await lists(fjord.owner)).totals.spend == 50 * A_CENT

    async def test_tells_the_last_fourteen_days(self, fjord: Company):
        campaign_id, _ = await runs(fjord)
        await watches(await the_player(), now=NOON)
        async with transaction() as session:
            days = await campaigns.last_days(session, fjord.owner, campaign_id, now=NOON + 3 * DAY)
        assert len(days) == 14
        assert days[-1][0] == (NOON + 3 * DAY).date()
        assert [(day, figures.completions) for day, figures in days if figures.impressions] == [
            (NOON.date(), 1)
        ]

    async def test_announces_each_change_to_its_own_company(
        self, fjord: Company, monkeypatch: pytest.MonkeyPatch
    ):
        heard: list[tuple[str, str]] = []
        monkeypatch.setattr(live, "announce", lambda topic, key="": heard.append((topic, key)))
        campaign_id = await plans(fjord.owner)
        await edits(fjord.owner, campaign_id, {"name": "Spring"})
        await ends(fjord.owner, campaign_id)
        assert set(heard) == {(CHANGED, str(fjord.id))}


Doing = Callable[[Actor, UUID], Awaitable[object]]


async def _reads_days(actor: Actor, campaign_id: UUID) -> None:
    async with transaction() as session:
        await campaigns.last_days(session, actor, campaign_id, now=NOON)


ON_A_CAMPAIGN: dict[str, Doing] = {
    "sees": sees,
    "edits": lambda actor, one: edits(actor, one, {"name": "Mine now"}),
    "pauses": pauses,
    "resumes": resumes,
    "ends": ends,
    "makes_ad": makes_ad,
    "reads_days": _reads_days,
}


class TestOthers:
    @pytest.mark.parametrize("doing", ON_A_CAMPAIGN.values(), ids=ON_A_CAMPAIGN)
    async def test_cannot_touch_a_campaign_that_is_not_theirs(self, fjord: Company, doing: Doing):
        campaign_id, _ = await runs(fjord)
        rival = await a_company("Rival Sound", dollars=500)
        before = await all_kept()
        for made_up_or_not in (campaign_id, new_id()):
            with pytest.raises(UnknownCampaign):
                await doing(rival.owner, made_up_or_not)
        assert await all_kept() == before

    @pytest.mark.parametrize("status", ["pending", "rejected"])
    @pytest.mark.parametrize("doing", ON_A_CAMPAIGN.values(), ids=ON_A_CAMPAIGN)
    async def test_without_an_approved_company_can_do_nothing(
        self, fjord: Company, doing: Doing, status: str
    ):
        campaign_id, _ = await runs(fjord)
        waiting = await a_company("Waiting AB", status=status)
        nobody = await an_owner("Nobody", Role.PLAYER)
        before = await all_kept()
        for actor in (waiting.owner, nobody):
            with pytest.raises(NotAnAdvertiser):
                await doing(actor, campaign_id)
        assert await all_kept() == before

    async def test_without_an_approved_company_can_plan_and_list_nothing(self):
        waiting = await a_company("Waiting AB", status="pending")
        for doing in (plans, lists, ads_of):
            with pytest.raises(NotAnAdvertiser):
                await doing(waiting.owner)

    async def test_a_member_who_has_left_can_do_nothing_more(self, fjord: Company):
        sven = await a_member(fjord)
        await lists(sven)
        async with transaction() as session:
            connection = await session.connection()
            await connection.exec_driver_sql(
                "delete from advertiser_members where account_id = %(id)s", {"id": sven.user_id}
            )
        with pytest.raises(NotAnAdvertiser):
            await lists(sven)
