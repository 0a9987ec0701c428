"""What a provider's token must say before it is believed."""

import base64
import json
import secrets
from collections.abc import Iterator
from datetime import date
from typing import Any
from urllib.parse import parse_qsl, urlencode, urlsplit

import httpx2 as httpx
import pytest
from authlib.oidc.core import CodeIDToken
from joserfc.errors import JoseError
from starlette.applications import Starlette
from starlette.testclient import TestClient
from structlog.testing import capture_logs

from rewards_app.api import providers
from rewards_app.api.session import AWAY, SIGN_IN
from rewards_app.core import limits
from rewards_app.core.caller import digest
from rewards_app.core.clock import utc_now
from rewards_app.core.database import transaction
from rewards_app.core.errors import StorageAway
from rewards_app.core.settings import Settings
from rewards_app.features.accounts import provider_service, repository, sessions
from rewards_app.features.accounts.providers import PROVIDERS
from rewards_app.features.arrivals import service as arrivals
from rewards_app.features.arrivals.rules import LONGEST_WORD, Arrived, Campaign
from tests.core.test_settings import IN_PRODUCTION
from tests.openid import openid_provider
from tests.states import failing
from tools.ports import free_port

NOW = 1_800_000_000
CAMPAIGN = "/".join([LONGEST_WORD * "a", LONGEST_WORD * "b", LONGEST_WORD * "c"])
A_TOKEN: dict[str, Any] = {
    "iss": "https://id.example.com",
    "sub": "maja",
    "aud": "watchcoins",
    "iat": NOW,
    "exp": NOW + 300,
}


def choose(monkeypatch: pytest.MonkeyPatch, issuer: str, **others: Any) -> None:
    known: dict[str, Any] = {
        "secret_key": "s" * 32,
        "oidc_issuer": issuer,
        "oidc_client_id": "watchcoins",
        "oidc_client_secret": "x",
    }
    chosen = Settings(**known | others)
    monkeypatch.setattr(providers, "settings", lambda: chosen)
    providers._clients.cache_clear()


