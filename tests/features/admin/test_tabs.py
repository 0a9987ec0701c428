"""The table of tabs: each row is complete, and nothing of it is for anybody but admins."""

from typing import Any

import pytest
from reflex_base.registry import RegistrationContext

import rewards_app.rewards_app  # noqa: F401  (registers every state)
from rewards_app.core.access import access_of
from rewards_app.core.actor import Actor, Role
from rewards_app.features.admin.pages import PAGES
from rewards_app.features.admin.state import LOADS, PATH
from rewards_app.features.admin.tabs import TABS
from rewards_app.i18n import catalogues
from tests.states import at, breaks


class TestTabs:
    def test_have_their_own_keys_and_labels(self):
        keys = [tab.key for tab in TABS]
        assert len(set(keys)) == len(keys)
        assert {f"admin.tabs.{key}" for key in keys} <= set(catalogues.interface("en"))

    def test_load_what_their_rows_say(self):
        assert list(LOADS) == [tab.key for tab in TABS]

    @pytest.mark.parametrize(
        ("tab", "load"),
        [(tab.key, load) for tab in TABS for load in tab.loads],
        ids=lambda value: getattr(value, "state_full_name", value),
    )
    async def test_that_cannot_be_loaded_say_so(
        self, tab: str, load: Any, admin: Actor, page: Any, without_tables: None
    ):
        at(page, f"{PATH}?tab={tab}&case={admin.user_id}")
        assert await breaks(load, page)

    def test_what_they_follow_is_followed_by_the_page(self):
        [page] = (page for page in PAGES if page.path == PATH)
        for tab in TABS:
            for topic, handlers in tab.follows.items():
                assert set(handlers) <= set(page.follows[topic])

    def test_the_page_and_every_handler_behind_it_is_for_admins_alone(self):
        assert all(page.roles == {Role.ADMIN} and not page.visitors for page in PAGES)
        handlers = {
            name: access_of(registered.handler.fn)
            for name, registered in RegistrationContext.get().event_handlers.items()
            if "features___admin" in name and not name.endswith(".setvar")
        }
        assert len(handlers) >= 10
        for name, access in handlers.items():
            assert access, name
            assert (access.roles, access.visitors) == ({Role.ADMIN}, False), name
