"""The gate, asked directly: who calls, what is refused, and what a bad day changes."""

import asyncio
from collections.abc import Collection, Mapping
from dataclasses import replace
from typing import Any

import pytest
from reflex.state import BaseState, State
from reflex_base.constants.state import FIELD_MARKER
from reflex_base.event import Event
from structlog.testing import capture_logs

from rewards_app.core import gate as gates
from rewards_app.core.access import access_of
from rewards_app.core.actor import Actor, Role
from rewards_app.core.broken import on_broken_handler
from rewards_app.core.caller import digest
from rewards_app.core.errors import StorageAway
from rewards_app.core.ids import new_id
from rewards_app.core.reflex_events import REPORT
from rewards_app.core.sealed import short_mark
from rewards_app.core.sockets.meeting import keep_to_its_owner, led_out, meet, refuse
from rewards_app.core.state import (
    AppState,
)
from rewards_app.core.watching import storms
from rewards_app.features.admin.people_state import PeopleDeskState
from rewards_app.features.ads.state import WatchState
from rewards_app.features.forum.board_state import BoardState
from rewards_app.features.forum.desk_state import DeskState
from rewards_app.features.support.restriction_state import RestrictionState
from rewards_app.rewards_app import PAGES, shell
from tests import steady
from tests.people import NOON
from tests.states import a_page, failing

APP = AppState.get_full_name()
DESK, DESK_NAME = PeopleDeskState.get_full_name(), PeopleDeskState.get_name()
BOARD, MODERATION, OWN, WATCH = (
    state.get_full_name() for state in (BoardState, DeskState, RestrictionState, WatchState)
)
ADMINS, PASSIVE = f"{DESK}.close", f"{DESK}.refresh"
HYDRATE = "reflex___state____state.hydrate_and_load"


def an_actor() -> Actor:
    return Actor(new_id(), new_id(), Role.PLAYER, "Maja", "maja@example.com", NOON, True)


class Sessions:
    """Known sessions by cookie; away while the database is."""

    def __init__(self) -> None:
        self.people = {digest("majas"): an_actor()}
        self.is_away = False
        self.noted: list[Actor] = []

    async def find(self, session_hashes: Collection[str]) -> Mapping[str, Actor]:
        if self.is_away:
            raise StorageAway
        return {key: self.people[key] for key in session_hashes if key in self.people}

    async def note(self, actor: Actor) -> None:
        self.noted.append(actor)


@pytest.fixture(autouse=True)
def _no_past(monkeypatch: pytest.MonkeyPatch) -> None:
    """Why a session ended stands in the database, which is asked elsewhere."""
    monkeypatch.setattr(gates, "WAS_SILENT", [])


@pytest.fixture
def known() -> Sessions:
    return Sessions()


def a_gate(known: Sessions, **more: Any) -> gates.Gate:
    return gates.Gate(
        gates.KnownActors(known.find),
        meet=meet,
        keep_to_its_owner=keep_to_its_owner,
        refuse=refuse,
        note_activity=known.note,
        **more,
    )


@pytest.fixture
def gate(known: Sessions) -> gates.Gate:
    return a_gate(known)


@pytest.fixture
def page() -> State:
    return a_page()


def comes_from(page: State, *, session: str = "", door: str = "a door") -> None:
    cookies = f"door={door}" + (f"; session={session}" if session else "")
    page.router_data = {"token": "tab", "ip": "127.0.0.1", "headers": {"cookie": cookies}}


async def app_state(page: State) -> AppState:
    return await page.get_state(AppState)


def event(handler: str, **payload: object) -> Event:
    return Event(name=f"{APP}.{handler}", payload=payload)


class TestPasses:
    async def test_what_is_declared_for_this_person(self, gate, page):
        comes_from(page, session="majas")
        assert await gate.preprocess(None, page, event("choose_language", code="sv")) is None
        assert gates.current_actor.get().name == "Maja"

    async def test_notes_the_activity_of_people_but_not_of_their_pages(self, gate, page, known):
        comes_from(page, session="majas")
        await gate.preprocess(None, page, event("enter"))
        assert known.noted == []
        await gate.preprocess(None, page, event("still_here"))
        assert [actor.name for actor in known.noted] == ["Maja"]


