"""What a browser sees through a proxy: real servers, one that does all well, others that do not."""

import asyncio
import gzip
import ssl
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path

import httpx2 as httpx
import pytest

from rewards_app.core.clock import utc_now
from rewards_app.doctor import outside
from rewards_app.doctor.findings import Finding, Kind
from tests import certificates
from tests.certificates import OF_THIS_MACHINE, signed_by_itself

SCRIPT = "/assets/entry-1a2b3c.js"
SAFE = dict.fromkeys(outside.SAFE_HEADERS, "x")
PACKED = {"content-encoding": "gzip"}
FOR_EVER = {"cache-control": "public, max-age=31536000, immutable"}
PAGE = gzip.compress(f'<script src="{SCRIPT}"></script>'.encode())
UPGRADED = "101 Switching Protocols"


@dataclass
class Answer:
    status: str = "200 OK"
    headers: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])
    body: bytes = b""


def answered(body: bytes = b"", status: str = "200 OK", **headers: str) -> Answer:
    return Answer(status, [(k.replace("_", "-"), v) for k, v in headers.items()], body)


def a_careful_site() -> dict[str, Answer]:
    return {
        "/": Answer(headers=[*SAFE.items(), *PACKED.items()], body=PAGE),
        SCRIPT: Answer(headers=[*FOR_EVER.items(), *PACKED.items()], body=gzip.compress(b"1")),
        "/metrics": Answer("404 Not Found"),
        "/webhooks/stripe": Answer("413 Content Too Large"),
        "/_event/": Answer(UPGRADED, [("upgrade", "websocket"), ("connection", "upgrade")]),
    }


