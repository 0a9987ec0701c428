"""What the pages of profiles keep, what they refuse, and what they say when something breaks."""

from collections.abc import AsyncIterator, Iterator
from datetime import timedelta
from typing import Any
from uuid import UUID, uuid4

import pytest
from reflex.istate.data import RouterData

import rewards_app.rewards_app  # noqa: F401  (registers every state)
from rewards_app.core import tabs
from rewards_app.core.access import access_of
from rewards_app.core.actor import Actor, Role
from rewards_app.core.clock import utc_now
from rewards_app.core.database import transaction
from rewards_app.core.errors import BadArguments, StorageAway, StorageFull
from rewards_app.core.gate import current_actor, current_caller
from rewards_app.core.ids import new_id
from rewards_app.features.accounts import handles, restrictions, sessions
from rewards_app.features.forum.desk_rules import Deed, Target
from rewards_app.features.guardians import service as guardians
from rewards_app.features.leaderboard import service as leaderboard
from rewards_app.features.notifications import service as notifications
from rewards_app.features.profile import pages, service, shelf, unlocking, written
from rewards_app.features.profile.add_game_state import AddGameState
from rewards_app.features.profile.moment_state import MomentState
from rewards_app.features.profile.player_state import PATH, PlayerState
from rewards_app.features.profile.state import ProfileState
from tests.ads import an_ad, the_actor, the_player, watches
from tests.features.forum.test_desk import a_moderator, decides, reports_it
from tests.people import NOON, a_browser, an_account
from tests.shop import earns
from tests.states import a_page, breaks, calls, failing

ACTS = {
    ProfileState: ("load", "edit", "cancel", "save", "open_or_close", "save_game", "remove_game"),
    AddGameState: ("load", "search", "choose", "add"),
    MomentState: ("look", "celebrate"),
}


@pytest.fixture(autouse=True)
async def maja(database: str) -> AsyncIterator[Actor]:
    actor = the_actor(await an_account(name="Maja"))
    before, tab = current_actor.set(actor), current_caller.set(a_browser())
    yield actor
    current_actor.reset(before)
    current_caller.reset(tab)


@pytest.fixture(autouse=True)
def no_tabs() -> Iterator[None]:
    yield
    tabs.keep_only(())


@pytest.fixture
async def profile(page: Any) -> ProfileState:
    return await page.get_state(ProfileState)


@pytest.fixture
async def adding(page: Any) -> AddGameState:
    return await page.get_state(AddGameState)


async def has_games(actor: Actor, *games: str) -> None:
    async with transaction() as session:
        for game in games:
            await shelf.add(session, actor, {"game": game}, now=actor.signed_in_at)


class TestHandlers:
    @pytest.mark.parametrize(
        ("state", "handler"), [(state, name) for state, names in ACTS.items() for name in names]
    )
    def test_are_for_players_alone(self, state: Any, handler: str):
        access = access_of(getattr(state, handler).fn)
        assert access
        assert access.roles == {Role.PLAYER, Role.MODERATOR}
        assert not access.visitors

    def test_that_show_a_player_are_for_companies_too_and_for_no_admin(self):
        access = access_of(PlayerState.load.fn)  # pyright: ignore
        assert access
        assert access.roles == {Role.PLAYER, Role.MODERATOR, Role.COMPANY}


