"""What the admin's page keeps of applications and ads, and the decisions that are made there."""

from datetime import datetime
from typing import Any

import pytest

import rewards_app.features.admin.pages  # noqa: F401  (says which handlers fill the panel)
from rewards_app.core.database import transaction
from rewards_app.features.admin import advertisers_state
from rewards_app.features.admin.ad_reviews_state import AdReviewState
from rewards_app.features.admin.ad_reviews_tab import ad_reviews_tab
from rewards_app.features.admin.advertisers_state import AdvertisersState
from rewards_app.features.admin.state import AdminState
from rewards_app.features.admin.waiting_state import WaitingState
from rewards_app.features.ads import stories
from rewards_app.features.advertiser import review
from rewards_app.features.advertiser.review_rules import OwnCompany
from rewards_app.features.advertiser.rules import Status
from rewards_app.models import Ad, Advertiser
from tests.ads import SECOND, a_campaign, an_ad, change, the_player
from tests.review import (
    NOON,
    REASON,
    a_company,
    a_draft,
    a_waiting_ad,
    an_admin,
    an_applicant,
    approves,
    withdraws,
)
from tests.states import calls, failing

pytestmark = pytest.mark.usefixtures("admin")
FAILURES = [OwnCompany, RuntimeError]


@pytest.fixture
async def desk(page: Any) -> AdvertisersState:
    (await page.get_state(AdminState)).tab = "advertisers"
    return await page.get_state(AdvertisersState)


@pytest.fixture
async def queue(page: Any) -> AdReviewState:
    (await page.get_state(AdminState)).tab = "ad_reviews"
    return await page.get_state(AdReviewState)


async def asks(desk: AdvertisersState, company: Advertiser, decision: str) -> None:
    await calls(AdvertisersState.ask, desk, advertiser_id=company.id, decision=decision)


async def decides(desk: AdvertisersState, **form: str) -> None:
    await calls(AdvertisersState.decide, desk, form=form)


async def somebody_else_decides(company: Advertiser, status: Status) -> None:
    sven = await an_admin("Sven")
    async with transaction() as session:
        await review.decide(session, sven, company.id, status, REASON, now=NOON + SECOND)


class TestApplications:
    async def test_are_listed_where_they_belong(self, desk: AdvertisersState):
        waiting = await an_applicant()
        done = await a_company("Done", email="done@example.com")
        await calls(AdvertisersState.load, desk)
        assert [row["id"] for row in desk.pending] == [str(waiting.id)]
        assert [row["id"] for row in desk.processed] == [str(done.id)]

    async def test_lead_to_no_address_that_is_no_web_page(self, desk: AdvertisersState):
        await an_applicant(website="javascript:alert(1)")
        await calls(AdvertisersState.load, desk)
        assert desk.pending[0]["website"] == "javascript:alert(1)"
        assert desk.pending[0]["link"] == ""

    async def test_that_are_older_come_once(self, desk: AdvertisersState, monkeypatch):
        monkeypatch.setattr(review, "A_PAGE", 2)
        made = [
            await an_applicant(f"C{n}", email=f"c{n}@example.com", now=NOON + n * SECOND)
            for n in range(3)
        ]
        await calls(AdvertisersState.load, desk)
        before = desk.pending_before
        for _ in range(2):
            await calls(
                AdvertisersState.load_more_pending, desk, before=advertisers_state.UUID(before)
            )
        assert [row["id"] for row in desk.pending] == [str(one.id) for one in reversed(made)]

    async def test_that_are_new_come_by_themselves(self, desk: AdvertisersState):
        await calls(AdvertisersState.load, desk)
        assert desk.pending == []
        await an_applicant()
        await calls(AdvertisersState.refresh, desk)
        assert len(desk.pending) == 1

    async def test_are_left_alone_while_another_tab_is_open(
        self, desk: AdvertisersState, page: Any
    ):
        await calls(AdvertisersState.load, desk)
        (await page.get_state(AdminState)).tab = "stock"
        await an_applicant()
        await calls(AdvertisersState.refresh, desk)
        assert desk.pending == []

    @pytest.mark.parametrize("failure", FAILURES)
    async def test_that_cannot_be_loaded_say_so(
        self, desk: AdvertisersState, monkeypatch, failure: type[Exception]
    ):
        monkeypatch.setattr(review, "pending", failing(failure))
        await calls(AdvertisersState.load, desk)
        assert (desk.is_loaded, desk.has_failed) == (False, True)
        assert desk.notice["title"] == "admin.advertisers.not_loaded"


