"""Correcting what one said of oneself, on a real database: the rules, the service, the page."""

from collections.abc import AsyncIterator
from typing import Any

import pytest
import time_machine
from sqlalchemy import text

from rewards_app.core import live
from rewards_app.core.access import access_of
from rewards_app.core.actor import MEMBER_ROLES, Actor, Role
from rewards_app.core.database import run, transaction
from rewards_app.core.errors import DomainError, SessionEnded, TooManyAttempts
from rewards_app.features.accounts import closing, contacts, details, rules, sessions
from rewards_app.features.accounts.details_state import DetailsState
from rewards_app.features.accounts.rules import Details
from rewards_app.models import Account
from tests import listeners
from tests.people import NOON, an_account
from tests.states import a_page, acting, calls

pytestmark = pytest.mark.usefixtures("database")

TOLD = Details("US", "+46701740605", "kvinna")
UNTOLD = Details("SE", "", "")
SWEDISH = {"country": "SE", "phone_country": "SE", "phone": "070-174 06 06", "gender": "Other"}
AS_SHOWN = {"country": "US", "phone_country": "SE", "phone": "070-174 06 05", "gender": "Female"}


async def somebody(
    known: Details = TOLD, role: Role = Role.PLAYER, email: str = "maja@example.com"
) -> Actor:
    account = await an_account(email, role)
    async with transaction() as session:
        mine = await session.get_one(Account, account.id)
        mine.country, mine.phone, mine.gender = (
            known.country,
            known.phone or None,
            known.gender or None,
        )
        session.add(mine)
    return Actor(account.id, account.id, role, "Maja", email, NOON, True)


async def told(actor: Actor) -> Details:
    async with transaction() as session:
        return await details.details_of(session, actor)


async def corrects(actor: Actor, **typed: str) -> bool:
    async with transaction() as session:
        return await details.correct(session, actor, typed)


def faults_of(known: Details = TOLD, **typed: str) -> dict[str, type]:
    with pytest.raises(DomainError) as refused:
        contacts.corrected(SWEDISH | typed, known)
    return {field: type(fault) for field, fault in refused.value.faults.items()}


class TestWhatIsTyped:
    def test_is_read_as_at_sign_up(self):
        assert contacts.corrected(SWEDISH, TOLD) == Details("SE", "+46701740606", "other")

    def test_is_refused_all_at_once(self):
        assert faults_of(country="ZZ", phone="12", gender="Robot") == {
            "country": rules.UnknownCountry,
            "phone": rules.BadPhone,
            "gender": rules.GenderMissing,
        }

    @pytest.mark.parametrize(("field", "raw"), [("country", ""), ("phone", ""), ("gender", "")])
    def test_is_not_taken_back(self, field: str, raw: str):
        assert list(faults_of(**{field: raw})) == [field]

    @pytest.mark.parametrize("country", ["AX", "", "XX"])
    def test_is_no_number_of_a_country_that_is_not_offered(self, country: str):
        assert list(faults_of(phone_country=country)) == ["phone"]

    def test_may_stay_untold(self):
        form = {"country": "NO", "phone_country": "US", "phone": "  ", "gender": ""}
        assert contacts.corrected(form, UNTOLD) == Details("NO", "", "")

    def test_leaves_what_is_not_asked(self):
        assert contacts.corrected({"country": "NO"}, TOLD) == Details("NO", TOLD.phone, TOLD.gender)

    def test_keeps_a_number_that_is_shown_and_not_changed(self):
        old = Details("US", "+46701", "kvinna")
        typed = contacts.typed_phone(old.phone)
        form = AS_SHOWN | {"phone_country": typed.country, "phone": typed.number}
        assert contacts.corrected(form, old) == old


class TestANumberOnThePage:
    @pytest.mark.parametrize(
        ("phone", "typed", "written"),
        [
            ("", ("US", ""), ""),
            ("+46701740605", ("SE", "070-174 06 05"), "+46 70 174 06 05"),
            ("+12015550123", ("US", "(201) 555-0123"), "+1 201-555-0123"),
            ("+15062345678", ("CA", "(506) 234-5678"), "+1 506-234-5678"),
        ],
    )
    def test_is_as_its_owner_would_type_it(self, phone: str, typed: tuple[str, str], written: str):
        assert contacts.typed_phone(phone) == typed
        assert contacts.written_phone(phone) == written


