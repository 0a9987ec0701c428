"""Who is here, as an admin's overview counts it while it is open."""

from typing import Any

import pytest
import reflex as rx

from rewards_app.core.access import access_of
from rewards_app.core.actor import Role
from rewards_app.core.database import transaction
from rewards_app.features.accounts import closing
from rewards_app.features.accounts import service as accounts
from rewards_app.features.dashboard import pages
from rewards_app.features.dashboard.state import CensusState
from tests.ads import an_advertiser, the_player
from tests.people import NOON, an_account
from tests.review import a_company, a_member, an_admin, an_applicant
from tests.states import a_page, acting, calls

pytestmark = pytest.mark.usefixtures("database")


@pytest.fixture
async def overview() -> Any:
    with acting(await an_admin()):
        yield await a_page().get_state(CensusState)


async def test_counts_who_comes_while_it_is_open(overview: Any):
    await calls(CensusState.load, overview)
    before = overview.census["players"]
    await the_player()
    await calls(CensusState.refresh, overview)
    assert overview.census["players"] == before + 1


async def test_counts_players_as_everywhere_else_and_admins_apart(overview: Any):
    await the_player()
    await an_account("mo@example.com", role=Role.MODERATOR)
    await calls(CensusState.load, overview)
    assert overview.census["players"] == await accounts.players() == 2
    assert overview.census["admins"] == 1


async def test_counts_approved_companies_whatever_the_role_of_who_acts_for_them(overview: Any):
    fjord = await a_company("Fjord Audio", email="anna@example.com")
    await a_member(fjord, "bo@example.com")
    player = await a_member(await an_advertiser("Ski"), "eva@example.com")
    await an_applicant("Waits", email="iris@example.com")
    await an_account("ivo@example.com", role=Role.COMPANY)
    await an_advertiser("Of the house")
    await calls(CensusState.load, overview)
    assert overview.census["companies"] == 2
    async with transaction() as session:
        await closing.close(session, player.user_id, is_silent=True, now=NOON)
    await calls(CensusState.refresh, overview)
    assert overview.census["companies"] == 1


def test_is_counted_anew_by_the_clock_and_not_at_every_sign_in():
    [page] = [one for one in pages.pages([], rx.fragment) if one.roles == frozenset({Role.ADMIN})]
    assert not any(CensusState.refresh in told for told in page.follows.values())
    assert 30 <= pages.CENSUS_EVERY_SECONDS <= 60


def test_is_counted_for_admins_alone():
    access = access_of(CensusState.refresh.fn)  # pyright: ignore
    assert access
    assert access.roles == {Role.ADMIN}
