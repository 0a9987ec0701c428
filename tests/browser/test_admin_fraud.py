"""Admins see what fraud rules notice as it happens, and try other weights before saving them."""

import asyncio
import re
from dataclasses import asdict
from datetime import timedelta

import pytest
from playwright.async_api import Locator, expect

from rewards_app.core import live
from rewards_app.core.actor import Role
from rewards_app.core.clock import utc_now
from rewards_app.core.database import transaction
from rewards_app.core.ids import new_id
from rewards_app.features.fraud import detections
from rewards_app.features.signals import service as signals
from rewards_app.features.signals.rules import Rule
from tests import steady
from tests.browser.chromium import DESK, PHONE, Visitor
from tests.browser.conftest import Come, MakePerson, Person
from tests.browser.moments import FRESH, shown, within
from tests.browser.pages import Screen, tab_to
from tests.browser.test_accessibility import has_no_violations, one_following_the_system

REASON = "Bots wait their turn now"
SCRIPT = "<script>alert(1)</script>"
FIGURES = ("total", "high", "blocked", "average")


class Detections(Screen):
    """The fraud tab: figures, what was noticed, rules."""

    async def open(self) -> None:
        await self.page.goto("/admin?tab=fraud")
        await expect(self.heading("admin.weights.title")).to_be_visible()

    def log(self, name: str) -> Locator:
        table = self.page.get_by_role("table", name=self.says["admin.fraud.logs"])
        return table.get_by_role("row").filter(has_text=name).first

    def risk(self, person: Person) -> Locator:
        """The badge in the newest row of theirs."""
        return self.log(person.name).locator("span.rounded-full").first

    def figure(self, name: str) -> Locator:
        label = self.page.get_by_role("term").filter(
            has_text=re.compile(f"^{self.says[f'admin.fraud.{name}']}$")
        )
        return self.page.locator("dl > div").filter(has=label)

    async def figures(self) -> dict[str, str]:
        tiles = {name: self.figure(name).locator("dd").first for name in FIGURES}
        return {name: await tile.inner_text() for name, tile in tiles.items()}

    def rule(self, rule: Rule) -> Locator:
        table = self.page.get_by_role("table", name=self.says["admin.weights.title"])
        return table.get_by_role("row").filter(has_text=self.says[f"fraud.rules.{rule}"])

    @property
    def dialog(self) -> Locator:
        return self.page.locator("#fraud-weights")

    def weight(self, rule: Rule, name: str) -> Locator:
        return self.dialog.locator(f"[id='weight-{rule}.{name}']")

    async def simulate(self) -> None:
        await self.button("admin.weights.simulate").click()

    async def has_answered(self) -> None:
        heading = self.says["admin.weights.answer"].replace("{{days}}", "30")
        await expect(self.dialog.get_by_role("heading", name=heading)).to_be_visible(timeout=30_000)


@pytest.fixture
async def linnea(a_person: MakePerson) -> Person:
    return await a_person(Role.ADMIN, name="Linnea")


async def at_the_desk(visitor: Visitor, admin: Person) -> Detections:
    await visitor.comes_with(admin.session)
    desk = Detections(visitor.page)
    await desk.open()
    return desk


async def noted(person: Person, *rules: Rule, ago: timedelta = timedelta(0)) -> None:
    for rule in rules:
        async with transaction() as session:
            await signals.note(
                session, person.account_id, rule, now=utc_now() - ago, view=str(new_id())
            )
    await live.tell_now()


async def four_that_differ(stranger: Person) -> dict[str, str]:
    """What all that was ever noted amounts to, with more of little weight where two are alike."""
    while True:
        async with transaction() as session:
            found = asdict(await detections.figures(session))
        if len({*found.values()}) == len(FIGURES):
            return {name: str(figure) for name, figure in found.items()}
        await noted(stranger, Rule.CLOCK_MISMATCH)


