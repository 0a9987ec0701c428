"""A player's profile: described, filled with games, opened to others, and its moments."""

import re

from playwright.async_api import Locator, expect

from rewards_app.core import live
from rewards_app.core.actor import Actor
from rewards_app.core.clock import utc_now
from rewards_app.core.database import transaction
from rewards_app.features.accounts import handles
from rewards_app.features.coins import service as coins
from rewards_app.features.coins.rules import Kind
from rewards_app.features.profile import service, shelf
from tests.ads import the_actor
from tests.browser.chromium import DESK, PHONE, Visitor
from tests.browser.conftest import Come, MakePerson, Person
from tests.browser.moments import FRESH, comes_to_show, shown, within
from tests.browser.pages import Screen, tab_to
from tests.browser.test_accessibility import has_no_violations, one_following_the_system
from tests.browser.test_layout import spilled_in

WITHIN_A_SWEEP = 30_000
CARD = "element.querySelector('.moment-card')"
SCRIPT = "<img src=x onerror=alert(1)>"


class Profile(Screen):
    async def opens(self) -> None:
        await self.page.goto("/profile")
        await self.is_loaded()

    async def is_loaded(self) -> None:
        await expect(self.heading("profile.gaming")).to_be_visible()
        await expect(self.main.get_by_role("progressbar").first).to_be_visible()

    @property
    def name(self) -> Locator:
        return self.page.get_by_role("heading", level=1)

    @property
    def games(self) -> Locator:
        return self.main.get_by_role("heading", level=4)

    @property
    def moment(self) -> Locator:
        return self.page.locator(".moment-card")

    def on_game(self, key: str, title: str) -> Locator:
        name = self.says[key].replace("{{title}}", title)
        return self.page.get_by_role("button", name=name, exact=True)


async def the_owner(person: Person) -> Actor:
    async with transaction() as session:
        account = await handles.account_of(session, await handle_of(person))
    assert account
    return the_actor(account)


async def handle_of(person: Person) -> str:
    async with transaction() as session:
        return await handles.handle_of(session, person.account_id)


async def has_games(person: Person, *games: dict[str, str]) -> None:
    actor = await the_owner(person)
    async with transaction() as session:
        for game in games:
            await shelf.add(session, actor, game, now=utc_now())
    await live.tell_now()


async def describes(person: Person, name: str, bio: str) -> None:
    actor = await the_owner(person)
    async with transaction() as session:
        form = {"display_name": name, "bio": bio}
        await service.describe(session, actor, form, now=utc_now())
    await live.tell_now()


async def earns(person: Person, amount: int) -> None:
    async with transaction() as session:
        cause = f"test:{person.account_id}:{amount}"
        await coins.credit(
            session, person.account_id, amount, Kind.AD, cause, subject="Drift One", now=utc_now()
        )
    await live.tell_now()


async def reads(visitor: Visitor, person: Person) -> Profile:
    await visitor.comes_with(person.session)
    profile = Profile(visitor.page)
    await profile.opens()
    return profile


