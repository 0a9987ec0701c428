"""Attackers, and the places where they would leave traces."""

import secrets
from collections.abc import AsyncIterator, Iterator
from typing import Any

import psycopg
import pytest

from rewards_app.core.clock import utc_now
from rewards_app.core.postgres import embedded
from tests import ledger
from tests.beside import beside
from tests.conftest import SCRATCH
from tests.hostile.client import Browser
from tests.hostile.evidence import Diary, Vault
from tests.hostile.identities import (
    IDENTITIES,
    Person,
    a_new_email,
    a_visitor,
    comes_in,
    signs_in,
    the_one_who_is,
)
from tests.hostile.victims import the_victims
from tests.people import an_account
from tests.serving import Served, serving


@pytest.fixture(scope="session")
def attacked_app() -> Iterator[Served]:
    """An app of its own: what admins may do with made-up arguments, no other test should see."""
    with serving(SCRATCH / "attacked") as running:
        yield running
        assert not ledger.what_is_wrong(embedded.url_of_running(running.data))


@pytest.fixture(scope="session")
def inside(attacked_app: Served) -> Iterator[psycopg.Connection[Any]]:
    url = embedded.url_of_running(attacked_app.data)
    with psycopg.connect(url, autocommit=True) as connection:
        yield connection


@pytest.fixture(scope="session")
async def victims(attacked_app: Served, inside: psycopg.Connection[Any]) -> set[str]:
    async with beside(attacked_app):
        return await the_victims(inside)


@pytest.fixture(scope="session")
def vault(served: Served) -> Vault:
    return Vault(served)


@pytest.fixture
def diary(served: Served) -> Diary:
    return Diary(served)


@pytest.fixture(scope="session")
async def known(served: Served) -> dict[str, Browser]:
    """One browser for each identity, for tests that end no session."""
    return {identity: await the_one_who_is(identity, served) for identity in IDENTITIES}


@pytest.fixture
def visitor(served: Served) -> Browser:
    """A newcomer. Which door they show is their own matter, so the first page is spared."""
    return Browser(served, {"door": secrets.token_urlsafe(32)})


@pytest.fixture(name="beside")
async def _beside(served: Served) -> AsyncIterator[Served]:
    """Our own services, working on the running app's database."""
    async with beside(served):
        yield served


@pytest.fixture
async def nothing_changes(vault: Vault) -> AsyncIterator[None]:
    """Whatever the test did, no account, session, ticket or link is new, gone or different."""
    before = vault.fingerprint()
    yield
    assert vault.fingerprint() == before


@pytest.fixture
async def it_lives_on(served: Served) -> AsyncIterator[None]:
    """After the attack a newcomer is served as ever."""
    yield
    async with Browser(served).tab("/landing") as tab:
        assert tab.says("role") == "visitor"


@pytest.fixture
async def maja(beside: Served) -> Person:
    """She has an account, and has not signed in yet."""
    email, name = a_new_email(), f"Maja {secrets.token_hex(4)}"
    await an_account(email, name=name, now=utc_now())
    return Person(email, name, await a_visitor(beside))


@pytest.fixture
async def maja_inside(maja: Person, vault: Vault) -> Person:
    await comes_in(maja.browser, vault.one("select id from accounts where email = %s", maja.email))
    return maja


@pytest.fixture
async def maja_signed_in(maja: Person) -> Person:
    """As people sign in, for tests of just that."""
    await signs_in(maja.browser, maja.email)
    return maja


@pytest.fixture
async def eva(beside: Served) -> Person:
    """She is signed in, and plays."""
    return await _eva_of(beside)


@pytest.fixture(scope="module")
async def eva_all_along(served: Served) -> Person:
    """For tests of a file that change nothing, each of which proves that."""
    async with beside(served):
        return await _eva_of(served)


async def _eva_of(served: Served) -> Person:
    email = a_new_email("eva")
    account = await an_account(email, name="Eva", now=utc_now())
    return Person(email, "Eva", await comes_in(await a_visitor(served), account.id))
