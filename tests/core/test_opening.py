"""How a page opens, fails to, is found again after a lost connection, and says when it is whole."""

from collections.abc import AsyncIterator, Iterator
from dataclasses import replace
from typing import Any

import pytest
from reflex.istate.data import RouterData
from reflex.state import State

from rewards_app.core import gate, loads, state, tabs
from rewards_app.core.access import public
from rewards_app.core.actor import Actor, Role
from rewards_app.core.caller import Caller
from rewards_app.core.errors import StorageAway
from rewards_app.core.gate import current_actor, current_caller
from rewards_app.core.ids import new_id
from rewards_app.core.routes import Audience
from rewards_app.core.sockets.meeting import ARRIVE, ENTER, keep_to_its_owner, note_opening
from rewards_app.core.state import ON_RETURN, ROUTES, AppState
from tests.people import NOON
from tests.states import failing

PATH = "/a-page-of-the-tests"
EVERYBODY = Audience(visitors=True)
MAJA = Actor(new_id(), new_id(), Role.PLAYER, "Maja", "maja@example.com", NOON, True)


class WantingState(AppState):
    """Something whose load fails as it is told to."""

    _failure: Exception | None = None

    @public(passive=True)
    async def load_wanting(self):
        if self._failure:
            raise self._failure

    @public(passive=True)
    async def renew_wanting(self):
        """What changed meanwhile."""

    @public(passive=True)
    async def load_majas(self):
        self._care_for("maja")


class FrankState(AppState):
    """One that says itself what it lacks."""

    has_failed: bool = False

    @public(passive=True)
    async def load_frank(self):
        raise StorageAway


@pytest.fixture(autouse=True)
def _known_pages() -> Iterator[None]:
    loads.note([WantingState.load_wanting, FrankState.load_frank, AppState.enter])
    ROUTES[PATH] = {EVERYBODY: [WantingState.load_wanting]}
    ON_RETURN[PATH] = {EVERYBODY: [WantingState.renew_wanting]}
    ROUTES["/members"] = {Audience(frozenset({Role.PLAYER})): []}
    before = current_actor.set(None), current_caller.set(Caller(tab="tab", session_hash="majas"))
    yield
    current_actor.reset(before[0])
    current_caller.reset(before[1])
    for path in (PATH, "/members"):
        del ROUTES[path]
    del ON_RETURN[PATH]


@pytest.fixture
async def root() -> Any:
    return State(_reflex_internal_init=True)  # pyright: ignore[reportCallIssue]


@pytest.fixture
async def app(root: Any) -> AppState:
    at(root, PATH)
    return await root.get_state(AppState)


@pytest.fixture
async def wanting(root: Any, app: AppState) -> WantingState:
    return await root.get_state(WantingState)


def at(root: Any, path: str) -> None:
    root.router = RouterData.from_router_data(
        {"asPath": path, "headers": {"origin": "http://localhost:8300"}}
    )


async def enters(app: AppState) -> list[Any]:
    return await AppState.enter.fn(app)  # pyright: ignore


async def loads_it(wanting: WantingState, failure: Exception | None = None) -> None:
    wanting._failure = failure
    await WantingState.load_wanting.fn(wanting)  # pyright: ignore


async def arrives(app: AppState) -> None:
    await AppState.arrive.fn(app)  # pyright: ignore


def names(handlers: list[Any]) -> list[str]:
    return [handler.fn.__name__ for handler in handlers]


class TestWhatAnAddressAsksFor:
    @pytest.mark.parametrize("said", ["%00", "%0", "a%1Fb%7", "%ff", "\ud800", "\x00", "%C0%80"])
    async def test_is_none_of_what_the_database_refuses(self, root: Any, app: AppState, said: str):
        at(root, f"{PATH}?search={said}&token=a{said}")
        assert set(app._query) == {"search", "token"}
        for wanted in app._query.values():
            assert "\0" not in wanted
            assert wanted.encode()

    async def test_keeps_all_else(self, root: Any, app: AppState):
        at(root, f"{PATH}?search=%C3%96l+%26+%F0%9F%8D%BA%0A")
        assert app._query == {"search": "Öl & 🍺\n"}