class TestCorrecting:
    @pytest.mark.parametrize("role", sorted(MEMBER_ROLES))
    async def test_is_kept(self, role: Role):
        maja = await somebody(role=role)
        assert await corrects(maja, **SWEDISH)
        assert await told(maja) == Details("SE", "+46701740606", "other")

    async def test_keeps_the_number_unreadable_at_rest(self):
        await corrects(await somebody(), **SWEDISH)
        async with transaction() as session:
            assert "1740606" not in str((await run(session, text("select * from accounts"))).one())

    async def test_is_of_ones_own_account_alone(self):
        maja, nils = await somebody(), await somebody(email="nils@example.com")
        await corrects(maja, **SWEDISH)
        assert await told(nils) == TOLD

    async def test_tells_every_tab_of_this_person(self):
        maja = await somebody()
        live._waiting.clear()
        with listeners.told(sessions.ACCOUNT_CHANGED) as heard:
            await corrects(maja, **SWEDISH)
        assert heard[sessions.ACCOUNT_CHANGED] == [str(maja.user_id)]
        assert (details.CHANGED, str(maja.user_id)) in live._waiting

    async def test_of_nothing_tells_nobody_and_costs_nothing(self):
        maja = await somebody()
        for _ in range(12):
            assert not await corrects(maja, **AS_SHOWN)
        assert await corrects(maja, **SWEDISH)

    async def test_is_possible_ten_times_a_day(self):
        maja, nils = await somebody(), await somebody(email="nils@example.com")
        with time_machine.travel(NOON, tick=False) as clock:
            for number in range(10):
                await corrects(maja, **SWEDISH | {"country": ("NO", "DK")[number % 2]})
            with pytest.raises(TooManyAttempts):
                await corrects(maja, **SWEDISH)
            assert (await told(maja)).country == "DK"
            assert await corrects(nils, **SWEDISH)
            clock.shift(86_401)
            assert await corrects(maja, **SWEDISH)

    async def test_that_is_refused_costs_nothing(self):
        maja = await somebody()
        for _ in range(12):
            with pytest.raises(rules.BadPhone):
                await corrects(maja, **SWEDISH | {"phone": "12"})
        assert await corrects(maja, **SWEDISH)

    async def test_of_an_account_that_was_closed_meanwhile_is_refused(self):
        maja = await somebody()
        async with transaction() as session:
            await closing.close(session, maja.user_id, now=NOON)
        with pytest.raises(SessionEnded):
            await corrects(maja, **SWEDISH)


@pytest.fixture
async def maja(database: str) -> AsyncIterator[Actor]:
    with acting(await somebody()) as actor:
        yield actor


@pytest.fixture
async def page() -> Any:
    return await a_page().get_state(DetailsState)


@pytest.mark.usefixtures("maja")
class TestThePage:
    async def test_shows_them_and_takes_corrections(self, page: Any):
        await calls(DetailsState.load, page)
        assert page.details == {
            "country": "US",
            "phone": "+46 70 174 06 05",
            "typed_phone": "070-174 06 05",
            "phone_country": "SE",
            "gender": "Female",
            "is_whole": True,
        }
        await calls(DetailsState.edit, page)
        await calls(DetailsState.save, page, form=SWEDISH)
        assert (page.details["country"], page.details["gender"]) == ("SE", "Other")
        assert (page.is_editing, page.is_busy) == (False, False)
        assert page.notice["title"] == "details.saved_title"

    async def test_says_beside_the_field_what_is_wrong(self, page: Any):
        await calls(DetailsState.edit, page)
        await calls(DetailsState.save, page, form=SWEDISH | {"phone": "12"})
        assert page.refusal["faults"]["phone"]["text"] == "errors.accounts.bad_phone"
        assert (page.is_editing, page.is_busy) == (True, False)

    async def test_follows_other_tabs_unless_something_is_being_typed(self, page: Any, maja: Actor):
        await calls(DetailsState.load, page)
        await corrects(maja, **SWEDISH)
        await calls(DetailsState.refresh, page)
        assert page.details["country"] == "SE"
        await calls(DetailsState.edit, page)
        await corrects(maja, **SWEDISH | {"country": "NO"})
        await calls(DetailsState.refresh, page)
        assert page.details["country"] == "SE"
        await calls(DetailsState.cancel, page)
        assert (page.details["country"], page.is_editing) == ("NO", False)

    @pytest.mark.parametrize("name", ["load", "refresh", "edit", "cancel", "save"])
    def test_is_for_everybody_but_admins(self, name: str):
        access = access_of(getattr(DetailsState, name).fn)
        assert access
        assert (access.roles, access.visitors, access.even_suspended) == (
            MEMBER_ROLES,
            False,
            False,
        )


@pytest.mark.parametrize(
    ("role", "known", "is_whole"),
    [
        (Role.PLAYER, UNTOLD, True),
        (Role.MODERATOR, UNTOLD, True),
        (Role.COMPANY, UNTOLD, False),
        (Role.COMPANY, TOLD, True),
    ],
)
async def test_a_company_is_asked_where_it_is_and_what_else_is_known_of_it(
    page: Any, role: Role, known: Details, is_whole: bool
):
    with acting(await somebody(known, role)):
        await calls(DetailsState.load, page)
    assert page.details["is_whole"] is is_whole