@pytest.fixture(autouse=True)
def a_provider(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    choose(monkeypatch, "https://id.example.com")
    yield
    providers._clients.cache_clear()


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    with openid_provider() as issuer:
        choose(monkeypatch, issuer)
        yield issuer


def answer_to_leaving(**headers: str) -> httpx.Headers:
    with TestClient(Starlette(routes=providers.routes()), follow_redirects=False) as browser:
        return browser.get("/oauth/oidc", headers=headers).headers


def asked_to_leave(**headers: str) -> str:
    return answer_to_leaving(**headers)["location"]


def asked_for(address: str) -> dict[str, str]:
    return dict(parse_qsl(urlsplit(address).query))


def with_another_wish(cookie: str) -> str:
    """What the cookie holds is only marked: anybody can read it, and write something else."""
    held, _, mark = cookie.strip('"').partition(".")
    known = json.loads(base64.b64decode(held))
    known[providers.WISHES] = {"type": "company"}
    return f"{base64.b64encode(json.dumps(known).encode()).decode()}.{mark}"


class TestItsCookie:
    def test_is_kept_from_scripts_and_from_other_sites(self, server: str):
        cookie, *told = answer_to_leaving()["set-cookie"].lower().split("; ")
        assert cookie.startswith("oauth=")
        assert {"httponly", "samesite=lax", "path=/"} <= {*told}

    def test_is_secure_and_bound_to_the_host_behind_https(
        self, server: str, monkeypatch: pytest.MonkeyPatch
    ):
        choose(monkeypatch, server, public_url="https://play.example.com")
        cookie, *told = answer_to_leaving()["set-cookie"].split("; ")
        assert cookie.startswith("__Host-oauth=")
        assert {"secure", "httponly", "samesite=lax", "path=/"} <= {one.lower() for one in told}


class TestLeaving:
    @pytest.mark.parametrize("led_by", ["same-origin", "none", ""])
    def test_by_our_button_by_hand_and_in_an_old_browser_goes_to_the_provider(
        self, server: str, led_by: str
    ):
        said = {"Sec-Fetch-Site": led_by} if led_by else {}
        assert asked_to_leave(**said).startswith(f"{server}/oauth2/authorize?")

    @pytest.mark.parametrize("led_by", ["cross-site", "same-site", "something-new"])
    def test_by_another_site_ends_at_our_own_page(self, server: str, led_by: str):
        answer = answer_to_leaving(**{"Sec-Fetch-Site": led_by})
        assert answer["location"] == SIGN_IN
        assert "set-cookie" not in answer

    def test_says_what_only_this_browser_can_answer_to_and_nothing_of_it_twice(self, server: str):
        first, second = (asked_for(asked_to_leave()) for _ in range(2))
        assert first["code_challenge_method"] == "S256"
        # 256 bits of a hash and 128 of a nonce, as base64 writes them.
        assert (len(first["code_challenge"]), len(first["nonce"])) == (43, 22)
        for name in ("state", "nonce", "code_challenge"):
            assert first[name] != second[name]


class TestMetadata:
    def test_of_the_issuer_of_the_settings_lead_to_it(self, server: str):
        assert asked_to_leave().startswith(f"{server}/oauth2/authorize?")

    def test_that_do_not_come_are_no_word_of_who_somebody_is(
        self, monkeypatch: pytest.MonkeyPatch, server: str
    ):
        for nobody in (f"http://localhost:{free_port()}", f"{server}/nothing/here"):
            choose(monkeypatch, nobody)
            assert asked_to_leave() == providers.PROVIDER_AWAY

    def test_of_another_issuer_lead_nowhere(self, monkeypatch: pytest.MonkeyPatch):
        with openid_provider({"issuer": "https://evil.example"}) as issuer:
            choose(monkeypatch, issuer)
            assert asked_to_leave() == providers.REFUSED

    @pytest.mark.parametrize("name", ["authorization_endpoint", "token_endpoint", "jwks_uri"])
    @pytest.mark.parametrize(
        "address", ["http://id.example.com/", "HTTP://id.example.com", "http://["]
    )
    def test_without_https_lead_nowhere_in_production(
        self, monkeypatch: pytest.MonkeyPatch, name: str, address: str
    ):
        with openid_provider({name: address}) as issuer:
            choose(monkeypatch, issuer, **IN_PRODUCTION)
            assert asked_to_leave() == providers.REFUSED

    @pytest.mark.parametrize("there", ["https://id.example.com", "http://localhost:9000"])
    def test_with_https_or_of_this_machine_lead_there_in_production(
        self, monkeypatch: pytest.MonkeyPatch, there: str
    ):
        with openid_provider({"authorization_endpoint": f"{there}/go"}) as issuer:
            choose(monkeypatch, issuer, **IN_PRODUCTION)
            assert asked_to_leave().startswith(f"{there}/go?")

    def test_without_https_lead_there_while_somebody_tries(self, monkeypatch: pytest.MonkeyPatch):
        with openid_provider({"authorization_endpoint": "http://id.example.com/go"}) as issuer:
            choose(monkeypatch, issuer)
            assert asked_to_leave().startswith("http://id.example.com/go?")

    async def test_that_would_take_unsigned_tokens_do_not_decide_that(
        self, monkeypatch: pytest.MonkeyPatch
    ):
        weak = ["none", "HS256", "RS256"]
        with openid_provider({"id_token_signing_alg_values_supported": weak}) as issuer:
            choose(monkeypatch, issuer)
            client = await providers._client_of(PROVIDERS["oidc"])
        taken = client.server_metadata["id_token_signing_alg_values_supported"]
        assert "RS256" in taken
        assert not {"none", "HS256"} & set(taken)


def check(**claims: Any) -> None:
    token = {name: value for name, value in (A_TOKEN | claims).items() if value is not None}
    meant = providers.meant_for_us(PROVIDERS["oidc"])
    CodeIDToken(token, {}, meant, {"client_id": "watchcoins"}).validate(now=NOW)


class TestAToken:
    @pytest.mark.parametrize("issuer", ["https://id.example.com", "https://id.example.com/"])
    def test_of_the_provider_of_the_settings_is_believed(self, issuer: str):
        check(iss=issuer)

    @pytest.mark.parametrize(
        "issuer", ["https://evil.example", "https://id.example.com.evil", None]
    )
    def test_of_another_issuer_is_not_whatever_its_metadata_says(self, issuer: str | None):
        with pytest.raises(JoseError):
            check(iss=issuer)

    @pytest.mark.parametrize("audience", ["another-app", ["another-app"], [], None])
    def test_for_another_app_is_not_though_it_names_us_as_its_bearer(self, audience: Any):
        with pytest.raises(JoseError):
            check(aud=audience, azp="watchcoins")


async def signe_agrees(issuer: str, left: httpx.Response, **changes: str) -> str:
    """The way back to us, once she has agreed where our answer led her, or to something else."""
    person = {"email": "signe@example.com", "email_verified": True, "name": "Signe"}
    there = left.headers["location"]
    asked = urlencode(asked_for(there) | changes)
    async with httpx.AsyncClient(verify=False) as browser:
        await browser.put(f"{issuer}/users/signe", json=person)
        agreed = await browser.post(f"{there.partition('?')[0]}?{asked}", data={"sub": "signe"})
    return agreed.headers["location"]


@pytest.mark.usefixtures("database")
class TestSigningIn:
    async def test_by_a_real_provider_opens_a_session_once_and_for_the_same_browser(
        self, monkeypatch: pytest.MonkeyPatch
    ):
        with openid_provider() as issuer:
            choose(monkeypatch, issuer)
            async with a_browser_of_ours() as here:
                answer = await signe_agrees(issuer, await here.get("/oauth/oidc"))
                async with a_browser_of_ours() as elsewhere:
                    assert await led_to(elsewhere, answer) == providers.REFUSED
                assert await led_to(here, answer) == "/"
                assert await sessions.find_actor(digest(here.cookies["session"]), now=utc_now())
                assert await led_to(here, answer) == providers.REFUSED

    async def test_by_a_provider_that_is_away_meanwhile_is_told_as_that(
        self, monkeypatch: pytest.MonkeyPatch
    ):
        async with a_browser_of_ours() as here:
            with openid_provider() as issuer:
                choose(monkeypatch, issuer)
                answer = await signe_agrees(issuer, await here.get("/oauth/oidc"))
            assert await led_to(here, answer) == providers.PROVIDER_AWAY

    async def test_too_often_is_told_as_that(self, monkeypatch: pytest.MonkeyPatch):
        with openid_provider() as issuer:
            choose(monkeypatch, issuer)
            async with a_browser_of_ours() as here:
                answer = await signe_agrees(issuer, await here.get("/oauth/oidc"))
                for _ in range(sessions.TICKETS_PER_ADDRESS.amount):
                    await limits.spend(sessions.TICKETS_PER_ADDRESS, "ticket", "127.0.0.1")
                assert await led_to(here, answer) == providers.TOO_MANY

    @pytest.mark.parametrize(
        ("elsewhere", "refusal"),
        [
            ({"nonce": secrets.token_urlsafe(16)}, "InvalidClaimError"),
            ({"code_challenge": secrets.token_urlsafe(32)}, "OAuthError"),
        ],
        ids=["nonce", "code_challenge"],
    )
    async def test_with_what_another_browser_asked_for_is_refused(
        self, monkeypatch: pytest.MonkeyPatch, elsewhere: dict[str, str], refusal: str
    ):
        with openid_provider() as issuer:
            choose(monkeypatch, issuer)
            async with a_browser_of_ours() as here:
                left = await here.get("/oauth/oidc")
                answer = await signe_agrees(issuer, left, **elsewhere)
                assert await refused(here, answer) == refusal

    async def test_with_a_cookie_that_somebody_changed_is_refused(
        self, monkeypatch: pytest.MonkeyPatch
    ):
        with openid_provider() as issuer:
            choose(monkeypatch, issuer)
            async with a_browser_of_ours() as here:
                answer = await signe_agrees(issuer, await here.get("/oauth/oidc"))
                [begun] = [one for one in here.cookies.jar if one.name == "oauth"]
                begun.value = with_another_wish(begun.value or "")
                assert await refused(here, answer) == "MismatchingStateError"

    async def test_by_a_token_that_another_key_signed_is_refused(
        self, monkeypatch: pytest.MonkeyPatch
    ):
        with openid_provider(shows_another_key=True) as issuer:
            choose(monkeypatch, issuer)
            async with a_browser_of_ours() as here:
                answer = await signe_agrees(issuer, await here.get("/oauth/oidc"))
                assert await refused(here, answer) == "BadSignatureError"

    async def test_that_another_site_began_leaves_whoever_is_here_signed_in(
        self, monkeypatch: pytest.MonkeyPatch
    ):
        with openid_provider() as issuer:
            choose(monkeypatch, issuer)
            async with a_browser_of_ours() as here:
                answer = await signe_agrees(issuer, await here.get("/oauth/oidc"))
                assert await led_to(here, answer) == "/"
                hers = here.cookies["session"]
                led = await here.get("/oauth/oidc", headers={"sec-fetch-site": "cross-site"})
                assert led.headers["location"] == SIGN_IN
                assert here.cookies["session"] == hers
                assert await sessions.find_actor(digest(hers), now=utc_now())

    async def test_without_the_database_is_not_told_as_the_providers_refusal(
        self, monkeypatch: pytest.MonkeyPatch
    ):
        monkeypatch.setattr(provider_service, "sign_in", failing(StorageAway))
        with openid_provider() as issuer:
            choose(monkeypatch, issuer)
            async with a_browser_of_ours() as here:
                answer = await signe_agrees(issuer, await here.get("/oauth/oidc"))
                assert await led_to(here, answer) == AWAY

    @pytest.mark.parametrize(
        ("led_by", "language", "role"),
        [("same-origin", "de", "company"), ("none", "en", "player")],
    )
    async def test_remembers_what_our_page_wished_and_no_typed_address(
        self, monkeypatch: pytest.MonkeyPatch, led_by: str, language: str, role: str
    ):
        with openid_provider() as issuer:
            choose(monkeypatch, issuer)
            async with a_browser_of_ours() as here:
                left = await here.get(
                    f"/oauth/oidc?language=de&type=company&addresses=no&led_by={CAMPAIGN}",
                    headers={"sec-fetch-site": led_by},
                )
                assert await led_to(here, await signe_agrees(issuer, left)) == "/"
        async with transaction() as session:
            signe = await repository.account_by_email(session, "signe@example.com")
        assert signe
        assert (signe.language, signe.role) == (language, role)
        async with transaction() as session:
            found = await arrivals.of_days(session, date.min, date.max)
        came = [Arrived(Campaign(*CAMPAIGN.split("/")), visits=0, sign_ups=1)]
        assert found == (came if led_by == "same-origin" else [])


def a_browser_of_ours() -> httpx.AsyncClient:
    app = httpx.ASGITransport(Starlette(routes=providers.routes()))
    known_by = {"door": secrets.token_urlsafe(32)}
    return httpx.AsyncClient(transport=app, base_url="http://localhost", cookies=known_by)


async def led_to(browser: httpx.AsyncClient, answer: str) -> str:
    _, _, path = answer.partition("/oauth/")
    return (await browser.get(f"/oauth/{path}")).headers["location"]


async def refused(browser: httpx.AsyncClient, answer: str) -> str:
    """For what, as the log has it; nobody is signed in."""
    with capture_logs() as lines:
        assert await led_to(browser, answer) == providers.REFUSED
    assert "session" not in browser.cookies
    [refusal] = [line for line in lines if line["event"] == "provider.refused"]
    return refusal["error"]
