"""Guesses at passwords: many at once are looked at no more often, and keep no owner out."""

import asyncio
from collections import Counter
from urllib.parse import parse_qs, urlsplit
from uuid import uuid4

import pytest
from sqlalchemy import text
from structlog.testing import capture_logs

from rewards_app.core import hashing
from rewards_app.core.database import run, transaction
from rewards_app.core.errors import DomainError, StorageAway, TooManyAttempts
from rewards_app.features.accounts import (
    mailed_links,
    repository,
    rules,
    signing_in,
    steps,
)
from rewards_app.features.alerts import service as alerts
from rewards_app.features.alerts import soon
from rewards_app.models import Account
from tests.people import NOON, PASSWORD, a_browser, an_account, signed_in
from tests.queued import letters
from tests.states import failing

pytestmark = pytest.mark.usefixtures("database")
NEXT_PASSWORD = "New-Heron8-sings?"
MANY = 25
"""Fewer are refused at once than make a storm, which is an alert of its own."""
STRANGERS = [f"10.7.0.{number}" for number in range(MANY)]
LOOKED_AT_FIRST = [rules.InvalidCredentials] * 5 + [rules.AccountLocked] * 2


@pytest.fixture(autouse=True)
def nothing_noticed() -> None:
    soon.forget()


@pytest.fixture(params=["memory", "redis"])
def counted_in(request: pytest.FixtureRequest) -> None:
    if request.param == "redis":
        request.getfixturevalue("in_redis")


