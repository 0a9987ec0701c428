"""The route table as a question."""

import pytest

from rewards_app.core.actor import EVERY_ROLE, PLAYING_ROLES, Role
from rewards_app.core.routes import Audience, GoTo, NotFound, Stay, where_to

EVERYBODY = Audience(EVERY_ROLE, visitors=True)
VISITORS = Audience(visitors=True)
PLAYERS = Audience(PLAYING_ROLES)
COMPANIES = Audience(frozenset({Role.COMPANY}))
ADMINS = Audience(frozenset({Role.ADMIN}))
HOMES = [VISITORS, PLAYERS, ADMINS]


class TestWhereTo:
    @pytest.mark.parametrize("role", [None, *Role])
    def test_everybody_stays_where_everybody_may_be(self, role: Role | None):
        assert where_to("/terms", role, [EVERYBODY]) == Stay(EVERYBODY)

    @pytest.mark.parametrize("path", ["/shop", "/admin", "/no-such-page"])
    def test_visitors_are_led_to_the_landing_page(self, path: str):
        assert where_to(path, None, [PLAYERS]) == GoTo("/")

    @pytest.mark.parametrize(
        ("role", "home"), [(Role.PLAYER, "/"), (Role.COMPANY, "/advertiser"), (Role.ADMIN, "/")]
    )
    @pytest.mark.parametrize("path", ["/landing", "/auth"])
    def test_signed_in_people_are_led_home_from_the_visitors_pages(
        self, path: str, role: Role, home: str
    ):
        assert where_to(path, role, [VISITORS]) == GoTo(home)

    def test_a_company_is_led_from_home_to_its_own(self):
        assert where_to("/", Role.COMPANY, HOMES) == GoTo("/advertiser")

    @pytest.mark.parametrize(
        ("role", "audience"),
        [
            (None, VISITORS),
            (Role.PLAYER, PLAYERS),
            (Role.MODERATOR, PLAYERS),
            (Role.ADMIN, ADMINS),
        ],
    )
    def test_home_is_another_page_for_each(self, role: Role | None, audience: Audience):
        assert where_to("/", role, HOMES) == Stay(audience)

    @pytest.mark.parametrize("role", PLAYING_ROLES)
    def test_what_is_for_others_is_not_there(self, role: Role):
        assert isinstance(where_to("/admin", role, [ADMINS]), NotFound)
        assert isinstance(where_to("/advertiser", role, [COMPANIES]), NotFound)

    def test_an_unknown_path_is_not_there(self):
        assert isinstance(where_to("/nowhere", Role.PLAYER, []), NotFound)