class TestADecision:
    async def test_is_about_what_was_asked(self, desk: AdvertisersState):
        company = await an_applicant()
        await calls(AdvertisersState.load, desk)
        await asks(desk, company, "approved")
        await decides(desk)
        assert desk.notice["title"] == "admin.advertisers.approved_title"
        assert (desk.asked, desk.pending) == ({}, [])
        assert desk.processed[0]["status"] == "approved"
        assert desk.processed[0]["decided_by"] == "Linnea"

    async def test_to_reject_without_a_reason_leaves_the_question_open(
        self, desk: AdvertisersState
    ):
        company = await an_applicant()
        await calls(AdvertisersState.load, desk)
        await asks(desk, company, "rejected")
        await decides(desk, reason="No")
        assert desk.refusal["params"]["field"] == "reason"
        assert desk.notice["title"] == "admin.advertisers.not_updated"
        assert not desk.is_busy
        await decides(desk, reason=REASON)
        assert desk.processed[0]["reason"] == REASON

    @pytest.mark.parametrize("failure", FAILURES)
    async def test_that_fails_says_so_and_leaves_the_question_open(
        self, desk: AdvertisersState, monkeypatch, failure: type[Exception]
    ):
        company = await an_applicant()
        await calls(AdvertisersState.load, desk)
        await asks(desk, company, "approved")
        monkeypatch.setattr(review, "decide", failing(failure))
        await decides(desk)
        assert desk.notice["title"] == "admin.advertisers.not_updated"
        assert (desk.asked["company"], desk.is_busy) == ("Fjord Audio", False)

    async def test_that_nobody_asked_for_does_nothing(self, desk: AdvertisersState):
        await an_applicant()
        await calls(AdvertisersState.load, desk)
        await decides(desk, reason=REASON)
        assert len(desk.pending) == 1

    async def test_on_what_is_not_shown_is_refused(self, desk: AdvertisersState):
        await calls(AdvertisersState.load, desk)
        company = await an_applicant()
        await asks(desk, company, "approved")
        assert desk.asked == {}
        assert desk.refusal["code"] == "review.unknown_application"

    @pytest.mark.parametrize("decision", ["pending", "", "APPROVED"])
    async def test_is_one_of_two(self, desk: AdvertisersState, decision: str):
        company = await an_applicant()
        await calls(AdvertisersState.load, desk)
        await asks(desk, company, decision)
        assert (desk.asked, desk.refusal["code"]) == ({}, "bad_arguments")

    async def test_that_somebody_else_made_meanwhile_is_said(self, desk: AdvertisersState):
        company = await an_applicant()
        await calls(AdvertisersState.load, desk)
        await asks(desk, company, "rejected")
        await somebody_else_decides(company, Status.APPROVED)
        await decides(desk, reason=REASON)
        assert desk.notice["text"] == "errors.review.decided_meanwhile"
        assert desk.notice["title"] == "admin.advertisers.not_updated"
        assert desk.asked == {}

    async def test_that_somebody_else_made_closes_the_question_by_itself(
        self, desk: AdvertisersState
    ):
        company = await an_applicant()
        await calls(AdvertisersState.load, desk)
        await asks(desk, company, "approved")
        await somebody_else_decides(company, Status.REJECTED)
        await calls(AdvertisersState.refresh, desk)
        assert desk.asked == {}
        assert desk.notice["text"] == "errors.review.decided_meanwhile"
        assert desk.processed[0]["decided_by"] == "Sven"

    async def test_closes_with_the_application_that_is_withdrawn(self, desk: AdvertisersState):
        company = await an_applicant()
        await calls(AdvertisersState.load, desk)
        await asks(desk, company, "approved")
        await withdraws(company)
        await calls(AdvertisersState.refresh, desk)
        assert (desk.asked, desk.pending) == ({}, [])
        assert desk.notice["text"] == "errors.review.unknown_application"
        told = desk.notice["id"]
        await calls(AdvertisersState.refresh, desk)
        assert desk.notice["id"] == told


async def a_queued_ad(**changes: object) -> Ad:
    return await a_waiting_ad(await a_draft(await a_company()), **changes)


async def looks_at(queue: AdReviewState, ad: Ad) -> None:
    await calls(AdReviewState.load, queue)
    await calls(AdReviewState.look_at, queue, ad_id=ad.id)


class TestReportedAds:
    async def test_are_counted_where_not_all_of_them_are_listed(
        self, queue: AdReviewState, monkeypatch: pytest.MonkeyPatch
    ):
        monkeypatch.setattr(review, "MOST_REPORTED", 1)
        for name in ("Maja", "Emil"):
            ad, player = await an_ad(), await the_player(name)
            async with transaction() as session:
                await stories.report_ad(session, player, ad.id, "misleading", "", now=NOON + SECOND)
        await calls(AdReviewState.load, queue)
        assert (len(queue.reported), queue.reported_in_all) == (1, 2)
        assert "lists.shown_of" in str(ad_reviews_tab().render())


