"""Companies as admins find and look into them: each by an index, for admins alone."""

from collections.abc import Awaitable, Callable
from typing import Any
from uuid import UUID

import psycopg
import pytest
from structlog.testing import capture_logs

from rewards_app.core.actor import Actor
from rewards_app.core.clock import utc_now
from rewards_app.core.database import AsyncSession, transaction
from rewards_app.core.errors import NotAllowed
from rewards_app.core.ids import new_id
from rewards_app.features.advertiser import directory, review, statement
from rewards_app.features.advertiser.directory import Named
from rewards_app.features.advertiser.review import Applications
from rewards_app.features.advertiser.review_repository import FOUND
from rewards_app.features.advertiser.review_rules import UnknownApplication
from tests.ads import a_campaign, an_advertiser
from tests.campaigns import runs, the_admin
from tests.companies import A_DOLLAR, Company, a_company, a_member, asks, payment_of, pays_in
from tests.people import NOON
from tests.plans import plan_of

pytestmark = pytest.mark.usefixtures("database")


async def finds(text: str, **asked: Any) -> Applications:
    async with transaction() as session:
        return await review.find(session, text, **asked)


async def names(text: str) -> list[str]:
    return [one.company for one in (await finds(text)).shown]


async def looks_into(actor: Actor, company_id: UUID, **asked: Any) -> directory.Story:
    async with transaction() as session:
        return await directory.look_into(session, actor, company_id, **asked)


class TestSearch:
    @pytest.mark.parametrize("text", ["Fjord", "fjord au", "FJORD AUDIO", "ads@fj", "Ads@Fjord.ex"])
    async def test_finds_what_a_name_or_an_email_begins_with(self, text: str):
        await a_company()
        await a_company("Sidewind Studio", email="hello@sidewind.example")
        assert await names(text) == ["Fjord Audio"]

    @pytest.mark.parametrize("text", ["Audio", "fjord.example", "Fjord%", "_jord", "\\"])
    async def test_takes_nothing_for_a_pattern(self, text: str):
        await a_company()
        assert await names(text) == []

    async def test_finds_companies_of_every_standing_and_the_houses_own(self):
        for status in ("pending", "approved", "rejected"):
            await a_company(f"Fjord {status}", status=status)
        await an_advertiser("Fjord of the house")
        assert await names("fjord") == [
            "Fjord of the house",
            "Fjord rejected",
            "Fjord approved",
            "Fjord pending",
        ]

    async def test_leads_on_to_older_ones(self):
        made = [await a_company(f"Fjord {number}") for number in range(3)]
        first = await finds("fjord", limit=2)
        assert [one.id for one in first.shown] == [made[2].id, made[1].id]
        rest = await finds("fjord", before=first.next_before, limit=2)
        assert ([one.id for one in rest.shown], rest.next_before) == ([made[0].id], None)

    async def test_is_answered_by_the_indexes_of_both(self, database: str):
        async with transaction() as session:
            connection = await session.connection()
            await connection.exec_driver_sql(
                "insert into advertisers (id, company_name, email, website, status, reason,"
                " balance, reaches_minors, starts_by_itself, tags_links, mails_reviews,"
                " mails_budgets, mails_reports, created_at, updated_at)"
                " select gen_random_uuid(), 'Company ' || n, 'c' || n || '@example.com', '',"
                " 'approved', '', 0, true, true, false, true, true, true, now(), now()"
                " from generate_series(1, 5000) n"
            )
        with psycopg.connect(database, autocommit=True) as connection:
            connection.execute("analyze advertisers")
            values = {"begins": "company 4999%", "limit": 26}
            found = plan_of(connection, FOUND, values)
        assert {"ix_advertisers_name_begins", "ix_advertisers_email_begins"} <= found.indexes
        assert "advertisers" not in found.reads_whole