class TestDetections:
    async def test_are_there_within_five_seconds_and_lead_to_the_case(
        self, come: Come, linnea: Person, a_person: MakePerson
    ):
        maja = await a_person(name=f"Maja {SCRIPT}")
        desk = await at_the_desk(await come(), linnea)
        async with within(FRESH, shown(desk.main, maja.name)):
            await noted(maja, Rule.FOREIGN_SESSION)
        row = desk.log(maja.name)
        await expect(row).to_be_visible()
        await expect(row).to_contain_text("40Medium")
        await expect(row).to_contain_text("Another player's session")
        await expect(row).to_contain_text("None")
        async with within(FRESH, shown(row, "70High", "element.textContent")):
            await noted(maja, Rule.FOREIGN_SESSION)
        await row.get_by_role("link").click()
        await expect(desk.page).to_have_url(re.compile(f"tab=fraud&case={maja.account_id}"))
        await expect(desk.page.get_by_role("heading", name=maja.name)).to_be_visible()

    async def test_that_are_proof_suspend_and_say_so(
        self, come: Come, linnea: Person, a_person: MakePerson
    ):
        forger = await a_person(name="Nobody in particular")
        desk = await at_the_desk(await come(), linnea)
        await noted(forger, *[Rule.MADE_UP_SESSION] * 5)
        await expect(desk.log(forger.name)).to_contain_text("Account suspended", timeout=10_000)

    async def test_are_red_from_a_high_risk_on(
        self, come: Come, linnea: Person, a_person: MakePerson
    ):
        below, above = await a_person(name="Just Below"), await a_person(name="Just High")
        pace = [Rule.IMPOSSIBLE_PACE, Rule.PARALLEL_SESSIONS, *[Rule.EARLY_COMPLETION] * 4]
        await noted(below, *pace)
        await noted(above, *[Rule.FOREIGN_SESSION] * 2)
        desk = await at_the_desk(await come(viewport=DESK), linnea)
        await expect(desk.risk(below)).to_have_text("69High")
        await expect(desk.risk(below)).not_to_have_class(re.compile(r"\btext-danger\b"))
        await expect(desk.risk(above)).to_have_text("70High")
        await expect(desk.risk(above)).to_have_class(re.compile(r"\btext-danger\b"))

    async def test_are_summed_up_each_in_its_tile(
        self, come: Come, linnea: Person, a_person: MakePerson
    ):
        await noted(await a_person(), *[Rule.FOREIGN_SESSION] * 2)
        stranger = await a_person()
        await noted(stranger, Rule.CLOCK_MISMATCH)
        forger = await a_person(name="Forger")
        await noted(forger, *[Rule.MADE_UP_SESSION] * 5)
        desk = await at_the_desk(await come(viewport=DESK), linnea)
        await expect(desk.log(forger.name)).to_contain_text("Account suspended")
        async with steady.timeout(10):
            # What the tests before have left behind may be judged meanwhile.
            while await four_that_differ(stranger) != await desk.figures():
                await asyncio.sleep(0.1)


class TestWeights:
    async def test_are_tried_on_the_last_days_and_saved_with_a_reason(
        self, come: Come, linnea: Person, a_person: MakePerson
    ):
        maja = await a_person(name="Maja Who Hurries")
        await noted(maja, Rule.EARLY_COMPLETION, ago=timedelta(days=1))
        desk = await at_the_desk(await come(), linnea)
        await desk.button("admin.weights.edit").click()
        await desk.weight(Rule.EARLY_COMPLETION, "first").fill("101")
        await desk.simulate()
        await expect(desk.dialog).to_contain_text("A whole number from 0 to 100, please.")
        weight = desk.weight(Rule.EARLY_COMPLETION, "first")
        await expect(weight).to_have_attribute("aria-invalid", "true")
        await weight.fill("102")
        await expect(weight).to_have_attribute("aria-invalid", "false")
        await desk.simulate()
        await expect(weight).to_have_attribute("aria-invalid", "true")
        await weight.fill("75")
        await desk.simulate()
        await desk.has_answered()
        row = desk.dialog.get_by_role("row").filter(has_text=maja.name)
        await expect(row).to_contain_text("Earning paused")
        await desk.button("admin.weights.back").click()
        await expect(desk.weight(Rule.EARLY_COMPLETION, "first")).to_have_value("75")
        await desk.simulate()
        await desk.has_answered()
        await desk.field("admin.weights.reason").fill(REASON)
        await desk.button("admin.weights.save").click()
        await desk.sees_toast("Weights saved")
        await expect(desk.rule(Rule.EARLY_COMPLETION)).to_contain_text("Changed, originally 10 + 8")
        await expect(desk.rule(Rule.EARLY_COMPLETION)).to_contain_text("75")
        # Back to what the code says, by the same way.
        await desk.button("admin.weights.edit").click()
        await desk.button("admin.weights.originals").click()
        await expect(desk.weight(Rule.EARLY_COMPLETION, "first")).to_have_value("10")
        await desk.simulate()
        await desk.has_answered()
        await desk.field("admin.weights.reason").fill("Too harsh")
        await desk.button("admin.weights.save").click()
        await expect(desk.rule(Rule.EARLY_COMPLETION)).not_to_contain_text("Changed")

    async def test_can_be_reached_and_left_by_keyboard(self, come: Come, linnea: Person):
        desk = await at_the_desk(await come(), linnea)
        await tab_to(desk.page, desk.button("admin.weights.edit"), at_most=90)
        await desk.page.keyboard.press("Enter")
        await expect(desk.dialog).to_be_visible()
        await desk.page.keyboard.press("Escape")
        await expect(desk.dialog).to_be_hidden()
        await expect(desk.button("admin.weights.edit")).to_be_focused()


class TestEverybody:
    async def test_can_use_it(self, come: Come, linnea: Person, a_person: MakePerson):
        maja = await a_person(name="Sturmfalke von Brandenburg")
        await noted(maja, Rule.IMPOSSIBLE_PACE, Rule.EARLY_COMPLETION, Rule.CLOCK_MISMATCH)
        visitor = await one_following_the_system(come, viewport=PHONE)
        desk = await at_the_desk(visitor, linnea)
        await has_no_violations(desk.page, DESK, PHONE)
        await desk.button("admin.weights.edit").click()
        await desk.weight(Rule.CLOCKWORK, "first").fill("80")
        await has_no_violations(desk.page, DESK, PHONE)
        await desk.simulate()
        await desk.has_answered()
        await has_no_violations(desk.page, DESK, PHONE)
