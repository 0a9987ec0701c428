"""Where the navigation leads players, companies and admins, in the words of the specification."""

from collections.abc import Iterable

import pytest

from rewards_app.core.access import access_of
from rewards_app.core.page import Page
from rewards_app.features.shell.navigation import admin_places, company_places, player_places
from rewards_app.i18n import catalogues
from rewards_app.rewards_app import PAGES
from rewards_app.ui.frame import NavItem


def written(places: Iterable[NavItem]) -> list[tuple[str, str]]:
    says = catalogues.interface("en")
    return [(says[place.label_key], place.href) for place in places]


class TestTheNavigation:
    def test_of_players(self):
        assert written(player_places(PAGES)) == [
            ("Home", "/"),
            ("Earn", "/watch"),
            ("CoinShop", "/shop"),
            ("Forum", "/forum"),
            ("Top Players", "/leaderboard"),
            ("Support", "/support"),
            ("My Profile", "/profile"),
        ]

    def test_of_companies(self):
        assert written(company_places(PAGES)) == [
            ("Overview", "/advertiser"),
            ("Campaigns", "/campaigns"),
            ("Analytics", "/analytics"),
            ("Forum", "/forum"),
            ("Support", "/support"),
        ]

    def test_of_admins_with_their_own_security_last(self):
        assert written(admin_places(PAGES)) == [
            ("Overview", "/"),
            ("Campaigns", "/campaigns"),
            ("Ads", "/advertiser?tab=ads"),
            ("Analytics", "/analytics"),
            ("Admin", "/admin"),
            ("Security", "/security"),
        ]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: f"{page.path} {page.title}")
def test_whom_a_page_is_for_may_load_all_that_it_shows(page: Page):
    for handler in [*page.on_load, *page.renewals]:
        access = access_of(getattr(handler, "handler", handler).fn)
        assert access
        assert page.roles <= access.roles
        assert access.visitors or not page.visitors
