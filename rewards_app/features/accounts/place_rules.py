"""From where a session is used, and when that is two places at once. Pure.

An honest player changes networks, asks for desktop sites and opens tabs: none of that is theft.
"""

from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import lru_cache
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network

from rewards_app.features.accounts.devices import Device, device_of

AT_ONCE = timedelta(minutes=10)
"""Who comes back within that time from where they were before has not travelled."""
HOST_BITS_KEPT = {4: 24, 6: 48}
"""How much of an address counts: the rest changes at home, too."""
SAME_MACHINE = (
    frozenset({"Android", "Linux"}),
    frozenset({"iPhone", "macOS"}),
    frozenset({"iPad", "macOS"}),
)
"""A phone that asks for a desktop site says that it is one."""
PHONES_OF_APPLE = frozenset({"iPhone", "iPad"})


@dataclass(frozen=True, slots=True)
class Place:
    device: Device
    network: str
    version: int
    """Of the network's addresses: 4, 6, or 0 for none."""

    def __str__(self) -> str:
        return ", ".join(filter(None, (*self.device, self.network))) or "?"


@lru_cache(maxsize=4096)
def place_of(user_agent: str, address: str) -> Place:
    with suppress(ValueError):
        known = ip_address(address)
        return Place(device_of(user_agent), _network_of(known), known.version)
    return Place(device_of(user_agent), "", 0)


def _network_of(address: IPv4Address | IPv6Address) -> str:
    return str(ip_network((address, HOST_BITS_KEPT[address.version]), strict=False))


def is_other_browser(at_sign_in: Device, now: Device) -> bool:
    """A cookie does not move from one browser to another by itself."""
    if not at_sign_in.browser or _is_desktop_site(at_sign_in, now):
        return False
    return now.browser != at_sign_in.browser or not _may_be_one_machine(at_sign_in, now)


def _is_desktop_site(at_sign_in: Device, now: Device) -> bool:
    """Every browser of an iPhone or an iPad says that it is a Mac's Safari then."""
    return at_sign_in.system in PHONES_OF_APPLE and now == Device("Safari", "macOS")


def _may_be_one_machine(one: Device, other: Device) -> bool:
    systems = frozenset({one.system, other.system})
    return len(systems) == 1 or "" in systems or systems in SAME_MACHINE


def is_back_at_once(changed_at: datetime | None, connected_at: datetime, now: datetime) -> bool:
    """Used here again by a connection from before it was used elsewhere: it is used in both.

    A phone that comes back to its old network connects anew.
    """
    return changed_at is not None and connected_at < changed_at and now - changed_at <= AT_ONCE
