"""Behind a company's own page: its people, its settings and its money are nobody else's."""

from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Any
from uuid import UUID

import httpx
import pytest

from rewards_app.core.actor import Role
from rewards_app.core.clock import utc_now
from rewards_app.core.database import transaction
from rewards_app.core.ids import new_id
from rewards_app.features.advertiser import people, top_ups
from tests.beside import beside
from tests.companies import a_company, a_form, a_member, asks, pays_in
from tests.hostile.bad_arguments import PLANTED, are_refused
from tests.hostile.client import APP, Browser
from tests.hostile.evidence import Vault
from tests.hostile.handlers import short
from tests.hostile.identities import IDENTITIES, Person
from tests.serving import Served

_OF = f"{APP}.rewards_app___features___advertiser"
HOME = f"{_OF}___home_state____advertiser_state"
APPLICATION = f"{_OF}___application_state____application_state"
SETTINGS = f"{_OF}___settings_state____settings_state"
PEOPLE = f"{_OF}___people_state____people_state"
INVITATION = f"{_OF}___people_state____invitation_state"
BILLING = f"{_OF}___billing_state____billing_state"
SECRET = "Rival Sound of Spring"
KEPT = (
    "advertisers", "advertiser_members", "advertiser_invitations", "advertiser_entries",
    "top_ups", "payments", "invoice_numbers",
)  # fmt: skip

NO_IDENTIFIERS = (5, None, "x", [PLANTED], {"$gt": ""}, "0" * 36, f"{PLANTED}{'x' * 36}")
NO_FORMS = (PLANTED, 5, None, {"company_name": 5}, {"email": ["x"]}, {"x": "a\0"})
BAD: dict[str, list[dict[str, Any]]] = {
    **{
        f"{state}.{handler}": [{"form": value} for value in NO_FORMS]
        for state, handler in ((SETTINGS, "save"), (PEOPLE, "invite"))
    },
    f"{BILLING}.top_up": [
        {"form": value}
        for value in (*NO_FORMS, *({"amount": "100", "attempt": bad} for bad in ("", "x")))
    ],
    f"{SETTINGS}.flip": [
        *({"name": name, "is_on": True} for name in ("balance", "status", "", 5, None)),
        *({"name": "tags_links", "is_on": value} for value in (5, "true", None)),
    ],
    **{
        f"{PEOPLE}.{handler}": [{name: value} for value in NO_IDENTIFIERS]
        for handler, name in (
            ("invite_again", "invitation_id"),
            ("withdraw", "invitation_id"),
            ("remove", "account_id"),
        )
    },
    f"{PEOPLE}.leave": [],
    f"{INVITATION}.accept": [{"invitation_id": value} for value in NO_IDENTIFIERS],
    **{
        f"{BILLING}.{handler}": [{"top_up_id": value} for value in NO_IDENTIFIERS]
        for handler in ("cancel", "look_again")
    },
    f"{BILLING}.come_back": [{"top_up_id": str(UUID(int=7)), "has_cancelled": 5}],
    f"{BILLING}.load_more": [{"before": value} for value in (0, -1, 1.5, "1", 2**63, None)],
}


@dataclass(frozen=True)
class Rivals:
    """What another company has."""

    member: str
    invitation: str
    top_up: str
    paid: str
    """A top-up with an invoice."""


@pytest.fixture(scope="module")
async def rivals(served: Served, vault: Vault) -> AsyncIterator[Rivals]:
    async with beside(served):
        rival = await a_company(SECRET, dollars=100)
        member = await a_member(rival)
        async with transaction() as session:
            email = f"{new_id().hex}@example.com"
            await people.invite(
                session, rival.owner, {"colleague": email}, language="en", now=utc_now()
            )
        async with transaction() as session:
            (invitation,) = (await people.people_of(session, rival.owner)).invitations
        paid = await pays_in(rival)
        begun = await asks(rival)
    # What the reconciliation writes down of its looks would be no trace of an attack.
    vault.ask("update payments set look_at = now() + interval '1 day' where status = 'open'")
    yield Rivals(str(member.user_id), str(invitation.id), str(begun.top_up_id), str(paid.top_up_id))
    async with beside(served):
        await top_ups.cancel(rival.owner, begun.top_up_id)


@pytest.fixture
async def nothing_moves(vault: Vault, rivals: Rivals) -> AsyncIterator[None]:
    before = vault.fingerprint(KEPT)
    yield
    assert vault.fingerprint(KEPT) == before


