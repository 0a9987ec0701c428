"""People whom a provider vouches for."""

import asyncio

import pytest
from sqlalchemy import text

from rewards_app.core import live
from rewards_app.core.actor import Role
from rewards_app.core.database import lock_row, run, transaction
from rewards_app.features.accounts import (
    provider_service,
    repository,
    roles,
    rules,
    sessions,
    steps,
)
from rewards_app.features.accounts.provider_service import (
    Vouched,
    Wishes,
    vouched_from,
    wishes_from,
)
from rewards_app.features.accounts.rules import AccountKind
from rewards_app.features.audit import erasing as audit_erasing
from rewards_app.features.legal import service as legal
from rewards_app.models import Account
from tests.paying import ask
from tests.people import NOON, a_browser, an_account
from tests.waiting import are_waiting

OF_OUR_PAGE = Wishes(has_read=True)
CLAIMS = {"sub": "42", "email": "Maja@Example.com", "email_verified": True, "name": "Maja"}


async def sign_in(person: Vouched, wishes: Wishes = OF_OUR_PAGE) -> steps.Ticket | steps.Step:
    async with transaction() as session:
        return await provider_service.sign_in(session, person, wishes, a_browser(), now=NOON)


async def the_account(email: str = "maja@example.com"):
    async with transaction() as session:
        return await repository.account_by_email(session, email)


class TestVouchedFrom:
    def test_takes_who_has_a_verified_email(self):
        assert vouched_from("google", CLAIMS) == Vouched("google", "42", "maja@example.com", "Maja")

    @pytest.mark.parametrize(
        "missing",
        [{"sub": ""}, {"email": None}, {"email_verified": False}, {"email_verified": "true"}],
    )
    def test_refuses_what_is_not_certain(self, missing: dict[str, object]):
        with pytest.raises(rules.ProviderRefused):
            vouched_from("google", CLAIMS | missing)

    def test_takes_the_email_for_a_name_that_breaks_our_rules(self):
        assert vouched_from("google", CLAIMS | {"name": "\u202eevil"}).name == "maja"

    def test_takes_neither_where_both_would_be_the_houses(self):
        claims = CLAIMS | {"name": "Admin", "email": "watchcoins.support@example.com"}
        assert vouched_from("google", claims).name == "player"


class TestWishesFrom:
    def test_takes_what_our_page_knows(self):
        said = {"language": "de", "type": "company", "addresses": "yes"}
        assert wishes_from(said) == Wishes("de", AccountKind.COMPANY, True, has_read=True)

    def test_takes_nothing_for_what_it_does_not_know(self):
        said = {"language": "xx", "type": "root", "addresses": "1"}
        assert wishes_from(said) == Wishes(has_read=True)

    def test_knows_that_nothing_was_said(self):
        assert wishes_from({}) == Wishes()


