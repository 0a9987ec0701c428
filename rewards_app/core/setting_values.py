"""What the value of a setting may be: types that refuse it with a word of what is wanted."""

import re
from email.utils import getaddresses
from ipaddress import IPv4Address, IPv6Address
from typing import Annotated
from urllib.parse import SplitResult, urlsplit

import idna
from pydantic import AfterValidator, Field


def _postgres_url(value: str) -> str:
    if value and urlsplit(value).scheme not in {"postgresql", "postgres"}:
        raise ValueError("must start with postgresql://")
    return value


def _redis_url(value: str) -> str:
    if value and urlsplit(value).scheme not in {"redis", "rediss", "unix"}:
        raise ValueError("must start with redis://, rediss:// or unix://")
    return value


def _origin(value: str) -> str:
    return origin_of(value) if value.strip() else ""


def origin_of(address: str) -> str:
    """As browsers send it, however it was typed: sockets are opened to the exact letters."""
    try:
        parts = urlsplit(address.strip())
        origin = f"{parts.scheme}://{_host(parts.hostname or '')}{_port(parts)}"
    except ValueError:
        raise ValueError(SCHEME_AND_HOST) from None
    more = parts.path.strip("/") or parts.query or parts.fragment or "@" in parts.netloc
    if parts.scheme not in STANDARD_PORTS or not parts.hostname or more:
        raise ValueError(SCHEME_AND_HOST)
    return origin


SCHEME_AND_HOST = "must be scheme and host only, like https://play.example.com"
STANDARD_PORTS = {"http": 80, "https": 443}
HOST = re.compile(r"[a-z0-9_-]+(\.[a-z0-9_-]+)*\.?")
"""In other letters no browser asks for one."""
NUMBER = re.compile(r"[0-9]+|0x[0-9a-f]*")
"""What ends so is an address of IPv4 to browsers, however few of its numbers are there."""


def _host(name: str) -> str:
    if ":" in name:
        return f"[{_whole_ipv6(name)}]"
    host = name if name.isascii() else idna.encode(name, uts46=True).decode()
    if not HOST.fullmatch(host):
        raise ValueError(SCHEME_AND_HOST)
    *_, last = host.removesuffix(".").split(".")
    return str(IPv4Address(host)) if NUMBER.fullmatch(last) else host


def _whole_ipv6(address: str) -> IPv6Address:
    """Browsers know no address of one network card, `fe80::1%eth0`."""
    known = IPv6Address(address)
    if known.scope_id:
        raise ValueError(SCHEME_AND_HOST)
    return known


def _port(parts: SplitResult) -> str:
    port = parts.port
    return "" if port in (None, STANDARD_PORTS.get(parts.scheme)) else f":{port}"


def _web_address(value: str) -> str:
    parts = urlsplit(value)
    if value and (parts.scheme not in {"http", "https"} or not parts.netloc):
        raise ValueError("must start with http:// or https://")
    return value.rstrip("/")


def _site(value: str) -> str:
    if not value.isascii() or any(character.isspace() for character in value):
        raise ValueError("must be the name that the counter knows this site by")
    return value


def _sender(value: str) -> str:
    if not ADDRESS.fullmatch(address_in(value)):
        raise ValueError(_what_a_sender_lacks(value))
    return value


def _what_a_sender_lacks(value: str) -> str:
    """The outer quotes are for the file with the settings, which takes others away."""
    if not (found := WITH_A_COMMA.fullmatch(value)):
        return "must have one address of mail"
    quoted = f"'\"{found['name']}\" <{found['address']}>'"
    return f"must have a name with a comma in quotes, and all of it in others: {quoted}"


def address_in(sender: str) -> str:
    """`no-reply@example.com` of `WatchCoins <no-reply@example.com>`; empty where it has not one."""
    found = getaddresses([sender])
    return found[0][1] if len(found) == 1 else ""


ADDRESS = re.compile(r"[^@\s]+@[^@\s]+")
WITH_A_COMMA = re.compile(rf"(?P<name>[^@<>\"]*,[^@<>\"]*?)\s*<(?P<address>{ADDRESS.pattern})>\s*")


def _phone(value: str) -> str:
    if not value.startswith("+") or not value[1:].replace(" ", "").isdecimal():
        raise ValueError("must be international, with digits and spaces only")
    return value


def _over_a_year(months: int) -> int:
    if 0 < months < 13:
        raise ValueError("must be 0, which keeps them for ever, or at least 13")
    return months


Port = Annotated[int, Field(ge=1, le=65535)]
PostgresUrl = Annotated[str, AfterValidator(_postgres_url)]
RedisUrl = Annotated[str, AfterValidator(_redis_url)]
Origin = Annotated[str, AfterValidator(_origin)]
"""Scheme, host and port."""
WebAddress = Annotated[str, AfterValidator(_web_address)]
Sender = Annotated[str, AfterValidator(_sender)]
SiteName = Annotated[str, AfterValidator(_site)]
Phone = Annotated[str, AfterValidator(_phone)]
MonthsKept = Annotated[int, Field(ge=0, le=600), AfterValidator(_over_a_year)]