class TestAnIdentifier:
    async def test_of_a_company_its_campaign_or_its_money_finds_it(self):
        company = await a_company()
        await a_company("Sidewind Studio")
        campaign = await a_campaign(await _row(company), budget_cents=50_000)
        begun = await asks(company)
        payment = await payment_of(begun)
        for known in (company.id, campaign.id, begun.top_up_id, payment.id):
            assert await names(str(known)) == ["Fjord Audio"]

    async def test_of_nothing_finds_nothing(self):
        await a_company()
        assert await names(str(new_id())) == []

    async def test_names_its_company_as_it_is_called_now(self):
        company, admin = await a_company(), await the_admin()
        gone = await an_advertiser("–")
        async with transaction() as session:
            wanted = [company.id, gone.id, unknown := new_id()]
            owners = await directory.owners(session, admin, wanted)
        assert owners == {
            company.id: Named(company.id, "Fjord Audio"),
            gone.id: Named(gone.id, ""),
        }
        assert unknown not in owners


class TestACompany:
    async def test_is_told_with_its_contact_money_and_people(self):
        company = await a_company(dollars=100)
        sven = await a_member(company)
        await runs(company, budget="40")
        told = await looks_into(await the_admin(), company.id)
        known = told.application
        assert (known.company, known.email, known.status) == (
            "Fjord Audio",
            "ads@fjord.example",
            "approved",
        )
        assert (told.funds.balance, told.funds.set_aside) == (60 * A_DOLLAR, 40 * A_DOLLAR)
        assert [(one.account_id, one.role) for one in told.members] == [
            (company.owner.user_id, "owner"),
            (sven.user_id, "member"),
        ]

    async def test_that_does_not_exist_is_refused(self):
        with pytest.raises(UnknownApplication):
            await looks_into(await the_admin(), new_id())

    async def test_is_looked_into_by_name_in_the_log_once(self):
        company, admin = await a_company(), await the_admin()
        with capture_logs() as logs:
            await looks_into(admin, company.id)
            await looks_into(admin, company.id, again=True)
        assert [(line["company"], line["by"]) for line in logs] == [
            (str(company.id), str(admin.user_id))
        ]

    async def test_has_its_own_campaigns_alone(self):
        company, other = await a_company(dollars=900), await a_company("Other", dollars=900)
        own, _ = await runs(company)
        await runs(other)
        async with transaction() as session:
            found = await directory.campaigns_of(session, await the_admin(), company.id, now=NOON)
        assert [one.id for one in found.shown] == [own]
        assert (found.totals.campaigns, sum(found.counts.values())) == (1, 1)

    async def test_has_its_own_money_alone_in_stretches(self, monkeypatch: pytest.MonkeyPatch):
        monkeypatch.setattr(statement, "A_PAGE", 1)
        company, other = await a_company(dollars=5), await a_company("Other", dollars=7)
        paid = await pays_in(company, "100")
        await pays_in(other, "200")
        admin = await the_admin()
        async with transaction() as session:
            [top_up] = (await directory.top_ups_of(session, admin, company.id)).shown
            first = await directory.statement_of(session, admin, company.id)
            rest = await directory.statement_of(
                session, admin, company.id, before=first.next_before
            )
        payment = await payment_of(paid)
        assert (top_up.id, top_up.payment_id, top_up.intent) == (
            paid.top_up_id,
            payment.id,
            payment.intent_id,
        )
        assert [(one.kind, one.amount) for one in (*first.entries, *rest.entries)] == [
            ("top_up", 100 * A_DOLLAR),
            ("opening", 5 * A_DOLLAR),
        ]
        assert rest.next_before is None


Asking = Callable[[AsyncSession, Actor, Company], Awaitable[object]]
ASKING: dict[str, Asking] = {
    "look_into": lambda session, actor, one: directory.look_into(session, actor, one.id),
    "campaigns_of": lambda session, actor, one: directory.campaigns_of(
        session, actor, one.id, now=utc_now()
    ),
    "top_ups_of": lambda session, actor, one: directory.top_ups_of(session, actor, one.id),
    "statement_of": lambda session, actor, one: directory.statement_of(session, actor, one.id),
    "owners": lambda session, actor, one: directory.owners(session, actor, [one.id]),
    "acted_for": lambda session, actor, one: directory.acted_for(session, actor, one.owner.user_id),
}


class TestAnybodyElse:
    @pytest.mark.parametrize("name", ASKING)
    async def test_is_refused_even_what_is_their_own(self, name: str):
        company = await a_company()
        with pytest.raises(NotAllowed):
            async with transaction() as session:
                await ASKING[name](session, company.owner, company)


async def _row(company: Company) -> Any:
    async with transaction() as session:
        return await directory.company_repository.find(session, company.id)
