"""The HTTP routes with generated requests, and requests that no browser makes."""

import json
import re
import socket
from collections.abc import AsyncIterator, Iterator
from itertools import product
from typing import Any
from urllib.parse import urlsplit

import httpx2 as httpx
import hypothesis
import psycopg
import pytest
import schemathesis
from schemathesis.checks import not_a_server_error
from starlette.convertors import UUIDConvertor

from rewards_app.core.actor import Role
from rewards_app.rewards_app import http_routes
from tests.beside import beside
from tests.hostile.attackers import the_attacker
from tests.hostile.client import Browser, a_fresh_address
from tests.hostile.evidence import Diary
from tests.hostile.generated import ROUNDS, SEED
from tests.hostile.identities import IDENTITIES
from tests.hostile.owners import TOLD, WORKED_OUT, Rows, all_rows
from tests.hostile.routes import METHODS, OF_KIND, routes, schema
from tests.hostile.victims import put_to_rest
from tests.serving import Served

pytestmark = pytest.mark.timeout(240 + 240 * ROUNDS)
EXAMPLES = 4 * ROUNDS
SAFE = {
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "x-frame-options": "DENY",
    "cross-origin-opener-policy": "same-origin",
}
INSIDES = re.compile(
    r"Traceback|site-packages|psycopg|sqlalchemy|/rewards_app/|\.py\b", re.IGNORECASE
)
KINDS = ("text/html", "text/plain", "text/csv", "application/", "image/", "text/javascript")
OF_OTHERS = {("/invoices/{top_up_id}.pdf", Role.ADMIN.value)}
"""Who fetches what others have, because that is what the route is there for."""
MARK = "zq9<'\"&>"
SHORTEST_SECRET = 20

api = schemathesis.openapi.from_dict(schema())


def is_fine(answer: Any, *, secrets: tuple[str, ...] = ()) -> None:
    """Safe headers, a kind that is named, nothing of our insides, nobody's secret."""
    missing = {name for name, value in SAFE.items() if _header(answer, name) != value}
    assert not missing
    assert "object-src 'none'" in _header(answer, "content-security-policy")
    kind = _header(answer, "content-type")
    if answer.content:
        assert kind.startswith(KINDS), kind
    if kind.startswith(("text/html", "application/json")):
        assert not INSIDES.search(answer.text), answer.text[:500]
        assert not [one for one in secrets if len(one) >= SHORTEST_SECRET and one in answer.text]
    place = _header(answer, "location")
    assert "\r" not in place
    assert "\n" not in place


def _header(answer: Any, name: str) -> str:
    """Each client has its own way to tell of a header that comes twice."""
    found = answer.headers.get(name, "")
    return found if isinstance(found, str) else ", ".join(found)


@pytest.fixture(scope="module")
def before(victims: set[str], inside: psycopg.Connection[Any]) -> Rows:
    """With what the victims have, whose identifiers are named."""
    return all_rows(inside)


@pytest.fixture(scope="module", params=IDENTITIES)
async def asking(
    request: pytest.FixtureRequest,
    attacked_app: Served,
    before: Rows,
    inside: psycopg.Connection[Any],
) -> AsyncIterator[Browser]:
    """One browser of each identity; after all of its requests no row of anybody is different."""
    async with beside(attacked_app):
        attacker = await the_attacker(request.param, attacked_app)
        browser = await attacker.browser()
        await put_to_rest(inside)
    known = all_rows(inside)
    yield browser
    changed = all_rows(inside).changed_since(known, but_of=attacker.id)
    assert not {name for name in changed if name.partition(".")[0] not in WORKED_OUT | TOLD}


@api.parametrize()
@hypothesis.seed(SEED)
@hypothesis.settings(
    max_examples=EXAMPLES,
    deadline=None,
    database=None,
    suppress_health_check=list(hypothesis.HealthCheck),
    phases=[hypothesis.Phase.generate],
)
def test_a_generated_request_is_answered_in_order(
    request: pytest.FixtureRequest,
    case: schemathesis.Case[Any],
    asking: Browser,
    attacked_app: Served,
    before: Rows,
    victims: set[str],
):
    is_open = (case.path, request.node.callspec.params["asking"]) in OF_OTHERS
    for is_of_others in _named_in_its_path(case, before, victims):
        answer = case.call(
            base_url=attacked_app.url,
            headers={"X-Forwarded-For": a_fresh_address()},
            cookies={**asking.cookies},
            allow_redirects=False,
            timeout=30,
        )
        case.validate_response(answer, checks=[not_a_server_error])
        is_fine(answer, secrets=tuple(asking.cookies.values()))
        assert not (is_of_others and answer.status_code == 200 and not is_open)


