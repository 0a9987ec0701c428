"""Your data: a copy that is asked for, watched, fetched once; cookies; the way out."""

import asyncio
import io
import re
import zipfile
from pathlib import Path
from typing import LiteralString

import psycopg
import pytest
from playwright.async_api import Locator, expect

from rewards_app.core.actor import Role
from rewards_app.core.caller import digest
from rewards_app.core.postgres import embedded
from rewards_app.features.privacy import handing
from tests.browser.chromium import DESK, PHONE, Visitor
from tests.browser.conftest import Come, MakePerson, Person
from tests.browser.pages import CookieBanner, Screen
from tests.browser.test_accessibility import has_no_violations, one_following_the_system
from tests.browser.test_layout import spilled_in
from tests.browser.watching import Wire
from tests.serving import Served, text_of

LINK = re.compile(r"https?://\S+/gdpr\?export=[0-9a-f]{64}")
WITHIN = 30_000


# What Chromium notes for developers where a frame got a refusal: none of our answers may be framed.
NOTED = ("frame-ancestors 'none'", "responded with a status of 40", "net::ERR_FAILED")


class Data(Screen):
    visitor: Visitor
    wire: Wire

    @property
    def panel(self) -> Locator:
        return self.page.get_by_role("main")

    async def asks(self, password: str) -> None:
        await self.field("gdpr.password").fill(password)
        await self.button("gdpr.ask").click()

    async def is_ready(self) -> None:
        await expect(self.text(self.says["gdpr.ready"])).to_be_visible(timeout=WITHIN)

    async def gets_no_file(self, key: str) -> None:
        self.visitor.bears(*NOTED)
        await self.button("gdpr.download").click()
        self.wire.says_the_rest()
        told = self.panel.get_by_text(self.says[key], exact=True)
        await expect(told).to_be_visible(timeout=WITHIN)

    async def downloads(self) -> bytes:
        async with self.page.expect_download() as coming:
            await self.button("gdpr.download").click()
        return Path(await (await coming.value).path()).read_bytes()


async def data_of(come: Come, person: Person, language: str = "en", path: str = "/gdpr") -> Data:
    visitor = await come(stored={"language": language})
    wire = await Wire.of(visitor)
    await visitor.comes_with(person.session)
    screen = Data(await visitor.open(path), language)
    screen.visitor, screen.wire = visitor, wire
    await expect(screen.heading("gdpr.export")).to_be_visible()
    return screen


class TestACopy:
    @pytest.mark.parametrize("role", [Role.PLAYER, Role.COMPANY, Role.ADMIN])
    async def test_is_asked_for_watched_and_fetched_once(
        self, come: Come, a_person: MakePerson, served: Served, role: Role
    ):
        maja = await a_person(role)
        screen = await data_of(come, maja)
        await screen.asks(maja.password)
        await screen.sees_toast("Data export initiated", "within 30\u00a0days")
        # No reload: the page hears of it.
        await screen.is_ready()

        archive = zipfile.ZipFile(io.BytesIO(await screen.downloads()))

        assert archive.testzip() is None
        assert maja.email in archive.read("account/account.json").decode()
        await expect(screen.text(screen.says["gdpr.taken"])).to_be_visible()
        await expect(screen.button("gdpr.ask_again")).to_be_visible()

    async def test_waits_behind_the_mailed_link(
        self, come: Come, a_person: MakePerson, served: Served
    ):
        maja = await a_person()
        screen = await data_of(come, maja)
        await screen.asks(maja.password)
        await screen.is_ready()
        link = await mailed(served, maja)
        elsewhere = await data_of(come, maja, path=f"/gdpr{link.partition('/gdpr')[2]}")
        await elsewhere.is_ready()
        await elsewhere.downloads()
        await elsewhere.page.reload()
        await expect(elsewhere.text(elsewhere.says["gdpr.dead_link"])).to_be_visible()

    async def test_behind_somebody_elses_link_is_not_there(self, come: Come, a_person: MakePerson):
        screen = await data_of(come, await a_person(), path=f"/gdpr?export={'0' * 64}")
        await expect(screen.text(screen.says["gdpr.dead_link"])).to_be_visible()

    async def test_needs_the_password(self, come: Come, a_person: MakePerson):
        screen = await data_of(come, await a_person())
        await screen.asks("Wrong-Otter7-rides!")
        await expect(screen.field("gdpr.password")).to_have_attribute("aria-invalid", "true")
        await expect(screen.button("gdpr.ask")).to_be_visible()