class TestAPageOfWhichNothingIsKnown:
    """Redis forgets each part of a page by itself: of this one, whose it is."""

    async def test_keeps_what_it_shows_when_we_ask_something_of_it(self, gate, page):
        comes_from(page, session="majas")
        await gate.preprocess(None, page, event("enter"))
        (await app_state(page)).name = "Maja"
        page.router_data = {}
        with capture_logs() as lines:
            answer = await gate.preprocess(None, page, event("check_in"))
        assert (answer.delta, answer.events) == ({}, [])
        assert ((await app_state(page)).name, lines) == ("Maja", [])
        # The page itself says whose it is.
        comes_from(page, session="majas")
        assert await gate.preprocess(None, page, event("still_here")) is None

    async def test_is_not_taken_for_the_one_who_asked_before(self, gate, page):
        comes_from(page, session="majas")
        await gate.preprocess(None, page, event("enter"))
        page.router_data = {}
        answer = await gate.preprocess(None, page, event("choose_language", code="sv"))
        assert answer is not None


class TestRefuses:
    @pytest.mark.parametrize("handler", ["setvar", "_show", "no_such_handler", "reset"])
    async def test_what_declares_nothing_in_silence(self, gate, page, handler: str):
        comes_from(page, session="majas")
        answer = await gate.preprocess(None, page, event(handler))
        assert (answer.delta, answer.events) == ({}, [])

    async def test_and_logs_a_mark_of_where_it_came_from(self, gate, page):
        """With whose session it was, an address would say where somebody is."""
        comes_from(page, session="majas")
        with capture_logs() as lines:
            await gate.preprocess(None, page, event("setvar"))
        [line] = lines
        assert (line["event"], line["place"]) == ("gate.undeclared", short_mark("127.0.0.1"))
        assert "127.0.0.1" not in str(line)

    async def test_visitors_where_people_sign_in_first(self, gate, page):
        comes_from(page)
        assert await gate.preprocess(None, page, event("still_here"))
        assert (await app_state(page)).refusal["code"] == "not_allowed"

    async def test_an_ended_session_with_the_specifications_words(self, gate, page, known):
        comes_from(page, session="majas")
        await gate.preprocess(None, page, event("enter"))
        known.people.clear()
        gate.actors.forget(digest("majas"))
        answer = await gate.preprocess(None, page, event("still_here"))
        assert (await app_state(page)).refusal["code"] == "session_expired"
        assert "/landing" in str(answer.events)

    @pytest.mark.parametrize(
        ("silent", "code"), [(True, "session_expired"), (False, "session_ended")]
    )
    async def test_an_ended_session_with_words_of_silence_only_where_it_was_silent(
        self, gate, page, known, monkeypatch: pytest.MonkeyPatch, silent: bool, code: str
    ):
        async def was_silent(session_hash: str) -> bool:
            assert session_hash == digest("majas")
            return silent

        monkeypatch.setattr(gates, "WAS_SILENT", [was_silent])
        await self.ended(gate, page, known)
        await gate.preprocess(None, page, event("still_here"))
        assert (await app_state(page)).refusal["code"] == code

    async def test_an_ended_session_of_which_nothing_can_be_read_as_before(
        self, gate, page, known, monkeypatch: pytest.MonkeyPatch
    ):
        async def was_silent(_session_hash: str) -> bool:
            raise StorageAway

        monkeypatch.setattr(gates, "WAS_SILENT", [was_silent])
        await self.ended(gate, page, known)
        await gate.preprocess(None, page, event("still_here"))
        assert (await app_state(page)).refusal["code"] == "session_expired"

    async def ended(self, gate, page, known) -> None:
        """Found out by an event that is no handler of ours."""
        comes_from(page, session="majas")
        await gate.preprocess(None, page, event("enter"))
        known.people.clear()
        gate.actors.forget(digest("majas"))
        assert await gate.preprocess(None, page, Event(name=HYDRATE)) is None

    async def test_what_a_page_still_asks_when_its_session_has_ended_without_a_word(
        self, gate, page, known
    ):
        await self.ended(gate, page, known)
        said = (await app_state(page)).notice
        for _ in range(2):
            answer = await gate.preprocess(None, page, Event(name=PASSIVE))
            assert (answer.delta, answer.events) == ({}, [])
        assert (await app_state(page)).notice == said

    async def test_what_is_pressed_when_the_session_has_ended_with_the_same_words_each_time(
        self, gate, page, known
    ):
        await self.ended(gate, page, known)
        for _ in range(2):
            answer = await gate.preprocess(None, page, event("still_here"))
            assert (await app_state(page)).refusal["code"] == "session_expired"
            assert answer.events == [], "the page is led away already"

    async def test_another_browser_with_the_tabs_token_as_any_visitor(self, gate, page, known):
        await self.ended(gate, page, known)
        comes_from(page, door="another door")
        await gate.preprocess(None, page, event("still_here"))
        assert (await app_state(page)).refusal["code"] == "not_allowed"

    async def test_other_arguments_than_the_declared_ones(self, gate, page):
        comes_from(page)
        assert await gate.preprocess(None, page, event("choose_language", code=5))
        assert (await app_state(page)).refusal["code"] == "bad_arguments"


