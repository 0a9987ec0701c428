"""Anybody may say where they wanted to go: they are offered what is there for them."""

import pytest

from rewards_app.core.actor import Role
from rewards_app.core.page import title_at
from rewards_app.features.shell.wanted_state import WantedState
from rewards_app.rewards_app import app
from tests.ads import the_actor
from tests.people import an_account
from tests.states import a_page, acting, calls

assert app, "its pages are known"


class TestTheTitle:
    @pytest.mark.parametrize(
        ("address", "role", "title"),
        [
            ("/shop/orders", Role.PLAYER, "orders.page_title"),
            ("/shop/orders/?from=letter#last", Role.PLAYER, "orders.page_title"),
            ("/admin?tab=people", Role.ADMIN, "admin.page_title"),
            ("/admin?tab=people", Role.PLAYER, None),
            ("/auth?mode=login", Role.PLAYER, None),
            ("/nowhere", Role.PLAYER, None),
            ("//evil.example/shop", Role.PLAYER, None),
            ("https://evil.example/shop", Role.PLAYER, None),
            ("/\\evil.example", Role.PLAYER, None),
            ("javascript:alert(1)", Role.PLAYER, None),
            ("", Role.PLAYER, None),
            ("/shop?" + "x" * 500, Role.PLAYER, None),
        ],
    )
    def test_is_that_of_a_page_that_is_there_for_them(
        self, address: str, role: Role, title: str | None
    ):
        assert title_at(address, role) == title


@pytest.mark.usefixtures("database")
class TestTheOffer:
    async def test_is_followed_once(self):
        state = await a_page().get_state(WantedState)
        with acting(the_actor(await an_account())):
            await calls(WantedState.offer, state, address="/shop?product=robux")
            assert (state.address, state.title) == ("/shop?product=robux", "shop.page_title")
            [led] = await calls(WantedState.follow, state)
            assert "/shop?product=robux" in str(led)
            assert (await calls(WantedState.follow, state), state.address) == ([None], "")

    @pytest.mark.parametrize("address", ["/", "/admin", "//evil.example", "/landing"])
    async def test_is_none_of_what_is_not_theirs(self, address: str):
        state = await a_page().get_state(WantedState)
        with acting(the_actor(await an_account())):
            await calls(WantedState.offer, state, address="/shop")
            await calls(WantedState.offer, state, address=address)
        assert state.address == ""

    async def test_can_be_declined(self):
        state = await a_page().get_state(WantedState)
        with acting(the_actor(await an_account())):
            await calls(WantedState.offer, state, address="/shop")
            await calls(WantedState.forget, state)
        assert state.address == ""
