"""What a visitor chooses for their own eyes."""

import re

import pytest
from playwright.async_api import Page, expect

from rewards_app.core.actor import Role
from rewards_app.i18n.languages import LANGUAGES, address_of
from tests.browser.chromium import DESK, PHONE, becomes_true
from tests.browser.conftest import Come, MakePerson
from tests.browser.pages import Home, Screen, interface

CHOOSE = """(choice, code) => {
  Object.getOwnPropertyDescriptor(HTMLSelectElement.prototype, 'value').set.call(choice, code);
  choice.dispatchEvent(new Event('change', { bubbles: true }));
}"""
HELD_BACK = """main => {
  const [coming] = document.body.getAnimations();
  const isHidden = !main.checkVisibility({ visibilityProperty: true });
  return [isHidden, coming.effect.getTiming().delay, coming.currentTime];
}"""


async def stored(page: Page, key: str) -> str:
    return await page.evaluate("key => localStorage.getItem(key)", key)


class TestLanguage:
    async def test_each_one_switches_without_a_reload_and_is_kept(self, come: Come):
        visitor = await come()
        screen = Screen(await visitor.open("/landing"))
        await screen.page.evaluate("window.wasNeverReloaded = true")

        for language in [*LANGUAGES[1:], LANGUAGES[0]]:
            await screen.choose_language(language.code)
            await expect(screen.link("landing.join")).to_be_visible()
            await expect(screen.page).to_have_title(screen.says["landing.page_title"])
            assert await stored(screen.page, "language") == language.code
        assert await screen.page.evaluate("window.wasNeverReloaded")

    async def test_the_chosen_one_is_there_after_a_reload(self, come: Come):
        visitor = await come()
        screen = Screen(await visitor.open("/landing"))
        await screen.choose_language("pl")

        await visitor.open("/auth")

        await expect(screen.heading("auth.signup_player")).to_be_visible()
        await expect(screen.page.locator("html")).to_have_attribute("lang", "pl")

    async def test_a_front_page_speaks_its_own_from_the_first_moment(self, come: Come):
        visitor = await come()
        screen = Screen(await visitor.open("/sv"), "sv")
        await expect(screen.link("frame.sign_in")).to_be_visible()
        await becomes_true(screen.page, "localStorage.getItem('language') === 'sv'")

        await screen.choose_language("pl")
        await expect(screen.link("frame.sign_in")).to_be_visible()
        await expect(screen.page).to_have_url(f"{visitor.url}/pl")

        await screen.choose_language("en")
        await expect(screen.page).to_have_url(f"{visitor.url}/")

    async def test_what_was_typed_goes_along(self, come: Come):
        visitor = await come()
        screen = Screen(await visitor.open("/"))
        email = screen.page.locator("#waitlist-email")
        await email.fill("maja@example.com")
        for code in ("sv", "pl", "en"):
            await screen.choose_language(code)
            await expect(screen.page).to_have_url(f"{visitor.url}{address_of(code)}")
            await expect(email).to_have_attribute("placeholder", screen.says["landing.your_email"])
            await expect(email).to_have_value("maja@example.com")

    async def test_who_is_in_the_middle_of_a_word_writes_on(self, come: Come):
        visitor = await come()
        screen = Screen(await visitor.open("/"))
        email = screen.page.locator("#waitlist-email")
        for code, more, typed in (("sv", "ma", ""), ("de", "ja", "ma")):
            await email.click()
            await expect(email).to_have_value(typed)
            await screen.page.keyboard.type(more[0])
            # It has been chosen, and takes effect while somebody writes.
            await screen.field("frame.language").evaluate(CHOOSE, code)
            await expect(screen.page).to_have_url(f"{visitor.url}{address_of(code)}")
            screen.says = interface(code)
            await expect(email).to_have_attribute("placeholder", screen.says["landing.your_email"])
            await screen.page.keyboard.type(more[1])
        await expect(email).to_have_value("maja")

    async def test_who_chose_one_by_keyboard_is_still_there(self, come: Come):
        visitor = await come()
        screen = Screen(await visitor.open("/"))
        await screen.field("frame.language").focus()
        await screen.choose_language("sv")
        await expect(screen.page).to_have_url(f"{visitor.url}/sv")
        await expect(screen.text(screen.says["landing.watch_title"])).to_be_visible()
        await expect(screen.field("frame.language")).to_be_focused()

    async def test_who_chose_one_finds_the_front_page_in_it(self, come: Come):
        visitor = await come(stored={"language": "de"})
        screen = Screen(await visitor.open("/"), "de")
        await expect(screen.page).to_have_url(f"{visitor.url}/de")
        await expect(screen.link("frame.sign_in")).to_be_visible()

    async def test_a_document_in_english_is_not_seen_before_its_words_are_there(self, come: Come):
        visitor = await come(stored={"language": "de"})
        await visitor.page.route("**/*de*.json*", lambda held: None)
        await visitor.page.goto("/auth?mode=login", wait_until="commit")
        await expect(visitor.page.locator("html")).to_have_class(re.compile("untranslated"))
        # It is not held back for longer than three seconds, counted from its first paint.
        is_hidden, after, since = await visitor.page.locator("main").evaluate(HELD_BACK)
        assert after == 3000
        assert is_hidden == (since < after)
        await visitor.page.unroute_all()
        await expect(visitor.page.get_by_role("main")).to_be_visible()

    async def test_a_front_page_leads_members_home(self, come: Come, a_person: MakePerson):
        visitor = await come()
        await visitor.comes_with((await a_person()).session)
        home = Home(await visitor.open("/sv"))
        await expect(home.text(home.says["home.level"])).to_be_visible()
        assert await stored(home.page, "language") != "sv"

    @pytest.mark.parametrize(
        ("path", "title"),
        [
            ("/auth?mode=verify&token=made-up", "auth.verify_failed_title"),
            ("/email?token=made-up", "auth.email.failed_title"),
        ],
    )
    async def test_a_dead_link_is_told_in_it_once_and_in_its_place(
        self, come: Come, path: str, title: str
    ):
        visitor = await come(stored={"language": "ru"})
        screen = Screen(await visitor.open(path), "ru")
        await expect(screen.heading(title)).to_be_visible()
        reason = screen.page.get_by_text(screen.says["errors.accounts.link_expired"])
        await expect(reason).to_have_count(1)
        await expect(screen.main.get_by_role("alert")).to_contain_text(
            screen.says["errors.accounts.link_expired"]
        )
        await expect(screen.toast).to_have_count(0)


