"""The headers behind https, and the pages' own scripts."""

import pytest

from rewards_app.api import headers
from rewards_app.core import caller
from rewards_app.core.settings import Mode, Settings


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
        (tmp_path / "a.html").write_text("<script>one()</script><script src='/x.js'></script>")
        (tmp_path / "b.html").write_text("<script async>one()</script><script>two()</script>")
        assert len(headers.inline_script_hashes(tmp_path)) == 2