class TestTheLastWords:
    """Some hold an address."""

    @pytest.fixture(autouse=True)
    async def told_to_maja(self, gate, page, known):
        known.people[digest("emils")] = replace(an_actor(), name="Emil", email="emil@example.com")
        comes_from(page, session="majas")
        await gate.preprocess(None, page, event("enter"))
        (await app_state(page))._notify("auth.email.back_title", "auth.email.back_text", email="m@")

    async def left_by(self, gate, page, *sessions: str) -> dict[str, Any]:
        for session in sessions:
            comes_from(page, session=session)
            await gate.preprocess(None, page, Event(name=HYDRATE))
        return (await app_state(page)).notice

    async def test_are_still_there_after_signing_out(self, gate, page):
        assert (await self.left_by(gate, page, ""))["params"] == {"email": "m@"}

    @pytest.mark.parametrize("between", [(), ("",)], ids=["at once", "after signing out"])
    async def test_are_not_left_for_who_signs_in_next(self, gate, page, between):
        assert await self.left_by(gate, page, *between, "emils") == {}

    async def test_are_not_left_for_another_browser(self, gate, page):
        comes_from(page, door="another door")
        await gate.preprocess(None, page, Event(name=HYDRATE))
        assert (await app_state(page)).notice == {}


class TestAnAdminWithoutASecondFactor:
    @pytest.fixture(autouse=True)
    def is_required(self, monkeypatch):
        monkeypatch.setattr(gates.settings(), "admin_second_factor", True)

    def admin(self, known: Sessions, *, has_second_factor: bool = False) -> None:
        known.people[digest("linneas")] = replace(
            an_actor(), role=Role.ADMIN, name="Linnea", has_second_factor=has_second_factor
        )

    async def test_does_nothing_and_is_led_to_where_one_is_set_up(self, gate, page, known):
        self.admin(known)
        comes_from(page, session="linneas")
        answer = await gate.preprocess(None, page, Event(name=ADMINS))
        assert (await app_state(page)).refusal["code"] == "needs_second_factor"
        assert "/security?section=two-factor" in str(answer.events)

    async def test_is_passed_over_where_nobody_asked(self, gate, page, known):
        self.admin(known)
        comes_from(page, session="linneas")
        answer = await gate.preprocess(None, page, Event(name=PASSIVE))
        assert (answer.delta, answer.events) == ({}, [])

    async def test_still_does_what_everybody_may(self, gate, page, known):
        self.admin(known)
        comes_from(page, session="linneas")
        assert await gate.preprocess(None, page, event("choose_language", code="sv")) is None
        assert await gate.preprocess(None, page, event("still_here")) is None

    async def test_works_once_there_is_one(self, gate, page, known):
        self.admin(known, has_second_factor=True)
        comes_from(page, session="linneas")
        assert await gate.preprocess(None, page, Event(name=ADMINS)) is None

    async def test_works_without_one_where_nobody_requires_it(self, gate, page, known, monkeypatch):
        monkeypatch.setattr(gates.settings(), "admin_second_factor", None)
        self.admin(known)
        comes_from(page, session="linneas")
        assert await gate.preprocess(None, page, Event(name=ADMINS)) is None

    def test_takes_nothing_along_over_http(self):
        linnea = replace(an_actor(), role=Role.ADMIN)
        assert not gates.may_administer(linnea)
        assert not gates.may_act(linnea)
        assert gates.may_administer(replace(linnea, has_second_factor=True))
        assert not gates.may_administer(replace(an_actor(), has_second_factor=True))