def _named_in_its_path(
    case: schemathesis.Case[Any], before: Rows, victims: set[str]
) -> Iterator[bool]:
    """What was made up, and then all of its kind that others have."""
    yield False
    for name in case.path_parameters.keys() & OF_KIND.keys():
        for key, (owner, _) in before.of[OF_KIND[name]].items():
            if owner in victims:
                case.path_parameters[name] = key
                yield True


def test_each_route_is_in_the_schema():
    operations = {(path, method) for path, one in schema()["paths"].items() for method in one}
    declared = {
        (path, method.lower())
        for path, route in routes(http_routes())
        for method in (route.methods or set()) & METHODS
    }
    assert operations == declared
    assert len(operations) > 20


def test_each_identifier_in_a_path_is_of_something():
    named = {
        name
        for _, route in routes(http_routes())
        for name, kind in route.param_convertors.items()
        if isinstance(kind, UUIDConvertor)
    }
    assert named == OF_KIND.keys()


PLACES = ("/", "/landing/", "/shop", "/healthz", "/session/start", "/webhooks/stripe", "/no-such")
METHODS_TRIED = (
    "PUT",
    "DELETE",
    "PATCH",
    "TRACE",
    "CONNECT",
    "PROPFIND",
    "OPTIONS",
    "get",
    "A" * 99,
)


def said_to(served: Served, request: bytes) -> tuple[str, str]:
    """The first line and the rest of the answer to bytes that no library would send."""
    parts = urlsplit(served.url)
    with socket.create_connection(("127.0.0.1", parts.port or 80), timeout=20) as raw:
        raw.sendall(request)
        answer = b""
        while piece := raw.recv(65_536):
            answer += piece
    head, _, rest = answer.decode("latin-1").partition("\r\n")
    return head, rest


def asked(served: Served, line: str, *headers: str) -> tuple[str, str]:
    host = urlsplit(served.url).netloc
    named = (
        [*headers]
        if any(one.lower().startswith("host:") for one in headers)
        else [
            f"Host: {host}",
            *headers,
        ]
    )
    lines = [line, *named, f"X-Forwarded-For: {a_fresh_address()}", "Connection: close", "", ""]
    return said_to(served, "\r\n".join(lines).encode("latin-1"))


def is_no_crash(head: str) -> bool:
    status = head.split(" ")[1] if " " in head else "0"
    return status in {"0", "501"} or not status.startswith("5")


@pytest.mark.parametrize(("path", "method"), product(PLACES, METHODS_TRIED))
def test_a_method_that_no_page_uses_does_nothing(served: Served, path: str, method: str):
    head, rest = asked(served, f"{method} {path} HTTP/1.1")
    assert is_no_crash(head), head
    assert not INSIDES.search(rest)
    assert "X-Forwarded-For" not in rest, "nothing is echoed"


HOSTS = ("evil.example", "evil.example:80@localhost", "", "localhost\x00", "[::1", "a" * 9_000)


@pytest.mark.parametrize(
    ("path", "host"), product(("/", "/shop", "/session/end", "/sitemap.xml", "/oauth/oidc"), HOSTS)
)
def test_the_host_that_is_named_leads_nobody_astray(served: Served, path: str, host: str):
    head, rest = asked(served, f"GET {path} HTTP/1.1", f"Host: {host}")
    assert is_no_crash(head), head
    assert "evil.example" not in rest


UPWARDS = (
    *("/../../../../etc/passwd", "/..%2f..%2f..%2fetc%2fpasswd", "/%2e%2e/%2e%2e/etc/passwd"),
    *("/assets/../../../../etc/passwd", "/assets/..%5c..%5c..%5cetc%5cpasswd", "//etc/passwd"),
    *("/.env", "/.git/config", "/assets/.env", "/%00", "/landing%00.html", "/ads/%c0%ae%c0%ae/x"),
    *("/demo-accounts.json", "/secret", "/pgdata/PG_VERSION", "/built-from", "/../built-from"),
    *("/assets/%252e%252e/%252e%252e/etc/passwd", "/\u00ff", "/" + "a/" * 4_000, "/" + "%" * 200),
    *("http://127.0.0.1:1/x", "/landing/;/../secret", "/dev/outbox/..%2fsecret/0", "*"),
)


