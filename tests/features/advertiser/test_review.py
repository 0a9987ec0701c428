"""Decisions on companies and ads: once each, on what was seen, and with all that follows."""

import asyncio
from datetime import timedelta

import pytest

from rewards_app.core import live
from rewards_app.core.actor import Actor
from rewards_app.core.database import rows, transaction
from rewards_app.core.errors import DomainError
from rewards_app.core.ids import new_id
from rewards_app.features.ads import stories
from rewards_app.features.advertiser import fields, membership, money, review, review_rules
from rewards_app.features.advertiser.campaign_rules import EndedBy
from rewards_app.features.advertiser.lifecycle import end
from rewards_app.features.advertiser.review_repository import Reported
from rewards_app.features.advertiser.rules import Status, UnknownAd
from rewards_app.models import Ad, AdCampaign, Advertiser, AdvertiserMember, AdView
from tests.ads import (
    SECOND,
    a_campaign,
    an_ad,
    an_advertiser,
    change,
    finishes,
    starts,
    the_player,
    watches,
)
from tests.campaigns import changes_ad
from tests.review import (
    BUDGET_CENTS,
    NOON,
    REASON,
    a_company,
    a_draft,
    a_waiting_ad,
    an_admin,
    an_applicant,
    approves,
    rejects,
    with_funds,
)
from tests.waiting import are_waiting

pytestmark = pytest.mark.usefixtures("database")
LATER = NOON + timedelta(hours=1)
NOTHING_SAID = Reported(0, None)


async def decides(admin, company, status: Status, reason: str = "", *, seen=None, now=LATER):
    async with transaction() as session:
        return await review.decide(
            session, admin, company.id, status, reason, version=seen, now=now
        )


async def an_admin_of(company: Advertiser) -> Actor:
    """Who acts for it, too: they were made one before that was refused."""
    admin = await an_admin()
    async with transaction() as session:
        session.add(AdvertiserMember(account_id=admin.user_id, advertiser_id=company.id))
    return admin


async def fresh(row):
    async with transaction() as session:
        found = await session.get(type(row), row.id)
    assert found
    return found


async def the_pending(**asked) -> review.Applications:
    async with transaction() as session:
        return await review.pending(session, **asked)


async def the_processed(**asked) -> review.Applications:
    async with transaction() as session:
        return await review.processed(session, **asked)


async def waiting_ads(**asked) -> review.Ads:
    async with transaction() as session:
        return await review.pending_ads(session, **asked)


async def seen_of(ad: Ad) -> review.ReviewedAd:
    async with transaction() as session:
        return await review.ad(session, ad.id)


async def servings() -> int:
    async with transaction() as session:
        return (await rows(session, "select count(*) from ad_servings", {}))[0][0]


async def entries(company: Advertiser) -> list[tuple[str, int]]:
    async with transaction() as session:
        found = await rows(
            session,
            "select kind, amount from advertiser_entries where advertiser_id = %(id)s"
            " order by number",
            {"id": company.id},
        )
    return [(kind, int(amount)) for kind, amount in found]


@pytest.fixture
def announced(monkeypatch) -> set[tuple[str, str]]:
    told: set[tuple[str, str]] = set()
    monkeypatch.setattr(live, "announce", lambda topic, key="": told.add((topic, key)))
    return told


class TestApplications:
    async def test_that_wait_are_shown_with_what_is_known_of_them(self):
        company = await an_applicant()
        [found] = (await the_pending()).shown
        assert (found.id, found.company, found.email) == (
            company.id,
            "Fjord Audio",
            "anna@example.com",
        )
        assert (found.phone, found.website) == ("+46701740605", "https://fjord.example/")
        assert found.applicant
        assert (found.applicant.name, found.applicant.role) == ("Anna", "company")
        assert (found.applicant.is_verified, found.applicant.since) == (True, NOON)

    async def test_come_stretch_by_stretch_the_newest_first(self):
        made = [
            await an_applicant(f"Company {n}", email=f"{n}@example.com", now=NOON + n * SECOND)
            for n in range(5)
        ]
        first = await the_pending(limit=2)
        second = await the_pending(before=first.next_before, limit=2)
        third = await the_pending(before=second.next_before, limit=2)
        found = [one.id for stretch in (first, second, third) for one in stretch.shown]
        assert found == [one.id for one in reversed(made)]
        assert third.next_before is None

    async def test_that_were_decided_on_are_shown_with_when_and_by_whom(self):
        admin = await an_admin()
        first = await an_applicant("First", email="first@example.com")
        second = await an_applicant("Second", email="second@example.com")
        await decides(admin, second, Status.APPROVED, now=LATER)
        await decides(admin, first, Status.REJECTED, REASON, now=LATER + SECOND)
        found = (await the_processed()).shown
        assert [(one.company, one.status, one.reason) for one in found] == [
            ("First", Status.REJECTED, REASON),
            ("Second", Status.APPROVED, ""),
        ]
        assert {(one.decided_by, one.decided_at) for one in found} == {
            ("Linnea", LATER),
            ("Linnea", LATER + SECOND),
        }
        assert (await the_pending()).shown == []

    async def test_of_the_house_itself_do_not_exist(self):
        await an_advertiser("Northlight Chairs")
        assert (await the_processed()).shown == []

    async def test_of_an_erased_account_stay(self):
        await an_applicant(account_id=None)
        [found] = (await the_pending()).shown
        assert found.applicant is None