class TestASuspendedAccount:
    @pytest.fixture(autouse=True)
    def is_suspended(self, known: Sessions):
        known.people[digest("ninas")] = replace(
            an_actor(), role=Role.MODERATOR, name="Nina", is_suspended=True
        )

    async def test_is_told_why_where_it_does_something(self, gate, page):
        comes_from(page, session="ninas")
        await gate.preprocess(None, page, Event(name=f"{BOARD}.load"))
        assert (await app_state(page)).refusal["code"] == "account_suspended"

    @pytest.mark.parametrize("handler", [f"{MODERATION}.refresh", f"{BOARD}.refresh"])
    async def test_hears_nothing_of_what_others_do(self, gate, page, handler: str):
        comes_from(page, session="ninas")
        answer = await gate.preprocess(None, page, Event(name=handler))
        assert (answer.delta, answer.events) == ({}, [])

    async def test_hears_of_its_own(self, gate, page):
        comes_from(page, session="ninas")
        assert await gate.preprocess(None, page, Event(name=f"{OWN}.load")) is None

    def test_takes_nothing_along_over_http(self):
        nina = replace(an_actor(), is_suspended=True)
        assert not gates.may_act(nina)
        assert gates.may_act(an_actor())

    def test_sees_of_its_pages_what_others_see(self):
        """What they are shown loads and renews itself."""
        shown = [page for page in PAGES if page.even_suspended]
        asked = [one for page in shown for one in (*page.on_load, *page.renewals)]
        frame = shell.frame_for(PAGES)
        asked += [one for role, loads in frame.loads.items() if role != Role.ADMIN for one in loads]
        handlers = {
            one.fn.__qualname__: access_of(one.fn) for one in [*asked, *frame.when_suspended]
        }
        assert len(handlers) > 15
        assert {name for name, access in handlers.items() if not access.even_suspended} == set()

    def test_as_an_admin_learns_nothing_of_what_waits(self):
        """Nor does one who lacks the second factor that they need."""
        loaded = shell.frame_for(PAGES).loads[Role.ADMIN]
        followed = (one for handlers in shell.FOLLOWS[Role.ADMIN].values() for one in handlers)
        for one in [*loaded, *followed]:
            access = access_of(one.fn)
            assert access
            assert access.roles == {Role.ADMIN}
            assert access.is_passive
            assert not access.even_suspended


