"""Profiles of others are out of reach, and no argument brings more than a refusal."""

from typing import Any
from uuid import UUID

import pytest

from rewards_app.core.clock import utc_now
from rewards_app.core.database import transaction
from rewards_app.core.ids import new_id
from rewards_app.features.profile import shelf
from tests.ads import the_actor
from tests.hostile.bad_arguments import PLANTED, are_refused
from tests.hostile.client import APP, Browser
from tests.hostile.evidence import Vault
from tests.hostile.handlers import short
from tests.hostile.identities import IDENTITIES, Person, a_new_email
from tests.people import an_account
from tests.serving import Served

_OF = f"{APP}.rewards_app___features___profile"
PROFILE = f"{_OF}___state____profile_state"
ADDING = f"{_OF}___add_game_state____add_game_state"
PLAYER = f"{_OF}___player_state____player_state"
MOMENT = f"{_OF}___moment_state____moment_state"
ALL_THAT_IS_KEPT = """
select md5(coalesce(string_agg(line, '|' order by line), '')) from (
    select profiles::text as line from profiles union all
    select user_games::text from user_games union all
    select unlocked_achievements::text from unlocked_achievements union all
    select id || display_name from accounts union all
    select account_handles::text from account_handles
) as lines
"""
NO_IDENTIFIERS = (5, None, "x", [PLANTED], {"$gt": ""}, "0" * 36)
NO_FORMS = (PLANTED, 5, None, {"bio": 5}, {"bio": ["x"]}, {"bio": "a\0"}, {"bio": "x" * 100_000})
CALLS: dict[str, dict[str, Any]] = {
    f"{PROFILE}.save": {"form": {"display_name": PLANTED, "bio": PLANTED}},
    f"{PROFILE}.open_or_close": {"is_public": False},
    f"{PROFILE}.save_game": {"game_id": str(UUID(int=7)), "form": {"title": PLANTED}},
    f"{PROFILE}.remove_game": {"game_id": str(UUID(int=7))},
    f"{ADDING}.add": {"form": {"title": PLANTED}},
    f"{ADDING}.choose": {"game": "roblox"},
    f"{MOMENT}.celebrate": {},
}
BAD: dict[str, list[dict[str, Any]]] = {
    f"{PROFILE}.save": [{"form": value} for value in NO_FORMS],
    f"{ADDING}.add": [{"form": value} for value in NO_FORMS],
    f"{PROFILE}.open_or_close": [{"is_public": value} for value in (1, "true", None, [])],
    **{
        f"{PROFILE}.{handler}": [{"game_id": value} for value in NO_IDENTIFIERS]
        for handler in ("ask_to_edit", "ask_to_remove", "remove_game")
    },
    f"{PROFILE}.save_game": [{"game_id": value, "form": {}} for value in NO_IDENTIFIERS],
    f"{ADDING}.choose": [{"game": value} for value in (5, None, "tetris", "x" * 301, ["roblox"])],
    f"{ADDING}.search": [{"text": value} for value in (5, None, "x" * 301, ["x"])],
}
TOO_MUCH = (
    {"display_name": "Eva", "bio": "x" * 20_000},
    {"display_name": "x" * 20_000, "bio": ""},
    {"display_name": "moderator", "bio": ""},
    {"display_name": "", "bio": ""},
    {},
)


@pytest.fixture
async def nothing_changes(vault: Vault, eva: Person) -> Any:
    before = vault.one(ALL_THAT_IS_KEPT)
    yield
    assert vault.one(ALL_THAT_IS_KEPT) == before


@pytest.mark.usefixtures("nothing_changes")
class TestBadArguments:
    @pytest.fixture
    def eva(self, eva_all_along: Person) -> Person:
        return eva_all_along

    @pytest.mark.parametrize("name", BAD, ids=short)
    async def test_are_refused(self, eva: Person, vault: Vault, name: str):
        await are_refused(
            eva.browser,
            "/profile",
            name,
            [*BAD[name], {"role": "admin"}],
            kept=lambda: vault.one(ALL_THAT_IS_KEPT),
            is_told_more=True,
        )

    @pytest.mark.parametrize("form", TOO_MUCH, ids=range(len(TOO_MUCH)))
    async def test_that_are_too_much_are_refused_beside_the_field(self, eva: Person, form: Any):
        async with eva.browser.tab("/profile") as tab:
            await tab.call(f"{PROFILE}.edit")
            await tab.call(f"{PROFILE}.save", {"form": form})
            assert tab.says("refusal")["params"]["field"] in ("display_name", "bio")
            assert tab.says("is_editing") is True


class TestOthers:
    @pytest.mark.parametrize(
        "identity", [i for i in IDENTITIES if i not in ("player", "moderator")]
    )
    @pytest.mark.parametrize("name", CALLS, ids=short)
    async def test_who_do_not_play_change_nothing(
        self, known: dict[str, Browser], vault: Vault, identity: str, name: str
    ):
        before = vault.one(ALL_THAT_IS_KEPT)
        async with known[identity].tab("/profile") as tab:
            answer = await tab.call(name, CALLS[name])
        assert answer.refused_as in ("not_allowed", "session_expired", "")
        assert answer.refused_as or answer.is_silence or answer.events
        assert vault.one(ALL_THAT_IS_KEPT) == before

    async def test_reach_no_game_of_somebody_else(self, beside: Served, eva: Person, vault: Vault):
        maja = the_actor(await an_account(a_new_email(), name="Maja", now=utc_now()))
        async with transaction() as session:
            game_id = await shelf.add(session, maja, {"title": PLANTED}, now=utc_now())
        async with eva.browser.tab("/profile") as tab:
            for handler, more in (
                ("ask_to_edit", {}),
                ("ask_to_remove", {}),
                ("save_game", {"form": {"title": "Mine"}}),
                ("remove_game", {}),
            ):
                for wanted in (game_id, new_id()):
                    payload = {"game_id": str(wanted), **more}
                    answer = await tab.call(f"{PROFILE}.{handler}", payload)
                    assert answer.refused_as == "games.unknown"
            assert PLANTED not in tab.everything()
        assert vault.one("select title from user_games where id = %s", game_id) == PLANTED

    @pytest.mark.parametrize("name", ["x" * 5_000, "%27%20or%201=1", "../admin", "%00", "%F0%9F"])
    async def test_are_not_found_by_strange_names(self, eva: Person, name: str):
        async with eva.browser.tab(f"/player?name={name}") as tab:
            await tab.call(f"{PLAYER}.load")
            assert tab.says("found") == "missing"