class TestOnesOwn:
    async def test_is_shown_whole(self, profile: ProfileState, maja: Actor):
        await has_games(maja, "minecraft")
        await calls(ProfileState.load, profile)
        assert (profile.profile["display_name"], profile.profile["level"]) == ("Maja", 1)
        assert [row["title"] for row in profile.shown_games] == ["Minecraft"]
        assert len(profile.achievements) == 8
        assert [row["what"] for row in profile.activity] == [""] * 4

    async def test_reads_what_the_bell_says_of_achievements_that_it_shows(
        self, profile: ProfileState, maja: Actor
    ):
        await watches(maja, await an_ad())
        async with transaction() as session:
            assert await unlocking.check(session, [maja.user_id], now=utc_now())
        assert await notifications.unread(maja.user_id) == 1
        await calls(ProfileState.load, profile)
        assert await notifications.unread(maja.user_id) == 0

    async def test_moves_on_once_the_day_of_an_ad_is_counted(
        self, profile: ProfileState, maja: Actor
    ):
        """Coins are there at once; days in a row are counted a little later."""
        await watches(maja, await an_ad(), now=utc_now() - timedelta(minutes=1))
        await calls(ProfileState.load, profile)
        assert (profile.profile["streak"], profile.profile["best_streak"]) == (0, 0)
        await leaderboard.fold(now=utc_now())
        await calls(ProfileState.refresh_figures, profile)
        assert (profile.profile["streak"], profile.profile["best_streak"]) == (1, 1)
        progress = {row["key"]: row["progress"] for row in profile.achievements}
        assert (progress["seven_in_a_row"], progress["century"]) == (1, 1)
        shown = profile.rank, profile.profile, profile.achievements
        await calls(ProfileState.load, profile)
        assert (profile.rank, profile.profile, profile.achievements) == shown

    async def test_that_is_not_loaded_yet_shows_no_figures_alone(self, profile: ProfileState):
        await calls(ProfileState.refresh_figures, profile)
        assert (profile.profile, profile.achievements) == ({}, [])

    async def test_that_a_moderator_hid_says_why_and_marks_what_others_do_not_see(
        self, profile: ProfileState, maja: Actor
    ):
        async with transaction() as session:
            await shelf.add(session, maja, {"title": "Pong", "description": "Easy."}, now=NOON)
            form = {"display_name": "Maja", "bio": "Free boosts!"}
            await service.describe(session, maja, form, now=NOON)
        sven, linnea = await the_player("Sven"), await a_moderator()
        await reports_it(sven, maja.user_id, Target.PROFILE)
        await decides(linnea, maja.user_id, Deed.HIDE, "spam", target=Target.PROFILE, note="No.")
        await calls(ProfileState.load, profile)
        card = profile.profile
        assert (card["id"], card["is_hidden"]) == (str(maja.user_id), True)
        assert (card["hidden_key"], card["hidden_note"]) == ("forum.desk.reasons.spam", "No.")
        assert profile.violations == [written.HIDDEN_ROW]
        assert profile.shown_games[0]["found"]["title"] == [written.HIDDEN_ROW]
        await calls(ProfileState.save, profile, form={"display_name": "Maja", "bio": "Hello"})
        assert (profile.violations, profile.profile["is_hidden"]) == ([], True)

    async def test_says_where_help_is_whatever_was_hidden(self, maja: Actor, profile: ProfileState):
        await calls(ProfileState.load, profile)
        form = {"display_name": "Maja", "bio": "I want to kill myself"}
        await calls(ProfileState.save, profile, form=form)
        found = profile.violations
        assert [row["kind"] for row in found] == ["self_harm"]
        await reports_it(await the_player("Sven"), maja.user_id, Target.PROFILE)
        linnea = await a_moderator()
        await decides(linnea, maja.user_id, Deed.HIDE, "guidelines", target=Target.PROFILE)
        await calls(ProfileState.load, profile)
        assert (profile.violations, profile.profile["is_hidden"]) == (found, True)

    async def test_saves_and_says_so(self, profile: ProfileState):
        await calls(ProfileState.load, profile)
        await calls(ProfileState.edit, profile)
        await calls(ProfileState.save, profile, form={"display_name": "Mia", "bio": "Hello"})
        assert (profile.profile["display_name"], profile.profile["bio"]) == ("Mia", "Hello")
        assert profile.notice["title"] == "profile.saved_title"
        assert not profile.is_editing

    async def test_stays_open_with_what_is_wrong_beside_the_field(self, profile: ProfileState):
        await calls(ProfileState.load, profile)
        await calls(ProfileState.edit, profile)
        await calls(ProfileState.save, profile, form={"display_name": "M", "bio": "Hello"})
        assert profile.is_editing
        assert profile.refusal["params"]["field"] == "display_name"
        assert profile.profile["bio"] == ""
        await calls(ProfileState.cancel, profile)
        assert (profile.is_editing, profile.refusal) == (False, {})

    async def test_opens_and_closes(self, profile: ProfileState):
        await calls(ProfileState.open_or_close, profile, is_public=False)
        assert profile.profile["is_public"] is False
        await calls(ProfileState.open_or_close, profile, is_public=True)
        assert profile.profile["is_public"] is True

    async def test_keeps_what_it_knew_when_loading_breaks(
        self, profile: ProfileState, monkeypatch: pytest.MonkeyPatch
    ):
        await calls(ProfileState.load, profile)
        known = profile.profile

        async def breaks(*_: Any, **__: Any) -> None:
            raise RuntimeError

        monkeypatch.setattr(service, "own_profile", breaks)
        monkeypatch.setattr(shelf, "games_of", breaks)
        await calls(ProfileState.refresh, profile)
        assert profile.profile == known
        assert profile.notice["title"] == "games.not_loaded_title"
        assert profile.notice["text"] == "games.not_loaded_text"

    async def test_whose_games_could_not_be_read_says_so_until_they_can(
        self, profile: ProfileState, maja: Actor
    ):
        await has_games(maja, "minecraft")
        with pytest.MonkeyPatch.context() as broken:
            broken.setattr(shelf, "games_of", failing(RuntimeError))
            await calls(ProfileState.load, profile)
            assert (profile.has_games, profile.has_failed_games) == (False, True)
            assert profile.notice["title"] == "games.not_loaded_title"
        await calls(ProfileState.load, profile)
        assert (profile.has_games, profile.has_failed_games) == (True, False)
        assert [row["title"] for row in profile.shown_games] == ["Minecraft"]

    async def test_says_so_when_nothing_was_known_before_and_loads_once_it_can(
        self, page: Any, profile: ProfileState
    ):
        with pytest.MonkeyPatch.context() as broken:
            broken.setattr(service, "own_profile", failing(RuntimeError))
            assert await breaks(ProfileState.load, page)
        assert profile.profile == {}
        await calls(ProfileState.load, profile)
        assert profile.profile["display_name"] == "Maja"

    async def test_changes_and_removes_a_game(self, profile: ProfileState, maja: Actor):
        await has_games(maja, "minecraft")
        await calls(ProfileState.load, profile)
        game_id = UUID(profile.shown_games[0]["id"])
        await calls(ProfileState.ask_to_edit, profile, game_id=game_id)
        assert profile.asked == "edit"
        form = {"rating": "50", "achievements": "The dragon"}
        await calls(ProfileState.save_game, profile, game_id=game_id, form=form)
        assert profile.asked == ""
        assert profile.shown_games[0]["achievements"] == "The dragon"
        await calls(ProfileState.ask_to_remove, profile, game_id=game_id)
        await calls(ProfileState.remove_game, profile, game_id=game_id)
        assert (profile.asked, profile.shown_games) == ("", [])

    async def test_says_what_others_read_differently_in_each_text_of_a_game(
        self, profile: ProfileState, maja: Actor
    ):
        async with transaction() as session:
            form = {
                "title": "Tetris",
                "description": "Noob friendly, this map sucks",
                "achievements": "I WANT TO KILL MYSELF, you noob",
            }
            await shelf.add(session, maja, form, now=maja.signed_in_at)
        await calls(ProfileState.load, profile)
        [game] = profile.shown_games
        assert game["description"] == "Noob friendly, this map sucks"
        assert game["found"] == {
            "title": [],
            "platform": [],
            "description": [{"kind": "language", "words": "Noob, sucks"}],
            "achievements": [{"kind": "self_harm", "words": ""}],
        }

    async def test_says_nothing_of_our_own_words_in_a_game(
        self, profile: ProfileState, maja: Actor
    ):
        await has_games(maja, "call_of_duty")
        await calls(ProfileState.load, profile)
        assert not any(profile.shown_games[0]["found"].values())

    async def test_asks_nothing_about_a_game_that_is_not_there(self, profile: ProfileState):
        await calls(ProfileState.load, profile)
        await calls(ProfileState.ask_to_edit, profile, game_id=new_id())
        assert (profile.asked, profile.refusal["code"]) == ("", "games.unknown")