class TestADecision:
    async def test_opens_the_dashboard_and_is_announced(self, announced):
        admin, company = await an_admin(), await an_applicant()
        await decides(admin, company, Status.APPROVED)
        now = await fresh(company)
        assert (now.status, now.decided_at, now.decided_by) == ("approved", LATER, admin.user_id)
        assert (membership.CHANGED, str(company.id)) in announced

    async def test_to_reject_needs_a_reason_that_says_something(self):
        admin, company = await an_admin(), await an_applicant()
        for reason in ("", "   ", "Bad", "x" * 501, "Not\u202e good"):
            with pytest.raises(DomainError) as refusal:
                await decides(admin, company, Status.REJECTED, reason)
            assert refusal.value.params["field"] == "reason"
        assert (await fresh(company)).status == "pending"

    async def test_is_made_once(self):
        admin, company = await an_admin(), await an_applicant()
        await decides(admin, company, Status.APPROVED)
        for status in (Status.APPROVED, Status.REJECTED):
            with pytest.raises(review_rules.DecidedMeanwhile):
                await decides(admin, company, status, REASON)
        assert (await fresh(company)).status == "approved"

    async def test_to_reject_can_be_changed_into_an_approval(self):
        admin, company = await an_admin(), await an_applicant()
        await decides(admin, company, Status.REJECTED, REASON)
        await decides(admin, company, Status.APPROVED, now=LATER + SECOND)
        now = await fresh(company)
        assert (now.status, now.reason) == ("approved", "")

    async def test_is_on_what_was_seen(self):
        admin, company = await an_admin(), await an_applicant()
        await change(company, company_name="Fjord Casino", updated_at=LATER)
        with pytest.raises(review_rules.ChangedMeanwhile):
            await decides(admin, company, Status.APPROVED, seen=NOON)
        assert (await fresh(company)).status == "pending"
        await decides(admin, company, Status.APPROVED, seen=LATER)

    async def test_on_nothing_is_refused(self):
        admin = await an_admin()
        with pytest.raises(review_rules.UnknownApplication):
            await decides(admin, Advertiser(id=new_id(), company_name=""), Status.APPROVED)

    async def test_on_ones_own_company_is_for_another_admin(self):
        company = await an_applicant()
        linnea = await an_admin_of(company)
        for status in (Status.APPROVED, Status.REJECTED):
            with pytest.raises(review_rules.OwnCompany):
                await decides(linnea, company, status, REASON)
        assert (await fresh(company)).status == "pending"

    async def test_by_ten_admins_at_once_is_made_by_one_of_them(self):
        company = await an_applicant()
        admins = [await an_admin(f"Admin{n}") for n in range(10)]
        kinds = (Status.APPROVED, Status.REJECTED)
        outcomes = await asyncio.gather(
            *(decides(admin, company, kinds[n % 2], REASON) for n, admin in enumerate(admins)),
            return_exceptions=True,
        )
        done = [n for n, outcome in enumerate(outcomes) if not isinstance(outcome, Exception)]
        refused = [outcome for outcome in outcomes if isinstance(outcome, Exception)]
        now = await fresh(company)
        # Who rejected first may be followed by one who approved what is rejected now, unless both
        # looked at the same moment: never is anything overwritten that nobody saw.
        assert len(done) in (1, 2)
        assert all(
            isinstance(one, review_rules.DecidedMeanwhile | review_rules.ChangedMeanwhile)
            for one in refused
        )
        assert now.decided_by in {admins[n].user_id for n in done}


