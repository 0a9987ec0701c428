"""What happens elsewhere reaches open tabs within five seconds, though they ask for nothing."""

import asyncio
from collections.abc import Iterator
from dataclasses import dataclass
from uuid import UUID

import psycopg
import pytest

from rewards_app.core import live
from rewards_app.core.caller import digest
from rewards_app.core.clock import utc_now
from rewards_app.core.database import transaction
from rewards_app.core.gate import FRESH_SECONDS
from rewards_app.core.ids import new_id
from rewards_app.core.settings import settings
from rewards_app.features.accounts import sessions
from tests import steady
from tests.hostile.client import APP, CENSUS, HOME, PASSWORD_STATE, SESSION, Browser, Tab
from tests.hostile.evidence import Vault
from tests.hostile.identities import a_new_email, a_visitor, becomes, comes_in, signs_in
from tests.measures import suspends_by_itself
from tests.people import an_account
from tests.serving import Served
from tests.waiting import are_waiting

SOON = 5.0


@dataclass
class Household:
    """One account, signed in twice."""

    account_id: UUID
    email: str
    desk: Browser
    phone: Browser


@pytest.fixture
async def household(beside: Served) -> Household:
    email = a_new_email()
    account = await an_account(email, now=utc_now())
    desk = await comes_in(await a_visitor(beside), account.id)
    phone = await comes_in(await a_visitor(beside), account.id)
    return Household(account.id, email, desk, phone)


def session_of(browser: Browser) -> str:
    return digest(browser.cookies["session"])


async def is_out(tab: Tab) -> None:
    """It shows nothing of whoever was there, and is led away."""
    await tab.until(lambda: tab.says("role") == "visitor", SOON)
    await tab.until(lambda: any("_redirect" in str(message) for _, message in tab.heard), SOON)
    assert (tab.says("name"), tab.says("email")) == ("", "")


async def is_emptied(tab: Tab) -> None:
    """What it does not show is gone from it, too."""
    await is_out(tab)
    await tab.settle()
    assert tab.says("role") == "visitor"


async def is_refused(tab: Tab) -> None:
    """Once its worker has heard that the session is over: sooner than it would ask by itself."""
    async with steady.timeout(FRESH_SECONDS - 1):
        while (await tab.call(f"{APP}.still_here")).refused_as != "session_ended":
            await asyncio.sleep(0.05)


async def test_a_sign_out_empties_the_other_tabs_of_the_session_only(household: Household):
    async with (
        household.desk.tab("/") as first,
        household.desk.tab("/") as second,
        household.phone.tab("/") as elsewhere,
    ):
        await first.call(f"{SESSION}.sign_out")
        await is_emptied(second)
        answer = await elsewhere.call(f"{APP}.still_here")
        assert answer.is_silence
        assert elsewhere.says("role") == "player"
        assert elsewhere.says("email") == household.email


@pytest.mark.parametrize(
    ("handler", "refusal"),
    [(f"{HOME}.load", ""), (f"{APP}.still_here", "session_ended"), (f"{CENSUS}.load", "")],
    ids=["of its page", "of somebody", "of another's page"],
)
async def test_an_emptied_tab_gets_nothing_more(household: Household, handler: str, refusal: str):
    async with household.desk.tab("/") as first, household.desk.tab("/") as second:
        await first.call(f"{SESSION}.sign_out")
        await is_emptied(second)
        heard_before = len(second.heard)
        answer = await second.call(handler)
        assert answer.refused_as == refusal
        assert {name.rpartition(".")[2] for name in answer.changed} <= {"refusal", "notice"}
        assert household.email not in str(second.heard[heard_before:])


async def test_silence_ends_the_session_in_every_tab(household: Household):
    async with household.desk.tab("/") as first, household.desk.tab("/") as second:
        await first.call(f"{SESSION}.end_idle", {"session_id": first.says("session")})
        await is_emptied(second)


async def test_silence_ends_no_session_but_its_own(household: Household):
    """Somebody has signed in anew while a tab was asleep."""
    async with household.desk.tab("/") as tab, household.phone.tab("/") as elsewhere:
        for told in (elsewhere.says("session"), str(new_id())):
            await tab.call(f"{SESSION}.end_idle", {"session_id": told})
        await tab.call(f"{APP}.enter")
        assert tab.says("role") == elsewhere.says("role") == "player"
        assert tab.says("session") not in ("", elsewhere.says("session"))


async def test_silence_ends_the_session_of_who_is_suspended(household: Household):
    await suspends_by_itself(household.account_id)
    async with household.desk.tab("/") as tab:
        await tab.call(f"{SESSION}.end_idle", {"session_id": tab.says("session")})
        await is_emptied(tab)