@pytest.fixture
def looked_at(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Every password that was hashed, by as many workers as there are guesses."""
    looked: list[str] = []
    matches = hashing.matches

    async def noted(password: str, password_hash: str | None) -> bool:
        looked.append(password)
        return await matches(password, password_hash)

    monkeypatch.setattr(hashing, "matches", noted)
    monkeypatch.setattr(hashing, "slots", asyncio.Semaphore(MANY))
    return looked


def a_new_email() -> str:
    return f"maja-{uuid4().hex}@example.com"


async def signs_in(
    email: str, password: str = PASSWORD, *, browser: str = "a", **where: str
) -> steps.Outcome:
    async with transaction() as session:
        return await signing_in.sign_in(
            session, email, password, a_browser(browser, **where), may_log_address=False, now=NOON
        )


async def guesses(email: str, password: str = "wrong", **where: str) -> type[DomainError]:
    with pytest.raises(DomainError) as refusal:
        await signs_in(email, password, **where)
    return refusal.type


async def strangers_guess(email: str) -> list[type[DomainError]]:
    """From everywhere, until nothing of it is looked at any more."""
    return [await guesses(email, browser=where, address=where) for where in STRANGERS[:7]]


async def raised() -> set[str]:
    await soon.raise_noticed()
    async with transaction() as session:
        return {alert.kind for alert in (await alerts.newest(session)).shown}


@pytest.mark.usefixtures("counted_in")
class TestManyAtOnce:
    async def test_at_one_account_are_looked_at_five_times(self, looked_at: list[str]):
        maja = await an_account(a_new_email())
        with capture_logs() as lines:
            told = await asyncio.gather(
                *(guesses(maja.email, address=address) for address in STRANGERS)
            )
        assert len(looked_at) == 5
        assert Counter(told) == {rules.InvalidCredentials: 5, rules.AccountLocked: MANY - 5}
        assert [line["event"] for line in lines].count("sign_in.failed") == 5
        assert await raised() == {"account_locked"}

    async def test_from_one_address_are_looked_at_ten_times(self, looked_at: list[str]):
        address = f"2001:db8:{uuid4().hex[:4]}:{uuid4().hex[:4]}::1"
        with capture_logs() as lines:
            told = await asyncio.gather(
                *(guesses(a_new_email(), address=address) for _ in range(MANY))
            )
        assert len(looked_at) == 10
        assert Counter(told) == {rules.InvalidCredentials: 10, TooManyAttempts: MANY - 10}
        assert [line["event"] for line in lines].count("sign_in.failed") == 10
        assert await raised() == {"sign_ins_failed"}

    async def test_that_know_the_password_are_none(self, looked_at: list[str]):
        email, address = (await an_account(a_new_email())).email, f"10.8.{uuid4().int % 255}.1"
        for _ in range(12):
            assert await signs_in(email, address=address)
        assert len(looked_at) == 12


class TestABrowserThatTheAccountKnows:
    @pytest.fixture(autouse=True)
    async def maja(self, database: str) -> Account:
        maja = await an_account()
        await signed_in(maja.id, a_browser("hers"))
        return maja

    async def test_opens_while_strangers_go_on(self, maja: Account):
        assert await strangers_guess(maja.email) == LOOKED_AT_FIRST
        for _ in range(4):
            assert await guesses(maja.email, browser="hers") is rules.InvalidCredentials
        assert await signs_in(maja.email, browser="hers")
        assert await guesses(maja.email, PASSWORD, browser="new") is rules.AccountLocked

    async def test_counts_by_the_same_numbers(self, maja: Account):
        for _ in range(5):
            assert await guesses(maja.email, browser="hers") is rules.InvalidCredentials
        assert await guesses(maja.email, PASSWORD, browser="hers") is rules.AccountLocked
        assert await raised() == {"account_locked"}

    async def test_holds_no_other_one_back(self, maja: Account):
        for _ in range(6):
            await guesses(maja.email, browser="hers")
        assert await signs_in(maja.email, browser="new")

    async def test_is_a_stranger_to_every_other_account(self, maja: Account):
        eve = await an_account("eve@example.com")
        await signed_in(eve.id, a_browser("eves"))
        await strangers_guess(maja.email)
        assert await guesses(maja.email, PASSWORD, browser="eves") is rules.AccountLocked

    async def test_is_none_that_brings_no_name(self, maja: Account):
        """Sessions from before browsers were told apart have none either."""
        async with transaction() as session:
            await run(session, text("update account_sessions set door_hash = ''"))
        await strangers_guess(maja.email)
        assert await guesses(maja.email, PASSWORD, door_hash="") is rules.AccountLocked

    async def test_tells_strangers_nothing(self, maja: Account):
        assert await strangers_guess(maja.email) == await strangers_guess("nobody@example.com")

    async def test_is_also_the_one_that_has_just_reset_the_password(self, maja: Account):
        await strangers_guess(maja.email)
        await resets(maja.email, browser="new")
        await strangers_guess(maja.email)
        assert await guesses(maja.email, NEXT_PASSWORD, browser="newer") is rules.AccountLocked
        for _ in range(4):
            assert await guesses(maja.email, browser="new") is rules.InvalidCredentials
        assert await signs_in(maja.email, NEXT_PASSWORD, browser="new")

    async def test_begins_anew_with_a_reset(self, maja: Account):
        for _ in range(5):
            await guesses(maja.email, browser="hers")
        for _ in range(2):
            await resets(maja.email, browser="hers")
            assert await signs_in(maja.email, NEXT_PASSWORD, browser="hers")


async def resets(email: str, *, browser: str) -> None:
    async with transaction() as session:
        await mailed_links.request_reset(session, email, a_browser(browser), now=NOON)
    link = (await letters())[-1]["link"]
    token = parse_qs(urlsplit(link).query)["token"][0]
    async with transaction() as session:
        await mailed_links.reset_password(
            session, token, NEXT_PASSWORD, a_browser(browser), now=NOON
        )


class TestAnAddress:
    async def test_keeps_its_failures_when_it_signs_in_to_an_account_of_its_own(self):
        eve = await an_account("eve@example.com")
        for _ in range(9):
            assert await guesses(a_new_email()) is rules.InvalidCredentials
        assert await signs_in(eve.email)
        assert await guesses(a_new_email()) is rules.InvalidCredentials
        assert await guesses(a_new_email()) is TooManyAttempts

    async def test_is_not_held_back_by_what_was_refused_unseen(self):
        for _ in range(5):
            assert await guesses("maja@example.com") is rules.InvalidCredentials
        for _ in range(20):
            assert await guesses("maja@example.com") is rules.AccountLocked
        for _ in range(5):
            assert await guesses(a_new_email()) is rules.InvalidCredentials
        assert await guesses(a_new_email()) is TooManyAttempts


async def test_what_breaks_on_our_side_is_no_guess(monkeypatch: pytest.MonkeyPatch):
    maja = await an_account()
    with monkeypatch.context() as broken:
        broken.setattr(repository, "account_by_email", failing(StorageAway))
        for _ in range(12):
            assert await guesses(maja.email) is StorageAway
    assert await signs_in(maja.email)
