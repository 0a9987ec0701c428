"""A company plans a campaign and makes an ad; players see it, and the company sees that at once."""

import re
import secrets
from collections.abc import AsyncIterator
from dataclasses import dataclass
from datetime import timedelta

import pytest
from playwright.async_api import Locator, expect

from rewards_app.core import live
from rewards_app.core.actor import Role
from rewards_app.core.clock import utc_now
from rewards_app.core.database import rows, transaction
from rewards_app.features.advertiser import money
from rewards_app.i18n import languages
from rewards_app.models import AdvertiserMember
from tests import campaigns as services
from tests.ads import an_advertiser, serve_what_can_be
from tests.browser.chromium import DESK, PHONE, Visitor
from tests.browser.conftest import Come, MakePerson, Person
from tests.browser.moments import shown, within
from tests.browser.pages import Screen, tab_to
from tests.browser.stillness import comes_to_rest
from tests.browser.test_accessibility import has_no_violations, one_following_the_system
from tests.browser.test_layout import spilled_in
from tests.browser.watching import at_the_ads, the_actor_behind
from tests.review import approves, rejects

SEEN_WITHIN = 6.0
TOPS = "all => all.map((one) => Math.round(one.getBoundingClientRect().top))"
FILM = "/ads/hear-the-fjord.webm"
LONG = {
    "name": "Kopfhörer-Wochen: Donaudampfschifffahrtsgesellschaftskapitän",
    "description": "Lieferung am nächsten Werktag. " * 10,
    "budget": "999999.99",
    "daily_budget": "123456.78",
}


class Campaigns(Screen):
    """Cards of campaigns, with the dialogs that plan, change and end them."""

    async def open(self, path: str = "/campaigns") -> None:
        await self.page.goto(path)
        await expect(self.button("campaigns.new").first).to_be_visible()

    def card(self, name: str) -> Locator:
        heading = self.page.get_by_role("heading", name=name, exact=True)
        return self.main.get_by_role("article").filter(has=heading)

    def act(self, name: str, what: str) -> Locator:
        words = f"{self.says[f'campaigns.{what}']}: {name}"
        return self.card(name).get_by_role("button", name=words, exact=True)

    def figure(self, name: str, key: str) -> Locator:
        label = self.card(name).get_by_text(self.says[f"campaigns.{key}"], exact=True)
        return label.locator("xpath=..").get_by_role("definition")

    def dialog(self, name: str) -> Locator:
        return self.page.locator(f"#{name}")

    async def plan(self) -> Locator:
        await self.button("campaigns.new").first.click()
        form = self.dialog("new-campaign")
        await expect(form).to_be_visible()
        return form


class Ads(Screen):
    """A company's ads with their form."""

    @property
    def form(self) -> Locator:
        return self.page.locator("#ad-form")

    @property
    def preview(self) -> Locator:
        return self.form.get_by_role("region", name=self.says["ads_desk.preview"])

    @property
    def send(self) -> Locator:
        return self.form.locator("button[type=submit]")

    def ad(self, title: str) -> Locator:
        return self.main.get_by_role("article").filter(has_text=title)


async def fills(form: Locator, **typed: str) -> None:
    for name, text in typed.items():
        await form.locator(f"[name={name}]").fill(text)


@dataclass
class Company:
    name: str
    owner: Person
    admin: Person


@pytest.fixture
async def fjord(a_person: MakePerson) -> AsyncIterator[Company]:
    """An approved company with two thousand dollars and no campaign yet."""
    astrid = await a_person(Role.COMPANY, name="Astrid")
    admin = await a_person(Role.ADMIN, name="Linnea")
    name = f"Fjord {secrets.token_hex(3)}"
    company = await an_advertiser(name)
    async with transaction() as session:
        session.add(
            AdvertiserMember(account_id=astrid.account_id, advertiser_id=company.id, role="owner")
        )
        await money.enter(
            session,
            company.id,
            200_000_000,
            money.Kind.OPENING,
            f"opening:{company.id}",
            now=utc_now(),
        )
    yield Company(name, astrid, admin)
    # Players of other tests are not shown what was left running.
    owner = await the_actor_behind(astrid)
    for one in (await services.lists(owner, now=utc_now())).shown:
        if one.can_end:
            await services.ends(owner, one.id, now=utc_now())
    await serve_what_can_be(now=utc_now())