class TestTheQueue:
    async def test_shows_what_waited_longest_first_stretch_by_stretch(self):
        campaign = await a_draft(await a_company())
        made = [
            await a_waiting_ad(campaign, f"Ad {n}", updated_at=NOON + n * SECOND)
            for n in (3, 1, 4, 0, 2)
        ]
        await an_ad(campaign, title="Approved already")
        first = await waiting_ads(limit=3)
        second = await waiting_ads(after=first.next_after, limit=3)
        titles = [one.draft.title for stretch in (first, second) for one in stretch.shown]
        assert titles == [f"Ad {n}" for n in range(5)]
        assert second.next_after is None
        assert len(made) == 5

    async def test_shows_all_that_a_decision_needs(self):
        campaign = await a_draft(await a_company(), name="Spring")
        await a_waiting_ad(campaign, seconds=20, reward=12, click_url="https://fjord.example/x")
        [found] = (await waiting_ads()).shown
        assert (found.company, found.campaign, found.price) == (
            "Fjord Audio",
            "Spring",
            BUDGET_CENTS,
        )
        assert (found.draft.seconds, found.draft.coins) == (20, 12)
        assert found.draft.click_url == "https://fjord.example/x"

    async def test_leaves_out_what_has_ended_and_shows_no_ads_any_more(self):
        await a_waiting_ad(await a_draft(await a_company(), status="completed"))
        assert (await waiting_ads()).shown == []
        async with transaction() as session:
            assert (await review.waiting(session)).ads == 0

    async def test_counts_what_waits(self):
        await an_applicant("Waiting", email="waiting@example.com")
        ad = await an_ad(await a_campaign(await a_company()))
        await a_waiting_ad(await a_draft(await an_advertiser()))
        await reports(await the_player(), ad)
        await reports(await the_player("Emil"), ad)
        async with transaction() as session:
            found = await review.waiting(session)
        assert (found.applications, found.ads) == (1, 2)


class TestAnApproval:
    async def test_starts_the_draft_that_waited_for_it_and_serves_the_ad(self, announced):
        admin, company = await an_admin(), await a_company()
        await with_funds(company)
        campaign = await a_draft(company)
        ad = await a_waiting_ad(campaign)
        assert await servings() == 0
        await approves(admin, ad, now=LATER)
        now = await fresh(ad)
        assert (now.status, now.reviewed_at, now.reviewed_by) == ("active", LATER, admin.user_id)
        assert (await fresh(campaign)).status == "active"
        assert await servings() == 1
        assert await entries(company) == [("opening", 100_000_000), ("set_aside", -50_000_000)]
        assert (membership.CHANGED, str(company.id)) in announced

    async def test_waits_for_funds(self):
        admin, company = await an_admin(), await a_company()
        campaign = await a_draft(company)
        await approves(admin, await a_waiting_ad(campaign))
        assert (await fresh(campaign)).status == "draft"
        assert await servings() == 0

    async def test_of_an_ad_that_changed_meanwhile_is_refused(self):
        admin = await an_admin()
        ad = await a_waiting_ad(await a_draft(await a_company()))
        await change(ad, title="Win money now", updated_at=LATER)
        async with transaction() as session:
            with pytest.raises(review_rules.ChangedMeanwhile):
                await review.approve_ad(session, admin, ad.id, NOON, NOTHING_SAID, now=LATER)
        assert (await fresh(ad)).status == "pending_review"

    @pytest.mark.parametrize("status", ["active", "paused", "rejected"])
    async def test_is_for_ads_that_wait_only(self, status: str):
        admin = await an_admin()
        ad = await a_waiting_ad(await a_draft(await a_company()), status=status)
        with pytest.raises(review_rules.DecidedMeanwhile):
            await approves(admin, ad)

    async def test_of_ones_own_ad_is_for_another_admin(self):
        company = await a_company()
        ad = await a_waiting_ad(await a_draft(company))
        linnea = await an_admin_of(company)
        for decision in (approves, rejects):
            with pytest.raises(review_rules.OwnCompany):
                await decision(linnea, ad)
        assert (await fresh(ad)).status == "pending_review"

    async def test_of_a_made_up_ad_is_refused(self):
        with pytest.raises(UnknownAd):
            await approves(await an_admin(), new_id())


