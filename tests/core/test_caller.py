"""Who calls: what limits count of an address."""

import pytest

from rewards_app.core.caller import Caller


def source(address: str) -> str:
    return Caller(address=address).source


def test_of_ipv6_is_the_network_in_which_everybody_has_as_many_as_they_like():
    assert source("2001:db8:1:2::1") == source("2001:db8:1:2:ffff:ffff:ffff:ffff")
    assert source("2001:db8:1:2::1") != source("2001:db8:1:3::1")


def test_of_ipv4_is_the_address_however_it_is_written():
    assert source("203.0.113.7") == "203.0.113.7"
    assert source("::ffff:203.0.113.7") == "203.0.113.7"


@pytest.mark.parametrize("address", ["", "unknown", "203.0.113.7:443", "x" * 5000])
def test_of_anything_else_tells_it_from_others(address: str):
    assert source(address) == source(address)
    assert source(address) != source(f"{address}1")
