"""Whose tab it is: stolen tokens, planted vars, foreign origins."""

import asyncio

import pytest
from socketio.exceptions import ConnectionError as SocketRefused

from rewards_app.core.caller import digest
from rewards_app.core.clock import utc_now
from tests.ads import an_ad
from tests.hostile.client import (
    APP,
    AUTH,
    CENSUS,
    CONSENT,
    HOME,
    UPDATE_VARS,
    WATCH,
    Browser,
    Tab,
)
from tests.hostile.evidence import Vault
from tests.hostile.identities import (
    PASSWORD,
    Person,
    a_mailed_link,
    a_new_email,
    a_visitor,
    becomes,
    signs_in,
)
from tests.people import an_account
from tests.serving import Served


class TestTokensOfTabs:
    """The token travels in the socket's URL: whoever knows it must gain nothing."""

    @pytest.fixture(params=["no cookie", "another door", "another account"])
    async def thief(self, request: pytest.FixtureRequest, beside: Served) -> Browser:
        if request.param == "no cookie":
            return Browser(beside)
        browser = await a_visitor(beside)
        if request.param == "another account":
            email = a_new_email("thief")
            await an_account(email, name="Thief", now=utc_now())
            await signs_in(browser, email)
        return browser

    def _sees_nothing_of(self, person: Person, tab: Tab) -> bool:
        return person.email not in tab.everything() and person.name not in tab.everything()

    async def test_a_connected_tab_is_not_taken_over(self, maja_inside: Person, thief: Browser):
        async with maja_inside.browser.tab("/") as hers:
            assert hers.says("email") == maja_inside.email
            async with thief.tab("/", token=hers.token) as stolen:
                await stolen.call(f"{HOME}.load")
                assert self._sees_nothing_of(maja_inside, stolen)
                assert stolen.has_new_token
            assert hers.is_open
            await hers.call(f"{APP}.enter")
            assert hers.says("email") == maja_inside.email

    async def test_an_ad_goes_on_where_its_page_is_back_before_the_old_socket_has_ended(
        self, maja_inside: Person, beside: Served
    ):
        """It went from one network to another: nobody hears of it for most of a minute."""
        browser, ad = maja_inside.browser, await an_ad(seconds=5, reward=15)
        async with browser.tab("/watch") as hers:
            await hers.call(f"{WATCH}.start", {"ad_id": str(ad.id), "fingerprint": "a browser"})
            view = hers.says("running")["session_id"]
            async with browser.tab("/watch", token=hers.token) as back:
                assert not back.has_new_token
                await back.until(lambda: not hers.is_open)
                assert (back.says("running")["session_id"], back.says("elsewhere")) == (view, {})
                await asyncio.sleep(5.1)
                await back.call(f"{WATCH}.finish", {"session_id": view, "watch_time": 5})
                assert back.says("earned") == 15

    async def test_a_copied_page_has_one_of_its_own(self, maja_inside: Person):
        browser = maja_inside.browser
        async with (
            browser.tab("/") as hers,
            browser.tab("/", token=hers.token, is_opened=True) as copied,
        ):
            assert copied.has_new_token
            assert hers.is_open

    async def test_a_left_tab_is_found_empty(self, maja_inside: Person, thief: Browser):
        async with maja_inside.browser.tab("/") as hers:
            await hers.call(f"{HOME}.load")
        async with thief.tab("/", token=hers.token) as stolen:
            await stolen.call(f"{HOME}.load")
            await stolen.call(f"{APP}.check_in")
            assert self._sees_nothing_of(maja_inside, stolen)

    async def test_a_visitors_left_form_is_found_empty(self, maja: Person, thief: Browser):
        async with maja.browser.tab("/auth?mode=login") as hers:
            await hers.call(f"{AUTH}.forgot", {"form": {"email": maja.email}})
            assert hers.says("mailed_to") == maja.email
        async with thief.tab("/auth?mode=login", token=hers.token) as stolen:
            await stolen.call(f"{APP}.check_in")
            assert self._sees_nothing_of(maja, stolen)

    async def test_the_link_of_a_left_tab_is_gone(self, maja: Person, thief: Browser, vault: Vault):
        token = a_mailed_link(vault, maja.email, "reset")
        async with maja.browser.tab(f"/auth?mode=reset&token={token}") as hers:
            assert hers.says("mode") == "reset"
        before = vault.one("select password_hash from accounts where email = %s", maja.email)
        async with thief.tab("/landing", token=hers.token) as stolen:
            form = {"password": "Quick-Badger5-hums!"}
            await stolen.call(f"{AUTH}.reset_password", {"form": form})
        assert before == vault.one(
            "select password_hash from accounts where email = %s", maja.email
        )

    async def test_a_silent_listener_is_told_nothing(self, maja_inside: Person, thief: Browser):
        async with maja_inside.browser.tab("/") as hers:
            assert hers.says("role") == "player"
        async with thief.tab("/", token=hers.token, is_silent=True) as stolen:
            await becomes(maja_inside.email, "moderator")
            await asyncio.sleep(1)
            assert self._sees_nothing_of(maja_inside, stolen)
            assert "moderator" not in stolen.everything()


