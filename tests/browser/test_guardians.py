"""Somebody under 16, their guardian, and what waits meanwhile."""

import secrets

import pytest
from playwright.async_api import Locator, expect

from rewards_app.core import live
from rewards_app.features.guardians import service as guardians
from tests.browser.buying import in_the_shop
from tests.browser.chromium import DESK, PHONE, Visitor
from tests.browser.conftest import Come, MakePerson, Person
from tests.browser.pages import AgePrompt, Screen
from tests.browser.test_accessibility import has_no_violations, one_following_the_system
from tests.browser.watching import the_actor_behind
from tests.guardians import has_consent
from tests.people import born_years_ago
from tests.serving import Served


def a_mum() -> str:
    return f"mum-{secrets.token_hex(4)}@example.com"


class Card(Screen):
    """On the profile: how it stands, and the form."""

    def says_status(self, status: str) -> Locator:
        return self.text(self.says[f"guardians.status.{status}"])

    async def ask(self, email: str) -> None:
        await self.field("guardians.email").fill(email)
        await self.button("guardians.ask").click()


class GuardianPage(Screen):
    async def open(self, link: str) -> None:
        await self.page.goto(link)

    async def sign(self, name: str = "Anna Berg", *, is_guardian: bool = True) -> None:
        await self.field("guardian.full_name").fill(name)
        if is_guardian:
            await self.field("guardian.is_guardian").check()
        await self.button("guardian.give").click()


async def a_young_player(come: Come, a_person: MakePerson) -> tuple[Visitor, Person]:
    maja = await a_person(born=born_years_ago(14))
    visitor = await come()
    await visitor.comes_with(maja.session)
    return visitor, maja


async def asked(visitor: Visitor, mum: str) -> Card:
    card = Card(await visitor.open("/profile"))
    await card.ask(mum)
    await expect(card.says_status("asked")).to_be_visible()
    return card


class TestTheGuardian:
    async def test_gives_consent_and_takes_it_back_while_the_player_looks_on(
        self, come: Come, a_person: MakePerson, served: Served
    ):
        maja, _ = await a_young_player(come, a_person)
        mum = a_mum()
        card = await asked(maja, mum)

        guardian = GuardianPage((await come()).page)
        link = served.letters.link_to(mum)
        await guardian.open(link)
        await guardian.sign(is_guardian=False)
        await expect(
            guardian.text(guardian.says["errors.guardians.not_confirmed"]).first
        ).to_be_visible()
        await guardian.sign()
        await expect(guardian.heading("guardian.gave_title")).to_be_visible()
        await expect(card.says_status("given")).to_be_visible()

        await guardian.open(link)
        await expect(guardian.heading("guardian.over_title")).to_be_visible()

        await guardian.open(served.letters.link_to(mum, number=2))
        await guardian.button("guardian.withdraw").click()
        await expect(guardian.heading("guardian.withdrew_title")).to_be_visible()
        await expect(card.says_status("withdrawn")).to_be_visible()

    async def test_refuses_and_the_player_can_ask_again(
        self, come: Come, a_person: MakePerson, served: Served
    ):
        maja, _ = await a_young_player(come, a_person)
        mum = a_mum()
        card = await asked(maja, mum)
        guardian = GuardianPage((await come()).page)
        await guardian.open(served.letters.link_to(mum))
        await guardian.button("guardian.refuse").click()
        await expect(guardian.heading("guardian.refused_title")).to_be_visible()
        await expect(card.says_status("refused")).to_be_visible()
        await expect(card.button("guardians.ask")).to_be_visible()

    async def test_reads_on_in_the_language_of_the_letter_unless_they_chose_another(
        self, come: Come, a_person: MakePerson, served: Served
    ):
        maja, _ = await a_young_player(come, a_person)
        card, mum = Card(await maja.open("/profile")), a_mum()
        await card.choose_language("sv")
        await card.ask(mum)
        await expect(card.says_status("asked")).to_be_visible()
        link = served.letters.link_to(mum)

        swedish = GuardianPage((await come()).page, "sv")
        await swedish.open(link)
        await expect(swedish.button("guardian.give")).to_be_visible()

        french = GuardianPage((await come(stored={"language": "fr"})).page, "fr")
        await french.open(link)
        await expect(french.button("guardian.give")).to_be_visible()

    async def test_meets_the_same_calm_words_behind_any_bad_link(self, come: Come):
        guardian = GuardianPage((await come()).page)
        for token in ("", "x" * 43, "%27%20or%201=1"):
            await guardian.open(f"/guardian?token={token}")
            await expect(guardian.heading("guardian.over_title")).to_be_visible()