class TestAddingAGame:
    async def test_searches_titles_whatever_the_case(self, adding: AddGameState):
        await calls(AddGameState.search, adding, text=" LEGEND")
        assert adding.found == ["apex_legends", "league_of_legends"]
        await calls(AddGameState.search, adding, text="tetris")
        assert adding.found == []

    async def test_adds_what_was_chosen_and_leads_back(self, adding: AddGameState, maja: Actor):
        await calls(AddGameState.choose, adding, game="roblox")
        steps = await calls(AddGameState.add, adding, form={"title": "Ignored"})
        assert steps[-1] is not None
        assert adding.notice["title"] == "games.added_title"
        async with transaction() as session:
            assert [game.title for game in await shelf.games_of(session, maja)] == ["Roblox"]

    async def test_refuses_nothing_in_the_specifications_words(self, adding: AddGameState):
        await calls(AddGameState.add, adding, form={"title": " "})
        assert adding.notice["title"] == "games.nothing_chosen_title"
        assert adding.refusal["code"] == "games.nothing_chosen"

    async def test_refuses_games_that_there_are_not(self, adding: AddGameState):
        await calls(AddGameState.choose, adding, game="tetris")
        assert adding.refusal["code"] == BadArguments.code
        assert adding.chosen == ""

    @pytest.mark.parametrize("failure", [RuntimeError, StorageAway, StorageFull])
    async def test_says_so_when_it_breaks(
        self, adding: AddGameState, monkeypatch: pytest.MonkeyPatch, failure: type[Exception]
    ):
        async def breaks(*_: Any, **__: Any) -> None:
            raise failure

        monkeypatch.setattr(shelf, "add", breaks)
        await calls(AddGameState.add, adding, form={"title": "Tetris"})
        assert adding.notice["title"] == "games.not_added_title"
        assert adding.notice["text"] == "games.not_added_text"
        assert not adding.is_busy