class TestStoredVars:
    """A browser may write its own storage, and nothing else."""

    @pytest.mark.parametrize(
        ("var", "value"),
        [
            (f"{APP}.role", "admin"),
            (f"{APP}.name", "Admin"),
            (f"{APP}.email", "admin@demo.watchcoins.example"),
            (f"{APP}.balance", 10**9),
            (f"{APP}.door", "https://evil.example"),
            (f"{APP}.notice", {"title": "x"}),
            (f"{APP}.is_missing", True),
            (f"{APP}._session_hash", "0" * 64),
            (f"{APP}._is_acquainted", False),
            (f"{AUTH}.mailed_to", "victim@example.com"),
            (f"{AUTH}.mode", "verified"),
            (f"{AUTH}._token", "made-up"),
            (f"{HOME}.account", {"email": "x"}),
            (f"{CENSUS}.census", {"players": 9}),
            (f"{APP}.role_rx_state_", "admin"),
        ],
    )
    @pytest.mark.parametrize("identity", ["visitor", "player"])
    async def test_a_var_that_is_not_stored_stays(
        self, known: dict[str, Browser], identity: str, var: str, value: object
    ):
        async with known[identity].tab() as tab:
            answer = await tab.call(UPDATE_VARS, {"vars": {var: value}})
            assert answer.is_silence, answer.changed
            assert tab.says("role") == identity
            again = await tab.call(f"{APP}.enter")
            assert value not in again.changed.values()

    @pytest.mark.parametrize(
        ("stored", "is_noted"),
        [
            *(
                (spoilt, False)
                for spoilt in (12, None, True, [], {"ipLogging": True}, "{", "[" * 900)
            ),
            ('{"ipLogging": "true"}', False),
            ('{"essential":true,"ipLogging":false}', False),
            ('{"essential":true,"ipLogging":true}', True),
        ],
    )
    async def test_only_a_true_consent_lets_the_address_be_noted(
        self, maja: Person, vault: Vault, stored: object, is_noted: bool
    ):
        async with maja.browser.tab("/auth?mode=login") as tab:
            await tab.call(f"{CONSENT}.remember", {"stored": stored})
            form = {"email": maja.email, "password": PASSWORD}
            await tab.call(f"{AUTH}.sign_in", {"form": form})
            await maja.browser.enters(tab.says("door"))
        query = "select ip_address from account_sessions where token_hash = %s"
        noted = vault.one(query, digest(maja.browser.cookies["session"]))
        assert noted == (maja.browser.address if is_noted else None)

    @pytest.mark.parametrize("language", [5, None, ["sv"], {"sv": 1}, "xx", "x" * 100_000])
    async def test_a_spoilt_language_is_english(
        self, visitor: Browser, vault: Vault, language: object
    ):
        email = a_new_email()
        form = {"email": email, "password": PASSWORD}
        async with visitor.tab("/auth?mode=signup&type=company") as tab:
            await tab.tell(UPDATE_VARS, {"vars": {f"{APP}.language": language}})
            await tab.call(f"{AUTH}.sign_up", {"form": form})
        assert vault.one("select language from accounts where email = %s", email) == "en"


class TestOrigins:
    @pytest.mark.parametrize(
        "forged",
        [
            "https://evil.example",
            "null",
            "{url}.evil.example",
            "{url}@evil.example",
            "https://localhost",
            "http://localhost",
            "http://localhost:1",
            "file://",
            "{url}/",
        ],
    )
    async def test_a_socket_of_another_origin_is_refused(
        self, known: dict[str, Browser], served: Served, forged: str
    ):
        with pytest.raises(SocketRefused):
            async with known["admin"].tab("/", origin=forged.format(url=served.url)):
                pass