@pytest.mark.parametrize("path", UPWARDS, ids=range(len(UPWARDS)))
def test_no_path_leads_out_of_what_is_served(served: Served, path: str):
    head, rest = asked(served, f"GET {path} HTTP/1.1")
    assert is_no_crash(head), head
    secret = (served.data / "secret").read_text()
    for found in ("root:", "SECRET_KEY", "[core]", secret, '"password"'):
        assert found not in rest


LINES = ("/%0A", "/landing%0A", "/session/start%0A", "/assets/%0A/x.js")


@pytest.mark.parametrize("path", LINES)
def test_a_path_of_several_lines_is_a_page_that_is_not_there(served: Served, path: str):
    """The framework's own mounts do not meet it, and would answer without our headers."""
    own = {"X-Forwarded-For": a_fresh_address()}
    answer = httpx.get(f"{served.url}{path}", headers=own, verify=False)
    assert answer.status_code == 404
    is_fine(answer)
    assert answer.headers["content-type"].startswith("text/html")


RANGES = (
    "bytes=0-0",
    "bytes=-1",
    "bytes=5-1",
    "bytes=0-,0-,0-",
    "bytes=99999999999999999999-",
    "x=1",
)
RANGES += ("bytes=" + ",".join("0-" for _ in range(2_000)), "bytes=-0", "bytes=--1", "bytes=1-2,x")


@pytest.mark.parametrize(
    ("path", "wanted"), product(("/favicon.svg", "/landing/", "/healthz"), RANGES)
)
def test_a_range_brings_no_more_than_there_is(served: Served, path: str, wanted: str):
    plain = {"Accept-Encoding": "identity"}
    with httpx.Client(base_url=served.url, headers=plain, verify=False) as http:
        whole = len(http.get(path).content)
        answer = http.get(path, headers={"Range": wanted})
    assert answer.status_code in {200, 206, 400, 416}
    assert len(answer.content) < 2 * whole + 20_000
    is_fine(answer)


MARKED = {
    "path": lambda path: {"url": f"{path}/{MARK}"},
    "query": lambda path: {"url": path, "params": dict.fromkeys(("token", "ticket", "next"), MARK)},
    "header": lambda path: {"url": path, "headers": dict.fromkeys(("Referer", "User-Agent"), MARK)},
}


@pytest.mark.parametrize("path", ["/no-such", "/oauth", "/session/start", "/unsubscribe", "/auth"])
@pytest.mark.parametrize("marked", MARKED.values(), ids=MARKED)
def test_nothing_of_a_request_comes_back(served: Served, path: str, marked: Any):
    with httpx.Client(base_url=served.url, verify=False) as http:
        http.headers["X-Forwarded-For"] = a_fresh_address()
        answer = http.get(**marked(path))
    assert MARK not in answer.text
    assert MARK not in json.dumps(dict(answer.headers))
    is_fine(answer)


SMUGGLED = {
    "two lengths": "POST /webhooks/stripe HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\n"
    "Content-Length: 5\r\n\r\nabcde",
    "a length and pieces": "POST /webhooks/stripe HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\n"
    "Transfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET /metrics HTTP/1.1\r\nHost: x\r\n\r\n",
    "a negative length": "POST /webhooks/stripe HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n",
    "a folded header": "GET /healthz HTTP/1.1\r\nHost: x\r\nX-A: b\r\n c: d\r\n\r\n",
    "a line feed alone": "GET /healthz HTTP/1.1\nHost: x\n\n",
    "no version": "GET /healthz\r\n\r\n",
    "bytes": "\x16\x03\x01\x02\x00\x01",
    "500 headers": "GET /healthz HTTP/1.1\r\nHost: x\r\n" + "X-A: b\r\n" * 500 + "\r\n",
}


@pytest.mark.parametrize("request_", SMUGGLED.values(), ids=SMUGGLED)
def test_a_request_that_can_be_read_in_two_ways_is_read_in_none_that_helps(
    served: Served, request_: str
):
    diary = Diary(served)
    with_end = request_.replace("Host: x", "Host: x\r\nConnection: close", 1)
    try:
        head, rest = said_to(served, with_end.encode("latin-1"))
    except (TimeoutError, ConnectionError):
        head, rest = "", ""
    assert is_no_crash(head), head
    assert "python_info" not in rest
    assert "Traceback" not in diary.text()
