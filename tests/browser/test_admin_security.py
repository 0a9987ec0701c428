"""An attack as an admin meets it: told at once, understood from the screen, followed, resolved."""

import re
from typing import Any

import pytest
from playwright.async_api import Locator, expect

from rewards_app.core.actor import Role
from rewards_app.core.clock import utc_now
from rewards_app.core.database import transaction
from rewards_app.core.ids import new_id
from rewards_app.features.alerts import service as alerts
from rewards_app.features.alerts.service import Kind
from tests.browser.chromium import DESK, PHONE, Visitor
from tests.browser.conftest import Come, MakePerson, Person
from tests.browser.pages import Screen, tab_to
from tests.browser.test_accessibility import has_no_violations, one_following_the_system
from tests.browser.test_layout import LANGUAGES, is_no_wider_than_its_window

HOSTILE = "<img src=x onerror=document.title=1>=1"


class Alarms(Screen):
    """The panel's security tab."""

    async def open(self, tab: str = "security") -> None:
        await self.page.goto(f"/admin?tab={tab}")
        await expect(self.page.get_by_role("radiogroup").first).to_be_visible()

    def row(self, words: str) -> Locator:
        return self.main.get_by_role("listitem").filter(has_text=words)

    async def resolves(self, words: str) -> None:
        await self.row(words).get_by_role("button").click()

    async def chooses(self, key: str) -> None:
        await self.page.get_by_role("radio", name=self.says[key]).check(force=True)


@pytest.fixture
async def linnea(a_person: MakePerson) -> Person:
    return await a_person(Role.ADMIN, name="Linnea")


async def at_the_alarms(visitor: Visitor, admin: Person) -> Alarms:
    await visitor.comes_with(admin.session)
    alarms = Alarms(visitor.page)
    await alarms.open()
    return alarms


async def is_raised(person: Person, kind: Kind = Kind.DENIED_STORM, **known: Any) -> None:
    said = {"refusals": 20, "handler": f"shop_state.buy_{person.name}"}
    async with transaction() as session:
        await alerts.raise_alert(
            session,
            kind,
            **{"account_id": person.account_id, "about": person.email, "now": utc_now()}
            | (said if kind is Kind.DENIED_STORM else {})
            | known,
        )


