"""A company whose owner is forgotten: it ends as everybody locks, or is told who owns it now."""

import asyncio
from datetime import timedelta
from typing import Any

import pytest
from sqlmodel import col, delete, select

from rewards_app.core import live
from rewards_app.core.actor import Actor, Role
from rewards_app.core.database import lock_row, transaction
from rewards_app.core.ids import new_id
from rewards_app.core.mail import Letter, composed
from rewards_app.features.accounts import closing
from rewards_app.features.advertiser import (
    campaigns_repository,
    leaving,
    membership,
    money,
    review,
    review_rules,
    rules,
    top_up_repository,
)
from rewards_app.features.security.danger_state import DangerState
from rewards_app.models import Advertiser, AdvertiserMember, TopUp
from tests.ads import NOON, a_campaign
from tests.companies import (
    A_DOLLAR,
    Company,
    a_company,
    a_member,
    an_owner,
    applies,
    asks,
    is_paid_at,
    payment_of,
)
from tests.paying import ask, hears
from tests.queued import as_read
from tests.review import an_admin
from tests.serving import text_of
from tests.states import acting, calls
from tests.stripe_server import StripeServer
from tests.waiting import are_waiting

LATER = NOON + timedelta(days=30)


async def forget(actor: Actor) -> None:
    async with transaction() as session:
        await leaving.forget(session, actor.user_id, actor.email, now=LATER)


@pytest.fixture
def announced(monkeypatch: pytest.MonkeyPatch) -> set[tuple[str, str]]:
    told: set[tuple[str, str]] = set()
    monkeypatch.setattr(live, "announce", lambda topic, key="": told.add((topic, key)))
    return told


async def test_it_ends_in_the_order_in_which_everybody_locks(database: str):
    company = await a_company(dollars=3)
    known = {"advertiser_id": company.id, "budget_cents": 100, "set_aside_at": NOON}
    _, second = [await a_campaign(**known) for _ in range(2)]

    async with transaction() as session:
        await campaigns_repository.lock(session, None, second.id, now=NOON)
        forgetting = asyncio.create_task(forget(company.owner))
        await are_waiting(database)
        kind, cause = money.Kind.CREDITED, "a view of the second campaign"
        assert await money.enter(session, company.id, A_DOLLAR, kind, cause, now=NOON)
    await forgetting
    async with transaction() as session:
        assert (await money.funds_of(session, company.id)).set_aside == 0


@pytest.mark.parametrize("which", ["top-up", "ended campaign"])
async def test_who_is_at_one_of_its_things_and_then_needs_it_is_waited_for(
    database: str, stripe: StripeServer, which: str
):
    company = await a_company(dollars=3)
    begun = await asks(company, "100")
    await hears(stripe, await is_paid_at(stripe, begun))
    ended = await a_campaign(advertiser_id=company.id, status="completed", ended_because="No")

    async with transaction() as session:
        if which == "top-up":
            assert await top_up_repository.give_back(session, begun.top_up_id, part=500)
        else:
            await campaigns_repository.lock(session, None, ended.id, now=NOON)
        forgetting = asyncio.create_task(forget(company.owner))
        await are_waiting(database)
        kind, cause = money.Kind.RETURNED, f"returned:{begun.top_up_id}:500"
        if which == "top-up":
            assert await money.enter(session, company.id, -5 * A_DOLLAR, kind, cause, now=NOON)
        else:
            assert await lock_row(session, Advertiser, company.id)
    await forgetting
    named = "select company_name from advertisers where id = %s"
    assert ask(database, named, company.id) == [("–",)]


async def test_it_keeps_nothing_that_an_admin_said_of_it(database: str):
    company = await a_company()
    known = {"advertiser_id": company.id, "status": "completed", "ended_by": "admin"}
    ended = await a_campaign(**known, ended_because="Freja asked for it by phone.")
    await forget(company.owner)
    async with transaction() as session:
        found = await campaigns_repository.one(session, None, ended.id, now=LATER)
    assert found
    assert found.ended_because == ""


async def test_whoever_owns_it_now_sees_it_at_once(announced: set[tuple[str, str]], database: str):
    company = await a_company()
    await a_member(company)
    await forget(company.owner)
    assert announced == {(membership.CHANGED, str(company.id))}


@pytest.mark.usefixtures("spoilt_books")
async def test_whom_it_was_reached_at_is_forgotten_each_in_turn(database: str):
    """The owner goes, then the heir whose address it got, then another whom it was told to ask."""
    eva = await an_owner("Eva")
    company = await a_company(owner=eva, email=eva.email)
    heir, other, last = [await a_member(company, name) for name in ("Sven", "Ida", "Otto")]
    assert await reached_after(eva, phone="1") == (heir.email, None)
    await an_invoice(company, payer=other, email=heir.email)
    assert await reached_after(heir, phone="2") == (other.email, None)
    assert ask(database, "select email from top_ups") == [("",)]
    is_told = last.email.title()
    assert await reached_after(last, phone="3", email=is_told) == (other.email, None)