def on(rivals: Rivals) -> list[tuple[str, dict[str, Any], str]]:
    """Everything that names somebody else's, and what is answered to a company's owner."""
    invitation, top_up = {"invitation_id": rivals.invitation}, {"top_up_id": rivals.top_up}
    member = {"account_id": rivals.member}
    return [
        (f"{PEOPLE}.remove", member, "people.unknown_member"),
        (f"{PEOPLE}.withdraw", invitation, "people.unknown_invitation"),
        (f"{PEOPLE}.invite_again", invitation, "people.unknown_invitation"),
        (f"{INVITATION}.accept", invitation, "people.unknown_invitation"),
        (f"{BILLING}.cancel", top_up, "top_ups.unknown"),
    ]


def by_nobody() -> list[tuple[str, dict[str, Any]]]:
    """Everything else that only people of an approved company may do."""
    payment = {"form": {"amount": "100", "attempt": str(new_id())}}
    return [
        (f"{SETTINGS}.load", {}),
        (f"{SETTINGS}.save", {"form": a_form()}),
        (f"{SETTINGS}.flip", {"name": "tags_links", "is_on": True}),
        (f"{PEOPLE}.load", {}),
        (f"{PEOPLE}.invite", {"form": {"colleague": "somebody@example.com"}}),
        (f"{PEOPLE}.leave", {}),
        (f"{BILLING}.top_up", payment),
    ]


@pytest.mark.usefixtures("nothing_moves")
class TestACompany:
    @pytest.mark.parametrize("name", BAD, ids=short)
    async def test_with_arguments_that_no_page_sends_is_refused(
        self, known: dict[str, Browser], vault: Vault, name: str
    ):
        await are_refused(
            known["company"],
            "/advertiser?tab=settings",
            name,
            [*BAD[name], {"role": "admin"}],
            kept=lambda: vault.fingerprint(KEPT),
            is_told_more=True,
        )

    async def test_reaches_nothing_of_another_company(
        self, known: dict[str, Browser], rivals: Rivals
    ):
        async with known["company"].tab("/advertiser?tab=settings") as tab:
            for name in (HOME, SETTINGS, PEOPLE, BILLING):
                await tab.call(f"{name}.{'open' if name == HOME else 'load'}")
            for name, payload, code in on(rivals):
                answer = await tab.call(name, payload)
                assert answer.refused_as == code, (name, answer.changed)
            for handler in ("look_again", "come_back"):
                payload: dict[str, Any] = {"top_up_id": rivals.top_up}
                if handler == "come_back":
                    payload |= {"has_cancelled": True}
                await tab.call(f"{BILLING}.{handler}", payload)
            assert SECRET not in tab.everything()

    async def test_corrects_and_withdraws_nothing_that_was_decided(self, known: dict[str, Browser]):
        async with known["company"].tab("/advertiser") as tab:
            for handler, payload in (("correct", {"form": a_form()}), ("withdraw", {})):
                answer = await tab.call(f"{APPLICATION}.{handler}", payload)
                assert answer.refused_as == "advertiser.not_waiting", handler

    async def test_cannot_apply_once_more(self, known: dict[str, Browser]):
        async with known["company"].tab("/advertiser") as tab:
            answer = await tab.call(f"{APPLICATION}.apply", {"form": a_form()})
            assert answer.refused_as == "advertiser.acts_already"

    @pytest.mark.parametrize(
        ("field", "typed", "code"),
        [
            ("company_name", "x" * 10_000, "field.too_long"),
            ("company_name", "Fjo\u202erd", "field.unseen"),
            ("website", "javascript:alert(1)", "field.bad_scheme"),
            ("website", "https://10.0.0.1/", "field.private_address"),
            ("website", "https://me:secret@fjord.example/", "field.address_with_credentials"),
            ("email", "x" * 10_000, "field.too_long"),
        ],
    )
    async def test_is_told_at_the_field_what_is_wrong(
        self, known: dict[str, Browser], field: str, typed: str, code: str
    ):
        async with known["company"].tab("/advertiser?tab=settings") as tab:
            answer = await tab.call(f"{SETTINGS}.save", {"form": a_form(**{field: typed})})
        refusal = answer.after.get("refusal") or {}
        assert (refusal.get("code"), refusal["params"]["field"]) == (code, field)

    @pytest.mark.parametrize(
        ("typed", "code"),
        [
            ("-5", "field.bad_amount"),
            ("NaN", "field.bad_amount"),
            ("1e9", "field.bad_amount"),
            ("9" * 10_000, "field.bad_amount"),
            ("9.99", "field.amount_range"),
            ("50000.01", "field.amount_range"),
            ("", "field.missing"),
        ],
    )
    async def test_pays_in_no_amount_that_is_none(
        self, known: dict[str, Browser], typed: str, code: str
    ):
        async with known["company"].tab("/advertiser?tab=settings") as tab:
            form = {"amount": typed, "attempt": str(new_id())}
            answer = await tab.call(f"{BILLING}.top_up", {"form": form})
            assert answer.refused_as == code