class TestDescribing:
    async def test_shows_the_new_name_at_once_and_keeps_what_was_refused(
        self, come: Come, maja: Person
    ):
        profile = await reads(await come(), maja)
        await expect(profile.name).to_have_text("Maja")
        await profile.button("profile.edit").click()
        await expect(profile.field("profile.username")).not_to_be_editable()
        await expect(profile.field("profile.email")).not_to_be_editable()
        await profile.field("profile.display_name").fill("WatchCoins Team")
        await profile.field("profile.your_bio").fill("Support main.")
        await profile.button("profile.save").click()
        await expect(profile.field("profile.display_name")).to_have_attribute(
            "aria-invalid", "true"
        )
        await expect(profile.field("profile.your_bio")).to_have_value("Support main.")

        await profile.field("profile.display_name").fill("Maja Lindqvist")
        await profile.button("profile.save").click()
        await profile.sees_toast("Changes saved successfully")
        await expect(profile.name).to_have_text("Maja Lindqvist")
        await expect(profile.text("Support main.")).to_be_visible()

    async def test_is_given_up_without_a_trace(self, come: Come, maja: Person):
        profile = await reads(await come(), maja)
        await profile.button("profile.edit").click()
        await profile.field("profile.display_name").fill("Somebody Else")
        await profile.button("ui.cancel").click()
        await expect(profile.name).to_have_text("Maja")

    async def test_tells_what_others_do_not_read(self, come: Come, maja: Person):
        profile = await reads(await come(), maja)
        await profile.button("profile.edit").click()
        await profile.field("profile.your_bio").fill("No noob here")
        await profile.button("profile.save").click()
        await expect(profile.text("Others read this differently:")).to_be_visible()
        await expect(profile.text("Inappropriate language: noob")).to_be_visible()

    async def test_leads_to_help_and_promises_nobody_where_others_do_not_see_it(
        self, come: Come, maja: Person
    ):
        await has_games(maja, {"title": "Tetris", "description": "I want to kill myself"})
        profile = await reads(await come(), maja)
        await profile.button("profile.edit").click()
        await profile.field("profile.your_bio").fill("I want to kill myself")
        await profile.button("profile.save").click()
        await expect(profile.text("Others do not see this.")).to_have_count(2)
        await expect(profile.text("You are not alone")).to_have_count(2)
        await expect(profile.main).not_to_contain_text("A moderator reads this first")

    async def test_shows_markup_as_it_was_typed(self, come: Come, maja: Person):
        profile = await reads(await come(), maja)
        await profile.button("profile.edit").click()
        await profile.field("profile.your_bio").fill(SCRIPT)
        await profile.button("profile.save").click()
        await expect(profile.text(SCRIPT)).to_be_visible()

    async def test_reaches_the_other_tabs(self, come: Come, maja: Person):
        profile = await reads(await come(), maja)
        async with within(FRESH, shown(profile.name, "Maja the Second")):
            await describes(maja, "Maja the Second", "")


class TestGames:
    async def test_tell_what_others_read_differently(self, come: Come, maja: Person):
        game = {"title": "Tetris", "description": "Noob friendly", "achievements": "You noob"}
        await has_games(maja, game)
        profile = await reads(await come(), maja)
        await expect(profile.text("Noob friendly")).to_be_visible()
        await expect(profile.text("Others read this differently:")).to_have_count(2)
        await expect(profile.text("Inappropriate language: Noob")).to_be_visible()

    async def test_are_added_from_the_list_and_described_by_hand(self, come: Come, maja: Person):
        profile = await reads(await come(), maja)
        await profile.link("profile.add_first_game").click()
        await profile.is_at("/add-game")
        radios = profile.main.get_by_role("radio")
        await expect(radios).to_have_count(10)
        await profile.button("games.add").click()
        await profile.sees_toast(
            "Please select or create a game",
            "You need to either select a game from the list or fill in custom game details",
        )
        await profile.field("games.search").fill("MINE")
        await expect(radios).to_have_count(1)
        await profile.main.get_by_role("radio", name=re.compile("Minecraft")).check()
        await expect(profile.text("You chose Minecraft.")).to_be_visible()
        await profile.button("games.add").click()
        await profile.is_at("/profile")
        await profile.sees_toast("Game Added Successfully")
        await expect(profile.games).to_have_text(["Minecraft"])

        await profile.link("profile.add_game").click()
        await profile.field("games.title").fill("Skogens Väktare")
        await profile.field("games.platform").fill("PC")
        await profile.field("games.your_achievements").fill("All 42 mushrooms")
        await profile.button("games.add").click()
        await profile.is_at("/profile")
        await expect(profile.games).to_have_text(["Skogens Väktare", "Minecraft"])
        await expect(profile.text("Custom")).to_be_visible()
        await expect(profile.text("All 42 mushrooms")).to_be_visible()

    async def test_are_refused_twice(self, come: Come, maja: Person):
        await has_games(maja, {"game": "minecraft"})
        visitor = await come()
        await visitor.comes_with(maja.session)
        screen = Screen(await visitor.open("/add-game"))
        await screen.field("games.title").fill("minecraft")
        await screen.button("games.add").click()
        await screen.sees_toast("Error adding game", "minecraft is on your profile already.")
        await expect(screen.field("games.title")).to_have_value("minecraft")
        await screen.link("ui.cancel").click()
        await screen.is_at("/profile")

    async def test_are_changed_and_removed_with_a_question(self, come: Come, maja: Person):
        await has_games(maja, {"game": "minecraft"}, {"title": "Tetris"})
        profile = await reads(await come(), maja)
        await profile.on_game("games.edit_this", "Minecraft").click()
        await profile.field("games.your_rating").select_option("50")
        await profile.field("games.your_achievements").fill("The dragon, twice")
        await profile.button("games.save").click()
        await expect(profile.text("The dragon, twice")).to_be_visible()
        title = profile.page.get_by_role("heading", name="Minecraft", level=4)
        minecraft = profile.main.get_by_role("listitem").filter(has=title)
        await expect(minecraft).to_contain_text("5.0")
        await profile.on_game("games.remove_this", "Tetris").click()
        await expect(profile.page.get_by_role("heading", name="Remove Tetris?")).to_be_visible()
        await profile.button("games.keep").click()
        await expect(profile.games).to_have_text(["Tetris", "Minecraft"])
        await profile.on_game("games.remove_this", "Tetris").click()
        await profile.button("games.remove").click()
        await expect(profile.games).to_have_text(["Minecraft"])

    async def test_can_be_chosen_by_keyboard_alone(self, come: Come, maja: Person):
        visitor = await come()
        await visitor.comes_with(maja.session)
        screen = Screen(await visitor.open("/add-game"))
        await expect(screen.button("games.add")).to_be_visible()
        await tab_to(screen.page, screen.field("games.search"), at_most=40)
        await screen.page.keyboard.type("valor")
        radios = screen.main.get_by_role("radio")
        await expect(radios).to_have_count(1)
        await screen.page.keyboard.press("Tab")
        await screen.page.keyboard.press("Space")
        await expect(screen.text("You chose Valorant.")).to_be_visible()
        await tab_to(screen.page, screen.button("games.add"))
        await screen.page.keyboard.press("Enter")
        await screen.is_at("/profile")