class TestAnAlert:
    async def test_arrives_is_understood_followed_and_resolved(
        self, come: Come, linnea: Person, a_person: MakePerson
    ):
        maja = await a_person(name="Maja Trygg")
        alarms = await at_the_alarms(await come(viewport=DESK), linnea)
        await is_raised(maja, address="192.0.2.7")
        await alarms.sees_toast("New Security Alert", "HIGH: Somebody called what they may not")
        row = alarms.row(f"buy_{maja.name}")
        await expect(row).to_contain_text("20 times within a minute")
        await expect(row).to_contain_text("somebody is trying doors")
        await expect(row).to_contain_text("From 192.0.2.7")
        case = row.get_by_role("link", name="Open case")
        assert (await case.get_attribute("href") or "").endswith(f"case={maja.account_id}")
        person = row.get_by_role("link", name="Open account")
        assert (await person.get_attribute("href") or "").endswith(f"person={maja.account_id}")
        await is_raised(maja)
        await expect(row).to_contain_text("2 times, last")
        await alarms.resolves(f"buy_{maja.name}")
        await alarms.sees_toast("Alert resolved successfully")
        await expect(row).to_be_hidden()
        await alarms.chooses("admin.security.resolved")
        await expect(row).to_contain_text("by Linnea")
        await expect(row.get_by_role("button")).to_have_count(0)

    async def test_is_told_on_another_tab_of_the_panel_in_red_when_it_is_critical(
        self, come: Come, linnea: Person
    ):
        visitor = await come(viewport=DESK)
        await visitor.comes_with(linnea.session)
        screen = Screen(await visitor.open("/admin?tab=orders"))
        await expect(screen.field("admin.orders.search")).to_be_visible()
        async with transaction() as session:
            await alerts.raise_alert(session, Kind.AUDIT_BROKEN, now=utc_now(), entry=7)
        await screen.sees_toast("New Security Alert", "CRITICAL: The audit log is broken at line 7")
        await expect(screen.toast).to_have_class(re.compile("border-danger"))
        label = screen.page.get_by_role("main").get_by_role("link", name="Security")
        await expect(label).to_contain_text("wait")

    async def test_is_filtered_by_severity(self, come: Come, linnea: Person, maja: Person):
        await is_raised(maja)
        alarms = await at_the_alarms(await come(viewport=DESK), linnea)
        row = alarms.row(f"buy_{maja.name}").first
        await expect(row).to_be_visible()
        await alarms.chooses("alerts.severity.low")
        await expect(row).to_be_hidden()
        await alarms.chooses("alerts.severity.high")
        await expect(row).to_be_visible()

    async def test_shows_what_others_wrote_as_text(
        self, come: Come, linnea: Person, a_person: MakePerson
    ):
        attacker = await a_person(name=HOSTILE)
        await is_raised(attacker, Kind.ROLE_CHANGED, name=HOSTILE, before="a", after="b", by="c")
        visitor = await come(viewport=DESK)
        alarms = await at_the_alarms(visitor, linnea)
        await expect(alarms.row(HOSTILE).first).to_be_visible()
        assert await visitor.page.title() != "1"

    async def test_is_read_in_the_readers_language_at_once(
        self, come: Come, linnea: Person, maja: Person
    ):
        await is_raised(maja)
        alarms = await at_the_alarms(await come(viewport=DESK), linnea)
        await alarms.choose_language("sv")
        row = alarms.row(f"buy_{maja.name}").first
        await expect(row).to_contain_text("Någon anropade 20 gånger inom en minut")

    async def test_names_roles_and_sums_in_the_readers_language(
        self, come: Come, linnea: Person, maja: Person
    ):
        roles = {"before": ["roles.player"], "after": ["roles.moderator"]}
        company, older = str(new_id()), str(new_id())
        await is_raised(maja, Kind.ROLE_CHANGED, name=maja.name, by="Linnea", **roles)
        sums = {company: {"cents": 123_450}, older: {"amount": "$99.00"}}
        for named, money in sums.items():
            known = {"company": named, "payments": "–", "about": named, **money}
            await is_raised(maja, Kind.ADVERTISER_LEFT_MONEY, **known)
        alarms = await at_the_alarms(await come(viewport=DESK), linnea)
        await alarms.choose_language("sv")
        changed = alarms.row(f"Rollen för {maja.name} ändrades").first
        await expect(changed).to_contain_text("från Spelare till Moderator")
        await expect(alarms.row(company)).to_contain_text("och 1 234,50 $ av pengarna")
        await expect(alarms.row(older)).to_contain_text("och $99.00 av pengarna")


class TestTheTab:
    async def test_has_no_violations(self, come: Come, linnea: Person, maja: Person):
        await is_raised(maja, address="192.0.2.7")
        visitor = await one_following_the_system(come, viewport=PHONE)
        alarms = await at_the_alarms(visitor, linnea)
        await expect(alarms.row(f"buy_{maja.name}").first).to_be_visible()
        await has_no_violations(visitor.page, DESK, PHONE)

    async def test_is_worked_by_the_keyboard_alone(
        self, come: Come, linnea: Person, a_person: MakePerson
    ):
        emil = await a_person(name="Emil Kvist")
        await is_raised(emil)
        visitor = await come(viewport=DESK)
        alarms = await at_the_alarms(visitor, linnea)
        row = alarms.row(f"buy_{emil.name}")
        await tab_to(visitor.page, row.get_by_role("button"), at_most=60)
        await visitor.page.keyboard.press("Enter")
        await expect(row).to_be_hidden()

    async def test_is_no_wider_than_a_small_phone(self, come: Come, maja: Person, linnea: Person):
        await is_raised(maja, address="2001:db8:1234:5678:9abc:def0:1234:5678")
        visitor = await come(viewport={"width": 360, "height": 780})
        alarms = await at_the_alarms(visitor, linnea)
        await expect(alarms.row(f"buy_{maja.name}").first).to_be_visible()
        async for language in alarms.in_each_of(LANGUAGES):
            assert await is_no_wider_than_its_window(visitor.page), language
