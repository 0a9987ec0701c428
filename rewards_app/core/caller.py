"""Who calls, told by the socket or the request alone: nothing of it comes from the page."""

import hashlib
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from ipaddress import ip_address, ip_network
from typing import Any

from starlette.requests import cookie_parser

from rewards_app.core.settings import settings

LONGEST_REMEMBERED = 4_096
LONGEST_BROWSER = 300
DIGESTS = "digests"
"""Beside what a socket said: those of its cookies, which are not kept themselves."""
BITS_OF_A_HOUSEHOLD = 64
"""So much of an address of IPv6 its owner cannot choose."""


def session_cookie() -> str:
    """Behind https the prefix makes browsers refuse a cookie that a sibling domain planted."""
    return "__Host-session" if settings().is_https else "session"


def door_cookie() -> str:
    """Names the browser before anyone has signed in, so that a ticket opens only there."""
    return "__Host-door" if settings().is_https else "door"


def digest(secret: str) -> str:
    """What the database keeps of a secret."""
    return hashlib.sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()


@dataclass(frozen=True, slots=True)
class Caller:
    """What the socket itself says of who calls; nothing of it comes from the page."""

    tab: str = ""
    socket: str = ""
    address: str = ""
    user_agent: str = ""
    session_hash: str = ""
    door_hash: str = ""

    @property
    def source(self) -> str:
        """What limits count: who has one address of a network of IPv6 has all of them."""
        return source_of(self.address)


@lru_cache(maxsize=4096)
def source_of(address: str) -> str:
    with suppress(ValueError):
        known = ip_address(address)
        if known.version == 6:
            return str(known.ipv4_mapped or ip_network((known, BITS_OF_A_HOUSEHOLD), strict=False))
    return address


def caller_from(router_data: Mapping[str, Any]) -> Caller:
    headers: Mapping[str, str] = router_data.get("headers") or {}
    session_hash, door_hash = router_data.get(DIGESTS) or _digests_of(headers)
    return Caller(
        tab=str(router_data.get("token", "")),
        socket=str(router_data.get("sid", "")),
        address=str(router_data.get("ip", "")),
        user_agent=headers.get("user-agent", "")[:LONGEST_BROWSER],
        session_hash=session_hash,
        door_hash=door_hash,
    )


def without_secrets(router_data: Mapping[str, Any]) -> dict[str, Any]:
    """What may lie with a page's state, in Redis and on its disk: no header that nobody reads.

    Of the cookies, what the database has of them.
    """
    headers: Mapping[str, str] = router_data["headers"]
    kept = {
        "origin": headers.get("origin", ""),
        "user-agent": headers.get("user-agent", "")[:LONGEST_BROWSER],
    }
    return {**router_data, "headers": kept, DIGESTS: _digests_of(headers)}


def _digests_of(headers: Mapping[str, str]) -> tuple[str, str]:
    cookies = headers.get("cookie", "")
    # What is remembered takes room: a longer one is no browser's with our cookies alone.
    hashes_in = _hashes_in if len(cookies) <= LONGEST_REMEMBERED else _hashes_in.__wrapped__
    return hashes_in(cookies)


@lru_cache(maxsize=4096)
def _hashes_in(header: str) -> tuple[str, str]:
    """A socket's header is the same for each of its events, so it is read once.

    By Starlette's parser: the standard library's stops at the first cookie that it dislikes,
    and other programs on the same host set what they like.
    """
    cookies = cookie_parser(header)
    return tuple(  # pyright: ignore[reportReturnType]
        digest(cookies[name]) if cookies.get(name) else ""
        for name in (session_cookie(), door_cookie())
    )