class TestAchievements:
    async def test_are_celebrated_once_on_the_open_tab(self, come: Come, maja: Person):
        profile = await reads(await come(), maja)
        await earns(maja, 15)
        await expect(profile.moment).to_contain_text("First Watch", timeout=WITHIN_A_SWEEP)
        await expect(profile.text("1 of 8 unlocked")).to_be_visible()
        await profile.moment.get_by_role("button", name="Close").click()
        await expect(profile.moment).to_be_hidden()
        await profile.opens()
        await expect(profile.text("1 of 8 unlocked")).to_be_visible()
        await expect(profile.moment).to_be_hidden()

    async def test_wait_until_no_dialog_silences_them(self, come: Come, maja: Person):
        profile = await reads(await come(), maja)
        await profile.page.evaluate(
            "document.body.append(document.createElement('dialog')),"
            " document.body.lastChild.showModal()"
        )
        await earns(maja, 15)
        unlocked = profile.page.get_by_text("1 of 8 unlocked", exact=True)
        await expect(unlocked).to_be_visible(timeout=WITHIN_A_SWEEP)
        await profile.page.wait_for_timeout(2000)
        await expect(profile.moment).to_be_hidden()

        async with within(FRESH, shown(profile.body, "First Watch", f"{CARD}?.innerText")):
            await profile.page.evaluate("document.body.lastChild.close()")
        await expect(profile.moment).to_contain_text("First Watch")
        says = await profile.page.locator(".moment-layer").get_attribute("aria-label")
        heard = profile.page.get_by_role("status").filter(has_text=says)
        await expect(heard).to_have_count(1)

    async def test_that_came_meanwhile_are_celebrated_at_the_next_visit(
        self, come: Come, maja: Person
    ):
        await has_games(maja, {"game": "minecraft"}, {"game": "roblox"}, {"game": "valorant"})
        visitor = await come()
        await visitor.comes_with(maja.session)
        home = Profile(await visitor.open("/"))
        await comes_to_show(home.body, "Squad Ready", f"{CARD}?.innerText")
        await home.moment.get_by_role("link").click()
        await home.is_at("/profile#achievements")
        await expect(home.moment).to_be_hidden()

    async def test_show_how_far_they_are(self, come: Come, maja: Person):
        await earns(maja, 4_385)
        profile = await reads(await come(), maja)
        await expect(profile.text("1 of 100")).to_be_visible()
        await expect(profile.text("level 5")).to_be_visible()