async def test_a_session_that_the_server_ends_reaches_its_tab(household: Household):
    async with household.desk.tab("/") as tab, household.phone.tab("/") as elsewhere:
        async with transaction() as session:
            await sessions.end(session, session_of(household.desk), now=utc_now())
        await is_emptied(tab)
        assert elsewhere.says("role") == "player"


@dataclass
class Held:
    """An account's row that somebody else holds: whatever changes it must wait."""

    row: psycopg.Connection

    def let_go(self) -> None:
        self.row.rollback()


@pytest.fixture
def held(household: Household) -> Iterator[Held]:
    with psycopg.connect(settings().database_url) as connection:
        connection.execute("select 1 from accounts where email = %s for update", [household.email])
        yield Held(connection)


async def test_a_tab_whose_handler_still_runs_is_out_at_once(household: Household, held: Held):
    # Not at home: its first steps would be noted with the account that is held.
    async with household.desk.tab("/settings") as tab:
        await tab.tell(f"{APP}.choose_language", {"code": "sv"})
        async with steady.timeout(SOON):
            await are_waiting(settings().database_url)
        async with transaction() as session:
            await sessions.end(session, session_of(household.desk), now=utc_now())
        await is_out(tab)
        assert tab.says("language") != "sv", "its handler has not ended yet"
        held.let_go()
        await is_emptied(tab)
        assert (await tab.call(f"{HOME}.load")).changed == {}
        assert (await tab.call(f"{APP}.still_here")).refused_as == "session_ended"


async def test_a_tab_that_is_out_holds_nothing_of_whoever_was_there(household: Household):
    async with household.desk.tab("/") as tab:
        await tab.call(f"{HOME}.load")
        assert tab.says(f"{HOME}.account")
        async with transaction() as session:
            await sessions.end(session, session_of(household.desk), now=utc_now())
        await is_emptied(tab)
        assert not tab.says(f"{HOME}.account")
        assert household.email not in str(tab.vars)


async def test_whoever_signs_in_next_finds_no_words_that_were_for_others(
    household: Household, beside: Served
):
    desk, email = household.desk, a_new_email("next")
    await an_account(email, now=utc_now())
    async with desk.tab("/") as tab:
        await tab.call(f"{PASSWORD_STATE}.mail_link")
        assert tab.says("notice")["params"] == {"email": household.email}
        await tab.call(f"{SESSION}.sign_out")
    await signs_in(desk, email)
    async with desk.tab("/", token=tab.token) as reopened:
        assert reopened.says("email") == email
        assert household.email not in reopened.everything()


async def test_the_very_next_event_of_an_ended_session_is_refused(household: Household):
    async with household.desk.tab("/") as tab:
        async with transaction() as session:
            await sessions.end(session, session_of(household.desk), now=utc_now())
        await is_refused(tab)
        assert tab.says("role") == "visitor"


@pytest.mark.parametrize("role", ["moderator", "company", "admin"])
async def test_a_promoted_account_sees_its_new_role(household: Household, role: str):
    async with household.desk.tab("/") as tab, household.phone.tab("/") as elsewhere:
        await becomes(household.email, role)
        await tab.until(lambda: tab.says("role") == role, SOON)
        await elsewhere.until(lambda: elsewhere.says("role") == role, SOON)
        # Meanwhile the page is led to what is theirs.
        refused_as = (await tab.call(f"{CENSUS}.load")).refused_as
        assert refused_as == ("" if role == "admin" else "not_allowed")


async def test_the_command_line_promotes_an_open_tab_too(household: Household, served: Served):
    async with household.desk.tab("/") as tab:
        command = ("promote", household.email, "--role", "moderator")
        done = await asyncio.to_thread(served.command, *command)
        assert done.returncode == 0, done.stderr
        await tab.until(lambda: tab.says("role") == "moderator", SOON)


async def test_a_degraded_admin_is_no_admin_any_more(household: Household):
    await becomes(household.email, "admin")
    async with household.desk.tab("/") as tab:
        assert not (await tab.call(f"{CENSUS}.load")).is_refusal
        await becomes(household.email, "player")
        await tab.until(lambda: tab.says("role") == "player", SOON)
        assert (await tab.call(f"{CENSUS}.load")).refused_as == "not_allowed"


async def test_a_session_that_ended_unheard_is_out_when_the_worker_listens_again(
    household: Household, vault: Vault
):
    async with household.desk.tab("/") as ended, household.phone.tab("/") as goes_on:
        vault.ask(
            "update account_sessions set ended_at = now() where token_hash = %s",
            session_of(household.desk),
        )
        vault.ask(
            "select pg_terminate_backend(pid) from pg_stat_activity where application_name = %s",
            live.WORKER,
        )
        await is_emptied(ended)
        assert goes_on.says("role") == "player"
