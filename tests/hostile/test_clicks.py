"""The way to an advertiser's page: counted once a view, for its own player, to nowhere else."""

from uuid import UUID, uuid4

import pytest

from rewards_app.core.clock import utc_now
from rewards_app.core.database import transaction
from rewards_app.features.accounts import restrictions
from rewards_app.features.accounts.restriction_rules import Kind
from rewards_app.models import Ad
from tests.ads import an_ad, starts, the_actor
from tests.hostile.client import Browser
from tests.hostile.evidence import Vault
from tests.hostile.identities import a_new_email, a_visitor, signs_in
from tests.people import an_account
from tests.serving import Served

ADDRESS = "https://northlight.example/chairs"


async def a_watching_player(served: Served, ad: Ad) -> tuple[Browser, UUID]:
    """Somebody signed in, and the view of the ad that they are watching."""
    email = a_new_email()
    account = await an_account(email, now=utc_now())
    view = await starts(the_actor(account), ad, now=utc_now())
    browser = await signs_in(await a_visitor(served), email)
    return browser, view.view_id


async def leads_to(browser: Browser, view_id: object) -> str:
    answer = await browser.get(f"/ads/visit/{view_id}")
    assert answer.status_code == 303
    assert answer.headers["cache-control"] == "no-store"
    return answer.headers["location"]


def clicks_of(vault: Vault, ad: Ad) -> int:
    return vault.one(
        "select count(*) from ad_views where ad_id = %s and clicked_at is not null", ad.id
    )


class TestClicks:
    async def test_lead_to_the_advertiser_and_count_once(self, beside: Served, vault: Vault):
        ad = await an_ad(click_url=ADDRESS)
        player, view_id = await a_watching_player(beside, ad)
        assert await leads_to(player, view_id) == ADDRESS
        first = vault.one("select clicked_at from ad_views where id = %s", view_id)
        assert await leads_to(player, view_id) == ADDRESS
        assert vault.one("select clicked_at from ad_views where id = %s", view_id) == first

    async def test_of_another_player_lead_home_and_count_nothing(
        self, beside: Served, vault: Vault
    ):
        ad = await an_ad(click_url=ADDRESS)
        _, view_id = await a_watching_player(beside, ad)
        another, _ = await a_watching_player(beside, await an_ad(click_url=ADDRESS))
        assert await leads_to(another, view_id) == "/"
        assert clicks_of(vault, ad) == 0

    async def test_of_somebody_suspended_lead_home_and_count_nothing(
        self, beside: Served, vault: Vault
    ):
        ad = await an_ad(click_url=ADDRESS)
        player, view_id = await a_watching_player(beside, ad)
        account_id = vault.one("select account_id from ad_views where id = %s", view_id)
        async with transaction() as session:
            await restrictions.begin(
                session, account_id, Kind.SUSPENDED, "bot", by=None, now=utc_now()
            )
        assert await leads_to(player, view_id) == "/"
        assert clicks_of(vault, ad) == 0

    async def test_of_a_visitor_lead_home_and_count_nothing(self, beside: Served, vault: Vault):
        ad = await an_ad(click_url=ADDRESS)
        _, view_id = await a_watching_player(beside, ad)
        assert await leads_to(await a_visitor(beside), view_id) == "/"
        assert clicks_of(vault, ad) == 0

    async def test_of_a_view_that_does_not_exist_lead_home(self, beside: Served):
        player, _ = await a_watching_player(beside, await an_ad(click_url=ADDRESS))
        assert await leads_to(player, uuid4()) == "/"

    @pytest.mark.parametrize(
        "address",
        [
            "",
            "javascript:alert(1)",
            "data:text/html,<script>alert(1)</script>",
            "//northlight.example",
            "https://user:secret@northlight.example/",
            "ftp://northlight.example/chairs",
            "https://",
        ],
    )
    async def test_to_what_is_no_web_page_lead_home(self, beside: Served, address: str):
        player, view_id = await a_watching_player(beside, await an_ad(click_url=address))
        assert await leads_to(player, view_id) == "/"

    @pytest.mark.parametrize("path", ["x", "%00", "0" * 36, "../../etc/passwd", "a" * 5000])
    async def test_with_a_hostile_path_lead_nowhere(self, served: Served, path: str):
        answer = await Browser(served).get(f"/ads/visit/{path}")
        assert answer.status_code in {200, 307, 400, 404, 414, 431}
        assert "location" not in answer.headers or answer.headers["location"].startswith(
            (served.url, "/")
        )
