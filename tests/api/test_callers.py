"""Who makes an HTTP request: the same one as by a socket, however many proxies speak of them."""

from dataclasses import replace

import pytest
import reflex as rx
from starlette.requests import Request

from rewards_app.api.callers import address_of, caller_of
from rewards_app.core.caller import caller_from, digest
from rewards_app.core.settings import settings
from rewards_app.rewards_app import app

PEER, FIRST, LAST = "192.0.2.1", "198.51.100.7", "203.0.113.9"


def a_scope(*lines: str) -> dict[str, object]:
    headers = [(b"x-forwarded-for", line.encode()) for line in lines]
    return {"type": "http", "client": (PEER, 1), "headers": headers}


def by_http(*lines: str) -> str:
    return address_of(Request(a_scope(*lines)))


def by_socket(*lines: str) -> str:
    assert app.event_namespace
    known = app.event_namespace._build_static_router_data("a", {"asgi.scope": a_scope(*lines)})
    return known["ip"]


@pytest.mark.parametrize(
    ("hops", "lines", "address"),
    [
        (1, [FIRST, LAST], LAST),
        (1, [f"{FIRST}, {LAST}"], LAST),
        (1, [FIRST, ""], FIRST),
        (2, [FIRST, LAST], FIRST),
        (2, ["made up", f"{FIRST}, {LAST}"], FIRST),
        (2, [LAST], PEER),
        (1, [], PEER),
        (0, [FIRST, LAST], PEER),
    ],
)
def test_an_address_is_told_alike_by_requests_and_by_sockets(
    monkeypatch: pytest.MonkeyPatch, hops: int, lines: list[str], address: str
):
    monkeypatch.setattr(settings(), "trusted_proxy_hops", hops)
    monkeypatch.setattr(rx.config.get_config(), "trusted_proxy_hops", hops)
    assert by_http(*lines) == by_socket(*lines) == address


def test_a_socket_keeps_of_what_it_came_with_what_is_read_and_no_secret():
    secrets = {"cookie": "session=a secret; door=another", "authorization": "Basic c2VjcmV0"}
    headers = secrets | {"user-agent": "Firefox", "origin": "https://x.example", "x-more": "more"}
    scope = a_scope() | {"headers": [(name.encode(), headers[name].encode()) for name in headers]}
    assert app.event_namespace
    known = app.event_namespace._build_static_router_data("a", {"asgi.scope": scope})
    assert known["headers"] == {"origin": "https://x.example", "user-agent": "Firefox"}
    assert not any(secret in repr(known) for secret in ("a secret", "another", "c2VjcmV0"))
    assert replace(caller_from(known), socket="") == caller_of(Request(scope))


def test_a_page_that_the_version_before_has_left_is_still_known():
    left = {"sid": "a", "ip": PEER, "headers": {"cookie": "session=a secret; door=another"}}
    known = caller_from(left)
    assert (known.session_hash, known.door_hash) == (digest("a secret"), digest("another"))
