"""An age is told once, by its owner: whatever a client sends, and however often."""

import asyncio

import pytest

from rewards_app.core.actor import Role
from rewards_app.core.clock import utc_now
from tests.hostile.client import AGE, Answer, Browser, Tab
from tests.hostile.evidence import Diary, Vault
from tests.hostile.identities import a_new_email, a_visitor, signs_in
from tests.people import an_account
from tests.serving import Served

SEALED = "select birth_date from accounts where email = %s"


async def tells(tab: Tab, birth_date: str) -> Answer:
    return await tab.call(f"{AGE}.verify", {"form": {"birth_date": birth_date}})


@pytest.fixture
def email() -> str:
    return a_new_email("teen")


@pytest.fixture
async def someone(beside: Served, email: str) -> Browser:
    """Signed in, and not verified yet."""
    await an_account(email, born=None, now=utc_now())
    return await signs_in(await a_visitor(beside), email)


async def test_a_visitor_signs_in_first(visitor: Browser):
    async with visitor.tab() as tab:
        answer = await tells(tab, "1998-05-17")
    assert answer.refused_as == "accounts.sign_in_first"
    assert answer.after["notice"]["title"] == "errors.accounts.sign_in_first_title"


@pytest.mark.usefixtures("nothing_changes")
@pytest.mark.parametrize(
    ("identity", "code"),
    [(role.value, "accounts.age_already_verified") for role in Role if role is not Role.ADMIN]
    + [("admin", "not_allowed")],
)
async def test_a_verified_age_stays(known: dict[str, Browser], identity: str, code: str):
    async with known[identity].tab("/") as tab:
        answer = await tells(tab, "1950-01-01")
    assert answer.refused_as == code


async def test_closing_a_notice_verifies_nobody(someone: Browser, vault: Vault, email: str):
    async with someone.tab("/") as tab:
        await tab.call(f"{AGE}.close_notice")
        await tab.call(f"{AGE}.setvar", {"var_name": "needs_age", "value": False})
        assert tab.says("needs_age") is True
    assert vault.one(SEALED, email) is None


async def test_the_eleventh_try_in_an_hour_is_refused_in_any_tab(
    someone: Browser, vault: Vault, email: str
):
    for _ in range(5):
        async with someone.tab("/") as tab:
            for _ in range(2):
                assert (await tells(tab, "2020-01-01")).refused_as == "accounts.too_young"
    async with someone.tab("/") as tab:
        assert (await tells(tab, "1998-05-17")).refused_as == "too_many_attempts"
    assert vault.one(SEALED, email) is None


async def test_of_many_tabs_at_once_one_tells_it(someone: Browser, vault: Vault, email: str):
    async def one_tab(year: int) -> bool:
        async with someone.tab("/") as tab:
            answer = await tells(tab, f"{year}-01-01")
            return answer.refused_as != "accounts.age_already_verified"

    outcomes = await asyncio.gather(*(one_tab(1990 + number) for number in range(4)))
    assert sum(outcomes) == 1
    assert vault.one(SEALED, email)


async def test_a_birth_date_is_in_no_log_and_no_answer(someone: Browser, diary: Diary, email: str):
    async with someone.tab("/") as tab:
        await tells(tab, "1987-11-23")
        assert tab.says("needs_age") is False
        assert "1987" not in tab.everything()
    diary.line_with("account.age_verified")
    assert not diary.gives_away("1987-11-23", email)
