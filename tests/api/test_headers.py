"""The headers behind https, and the pages' own scripts."""

from typing import Any

import pytest

from rewards_app.api import headers
from rewards_app.core import caller
from rewards_app.core.settings import Mode, Settings


@pytest.fixture
def behind_https(monkeypatch):
    chosen = Settings(public_url="https://play.example.com")
    monkeypatch.setattr(headers, "settings", lambda: chosen)
    monkeypatch.setattr(caller, "settings", lambda: chosen)


async def answer_of(app: headers.SafeHeaders, path: str = "/") -> dict[str, str]:
    sent = []

    async def send(message):
        sent.append(message)

    async def receive():
        return {"type": "http.request"}

    await app({"type": "http", "headers": [], "method": "GET", "path": path}, receive, send)
    return {name.decode(): value.decode() for name, value in sent[0]["headers"]}


async def a_page(_scope, _receive, send):
    html = [(b"content-type", b"text/html; charset=utf-8")]
    await send({"type": "http.response.start", "status": 200, "headers": html})


@pytest.mark.usefixtures("behind_https")
class TestBehindHttps:
    async def test_browsers_are_told_to_stay_on_https(self):
        found = await answer_of(headers.SafeHeaders(a_page, []))
        assert found["strict-transport-security"] == "max-age=31536000; includeSubDomains"

    async def test_the_doors_cookie_is_secure_and_bound_to_the_host(self):
        cookie = (await answer_of(headers.SafeHeaders(a_page, [])))["set-cookie"]
        assert cookie.startswith("__Host-door=")
        assert "; Secure" in cookie
        assert "Path=/" in cookie

    async def test_sockets_go_to_our_own_host_only(self):
        policy = headers.content_policy([])
        assert "connect-src 'self' wss://play.example.com;" in policy


def a_file(status: int = 200, **its_own: str) -> Any:
    sent = [(name.replace("_", "-").encode(), value.encode()) for name, value in its_own.items()]

    async def app(_scope, _receive, send):
        await send({"type": "http.response.start", "status": status, "headers": sent})

    return app


class TestCaching:
    async def caching_of(self, path: str, app: Any) -> str:
        return (await answer_of(headers.SafeHeaders(app, []), path))["cache-control"]

    @pytest.mark.parametrize("status", [200, 206, 304])
    async def test_what_the_builder_named_by_its_content_is_kept_for_ever(self, status: int):
        found = await self.caching_of("/assets/root-CM8-3q_R.js", a_file(status))
        assert found == "public, max-age=31536000, immutable"

    @pytest.mark.parametrize("status", [404, 500])
    async def test_what_was_not_found_is_asked_for_again(self, status: int):
        assert await self.caching_of("/assets/root-old.js", a_file(status)) == "no-cache"

    @pytest.mark.parametrize("path", ["/sw.js", "/ads/lumen.webm", "/icons/icon-192.png", "/"])
    async def test_everything_else_is_asked_for_again(self, path: str):
        assert await self.caching_of(path, a_file()) == "no-cache"

    async def test_an_answer_that_says_more_is_believed(self):
        private = a_file(cache_control="no-store, private")
        assert await self.caching_of("/orders/receipt", private) == "no-store, private"


class TestPageCounter:
    def test_is_nobody_that_a_page_could_reach_unless_chosen(self):
        assert "https" not in headers.content_policy([]).split("connect-src")[1].split(";")[0]

    def test_is_the_only_other_server_that_a_page_tells_anything(self, monkeypatch):
        chosen = Settings(
            public_url="https://play.example.com",
            analytics_kind="plausible",
            analytics_url="https://plausible.io",
            analytics_site="play.example.com",
        )
        monkeypatch.setattr(headers, "settings", lambda: chosen)
        policy = headers.content_policy([])
        told = "connect-src 'self' wss://play.example.com https://plausible.io;"
        assert told in policy
        assert policy.count("plausible") == 1


FOREIGN = {"https:", "http:"}


def what_may_be_foreign(policy: str) -> dict[str, set[str]]:
    """The kinds of content that may come from anywhere, and how."""
    rules = (rule.split() for rule in policy.split("; "))
    return {name: found for name, *sources in rules if (found := FOREIGN & {*sources})}


class TestCreatives:
    """Pictures and films of ads lie on servers of their companies; nothing else does."""

    def test_may_come_from_anywhere_while_all_else_is_ours(self):
        assert what_may_be_foreign(headers.content_policy([])) == {
            "img-src": FOREIGN,
            "media-src": FOREIGN,
        }

    def test_come_encrypted_in_production(self, monkeypatch):
        chosen = Settings.model_construct(
            mode=Mode.PRODUCTION, public_url="https://play.example.com"
        )
        monkeypatch.setattr(headers, "settings", lambda: chosen)
        assert what_may_be_foreign(headers.content_policy([])) == {
            "img-src": {"https:"},
            "media-src": {"https:"},
        }

    async def test_are_not_told_which_page_shows_them(self):
        found = await answer_of(headers.SafeHeaders(a_page, []))
        assert found["referrer-policy"] == "no-referrer"


class TestScriptHashes:
    def test_names_each_inline_script_once_and_no_other(self, tmp_path):
        document = tmp_path / "a.html"
        document.write_text(
            "<script>one()</script><script src='/x.js'></script>"
            "<script async>one()</script><script>two()</script>"
        )
        assert len(headers.inline_script_hashes(document)) == 2