async def at_the_campaigns(visitor: Visitor, company: Company) -> Campaigns:
    await visitor.comes_with(company.owner.session)
    screen = Campaigns(visitor.page)
    await screen.open()
    return screen


async def review_of(title: str, company: Company, reason: str = "") -> None:
    """The admin decides on the company's newest ad of this title."""
    async with transaction() as session:
        found = await rows(
            session, "select id from ads where title = %(t)s order by id desc", {"t": title}
        )
    admin = await the_actor_behind(company.admin)
    if reason:
        await rejects(admin, found[0][0], reason, now=utc_now())
    else:
        await approves(admin, found[0][0], now=utc_now())
    await live.tell_now()


def day(after: int) -> str:
    return (utc_now() + timedelta(days=after)).date().isoformat()


class TestACompany:
    async def test_plans_is_reviewed_sees_a_players_view_pauses_resumes_and_ends(
        self, come: Come, fjord: Company, maja: Person
    ):
        screen = await at_the_campaigns(await come(viewport=DESK), fjord)
        await expect(screen.heading("campaigns.not_found")).to_be_visible()
        form = await screen.plan()
        await form.get_by_role("button", name="Create Campaign").click()
        await screen.sees_toast("Error", "Please fill in all required fields")
        for name in ("name", "budget", "start_date", "end_date"):
            await expect(form.locator(f"#field-{name}-error")).to_contain_text("required fields")
            await expect(form.locator(f"#field-{name}")).to_have_attribute("aria-invalid", "true")
        await fills(form, name="Winter sale")
        await expect(form.locator("#field-name-error")).to_have_text("")
        await expect(form.locator("#field-name")).to_have_attribute("aria-invalid", "false")
        await expect(form.locator("#field-budget-error")).to_contain_text("required fields")
        await fills(form, name="", budget="500")
        await form.get_by_role("button", name="Create Campaign").click()
        await expect(form.locator("#field-name-error")).to_contain_text("required fields")
        await expect(form.locator("#field-budget-error")).to_have_text("")
        await fills(form, name="Winter sale", budget="500", start_date=day(0), end_date=day(-1))
        await expect(form).to_contain_text("buys 1,000\u00a0completed views at $0.50 each.")
        await form.get_by_role("button", name="Create Campaign").click()
        await expect(form.locator("#field-end_date-error")).to_have_text(
            "The end date must follow the start date."
        )
        await fills(form, end_date=(last := day(20)))
        await form.get_by_role("button", name="Create Campaign").click()
        await screen.sees_toast("Campaign Created!")
        await expect(form).to_be_hidden()
        await expect(screen.card("Winter sale")).to_contain_text("Draft")

        await screen.card("Winter sale").get_by_role("link", name="Make an ad").click()
        ads = Ads(screen.page)
        await expect(ads.send).to_be_disabled()
        title = f"Hear the fjord {secrets.token_hex(3)}"
        what = "Headphones that leave the sea outside."
        await fills(ads.form, title=title, description=what, video_url=FILM, duration="5")
        # Its campaign is chosen already.
        await expect(ads.send).to_be_enabled()
        await expect(ads.preview.locator("video")).to_have_attribute("src", FILM)
        await expect(ads.preview).to_contain_text(f"Ad by {fjord.name}")
        await expect(ads.preview).to_contain_text(what)
        await expect(ads.form).to_contain_text("costs $0.50, its reward of 15\u00a0coins is worth")
        await ads.send.click()
        await ads.sees_toast("Ad Created!", "Your ad has been created and is now ready for review.")
        await expect(ads.ad(title)).to_contain_text("In review")
        async with within(SEEN_WITHIN, shown(ads.ad(title), "Active")):
            await review_of(title, fjord)

        await screen.open()
        await expect(screen.card("Winter sale")).to_contain_text("Active")
        await expect(screen.figure("Winter sale", "views")).to_have_text("0")
        watch = await at_the_ads(await come(), maja)
        async with within(SEEN_WITHIN, shown(screen.figure("Winter sale", "views"), "1")):
            await watch.start(title)
            await watch.is_rewarded()
        await expect(screen.figure("Winter sale", "spent")).to_have_text("$0.50")
        await expect(screen.main).to_contain_text("$0.50 spent across 1\u00a0campaign.")

        await screen.act("Winter sale", "stats").click()
        stats = screen.dialog("campaign-stats")
        await expect(stats).to_contain_text("999")
        await expect(stats.get_by_text("Views left")).to_be_visible()
        await expect(stats.get_by_role("row").filter(has_text=title)).to_contain_text("1")
        await stats.get_by_role("button", name="Close").click()

        await screen.act("Winter sale", "pause").click()
        await screen.sees_toast("Campaign paused")
        await expect(screen.card("Winter sale")).to_contain_text("999\u00a0views remain")
        await screen.act("Winter sale", "resume").click()
        await screen.sees_toast("Campaign running")

        await screen.act("Winter sale", "edit").click()
        form = screen.dialog("edit-campaign")
        await expect(form.locator("[name=budget]")).to_have_count(0)
        await expect(form).to_contain_text("the budget is set aside")
        await expect(form.locator("[name=end_date]")).to_have_value(f"{last}T23:59")
        await fills(form, name="Deep winter sale")
        await form.get_by_role("button", name="Save changes").click()
        await screen.sees_toast("Changes saved")
        await screen.act("Deep winter sale", "edit").click()
        await form.get_by_role("button", name="End campaign").click()
        question = screen.dialog("end-campaign")
        await expect(question).to_contain_text("$499.50")
        await question.get_by_role("button", name="End campaign").click()
        await screen.sees_toast("Campaign ended")
        await expect(screen.card("Deep winter sale")).to_contain_text("Completed")
        await expect(screen.card("Deep winter sale")).to_contain_text("Ended by your company")
        await screen.act("Deep winter sale", "stats").click()
        await expect(stats).to_contain_text("$0.50")
        for figure in ("Views left", "Taken today"):
            await expect(stats.get_by_text(figure)).to_have_count(0)

    async def test_corrects_an_ad_that_was_rejected_and_says_what_it_is_told_on_the_dashboard(
        self, come: Come, fjord: Company
    ):
        visitor = await come(viewport=PHONE)
        await visitor.comes_with(fjord.owner.session)
        screen = Campaigns(visitor.page)
        await screen.open("/advertiser?tab=campaigns")
        await expect(screen.heading("campaigns.none")).to_be_visible()
        form = await screen.plan()
        await form.get_by_role("button", name="Create Campaign").click()
        await screen.sees_toast("Campaign Creation Failed", "Please fill in all required fields")
        await fills(
            form,
            name="Spring",
            budget="100",
            start_date=f"{day(-1)}T08:00",
            end_date=f"{day(9)}T20:00",
        )
        await form.get_by_role("button", name="Create Campaign").click()
        await screen.sees_toast("Campaign Created!", "Your campaign has been created successfully.")
        title = f"Spring film {secrets.token_hex(3)}"
        owner = await the_actor_behind(fjord.owner)
        [campaign_id] = [one.id for one in (await services.lists(owner, now=utc_now())).shown]
        await services.makes_ad(owner, campaign_id, {"title": title}, now=utc_now())
        rejected = "was rejected: The link does not open."
        async with within(SEEN_WITHIN, shown(screen.card("Spring"), rejected)):
            await review_of(title, fjord, "The link does not open.")
        await screen.card("Spring").get_by_role("link", name="Correct it").click()
        ads = Ads(screen.page)
        await expect(ads.form.locator("[name=title]")).to_have_value(title)
        await expect(ads.form.get_by_text("The link does not open.")).to_be_visible()
        await fills(ads.form, click_url="javascript:alert(1)")
        await ads.send.click()
        await expect(ads.form.locator("#field-click_url-error")).to_contain_text("https://")
        await fills(ads.form, click_url="https://fjord.example/spring")
        await ads.send.click()
        await ads.sees_toast("Ad sent for review")
        await expect(ads.ad(title)).to_contain_text("In review")

    async def test_finds_campaigns_as_it_types_and_sees_all_again(self, come: Come, fjord: Company):
        owner = await the_actor_behind(fjord.owner)
        for name in ("Winter sale", "Spring sale", "Student price"):
            await services.plans(
                owner, {"name": name, "start_date": day(3), "end_date": day(9)}, now=utc_now()
            )
        screen = await at_the_campaigns(await come(viewport=DESK), fjord)
        await screen.field("campaigns.search").fill("SALE")
        await expect(screen.main.get_by_role("article")).to_have_count(2)
        await screen.field("campaigns.search").fill("christmas")
        await screen.field("campaigns.search").press("Enter")
        await expect(screen.heading("campaigns.not_found")).to_be_visible()
        await expect(screen.main).to_contain_text("None of the 3\u00a0campaigns has “christmas”")
        await screen.button("campaigns.clear").click()
        await expect(screen.main.get_by_role("article")).to_have_count(3)
        await expect(screen.field("campaigns.search")).to_have_value("")
        await screen.main.get_by_role("radio", name="Active").check()
        await expect(screen.heading("campaigns.not_found")).to_be_visible()
        await expect(screen.main).to_contain_text("No campaign has this status.")
        await screen.field("campaigns.search").fill("sale")
        await screen.field("campaigns.search").press("Enter")
        await expect(screen.main).to_contain_text("No campaign with “sale” has this status.")

    async def test_finds_its_ads_by_title_and_by_status_and_sees_all_again(
        self, come: Come, fjord: Company
    ):
        owner = await the_actor_behind(fjord.owner)
        campaign_id = await services.plans(
            owner, {"start_date": day(3), "end_date": day(9)}, now=utc_now()
        )
        mark = secrets.token_hex(3)
        for title in ("Hear the fjord", "Every step"):
            await services.makes_ad(owner, campaign_id, {"title": f"{title} {mark}"}, now=utc_now())
        await review_of(f"Every step {mark}", fjord, "The link does not open.")
        ads = await at_the_list(await one_following_the_system(come, viewport=DESK), fjord)
        await ads.field("ads_desk.search").fill("FJORD")
        await expect(ads.main.get_by_role("article")).to_have_count(1)
        await ads.main.get_by_role("radio", name="Rejected").check()
        await expect(ads.main).to_contain_text("No ad with “FJORD” has this status.")
        await has_no_violations(ads.page, DESK, PHONE)
        await ads.button("campaigns.clear").click()
        await expect(ads.main.get_by_role("article")).to_have_count(2)
        await expect(ads.field("ads_desk.search")).to_have_value("")

    async def test_looks_at_all_days_of_a_campaign(self, come: Come, fjord: Company):
        owner = await the_actor_behind(fjord.owner)
        known = {"name": "Winter sale", "start_date": day(3), "end_date": day(9)}
        await services.plans(owner, known, now=utc_now())
        screen = await at_the_campaigns(await one_following_the_system(come, viewport=DESK), fjord)
        await screen.act("Winter sale", "stats").click()
        await screen.dialog("campaign-stats").get_by_role("link", name="All figures").click()
        await expect(screen.main).to_contain_text("all days of the campaign")
        await expect(screen.main).to_contain_text("Campaign: Winter sale")
        await has_no_violations(screen.page, DESK, PHONE)
        await screen.link("narrowed.show_all").click()
        await expect(screen.main).to_contain_text("compared with the 30")

    async def test_is_told_that_an_ad_is_reviewed_again_where_a_lower_budget_covers_no_reward(
        self, come: Come, fjord: Company
    ):
        owner = await the_actor_behind(fjord.owner)
        plan = {"budget": "1500", "start_date": day(3), "end_date": day(9)}
        campaign_id = await services.plans(owner, plan, now=utc_now())
        title = f"Hear the fjord {secrets.token_hex(3)}"
        await services.makes_ad(owner, campaign_id, {"title": title}, now=utc_now())
        await review_of(title, fjord)
        screen = await at_the_campaigns(await come(viewport=PHONE), fjord)
        again = screen.says["campaigns.reviewed_again"]
        for budget, covered, said in (("1450", "15", None), ("100", "1", again)):
            await screen.act("Winter sale", "edit").click()
            form = screen.dialog("edit-campaign")
            await expect(form).not_to_contain_text("Highest reward covered")
            await fills(form, budget=budget)
            await expect(form).to_contain_text(f"Highest reward covered at this price: {covered}.")
            await form.get_by_role("button", name="Save changes").click()
            await screen.sees_toast("Changes saved", said)
            await expect(form).to_be_hidden()
        await expect(screen.card("Winter sale")).to_contain_text("Its ad is being reviewed.")

    async def test_needs_no_mouse(self, come: Come, fjord: Company):
        screen = await at_the_campaigns(await come(viewport=DESK), fjord)
        await tab_to(screen.page, screen.button("campaigns.new").first)
        await screen.page.keyboard.press("Enter")
        form = screen.dialog("new-campaign")
        await expect(form).to_be_visible()
        await tab_to(screen.page, form.locator("[name=name]"))
        await screen.page.keyboard.type("By keyboard")
        await screen.page.keyboard.press("Enter")
        await expect(form.locator("#field-budget-error")).to_contain_text("required")
        await screen.page.keyboard.press("Escape")
        await expect(form).to_be_hidden()
        await expect(screen.button("campaigns.new").first).to_be_focused()


