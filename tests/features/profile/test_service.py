"""A player's profile on a real database: what they see, what others do, what is changed."""

import asyncio
from datetime import timedelta
from uuid import UUID, uuid4

import pytest

from rewards_app.core.actor import Actor, Role
from rewards_app.core.database import transaction
from rewards_app.core.errors import DomainError, SessionEnded, TooManyAttempts
from rewards_app.core.ids import new_id
from rewards_app.features.accounts import closing, handles, name_rules, restrictions
from rewards_app.features.accounts.restriction_rules import Kind as Restriction
from rewards_app.features.ads import repository as ad_views
from rewards_app.features.advertiser.fields import TooLong
from rewards_app.features.guardians.rules import ConsentNeeded, Status
from rewards_app.features.leaderboard import service as leaderboard
from rewards_app.features.profile import games, rules, service, shelf, written
from rewards_app.features.profile.service import OwnProfile, PublicProfile
from rewards_app.features.shop import service as shop
from tests.ads import an_ad, starts, the_actor, watches
from tests.guardians import has_consent, has_told, is_born
from tests.paying import ask
from tests.people import NOON, an_account
from tests.shop import PRICE, THE_PACKAGE, buys, earns, stock
from tests.waiting import are_waiting

pytestmark = pytest.mark.usefixtures("database")


async def somebody(name: str = "Maja", role: Role = Role.PLAYER) -> Actor:
    """With a handle, as everybody who signed up."""
    return the_actor(await an_account(f"{uuid4().hex}@example.com", role, name=name))


async def profile_of(actor: Actor) -> OwnProfile:
    async with transaction() as session:
        return await service.own_profile(session, actor, now=NOON)


async def sees(actor: Actor, handle: str) -> PublicProfile | None:
    return await service.public_profile(actor, handle, now=NOON)


async def handle_of(actor: Actor) -> str:
    async with transaction() as session:
        return await handles.handle_of(session, actor.user_id)


async def describes(actor: Actor, name: str = "Maja", bio: str = "") -> None:
    async with transaction() as session:
        form = {"display_name": name, "bio": bio}
        await service.describe(session, actor, form, now=NOON)


async def closes(actor: Actor) -> None:
    async with transaction() as session:
        await service.open_or_close(session, actor, is_public=False, now=NOON)


async def opens(actor: Actor) -> None:
    async with transaction() as session:
        await service.open_or_close(session, actor, is_public=True, now=NOON)


async def adds(actor: Actor, **form: str) -> UUID:
    async with transaction() as session:
        return await shelf.add(session, actor, form, now=NOON)


async def changes(actor: Actor, game_id: UUID, **form: str) -> None:
    async with transaction() as session:
        await shelf.change(session, actor, game_id, form, now=NOON)


async def removes(actor: Actor, game_id: UUID) -> None:
    async with transaction() as session:
        await shelf.remove(session, actor, game_id, now=NOON)


async def games_of(actor: Actor) -> list[tuple[str, int | None, str]]:
    async with transaction() as session:
        found = await shelf.games_of(session, actor)
    return [(game.title, game.rating_tenths, game.achievements) for game in found]