class TestPressedAgain:
    """By the same button, whose top-up is there already: it is never passed over in silence."""

    async def test_for_what_is_still_being_opened_it_is_said(
        self, known: dict[str, Browser], vault: Vault
    ):
        form = {"amount": "100", "attempt": str(new_id())}
        async with known["company"].tab("/advertiser?tab=settings") as tab:
            await tab.call(f"{BILLING}.top_up", {"form": form})
            top_up = tab.says("top_ups")[0]["id"]
            vault.ask(
                "update payments set status = 'opening', checkout_url = null where subject_id = %s",
                top_up,
            )
            answer = await tab.call(f"{BILLING}.top_up", {"form": form})
            assert answer.refused_as == "top_ups.still_opening"
            await tab.call(f"{BILLING}.cancel", {"top_up_id": top_up})

    async def test_for_what_is_over_it_is_said_and_the_next_one_is_new(
        self, known: dict[str, Browser]
    ):
        async with known["company"].tab("/advertiser?tab=settings") as tab:
            await tab.call(f"{BILLING}.load")
            form = {"amount": "100", "attempt": tab.says("attempt")}
            await tab.call(f"{BILLING}.top_up", {"form": form})
            await tab.call(f"{BILLING}.cancel", {"top_up_id": tab.says("top_ups")[0]["id"]})
            before = tab.says("attempt")
            answer = await tab.call(f"{BILLING}.top_up", {"form": form})
            assert answer.refused_as == "top_ups.failed"
            assert tab.says("attempt") not in ("", before)


@pytest.mark.usefixtures("nothing_moves")
class TestWhoeverActsForNoCompany:
    async def test_can_do_nothing_and_learns_nothing(self, maja_inside: Person, rivals: Rivals):
        async with maja_inside.browser.tab("/advertiser?tab=settings") as tab:
            await tab.call(f"{HOME}.open")
            for name, payload, _ in on(rivals):
                answer = await tab.call(name, payload)
                assert answer.refused_as in (
                    "advertiser.not_approved",
                    "people.unknown_invitation",
                ), name
            for name, payload in by_nobody():
                answer = await tab.call(name, payload)
                assert answer.refused_as == "advertiser.not_approved", name
            for state in (SETTINGS, PEOPLE, BILLING, HOME):
                assert (await tab.call(f"{state}.refresh")).is_silence
            heard = tab.everything()
        assert SECRET not in heard
        assert "Fjord Audio" not in heard

    async def test_finds_no_invitation_by_a_made_up_link(self, maja_inside: Person):
        for token in ("x", "0" * 43, "%00", PLANTED * 100):
            async with maja_inside.browser.tab(f"/advertiser?invite={token}") as tab:
                await tab.call(f"{INVITATION}.load")
                assert not tab.says(f"{INVITATION}.invitation")


class TestAnUnapprovedCompany:
    async def test_can_do_nothing(self, maja_inside: Person, vault: Vault, rivals: Rivals):
        async with maja_inside.browser.tab("/advertiser") as tab:
            name = f"Company {new_id().hex}"
            await tab.call(f"{APPLICATION}.apply", {"form": a_form(company_name=name)})
            assert tab.says(f"{HOME}.standing") == "pending"
            for handler, payload in by_nobody():
                answer = await tab.call(handler, payload)
                assert answer.refused_as == "advertiser.not_approved", handler
            for handler, payload, _ in on(rivals):
                answer = await tab.call(handler, payload)
                assert answer.refused_as in (
                    "advertiser.not_approved",
                    "people.unknown_invitation",
                ), handler
        query = "select status, balance from advertisers where company_name = %s"
        assert vault.ask(query, name) == [("pending", 0)]


class TestInvoices:
    @pytest.mark.parametrize("identity", IDENTITIES)
    async def test_of_others_are_not_there(
        self, known: dict[str, Browser], rivals: Rivals, vault: Vault, identity: str
    ):
        numbered = "select count(invoice_number) from top_ups where id = %s"
        assert vault.one(numbered, rivals.paid) == 1
        # Admins may fetch what was paid, of every company.
        paid = () if identity == Role.ADMIN else (rivals.paid,)
        for top_up in (*paid, rivals.top_up, str(new_id()), "x", "../../etc/passwd"):
            answer: httpx.Response = await known[identity].get(f"/invoices/{top_up}.pdf")
            assert answer.status_code in (404, 200)
            assert "application/pdf" not in answer.headers.get("content-type", "")
            assert SECRET not in answer.text