class TestAPicture:
    """Of an ad, among the ads."""

    async def test_is_fetched_once_it_comes_into_sight_and_says_whose_it_is(
        self, come: Come, fjord: Company
    ):
        title = await an_image_of(fjord, "/ads/hexhaven.webp")
        ads = await at_the_list(await come(viewport=PHONE), fjord)
        picture = ads.ad(title).get_by_role("img", name=f"Picture of “{title}”")
        await expect(picture).to_have_attribute("loading", "lazy")
        await expect(picture).to_have_js_property("naturalWidth", 1280)

    async def test_that_cannot_be_shown_leaves_its_place_to_the_sign_of_its_kind(
        self, come: Come, fjord: Company
    ):
        title = await an_image_of(fjord, "/ads/no-such.webp")
        visitor = await come(viewport=DESK)
        visitor.bears("status of 404")
        ads = await at_the_list(visitor, fjord)
        await expect(ads.ad(title).locator("svg.lucide-image")).to_be_visible()
        await expect(ads.ad(title).locator("img")).to_be_hidden()
        await expect(ads.ad(title).locator("img")).to_have_count(1)


async def an_image_of(company: Company, address: str) -> str:
    """An ad that shows an image; its title."""
    owner = await the_actor_behind(company.owner)
    campaign_id = await services.plans(
        owner, {"start_date": day(3), "end_date": day(9)}, now=utc_now()
    )
    title = f"A board {secrets.token_hex(3)}"
    image = {"title": title, "ad_type": "image", "image_url": address}
    await services.makes_ad(owner, campaign_id, image, now=utc_now())
    return title