@asynccontextmanager
async def serving(
    site: dict[str, Answer], secure: ssl.SSLContext | None = None
) -> AsyncIterator[str]:
    async def meet(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
        length = next(
            (
                int(line[15:])
                for line in head.lower().splitlines()
                if line[:15] == "content-length:"
            ),
            0,
        )
        if length:
            await reader.readexactly(length)
        answer = site[head.split(" ")[1].partition("?")[0]]
        lines = [f"HTTP/1.1 {answer.status}", *(f"{k}: {v}" for k, v in answer.headers)]
        if answer.status != UPGRADED:
            lines += [f"content-length: {len(answer.body)}", "connection: close"]
        writer.write(("\r\n".join(lines) + "\r\n\r\n").encode() + answer.body)
        await writer.drain()
        writer.close()

    server = await asyncio.start_server(meet, "127.0.0.1", 0, limit=2**23, ssl=secure)
    async with server:
        yield f"http{'s' if secure else ''}://127.0.0.1:{server.sockets[0].getsockname()[1]}"


async def what_is_wrong(change: Callable[[dict[str, Answer]], None]) -> list[str]:
    """Besides that the tests' own server has no https."""
    site = a_careful_site()
    change(site)
    async with serving(site) as url:
        found = await outside.findings(url)
    assert "is not https" in found[0].what
    return [one.what for one in found[1:] if one.kind is Kind.WRONG]


def without(path: str, name: str) -> Callable[[dict[str, Answer]], None]:
    def change(site: dict[str, Answer]) -> None:
        site[path].headers = [pair for pair in site[path].headers if pair[0] != name]

    return change


class TestACarefulProxy:
    async def test_is_fine_in_every_line(self):
        async with serving(a_careful_site()) as url:
            first, *found = await outside.findings(url + "/")
        assert first.kind is Kind.WRONG
        assert [one.kind for one in found] == [Kind.FINE] * 7


class TestACarelessProxy:
    @pytest.mark.parametrize("name", outside.SAFE_HEADERS)
    async def test_that_drops_a_header_is_wrong(self, name: str):
        [told] = await what_is_wrong(without("/", name))
        assert f"Headers are missing: {name}." in told

    async def test_that_adds_a_second_header_is_wrong(self):
        [told] = await what_is_wrong(
            lambda site: site["/"].headers.append(("x-frame-options", "SAMEORIGIN"))
        )
        assert "Headers come twice: x-frame-options." in told

    @pytest.mark.parametrize(("path", "what"), [("/", "The front page"), (SCRIPT, "A script")])
    async def test_that_unpacks_is_wrong(self, path: str, what: str):
        def change(site: dict[str, Answer]) -> None:
            site[path].headers.remove(("content-encoding", "gzip"))
            site[path].body = gzip.decompress(site[path].body)

        assert await what_is_wrong(change) == [
            f"{what} does not come packed: let Accept-Encoding and gzip pass the proxy."
        ]

    @pytest.mark.parametrize("said", ["no-cache", "public, max-age=3600", "immutable"])
    async def test_that_has_files_asked_for_again_is_wrong(self, said: str):
        def change(site: dict[str, Answer]) -> None:
            site[SCRIPT].headers = [("cache-control", said), *PACKED.items()]

        [told] = await what_is_wrong(change)
        assert f"ask for /assets again ({said})" in told

    async def test_that_hides_who_asks_is_wrong(self):
        [told] = await what_is_wrong(lambda site: site.update({"/metrics": answered(b"1")}))
        assert "X-Forwarded-For" in told

    async def test_that_opens_no_socket_is_wrong(self):
        [told] = await what_is_wrong(
            lambda site: site.update({"/_event/": answered(status="400 Bad Request")})
        )
        assert "/_event does not open (HTTP/1.1 400 Bad Request)" in told

    async def test_in_front_of_nothing_is_wrong(self):
        told = await what_is_wrong(lambda site: site.update({"/": answered(status="502 Bad")}))
        assert "answers 502" in told[0]

    async def test_that_takes_anything_is_worth_knowing(self):
        site = a_careful_site() | {"/webhooks/stripe": answered(status="400 Bad Request")}
        async with serving(site) as url:
            found = await outside.findings(url)
        [told] = [one.what for one in found if one.kind is Kind.WORTH_KNOWING]
        assert "4 MB at once were taken" in told


class TestHttps:
    @pytest.mark.parametrize(
        ("answer", "kind"),
        [
            (answered(status="301 Moved", location="https://play.example.com/"), Kind.FINE),
            (answered(status="308 Moved", location="http://elsewhere.example/"), Kind.WRONG),
            (answered(b"a page"), Kind.WRONG),
        ],
    )
    async def test_is_led_to_from_http(self, answer: Answer, kind: Kind):
        async with serving({"/": answer}) as url:
            assert (await outside.leads_to_https(f"{url}/")).kind is kind

    async def test_without_anything_at_http_is_worth_knowing(self):
        found = await outside.leads_to_https("http://127.0.0.1:9/")
        assert found.kind is Kind.WORTH_KNOWING

    def test_has_browsers_stay(self):
        told = outside.safe_headers(httpx.Response(200, headers=SAFE), is_https=True)
        assert "strict-transport-security" in told.what
        stays = SAFE | {outside.STAY_ON_HTTPS: "max-age=31536000"}
        assert is_fine(outside.safe_headers(httpx.Response(200, headers=stays), is_https=True))


async def test_an_address_where_nobody_answers_is_wrong():
    found = await outside.findings("http://127.0.0.1:9")
    assert [one.kind for one in found] == [Kind.WRONG, Kind.WRONG]
    assert "does not answer" in found[-1].what


async def test_an_address_is_asked_as_a_browser_would_however_it_is_typed():
    async with serving(a_careful_site()) as url:
        typed = url.replace("http://127.0.0.1", "HTTP://LOCALHOST") + "/"
        found = await outside.findings(typed)
    assert found[0].what.startswith(url.replace("127.0.0.1", "localhost") + " is not https")
    assert [one.what for one in found[1:] if one.kind is Kind.WRONG] == []


@pytest.mark.parametrize("typed", ["play.example.com", "https://play.example.com/shop"])
async def test_an_address_that_is_none_of_a_site_is_wrong(typed: str):
    [found] = await outside.findings(typed)
    assert (found.kind, "scheme and host only" in found.what) == (Kind.WRONG, True)


async def test_a_certificate_that_nobody_trusts_is_called_that(tmp_path: Path):
    server = await asyncio.start_server(
        lambda _, writer: writer.close(), "127.0.0.1", ssl=signed_by_itself(tmp_path)
    )
    async with server:
        url = f"https://127.0.0.1:{server.sockets[0].getsockname()[1]}"
        last = (await outside.findings(url))[-1]
    assert last.kind is Kind.WRONG
    assert f"The certificate of {url} is not trusted (self" in last.what


class TestACertificate:
    @pytest.mark.parametrize(
        ("days_later", "kind", "said"),
        [
            (0, Kind.FINE, "ends in 29 days."),
            (15, Kind.FINE, "ends in 14 days."),
            (16, Kind.WRONG, "ends in 13 days: see why it is not renewed"),
        ],
    )
    async def test_is_wrong_once_it_should_have_been_renewed(
        self,
        tmp_path: Path,
        monkeypatch: pytest.MonkeyPatch,
        days_later: int,
        kind: Kind,
        said: str,
    ):
        context = signed_by_itself(tmp_path, "-days", "30", *OF_THIS_MACHINE)
        monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / certificates.NAME))
        async with serving(a_careful_site(), context) as url:
            now = utc_now() + timedelta(days=days_later)
            [found] = await outside.certificate(url, now=now)
        assert found.kind is kind
        assert f"The certificate of {url} {said}" in found.what

    async def test_is_looked_at_with_all_else(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ):
        context = signed_by_itself(tmp_path, "-days", "13", *OF_THIS_MACHINE)
        monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / certificates.NAME))
        site = a_careful_site()
        site["/"].headers.append((outside.STAY_ON_HTTPS, "max-age=31536000"))
        async with serving(site, context) as url:
            found = await outside.findings(url)
        [told] = [one.what for one in found if one.kind is Kind.WRONG]
        assert "ends in 12 days" in told
        assert sum(is_fine(one) for one in found) == 7


def is_fine(found: Finding) -> bool:
    return found.kind is Kind.FINE
