"""HTTP beside Reflex, on the running app."""

import httpx2 as httpx
import pytest

from rewards_app.api.session import LATE
from rewards_app.i18n.languages import LANGUAGES
from tests.serving import Served


@pytest.fixture
def http(served: Served) -> httpx.Client:
    return httpx.Client(base_url=served.url, follow_redirects=False, verify=False)


class TestHealth:
    def test_the_process_says_that_it_lives(self, http: httpx.Client):
        assert http.get("/healthz").json() == {"alive": True}

    def test_ready_names_each_part(self, http: httpx.Client):
        assert http.get("/readyz").json() == {"ready": True, "database": True, "redis": True}

    def test_metrics_are_for_this_machine_only(self, http: httpx.Client):
        assert "python_info" in http.get("/metrics").text
        assert http.get("/metrics", headers={"X-Forwarded-For": "203.0.113.9"}).status_code == 404

    def test_metrics_tell_of_the_whole_site(self, http: httpx.Client):
        http.get("/session/start?ticket=nobody-knows-it")
        told = http.get("/metrics").text
        assert "watchcoins_database_up 1.0" in told
        assert 'watchcoins_pool_most{pool="transactions"} 20.0' in told
        assert 'watchcoins_job_late{job="ads.sweep"} 0.0' in told
        assert 'watchcoins_http_seconds_count{method="GET",route="/session/start"' in told
        assert "nobody-knows-it" not in told


class TestCrawlers:
    def test_the_sitemap_lists_what_everybody_may_see(self, http: httpx.Client, served: Served):
        found = http.get("/sitemap.xml").text
        for path in ("/", "/sv", "/ru", "/auth", "/terms", "/privacy"):
            assert f"<loc>{served.url}{path}</loc>" in found
        swedish = f'<xhtml:link rel="alternate" hreflang="sv" href="{served.url}/sv"/>'
        assert found.count(swedish) == len(LANGUAGES)

    @pytest.mark.parametrize("path", ["/sitemap.xml", "/robots.txt", "/landing/", "/favicon.svg"])
    def test_text_names_its_characters(self, http: httpx.Client, path: str):
        assert http.get(path).headers["content-type"].endswith("; charset=utf-8")

    def test_robots_names_the_sitemap(self, http: httpx.Client, served: Served):
        assert f"Sitemap: {served.url}/sitemap.xml" in http.get("/robots.txt").text


class TestHeaders:
    @pytest.mark.parametrize("path", ["/landing/", "/healthz", "/auth/", "/no-such-page"])
    def test_every_answer_is_guarded(self, http: httpx.Client, path: str):
        headers = http.get(path).headers
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "no-referrer"
        policy = headers["content-security-policy"]
        assert "object-src 'none'" in policy
        assert "base-uri 'none'" in policy
        assert "frame-ancestors 'none'" in policy
        assert "unsafe-eval" not in policy

    def test_scripts_run_by_their_hash_only(self, http: httpx.Client):
        policy = http.get("/landing/").headers["content-security-policy"]
        scripts = next(rule for rule in policy.split("; ") if rule.startswith("script-src"))
        assert "sha256-" in scripts
        assert "unsafe-inline" not in scripts

    def test_another_origin_is_not_answered(self, http: httpx.Client):
        answer = http.get("/healthz", headers={"Origin": "https://evil.example"})
        assert "access-control-allow-origin" not in answer.headers


class TestDoor:
    def test_the_first_page_names_the_browser(self, http: httpx.Client):
        cookie = http.get("/landing/").headers["set-cookie"]
        assert cookie.startswith("door=")
        assert "HttpOnly" in cookie
        assert "SameSite=Lax" in cookie

    def test_each_page_lets_it_last_from_anew(self, http: httpx.Client):
        """Or somebody's own browser would be mailed about as a new one, once a month."""
        first = http.get("/landing/").headers["set-cookie"]
        again = http.get("/landing/").headers["set-cookie"]
        assert again == first
        assert "Max-Age=2592000" in again
        assert "set-cookie" not in http.get("/healthz").headers

    @pytest.mark.parametrize("door", ["", "x", "a b", '"quoted"', "x" * 5000, "%0d%0aSet-Cookie:a"])
    def test_what_never_was_one_is_not_said_again(self, http: httpx.Client, door: str):
        answer = http.get("/landing/", headers={"Cookie": f"door={door}"})
        assert "set-cookie" not in answer.headers

    @pytest.mark.parametrize("ticket", ["", "made-up", "x" * 5000, "%00", "' or 1=1 --"])
    def test_a_ticket_that_was_never_issued_opens_nothing(self, http: httpx.Client, ticket: str):
        http.get("/landing/")
        answer = http.post("/session/start", data={"ticket": ticket})
        assert answer.status_code == 303
        assert answer.headers["location"] == LATE
        assert "session=" not in answer.headers.get("set-cookie", "")

    def test_nothing_can_be_uploaded(self, http: httpx.Client):
        assert http.post("/_upload", files={"files": b"x"}).status_code in (404, 405)
