"""From a stranger to somebody with an account."""

import asyncio

import pytest
from playwright.async_api import Page, expect

from tests.browser.chromium import PHONE
from tests.browser.conftest import Come, an_email
from tests.browser.pages import GOOD_PASSWORD, Auth, Home, texts
from tests.serving import Served, text_of


async def mailed_link(served: Served, email: str, number: int = 1) -> str:
    return await asyncio.to_thread(served.letters.link_to, email, number=number)


class TestANewPlayer:
    async def test_signs_up_in_swedish_on_a_phone(self, come: Come, served: Served):
        visitor = await come(viewport=PHONE, has_touch=True)
        email = an_email("linnea")
        screen = Auth(await visitor.open("/auth"))
        await screen.choose_language("sv")

        await screen.type_player_details("Linnea Öberg")
        await screen.sign_up(email)

        await screen.is_sent_to(email)
        link = await mailed_link(served, email)
        letter = served.letters.to(email)[0]
        assert letter["Subject"] == texts_of_mails("sv")["verify.subject"]
        assert "Linnea" in text_of(letter) or texts_of_mails("sv")["verify.button"] in str(letter)

        await screen.follows(link)
        await screen.link("auth.to_sign_in").click()
        await screen.sign_in(email, GOOD_PASSWORD)

        home = Home(visitor.page, "sv")
        await home.welcomes("Linnea Öberg")
        await home.is_at("/")
        await expect(balance(home)).to_have_text("0 WatchCoins")
        await expect(home.page.get_by_role("banner")).to_contain_text("1 online")
        await home.button("frame.menu").click()
        await home.sign_out()
