"""Where a person belongs: the route table asked as a pure question."""

from collections.abc import Collection
from dataclasses import dataclass

from rewards_app.core.actor import Role

HOME = "/"
COMPANY_HOME = "/advertiser"
SIGN_IN = "/auth?mode=login"
WATCH = "/watch"
SUPPORT = "/support"
BILLING = "/advertiser?tab=settings"


@dataclass(frozen=True, slots=True)
class Audience:
    """Who a page is for."""

    roles: frozenset[Role] = frozenset()
    visitors: bool = False

    def includes(self, role: Role | None) -> bool:
        return self.visitors if role is None else role in self.roles


@dataclass(frozen=True, slots=True)
class GoTo:
    path: str


@dataclass(frozen=True, slots=True)
class Stay:
    """The page is for this person; `audience` is what let them in."""

    audience: Audience


class NotFound:
    """For this person there is no such page."""


EXPECTING = "while-a-session-is-expected"
"""The class of what is shown instead of what visitors see at once, to who brings a session."""
VISITORS_FIRST = "unless-a-session-is-expected"
"""The class of what visitors see at once: by it the documents that need a twin are known."""
VISITOR_PAGES = frozenset({"/landing", "/auth"})
"""Signed-in people are taken home from here: they are past these pages."""


def where_to(
    path: str,
    role: Role | None,
    audiences: Collection[Audience],
    for_visitors: Collection[str] = VISITOR_PAGES,
) -> Stay | GoTo | NotFound:
    """What happens when someone opens `path`, which is meant for `audiences`."""
    for audience in audiences:
        if audience.includes(role):
            return Stay(audience)
    if role is None:
        return GoTo(HOME)
    if path in for_visitors or (path == HOME and role is Role.COMPANY):
        return GoTo(home_of(role))
    return NotFound()


def home_of(role: Role) -> str:
    return COMPANY_HOME if role is Role.COMPANY else HOME
