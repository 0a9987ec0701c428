"""What companies are mailed: to whom, in which language, and only where they want it."""

from typing import Any

import pytest

from rewards_app.core.actor import Actor
from rewards_app.core.database import rows, transaction
from rewards_app.core.mail import Letter, composed
from rewards_app.features.advertiser import lifecycle, review
from rewards_app.features.advertiser.campaign_rules import EndedBy
from rewards_app.features.advertiser.rules import Status
from rewards_app.features.notifications import service as notifications
from rewards_app.features.notifications import unsubscribing
from rewards_app.features.notifications.rules import CompanyTopic
from rewards_app.i18n.languages import CODES
from rewards_app.models import AdCampaign, Advertiser
from tests.ads import SECOND, finishes, starts, the_player
from tests.queued import as_read
from tests.review import (
    NOON,
    REASON,
    a_company,
    a_draft,
    a_member,
    a_waiting_ad,
    an_admin,
    an_applicant,
    approves,
    rejects,
    with_funds,
)
from tests.serving import text_of

pytestmark = pytest.mark.usefixtures("database")
LATER = NOON + 60 * SECOND
QUEUED = "select args from procrastinate_jobs where task_name = 'send_mail' order by id"


async def queued() -> list[Letter]:
    async with transaction() as session:
        found = [row[0] for row in await rows(session, QUEUED, {})]
    return [Letter(**as_read(arguments)) for arguments in found]


async def said(letter: Letter) -> str:
    message = composed(letter)
    return f"{message['Subject']}\n{text_of(message)}"


async def decides(company: Advertiser, status: Status, reason: str = "") -> None:
    async with transaction() as session:
        await review.decide(session, await an_admin(), company.id, status, reason, now=LATER)


async def rung_for(address: str) -> list[tuple[str, dict[str, Any], str]]:
    """What the bell of this person has, oldest first: kind, parameters, link."""
    query = (
        "select kind, params, link from notifications told"
        " join accounts account on account.id = told.account_id where email = %(email)s"
        " order by told.id"
    )
    async with transaction() as session:
        return [tuple(row) for row in await rows(session, query, {"email": address})]


async def ends(campaign: AdCampaign, by: EndedBy, because: str = "") -> None:
    async with transaction() as session:
        assert await lifecycle.end(session, campaign.id, by, because=because, now=LATER)


class TestADecision:
    @pytest.mark.parametrize("language", CODES)
    async def test_is_mailed_to_the_application_in_its_senders_language(self, language: str):
        await decides(await an_applicant(language=language), Status.APPROVED)
        [letter] = await queued()
        assert (letter.recipient, letter.language) == ("anna@example.com", language)
        assert letter.link.endswith("/advertiser")
        assert "Fjord Audio" in await said(letter)

    async def test_to_reject_brings_its_reason(self):
        await decides(await an_applicant(), Status.REJECTED, REASON)
        [letter] = await queued()
        words = await said(letter)
        assert "Unfortunately, your advertiser application was not approved." in words
        assert REASON in words

    async def test_reaches_the_address_that_was_typed_even_without_an_account(self):
        await decides(await an_applicant(account_id=None), Status.APPROVED)
        [letter] = await queued()
        assert (letter.recipient, letter.language) == ("anna@example.com", "en")

    async def test_with_hostile_words_stays_one_letter_of_text(self):
        company = await an_applicant("{{why}} <img src=x>\r\nBcc: all@example.com")
        await decides(company, Status.REJECTED, "<script>alert(1)</script> {{company}}")
        [letter] = await queued()
        message = composed(letter)
        assert message["Bcc"] is None
        assert "\n" not in message["Subject"]
        html = message.get_body(("html",)).get_content()
        assert "<script>" not in html
        assert "<img src=x>" not in html
        assert "<script>alert(1)</script> {{company}}" in text_of(message)