@pytest.mark.usefixtures("database")
class TestSignIn:
    async def test_makes_a_verified_account_on_the_first_visit(self):
        assert await sign_in(vouched_from("google", CLAIMS))
        maja = await the_account()
        assert (maja.role, maja.email_verified_at, maja.password_hash) == ("player", NOON, None)

    async def test_finds_the_same_account_when_the_email_changed_there(self):
        await sign_in(vouched_from("google", CLAIMS))
        await sign_in(vouched_from("google", CLAIMS | {"email": "new@example.com"}))
        assert await the_account("new@example.com") is None

    async def test_takes_the_same_subject_of_another_provider_for_somebody_else(self):
        await sign_in(vouched_from("google", CLAIMS))
        await sign_in(vouched_from("discord", CLAIMS | {"email": "emil@example.com"}))
        maja, emil = await the_account(), await the_account("emil@example.com")
        assert maja
        assert emil
        assert maja.id != emil.id

    async def test_joins_an_account_whose_email_is_verified(self):
        maja = await an_account()
        await sign_in(vouched_from("google", CLAIMS))
        assert (await the_account()).password_hash == maja.password_hash

    async def test_takes_an_unverified_account_away_from_who_typed_the_email(self):
        await an_account(is_verified=False)
        await sign_in(vouched_from("google", CLAIMS))
        maja = await the_account()
        assert (maja.password_hash, maja.email_verified_at) == (None, NOON)

    async def test_leaves_nothing_of_who_typed_the_email(self, database: str):
        typed = await an_account(is_verified=False, name="Somebody Else", role=Role.COMPANY)
        async with transaction() as session:
            account = await lock_row(session, Account, typed.id)
            account.phone, account.sign_up_age, account.gender = "+46701234567", 40, "male"
            account.country, account.asked_for_admin = "NO", True
            await legal.note_reading(session, typed.id, at_sign_up=True, now=NOON)
        await sign_in(vouched_from("google", CLAIMS), Wishes("de"))
        maja = await the_account()
        assert (maja.id, maja.role, maja.asked_for_admin) == (typed.id, "player", False)
        assert (maja.display_name, maja.username, maja.language) == ("Maja", "Maja", "de")
        assert (maja.phone, maja.sign_up_age, maja.gender, maja.country) == (None, None, None, "SE")
        assert ask(database, "select handle from account_handles") == [("maja",)]
        assert await legal.untold(maja.id)

    async def test_has_accepted_what_stood_beside_the_button(self):
        await an_account(is_verified=False)
        await sign_in(vouched_from("google", CLAIMS), OF_OUR_PAGE)
        assert await legal.untold((await the_account()).id) == []

    async def test_keeps_the_role_that_the_operator_gave_to_an_address(self):
        await an_account(is_verified=False, role=Role.ADMIN)
        await sign_in(vouched_from("google", CLAIMS))
        assert (await the_account()).role == "admin"

    @pytest.mark.parametrize("given", [Role.COMPANY, Role.PLAYER])
    async def test_keeps_the_role_that_somebody_chose_for_them_before_they_came(self, given: Role):
        other = {Role.COMPANY: Role.PLAYER, Role.PLAYER: Role.COMPANY}[given]
        typed = await an_account(is_verified=False, role=other)
        async with transaction() as session:
            await roles.change(session, None, typed.id, given, "She runs the shop", now=NOON)
        await sign_in(vouched_from("google", CLAIMS), Wishes(kind=AccountKind(other.value)))
        assert (await the_account()).role == given.value

    async def test_keeps_a_role_though_who_chose_it_is_erased(self, database: str):
        typed = await an_account(is_verified=False)
        async with transaction() as session:
            await roles.change(session, None, typed.id, Role.COMPANY, "She runs it", now=NOON)
        async with transaction() as session:
            assert await audit_erasing.erase_about(session, [f"account:{typed.id}"], now=NOON)
        await sign_in(vouched_from("google", CLAIMS))
        assert (await the_account()).role == "company"

    async def test_whose_request_was_only_declined_has_nothing_chosen(self):
        typed = await an_account(is_verified=False, role=Role.COMPANY)
        async with transaction() as session:
            (await lock_row(session, Account, typed.id)).asked_for_admin = True
            await session.flush()
            await roles.change(session, None, typed.id, Role.COMPANY, "Not yet", now=NOON)
        await sign_in(vouched_from("google", CLAIMS))
        assert (await the_account()).role == "player"

    async def test_is_told_to_whoever_looks_at_the_people(self):
        typed = await an_account(is_verified=False, name="Somebody Else")
        live._waiting.clear()
        await sign_in(vouched_from("google", CLAIMS))
        assert (sessions.ACCOUNT_CHANGED, str(typed.id)) in live._waiting

    async def test_of_who_comes_twice_at_once_makes_one_account(self, database: str):
        person = vouched_from("google", CLAIMS)
        outcomes = await asyncio.gather(*(sign_in(person) for _ in range(8)))
        assert all(isinstance(outcome, steps.Ticket) for outcome in outcomes)
        assert ask(database, "select count(*) from accounts") == [(1,)]
        assert ask(database, "select count(*) from account_identities") == [(1,)]

    async def test_waits_for_an_account_that_moves_and_does_not_come_along(self, database: str):
        person = vouched_from("google", CLAIMS)
        await sign_in(person)
        maja = await the_account()
        async with transaction() as session:
            moving = await lock_row(session, Account, maja.id)
            moving.email = "elsewhere@example.com"
            await repository.drop_identities(session, maja.id)
            await session.flush()
            coming = asyncio.create_task(sign_in(person))
            await are_waiting(database)
        await coming
        assert (await the_account()).id != maja.id
        assert ask(database, "select account_id from account_identities") == [
            ((await the_account()).id,)
        ]

    async def test_waits_for_an_account_that_gets_a_second_factor_and_asks_for_it(
        self, database: str
    ):
        person = vouched_from("google", CLAIMS)
        await sign_in(person)
        async with transaction() as session:
            maja = await lock_row(session, Account, (await the_account()).id)
            maja.second_factor_at = NOON
            await session.flush()
            coming = asyncio.create_task(sign_in(person))
            await are_waiting(database)
        assert isinstance(await coming, steps.Step)

    @pytest.mark.parametrize(
        ("kind", "role", "asked_for_admin"),
        [
            (AccountKind.PLAYER, "player", False),
            (AccountKind.COMPANY, "company", False),
            (AccountKind.ADMIN, "player", True),
        ],
    )
    async def test_makes_the_account_that_was_wished_for(
        self, kind: AccountKind, role: str, asked_for_admin: bool
    ):
        await sign_in(vouched_from("google", CLAIMS), Wishes("de", kind))
        maja = await the_account()
        assert (maja.language, maja.role) == ("de", role)
        assert maja.asked_for_admin is asked_for_admin

    async def test_changes_nothing_of_an_account_that_is_there(self):
        await an_account()
        await sign_in(vouched_from("google", CLAIMS), Wishes("de", AccountKind.COMPANY))
        maja = await the_account()
        assert (maja.language, maja.role) == ("en", "player")

    @pytest.mark.parametrize("has_read", [True, False])
    async def test_notes_that_the_terms_were_read_where_they_were_told(self, has_read: bool):
        await sign_in(vouched_from("google", CLAIMS), Wishes(has_read=has_read))
        assert bool(await legal.untold((await the_account()).id)) is not has_read

    @pytest.mark.parametrize("may_log_address", [True, False])
    async def test_notes_the_address_where_that_is_wished(self, may_log_address: bool):
        await sign_in(vouched_from("google", CLAIMS), Wishes(may_log_address=may_log_address))
        async with transaction() as session:
            query = text("select may_log_address from sign_in_tickets")
            assert (await run(session, query)).scalar_one() is may_log_address
