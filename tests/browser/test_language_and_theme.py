"""What a visitor chooses for their own eyes."""

import pytest
from playwright.async_api import Page, expect

from rewards_app.i18n.languages import LANGUAGES
from tests.browser.chromium import PHONE
from tests.browser.conftest import Come, MakePerson
from tests.browser.pages import Home, Screen


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

    async def test_a_refusal_speaks_it_too(self, come: Come):
        visitor = await come(stored={"language": "ru"})
        screen = Screen(await visitor.open("/auth?mode=verify&token=made-up"), "ru")
        await expect(screen.heading("auth.verify_failed_title")).to_be_visible()
        await screen.sees_toast(
            screen.says["errors.title"], screen.says["errors.accounts.link_expired"]
        )


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