class TestWhileNobodyCanTellWhoCalls:
    async def test_says_so_and_changes_nothing(self, gate, page, known):
        comes_from(page, session="majas")
        known.is_away = True
        assert await gate.preprocess(None, page, event("choose_language", code="sv"))
        state = await app_state(page)
        assert (state.refusal["code"], state.language) == ("storage_away", "en")

    async def test_says_nothing_to_a_page_that_asks_until_there_is_an_answer(
        self, gate, page, known
    ):
        comes_from(page, session="majas")
        known.is_away = True
        answer = await gate.preprocess(None, page, Event(name=f"{WATCH}.resume"))
        assert answer is not None, "it is not asked"
        assert ((await app_state(page)).notice, (await app_state(page)).refusal) == ({}, {})

    @pytest.mark.parametrize("handler", ["finish", "ask_again"])
    async def test_lets_an_ad_hear_all_the_same_when_it_was_over(self, gate, page, known, handler):
        comes_from(page, session="majas")
        known.is_away, view_id = True, new_id()
        watch = await page.get_state(WatchState)
        watch.running, watch._over_at = {"session_id": str(view_id)}, NOON
        await gate.preprocess(None, page, event("choose_language", code="sv"))
        said = {"session_id": str(view_id), "watch_time": 5}
        for ignored in ({}, said | {"watch_time": "long"}, said | {"session_id": str(new_id())}):
            await gate.preprocess(None, page, Event(name=f"{WATCH}.{handler}", payload=ignored))
        assert watch._heard is None
        await gate.preprocess(None, page, Event(name=f"{WATCH}.{handler}", payload=said))
        assert watch._heard.view_id == view_id

    async def test_says_no_more_to_it_where_its_activity_cannot_be_noted(
        self, gate, page, known, monkeypatch
    ):
        monkeypatch.setattr(gate, "_note_activity", failing(StorageAway))
        comes_from(page, session="majas")
        resume = Event(name=f"{WATCH}.resume", payload={"session_id": str(new_id())})
        assert await gate.preprocess(None, page, resume) is not None
        assert (await app_state(page)).notice == {}

    async def test_a_page_keeps_what_it_shows_for_the_same_browser(self, gate, page, known):
        await self.show_maja(gate, page)
        known.is_away = True
        gate.actors.forget(digest("majas"))
        assert await gate.preprocess(None, page, Event(name=HYDRATE)) is None
        assert (await app_state(page)).name == "Maja"

    @pytest.mark.parametrize("thief", [{"session": "eves"}, {}, {"door": "another"}])
    async def test_a_page_is_emptied_for_any_other(self, gate, page, known, thief):
        await self.show_maja(gate, page)
        known.is_away = True
        gate.actors.forget(digest("majas"))
        comes_from(page, **thief)
        await gate.preprocess(None, page, Event(name=HYDRATE))
        assert (await app_state(page)).name == ""

    async def test_a_page_is_emptied_for_any_other_without_a_word_too(self, gate, page, known):
        await self.show_maja(gate, page)
        page._get_root_state()._clean()
        known.is_away = True
        comes_from(page, session="eves")
        answer = await gate.preprocess(None, page, Event(name=f"{WATCH}.resume"))
        assert answer.delta[APP][f"name{FIELD_MARKER}"] == ""

    async def test_a_page_that_failed_as_it_opened_goes_on_saying_so(self, gate, page, known):
        comes_from(page, session="majas")
        known.is_away = True
        await gate.preprocess(None, page, event("enter"))
        await gate.preprocess(None, page, event("choose_language", code="sv"))
        assert (await app_state(page)).page_fails

    @staticmethod
    async def show_maja(gate, page) -> None:
        comes_from(page, session="majas")
        await gate.preprocess(None, page, event("enter"))
        (await app_state(page))._show(gates.current_actor.get())


class Asks:
    """Knows everybody, and what it was asked each time."""

    def __init__(self) -> None:
        self.people: dict[str, Actor] = {}
        self.times: list[list[str]] = []

    async def find(self, session_hashes: Collection[str]) -> Mapping[str, Actor]:
        self.times.append([*session_hashes])
        return {key: self.people.setdefault(key, an_actor()) for key in session_hashes}


class TestKnownActors:
    async def test_asks_once_for_many_events(self):
        asks = Asks()
        known = gates.KnownActors(asks.find)
        for _ in range(100):
            await known.actor_of("x")
        assert asks.times == [["x"]]

    async def test_asks_for_many_sessions_at_once(self):
        asks = Asks()
        known = gates.KnownActors(asks.find)
        asked = {str(number): known.actor_of(str(number)) for number in range(50)}
        found = dict(zip(asked, await asyncio.gather(*asked.values()), strict=True))
        assert found == asks.people
        assert asks.times == [[*asked]]
        assert asks.people["7"] is await known.actor_of("7")
        assert len(asks.times) == 1

    async def test_answers_whoever_came_before_an_announcement_and_after_it(self):
        asks = Asks()
        known = gates.KnownActors(asks.find)
        before = asyncio.create_task(known.actor_of("x"))
        await asyncio.sleep(0)
        known.forget("x")
        async with steady.timeout(1):
            assert await known.actor_of("x") is await before
        assert asks.times == [["x"]]

    async def test_asks_again_after_two_seconds(self, monkeypatch):
        monkeypatch.setattr(gates, "FRESH_SECONDS", 0.0)
        asks = Asks()
        known = gates.KnownActors(asks.find)
        await known.actor_of("x")
        await known.actor_of("x")
        assert len(asks.times) == 2

    async def test_remembers_only_so_many(self):
        known = gates.KnownActors(Asks().find, size=10)
        for number in range(100):
            await known.actor_of(str(number))
        assert len(known._known) == 10


