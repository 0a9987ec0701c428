"""An admin where a second factor is required: led to it from everywhere, and let in with it."""

from datetime import timedelta

import pytest
from playwright.async_api import expect

from rewards_app.core.actor import Role
from rewards_app.core.clock import utc_now
from tests.browser.conftest import Come, MakePerson
from tests.browser.pages import Home
from tests.counting import Counter
from tests.factors import an_app
from tests.serving import Served


@pytest.fixture
def served(umami_app: tuple[Served, Counter]) -> Served:
    return umami_app[0]


async def test_is_led_to_account_security_until_there_is_one(come: Come, a_person: MakePerson):
    linnea = await a_person(Role.ADMIN, name="Linnea", born=None)
    visitor = await come()
    await visitor.comes_with(linnea.session)
    for path in ("/", "/admin"):
        await visitor.page.goto(path)
        await expect(visitor.page).to_have_url(f"{visitor.url}/security?section=two-factor")

    await an_app(linnea.account_id, now=utc_now() - timedelta(minutes=5))

    home = Home(await visitor.open("/"))
    await expect(home.heading_of(Role.ADMIN, "Linnea")).to_be_visible()
