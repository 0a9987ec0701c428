"""Which page each kind of person reaches: written out by hand, and held against the app."""

from collections import defaultdict
from collections.abc import Callable, Iterator
from itertools import product
from typing import Any
from urllib.parse import urlsplit

import pytest

from rewards_app.core.access import access_of
from rewards_app.core.actor import EVERY_ROLE, Role
from rewards_app.core.routes import VISITOR_PAGES, Audience, GoTo, Stay, where_to
from rewards_app.core.state import ROUTES
from rewards_app.features.admin import tabs as admin
from rewards_app.features.advertiser import addresses
from rewards_app.features.advertiser import tabs as advertiser
from rewards_app.i18n.languages import OF_ONE_LANGUAGE
from rewards_app.rewards_app import PAGES

REACHED = """
path                visitor  player  moderator  company      admin
/                   yes      yes     yes        /advertiser  yes
/landing            yes      /       /          /advertiser  /
/auth               yes      /       /          /advertiser  /
/terms              yes      yes     yes        yes          yes
/privacy            yes      yes     yes        yes          yes
/gdpr               /        yes     yes        yes          yes
/security           /        yes     yes        yes          yes
/watch              /        yes     yes        404          404
/shop               /        yes     yes        404          404
/shop/orders        /        yes     yes        404          404
/shop/test-payment  /        yes     yes        yes          404
/leaderboard        /        yes     yes        404          404
/profile            /        yes     yes        404          404
/profile/statement  /        yes     yes        404          404
/add-game           /        yes     yes        404          404
/player             /        yes     yes        yes          404
/forum              /        yes     yes        yes          404
/forum/topic        /        yes     yes        yes          404
/forum/moderation   /        404     yes        404          404
/support            /        yes     yes        yes          404
/settings           /        yes     yes        yes          404
/advertiser         /        yes     yes        yes          yes
/campaigns          /        404     404        yes          yes
/analytics          /        404     404        yes          yes
/admin              /        404     404        404          yes
/admin/waitlist     /        404     404        404          yes
/mailed             yes      yes     yes        yes          yes
/email              yes      yes     yes        yes          yes
/keep-factor        yes      yes     yes        yes          yes
/guardian           yes      yes     yes        yes          yes
/waitlist           yes      yes     yes        yes          yes
/dev/components     yes      yes     yes        yes          yes
"""
"""`yes`, or where somebody is led instead. Players and moderators apply at /advertiser; admins have
the forum's queue in their panel."""

WIDER = {
    "AuthState.open": EVERY_ROLE,
    "RestrictionState.cancel": {Role.COMPANY, Role.ADMIN},
    "RestrictionState.load": {Role.COMPANY, Role.ADMIN},
    "AccountSecurityState.close_dialog": {Role.COMPANY, Role.ADMIN},
    "HomeState.load": {Role.PLAYER, Role.MODERATOR, Role.COMPANY},
}
"""What may be called by more people than a page lets in that loads it: the form that signs in,
and whatever tells only of the caller."""


TO_WHAT_A_COMPANY_HAS = (
    addresses.CAMPAIGNS,
    addresses.NEW_CAMPAIGN,
    addresses.ADS,
    *(lead(7) for lead in (addresses.ad, addresses.new_ad, addresses.ads_of_campaign)),
    addresses.figures_of_campaign(7),
)


def cells() -> Iterator[Any]:
    head, *rows = (line.split() for line in REACHED.strip().splitlines())
    for path, *ends in rows:
        for who, end in zip(head[1:], ends, strict=True):
            yield pytest.param(path, who, end, id=f"{path} {who}")


def end_of(path: str, who: str) -> str:
    """Asked as a page asks it that is opened."""
    role = None if who == "visitor" else Role(who)
    match where_to(path, role, ROUTES.get(path, {}), VISITOR_PAGES | OF_ONE_LANGUAGE):
        case Stay():
            return "yes"
        case GoTo(elsewhere):
            return elsewhere
        case _:
            return "404"


class TestThePages:
    @pytest.mark.parametrize(("path", "who", "end"), cells())
    def test_are_reached_by_those_whom_they_are_for(self, path: str, who: str, end: str):
        assert end_of(path, who) == end

    @pytest.mark.parametrize("path", sorted(OF_ONE_LANGUAGE))
    @pytest.mark.parametrize(
        ("who", "end"),
        [
            ("visitor", "yes"),
            ("player", "/"),
            ("moderator", "/"),
            ("company", "/advertiser"),
            ("admin", "/"),
        ],
    )
    def test_of_one_language_are_for_visitors(self, path: str, who: str, end: str):
        assert end_of(path, who) == end

    @pytest.mark.parametrize("who", ["player", "moderator", "company", "admin"])
    @pytest.mark.parametrize("address", TO_WHAT_A_COMPANY_HAS)
    def test_of_what_a_company_has_are_for_all_who_may_act_for_one(self, address: str, who: str):
        assert end_of(urlsplit(address).path, who) == "yes"

    def test_are_all_written_here(self):
        written = {line.split()[0] for line in REACHED.strip().splitlines()[1:]}
        assert {page.path for page in PAGES} - OF_ONE_LANGUAGE == written


def loads() -> Iterator[tuple[Any, Audience]]:
    """What the pages load, with those whom they let in; of tabs what is loaded with them."""
    for page in PAGES:
        for handler in page.on_load:
            yield handler, page.audience
    for path, tabs in (("/advertiser", advertiser.TABS), ("/admin", admin.TABS)):
        for handler, audience in product((one for tab in tabs for one in tab.loads), ROUTES[path]):
            yield handler, audience


class TestWhatTheyLoad:
    def test_is_for_nobody_whom_they_do_not_let_in(self):
        let_in: dict[Callable[..., Any], list[Audience]] = defaultdict(list)
        for handler, audience in loads():
            let_in[getattr(handler, "handler", handler).fn].append(audience)
        wider = {}
        for function, audiences in let_in.items():
            access = access_of(function)
            assert access
            assert any(one.visitors for one in audiences) or not access.visitors
            others = access.roles.difference(*(one.roles for one in audiences))
            if others:
                wider[function.__qualname__] = others
        assert wider == WIDER