class TestARejection:
    async def test_keeps_the_reason_and_needs_one(self):
        admin = await an_admin()
        ad = await a_waiting_ad(await a_draft(await a_company()))
        with pytest.raises(fields.Missing):
            await rejects(admin, ad, "")
        await rejects(admin, ad, now=LATER)
        now = await fresh(ad)
        assert (now.status, now.review_reason, now.reviewed_by) == (
            "rejected",
            REASON,
            admin.user_id,
        )

    async def test_by_two_admins_at_once_is_one_decision(self):
        ad = await a_waiting_ad(await a_draft(await a_company()))
        first, second = await an_admin(), await an_admin("Sven")
        outcomes = await asyncio.gather(
            approves(first, ad, now=LATER),
            rejects(second, ad, now=LATER + SECOND),
            return_exceptions=True,
        )
        refused = [one for one in outcomes if one is not None]
        # Who comes later has looked at what the first one left, or is refused.
        assert all(
            isinstance(one, review_rules.ChangedMeanwhile | review_rules.DecidedMeanwhile)
            for one in refused
        )
        now = await fresh(ad)
        assert (now.status, now.reviewed_by) in (
            ("active", first.user_id),
            ("rejected", second.user_id),
        )

    async def test_of_an_ad_that_runs_stops_it_at_once_and_pays_who_is_watching(self):
        admin, maja = await an_admin(), await the_player()
        company = await a_company()
        campaign = await a_campaign(company, budget_cents=BUDGET_CENTS)
        ad = await an_ad(campaign)
        view = await starts(maja, ad)
        await rejects(admin, ad)
        assert await servings() == 0
        with pytest.raises(DomainError, match=r"ads\.no_ad"):
            await starts(await the_player("Emil"), ad)
        done = await finishes(maja, view, now=NOON + 5 * SECOND)
        assert done.coins == 15


async def reports(player, ad: Ad, *, now=LATER) -> None:
    async with transaction() as session:
        await stories.report_ad(session, player, ad.id, "misleading", "It is not free", now=now)


async def keeps(admin: Actor, seen: review.ReviewedAd, *, now) -> None:
    async with transaction() as session:
        await review.keep_ad(session, admin, seen.id, seen.version, seen.reported, now=now)


class TestReports:
    async def test_bring_an_ad_that_runs_before_the_admins(self, announced):
        ad = await an_ad(await a_campaign(await a_company()))
        await an_ad(title="Fine")
        await reports(await the_player(), ad)
        async with transaction() as session:
            [found] = await review.reported_ads(session)
            [said] = await review.reports_of(session, ad.id)
        assert (found.id, found.reports) == (ad.id, 1)
        assert (said.reason, said.text) == ("misleading", "It is not free")
        assert (stories.REPORTED, "") in announced

    async def test_leave_out_an_ad_whose_campaign_has_ended(self):
        await reports(await the_player(), await an_ad(await a_campaign(status="completed")))
        async with transaction() as session:
            assert await review.reported_ads(session) == []
            assert (await review.waiting(session)).ads == 0

    async def test_of_many_players_come_first(self):
        one, two = await an_ad(), await an_ad()
        for name in ("Maja", "Emil"):
            await reports(await the_player(name), two)
        await reports(await the_player("Nils"), one)
        async with transaction() as session:
            found = await review.reported_ads(session)
        assert [(ad.id, ad.reports) for ad in found] == [(two.id, 2), (one.id, 1)]

    async def test_are_closed_by_keeping_the_ad_until_there_are_new_ones(self):
        admin, ad = await an_admin(), await an_ad()
        await reports(await the_player(), ad)
        seen = await seen_of(ad)
        await keeps(admin, seen, now=LATER + SECOND)
        async with transaction() as session:
            assert await review.reported_ads(session) == []
        assert (await fresh(ad)).status == "active"
        await reports(await the_player("Emil"), ad, now=LATER + 2 * SECOND)
        async with transaction() as session:
            assert [one.reports for one in await review.reported_ads(session)] == [1]

    async def test_that_are_closed_stay_closed_when_the_ad_is_changed(self):
        admin, ad = await an_admin(), await an_ad()
        await reports(await the_player("Maja"), ad)
        seen = await seen_of(ad)
        await keeps(admin, seen, now=LATER + SECOND)
        await reports(await the_player("Emil"), ad, now=LATER + 2 * SECOND)
        await changes_ad(admin, ad.id, {"title": "Another"}, now=LATER + 3 * SECOND)
        changed = await seen_of(ad)
        async with transaction() as session:
            said = await review.reports_of(session, ad.id)
        assert (changed.status, changed.reports, len(said)) == ("pending_review", 1, 1)

    async def test_on_their_way_are_not_closed_unread(self, database):
        admin, ad = await an_admin(), await an_ad()
        await reports(await the_player(), ad)
        seen, emil = await seen_of(ad), await the_player("Emil")
        async with transaction() as session:
            await stories.report_ad(session, emil, ad.id, "broken", "", now=LATER + SECOND)
            keeping = asyncio.create_task(keeps(admin, seen, now=LATER + 2 * SECOND))
            await are_waiting(database)
        with pytest.raises(review_rules.ChangedMeanwhile):
            await keeping
        assert (await seen_of(ad)).reports == 2

    async def test_that_began_before_the_newest_are_not_closed_unread(self):
        admin, ad = await an_admin(), await an_ad()
        await reports(await the_player(), ad)
        seen = await seen_of(ad)
        await reports(await the_player("Emil"), ad, now=LATER - SECOND)
        with pytest.raises(review_rules.ChangedMeanwhile):
            await keeps(admin, seen, now=LATER + SECOND)

    async def test_of_what_waits_are_not_closed_unread_by_approving_it(self):
        admin, ad = await an_admin(), await a_waiting_ad(await a_draft(await a_company()))
        seen = await seen_of(ad)
        await reports(await the_player(), ad)
        async with transaction() as session:
            with pytest.raises(review_rules.ChangedMeanwhile):
                await review.approve_ad(
                    session, admin, ad.id, seen.version, seen.reported, now=LATER + SECOND
                )
        assert (await seen_of(ad)).status == "pending_review"

    async def test_that_wait_for_a_review_come_after_it(self, database):
        admin, ad = await an_admin(), await an_ad()
        await reports(await the_player(), ad)
        seen, emil = await seen_of(ad), await the_player("Emil")
        async with transaction() as session:
            await review.keep_ad(
                session, admin, ad.id, seen.version, seen.reported, now=LATER + 2 * SECOND
            )
            reporting = asyncio.create_task(reports(emil, ad, now=LATER + SECOND))
            await are_waiting(database)
        await reporting
        assert (await seen_of(ad)).reports == 1

    async def test_are_closed_by_rejecting_the_ad(self):
        admin, ad = await an_admin(), await an_ad()
        await reports(await the_player(), ad)
        await rejects(admin, ad)
        async with transaction() as session:
            assert await review.reported_ads(session) == []

    async def test_do_not_keep_an_ad_that_was_never_approved(self):
        ad = await a_waiting_ad(await a_draft(await a_company()))
        async with transaction() as session:
            with pytest.raises(review_rules.DecidedMeanwhile):
                await review.keep_ad(
                    session, await an_admin(), ad.id, NOON, NOTHING_SAID, now=LATER
                )