class TestOnesOwn:
    async def test_of_a_newcomer_is_empty_and_public(self):
        own = await profile_of(await somebody())
        assert (own.bio, own.is_public, own.spent, own.expired) == ("", True, 0, 0)
        assert own.standing.rank is None
        assert {one.unlocked_at for one in own.achievements} == {None}
        assert (
            written.activity_rows(own.watched, own.buys) == [written.activity_rows([], [])[0]] * 4
        )

    async def test_tells_what_was_earned_watched_and_spent(self):
        maja = await somebody()
        ad = await an_ad(title="Drift One", reward=15)
        for minutes in (0, 5, 10):
            await watches(maja, ad, now=NOON + timedelta(minutes=minutes))
        await earns(maja, PRICE)
        await stock(1)
        await buys(maja, PRICE)
        await leaderboard.fold(now=NOON)
        own = await profile_of(maja)
        assert (own.balance.total, own.spent, own.balance.balance) == (45 + PRICE, PRICE, 45)
        assert (own.standing.rank, own.standing.players) == (1, 1)
        assert [(one.title, one.coins) for one in own.watched] == [("Drift One", 15)] * 2
        assert [(one.product_name, one.coins) for one in own.buys] == [("1000 V-Bucks", PRICE)]
        watched, _, bought, nothing = written.activity_rows(own.watched, own.buys)
        assert (watched["what"], bought["what"], nothing["what"]) == ("watched", "bought", "")
        assert watched["coins"] == 15
        assert (bought["amount"], bought["title"], bought["coins"]) == (1000, "V-Bucks", -PRICE)

    async def test_tells_the_two_ads_watched_last_the_latest_first(self):
        maja = await somebody()
        for minutes, title in enumerate(("Drift One", "Hexhaven", "Winter Cup")):
            await watches(maja, await an_ad(title=title), now=NOON + timedelta(minutes=minutes))
        await starts(maja, await an_ad(title="Lumen 75"), now=NOON + timedelta(minutes=5))
        own = await profile_of(maja)
        assert [one.title for one in own.watched] == ["Winter Cup", "Hexhaven"]

    async def test_tells_an_ad_that_was_watched_to_its_end_for_nothing_without_an_amount(self):
        maja = await somebody()
        await watches(maja, await an_ad(title="Drift One", reward=15))
        late = NOON + timedelta(minutes=5)
        view = await starts(maja, await an_ad(title="Hexhaven"), now=late)
        async with transaction() as session:
            await ad_views.count_refused(session, maja.user_id, view.view_id, now=late)
        own = await profile_of(maja)
        assert [(one.title, one.coins) for one in own.watched] == [
            ("Hexhaven", 0),
            ("Drift One", 15),
        ]

    async def test_tells_the_newest_first_whether_watched_or_bought(self):
        maja = await somebody()
        ad = await an_ad()
        await earns(maja, PRICE)
        await stock(1)
        await watches(maja, ad, now=NOON - timedelta(days=7))
        await buys(maja, PRICE)
        await watches(maja, ad, now=NOON + timedelta(minutes=5))
        own = await profile_of(maja)
        rows = written.activity_rows(own.watched, own.buys)
        assert [row["what"] for row in rows] == ["watched", "bought", "watched", ""]

    async def test_tells_the_two_things_bought_last_the_latest_first(self):
        maja = await somebody()
        await earns(maja, 1000)
        for package_id, price in (("robux-400", 45), (THE_PACKAGE, PRICE), ("robux-800", 89)):
            await stock(1, package_id)
            await buys(maja, price, package_id)
        await stock(1)
        given_up = await buys(maja, 1)
        await shop.cancel(maja, given_up.purchase_id)
        own = await profile_of(maja)
        assert [one.product_name for one in own.buys] == ["800 Robux", "1000 V-Bucks"]

    async def test_tells_how_far_achievements_are(self):
        maja = await somebody()
        await watches(maja, await an_ad())
        progress = {
            one.achievement.value: one.progress for one in (await profile_of(maja)).achievements
        }
        assert (progress["century"], progress["full_house"], progress["living_legend"]) == (1, 1, 1)

    async def test_knows_the_best_day_of_the_past(self, database: str):
        maja = await somebody()
        ad = await an_ad()
        yesterday = NOON - timedelta(days=1)
        for minutes in (0, 1, 2):
            await watches(maja, ad, now=yesterday + timedelta(minutes=minutes))
        await watches(maja, ad)
        best = next(
            one.progress
            for one in (await profile_of(maja)).achievements
            if one.achievement == "full_house"
        )
        assert best == 3