class TestAReview:
    async def test_is_mailed_to_everybody_who_acts_for_the_company_in_their_language(self):
        company = await a_company()
        await a_member(company, language="sv")
        ad = await a_waiting_ad(await a_draft(company))
        await approves(await an_admin(), ad)
        letters = {letter.recipient: letter for letter in await queued()}
        assert {name: letter.language for name, letter in letters.items()} == {
            "anna@example.com": "en",
            "bo@example.com": "sv",
        }
        assert "Your ad “Hear the fjord” was approved" in await said(letters["anna@example.com"])
        assert "Din annons ”Hear the fjord” är godkänd" in await said(letters["bo@example.com"])
        assert letters["bo@example.com"].link.endswith(f"/advertiser?tab=ads&ad={ad.id}")

    async def test_that_rejects_says_why(self):
        ad = await a_waiting_ad(await a_draft(await a_company()))
        await rejects(await an_admin(), ad)
        [letter] = await queued()
        assert REASON in await said(letter)

    async def test_is_not_mailed_to_companies_that_switched_it_off(self):
        company = await a_company(mails_reviews=False)
        await approves(await an_admin(), await a_waiting_ad(await a_draft(company)))
        assert await queued() == []

    async def test_is_not_mailed_to_a_person_who_switched_it_off(self):
        company = await a_company()
        bo = await a_member(company, "bo@example.com")
        await unsubscribes(bo, CompanyTopic.REVIEWS)
        await approves(await an_admin(), await a_waiting_ad(await a_draft(company)))
        assert [letter.recipient for letter in await queued()] == ["anna@example.com"]

    async def test_rings_everybody_who_acts_for_the_company_whatever_is_mailed(self):
        company = await a_company(mails_reviews=False)
        await a_member(company, "bo@example.com")
        ad = await a_waiting_ad(await a_draft(company))
        await rejects(await an_admin(), ad)
        there = f"/advertiser?tab=ads&ad={ad.id}"
        known = {"title": "Hear the fjord", "why": REASON}
        for address in ("anna@example.com", "bo@example.com"):
            assert await rung_for(address) == [("ad_rejected", known, there)]

    async def test_that_approves_rings_without_a_reason(self):
        await approves(await an_admin(), await a_waiting_ad(await a_draft(await a_company())))
        [(kind, params, _link)] = await rung_for("anna@example.com")
        assert (kind, params) == ("ad_approved", {"title": "Hear the fjord"})


async def unsubscribes(actor: Actor, topic: CompanyTopic) -> None:
    """By the link of a mail of their own."""
    token = notifications.unsubscribe_link(actor.user_id, topic).partition("?token=")[2]
    async with transaction() as session:
        assert await unsubscribing.choose(session, token, by_mail=False)


async def a_running_campaign(**changes: object) -> AdCampaign:
    """With one view that was paid for: fifty cents of five hundred dollars."""
    company = await a_company(**changes)
    await with_funds(company)
    campaign = await a_draft(company, name="Spring")
    ad = await a_waiting_ad(campaign, seconds=5)
    await approves(await an_admin(), ad)
    maja = await the_player()
    view = await starts(maja, ad)
    await finishes(maja, view, now=NOON + 5 * SECOND)
    return campaign


async def owner_of(campaign: AdCampaign) -> Advertiser:
    async with transaction() as session:
        company = await session.get(Advertiser, campaign.advertiser_id)
    assert company
    return company


async def of_the_end() -> list[Letter]:
    return [letter for letter in await queued() if letter.name.startswith("campaign_ended")]


