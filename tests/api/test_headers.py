"""The headers behind https, and the pages' own scripts."""

import pytest

from rewards_app.api import headers
from rewards_app.core import caller
from rewards_app.core.settings import Settings


@pytest.fixture
def behind_https(monkeypatch):
    chosen = Settings(public_url="https://play.example.com")
    monkeypatch.setattr(headers, "settings", lambda: chosen)
    monkeypatch.setattr(caller, "settings", lambda: chosen)


async def answer_of(app: headers.SafeHeaders) -> dict[str, str]:
    sent = []

    async def send(message):
        sent.append(message)

    async def receive():
        return {"type": "http.request"}

    await app({"type": "http", "headers": [], "method": "GET", "path": "/"}, receive, send)
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


class TestScriptHashes:
    def test_names_each_inline_script_once_and_no_other(self, tmp_path):
        (tmp_path / "a.html").write_text("<script>one()</script><script src='/x.js'></script>")
        (tmp_path / "b.html").write_text("<script async>one()</script><script>two()</script>")
        assert len(headers.inline_script_hashes(tmp_path)) == 2
