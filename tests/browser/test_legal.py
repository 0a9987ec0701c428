"""The terms and the privacy policy, as people read them, and the news of a new edition."""

import re

import pytest
from playwright.async_api import WebSocketRoute, expect

from rewards_app.core.actor import Role
from rewards_app.core.clock import utc_now
from rewards_app.core.database import transaction
from rewards_app.features.legal import repository
from rewards_app.features.legal.rules import EDITIONS, SECTIONS, Document
from rewards_app.i18n.catalogues import interface
from tests.browser.chromium import PHONE, Visitor
from tests.browser.conftest import Come, MakePerson
from tests.browser.pages import AgePrompt, CookieBanner, Screen, tab_to
from tests.browser.stillness import comes_to_rest
from tests.browser.test_accessibility import has_no_violations, one_following_the_system
from tests.browser.test_layout import spilled_in

PATHS = {Document.TERMS: "/terms", Document.PRIVACY: "/privacy"}


async def reading(
    visitor: Visitor, document: Document = Document.TERMS, language: str = "en"
) -> Screen:
    screen = Screen(await visitor.open(PATHS[document]), language)
    await expect(screen.heading(f"legal.{document}.title")).to_be_visible()
    return screen


class TestReading:
    @pytest.mark.parametrize("document", Document)
    async def test_has_all_sections_in_order(self, come: Come, document: Document):
        screen = await reading(await come(), document)
        names = [screen.says[f"legal.{document}.{name}"] for name in SECTIONS[document]]
        shown = await screen.main.get_by_role("heading", level=2).all_inner_texts()
        assert shown[1:-1] == names

    async def test_is_part_of_the_document_before_any_script_runs(self, come: Come):
        visitor = await come(java_script_enabled=False)
        await visitor.page.goto("/privacy")
        english = interface("en")
        first = english["legal.privacy.children_text"].split("\n")[0]
        await expect(visitor.page.get_by_text(first)).to_be_attached()

    async def test_is_led_by_its_contents_with_the_keyboard_alone(self, come: Come):
        screen = await reading(await come())
        contents = screen.page.get_by_role("navigation", name=screen.says["legal.contents"])
        await tab_to(
            screen.page, contents.get_by_role("link", name=screen.says["legal.terms.termination"])
        )
        await screen.page.keyboard.press("Enter")
        heading = screen.heading("legal.terms.termination")
        await expect(heading).to_be_in_viewport()
        await expect(heading).to_be_focused()

    async def test_changes_its_language_as_a_whole_without_a_reload(self, come: Come):
        screen = await reading(await come(), Document.PRIVACY)
        await screen.page.evaluate("window.isTheSame = true")
        for language in ("de", "ru", "en"):
            await screen.choose_language(language)
            await expect(screen.heading("legal.privacy.title")).to_be_visible()
            first = screen.says["legal.privacy.children_text"].split("\n")[0]
            await expect(screen.page.get_by_text(first)).to_be_visible()
        assert await screen.page.evaluate("window.isTheSame")

    async def test_comes_in_the_language_that_was_chosen_before(self, come: Come):
        visitor = await come(stored={"language": "pl"})
        screen = await reading(visitor, Document.TERMS, "pl")
        await expect(screen.heading("legal.terms.coins")).to_be_visible()

    @pytest.mark.parametrize("role", [None, Role.PLAYER], ids=["visitor", "player"])
    async def test_has_the_switches_where_it_speaks_of_cookies(
        self, come: Come, a_person: MakePerson, role: Role | None
    ):
        visitor = await come()
        if role:
            await visitor.comes_with((await a_person(role)).session)
        switches = CookieBanner((await reading(visitor, Document.PRIVACY)).page)
        await expect(switches.switch("essential")).to_be_disabled()
        await switches.switch("marketing").click()
        await switches.sees_toast("Cookie settings updated")
        stored = await switches.stored()
        assert stored
        assert [kind for kind, is_allowed in stored.items() if is_allowed] == [
            "essential",
            "marketing",
        ]
        await switches.page.reload()
        await expect(switches.switch("marketing")).to_be_checked()

    async def test_leads_visitors_to_support_by_mail(self, come: Come):
        screen = await reading(await come())
        mailing = re.compile("^mailto:.+@.+")
        await expect(screen.link("legal.contact_support")).to_have_attribute("href", mailing)

    @pytest.mark.parametrize("role", [Role.PLAYER, Role.COMPANY, Role.ADMIN])
    async def test_stands_in_the_frame_of_whoever_is_signed_in(
        self, come: Come, a_person: MakePerson, role: Role
    ):
        visitor = await come()
        await visitor.comes_with((await a_person(role)).session)
        screen = await reading(visitor)
        await expect(screen.page.get_by_role("heading", level=1)).to_have_count(1)
        await expect(screen.button("frame.log_out").first).to_be_attached()

    async def test_is_not_covered_by_the_question_for_the_age(
        self, come: Come, a_person: MakePerson
    ):
        visitor = await come()
        await visitor.comes_with((await a_person(born=None)).session)
        screen = await reading(visitor)
        prompt = AgePrompt(screen.page)
        await expect(prompt.birth_date).to_be_attached()
        await prompt.is_gone()

    async def test_of_pages_that_need_it_not_brings_no_long_text(self, come: Come):
        visitor = await come()
        fetched: list[str] = []
        visitor.page.on("request", lambda request: fetched.append(request.url))
        await visitor.open("/landing")
        await visitor.page.wait_for_load_state("networkidle")
        assert not [address for address in fetched if "legal" in address]