async def at_the_list(visitor: Visitor, company: Company) -> Ads:
    await visitor.comes_with(company.owner.session)
    await visitor.open("/advertiser?tab=ads")
    ads = Ads(visitor.page)
    await expect(ads.main.get_by_role("article").first).to_be_visible()
    return ads


class TestAnAdmin:
    async def test_sees_all_companies_and_plans_for_the_one_they_name(
        self, come: Come, fjord: Company
    ):
        visitor = await come(viewport=DESK)
        await visitor.comes_with(fjord.admin.session)
        screen = Campaigns(visitor.page)
        await screen.open()
        form = await screen.plan()
        await fills(form, name="By an admin", budget="50", start_date=day(3), end_date=day(9))
        await form.get_by_role("button", name="Create Campaign").click()
        await expect(form.locator("#field-company-error")).to_contain_text("required")
        await form.locator("[name=company]").select_option(label=fjord.name)
        await form.get_by_role("button", name="Create Campaign").click()
        await screen.sees_toast("Campaign Created!")
        await expect(screen.card("By an admin").filter(has_text=fjord.name)).to_be_visible()

    async def test_looks_at_one_company_alone_and_at_all_again(self, come: Come, fjord: Company):
        owner = await the_actor_behind(fjord.owner)
        known = {"name": "Only theirs", "start_date": day(3), "end_date": day(9)}
        campaign_id = await services.plans(owner, known, now=utc_now())
        title = f"Hear the fjord {secrets.token_hex(3)}"
        await services.makes_ad(owner, campaign_id, {"title": title}, now=utc_now())
        visitor = await one_following_the_system(come, viewport=DESK)
        await visitor.comes_with(fjord.admin.session)
        screen = Campaigns(visitor.page)
        await screen.open()
        await screen.card("Only theirs").get_by_role("link", name=fjord.name).click()
        await screen.main.get_by_role("link", name="Open its campaigns").click()
        chip = f"Company: {fjord.name}"
        await expect(screen.main).to_contain_text(chip)
        await expect(screen.main.get_by_role("article")).to_have_count(1)
        await has_no_violations(screen.page, DESK, PHONE)
        form = await screen.plan()
        await expect(form.locator("[name=company] option:checked")).to_have_text(fjord.name)
        await form.get_by_role("button", name="Cancel").click()

        await screen.main.get_by_role("link", name="Ads").click()
        ads = Ads(screen.page)
        await expect(ads.ad(title)).to_be_visible()
        await expect(ads.main).to_contain_text(chip)
        await expect(ads.main.get_by_role("article")).to_have_count(1)
        await has_no_violations(ads.page, DESK, PHONE)
        await ads.main.get_by_role("link", name="Analytics").last.click()
        await expect(ads.heading("analytics.title")).to_be_visible()
        await expect(ads.main).to_contain_text(chip)
        export = ads.link("analytics.export")
        await expect(export).to_have_attribute("href", re.compile("&company="))
        await ads.link("narrowed.show_all").click()
        await expect(ads.main).not_to_contain_text(chip)

    async def test_says_to_a_company_why_they_end_its_campaign(self, come: Come, fjord: Company):
        owner = await the_actor_behind(fjord.owner)
        known = {"name": "Loud chairs", "start_date": day(3), "end_date": day(9)}
        await services.plans(owner, known, now=utc_now())
        visitor = await one_following_the_system(come, viewport=DESK)
        await visitor.comes_with(fjord.admin.session)
        screen = Campaigns(visitor.page)
        await screen.open()
        await screen.act("Loud chairs", "edit").click()
        end = screen.says["campaigns.end"]
        await screen.dialog("edit-campaign").get_by_role("button", name=end).click()
        asked = screen.dialog("end-campaign")
        await asked.get_by_role("button", name=end).click()
        await expect(asked.locator("#field-reason-error")).to_be_visible()
        await has_no_violations(screen.page)
        why = "These chairs are not sold any more."
        await asked.locator("[name=reason]").fill(why)
        await asked.get_by_role("button", name=end).click()
        await screen.sees_toast("Campaign ended")

        company = await at_the_campaigns(await come(viewport=PHONE), fjord)
        card = company.card("Loud chairs")
        await expect(card).to_contain_text("Ended by an admin")
        await expect(card).to_contain_text(f"An admin ended this campaign: {why}")