class Slowly:
    """Answers when told to, with what was true when it was asked."""

    def __init__(self) -> None:
        self.person: Actor | None = an_actor()
        self.times = 0
        self.may_answer = asyncio.Event()

    async def find(self, session_hashes: Collection[str]) -> Mapping[str, Actor]:
        self.times += 1
        person = self.person
        await self.may_answer.wait()
        return dict.fromkeys(session_hashes, person) if person else {}


class TestManyTabsOfOneSession:
    async def test_ask_once_together(self):
        slowly = Slowly()
        known = gates.KnownActors(slowly.find)
        asked = [asyncio.create_task(known.actor_of("a session")) for _ in range(50)]
        await asyncio.sleep(0)
        slowly.may_answer.set()
        assert await asyncio.gather(*asked) == [slowly.person] * 50
        assert slowly.times == 1

    @pytest.mark.parametrize("announced", ["the session", "its person", "everything"])
    async def test_are_not_told_what_was_read_before_it_ended(self, announced: str):
        slowly = Slowly()
        known = gates.KnownActors(slowly.find)
        asked = asyncio.create_task(known.actor_of("a session"))
        await asyncio.sleep(0.01)
        assert slowly.person
        forget = {
            "the session": lambda: known.forget("a session"),
            "its person": lambda user_id=slowly.person.user_id: known.forget_user(user_id),
            "everything": known.forget_everybody,
        }
        slowly.person = None
        forget[announced]()
        slowly.may_answer.set()
        assert await asked is None
        assert await known.actor_of("a session") is None
        assert slowly.times == 2

    async def test_all_hear_that_the_database_is_away_and_ask_again_later(self, known):
        actors = gates.KnownActors(known.find)
        known.is_away = True
        asked = (actors.actor_of(digest("majas")) for _ in range(3))
        heard = await asyncio.gather(*asked, return_exceptions=True)
        assert [type(each) for each in heard] == [StorageAway] * 3
        known.is_away = False
        assert await actors.actor_of(digest("majas"))

    async def test_one_that_is_closed_meanwhile_takes_no_answer_from_the_others(self):
        slowly = Slowly()
        known = gates.KnownActors(slowly.find)
        closed, stays = (asyncio.create_task(known.actor_of("a session")) for _ in range(2))
        await asyncio.sleep(0.01)
        closed.cancel()
        slowly.may_answer.set()
        assert await stays == slowly.person


class TestAPageWhoseSessionEnded:
    async def test_holds_what_a_new_one_holds(self, gate, page, known):
        await self.is_left_by_maja(gate, page, known)
        fresh = a_page()
        ours, new = await app_state(page), await app_state(fresh)
        desk, beginning = ours.substates[DESK_NAME], new.substates[DESK_NAME]
        assert values_of(desk) == values_of(beginning)
        known_of_it = ("_session_hash", "_door_hash", "_is_acquainted", "_has_lost_session")
        left = values_of(ours) | {name: getattr(new, name) for name in known_of_it}
        assert left == values_of(new) | {"role": "visitor"}

    async def test_is_sent_only_what_is_another(self, gate, page, known):
        delta = await self.is_left_by_maja(gate, page, known)
        sent = {name for values in delta.values() for name in values}
        assert {"role_rx_state_", "name_rx_state_", "email_rx_state_"} <= sent
        assert "players_online_rx_state_" not in sent
        assert delta[DESK] == {"search_rx_state_": ""}

    async def test_is_led_out_by_vars_that_there_are(self):
        update = led_out()
        assert list(update.delta) == [APP]
        shown = {name.removesuffix("_rx_state_") for name in update.delta[APP]}
        assert shown <= set(AppState.__fields__)
        fresh = a_page()
        visitor = await app_state(fresh)
        visitor._show(an_actor())
        visitor._show(None)
        assert update.delta[APP] == {f"{n}_rx_state_": getattr(visitor, n) for n in shown}
        assert [event.name for event in update.events] == ["_redirect"]

    @staticmethod
    async def is_left_by_maja(gate, page, known) -> dict[str, dict[str, object]]:
        comes_from(page, session="majas")
        await gate.preprocess(None, page, event("enter"))
        state = await app_state(page)
        state._show(known.people[digest("majas")])
        state.substates[DESK_NAME].search = "maja"
        page._clean()
        known.people.clear()
        gate.actors.forget(digest("majas"))
        await gate.preprocess(None, page, event("check_in"))
        return await page._get_resolved_delta()