class TestTheme:
    async def test_light_dark_and_the_systems_are_kept(self, come: Come):
        visitor = await come(color_scheme="light")
        screen = Screen(await visitor.open("/landing"))
        shown = screen.page.locator("html")

        for theme, look in (("light", "light"), ("dark", "dark"), ("system", "light")):
            await screen.choose_theme(theme)
            await has_look(screen.page, look)
            assert await stored(screen.page, "theme") == theme
            await visitor.open("/landing")
            await has_look(screen.page, look)

        await screen.page.emulate_media(color_scheme="dark")
        await has_look(screen.page, "dark")
        await expect(shown).to_have_css("color-scheme", "dark")


async def has_look(page: Page, look: str) -> None:
    ground = {"light": "rgb(248, 246, 255)", "dark": "rgb(11, 6, 24)"}[look]
    await expect(page.locator("html")).to_have_css("background-color", ground)


class TestTheBars:
    @pytest.mark.parametrize("viewport", [PHONE, {"width": 1440, "height": 900}])
    async def test_are_52_pixels_for_visitors_and_104_for_players(
        self, come: Come, a_person: MakePerson, viewport: dict[str, int]
    ):
        visitor = await come(viewport=viewport)
        screen = Home(await visitor.open("/landing"))
        await expect(screen.bars).to_have_css("height", "52px")

        await visitor.comes_with((await a_person()).session)
        await visitor.open("/")
        await expect(screen.bars).to_have_css("height", "104px")

    @pytest.mark.parametrize(("viewport", "height"), [(PHONE, "104px"), (DESK, "52px")])
    async def test_are_one_for_admins_where_the_rail_says_the_rest(
        self, come: Come, a_person: MakePerson, viewport: dict[str, int], height: str
    ):
        visitor = await come(viewport=viewport)
        await visitor.comes_with((await a_person(Role.ADMIN, name="Linnea")).session)
        screen = Home(await visitor.open("/"))
        await expect(screen.bars).to_have_css("height", height)
        await expect(screen.text("Linnea").first).to_be_visible()


class TestWhatIsSeenFirst:
    """Before anybody knows who is looking, and without any script."""

    async def test_is_the_front_page_for_visitors(self, come: Come):
        visitor = await come(java_script_enabled=False)
        screen = Screen(visitor.page)
        await visitor.page.goto("/")
        await expect(screen.link("frame.sign_in")).to_be_visible()
        await expect(screen.text(screen.says["frame.loading"])).to_be_hidden()

    async def test_is_no_front_page_where_a_session_is_expected(
        self, come: Come, a_person: MakePerson
    ):
        visitor = await come(java_script_enabled=False)
        await visitor.comes_with((await a_person()).session)
        screen = Screen(visitor.page)
        await visitor.page.goto("/")
        await expect(screen.text(screen.says["frame.loading"])).to_be_visible()
        await expect(screen.link("frame.sign_in")).to_be_hidden()

    async def test_gives_way_to_the_front_page_when_the_session_has_ended(self, come: Come):
        visitor = await come()
        await visitor.comes_with("long-gone")
        screen = Screen(await visitor.open("/"))
        await expect(screen.link("frame.sign_in")).to_be_visible()
        await expect(screen.text(screen.says["frame.loading"])).to_be_hidden()
