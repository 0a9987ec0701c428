"""Roles change hands: never one's own, never the last admin's, each time written down."""

import asyncio
from uuid import UUID

import pytest

from rewards_app.core.actor import Actor, Role
from rewards_app.core.database import transaction
from rewards_app.core.errors import NotAllowed
from rewards_app.core.ids import new_id
from rewards_app.features.accounts import closing, restrictions, role_rules, roles, service
from rewards_app.features.accounts.restriction_rules import Kind
from rewards_app.features.audit import log
from rewards_app.features.audit.log import Search
from rewards_app.features.privacy import erasing
from rewards_app.models import Account
from tests.ads import change
from tests.companies import a_company, a_member
from tests.paying import ask
from tests.people import NOON, an_account
from tests.review import an_admin

REASON = "She runs the shop now"
LETTERS = (
    "select args->>'name', args->>'recipient', args->'params' from procrastinate_jobs"
    " where task_name = 'send_mail' order by id"
)
ADMIN_ID, OTHER_ID = UUID(int=1), UUID(int=2)


def an_actor(role: Role = Role.ADMIN) -> Actor:
    return Actor(ADMIN_ID, UUID(int=9), role, "Linnea", "l@example.com", NOON, True)


def a_person(**changes: object) -> role_rules.Person:
    known = {
        "account_id": OTHER_ID,
        "role": Role.PLAYER,
        "asked_for_admin": False,
        "is_verified": True,
        "is_suspended": False,
        "acts_for": "",
    }
    return role_rules.Person(**(known | changes))  # pyright: ignore


class TestWhoMay:
    def test_an_admin_gives_somebody_else_any_role(self):
        for role in (Role.MODERATOR, Role.COMPANY, Role.ADMIN):
            role_rules.refuse_wrong(an_actor(), a_person(), role, {ADMIN_ID})

    def test_nobody_changes_their_own(self):
        with pytest.raises(role_rules.OwnRole):
            role_rules.refuse_wrong(
                an_actor(), a_person(account_id=ADMIN_ID), Role.PLAYER, {ADMIN_ID, OTHER_ID}
            )

    def test_who_is_no_admin_any_more_changes_nothing(self):
        with pytest.raises(NotAllowed):
            role_rules.refuse_wrong(an_actor(), a_person(), Role.MODERATOR, {OTHER_ID})

    def test_what_changes_nothing_is_refused(self):
        with pytest.raises(role_rules.Unchanged):
            role_rules.refuse_wrong(an_actor(), a_person(), Role.PLAYER, {ADMIN_ID})

    def test_who_asked_to_be_an_admin_can_be_told_no(self):
        person = a_person(asked_for_admin=True)
        role_rules.refuse_wrong(an_actor(), person, Role.PLAYER, {ADMIN_ID})

    def test_nobody_unproven_or_suspended_becomes_an_admin(self):
        with pytest.raises(role_rules.NotVerified):
            role_rules.refuse_wrong(an_actor(), a_person(is_verified=False), Role.ADMIN, {ADMIN_ID})
        with pytest.raises(role_rules.IsRestricted):
            role_rules.refuse_wrong(an_actor(), a_person(is_suspended=True), Role.ADMIN, {ADMIN_ID})

    def test_the_command_line_is_the_way_back_in(self):
        role_rules.refuse_wrong(None, a_person(is_verified=False), Role.ADMIN, set())
        role_rules.refuse_wrong(None, a_person(role=Role.ADMIN), Role.PLAYER, {OTHER_ID})

    @pytest.mark.parametrize("actor", [an_actor(), None], ids=["an-admin", "the-command-line"])
    def test_nobody_makes_an_admin_of_who_acts_for_a_company(self, actor: Actor | None):
        person = a_person(acts_for="Fjord Audio")
        role_rules.refuse_wrong(actor, person, Role.MODERATOR, {ADMIN_ID})
        with pytest.raises(role_rules.ActsForCompany) as refusal:
            role_rules.refuse_wrong(actor, person, Role.ADMIN, {ADMIN_ID})
        assert refusal.value.params == {"company": "Fjord Audio"}


class TestReasons:
    def test_are_one_line_without_needless_space(self):
        assert role_rules.reason_from("  She  runs\n it ") == "She runs it"

    @pytest.mark.parametrize("raw", ["", "  ", "ab", "\n\n"])
    def test_that_say_nothing_are_refused(self, raw: str):
        with pytest.raises(role_rules.ReasonTooShort):
            role_rules.reason_from(raw)

    def test_that_are_a_book_are_refused(self):
        with pytest.raises(role_rules.ReasonTooLong):
            role_rules.reason_from("x" * 501)


async def changes(
    actor: Actor | None, account: Account | UUID, role: Role, reason: str = REASON
) -> bool:
    account_id = account if isinstance(account, UUID) else account.id
    async with transaction() as session:
        return await roles.change(session, actor, account_id, role, reason, now=NOON)