class TestWhoActsForNoCompany:
    async def test_is_led_to_the_application(self, come: Come, a_person: MakePerson):
        visitor = await come()
        await visitor.comes_with((await a_person(Role.COMPANY)).session)
        await visitor.page.goto("/campaigns")
        await Screen(visitor.page).is_at("/advertiser")


class TestLayout:
    async def test_fits_from_360_to_2560_pixels(self, come: Come, fjord: Company):
        owner = await the_actor_behind(fjord.owner)
        campaign_id = await services.plans(
            owner, LONG | {"start_date": day(-1), "end_date": day(9)}, now=utc_now()
        )
        title = f"{LONG['name']} {secrets.token_hex(3)}"
        await services.makes_ad(owner, campaign_id, {"title": title}, now=utc_now())
        await review_of(title, fjord, "Der Link öffnet sich nicht. " * 8)
        visitor = await come()
        await visitor.comes_with(fjord.owner.session)
        screen, found = Screen(visitor.page), []
        for path in ("/campaigns", "/advertiser?tab=campaigns", "/advertiser?tab=ads"):
            await visitor.open(path)
            await expect(visitor.page.get_by_role("article")).to_have_count(1)
            found += await spilled_in(screen)
            await visitor.page.get_by_role("article").get_by_role("button").first.click()
            await expect(visitor.page.get_by_role("dialog")).to_be_visible()
            found += await spilled_in(screen)
        await visitor.open("/campaigns")
        await visitor.page.get_by_role("article").get_by_role("button").last.click()
        await expect(visitor.page.get_by_role("dialog")).to_be_visible()
        found += await spilled_in(screen)
        assert not found, "\n".join(found)

    async def test_saving_and_not_saving_stand_side_by_side(self, come: Come, fjord: Company):
        owner = await the_actor_behind(fjord.owner)
        await services.plans(owner, {"start_date": day(-1), "end_date": day(9)}, now=utc_now())
        screen = await at_the_campaigns(await come(viewport=DESK), fjord)
        buttons = screen.dialog("edit-campaign").locator("form button")
        for language in languages.CODES:
            await screen.choose_language(language)
            await screen.main.get_by_role("article").get_by_role("button").first.click()
            await expect(buttons).to_have_count(3)
            assert await comes_to_rest(screen.page)
            tops = await buttons.evaluate_all(TOPS)
            assert len(set(tops)) == 1, language
            await screen.page.keyboard.press("Escape")
            await expect(buttons).to_have_count(0)


