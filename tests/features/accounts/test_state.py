"""What the sign-in says of what led back to it."""

from typing import Any

import pytest
from reflex.istate.data import RouterData

from rewards_app.api.providers import PROVIDER_AWAY, REFUSED, TOO_MANY
from rewards_app.api.session import AWAY, LATE
from rewards_app.core import limits
from rewards_app.core.clock import utc_now
from rewards_app.core.database import transaction
from rewards_app.core.errors import DomainError, StorageAway, TooManyAttempts
from rewards_app.core.state import AppState
from rewards_app.features.accounts import letters, links
from rewards_app.features.accounts.rules import (
    LinkExpired,
    LinkUsed,
    ProviderAway,
    ProviderRefused,
    StepExpired,
)
from rewards_app.features.accounts.state import AuthState
from tests.ads import the_actor
from tests.people import a_browser, an_account
from tests.states import acting, at, calls

STRONG, PERSONAL = "password.is_strong", "errors.accounts.personal_password"


@pytest.mark.parametrize(
    ("address", "text"),
    [
        (AWAY, StorageAway().text_key),
        (LATE, StepExpired().text_key),
        (REFUSED, ProviderRefused().text_key),
        (PROVIDER_AWAY, ProviderAway().text_key),
        (TOO_MANY, TooManyAttempts(seconds=60).text_key),
        ("/auth?mode=login&notice=anything", ""),
    ],
)
async def test_the_form_is_there_and_says_why(page: Any, address: str, text: str):
    page.router = RouterData.from_router_data({"asPath": address, "pathname": "/auth"})
    shown = await page.get_state(AuthState)
    await calls(AuthState.open, shown)
    assert shown.mode == "login"
    assert shown.notice.get("text", "") == text
    assert not (await page.get_state(AppState)).page_fails


class TestWeighingAPassword:
    """By what its owner is called."""

    @pytest.fixture
    async def shown(self, page: Any, database: str) -> AuthState:
        limits.forget_everything()
        return await page.get_state(AuthState)

    async def says(self, shown: AuthState, *names: str) -> str:
        await calls(AuthState.weigh_password, shown, password="Maja-Berg77!", names=list(names))
        return shown.strength["says"]["text"]

    async def test_as_a_form_that_asks_for_it_says(self, shown: AuthState):
        assert await self.says(shown) == STRONG
        assert await self.says(shown, "anna@example.com", "Anna") == STRONG
        assert await self.says(shown, "anna@example.com", "Maja Berg") == PERSONAL

    async def test_of_whoever_is_signed_in(self, shown: AuthState):
        with acting(the_actor(await an_account("m@example.com", name="Maja Berg"))):
            assert await self.says(shown) == PERSONAL
        with acting(the_actor(await an_account("a@example.com", name="Anna"))):
            assert await self.says(shown) == STRONG

    @pytest.mark.parametrize("place", ["/profile", "/security"])
    async def test_of_whoever_is_signed_in_where_a_link_was_opened_before(
        self, shown: AuthState, page: Any, place: str
    ):
        anna = await an_account("a@example.com", name="Anna")
        async with transaction() as session:
            token = links.new(session, anna, links.RESET, now=utc_now())
        at(page, f"{letters.MAILED}?mode=reset&token={token}")
        await calls(AuthState.follow, shown)
        shown.place = place
        with acting(the_actor(await an_account("m@example.com", name="Maja Berg"))):
            assert await self.says(shown) == PERSONAL

    @pytest.mark.parametrize("place", ["/auth", letters.MAILED])
    async def test_of_whose_mailed_link_it_is(self, shown: AuthState, page: Any, place: str):
        account = await an_account("m@example.com", name="Maja Berg")
        async with transaction() as session:
            token = links.new(session, account, links.RESET, now=utc_now())
        at(page, f"{place}?mode=reset&token={token}")
        shown.place = place
        await calls(AuthState.follow if place == letters.MAILED else AuthState.open, shown)
        assert await self.says(shown) == PERSONAL
        async with transaction() as session:
            await links.used(session, token, links.RESET, a_browser(), now=utc_now())

    @pytest.mark.parametrize("is_over", [True, False], ids=["over", "made up"])
    async def test_says_nothing_of_whose_link_was_no_good(self, shown, page, is_over: bool):
        account = await an_account("m@example.com", name="Maja Berg")
        async with transaction() as session:
            long_ago = utc_now() - 2 * links.LIFETIMES[links.RESET]
            token = links.new(session, account, links.RESET, now=long_ago)
        at(page, f"/auth?mode=reset&token={token if is_over else 'x'}")
        shown.place = "/auth"
        await calls(AuthState.open, shown)
        assert await self.says(shown) == STRONG
        assert (shown.mode, shown.notice) == ("reset", {})


class TestALinkToChooseANewPassword:
    """Nobody makes up a password for one that opens nothing any more."""

    @pytest.mark.parametrize("place", ["/auth", letters.MAILED])
    @pytest.mark.parametrize(
        ("how", "refusal"),
        [("used", LinkUsed), ("late", LinkExpired), ("made up", LinkExpired), ("good", None)],
    )
    async def test_that_is_over_says_so_at_once(
        self, page: Any, database: str, place: str, how: str, refusal: type[DomainError] | None
    ):
        limits.forget_everything()
        account, now = await an_account(), utc_now()
        async with transaction() as session:
            made = now - links.LIFETIMES[links.RESET] if how == "late" else now
            token = links.new(session, account, links.RESET, now=made)
        if how == "used":
            async with transaction() as session:
                await links.use_up(session, account.id, links.RESET, now=now)
        at(page, f"{place}?mode=reset&token={'x' if how == 'made up' else token}")
        shown = await page.get_state(AuthState)
        await calls(AuthState.follow if place == letters.MAILED else AuthState.open, shown)
        assert shown.mode == "reset"
        assert shown.refusal.get("code") == (refusal and refusal.code)
        shown._forget_refusal()
        assert shown.reset_over.get("code") == (refusal and refusal.code), "a tab that came back"
