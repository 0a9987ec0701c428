"""An admin where a second factor is required: led to it from everywhere, and let in with it."""

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest
from playwright.async_api import expect

from rewards_app.core.actor import Role
from rewards_app.core.clock import utc_now
from tests.browser.conftest import Come, MakePerson
from tests.browser.pages import Home
from tests.factors import an_app
from tests.serving import Served, seeded, serving


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    folder: Path = tmp_path_factory.mktemp("strict") / "served"
    with serving(seeded(folder), ADMIN_SECOND_FACTOR="true") as running:
        yield running


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
