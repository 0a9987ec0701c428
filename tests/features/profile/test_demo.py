"""The demo's profiles: games and words to look at, and an achievement that is one game away."""

import pytest

from rewards_app.core.actor import Actor, Role
from rewards_app.core.clock import utc_now
from rewards_app.core.database import transaction
from rewards_app.features.accounts import repository as accounts
from rewards_app.features.profile import demo, service, shelf, unlocking
from rewards_app.features.profile.achievements import Achievement
from rewards_app.features.profile.service import PublicProfile
from tests.ads import the_actor

pytestmark = pytest.mark.usefixtures("database")


@pytest.fixture
def template(demo: str) -> str:
    return demo


@pytest.fixture
async def player() -> Actor:
    async with transaction() as session:
        account = await accounts.account_by_email(session, f"{Role.PLAYER}@demo.watchcoins.example")
    assert account
    return the_actor(account)


async def seen_by(player: Actor, handle: str) -> PublicProfile:
    found = await service.public_profile(player, handle, now=utc_now())
    assert found
    return found


class TestTheDemosPlayer:
    async def test_has_words_and_games_that_others_see_as_they_are(self, player: Actor):
        found = await seen_by(player, demo.THE_PLAYER)
        assert found.bio.text == demo.SHOWN[demo.THE_PLAYER].bio
        assert [seen.game.title for seen in found.games] == ["Harbour Nights", "Minecraft"]

    async def test_has_celebrated_what_the_past_unlocked(self, player: Actor):
        found = await seen_by(player, demo.THE_PLAYER)
        assert set(found.unlocked) == {Achievement.FIRST_WATCH, Achievement.FIRST_REWARD}
        assert not await unlocking.waiting(player.user_id)

    async def test_unlocks_another_one_with_the_next_game(self, player: Actor):
        async with transaction() as session:
            await shelf.add(session, player, {"game": "fortnite"}, now=utc_now())
        assert await unlocking.waiting(player.user_id) == 1


class TestThoseWhomTheyMeet:
    async def test_all_have_pages_with_games(self, player: Actor):
        for handle in demo.SHOWN:
            assert (await seen_by(player, handle)).games

    async def test_have_reached_what_their_streaks_are_worth(self, player: Actor):
        found = await seen_by(player, "demo_novafalke")
        assert found.streak >= 30
        assert found.rank == 1
        assert Achievement.SEVEN_IN_A_ROW in found.unlocked
        assert Achievement.CENTURY in found.unlocked