class TestSigningUp:
    async def test_names_what_is_accepted_and_keeps_what_was_typed(self, come: Come):
        screen = Screen(await (await come()).open("/auth?mode=signup"))
        await screen.field("auth.email").fill("maja@example.com")
        async with screen.page.expect_popup() as opening:
            await screen.main.get_by_role("link", name=screen.says["auth.accept_terms"]).click()
        popup = await opening.value
        await expect(popup.get_by_role("heading", level=1)).to_have_text(
            screen.says["legal.terms.title"]
        )
        await expect(screen.field("auth.email")).to_have_value("maja@example.com")


class TestTheNews:
    async def test_is_on_every_page_until_it_was_understood(self, come: Come, a_person: MakePerson):
        visitor = await come()
        await visitor.comes_with((await a_person(knows_the_rules=False)).session)
        screen = Screen(await visitor.open("/shop"))
        await expect(screen.text(screen.says["editions.title"])).to_be_visible()
        await screen.button("editions.understood").click()
        await expect(screen.text(screen.says["editions.title"])).to_have_count(0)
        await visitor.open("/profile")
        await expect(screen.heading("profile.your_stats")).to_be_visible()
        await expect(screen.text(screen.says["editions.title"])).to_have_count(0)

    async def test_of_editions_that_were_missed_has_a_sentence_of_each(
        self, come: Come, a_person: MakePerson
    ):
        maja = await a_person(knows_the_rules=False)
        first = [one for one in EDITIONS if one.number == 1]
        async with transaction() as session:
            await repository.note(session, maja.account_id, first, at_sign_up=True, now=utc_now())
        visitor = await come()
        await visitor.comes_with(maja.session)
        screen = Screen(await visitor.open("/shop"))
        for missed in (one for one in EDITIONS if one.number > 1):
            await expect(screen.main.get_by_text(screen.says[missed.changed])).to_be_visible()
        await expect(screen.link("editions.read_privacy")).to_have_count(1)
        await screen.link("editions.read_privacy").click()
        await expect(screen.heading("legal.privacy.title")).to_be_visible()
        await expect(screen.text(screen.says["editions.title"])).to_have_count(0)
        for edition in (one for one in EDITIONS if one.document is Document.PRIVACY):
            await expect(screen.main.get_by_text(screen.says[edition.changed])).to_be_visible()

    async def test_of_a_document_goes_when_it_is_opened(self, come: Come, a_person: MakePerson):
        visitor = await come()
        await visitor.comes_with((await a_person(Role.ADMIN, knows_the_rules=False)).session)
        screen = Screen(await visitor.open("/"))
        await screen.link("editions.read_terms").click()
        await expect(screen.heading("legal.terms.title")).to_be_visible()
        await expect(screen.link("editions.read_terms")).to_have_count(0)
        await expect(screen.link("editions.read_privacy")).to_be_visible()

    async def test_that_a_page_has_no_words_for_is_told_once_it_is_reloaded(
        self, come: Come, a_person: MakePerson
    ):
        """As in a tab that outlived the update that the edition came with."""
        visitor = await come()
        newest = EDITIONS[-1].changed
        update = [newest, f"{newest}0"]

        async def carry(line: WebSocketRoute) -> None:
            server = line.connect_to_server()
            server.on_message(lambda words: line.send(str(words).replace(*update)))

        await visitor.context.route_web_socket(lambda url: "/_event" in url, carry)
        await visitor.comes_with((await a_person(knows_the_rules=False)).session)
        screen = Screen(await visitor.open("/shop"))
        await expect(screen.link("editions.read_privacy")).to_have_count(0)
        await comes_to_rest(screen.page)
        await expect(screen.text(screen.says["editions.title"])).to_have_count(0)
        await expect(screen.button("editions.understood")).to_have_count(0)
        update[1] = newest
        await visitor.open("/shop")
        await expect(screen.text(screen.says["editions.title"])).to_be_visible()
        await expect(screen.main.get_by_text(screen.says[newest])).to_be_visible()

    async def test_is_not_for_whoever_has_just_signed_up(self, come: Come, a_person: MakePerson):
        visitor = await come()
        await visitor.comes_with((await a_person()).session)
        screen = Screen(await visitor.open("/shop"))
        await expect(screen.heading("shop.title").first).to_be_visible()
        await expect(screen.text(screen.says["editions.title"])).to_have_count(0)


class TestEverybody:
    async def test_can_use_it(self, come: Come, a_person: MakePerson):
        visitor = await one_following_the_system(come, viewport=PHONE)
        for document in Document:
            await has_no_violations((await reading(visitor, document)).page)
        await visitor.comes_with((await a_person(knows_the_rules=False)).session)
        screen = Screen(await visitor.open("/settings"))
        await expect(screen.text(screen.says["editions.title"])).to_be_visible()
        await has_no_violations(screen.page)

    async def test_reads_it_without_a_cut_from_360_to_2560_pixels(self, come: Come):
        found = []
        for document in Document:
            screen = await reading(await come(), document)
            found += await spilled_in(screen, ["de", "ru", "fr"])
        assert not found, "\n".join(found)
