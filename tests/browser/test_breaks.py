"""Players under 18 rest an hour after fifteen ads: their pages say so, and until when."""

import re
from datetime import timedelta

from playwright.async_api import expect

from rewards_app.core.clock import utc_now
from rewards_app.core.database import transaction
from rewards_app.features.ads.rules import ADS_A_SITTING, SITTING_ENDS_AFTER
from rewards_app.models import Watcher
from tests.browser.chromium import DESK, PHONE
from tests.browser.conftest import Come, MakePerson, Person
from tests.browser.pages import Home
from tests.browser.test_accessibility import has_no_violations, one_following_the_system
from tests.browser.test_layout import spilled_in
from tests.browser.watching import Wire, at_the_ads, has_watched
from tests.people import born_years_ago

RESTED = timedelta(minutes=50)
AN_HOUR_OF_A_DAY = re.compile(r"\d{1,2}:\d{2}")
LATER = re.compile(r"From \d{1,2}:\d{2}")


async def has_sat(person: Person) -> None:
    """As long as may be, and rests since then."""
    await has_watched(person, ADS_A_SITTING, every=timedelta(seconds=20), ago=RESTED)


async def has_rested(person: Person) -> None:
    async with transaction() as session:
        watcher = await session.get(Watcher, person.account_id)
        assert watcher
        watcher.last_started_at = utc_now() - SITTING_ENDS_AFTER
        session.add(watcher)


class TestABreak:
    async def test_is_told_with_its_end_and_ends_by_itself(self, come: Come, a_person: MakePerson):
        nils = await a_person(name="Nils", born=born_years_ago(15))
        await has_sat(nils)
        visitor = await come(viewport=PHONE, timezone_id="UTC")
        wire = await Wire.of(visitor)
        await visitor.page.clock.install()
        watch = await at_the_ads(visitor, nils)
        banner = watch.main.get_by_role("status").filter(has_text="Time for a break")
        await expect(banner).to_contain_text("Under 18, a sitting has 15 ads.")
        await expect(banner).to_contain_text(AN_HOUR_OF_A_DAY)
        await expect(watch.ads.first).to_have_text(LATER)
        await expect(watch.figure("watch.daily_progress")).to_contain_text(
            "15 of 15 in this sitting"
        )

        await has_rested(nils)
        await wire.time_passes(watch.page, minutes=12)

        await expect(watch.ads.first).to_have_text("Watch")
        await expect(banner).to_be_hidden()
        await expect(watch.figure("watch.daily_progress")).to_contain_text(
            "0 of 15 in this sitting"
        )

    async def test_is_told_at_home_instead_of_a_button_that_leads_to_a_refusal(
        self, come: Come, a_person: MakePerson
    ):
        nils = await a_person(name="Nils", born=born_years_ago(15))
        await has_sat(nils)
        visitor = await come(timezone_id="UTC")
        wire = await Wire.of(visitor)
        await visitor.page.clock.install()
        await visitor.comes_with(nils.session)
        home = Home(await visitor.open("/"))
        to_ads = home.main.get_by_role("link", name="Watch ads", exact=True)
        await expect(home.main).to_contain_text("Time for a break. Your next ads may begin at")
        await expect(to_ads).to_be_hidden()

        await has_rested(nils)
        await wire.time_passes(home.page, minutes=12)

        await expect(to_ads).to_be_visible()

    async def test_fits_from_360_to_2560_pixels_and_axe_finds_nothing(
        self, come: Come, a_person: MakePerson
    ):
        nils = await a_person(name="Nils", born=born_years_ago(15))
        await has_sat(nils)
        watch = await at_the_ads(await one_following_the_system(come), nils)
        await expect(watch.ads.first).to_have_text(LATER)
        await has_no_violations(watch.page, PHONE, DESK)
        assert not await spilled_in(watch)

    async def test_is_for_nobody_of_eighteen(self, come: Come, a_person: MakePerson):
        wilma = await a_person(name="Wilma", born=born_years_ago(18))
        await has_sat(wilma)
        watch = await at_the_ads(await come(), wilma)
        await expect(watch.ads.first).to_have_text("Watch")
        await expect(watch.main).not_to_contain_text("in this sitting")