class TestACopyThatDoesNotCome:
    """The page has not heard of it: what it shows is as old as it is."""

    async def test_after_its_time_says_that_it_is_too_late(
        self, come: Come, a_person: MakePerson, served: Served
    ):
        maja = await a_person()
        screen = await with_a_copy(come, maja)
        behind_its_back(served, maja, "update data_exports set expires_at = now()")
        await screen.gets_no_file("gdpr.expired")
        await expect(screen.button("gdpr.ask_again")).to_be_visible()

    async def test_was_fetched_already(self, come: Come, a_person: MakePerson, served: Served):
        maja = await a_person()
        screen = await with_a_copy(come, maja, "ru")
        behind_its_back(served, maja, "update data_exports set status = 'taken', taken_at = now()")
        await screen.gets_no_file("gdpr.taken")

    async def test_is_not_theirs(self, come: Come, a_person: MakePerson, served: Served):
        maja, otto = await a_person(), await a_person(name="Otto")
        screen = await with_a_copy(come, maja)
        behind_its_back(
            served,
            maja,
            "update data_exports set account_id = (select id from accounts where email = %s)",
            otto.email,
        )
        await screen.gets_no_file("gdpr.dead_link")
        await expect(screen.text(screen.says["gdpr.dead_link_text"])).to_be_visible()
        await expect(screen.button("gdpr.ask")).to_be_visible()

    async def test_is_on_its_way_to_another_window(
        self, come: Come, a_person: MakePerson, served: Served
    ):
        maja = await a_person()
        screen = await with_a_copy(come, maja)
        token = await screen.page.locator("input[name=token]").input_value()
        with psycopg.connect(embedded.url_of_running(served.data)) as connection:
            connection.execute(handing.ALONE, (f"handing:{digest(token)}",))
            await screen.gets_no_file("errors.privacy.export_is_being_taken")
        # Nothing is lost by it.
        assert zipfile.ZipFile(io.BytesIO(await screen.downloads())).testzip() is None

    async def test_on_a_broken_way_may_be_fetched_again(self, come: Come, a_person: MakePerson):
        screen = await with_a_copy(come, await a_person())
        await screen.page.route("**/privacy/export", lambda route: route.abort())
        await screen.gets_no_file("errors.privacy.export_did_not_come")
        await screen.page.unroute("**/privacy/export")
        assert zipfile.ZipFile(io.BytesIO(await screen.downloads())).testzip() is None
        await expect(screen.text(screen.says["gdpr.taken"])).to_be_visible()


async def with_a_copy(come: Come, person: Person, language: str = "en") -> Data:
    screen = await data_of(come, person, language)
    await screen.asks(person.password)
    await screen.is_ready()
    # What becomes of it, it hears when it has asked for it.
    screen.wire.kept_back = '"export_rx_state_"'
    return screen


def behind_its_back(served: Served, person: Person, words: LiteralString, *values: str) -> None:
    """As if this page alone had not been told."""
    whose: LiteralString = " where account_id = (select id from accounts where email = %s)"
    with psycopg.connect(embedded.url_of_running(served.data)) as connection:
        connection.execute(words + whose, (*values, person.email))


async def mailed(served: Served, person: Person) -> str:
    for _ in range(200):
        if served.letters.to(person.email):
            break
        await asyncio.sleep(0.1)
    (letter,) = served.letters.to(person.email)
    found = LINK.search(text_of(letter))
    assert found
    return found.group()


class TestCookies:
    async def test_count_when_they_are_flipped(self, come: Come, a_person: MakePerson):
        maja = await a_person()
        screen = await data_of(come, maja)
        switches = CookieBanner(screen.page)
        await expect(switches.switch("essential")).to_be_checked()
        await expect(switches.switch("essential")).to_be_disabled()
        await switches.switch("analytics").click()
        await screen.sees_toast("Cookie settings updated")
        stored = await switches.stored()
        assert stored
        assert stored["analytics"] is True
        await screen.page.reload()
        await expect(switches.switch("analytics")).to_be_checked()


class TestThePage:
    async def test_leads_to_the_deletion_of_the_account(self, come: Come, a_person: MakePerson):
        screen = await data_of(come, await a_person())
        await screen.button("security.delete_account").click()
        await expect(screen.page.get_by_role("dialog")).to_be_visible()

    async def test_stands_in_every_members_footer(self, come: Come, a_person: MakePerson):
        visitor = await come()
        await visitor.comes_with((await a_person(Role.COMPANY)).session)
        screen = Screen(await visitor.open("/advertiser"))
        await screen.link("frame.your_data").click()
        await expect(screen.heading("gdpr.export")).to_be_visible()

    async def test_has_nothing_that_axe_finds(self, come: Come, a_person: MakePerson):
        maja = await a_person()
        visitor = await one_following_the_system(come, viewport=PHONE)
        await visitor.comes_with(maja.session)
        screen = Data(await visitor.open("/gdpr"))
        await expect(screen.field("gdpr.password")).to_be_visible()
        await has_no_violations(screen.page, DESK, PHONE)
        await screen.asks(maja.password)
        await screen.is_ready()
        await has_no_violations(screen.page, DESK, PHONE)

    async def test_spills_on_no_phone(self, come: Come, a_person: MakePerson):
        visitor = await come(viewport=PHONE)
        await visitor.comes_with((await a_person()).session)
        screen = Data(await visitor.open("/gdpr"))
        await expect(screen.field("gdpr.password")).to_be_visible()
        assert not await spilled_in(screen)