def values_of(state: Any) -> dict[str, object]:
    own = (name for name, each in type(state).__fields__.items() if each._owner is type(state))
    return {name: state.get_value(name) for name in own}


class TestABrokenHandler:
    async def test_is_answered_with_words_and_no_script(self, page):
        answer = on_broken_handler(ValueError("boom"))
        assert answer.handler.fn is AppState.apologise.fn
        state = await app_state(page)
        state.is_busy = True
        await AppState.apologise.fn(state)
        assert (state.refusal["code"], state.is_busy) == ("unexpected", False)

    async def test_is_written_into_the_log_with_what_broke(self):
        failure = ValueError("boom")
        with capture_logs() as lines:
            on_broken_handler(failure)
        assert lines == [{"event": "handler.broke", "log_level": "error", "exc_info": failure}]


class TestStorms:
    @pytest.fixture(autouse=True)
    def told(self, monkeypatch: pytest.MonkeyPatch) -> list[storms.Storm]:
        heard: list[storms.Storm] = []
        monkeypatch.setattr(storms, "_listeners", [heard.append])
        storms.forget()
        return heard

    async def asks(self, gate, page, name: str, payload: dict[str, object]) -> None:
        comes_from(page, session="majas")
        for _ in range(25):
            await gate.preprocess(None, page, Event(name=name, payload=dict(payload)))

    @pytest.mark.parametrize(
        ("name", "payload"),
        [
            pytest.param(f"{APP}.choose_language", {"code": 5}, id="bad arguments"),
            pytest.param(f"{APP}.setvar", {"var_name": "role"}, id="undeclared"),
            pytest.param(HYDRATE, {"vars": 5}, id="a bad event of Reflex"),
        ],
    )
    async def test_of_what_no_page_sends_are_told_with_the_session(
        self, gate, page, told, name: str, payload: dict[str, object]
    ):
        await self.asks(gate, page, name, payload)
        assert [(storm.who, storm.refusals) for storm in told] == [((digest("majas"),), 20)]

    async def test_are_none_when_a_page_breaks_again_and_again(self, gate, page, told):
        await self.asks(gate, page, REPORT, {"info": "It broke", "component_stack": ""})
        assert told == []

    async def test_are_none_when_all_is_well(self, gate, page, told):
        await self.asks(gate, page, f"{APP}.choose_language", {"code": "sv"})
        assert told == []


class TestAPageThatComes:
    @pytest.mark.parametrize(("hashes", "is_return"), [(["ab"], False), ([], True)])
    async def test_is_told_apart_from_one_that_was_cut_off(self, known, page, hashes, is_return):
        noted: list[bool] = []

        async def note(state: BaseState, *, is_return: bool) -> None:
            noted.append(is_return)

        gate = a_gate(known, note_opening=note)
        comes_from(page)
        await gate.preprocess(None, page, Event(name=HYDRATE, payload={"hashes": hashes}))
        await gate.preprocess(None, page, event("choose_language", code="sv"))
        assert noted == [is_return]


class TestPlaces:
    async def test_are_noted_of_what_pages_send_and_of_nothing_that_they_are_asked(
        self, known, page
    ):
        noted: list[str] = []
        gate = a_gate(known, note_place=lambda actor, caller: noted.append(caller.address))
        comes_from(page, session="majas")
        asked = event("choose_language", code="sv")
        await gate.preprocess(None, page, asked)
        assert noted == []
        sent = Event(name=asked.name, payload={"code": "sv"}, router_data={"pathname": "/"})
        await gate.preprocess(None, page, sent)
        assert noted == ["127.0.0.1"]
        comes_from(page)
        await gate.preprocess(None, page, sent)
        assert noted == ["127.0.0.1"], "a visitor has no session to steal"
