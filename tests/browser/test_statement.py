"""A player's statement: every coin with its cause."""

import re
from uuid import uuid4

from playwright.async_api import Locator, expect

from rewards_app.core import live
from rewards_app.core.clock import utc_now
from rewards_app.core.database import transaction
from rewards_app.features.coins import service as coins
from rewards_app.features.coins.rules import Kind
from tests.browser.chromium import PHONE, Visitor
from tests.browser.conftest import Come, MakePerson, Person
from tests.browser.moments import SOON, shown, within
from tests.browser.pages import Screen
from tests.browser.test_layout import spilled


class Statement(Screen):
    @property
    def rows(self) -> Locator:
        return self.main.get_by_role("row").filter(has=self.page.get_by_role("cell"))

    async def opens(self) -> None:
        await self.page.goto("/profile/statement")
        await expect(self.heading("statement.title")).to_be_visible()
        await expect(self.text(self.says["statement.total"])).to_be_visible()

    def figure(self, key: str) -> Locator:
        return (
            self.main.locator("dl > div")
            .filter(has=self.page.get_by_text(self.says[key], exact=True))
            .locator("dd")
        )


async def reads(visitor: Visitor, person: Person, language: str = "en") -> Statement:
    await visitor.comes_with(person.session)
    statement = Statement(visitor.page, language)
    await statement.opens()
    return statement


async def earns(person: Person, *subjects: str, kind: Kind = Kind.AD) -> None:
    async with transaction() as session:
        for subject in subjects:
            cause = f"test:{uuid4()}"
            await coins.credit(
                session, person.account_id, 15, kind, cause, subject=subject, now=utc_now()
            )
    await live.tell_now()


async def test_leads_a_newcomer_to_the_first_ad(come: Come, a_person: MakePerson):
    statement = await reads(await come(), await a_person())
    await expect(statement.heading("statement.empty")).to_be_visible()
    await expect(statement.link("watch.outcomes_title")).to_have_attribute(
        "href", re.compile("^/watch")
    )
    await statement.link("home.first_ad").click()
    await statement.is_at("/watch")


async def test_names_the_cause_of_every_coin_newest_first(come: Come, a_person: MakePerson):
    maja = await a_person()
    await earns(maja, "", kind=Kind.WELCOME)
    await earns(maja, "Drift One")
    async with transaction() as session:
        held = await coins.hold(session, maja.account_id, 12, f"o:{uuid4()}", now=utc_now())
        await coins.settle(session, held, subject="400 Robux", now=utc_now())
        await coins.hold(session, maja.account_id, 5, f"o:{uuid4()}", now=utc_now())
    statement = await reads(await come(), maja)
    await expect(statement.figure("statement.balance")).to_contain_text("13")
    await expect(statement.figure("statement.total")).to_contain_text("30")
    await expect(statement.figure("statement.held")).to_contain_text("5")
    await expect(statement.rows).to_have_count(3)
    for row, words in enumerate(
        [
            ("Purchase: 400 Robux", "−12", "18"),
            ("Ad watched: Drift One", "+15", "30"),
            ("Welcome gift", "+15", "15"),
        ]
    ):
        for text in words:
            await expect(statement.rows.nth(row)).to_contain_text(text)

    await statement.choose_language("de")
    await expect(statement.rows.nth(1)).to_contain_text("Spot angesehen: Drift One")


async def test_loads_older_entries_and_shows_new_coins_by_itself(come: Come, a_person: MakePerson):
    maja = await a_person()
    await earns(maja, *(f"Ad {number}" for number in range(1, 41)))
    statement = await reads(await come(), maja)
    await expect(statement.rows).to_have_count(25)
    await statement.button("statement.more").click()
    await expect(statement.rows).to_have_count(40)
    await expect(statement.rows.last).to_contain_text("Ad 1")
    await expect(statement.button("statement.more")).to_be_hidden()

    entries, total = statement.main.get_by_role("table"), statement.figure("statement.total")
    async with within(SOON, shown(entries, "Hexhaven"), shown(total, "615")):
        await earns(maja, "Hexhaven")

    await expect(statement.rows.first).to_contain_text("Hexhaven")
    await expect(statement.rows).to_have_count(41)


async def test_fits_every_width_and_takes_two_lines_on_a_phone(come: Come, a_person: MakePerson):
    maja = await a_person()
    await earns(maja, "Donaudampfschifffahrtsgesellschaftskapitänsmützen für Kapitäne", "Drift One")
    visitor = await come(stored={"language": "ru"})
    statement = await reads(visitor, maja, "ru")
    assert await spilled(visitor.page) == []
    await visitor.page.set_viewport_size(PHONE)
    box = await statement.rows.first.bounding_box()
    assert box
    assert box["height"] < 100
