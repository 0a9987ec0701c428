"""Invoices as companies get them: by mail and from the page, for their owner and for admins."""

from collections.abc import AsyncIterator
from datetime import timedelta
from io import BytesIO
from uuid import UUID

import httpx
import pytest
from pypdf import PdfReader
from starlette.applications import Starlette

from rewards_app.api import invoices as route
from rewards_app.core import mail
from rewards_app.core.actor import Role
from rewards_app.core.clock import utc_now
from rewards_app.core.database import transaction
from rewards_app.core.errors import NotAllowed
from rewards_app.core.ids import new_id
from rewards_app.features.accounts import restrictions
from rewards_app.features.accounts.restriction_rules import Kind
from rewards_app.features.advertiser import company_repository, invoices, people_repository
from rewards_app.features.advertiser.billing_rules import Status
from rewards_app.features.advertiser.membership import MemberRole
from rewards_app.features.advertiser.top_up_repository import TopUp
from rewards_app.i18n.languages import CODES
from tests.companies import Company, a_company, asks, is_paid_at
from tests.paying import ask, hears, newest
from tests.people import NOON, a_browser, an_account, signed_in
from tests.serving import smtp_server
from tests.stripe_server import StripeServer


def a_top_up(**changes: object) -> TopUp:
    known = {
        "id": new_id(),
        "advertiser_id": new_id(),
        "cents": 125_050,
        "returned_cents": 0,
        "status": Status.PAID,
        "invoice_number": 12,
        "company": "Fjord Audio",
        "company_email": "ads@fjord.example",
        "created_at": NOON,
        "paid_at": NOON,
        "returned_at": None,
        "checkout_url": None,
        "expires_at": None,
        "is_under_way": False,
        "is_test": False,
        "payer": "Freja",
        "payer_email": "freja@fjord.example",
        "language": "en",
        "payment_id": new_id(),
        "intent": "pi_1",
    }
    return TopUp(**known | changes)


def words_of(pdf: bytes) -> str:
    [page] = PdfReader(BytesIO(pdf)).pages
    return " ".join(page.extract_text().split())


def words(found: TopUp, language: str = "en") -> str:
    return words_of(invoices._drawn(invoices.paper_of(found, "WCA-000012", NOON, language)))


class TestAnInvoice:
    def test_says_who_paid_what_to_whom(self):
        said = words(a_top_up())
        for part in (
            "Invoice number WCA-000012",
            "March 14, 2026",
            "Fjord Audio ads@fjord.example",
            "Advertising balance at WatchCoins",
            "$1,250.50",
        ):
            assert part in said
        assert "Test payment" not in said

    def test_marks_a_test_payment(self):
        assert "no money was moved" in words(a_top_up(is_test=True))

    def test_says_what_went_back(self):
        back = a_top_up(
            status=Status.RETURNED, returned_cents=125_050, returned_at=NOON + timedelta(days=3)
        )
        assert "Refunded, March 17, 2026 −$1,250.50 Paid after refund $0.00" in words(back)

    def test_says_which_part_went_back(self):
        back = a_top_up(returned_cents=25_000, returned_at=NOON + timedelta(days=3))
        assert "Refunded, March 17, 2026 −$250.00 Paid after refund $1,000.50" in words(back)

    @pytest.mark.parametrize("language", CODES)
    def test_is_one_page_in_every_language(self, language: str):
        long = a_top_up(company="Ä" * 80, company_email=f"{'a' * 60}@{'b' * 60}.example")
        assert "WCA-000012" in words(long, language)


async def a_paid_one(stripe: StripeServer) -> tuple[Company, str]:
    company = await a_company()
    begun = await asks(company, "100")
    await hears(stripe, await is_paid_at(stripe, begun))
    return company, str(begun.top_up_id)


