"""Two places at once: a stolen cookie is told from a phone on its way home."""

from datetime import timedelta

import pytest

from rewards_app.features.accounts import place_rules
from rewards_app.features.accounts.devices import device_of
from rewards_app.features.accounts.place_rules import place_of
from tests.people import NOON

MAC_SAFARI = "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605 Version/17 Safari/605"
IPHONE = "Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X) Version/17.0 Mobile Safari/604.1"
FIREFOX_ON_IPAD = "Mozilla/5.0 (iPad; CPU OS 17_0 like Mac OS X) FxiOS/120.0 Mobile Safari/605"
PIXEL = "Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 Chrome/130.0 Mobile Safari/537"
PIXEL_AS_DESK = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/130.0 Safari/537.36"
WINDOWS = "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/130.0 Safari/537.36"
NEWER = WINDOWS.replace("130", "131")
FIREFOX = "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:130.0) Gecko/20100101 Firefox/130.0"
SCRIPT = "python-requests/2.31"


class TestAnotherBrowser:
    @pytest.mark.parametrize(
        ("at_sign_in", "now"),
        [
            pytest.param(WINDOWS, FIREFOX, id="another one on the same system"),
            pytest.param(WINDOWS, PIXEL_AS_DESK, id="the same one on another system"),
            pytest.param(WINDOWS, SCRIPT, id="none at all"),
            pytest.param(PIXEL, IPHONE, id="another phone"),
            pytest.param(IPHONE, WINDOWS, id="a desk after a phone"),
        ],
    )
    def test_has_a_cookie_that_was_carried_there(self, at_sign_in: str, now: str):
        assert place_rules.is_other_browser(device_of(at_sign_in), device_of(now))

    @pytest.mark.parametrize(
        ("at_sign_in", "now"),
        [
            pytest.param(WINDOWS, WINDOWS, id="the same"),
            pytest.param(WINDOWS, NEWER, id="the same after its update"),
            pytest.param(PIXEL, PIXEL_AS_DESK, id="Android asks for a desktop site"),
            pytest.param(IPHONE, MAC_SAFARI, id="an iPhone asks for a desktop site"),
            pytest.param(FIREFOX_ON_IPAD, MAC_SAFARI, id="Firefox on an iPad does"),
            pytest.param(SCRIPT, WINDOWS, id="what nobody knew at sign-in"),
            pytest.param("", FIREFOX, id="what said nothing at sign-in"),
        ],
    )
    def test_is_not_what_may_be_the_same(self, at_sign_in: str, now: str):
        assert not place_rules.is_other_browser(device_of(at_sign_in), device_of(now))


class TestNetworks:
    def test_of_one_home_are_one_place(self):
        assert place_of(WINDOWS, "203.0.113.7") == place_of(WINDOWS, "203.0.113.250")
        assert place_of(WINDOWS, "2001:db8:7:1::1") == place_of(WINDOWS, "2001:db8:7:2::9")

    def test_of_two_homes_are_two(self):
        assert place_of(WINDOWS, "203.0.113.7") != place_of(WINDOWS, "203.0.114.7")
        assert place_of(WINDOWS, "2001:db8:7::1") != place_of(WINDOWS, "2001:db8:8::1")

    def test_are_named_without_telling_the_address(self):
        assert str(place_of(WINDOWS, "203.0.113.7")) == "Chrome, Windows, 203.0.113.0/24"
        assert str(place_of("", "")) == "?"

    @pytest.mark.parametrize("address", ["", "unknown", "10.0.0.1<script>", "9" * 50])
    def test_need_an_address(self, address: str):
        assert place_of(WINDOWS, address).network == ""


class TestBackAtOnce:
    """Seen elsewhere at noon, and here again by a connection from `connected` minutes past noon."""

    def is_theft(self, connected: float, back: float) -> bool:
        return place_rules.is_back_at_once(
            NOON, NOON + timedelta(minutes=connected), NOON + timedelta(minutes=back)
        )

    def test_by_a_connection_from_before_is_two_places(self):
        assert self.is_theft(connected=-5, back=1)
        assert self.is_theft(connected=-5, back=10)

    def test_by_a_new_connection_is_a_phone_that_came_back(self):
        assert not self.is_theft(connected=1, back=1)

    def test_long_after_is_nothing(self):
        assert not self.is_theft(connected=-5, back=10.1)

    def test_needs_that_it_was_elsewhere(self):
        assert not place_rules.is_back_at_once(None, NOON, NOON)