class TestDescribing:
    async def test_keeps_the_name_and_the_bio(self):
        maja = await somebody()
        await describes(maja, "Maja Lindqvist", "Support main.\nEvenings.")
        own = await profile_of(maja)
        assert (own.account.display_name, own.bio) == ("Maja Lindqvist", "Support main.\nEvenings.")

    async def test_leaves_username_and_handle_as_they_were(self):
        maja = await somebody()
        before = await handle_of(maja)
        await describes(maja, "Somebody Else")
        assert (await profile_of(maja)).account.username == "Maja"
        assert await handle_of(maja) == before

    @pytest.mark.parametrize(
        ("name", "refused"),
        [
            ("", name_rules.NameLength),
            ("x" * 41, name_rules.NameLength),
            ("x" * 100_000, name_rules.NameLength),
            ("An\u202ena", name_rules.NameUnreadable),
            ("WatchCoins Team", name_rules.NameReserved),
            ("P\u0430l", name_rules.NameMixesAlphabets),
            ("You idiot", name_rules.NameNotNice),
        ],
    )
    async def test_refuses_a_bad_name_beside_its_field_and_keeps_nothing(
        self, name: str, refused: type[DomainError]
    ):
        maja = await somebody()
        with pytest.raises(refused) as refusal:
            await describes(maja, name, "A new bio")
        assert refusal.value.params["field"] == "display_name"
        own = await profile_of(maja)
        assert (own.account.display_name, own.bio) == ("Maja", "")

    async def test_of_a_closed_account_stays_as_it_was_closed(self, database: str):
        maja = await somebody()
        async with transaction() as session:
            await closing.close(session, maja.user_id, now=NOON)
            await session.flush()
            saving = asyncio.create_task(describes(maja, "Somebody Else", "Here again"))
            opening = asyncio.create_task(opens(maja))
            await are_waiting(database, 2)
        for late in (saving, opening):
            with pytest.raises(SessionEnded):
                await late
        kept = "select display_name from accounts union all select bio from profiles"
        assert set(ask(database, kept)) <= {("",)}

    async def test_refuses_a_long_bio_and_keeps_the_name(self):
        maja = await somebody()
        with pytest.raises(TooLong):
            await describes(maja, "Another", "x" * 301)
        assert (await profile_of(maja)).account.display_name == "Maja"

    async def test_tells_its_owner_what_others_do_not_read(self):
        maja = await somebody()
        await describes(maja, bio="No noob here")
        own = await profile_of(maja)
        assert own.bio == "No noob here"
        assert [found.kind for found in own.violations] == ["language"]

    async def test_is_not_done_in_a_loop(self):
        maja = await somebody()
        for number in range(120):
            async with transaction() as session:
                is_public = number % 2 == 0
                await service.open_or_close(session, maja, is_public=is_public, now=NOON)
        with pytest.raises(TooManyAttempts):
            await describes(maja, "Somebody Else")
        assert (await profile_of(maja)).account.display_name == "Maja"

    async def test_keeps_markup_as_text(self):
        maja = await somebody()
        await describes(maja, bio="<script>alert(1)</script>")
        assert (await profile_of(maja)).bio == "<script>alert(1)</script>"


class TestWhatOthersSee:
    async def test_is_name_level_rank_games_and_moderated_words(self):
        maja, eva = await somebody("Maja"), await somebody("Eva")
        await describes(maja, "Maja Lindqvist", "What a noob")
        await adds(maja, game="minecraft")
        await adds(maja, title="My stupid game", description="Hack coins: click here for more")
        await watches(maja, await an_ad())
        await leaderboard.fold(now=NOON)
        seen = await sees(eva, await handle_of(maja))
        assert seen is not None
        assert (seen.name, seen.level, seen.rank, seen.is_own) == ("Maja Lindqvist", 1, 1, False)
        assert "noob" not in seen.bio.text
        own_one, minecraft = [written.seen_game_row(game) for game in seen.games]
        assert "stupid" not in own_one["title"]
        assert (own_one["description"], own_one["description_removed"]) == ("", "scam")
        assert (minecraft["title"], minecraft["id"]) == ("Minecraft", "")

    async def test_never_tells_the_email_or_the_coins(self):
        maja, eva = await somebody("Maja"), await somebody("Eva")
        seen = await sees(eva, await handle_of(maja))
        assert seen
        assert maja.email not in str(seen)
        assert not {"balance", "email", "spent", "total"} & set(written.public_card(seen))

    async def test_is_nothing_where_it_is_private(self):
        maja, eva = await somebody("Maja"), await somebody("Eva")
        await describes(maja, bio="Secret words")
        await adds(maja, game="minecraft")
        await closes(maja)
        seen = await sees(eva, await handle_of(maja))
        assert seen
        assert seen.is_private
        assert (seen.name, seen.games, seen.bio.text, seen.rank) == ("", [], "", None)

    async def test_is_shown_to_its_owner_even_when_private(self):
        maja = await somebody()
        await closes(maja)
        seen = await sees(maja, await handle_of(maja))
        assert seen
        assert (seen.is_own, seen.is_private, seen.name) == (True, True, "Maja")

    async def test_is_not_there_for_a_suspended_player(self):
        maja, eva = await somebody("Maja"), await somebody("Eva")
        async with transaction() as session:
            await restrictions.begin(
                session, maja.user_id, Restriction.SUSPENDED, "Forged.", by=None, now=NOON
            )
        assert await sees(eva, await handle_of(maja)) is None

    @pytest.mark.parametrize("role", [Role.COMPANY, Role.ADMIN])
    async def test_is_not_there_for_who_does_not_play(self, role: Role):
        other, eva = await somebody("Fjord", role), await somebody("Eva")
        assert await sees(eva, await handle_of(other)) is None

    @pytest.mark.parametrize(
        "handle", ["", "nobody", "x" * 31, "x" * 100_000, "' or 1=1 --", "a\0"]
    )
    async def test_is_not_there_for_a_handle_that_nobody_has(self, handle: str):
        assert await sees(await somebody(), handle) is None

    async def test_is_found_whatever_the_case_of_the_handle(self):
        maja, eva = await somebody("Maja"), await somebody("Eva")
        assert await sees(eva, (await handle_of(maja)).upper())