class TestAPageThatOpens:
    async def test_loads_and_then_has_arrived(self, app: AppState, wanting: WantingState):
        assert names(await enters(app)) == ["load_wanting", "arrive"]
        assert app.is_opening
        await loads_it(wanting)
        await arrives(app)
        assert (app.is_opening, app.page_fails) == (False, False)
        assert app.visit.startswith(f"{app._mark}.")

    async def test_has_not_arrived_before_what_its_loads_lead_on_to(
        self, app: AppState, wanting: WantingState
    ):
        await enters(app)
        await loads_it(wanting)
        more: Any = WantingState.load_wanting
        assert names(wanting._lead_on([more])) == ["load_wanting", "arrive"]
        await arrives(app)
        assert app.is_opening
        await loads_it(wanting)
        await arrives(app)
        assert not app.is_opening

    @pytest.mark.parametrize("failure", [StorageAway(), RuntimeError("a defect")])
    async def test_says_so_when_it_could_not_be_loaded(
        self, app: AppState, wanting: WantingState, failure: Exception
    ):
        await enters(app)
        await loads_it(wanting, failure)
        assert app.page_fails
        assert app.notice["style"] == "destructive"
        await arrives(app)
        assert app.page_fails

    async def test_leaves_it_to_those_who_say_it_themselves(self, root: Any, app: AppState):
        await enters(app)
        await FrankState.load_frank.fn(await root.get_state(FrankState))  # pyright: ignore
        await arrives(app)
        assert not app.page_fails

    async def test_goes_on_saying_so_until_a_new_try_has_worked(
        self, app: AppState, wanting: WantingState
    ):
        await enters(app)
        await loads_it(wanting, StorageAway())
        await arrives(app)
        await enters(app)
        assert (app.page_fails, app.is_opening) == (True, True)
        await loads_it(wanting)
        await arrives(app)
        assert not app.page_fails

    async def test_has_nothing_to_do_with_another_one_that_failed(
        self, root: Any, app: AppState, wanting: WantingState
    ):
        await enters(app)
        await loads_it(wanting, StorageAway())
        at(root, f"{PATH}?more=1")
        await enters(app)
        assert not app.page_fails

    async def test_says_so_too_while_nobody_can_tell_who_it_is(self, root: Any, app: AppState):
        await keep_to_its_owner(root, current_caller.get(), ENTER)
        assert app.page_fails

    async def test_can_be_tried_again_where_nobody_could_tell_by_the_end_who_it_is(
        self, root: Any, app: AppState, wanting: WantingState
    ):
        """Whoever waited for the database has waited longer than a session is believed."""
        await enters(app)
        await loads_it(wanting, StorageAway())
        await keep_to_its_owner(root, current_caller.get(), ARRIVE)
        assert (app.page_fails, app.is_opening) == (True, False)

    async def test_can_be_tried_again_where_what_stands_above_every_page_was_not_found(
        self, app: AppState, monkeypatch: pytest.MonkeyPatch
    ):
        monkeypatch.setattr(state, "BEFORE_ALL", [failing(StorageAway)])
        current_actor.set(MAJA)
        await enters(app)
        assert (app.page_fails, app.is_opening) == (True, False)
        assert app.notice["style"] == "destructive"

    async def test_of_which_other_things_are_asked_meanwhile_stays(self, root: Any, app: AppState):
        other = f"{AppState.get_full_name()}.choose_language"
        await keep_to_its_owner(root, current_caller.get(), other)
        assert not app.page_fails


class TestOfSomebodySuspended:
    async def test_looks_again_at_why_when_it_may_have_heard_nothing(
        self, app: AppState, monkeypatch: pytest.MonkeyPatch
    ):
        """Their appeal may have been answered."""
        monkeypatch.setattr(state, "WHEN_SUSPENDED", [WantingState.renew_wanting])
        check_in: Any = AppState.check_in
        current_actor.set(replace(MAJA, is_suspended=True))
        assert names([await check_in.fn(app)]) == ["enter"], "it has become another page"
        assert await check_in.fn(app) == [WantingState.renew_wanting]
        current_actor.set(MAJA)
        await check_in.fn(app)
        assert await check_in.fn(app) is None


class TestOfAnotherAge:
    """Who is asked when they were born, or has told it, sees other things on most pages."""

    @pytest.mark.parametrize("was_known", [True, False])
    async def test_is_opened_anew(
        self, app: AppState, monkeypatch: pytest.MonkeyPatch, was_known: bool
    ):
        monkeypatch.setattr(state, "BEFORE_ALL", [])
        check_in: Any = AppState.check_in
        current_actor.set(replace(MAJA, is_age_verified=was_known))
        await enters(app)
        # Where it was told the prompt has closed already.
        app.needs_age = False
        current_actor.set(replace(MAJA, is_age_verified=not was_known))
        assert names([await check_in.fn(app)]) == ["enter"]
        await enters(app)
        await arrives(app)
        assert await check_in.fn(app) is None