class TestTheEnd:
    async def test_by_its_date_says_what_was_spent_and_what_went_back(self):
        await ends(await a_running_campaign(), EndedBy.DATE)
        [letter] = await of_the_end()
        words = await said(letter)
        assert "The campaign “Spring” ended on its last day." in words
        assert "1\u00a0completed view cost $0.50. $499.50 went back to your balance." in words
        assert letter.link.endswith("/advertiser?tab=campaigns")

    async def test_by_its_budget_says_so(self):
        campaign = await a_running_campaign()
        await ends(campaign, EndedBy.BUDGET)
        [letter] = await of_the_end()
        assert "has shown all the views that its budget bought" in await said(letter)

    async def test_is_told_once_when_nobody_watches_any_more(self):
        campaign = await a_running_campaign()
        emil = await the_player("Emil")
        view = await starts(emil)
        await ends(campaign, EndedBy.DATE)
        assert await of_the_end() == []
        await finishes(emil, view, now=NOON + 5 * SECOND)
        for _ in range(2):
            async with transaction() as session:
                await lifecycle.settle(session, campaign.id, now=LATER)
        [letter] = await of_the_end()
        assert "2\u00a0completed views cost $1.00. $499.00 went back" in await said(letter)

    async def test_by_its_own_people_needs_no_letter_nor_bell(self):
        await ends(await a_running_campaign(), EndedBy.COMPANY)
        assert await of_the_end() == []
        assert [kind for kind, *_ in await rung_for("anna@example.com")] == ["ad_approved"]

    @pytest.mark.parametrize("by", [EndedBy.BUDGET, EndedBy.DATE])
    async def test_rings_whatever_is_mailed(self, by: EndedBy):
        await ends(await a_running_campaign(mails_budgets=False), by)
        assert (await rung_for("anna@example.com"))[1:] == [
            (f"campaign_ended_{by}", {"title": "Spring"}, "/advertiser?tab=campaigns")
        ]

    async def test_by_an_admin_rings_with_the_reason(self):
        await ends(await a_running_campaign(), EndedBy.ADMIN, REASON)
        known = {"title": "Spring", "why": REASON}
        assert (await rung_for("anna@example.com"))[1:] == [
            ("campaign_ended_admin", known, "/advertiser?tab=campaigns")
        ]

    async def test_by_an_admin_says_why_at_once_whoever_watches(self):
        campaign = await a_running_campaign()
        await starts(await the_player("Emil"))
        await ends(campaign, EndedBy.ADMIN, REASON)
        [letter] = await of_the_end()
        words = await said(letter)
        assert "An admin ended your campaign “Spring”" in words
        assert f"The reason: {REASON}" in words
        assert letter.link.endswith("/advertiser?tab=campaigns")

    async def test_by_an_admin_of_a_draft_is_told_too(self):
        await ends(await a_draft(await a_company()), EndedBy.ADMIN, REASON)
        assert [letter.name for letter in await of_the_end()] == ["campaign_ended_admin"]

    async def test_by_an_admin_is_told_whatever_they_chose(self):
        campaign = await a_running_campaign(mails_budgets=False, mails_reviews=False)
        bo = await a_member(await owner_of(campaign), "bo@example.com")
        for topic in CompanyTopic:
            await unsubscribes(bo, topic)
        await ends(campaign, EndedBy.ADMIN, REASON)
        told = {letter.recipient: letter.unsubscribe for letter in await of_the_end()}
        assert told == {"anna@example.com": "", "bo@example.com": ""}

    @pytest.mark.parametrize("language", CODES)
    async def test_by_an_admin_is_told_in_every_language(self, language: str):
        campaign = await a_running_campaign()
        await a_member(await owner_of(campaign), f"{language}@example.com", language=language)
        await ends(campaign, EndedBy.ADMIN, REASON)
        letters = {letter.recipient: letter for letter in await of_the_end()}
        words = await said(letters[f"{language}@example.com"])
        assert REASON in words
        assert "{{" not in words

    async def test_is_not_mailed_to_a_person_who_switched_it_off(self):
        campaign = await a_running_campaign()
        company = await owner_of(campaign)
        bo = await a_member(company, "bo@example.com")
        await unsubscribes(bo, CompanyTopic.BUDGETS)
        await ends(campaign, EndedBy.DATE)
        assert [letter.recipient for letter in await of_the_end()] == ["anna@example.com"]

    async def test_is_not_mailed_to_companies_that_switched_it_off(self):
        await ends(await a_running_campaign(mails_budgets=False), EndedBy.DATE)
        assert await of_the_end() == []

    @pytest.mark.parametrize("language", CODES)
    async def test_is_told_in_every_language(self, language: str):
        campaign = await a_running_campaign()
        company = await a_company_of(campaign)
        await a_member(company, f"{language}@example.com", language=language)
        await ends(campaign, EndedBy.DATE)
        letters = {letter.recipient: letter for letter in await of_the_end()}
        words = await said(letters[f"{language}@example.com"])
        assert "499" in words
        assert "{{" not in words


async def a_company_of(campaign: AdCampaign) -> Advertiser:
    async with transaction() as session:
        found = await session.get(Advertiser, campaign.advertiser_id)
    assert found
    return found