class TestWhatOthersSee:
    async def test_is_moderated_and_without_what_is_private(
        self, come: Come, a_person: MakePerson, maja: Person
    ):
        await describes(maja, "Maja Lindqvist", f"What a noob {SCRIPT}")
        await has_games(maja, {"title": "Tetris", "achievements": "Four at once"})
        eva = await come()
        await eva.comes_with((await a_person(name="Eva")).session)
        seen = Profile(await eva.open(f"/player?name={await handle_of(maja)}"))
        await expect(seen.name).to_have_text("Maja Lindqvist")
        await expect(seen.main).to_contain_text("What a **** <img")
        await expect(seen.text("Four at once")).to_be_visible()
        await expect(seen.main).not_to_contain_text(maja.email)
        await expect(seen.main).not_to_contain_text("noob")

    async def test_can_be_switched_off(self, come: Come, a_person: MakePerson, maja: Person):
        profile = await reads(await come(), maja)
        switch = profile.page.get_by_role("switch", name="Public profile")
        await expect(switch).to_be_checked()
        await switch.click()
        await expect(profile.main).to_contain_text("Nobody else can open it.")
        address = f"/player?name={await handle_of(maja)}"
        eva = await come()
        await eva.comes_with((await a_person(name="Eva")).session)
        seen = Screen(await eva.open(address))
        await expect(seen.heading("profile.private_title")).to_be_visible()
        await profile.link("profile.as_others_see_it").click()
        await expect(profile.text("Only you see this: your profile is private")).to_be_visible()

    async def test_is_a_friendly_word_where_there_is_nobody(self, come: Come, maja: Person):
        visitor = await come()
        await visitor.comes_with(maja.session)
        screen = Screen(await visitor.open("/player?name=nobody-at-all"))
        await expect(screen.heading("profile.missing_title")).to_be_visible()


async def a_full_profile(person: Person) -> None:
    await earns(person, 4_385)
    await describes(person, "Maximiliane von Hohenstaufen-Lange", "Support main. " * 15)
    await has_games(
        person,
        {"game": "league_of_legends"},
        {"game": "genshin_impact"},
        {
            "title": "Donaudampfschifffahrtsgesellschaftskapitänsmützen",
            "platform": "PC",
            "rating": "45",
            "description": "A small co-op survival game that a friend of mine is making.",
            "achievements": "All 42 mushrooms, hard mode",
        },
    )


class TestForEverybody:
    async def test_axe_finds_nothing(self, come: Come, a_person: MakePerson, maja: Person):
        await a_full_profile(maja)
        visitor = await one_following_the_system(come, viewport=PHONE)
        profile = await reads(visitor, maja)
        await expect(profile.games).to_have_count(3)
        await comes_to_show(profile.body, "true", f"{CARD}?.checkVisibility()")
        await expect(profile.moment).to_be_visible()
        await has_no_violations(profile.page, DESK, PHONE)
        await profile.button("profile.edit").click()
        await has_no_violations(profile.page, DESK, PHONE)
        await profile.button("ui.cancel").click()
        await profile.on_game("games.edit_this", "Genshin Impact").click()
        await expect(profile.button("games.save")).to_be_visible()
        await has_no_violations(profile.page, DESK, PHONE)
        await visitor.open("/add-game")
        await expect(profile.main.get_by_role("radio")).to_have_count(10)
        await has_no_violations(profile.page, DESK, PHONE)
        await visitor.open(f"/player?name={await handle_of(maja)}")
        await expect(profile.main.get_by_role("heading", level=3)).to_have_count(3)
        await has_no_violations(profile.page, DESK, PHONE)

    async def test_fits_from_360_to_2560_pixels(self, come: Come, maja: Person):
        await a_full_profile(maja)
        profile = await reads(await come(), maja)
        await expect(profile.games).to_have_count(3)
        found = await spilled_in(profile)
        await profile.button("profile.edit").click()
        found += await spilled_in(profile)
        await profile.page.goto("/add-game")
        await expect(profile.main.get_by_role("radio")).to_have_count(10)
        found += await spilled_in(profile)
        await profile.page.goto(f"/player?name={await handle_of(maja)}")
        await expect(profile.main.get_by_role("heading", level=3)).to_have_count(3)
        found += await spilled_in(profile)
        assert not found, "\n".join(found)