class TestAPageThatIsWhole:
    """What is typed on it is worth more than what is renewed."""

    @pytest.fixture(autouse=True)
    async def is_whole(self, app: AppState, wanting: WantingState) -> None:
        await enters(app)
        await loads_it(wanting)
        await arrives(app)

    async def test_stays_where_it_could_not_be_renewed(self, app: AppState, wanting: WantingState):
        await loads_it(wanting, StorageAway())
        assert not app.page_fails
        assert app.notice["style"] == "destructive"

    async def test_stays_while_nobody_can_tell_whose_it_is(self, root: Any, app: AppState):
        renewal = f"{WantingState.get_full_name()}.load_wanting"
        await keep_to_its_owner(root, current_caller.get(), renewal)
        assert not app.page_fails

    async def test_stays_where_it_could_not_be_renewed_as_it_was_found_again(
        self, root: Any, app: AppState, wanting: WantingState
    ):
        await note_opening(root, is_return=True)
        await enters(app)
        await loads_it(wanting, StorageAway())
        await arrives(app)
        assert not app.page_fails

    async def test_says_so_where_something_else_is_to_be_shown_now(
        self, app: AppState, wanting: WantingState
    ):
        more: Any = WantingState.load_wanting
        wanting._lead_on([more])
        await loads_it(wanting, StorageAway())
        await arrives(app)
        assert app.page_fails


class TestAPageOfOneOwner:
    """What others change does not wake it, which would be everybody's changes for all who look."""

    @pytest.fixture(autouse=True)
    async def is_majas(self, app: AppState, wanting: WantingState) -> AsyncIterator[None]:
        await enters(app)
        await WantingState.load_majas.fn(wanting)  # pyright: ignore
        await arrives(app)
        yield
        tabs.show(current_caller.get().tab, "")

    @staticmethod
    def hears(owner: str) -> bool:
        return tabs.concerns(current_caller.get().tab, {owner})

    async def test_hears_of_theirs_alone(self):
        assert (self.hears("maja"), self.hears("nils")) == (True, False)

    async def test_still_does_where_it_is_found_again_by_another_worker(
        self, root: Any, app: AppState
    ):
        tabs.show(current_caller.get().tab, "")
        await note_opening(root, is_return=True)
        await enters(app)
        assert (self.hears("maja"), self.hears("nils")) == (True, False)

    async def test_says_nothing_of_the_next_one(self, root: Any, app: AppState):
        at(root, "/members")
        await enters(app)
        assert self.hears("nils")
        await note_opening(root, is_return=True)
        await enters(app)
        assert self.hears("nils")


class TestAPageThatIsFoundAgain:
    async def test_keeps_what_it_shows_and_hears_what_it_missed(
        self, root: Any, app: AppState, wanting: WantingState
    ):
        await enters(app)
        await loads_it(wanting)
        await arrives(app)
        visit = app.visit
        await note_opening(root, is_return=True)
        # As it is where a worker was killed: what it counted last is lost.
        app._openings -= 1
        assert names(await enters(app)) == ["renew_wanting", "arrive"]
        assert app.visit == "", "what is pressed waits for it"
        await arrives(app)
        assert app.visit.split(".")[0] == visit.split(".")[0]
        assert app.visit != visit

    async def test_is_loaded_where_it_was_not_whole(
        self, root: Any, app: AppState, wanting: WantingState
    ):
        await enters(app)
        await loads_it(wanting, StorageAway())
        await arrives(app)
        await note_opening(root, is_return=True)
        assert names(await enters(app)) == ["load_wanting", "arrive"]

    async def test_is_loaded_where_only_the_page_before_it_came_back(
        self, root: Any, app: AppState
    ):
        await enters(app)
        await arrives(app)
        # It was gone again before it was found.
        await note_opening(root, is_return=True)
        await note_opening(root, is_return=False)
        assert names(await enters(app)) == ["load_wanting", "arrive"]

    async def test_is_loaded_anew_when_somebody_reloads_it(self, app: AppState):
        await enters(app)
        await arrives(app)
        assert names(await enters(app)) == ["load_wanting", "arrive"]

    @pytest.mark.parametrize(
        ("silent", "title"),
        [(True, "errors.session_expired_title"), (False, "errors.session_ended_title")],
    )
    async def test_leads_to_sign_in_with_a_word_where_the_session_ended(
        self,
        root: Any,
        app: AppState,
        monkeypatch: pytest.MonkeyPatch,
        silent: bool,
        title: str,
    ):
        async def was_silent(_session_hash: str) -> bool:
            return silent

        monkeypatch.setattr(gate, "WAS_SILENT", [was_silent])
        at(root, "/members")
        await note_opening(root, is_return=True)
        await enters(app)
        assert app.notice["title"] == title

    async def test_says_nothing_of_that_to_who_has_signed_in_meanwhile(
        self, root: Any, app: AppState, monkeypatch: pytest.MonkeyPatch
    ):
        monkeypatch.setattr(state, "BEFORE_ALL", [])
        at(root, "/landing")
        current_actor.set(MAJA)
        await note_opening(root, is_return=True)
        leads: Any = await enters(app)
        assert leads.args[0][1]._var_value == "/"
        assert not app.notice

    async def test_says_nothing_of_that_to_who_opens_it(self, root: Any, app: AppState):
        at(root, "/members")
        await enters(app)
        assert not app.notice