class TestTheLetter:
    async def test_brings_the_invoice_once_to_who_paid(
        self, stripe: StripeServer, monkeypatch: pytest.MonkeyPatch
    ):
        company, top_up_id = await a_paid_one(stripe)
        with smtp_server() as (letters, port):
            chosen = mail.settings().model_copy(
                update={"smtp_host": "127.0.0.1", "smtp_port": port, "smtp_starttls": False}
            )
            monkeypatch.setattr(mail, "settings", lambda: chosen)
            await invoices.send_invoice(top_up_id)
            await invoices.send_invoice(top_up_id)
        first, second = letters.to(company.owner.email)
        assert first["Subject"] == "$100.00 added to the balance of Fjord Audio"
        assert first["Message-ID"] == second["Message-ID"]
        [file] = list(first.iter_attachments())  # pyright: ignore[reportAttributeAccessIssue]
        assert file.get_filename() == "WCA-000001.pdf"
        assert "$100.00" in words_of(file.get_payload(decode=True))

    async def test_on_money_that_went_back_is_in_the_payers_language(
        self, stripe: StripeServer, database: str
    ):
        company, _ = await a_paid_one(stripe)
        ask(
            database,
            "update accounts set language = 'de' where id = %s returning id",
            company.owner.user_id,
        )
        stripe.refund_at_dashboard(ask(database, "select intent_id from payments")[0][0])
        await hears(stripe, newest(stripe, "charge.refunded"))
        query = "select args->'params'->>'money' from procrastinate_jobs where"
        sent = ask(database, f"{query} args->>'name' = 'top_up_returned'")
        assert sent == [("100,00\N{NO-BREAK SPACE}$",)]


@pytest.fixture
async def http() -> AsyncIterator[httpx.AsyncClient]:
    transport = httpx.ASGITransport(app=Starlette(routes=route.ROUTES))
    async with httpx.AsyncClient(transport=transport, base_url="http://app.test") as client:
        yield client


async def signed_in_as(company: Company, role: MemberRole, name: str) -> dict[str, str]:
    """The cookie of somebody who acts for the company, signed in now."""
    now = utc_now()
    account = await an_account(f"{name.lower()}@example.com", Role.PLAYER, name=name, now=now)
    async with transaction() as session:
        if role is MemberRole.OWNER:
            await people_repository.remove(session, company.id, company.owner.user_id)
        await company_repository.add_member(session, account.id, company.id, role, now=now)
    secret = await signed_in(account.id, a_browser(name), now=now)
    return {"Cookie": f"session={secret}"}


async def somebody(role: Role) -> tuple[UUID, dict[str, str]]:
    """Somebody of that role who is signed in, and their cookie."""
    account = await an_account(f"{role}@example.com", role, name="Linnea", now=utc_now())
    secret = await signed_in(account.id, a_browser(role.value), now=utc_now())
    return account.id, {"Cookie": f"session={secret}"}


def fetched(database: str) -> list[tuple[object, ...]]:
    query = "select action, actor_id, about, label, after->>'invoice' from audit_entries"
    return ask(database, query)


class TestTheRoute:
    async def test_is_the_owners(self, stripe: StripeServer, http: httpx.AsyncClient):
        company, top_up_id = await a_paid_one(stripe)
        cookie = await signed_in_as(company, MemberRole.OWNER, "Maja")
        answer = await http.get(f"/invoices/{top_up_id}.pdf?language=sv", headers=cookie)
        assert answer.status_code == 200
        assert answer.headers["content-disposition"] == 'attachment; filename="WCA-000001.pdf"'
        assert answer.headers["cache-control"] == "no-store, private"
        assert "Faktura" in words_of(answer.content)

    async def test_tells_nobody_else_that_there_is_one(
        self, stripe: StripeServer, http: httpx.AsyncClient, database: str
    ):
        company, top_up_id = await a_paid_one(stripe)
        other = await a_company("Sidewind Studio")
        ways = [
            {},
            await signed_in_as(company, MemberRole.MEMBER, "Sven"),
            await signed_in_as(other, MemberRole.OWNER, "Eva"),
        ]
        for cookie in ways:
            answer = await http.get(f"/invoices/{top_up_id}.pdf", headers=cookie)
            assert (answer.status_code, answer.json()) == (404, {"error": "not found"})
        made_up = await http.get(f"/invoices/{new_id()}.pdf", headers=ways[2])
        assert made_up.status_code == 404

    async def test_has_none_for_what_is_not_paid(
        self, stripe: StripeServer, http: httpx.AsyncClient
    ):
        company = await a_company()
        begun = await asks(company)
        cookie = await signed_in_as(company, MemberRole.OWNER, "Maja")
        answer = await http.get(f"/invoices/{begun.top_up_id}.pdf", headers=cookie)
        assert answer.status_code == 404


