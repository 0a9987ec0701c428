"""Visitors with real browsers in front of the production build, and people with an account."""

import secrets
from collections.abc import AsyncIterator, Awaitable, Callable, Generator, Iterator
from contextlib import AsyncExitStack
from dataclasses import dataclass
from typing import Any
from uuid import UUID

import pytest
from playwright.async_api import Browser, expect

from rewards_app.core.actor import Role
from rewards_app.core.clock import utc_now
from tests import people
from tests.beside import beside
from tests.browser import overheard
from tests.browser.chromium import Visitor, chromium, visitor
from tests.conftest import SCRATCH
from tests.counting import Counter, counter
from tests.serving import Served, seeded, serving

# Two cores may serve the app, its database and a browser at once.
expect.set_options(timeout=10_000)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if "browser" in item.path.parts:
            item.add_marker(pytest.mark.browser)


def pytest_runtest_setup() -> None:
    overheard.forget()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Function) -> Generator[None, Any, pytest.TestReport]:
    report: pytest.TestReport = yield
    if report.failed:
        report.sections.append(("on the sockets", overheard.on_the_sockets()))
        for one in (it for it in item.funcargs.values() if isinstance(it, Served)):
            report.sections.append((f"said by {one.url}", overheard.at_last_in(one.log)))
    return report


@pytest.fixture(scope="session")
async def a_chromium() -> AsyncIterator[Browser]:
    async with chromium() as browser:
        yield browser


@pytest.fixture(scope="session")
def umami_app() -> Iterator[tuple[Served, Counter]]:
    """The app where Umami counts page views, and admins need a second factor."""
    with (
        counter() as counting,
        serving(
            seeded(SCRATCH / "umami"),
            ANALYTICS_KIND="umami",
            ANALYTICS_URL=counting.url,
            ANALYTICS_SITE="0b6ab6b5-3b1c-4b4a-9f8c-1d2f3a4b5c6d",
            ADMIN_SECOND_FACTOR="true",
        ) as running,
    ):
        yield running, counting


Come = Callable[..., Awaitable[Visitor]]


@pytest.fixture
async def come(a_chromium: Browser, served: Served) -> AsyncIterator[Come]:
    """Visitors come with fresh browsers; none of them may meet an error of the page."""
    here: list[Visitor] = []
    async with AsyncExitStack() as browsers:

        async def one_more(**options: Any) -> Visitor:
            one = await browsers.enter_async_context(visitor(a_chromium, served.url, **options))
            here.append(one)
            return one

        yield one_more
    troubles = [trouble for one in here for trouble in one.troubles]
    assert not troubles, "\n".join(troubles)


@dataclass(frozen=True, slots=True)
class Person:
    name: str
    email: str
    password: str
    session: str
    """The secret of a session that is open already."""
    account_id: UUID


MakePerson = Callable[..., Awaitable[Person]]


@pytest.fixture
async def a_person(served: Served) -> AsyncIterator[MakePerson]:
    """Makes people with a verified account and an open session, in the served app's database."""

    async def make(role: Role = Role.PLAYER, *, name: str = "Maja", **known: Any) -> Person:
        email = an_email(name)
        account = await people.an_account(email, role, name=name, now=utc_now(), **known)
        session = await people.signed_in(account.id, people.a_browser(), now=utc_now())
        return Person(name, email, people.PASSWORD, session, account.id)

    async with beside(served):
        yield make


@pytest.fixture
async def maja(a_person: MakePerson) -> Person:
    """A player who is signed in somewhere."""
    return await a_person()


def an_email(name: str) -> str:
    # In pairs: a password with the address in it has no character three times in a row.
    pairs = "-".join(secrets.token_hex(1) for _ in range(4))
    return f"{name.lower()}-{pairs}@example.com"
