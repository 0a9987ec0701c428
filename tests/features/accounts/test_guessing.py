"""Guesses at passwords: of many at once as few are looked at as of one after the other."""

import asyncio
from collections import Counter
from uuid import uuid4

import pytest
from structlog.testing import capture_logs

from rewards_app.core import hashing, limits
from rewards_app.core.database import transaction
from rewards_app.core.errors import DomainError, StorageAway, TooManyAttempts
from rewards_app.features.accounts import repository, rules, service, steps
from rewards_app.features.alerts import service as alerts
from rewards_app.features.alerts import soon
from tests.people import NOON, PASSWORD, a_browser, an_account
from tests.states import failing

pytestmark = pytest.mark.usefixtures("database")
MANY = 25
"""Fewer are refused at once than make a storm, which is an alert of its own."""
STRANGERS = [f"10.7.0.{number}" for number in range(MANY)]


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
    email: str, password: str = PASSWORD, *, address: str = "127.0.0.1"
) -> steps.Outcome:
    async with transaction() as session:
        return await service.sign_in(
            session, email, password, a_browser(address=address), may_log_address=False, now=NOON
        )


async def guesses(email: str, **where: str) -> type[DomainError]:
    with pytest.raises(DomainError) as refusal:
        await signs_in(email, "wrong", **where)
    return refusal.type


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