async def role_of(account_id: UUID) -> str:
    async with transaction() as session:
        found = await service.find(session, account_id)
    assert found
    return found.role


async def lines():
    async with transaction() as session:
        return (await log.find(session, Search())).shown


@pytest.mark.usefixtures("database")
class TestAChange:
    async def test_stands_in_the_audit_log(self):
        linnea, maja = await an_admin(), await an_account()
        assert await changes(linnea, maja, Role.MODERATOR)
        assert await role_of(maja.id) == "moderator"
        [line] = await lines()
        assert (line.actor_name, line.action, line.label) == ("Linnea", "role_changed", "Maja")
        assert (line.before["role"], line.after["role"]) == ("player", "moderator")
        assert (line.about, line.reason) == (f"account:{maja.id}", REASON)

    async def test_is_mailed_in_the_words_of_its_person(self, database: str):
        linnea, maja = await an_admin(), await an_account()
        await change(maja, language="sv")
        await changes(linnea, maja, Role.MODERATOR)
        [(name, to, params)] = ask(database, LETTERS)
        assert (name, to) == ("security_role_changed", maja.email)
        assert (params["before"], params["role"]) == ("Spelare", "Moderator")
        assert REASON not in str(params)

    async def test_that_only_says_no_to_a_wish_is_not_mailed_as_a_new_role(self, database: str):
        linnea, maja = await an_admin(), await an_account()
        await change(maja, asked_for_admin=True)
        await changes(linnea, maja, Role.PLAYER)
        assert ask(database, LETTERS) == []

    async def test_that_is_refused_stands_nowhere(self):
        linnea = await an_admin()
        with pytest.raises(role_rules.OwnRole):
            await changes(linnea, linnea.user_id, Role.PLAYER)
        assert await role_of(linnea.user_id) == "admin"
        assert list(await lines()) == []

    async def test_of_nobody_is_refused(self):
        with pytest.raises(role_rules.UnknownAccount):
            await changes(await an_admin(), new_id(), Role.PLAYER)

    async def test_of_who_is_forgotten_for_good_is_refused(self):
        linnea, maja = await an_admin(), await an_account()
        assert await erasing.forget_again([maja.id], now=NOON) == erasing.Again(1, {})
        for actor in (linnea, None):
            with pytest.raises(role_rules.UnknownAccount):
                await changes(actor, maja, Role.ADMIN)
        assert await role_of(maja.id) == "player"

    async def test_of_somebody_suspended_gives_no_power(self):
        linnea, maja = await an_admin(), await an_account()
        async with transaction() as session:
            await restrictions.begin(
                session, maja.id, Kind.SUSPENDED, "A robot", by=linnea.user_id, now=NOON
            )
        with pytest.raises(role_rules.IsRestricted):
            await changes(linnea, maja, Role.ADMIN)

    async def test_of_who_acts_for_a_company_makes_no_admin(self):
        linnea, company = await an_admin(), await a_company()
        for one in (company.owner, await a_member(company)):
            with pytest.raises(role_rules.ActsForCompany):
                await changes(linnea, one.user_id, Role.ADMIN)
            assert await role_of(one.user_id) != "admin"

    async def test_of_whose_application_was_rejected_makes_an_admin(self):
        linnea, company = await an_admin(), await a_company(status="rejected")
        await changes(linnea, company.owner.user_id, Role.ADMIN)
        assert await role_of(company.owner.user_id) == "admin"

    async def test_by_the_last_two_admins_of_each_other_at_once_leaves_one(self):
        linnea, sven = await an_admin(), await an_admin("Sven")
        done = await asyncio.gather(
            changes(linnea, sven.user_id, Role.PLAYER),
            changes(sven, linnea.user_id, Role.PLAYER),
            return_exceptions=True,
        )
        assert sorted(map(str, done), key=len)[0] == "True"
        assert [type(one) for one in done if one is not True] == [NotAllowed]
        left = [await role_of(one.user_id) for one in (linnea, sven)]
        assert sorted(left) == ["admin", "player"]
        assert len(await lines()) == 1

    async def test_by_who_has_closed_their_account_meanwhile_is_refused(self):
        linnea, sven = await an_admin(), await an_admin("Sven")
        async with transaction() as session:
            await closing.close(session, sven.user_id, now=NOON)
        with pytest.raises(NotAllowed):
            await changes(sven, linnea.user_id, Role.PLAYER)
        assert await role_of(linnea.user_id) == "admin"

    async def test_from_the_command_line_says_so(self):
        maja = await an_account()
        assert await changes(None, maja, Role.ADMIN, "")
        [line] = await lines()
        assert (line.origin, line.actor_name) == ("command_line", "")

    async def test_to_what_somebody_is_already_leaves_no_line_on_the_command_line(self):
        maja = await an_account()
        assert not await changes(None, maja, Role.PLAYER)
        assert list(await lines()) == []