class TestModeration:
    async def test_is_asked_once_however_many_read_a_profile(self):
        maja, eva, lars = [await somebody(name) for name in ("Maja", "Eva", "Lars")]
        await fills_a_shelf(maja, 5)
        first = await sees(eva, await handle_of(maja))
        assert first
        asked_before = rules.moderated.cache_info().misses
        assert await sees(lars, await handle_of(maja)) == first
        await shelf.own_games(maja)
        await profile_of(maja)
        assert rules.moderated.cache_info().misses == asked_before

    async def test_is_asked_again_of_what_has_changed(self):
        maja, eva = await somebody("Maja"), await somebody("Eva")
        game_id = await adds(maja, title="Chess", description="For the quiet")
        await sees(eva, await handle_of(maja))
        await changes(maja, game_id, title="Chess", description="what a noob")
        seen = await sees(eva, await handle_of(maja))
        assert seen
        assert seen.games[0].description.text == "what a ****"

    @pytest.mark.parametrize("is_own", [False, True])
    async def test_of_a_long_shelf_lets_others_have_their_turn(self, is_own: bool):
        maja, eva = await somebody("Maja"), await somebody("Eva")
        handle, count = await handle_of(maja), 8
        await fills_a_shelf(maja, count)
        asked: set[int] = set()
        reading = asyncio.create_task(shelf.own_games(maja) if is_own else sees(eva, handle))
        while not reading.done():
            asked.add(rules.moderated.cache_info().misses)
            await asyncio.sleep(0)
        assert len(asked) > count


async def fills_a_shelf(actor: Actor, count: int) -> None:
    """With texts that nobody has read before."""
    for number in range(count):
        name = f"{number} of {uuid4().hex[:20]}"
        await adds(actor, title=name, description=f"what a noob in {name}", achievements=name * 2)


