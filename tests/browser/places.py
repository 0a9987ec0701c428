"""Every page by its address, for each kind of person: what tests go through from end to end."""

from collections.abc import AsyncIterator, Iterable

import pytest
from playwright.async_api import Page

from rewards_app.core.actor import Role
from rewards_app.core.clock import utc_now
from rewards_app.core.database import transaction
from rewards_app.features.accounts import repository as accounts
from rewards_app.features.admin.tabs import TABS
from tests import people
from tests.browser.chromium import Visitor
from tests.browser.test_routes import NO_SUCH_FILE

FOR_VISITORS = (
    *("/landing", "/auth?mode=login", "/auth", "/auth?type=company", "/auth?mode=forgot"),
    *("/auth?mode=reset&token=x", "/waitlist?token=x", "/guardian?token=x", "/keep-factor?token=x"),
    *("/mailed?mode=reset&token=x", "/email?token=x", "/terms", "/privacy", "/ru"),
)
OWN = ("/settings", "/security", "/gdpr", "/support", "/terms", "/privacy", "/no-such-page")
FOR_PLAYERS = (
    *("/", "/watch", "/shop", "/shop/orders", "/profile/statement", "/leaderboard", "/profile"),
    *("/add-game", "/forum", "/advertiser", *OWN),
)
FOR_MODERATORS = ("/", "/forum/moderation")
FOR_COMPANIES = ("/advertiser", "/campaigns", "/analytics", "/forum", *OWN)
FOR_ADMINS = ("/", *(f"/admin?tab={tab.key}" for tab in TABS), "/admin/waitlist", "/analytics")
OF_EACH_ROLE = pytest.mark.parametrize(
    ("role", "paths"),
    [
        (Role.PLAYER, FOR_PLAYERS),
        (Role.MODERATOR, FOR_MODERATORS),
        (Role.COMPANY, FOR_COMPANIES),
        (Role.ADMIN, FOR_ADMINS),
    ],
    ids=["player", "moderator", "company", "admin"],
)
LEADING_ON = {
    "/forum": "/forum/topic?",
    "/leaderboard": "/player?",
    "/admin?tab=advertisers": "/admin?tab=advertisers&company=",
}
"""Pages of one thing each: the first that another page leads to."""


async def each(one: Visitor, paths: Iterable[str]) -> AsyncIterator[tuple[str, Page]]:
    """One page after the other, each as if its tab were new; then those that they lead on to."""
    one.bears(NO_SUCH_FILE)
    todo = [*paths]
    while todo:
        path = todo.pop(0)
        page = await one.open(path)
        yield path, page
        todo += await _ways_on(page, LEADING_ON.get(path))
        # A tab costs twice what a page costs: this one forgets instead who it was for the server.
        await page.evaluate("sessionStorage.clear()")


async def _ways_on(page: Page, start: str | None) -> list[str]:
    ways = page.locator(f"main a[href^='{start}']")
    return [str(await ways.first.get_attribute("href"))] if start and await ways.count() else []


async def the_session_of(email: str) -> str:
    """Somebody of the demo data, whose past is long."""
    async with transaction() as session:
        account = await accounts.account_by_email(session, email)
    assert account
    return await people.signed_in(account.id, people.a_browser(), now=utc_now())
