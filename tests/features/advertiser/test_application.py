"""Applying as an advertiser: once for an account, again after a rejection; nothing bad is kept."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Any

import pytest

from rewards_app.core import limits
from rewards_app.core.actor import Actor, Role
from rewards_app.core.clock import utc_now
from rewards_app.core.database import transaction
from rewards_app.core.errors import FieldRefused, StorageAway, TooManyAttempts
from rewards_app.features.advertiser import (
    application,
    desk,
    fields,
    membership,
    people,
    review,
    review_rules,
    rules,
)
from rewards_app.features.advertiser.application_rules import NotForInvoices
from rewards_app.features.advertiser.application_state import ApplicationState
from rewards_app.features.advertiser.membership import MemberRole
from rewards_app.features.advertiser.people_rules import Way
from rewards_app.features.advertiser.rules import Status
from tests.companies import a_company, a_form, a_member, an_owner, applies, is_decided
from tests.paying import ask
from tests.people import an_account
from tests.review import an_admin
from tests.states import acting, calls, failing

pytestmark = pytest.mark.usefixtures("database")


async def membership_of(actor: Actor) -> membership.Membership | None:
    async with transaction() as session:
        return await membership.membership_of(session, actor.user_id)


async def standing_of(actor: Actor) -> str:
    async with transaction() as session:
        return (await desk.desk_of(session, actor)).standing


class TestApplying:
    @pytest.mark.parametrize("role", [Role.PLAYER, Role.MODERATOR, Role.COMPANY])
    async def test_makes_a_company_that_waits_and_its_owner(self, role: Role):
        freja = await an_owner(role=role)
        await applies(freja)
        found = await membership_of(freja)
        assert found is not None
        assert (found.company, found.status, found.role) == (
            "Fjord Audio",
            Status.PENDING,
            MemberRole.OWNER,
        )

    async def test_keeps_what_was_typed_and_seals_the_phone(self, database: str):
        await applies(await an_owner(), email="Ads@Fjord.example", phone="08-123 456 78")
        query = "select email, website, balance, phone from advertisers"
        email, website, balance, phone = ask(database, query)[0]
        assert (email, website, balance) == ("ads@fjord.example", "https://fjord.example", 0)
        assert "123" not in phone

    async def test_needs_neither_phone_nor_website(self, database: str):
        await applies(await an_owner(), phone="", website="")
        assert ask(database, "select phone, website from advertisers") == [(None, "")]

    async def test_begins_with_the_accounts_own_address(self):
        freja = await an_owner()
        async with transaction() as session:
            typed = await application.typed_before(session, freja)
        assert typed == {"company_name": "", "email": freja.email, "phone": "", "website": ""}

    async def test_twice_at_once_makes_one_company(self, database: str):
        freja = await an_owner()
        came = await asyncio.gather(*(applies(freja) for _ in range(5)), return_exceptions=True)
        assert came.count(None) == 1
        assert all(isinstance(one, rules.ActsAlready) for one in came if one)
        assert ask(database, "select count(*) from advertisers") == [(1,)]

    async def test_is_refused_to_who_waits_is_approved_or_acts_for_another_one(self):
        company = await a_company()
        for actor in (company.owner, await a_member(company)):
            with pytest.raises(rules.ActsAlready):
                await applies(actor)
        waiting = await an_owner()
        await applies(waiting)
        with pytest.raises(rules.ActsAlready):
            await applies(waiting)

    async def test_is_nothing_for_admins(self):
        with pytest.raises(rules.ActsAlready):
            await applies(await an_owner(role=Role.ADMIN))

    async def test_needs_a_verified_email(self, database: str):
        account = await an_account("freja@fjord.example", Role.COMPANY, is_verified=False)
        unverified = replace(await an_owner(), user_id=account.id)
        with pytest.raises(rules.EmailNotVerified) as refusal:
            await applies(unverified)
        assert refusal.value.title == "errors.advertiser.registration_failed"
        assert ask(database, "select count(*) from advertisers") == [(0,)]


BAD = [
    ("company_name", "", fields.Missing),
    ("company_name", "   ", fields.Missing),
    ("company_name", "F" * 81, fields.TooLong),
    ("company_name", "F" * 10_000, fields.TooLong),
    ("company_name", "Fj\u200bord", fields.Unseen),
    ("company_name", "\u202eoiduA", fields.Unseen),
    ("company_name", "Fjord 株式会社", NotForInvoices),
    ("company_name", "Fjord ١٢", NotForInvoices),
    ("email", "", fields.Missing),
    ("email", "nobody", fields.BadEmail),
    ("email", "a@b", fields.BadEmail),
    ("email", f"{'a' * 300}@fjord.example", fields.TooLong),
    ("phone", "call me", fields.BadPhone),
    ("phone", "123", fields.BadPhone),
    ("website", "javascript:alert(1)", fields.BadScheme),
    ("website", "data:text/html,x", fields.BadScheme),
    ("website", "file:///etc/passwd", fields.BadScheme),
    ("website", "https://me:secret@fjord.example", fields.AddressWithCredentials),
    ("website", "https://192.168.0.1/", fields.PrivateAddress),
    ("website", "https://localhost/", fields.PrivateAddress),
    ("website", "https://", fields.BadAddress),
    ("website", f"https://fjord.example/{'a' * 600}", fields.TooLong),
]


class TestBadInput:
    @pytest.mark.parametrize(("field", "typed", "refusal"), BAD, ids=lambda one: str(one)[:30])
    async def test_is_said_at_its_field_and_nothing_is_kept(
        self, database: str, field: str, typed: str, refusal: type[FieldRefused]
    ):
        freja = await an_owner()
        with pytest.raises(refusal) as refused:
            await applies(freja, **{field: typed})
        assert refused.value.params["field"] == field
        assert ask(database, "select count(*) from advertisers") == [(0,)]

    async def test_names_the_letters_that_no_invoice_can_write(self):
        with pytest.raises(NotForInvoices) as refused:
            await applies(await an_owner(), company_name="Fjord 株式会社東東京 🎮 Ö")
        assert refused.value.params["letters"] == "株式会社東"

    @pytest.mark.parametrize("name", ["Fjord 🎮", "Ægir & Søn", "Łódź Żubr", "Παιχνίδια", "Игры"])
    async def test_is_no_name_whose_letters_invoices_have(self, database: str, name: str):
        await applies(await an_owner(), company_name=name)
        assert ask(database, "select company_name from advertisers") == [(name,)]

    async def test_is_no_attempt_that_counts(self):
        freja = await an_owner()
        for _ in range(10):
            with pytest.raises(fields.Missing):
                await applies(freja, company_name="")
        await applies(freja)


class TestARejection:
    async def test_can_be_answered_by_applying_again(self, database: str):
        freja = await an_owner()
        await applies(freja)
        await is_decided("Fjord Audio", "rejected", "We cannot find this company.")
        found = await membership_of(freja)
        assert found is not None
        assert (found.status, found.reason) == (Status.REJECTED, "We cannot find this company.")
        async with transaction() as session:
            typed = await application.typed_before(session, freja)
        assert typed == a_form(phone="+46812345678")
        await applies(freja, company_name="Fjord Audio AB")
        query = "select company_name, status, reason, decided_at from advertisers"
        assert ask(database, query) == [("Fjord Audio AB", "pending", "", None)]

    async def test_is_answered_a_few_times_an_hour(self, monkeypatch: pytest.MonkeyPatch):
        monkeypatch.setattr(application, "APPLICATIONS", limits.parse("2 per hour"))
        freja = await an_owner()
        await applies(freja)
        await is_decided("Fjord Audio", "rejected")
        await applies(freja)
        await is_decided("Fjord Audio", "rejected")
        with pytest.raises(TooManyAttempts):
            await applies(freja)

    async def test_is_answered_by_the_owner_alone(self):
        company = await a_company(status="rejected")
        with pytest.raises(rules.ActsAlready):
            await applies(await a_member(company))


async def corrects(actor: Actor, **changes: str) -> None:
    async with transaction() as session:
        await application.correct(session, actor, a_form(**changes), now=utc_now())


async def withdraws(actor: Actor) -> None:
    async with transaction() as session:
        await application.withdraw(session, actor)


class TestWhatWaits:
    async def test_can_be_corrected(self, database: str):
        freja = await an_owner()
        await applies(freja, email="ads@fjrod.example")
        await corrects(freja, company_name="Fjord Audio AB")
        query = "select company_name, email, status from advertisers"
        assert ask(database, query) == [("Fjord Audio AB", "ads@fjord.example", "pending")]

    async def test_is_read_again_by_an_admin_who_read_it_before(self):
        freja, admin = await an_owner(), await an_admin()
        await applies(freja)
        async with transaction() as session:
            [read] = (await review.pending(session)).shown
        await corrects(freja, website="https://elsewhere.example")
        with pytest.raises(review_rules.ChangedMeanwhile):
            async with transaction() as session:
                await review.decide(
                    session, admin, read.id, Status.APPROVED, version=read.version, now=utc_now()
                )
        assert await standing_of(freja) == "pending"

    async def test_can_be_withdrawn_and_sent_anew(self, database: str):
        freja = await an_owner()
        await applies(freja)
        await withdraws(freja)
        assert await standing_of(freja) == "none"
        assert ask(database, "select count(*) from advertisers") == [(0,)]
        await applies(freja, company_name="Fjord Audio AB")
        assert await standing_of(freja) == "pending"

    async def test_that_was_rejected_before_can_be_withdrawn_too(self, database: str):
        freja = await an_owner()
        await applies(freja)
        await is_decided("Fjord Audio", "rejected")
        await applies(freja)
        await withdraws(freja)
        assert ask(database, "select count(*) from advertisers") == [(0,)]

    async def test_once_withdrawn_is_decided_on_by_nobody(self):
        freja, admin = await an_owner(), await an_admin()
        await applies(freja)
        async with transaction() as session:
            [read] = (await review.pending(session)).shown
        await withdraws(freja)
        with pytest.raises(review_rules.UnknownApplication):
            async with transaction() as session:
                await review.decide(
                    session, admin, read.id, Status.APPROVED, version=read.version, now=utc_now()
                )

    @pytest.mark.parametrize("status", ["approved", "rejected"])
    @pytest.mark.parametrize("does", [corrects, withdraws])
    async def test_is_no_more_once_it_is_decided(
        self, database: str, does: Callable[[Actor], Awaitable[None]], status: str
    ):
        company = await a_company(status=status)
        before = ask(database, "select * from advertisers")
        with pytest.raises(rules.NotWaiting):
            await does(company.owner)
        assert ask(database, "select * from advertisers") == before

    @pytest.mark.parametrize("does", [corrects, withdraws])
    async def test_is_its_owners_alone(
        self, database: str, does: Callable[[Actor], Awaitable[None]]
    ):
        company = await a_company(status="pending")
        before = ask(database, "select * from advertisers")
        for actor in (await a_member(company), await an_owner("Nobody"), await an_admin()):
            with pytest.raises(rules.NotWaiting):
                await does(actor)
        assert ask(database, "select * from advertisers") == before

    @pytest.mark.parametrize(("field", "typed", "refusal"), BAD, ids=lambda one: str(one)[:30])
    async def test_stays_as_it_was_where_a_correction_is_refused(
        self, database: str, field: str, typed: str, refusal: type[FieldRefused]
    ):
        freja = await an_owner()
        await applies(freja)
        before = ask(database, "select * from advertisers")
        with pytest.raises(refusal) as refused:
            await corrects(freja, **{field: typed})
        assert refused.value.params["field"] == field
        assert ask(database, "select * from advertisers") == before

    async def test_is_corrected_a_few_times_an_hour(self, monkeypatch: pytest.MonkeyPatch):
        monkeypatch.setattr(application, "CORRECTIONS", limits.parse("2 per hour"))
        freja = await an_owner()
        await applies(freja)
        for _ in range(2):
            await corrects(freja)
        with pytest.raises(TooManyAttempts):
            await corrects(freja)

    async def test_withdrawn_twice_at_once_is_withdrawn_once(self):
        freja = await an_owner()
        await applies(freja)
        came = await asyncio.gather(*(withdraws(freja) for _ in range(3)), return_exceptions=True)
        assert came.count(None) == 1
        assert all(isinstance(one, rules.NotWaiting) for one in came if one)

    async def test_makes_room_for_an_invitation(self):
        company, freja = await a_company("Rival Sound"), await an_owner()
        await applies(freja)
        await withdraws(freja)
        async with transaction() as session:
            assert await people.way_in(session, freja) == (Way.FREE, "")
        assert await membership_of(company.owner)

    async def test_is_shown_as_it_was_sent_and_as_it_was_corrected(self, page: Any):
        shown = await page.get_state(ApplicationState)
        freja = await an_owner()
        await applies(freja)
        with acting(freja):
            await calls(ApplicationState.load, shown)
            assert shown.typed == a_form(phone="+46812345678")
            await calls(ApplicationState.begin_again, shown)
            await calls(ApplicationState.correct, shown, form=a_form(email="hi@fjord.example"))
        assert (shown.typed["email"], shown.is_again) == ("hi@fjord.example", False)
        assert shown.notice["title"] == "advertiser.corrected_title"


class TestTheForm:
    @pytest.mark.parametrize("failure", [StorageAway, RuntimeError])
    async def test_whose_correction_cannot_be_sent_says_so(
        self, page: Any, monkeypatch: pytest.MonkeyPatch, failure: type[Exception]
    ):
        shown = await page.get_state(ApplicationState)
        monkeypatch.setattr(application, "correct", failing(failure))
        with acting(await an_owner()):
            await calls(ApplicationState.correct, shown, form=a_form())
        assert shown.notice["title"] == rules.NOT_CORRECTED
        assert not shown.is_busy

    @pytest.mark.parametrize("failure", [StorageAway, RuntimeError])
    async def test_that_cannot_be_sent_says_so(
        self, page: Any, monkeypatch: pytest.MonkeyPatch, failure: type[Exception]
    ):
        shown = await page.get_state(ApplicationState)
        monkeypatch.setattr(application, "apply", failing(failure))
        with acting(await an_owner()):
            await calls(ApplicationState.apply, shown, form=a_form())
        assert shown.notice["title"] == rules.REGISTRATION_FAILED
        assert not shown.is_busy


class TestWhoSeesWhat:
    async def test_follows_the_applications_status(self):
        freja = await an_owner()
        assert await standing_of(freja) == "none"
        await applies(freja)
        for status in ("pending", "rejected", "approved"):
            await is_decided("Fjord Audio", status)
            assert await standing_of(freja) == status

    async def test_before_approval_nobody_learns_of_money(self):
        company = await a_company(dollars=100, status="pending")
        async with transaction() as session:
            seen = await desk.desk_of(session, company.owner)
        assert seen.funds == desk.NOTHING

    async def test_admins_see_all_companies(self):
        async with transaction() as session:
            seen = await desk.desk_of(session, await an_owner(role=Role.ADMIN))
        assert (seen.standing, seen.company, seen.follows) == ("approved", "", "")
