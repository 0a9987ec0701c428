"""An open page keeps nothing for states that are as they were."""

import gc
from collections.abc import Iterator

import pytest
from reflex.state import BaseState, State
from reflex_base.constants.state import FIELD_MARKER

from rewards_app.core.page_states.small import keep_states_small
from rewards_app.core.state import AppState
from rewards_app.rewards_app import app

assert app, "all states are known"


@pytest.fixture
def page() -> State:
    keep_states_small()
    return State(_reflex_internal_init=True)  # pyright: ignore[reportCallIssue]


def all_of(state: BaseState) -> Iterator[BaseState]:
    yield state
    for one in state.substates.values():
        yield from all_of(one)


def with_a_set(page: State) -> set[str]:
    return {
        state.get_full_name()
        for state in all_of(page)
        if any(type(kept) is set for kept in gc.get_referents(state))
    }


def bar_of(page: State) -> AppState:
    return page.substates[AppState.get_name()]  # pyright: ignore[reportReturnType]


class TestAPage:
    def test_has_many_states_and_keeps_no_set_for_them(self, page: State):
        assert sum(1 for _ in all_of(page)) > 80
        assert not with_a_set(page)

    def test_keeps_none_after_all_of_it_was_read(self, page: State):
        assert len(page.dict()) > 80
        assert not with_a_set(page)

    def test_keeps_what_changed_until_it_was_sent(self, page: State):
        bar = bar_of(page)
        bar.players_online = 7
        assert with_a_set(page) == {page.get_full_name(), bar.get_full_name()}
        assert page.dict()
        assert page.get_delta() == {bar.get_full_name(): {f"players_online{FIELD_MARKER}": 7}}
        page._clean()
        assert not with_a_set(page)
        assert page.get_delta() == {}

    def test_has_its_own(self, page: State):
        other = State(_reflex_internal_init=True)  # pyright: ignore[reportCallIssue]
        bar_of(page).players_online = 7
        assert bar_of(page).dirty_vars == {"players_online"}
        assert bar_of(other).dirty_vars == set()
        assert other.dirty_substates == set()

    def test_is_made_small_once(self, page: State):
        keeping = vars(BaseState)["dirty_vars"]
        keep_states_small()
        assert vars(BaseState)["dirty_vars"] is keeping