class TestAnAd:
    async def test_is_looked_at_and_approved(self, queue: AdReviewState):
        ad = await a_queued_ad()
        await looks_at(queue, ad)
        assert (queue.ad["title"], queue.ad["advertiser"]) == ("Hear the fjord", "Fjord Audio")
        await calls(AdReviewState.approve, queue)
        assert queue.notice["title"] == "admin.ad_reviews.approved_title"
        assert (queue.ad, queue.ads) == ({}, [])

    async def test_is_rejected_with_a_reason(self, queue: AdReviewState):
        await looks_at(queue, await a_queued_ad())
        await calls(AdReviewState.reject, queue, form={"reason": ""})
        assert queue.refusal["params"]["field"] == "reason"
        assert queue.ad != {}
        await calls(AdReviewState.reject, queue, form={"reason": REASON})
        assert queue.notice["title"] == "admin.ad_reviews.rejected_title"

    async def test_that_changed_meanwhile_is_not_decided_on_until_it_was_looked_at_again(
        self, queue: AdReviewState
    ):
        ad = await a_queued_ad()
        await looks_at(queue, ad)
        await change(ad, title="Win money now", updated_at=NOON + SECOND)
        await calls(AdReviewState.approve, queue)
        assert queue.is_stale
        assert queue.refusal["code"] == "review.changed_meanwhile"
        assert queue.ad["title"] == "Hear the fjord"
        await calls(AdReviewState.look_at, queue, ad_id=ad.id)
        assert (queue.is_stale, queue.ad["title"]) == (False, "Win money now")
        await calls(AdReviewState.approve, queue)
        assert queue.notice["title"] == "admin.ad_reviews.approved_title"

    async def test_that_somebody_else_decided_on_says_so_by_itself(self, queue: AdReviewState):
        ad = await a_queued_ad()
        await looks_at(queue, ad)
        await approves(await an_admin("Sven"), ad, now=NOON + SECOND)
        await calls(AdReviewState.refresh, queue)
        assert (queue.is_stale, queue.ads) == (True, [])
        await calls(AdReviewState.reject, queue, form={"reason": REASON})
        assert queue.refusal["code"] == "review.changed_meanwhile"

    async def test_that_nobody_looks_at_is_not_decided_on(self, queue: AdReviewState):
        await a_queued_ad()
        await calls(AdReviewState.load, queue)
        await calls(AdReviewState.approve, queue)
        await calls(AdReviewState.keep, queue)
        await calls(AdReviewState.reject, queue, form={"reason": REASON})
        assert len(queue.ads) == 1

    async def test_leads_to_no_address_that_is_no_web_page(self, queue: AdReviewState):
        await looks_at(queue, await a_queued_ad(click_url="javascript:alert(1)"))
        assert (queue.ad["address"], queue.ad["link"]) == ("javascript:alert(1)", "")

    async def test_that_players_report_is_shown_with_their_words_and_can_stay(
        self, queue: AdReviewState
    ):
        ad = await an_ad(await a_campaign(await a_company()))
        await calls(AdReviewState.load, queue)
        await reports(ad, "Not free")
        await calls(AdReviewState.refresh, queue)
        assert [row["reports"] for row in queue.reported] == [1]
        await calls(AdReviewState.look_at, queue, ad_id=ad.id)
        assert [(said["reason"], said["text"]) for said in queue.reports] == [
            ("misleading", "Not free")
        ]
        await calls(AdReviewState.keep, queue)
        assert queue.notice["title"] == "admin.ad_reviews.kept_title"
        assert queue.reported == []

    async def test_that_is_reported_again_meanwhile_stays_only_once_that_was_read(
        self, queue: AdReviewState
    ):
        ad = await an_ad(await a_campaign(await a_company()))
        await calls(AdReviewState.load, queue)
        await reports(ad, "Not free")
        await calls(AdReviewState.look_at, queue, ad_id=ad.id)
        await reports(ad, "It shows a weapon", by="Emil", now=NOON + SECOND)
        await calls(AdReviewState.keep, queue)
        assert queue.refusal["code"] == "review.changed_meanwhile"
        assert queue.is_stale
        await calls(AdReviewState.look_at, queue, ad_id=ad.id)
        assert [said["text"] for said in queue.reports] == ["It shows a weapon", "Not free"]
        await calls(AdReviewState.keep, queue)
        assert queue.notice["title"] == "admin.ad_reviews.kept_title"

    async def test_that_is_reported_while_it_is_looked_at_says_so(self, queue: AdReviewState):
        ad = await an_ad(await a_campaign(await a_company()))
        await calls(AdReviewState.load, queue)
        await calls(AdReviewState.look_at, queue, ad_id=ad.id)
        await calls(AdReviewState.refresh, queue)
        assert not queue.is_stale
        await reports(ad, "Not free")
        await calls(AdReviewState.refresh, queue)
        assert queue.has_newer_reports
        assert not queue.is_stale, "it can be taken away all the same"


async def reports(ad: Ad, text: str, *, by: str = "Maja", now: datetime = NOON) -> None:
    player = await the_player(by)
    async with transaction() as session:
        await stories.report_ad(session, player, ad.id, "misleading", text, now=now)


class TestWhatWaits:
    async def test_is_counted_for_the_tabs(self, page: Any):
        await an_applicant()
        await a_waiting_ad(await a_draft(await a_company(email="b@example.com")))
        counts = await page.get_state(WaitingState)
        await calls(WaitingState.count, counts)
        assert (counts.applications, counts.ads) == (1, 1)