async def opens(page: Any, address: str) -> PlayerState:
    page.router = RouterData.from_router_data({"asPath": address, "pathname": "/player"})
    state = await page.get_state(PlayerState)
    await calls(PlayerState.load, state)
    return state


async def another(name: str = "Eva") -> tuple[Actor, str]:
    actor = the_actor(await an_account(f"{uuid4().hex}@example.com", name=name))
    async with transaction() as session:
        return actor, await handles.handle_of(session, actor.user_id)


class TestAnotherPlayer:
    async def test_is_shown_by_handle(self, page: Any):
        eva, handle = await another()
        await has_games(eva, "fortnite")
        state = await opens(page, f"/player?name={handle}")
        assert (state.found, state.player["display_name"]) == ("shown", "Eva")
        assert [row["title"] for row in state.player_games] == ["Fortnite"]

    async def test_is_shown_no_more_once_its_owner_has_closed_it(self, page: Any):
        eva, handle = await another()
        state = await opens(page, f"/player?name={handle}")
        for is_public, found in ((False, "private"), (True, "shown")):
            async with transaction() as session:
                await service.open_or_close(session, eva, is_public=is_public, now=eva.signed_in_at)
            await calls(PlayerState.refresh, state)
            assert state.found == found
            assert bool(state.player) is is_public

    async def test_moves_with_what_they_earn(self, page: Any):
        eva, handle = await another()
        state = await opens(page, f"/player?name={handle}")
        await earns(eva, 10_000)
        await calls(PlayerState.refresh_figures, state)
        assert state.player["level"] > 1

    async def test_cares_for_its_owner_alone(self, page: Any):
        eva, handle = await another()
        state = await opens(page, f"/player?name={handle}")
        assert state._cares_for == str(eva.user_id)
        await opens(page, "/player?name=nobody-at-all")
        assert not tabs.concerns(a_browser().tab, {str(eva.user_id)})

    def test_is_looked_at_again_when_anything_of_it_may_be_different(self):
        [page] = [one for one in pages.pages([]) if one.path == PATH]
        assert {topic for topic, told in page.follows.items() if PlayerState.refresh in told} == {
            *(service.CHANGED, unlocking.UNLOCKED, guardians.CHANGED),
            *(restrictions.CHANGED, sessions.ACCOUNT_CHANGED),
        }

    async def test_that_is_private_tells_nothing(self, page: Any):
        eva, handle = await another()
        async with transaction() as session:
            await service.open_or_close(session, eva, is_public=False, now=eva.signed_in_at)
        state = await opens(page, f"/player?name={handle}")
        assert (state.found, state.player, state.player_games) == ("private", {}, [])

    @pytest.mark.parametrize("address", ["/player", "/player?name=", "/player?name=nobody-at-all"])
    async def test_that_there_is_not_is_missing(self, page: Any, address: str):
        state = await opens(page, address)
        assert (state.found, state.player) == ("missing", {})


class TestTheMoment:
    async def test_comes_to_one_tab_once(self, page: Any, maja: Actor, profile: ProfileState):
        await watches(maja, await an_ad())
        await calls(ProfileState.load, profile)
        first = await page.get_state(MomentState)
        second = await a_page().get_state(MomentState)
        for state in (first, second):
            await calls(MomentState.look, state)
            assert state.moments_waiting == 1
        await calls(MomentState.celebrate, first)
        await calls(MomentState.celebrate, second)
        assert (first.won, second.won) == (["first_watch"], [])
        assert first.moment_id
        assert (first.moments_waiting, second.moments_waiting, second.moment_id) == (0, 0, "")
