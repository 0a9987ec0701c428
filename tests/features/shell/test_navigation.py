"""Where the navigation leads players, companies and admins, in the words of the specification."""

from collections.abc import Iterable

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
            ("Ads", "/advertiser"),
            ("Analytics", "/analytics"),
            ("Admin", "/admin"),
            ("Security", "/security"),
        ]