async def the_view() -> AdView:
    async with transaction() as session:
        [(view_id,)] = await rows(session, "select id from ad_views", {})
        found = await session.get(AdView, view_id)
    assert found
    return found


async def credits_back(view_id, reason: str = "A robot watched it") -> None:
    async with transaction() as session:
        await review.credit_back(session, None, view_id, reason, now=LATER)


async def a_paid_view() -> tuple[Advertiser, AdCampaign, AdView]:
    company = await a_company()
    await with_funds(company)
    campaign = await a_draft(company)
    ad = await a_waiting_ad(campaign, seconds=5)
    await approves(await an_admin(), ad)
    await watches(await the_player(), ad)
    return company, campaign, await the_view()


class TestCreditingBack:
    async def test_frees_the_place_while_the_campaign_runs(self, announced):
        company, campaign, view = await a_paid_view()
        await credits_back(view.id)
        assert (await fresh(campaign)).taken == 0
        gone = await the_view()
        assert (gone.invalid_at, gone.invalid_reason) == (LATER, "A robot watched it")
        assert [kind for kind, _ in await entries(company)] == ["opening", "set_aside"]
        assert (membership.CHANGED, str(company.id)) in announced

    async def test_of_a_settled_campaign_goes_to_the_balance_once(self):
        company, campaign, view = await a_paid_view()
        async with transaction() as session:
            await end(session, campaign.id, EndedBy.COMPANY, now=LATER)
        await credits_back(view.id)
        assert (await entries(company))[-1] == ("credited", BUDGET_CENTS)
        with pytest.raises(review_rules.NothingToCredit):
            await credits_back(view.id)
        async with transaction() as session:
            funds = await money.funds_of(session, company.id)
        assert (funds.balance, funds.set_aside) == (100_000_000, 0)

    async def test_needs_a_reason_and_a_view_that_was_paid_for(self):
        _, _, view = await a_paid_view()
        for reason in ("", "Bad", "x" * 201):
            with pytest.raises(fields.FieldRefused):
                await credits_back(view.id, reason)
        with pytest.raises(review_rules.NothingToCredit):
            await credits_back(new_id())

    async def test_of_the_houses_own_ad_moves_no_money(self):
        await watches(await the_player(), await an_ad())
        view = await the_view()
        await credits_back(view.id)
        assert (await the_view()).invalid_at == LATER
