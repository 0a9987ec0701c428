"""The table of tabs: each row is complete, and nothing of it is for anybody but admins."""

from typing import Any

import pytest
from reflex.state import State
from reflex_base.registry import RegistrationContext

import rewards_app.rewards_app  # noqa: F401  (registers every state)
from rewards_app.core.access import access_of
from rewards_app.core.actor import Actor, Role
from rewards_app.features.admin.ad_reviews_state import AdReviewState
from rewards_app.features.admin.advertisers_state import AdvertisersState
from rewards_app.features.admin.case_state import CaseState
from rewards_app.features.admin.fraud_state import FraudState
from rewards_app.features.admin.orders_state import OrderDeskState
from rewards_app.features.admin.pages import PAGES
from rewards_app.features.admin.people_state import PeopleDeskState
from rewards_app.features.admin.resets_state import ResetsState
from rewards_app.features.admin.state import LOADS, PATH, AdminState
from rewards_app.features.admin.support_state import SupportDeskState
from rewards_app.features.admin.tabs import TABS
from rewards_app.features.forum.desk_state import DeskState
from rewards_app.i18n import catalogues
from tests.states import at, breaks, calls

SOMETHING = {"id": "7"}


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
        at(page, f"{PATH}?tab={tab}&case={admin.user_id}&company={admin.user_id}")
        assert await breaks(load, page)

    @pytest.mark.parametrize(
        ("tab", "kind", "left"),
        [
            ("advertisers", AdvertisersState, {"is_loaded": True, "asked": SOMETHING}),
            ("fraud", CaseState, {"person": SOMETHING, "asked": "suspend", "view": SOMETHING}),
            ("fraud", FraudState, {"is_loaded": True}),
            ("ad_reviews", AdReviewState, {"is_loaded": True, "ad": SOMETHING}),
            ("reports", DeskState, {"is_loaded": True, "case": SOMETHING, "deed": "remove"}),
            ("support", ResetsState, {"waiting": [SOMETHING], "asked": SOMETHING}),
            ("support", SupportDeskState, {"shows": "ticket", "ticket": SOMETHING}),
            ("people", PeopleDeskState, {"is_loaded": True, "person": SOMETHING, "ending": "all"}),
            ("orders", OrderDeskState, {"is_loaded": True, "order": SOMETHING}),
        ],
    )
    async def test_begin_anew_before_they_are_seen_again(
        self, tab: str, kind: Any, left: dict[str, Any], admin: Actor, page: Any
    ):
        """What a visit left is about to be read again: a decision begun on it would be closed."""
        state = await page.get_state(kind)
        fresh = {name: getattr(state, name) for name in left}
        for name, value in left.items():
            setattr(state, name, value)
        at(page, f"{PATH}?tab={tab}")
        await calls(AdminState.open, await page.get_state(AdminState))
        assert {name: getattr(state, name) for name in left} == fresh

    def test_with_something_to_open_forget_it(self):
        opened = {"asked", "person", "order", "ad", "case", "ticket"}
        for tab in TABS:
            loaded = {State.get_class_substate(load.state_full_name) for load in tab.loads}
            assert {kind for kind in loaded if opened & set(kind.base_vars)} <= set(tab.forgets)

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
