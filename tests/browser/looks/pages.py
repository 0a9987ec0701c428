"""Which pages have a picture: for whom, on what, in which theme."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from tests.browser.chromium import DESK, PHONE

Theme = Literal["dark", "light"]
Size = Literal["phone", "desk"]
Who = Literal["visitor", "player", "company", "admin", "moderator"]

SIZES: dict[Size, dict[str, int]] = {"phone": PHONE, "desk": DESK}
TALLEST: dict[Size, int] = {"phone": 2000, "desk": 1300}
"""What is further down is more of the same."""
USUAL: tuple[tuple[Size, Theme], ...] = (("phone", "light"), ("desk", "dark"))
TURNED: tuple[tuple[Size, Theme], ...] = (("phone", "dark"), ("desk", "light"))


@dataclass(frozen=True, slots=True)
class Place:
    """A page as one kind of person sees it."""

    who: Who
    name: str
    path: str
    is_key: bool = False
    """One of those that most people see: in all four looks."""
    then: str = ""
    """What is clicked there, and leads on."""


@dataclass(frozen=True, slots=True)
class Look:
    place: Place
    size: Size
    theme: Theme

    @property
    def name(self) -> str:
        return f"{self.place.who}-{self.place.name}-{self.size}-{self.theme}"


PLACES = (
    Place("visitor", "landing", "/landing", is_key=True),
    Place("visitor", "sign-up", "/auth", is_key=True),
    Place("visitor", "sign-up-company", "/auth?type=company"),
    Place("visitor", "sign-up-admin", "/auth?type=admin"),
    Place("visitor", "sign-in", "/auth?mode=login"),
    Place("visitor", "forgotten", "/auth?mode=forgot"),
    Place("visitor", "new-password", "/auth?mode=reset&token=x"),
    Place("visitor", "unverified", "/auth?mode=verify&token=made-up"),
    Place("player", "new-password-inside", "/mailed?mode=reset&token=x"),
    Place("visitor", "terms", "/terms"),
    Place("visitor", "privacy", "/privacy"),
    Place("visitor", "waitlist", "/waitlist"),
    Place("visitor", "guardian", "/guardian"),
    Place("visitor", "email", "/email"),
    # The last of them: whoever has been there reads Russian from then on.
    Place("visitor", "landing-russian", "/ru"),
    Place("player", "home", "/", is_key=True),
    Place("player", "watch", "/watch", is_key=True),
    Place("player", "shop", "/shop", is_key=True),
    Place("player", "orders", "/shop/orders"),
    Place("player", "payment-over", "/shop/test-payment?checkout=unknown"),
    Place("player", "leaderboard", "/leaderboard", is_key=True),
    Place("player", "profile", "/profile", is_key=True),
    Place("player", "add-game", "/add-game"),
    Place("player", "another-player", "/player?name=demo_lunarox"),
    Place("player", "statement", "/profile/statement"),
    Place("player", "forum", "/forum", is_key=True),
    Place("player", "topic", "/forum", then="main a[href*='/forum/topic?id=']"),
    Place("player", "settings", "/settings"),
    Place("player", "security", "/security"),
    Place("player", "security-sessions", "/security?section=sessions"),
    Place("player", "security-factor", "/security?section=two-factor"),
    Place("player", "security-danger", "/security?section=danger"),
    Place("player", "support", "/support"),
    Place("player", "data", "/gdpr"),
    Place("player", "advertise", "/advertiser"),
    Place("player", "not-found", "/no-such-page"),
    Place("company", "overview", "/advertiser"),
    Place("company", "campaigns", "/advertiser?tab=campaigns"),
    Place("company", "ads", "/advertiser?tab=ads"),
    Place("company", "analytics-tab", "/advertiser?tab=analytics"),
    Place("company", "settings-tab", "/advertiser?tab=settings"),
    Place("company", "all-campaigns", "/campaigns", is_key=True),
    Place("company", "analytics", "/analytics?period=30d"),
    Place("company", "settings", "/settings"),
    Place("company", "support", "/support"),
    Place("admin", "home", "/", is_key=True),
    Place("admin", "advertisers", "/admin?tab=advertisers"),
    Place("admin", "company", "/admin?tab=advertisers", then="main a[href*='&company=']"),
    Place("admin", "security-tab", "/admin?tab=security"),
    Place("admin", "fraud", "/admin?tab=fraud"),
    Place("admin", "ad-reviews", "/admin?tab=ad_reviews"),
    Place("admin", "reports", "/admin?tab=reports"),
    Place("admin", "support-tab", "/admin?tab=support"),
    Place("admin", "people", "/admin?tab=people"),
    Place("admin", "orders", "/admin?tab=orders"),
    Place("admin", "stock", "/admin?tab=stock"),
    Place("admin", "economy", "/admin?tab=economy"),
    Place("admin", "audit", "/admin?tab=audit"),
    Place("admin", "waitlist", "/admin/waitlist"),
    Place("admin", "campaigns", "/campaigns"),
    Place("admin", "ads", "/advertiser?tab=ads"),
    Place("admin", "security", "/security"),
    Place("moderator", "home", "/"),
    Place("moderator", "desk", "/forum/moderation"),
    Place("moderator", "shop", "/shop"),
    Place("moderator", "profile", "/profile"),
    Place("moderator", "statement", "/profile/statement"),
)
"""`health` of the admin panel is not among them: it measures the machine that it runs on."""


def looks() -> Iterator[Look]:
    """Those of one person on one screen stand together: they share a browser's profile."""
    for size, theme in USUAL + TURNED:
        for place in PLACES:
            if place.is_key or (size, theme) in USUAL:
                yield Look(place, size, theme)


QUICK = frozenset(
    {
        "visitor-landing-desk-dark",
        "visitor-landing-phone-light",
        "visitor-sign-up-phone-light",
        "player-home-desk-dark",
        "player-home-phone-light",
        "player-watch-desk-dark",
        "player-shop-phone-light",
        "player-leaderboard-desk-dark",
        "company-all-campaigns-desk-dark",
        "admin-home-phone-light",
    }
)
"""What every run of the tests compares."""