class TestThePlayer:
    async def test_is_asked_for_a_guardian_right_after_the_age(
        self, come: Come, a_person: MakePerson, served: Served
    ):
        visitor = await come()
        await visitor.comes_with((await a_person(born=None)).session)
        prompt = AgePrompt(await visitor.open("/"))
        await prompt.tell(born_years_ago(14))
        await prompt.yes(14).click()
        await expect(prompt.text(prompt.says["age.parents_title"])).to_be_visible()
        mum = a_mum()
        await prompt.dialog.get_by_label(prompt.says["guardians.email"], exact=True).fill(mum)
        await prompt.dialog.get_by_role("button", name=prompt.says["guardians.ask"]).click()
        assert "/guardian?token=" in served.letters.link_to(mum)
        await expect(prompt.text(prompt.says["guardians.status.asked"])).to_be_visible()
        await prompt.button("age.understood").click()
        await prompt.is_gone()

    async def test_cannot_name_their_own_address(self, come: Come, a_person: MakePerson):
        visitor, maja = await a_young_player(come, a_person)
        card = Card(await visitor.open("/profile"))
        await card.ask(maja.email.replace("@", "+mum@"))
        await expect(card.text(card.says["errors.guardians.own_address"]).first).to_be_visible()

    async def test_pays_by_card_only_with_consent(self, come: Come, a_person: MakePerson):
        maja = await a_person(born=born_years_ago(14))
        shop = await in_the_shop(await come(), maja, coins=3)
        await expect(shop.summary).to_contain_text("Parental consent required")
        await expect(shop.purchase).to_have_count(0)

        await has_consent(await the_actor_behind(maja))
        live.announce(guardians.CHANGED, str(maja.account_id))
        await live.tell_now()

        await expect(shop.purchase).to_be_visible()
        await expect(shop.summary).not_to_contain_text("Parental consent required")

    async def test_keeps_a_private_page_meanwhile(self, come: Come, a_person: MakePerson):
        visitor, _ = await a_young_player(come, a_person)
        screen = Screen(await visitor.open("/profile"))
        await expect(screen.text(screen.says["profile.public_waits"])).to_be_visible()
        await expect(screen.page.get_by_role("switch")).to_be_disabled()

    @pytest.mark.parametrize("viewport", [PHONE, DESK], ids=["phone", "desk"])
    async def test_meets_it_before_their_games_or_beside_them(
        self, come: Come, a_person: MakePerson, viewport: dict[str, int]
    ):
        visitor = await come(viewport=viewport)
        await visitor.comes_with((await a_person(born=born_years_ago(14))).session)
        card = Card(await visitor.open("/profile"))
        await expect(card.heading("guardians.title")).to_be_visible()
        asked = await card.heading("guardians.title").bounding_box()
        games = await card.heading("profile.gaming").bounding_box()
        assert asked
        assert games
        is_beside, is_above = asked["x"] > games["x"], asked["y"] < games["y"]
        assert is_beside if viewport == DESK else is_above

    async def test_of_sixteen_and_more_sees_nothing_of_it(self, come: Come, a_person: MakePerson):
        visitor = await come()
        await visitor.comes_with((await a_person()).session)
        screen = Screen(await visitor.open("/profile"))
        await expect(screen.heading("profile.your_stats")).to_be_visible()
        await expect(screen.heading("guardians.title")).to_have_count(0)


async def test_everybody_can_use_it(come: Come, a_person: MakePerson, served: Served):
    maja = await a_person(born=born_years_ago(14))
    visitor = await one_following_the_system(come, viewport=PHONE)
    await visitor.comes_with(maja.session)
    card = Card(await visitor.open("/profile"))
    mum = a_mum()
    await card.ask(mum)
    await expect(card.says_status("asked")).to_be_visible()
    await has_no_violations(card.page)
    link = served.letters.link_to(mum)
    stranger = await one_following_the_system(come)
    guardian = GuardianPage(stranger.page)
    await guardian.open(link)
    await expect(guardian.button("guardian.give")).to_be_visible()
    await has_no_violations(guardian.page)