class TestTheShelf:
    async def test_shows_the_newest_game_first(self):
        maja = await somebody()
        await adds(maja, game="fortnite")
        await adds(maja, title="Tetris")
        assert [title for title, *_ in await games_of(maja)] == ["Tetris", "Fortnite"]

    @pytest.mark.parametrize("again", [{"game": "fortnite"}, {"title": "FORTNITE "}])
    async def test_takes_no_game_twice(self, again: dict[str, str]):
        maja = await somebody()
        await adds(maja, game="fortnite")
        with pytest.raises(games.GameTwice):
            await adds(maja, **again)
        assert len(await games_of(maja)) == 1

    async def test_holds_fifty_games(self):
        maja = await somebody()
        for number in range(games.MOST_GAMES):
            await adds(maja, title=f"Game {number}")
        with pytest.raises(games.TooManyGames):
            await adds(maja, title="One more")

    async def test_keeps_what_was_won_and_rated(self):
        maja = await somebody()
        game_id = await adds(maja, game="fortnite")
        await changes(maja, game_id, rating="30", achievements="Crown win", title="Other")
        assert await games_of(maja) == [("Fortnite", 30, "Crown win")]

    async def test_gives_a_game_of_the_catalogue_its_own_rating_back(self):
        maja = await somebody()
        game_id = await adds(maja, game="roblox")
        await changes(maja, game_id, rating="10")
        await changes(maja, game_id, rating="")
        assert await games_of(maja) == [("Roblox", 44, "")]

    async def test_changes_ones_own_game_as_a_whole(self):
        maja = await somebody()
        game_id = await adds(maja, title="Tetris", rating="50")
        await changes(maja, game_id, title="Tetris 2", achievements="Four at once")
        assert await games_of(maja) == [("Tetris 2", None, "Four at once")]

    async def test_gives_no_game_the_name_of_another(self):
        maja = await somebody()
        await adds(maja, game="fortnite")
        game_id = await adds(maja, title="Tetris")
        with pytest.raises(games.GameTwice):
            await changes(maja, game_id, title="fortnite")

    async def test_is_emptied_by_its_owner(self):
        maja = await somebody()
        await removes(maja, await adds(maja, game="fortnite"))
        assert await games_of(maja) == []

    async def test_of_others_is_out_of_reach(self):
        maja, eva = await somebody("Maja"), await somebody("Eva")
        game_id = await adds(maja, title="Tetris")
        for act in (changes(eva, game_id, title="Mine"), removes(eva, game_id)):
            with pytest.raises(games.UnknownGame):
                await act
        with pytest.raises(games.UnknownGame):
            await removes(maja, new_id())
        assert await games_of(maja) == [("Tetris", None, "")]

    async def test_takes_a_game_once_from_two_tabs_at_once(self, database: str):
        maja = await somebody()
        done = await asyncio.gather(
            *(adds(maja, title="Tetris") for _ in range(5)), return_exceptions=True
        )
        assert sum(isinstance(one, UUID) for one in done) == 1
        assert ask(database, "select count(*) from user_games") == [(1,)]


class TestUnderSixteen:
    async def a_young_player(self) -> Actor:
        maja = await somebody()
        await is_born(maja, "2011-05-17")
        return maja

    async def opens(self, actor: Actor) -> None:
        async with transaction() as session:
            await service.open_or_close(session, actor, is_public=True, now=NOON)

    async def test_is_private_until_a_guardian_has_said_yes(self):
        maja, eva = await self.a_young_player(), await somebody("Eva")
        seen = await sees(eva, await handle_of(maja))
        assert seen is not None
        assert (seen.is_private, seen.name) == (True, "")
        own = await profile_of(maja)
        assert (own.is_public, own.waits_for_guardian) == (False, True)

    async def test_cannot_be_opened_before(self):
        maja = await self.a_young_player()
        with pytest.raises(ConsentNeeded):
            await self.opens(maja)

    async def test_is_as_its_owner_chose_with_consent(self):
        maja, eva = await self.a_young_player(), await somebody("Eva")
        await has_consent(maja)
        await self.opens(maja)
        seen = await sees(eva, await handle_of(maja))
        assert seen is not None
        assert not seen.is_private

    async def test_is_private_again_once_consent_is_withdrawn(self):
        maja, eva = await self.a_young_player(), await somebody("Eva")
        await has_consent(maja, Status.WITHDRAWN)
        seen = await sees(eva, await handle_of(maja))
        assert seen is not None
        assert seen.is_private


class TestOfWhomNoBirthDateIsKnown:
    @pytest.mark.parametrize(("sign_up_age", "is_private"), [(None, True), (15, True), (16, False)])
    async def test_is_private_unless_they_said_to_be_old_enough(
        self, sign_up_age: int | None, is_private: bool
    ):
        maja, eva = await somebody(), await somebody("Eva")
        await has_told(maja, sign_up_age=sign_up_age)
        seen = await sees(eva, await handle_of(maja))
        assert seen is not None
        assert (seen.is_private, seen.name) == (is_private, "" if is_private else "Maja")
        own = await profile_of(maja)
        assert (own.is_public, own.waits_for_guardian) == (not is_private, sign_up_age == 15)

    async def test_is_open_once_they_have_said_when_they_were_born(self):
        maja, eva = await somebody(), await somebody("Eva")
        await has_told(maja, sign_up_age=None)
        await is_born(maja, "2001-07-09")
        seen = await sees(eva, await handle_of(maja))
        assert seen is not None
        assert not seen.is_private
