"""The places of the navigation; one whose page is not there yet is not shown."""

from collections.abc import Collection, Sequence

from rewards_app.core.actor import PLAYING_ROLES, Role
from rewards_app.core.page import Page
from rewards_app.features.admin.waiting_state import WaitingState
from rewards_app.ui.frame import NavItem

PLAYER_PLACES = (
    NavItem("nav.home", "/", "house"),
    NavItem("nav.earn", "/watch", "circle-play"),
    NavItem("nav.shop", "/shop", "shopping-bag"),
    NavItem("nav.forum", "/forum", "messages-square"),
    NavItem("nav.top_players", "/leaderboard", "trophy"),
    NavItem("nav.support", "/support", "life-buoy"),
    NavItem("nav.profile", "/profile", "user-round"),
)
COMPANY_PLACES = (
    NavItem("nav.overview", "/advertiser", "house"),
    NavItem("nav.campaigns", "/campaigns", "megaphone"),
    NavItem("nav.analytics", "/analytics", "chart-column"),
    NavItem("nav.forum", "/forum", "messages-square"),
    NavItem("nav.support", "/support", "life-buoy"),
)
ADMIN_PLACES = (
    NavItem("nav.overview", "/", "house"),
    NavItem("nav.campaigns", "/campaigns", "megaphone"),
    NavItem("nav.ads", "/advertiser?tab=ads", "clapperboard"),
    NavItem("nav.analytics", "/analytics", "chart-column"),
    NavItem("nav.admin", "/admin", "shield", waiting=WaitingState.everything),
    NavItem("nav.security", "/security", "lock-keyhole"),
)


def places_for(
    roles: Collection[Role], places: Sequence[NavItem], pages: Sequence[Page]
) -> list[NavItem]:
    """The places that have a page for one of `roles`."""
    there = {page.path for page in pages if page.roles & frozenset(roles)}
    return [place for place in places if place.href.partition("?")[0] in there]


def player_places(pages: Sequence[Page]) -> list[NavItem]:
    return places_for(PLAYING_ROLES, PLAYER_PLACES, pages)


def company_places(pages: Sequence[Page]) -> list[NavItem]:
    return places_for({Role.COMPANY}, COMPANY_PLACES, pages)


def admin_places(pages: Sequence[Page]) -> list[NavItem]:
    return places_for({Role.ADMIN}, ADMIN_PLACES, pages)