class TestForAdmins:
    async def test_is_the_same_paper_and_leaves_a_line(
        self, stripe: StripeServer, http: httpx.AsyncClient, database: str
    ):
        company, top_up_id = await a_paid_one(stripe)
        admin, cookie = await somebody(Role.ADMIN)
        answer = await http.get(f"/invoices/{top_up_id}.pdf?language=de", headers=cookie)
        assert answer.status_code == 200
        assert answer.headers["content-type"] == "application/pdf"
        assert answer.headers["content-disposition"] == 'attachment; filename="WCA-000001.pdf"'
        assert answer.headers["cache-control"] == "no-store, private"
        assert "Rechnung" in words_of(answer.content)
        about = f"company:{company.id}"
        assert fetched(database) == [("invoice_fetched", admin, about, "Fjord Audio", "WCA-000001")]

    async def test_leaves_no_line_where_its_owner_fetches_it(
        self, stripe: StripeServer, http: httpx.AsyncClient, database: str
    ):
        company, top_up_id = await a_paid_one(stripe)
        cookie = await signed_in_as(company, MemberRole.OWNER, "Maja")
        assert (await http.get(f"/invoices/{top_up_id}.pdf", headers=cookie)).status_code == 200
        assert fetched(database) == []

    @pytest.mark.parametrize("role", [Role.PLAYER, Role.MODERATOR, Role.COMPANY])
    async def test_is_nothing_for_other_roles(
        self, stripe: StripeServer, http: httpx.AsyncClient, database: str, role: Role
    ):
        _, top_up_id = await a_paid_one(stripe)
        _, cookie = await somebody(role)
        answer = await http.get(f"/invoices/{top_up_id}.pdf", headers=cookie)
        assert (answer.status_code, answer.json()) == (404, {"error": "not found"})
        assert fetched(database) == []

    async def test_is_nothing_for_an_admin_who_may_not_act(
        self, stripe: StripeServer, http: httpx.AsyncClient, database: str
    ):
        _, top_up_id = await a_paid_one(stripe)
        admin, cookie = await somebody(Role.ADMIN)
        async with transaction() as session:
            await restrictions.begin(
                session, admin, Kind.SUSPENDED, "Out of office", by=None, now=utc_now()
            )
        answer = await http.get(f"/invoices/{top_up_id}.pdf", headers=cookie)
        assert (answer.status_code, answer.json()) == (404, {"error": "not found"})
        assert fetched(database) == []

    async def test_has_none_of_what_is_not_paid_not_there_or_no_identifier(
        self, stripe: StripeServer, http: httpx.AsyncClient, database: str
    ):
        begun = await asks(await a_company())
        _, cookie = await somebody(Role.ADMIN)
        for name in (begun.top_up_id, new_id(), "x", "0" * 5000, "%00", "..%2F..%2Fetc%2Fpasswd"):
            answer = await http.get(f"/invoices/{name}.pdf", headers=cookie)
            assert answer.status_code == 404, name
        assert fetched(database) == []

    async def test_is_refused_by_the_service_itself(self, stripe: StripeServer):
        company, top_up_id = await a_paid_one(stripe)
        with pytest.raises(NotAllowed):
            await invoices.any_invoice(company.owner, UUID(top_up_id), "en", now=NOON)