@pytest.mark.usefixtures("spoilt_books")
async def test_an_address_that_is_nobodys_own_stays_and_so_does_who_applied(database: str):
    company = await a_company(email="office@example.com")
    member = await a_member(company)
    await an_invoice(company, payer=company.owner, email="office@example.com")
    assert await reached_after(member, phone="1") == ("office@example.com", "1")
    assert ask(database, "select account_id from advertisers") == [(company.owner.user_id,)]
    assert ask(database, "select email from top_ups") == [("office@example.com",)]


async def reached_after(forgotten: Actor, *, phone: str, email: str = "") -> tuple[str, str | None]:
    """Where the company can be reached once somebody is forgotten, and where it could before."""
    async with transaction() as session:
        [company] = (await session.exec(select(Advertiser))).all()
        company.phone, company.email = phone, email or company.email
    await forget(forgotten)
    async with transaction() as session:
        await session.exec(
            delete(AdvertiserMember).where(col(AdvertiserMember.account_id) == forgotten.user_id)
        )
        [company] = (await session.exec(select(Advertiser))).all()
        return company.email, company.phone


async def an_invoice(company: Company, *, payer: Actor, email: str) -> None:
    """What was paid in, and to which address its invoice went."""
    paid = TopUp(
        advertiser_id=company.id,
        account_id=payer.user_id,
        attempt=new_id(),
        cents=500,
        status="paid",
        invoice_number=1,
        company_name=company.name,
        email=email,
    )
    async with transaction() as session:
        session.add(paid)


class TestMoneyThatNobodyElseCouldBePaidBack:
    """Whatever the role of its owner: who applied as a player goes on playing."""

    @pytest.fixture(autouse=True)
    def _as_the_app_does(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(closing, "ON_CLOSE", [leaving.LEAVING])

    @pytest.mark.parametrize("role", [Role.PLAYER, Role.MODERATOR, Role.COMPANY])
    async def test_is_what_its_only_owner_is_asked_about(self, page: Any, role: Role, database):
        company = await a_company(owner=await an_owner(role=role), dollars=12)
        danger = await page.get_state(DangerState)
        with acting(company.owner):
            await calls(DangerState.ask, danger)
        assert danger.stranded == 1_200

    async def test_is_with_what_campaigns_have_set_aside(self, database: str):
        company = await a_company(dollars=12)
        known = {"advertiser_id": company.id, "budget_cents": 300, "set_aside_at": NOON}
        await a_campaign(**known)
        assert await strands(company.owner) == 1_500

    async def test_is_none_while_a_colleague_stays(self, database: str):
        company = await a_company(dollars=12)
        sven = await a_member(company)
        assert await strands(company.owner) == 0
        async with transaction() as session:
            await closing.close(session, sven.user_id, now=NOON)
        assert await strands(company.owner) == 1_200

    async def test_is_named_in_both_letters_before_the_end(self, database: str):
        company = await a_company(dollars=12)
        async with transaction() as session:
            await closing.close(session, company.owner.user_id, now=NOON)
            await closing.remind(session, now=LATER - timedelta(days=2))
        query = "select args from procrastinate_jobs where task_name = 'send_mail' order by id"
        letters = [Letter(**as_read(row[0])) for row in ask(database, query)]
        assert [letter.name for letter in letters] == [
            "account_closing_balance",
            "account_closing_soon_balance",
        ]
        assert all("$12.00" in text_of(composed(letter)) for letter in letters)

    async def test_calls_an_admin_when_its_last_person_is_forgotten(
        self, stripe: StripeServer, database: str
    ):
        company = await a_company()
        begun = await asks(company, "100")
        await hears(stripe, await is_paid_at(stripe, begun))
        await forget(company.owner)
        payment = await payment_of(begun)
        (said,) = [row[0] for row in ask(database, LEFT_MONEY)]
        assert said == {
            "cents": 10_000,
            "company": str(company.id),
            "payments": str(payment.id),
        }

    async def test_calls_nobody_where_there_is_none_or_a_colleague_goes_on(self, database: str):
        await forget((await a_company()).owner)
        company = await a_company("Sidewind Studio", dollars=12)
        await a_member(company)
        await forget(company.owner)
        assert ask(database, LEFT_MONEY) == []


LEFT_MONEY = "select params from security_alerts where alert_type = 'advertiser_left_money'"


async def strands(actor: Actor) -> int:
    async with transaction() as session:
        return await closing.stranded(session, actor.user_id)


async def test_an_application_waits_for_nobody(database: str):
    eva, admin = await an_owner("Eva"), await an_admin()
    await applies(eva)
    async with transaction() as session:
        [seen] = (await review.pending(session)).shown
    await forget(eva)
    async with transaction() as session:
        assert (await review.waiting(session)).applications == 0
        assert (await review.pending(session)).shown == []
        with pytest.raises(review_rules.ChangedMeanwhile):
            await review.decide(
                session, admin, seen.id, rules.Status.APPROVED, version=seen.version, now=LATER
            )