class TestAxe:
    async def test_finds_nothing_on_campaigns_ads_and_their_dialogs(
        self, come: Come, fjord: Company
    ):
        visitor = await one_following_the_system(come, viewport=PHONE)
        screen = await at_the_campaigns(visitor, fjord)
        await has_no_violations(screen.page, DESK, PHONE)
        owner = await the_actor_behind(fjord.owner)
        campaign_id = await services.plans(
            owner, {"start_date": day(-1), "end_date": day(9)}, now=utc_now()
        )
        title = f"A film {secrets.token_hex(3)}"
        await services.makes_ad(owner, campaign_id, {"title": title}, now=utc_now())
        await review_of(title, fjord)
        await screen.open()
        await has_no_violations(screen.page, DESK, PHONE)
        form = await screen.plan()
        await form.get_by_role("button", name="Create Campaign").click()
        await expect(form.locator("#field-name-error")).to_contain_text("required")
        await has_no_violations(screen.page, DESK, PHONE)
        for what, dialog in (("edit", "edit-campaign"), ("stats", "campaign-stats")):
            await screen.open()
            await screen.act("Winter sale", what).click()
            await expect(screen.dialog(dialog)).to_be_visible()
            await has_no_violations(screen.page, DESK, PHONE)
        ads = Ads(screen.page)
        await visitor.open("/advertiser?tab=ads")
        await has_no_violations(ads.page, DESK, PHONE)
        await ads.ad(title).get_by_role("button").first.click()
        await expect(ads.preview.locator("video")).to_be_visible()
        await has_no_violations(ads.page, DESK, PHONE)
