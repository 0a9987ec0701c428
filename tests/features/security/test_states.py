"""What Account Security keeps of sessions, factors and passwords, and says where it cannot."""

from collections.abc import AsyncIterator
from typing import Any
from uuid import UUID

import pytest
from pyotp.totp import TOTP
from sqlalchemy import text
from structlog.testing import capture_logs

from rewards_app.core.actor import Actor
from rewards_app.core.caller import digest
from rewards_app.core.clock import utc_now
from rewards_app.core.database import run, transaction
from rewards_app.core.errors import StorageAway
from rewards_app.features.accounts import addresses, passwords, proving, sessions
from rewards_app.features.factors import service as factors
from rewards_app.features.security.email_state import EmailState
from rewards_app.features.security.factors import factors_section
from rewards_app.features.security.factors_state import TURNED_OFF, FactorsState, Step
from rewards_app.features.security.sessions_state import SessionsState
from rewards_app.features.security.state import AccountSecurityState
from rewards_app.i18n.catalogues import interface
from tests.drawn import drawn
from tests.factors import Device, a_passkey, an_app
from tests.people import PASSWORD, a_browser, an_account, signed_in
from tests.queued import letters
from tests.states import a_page, acting, at, calls, failing

FAILURES = [StorageAway, RuntimeError]


@pytest.fixture(autouse=True)
async def maja(database: str) -> AsyncIterator[Actor]:
    """Signed in here and elsewhere; every handler of the test is called by her."""
    now = utc_now()
    account = await an_account(now=now)
    await signed_in(account.id, a_browser(), now=now)
    here = await signed_in(account.id, a_browser(), now=now)
    actor = await sessions.find_actor(digest(here), now=now)
    assert actor
    with acting(actor):
        yield actor


@pytest.fixture
async def listed(page: Any) -> SessionsState:
    return await page.get_state(SessionsState)


def logged(events: list[Any]) -> list[str]:
    return [event["event"] for event in events if event["log_level"] == "error"]


class TestTheListOfSessions:
    async def test_begins_with_the_present_one(self, listed: SessionsState):
        await calls(SessionsState.load, listed)
        assert [row["current"] != "" for row in listed.rows] == [True, False]

    @pytest.mark.parametrize("failure", FAILURES)
    async def test_that_cannot_be_read_is_logged_and_reads_as_none(
        self, listed: SessionsState, monkeypatch: pytest.MonkeyPatch, failure: type[Exception]
    ):
        await calls(SessionsState.load, listed)
        monkeypatch.setattr(sessions, "alive", failing(failure))
        with capture_logs() as events:
            await calls(SessionsState.load, listed)
        assert (listed.rows, listed.is_loaded, listed.notice) == ([], True, {})
        assert logged(events) == ["sessions.not_loaded"]

    async def test_stays_where_what_changed_cannot_be_read(
        self, listed: SessionsState, monkeypatch: pytest.MonkeyPatch
    ):
        await calls(SessionsState.load, listed)
        monkeypatch.setattr(sessions, "alive", failing(StorageAway))
        await calls(SessionsState.refresh, listed)
        assert len(listed.rows) == 2


class TestRevoking:
    @pytest.mark.parametrize("failure", FAILURES)
    async def test_one_that_fails_says_so_though_the_list_cannot_be_read_either(
        self, listed: SessionsState, monkeypatch: pytest.MonkeyPatch, failure: type[Exception]
    ):
        await calls(SessionsState.load, listed)
        monkeypatch.setattr(sessions, "revoke", failing(failure))
        monkeypatch.setattr(sessions, "alive", failing(StorageAway))
        await calls(SessionsState.revoke, listed, session_id=listed.rows[1]["id"])
        assert listed.notice["title"] == "security.session_not_revoked"
        assert len(listed.rows) == 2

    @pytest.mark.parametrize("failure", FAILURES)
    async def test_all_others_that_fails_says_so(
        self, listed: SessionsState, monkeypatch: pytest.MonkeyPatch, failure: type[Exception]
    ):
        await calls(SessionsState.load, listed)
        monkeypatch.setattr(sessions, "end_all", failing(failure))
        await calls(SessionsState.revoke_others, listed)
        assert listed.notice["title"] == "security.sessions_not_revoked"


class TestANewPassword:
    async def test_that_cannot_be_kept_says_so(self, page: Any, monkeypatch: pytest.MonkeyPatch):
        shown = await page.get_state(AccountSecurityState)
        monkeypatch.setattr(passwords, "change", failing(RuntimeError))
        form = {"password": PASSWORD, "new": "Another-pass-9", "again": "Another-pass-9"}
        await calls(AccountSecurityState.change_password, shown, form=form)
        assert shown.notice["title"] == "security.error"
        assert shown.notice["text"] == "errors.security.password_not_updated"
        assert not shown.is_busy

    async def test_is_told_as_kept_though_nothing_more_can_be_read(
        self, page: Any, monkeypatch: pytest.MonkeyPatch
    ):
        shown = await page.get_state(AccountSecurityState)
        monkeypatch.setattr(proving, "has_password", failing(StorageAway))
        form = {"password": PASSWORD, "new": "Another-pass-9", "again": "Another-pass-9"}
        await calls(AccountSecurityState.change_password, shown, form=form)
        assert shown.notice["title"] == "security.password_updated"
        assert (shown.has_password, shown.is_busy) == (True, False)


class TestThePasswordThatIsAskedFor:
    async def test_is_asked_for_as_soon_as_another_tab_has_set_one(self, page: Any, maja: Actor):
        async with transaction() as session:
            await run(session, text("update accounts set password_hash = null"))
        shown = await page.get_state(AccountSecurityState)
        await calls(AccountSecurityState.open_page, shown)
        assert not shown.has_password
        async with transaction() as session:
            await passwords.change(session, maja, "", "Another-pass-9", a_browser(), now=utc_now())
        await calls(AccountSecurityState.refresh, shown)
        assert shown.has_password


class TestTheStandingOfFactors:
    @pytest.mark.parametrize("failure", FAILURES)
    async def test_that_cannot_be_read_is_logged(
        self, page: Any, monkeypatch: pytest.MonkeyPatch, failure: type[Exception]
    ):
        shown = await page.get_state(FactorsState)
        monkeypatch.setattr(factors, "status", failing(failure))
        with capture_logs() as events:
            await calls(FactorsState.load, shown)
        assert (shown.is_loaded, shown.is_known, shown.notice) == (True, False, {})
        assert logged(events) == ["factors.not_loaded"]

    async def test_that_could_not_be_read_shows_nothing_as_off_until_it_can(
        self, page: Any, maja: Actor
    ):
        await an_app(maja.user_id)
        shown = await page.get_state(FactorsState)
        with pytest.MonkeyPatch.context() as broken:
            broken.setattr(factors, "status", failing(StorageAway))
            await calls(FactorsState.load, shown)
        answers = {FactorsState.is_loaded: True, FactorsState.is_known: shown.is_known}
        section = drawn(factors_section(), answers)
        assert "Failed to load 2FA settings" in section.words
        assert "Try again" in section.words
        assert "Setup" not in section.words
        await calls(FactorsState.load, shown)
        assert (shown.is_known, shown.app_since != "") == (True, True)

    async def test_that_is_known_stays_where_it_cannot_be_read_again(
        self, page: Any, monkeypatch: pytest.MonkeyPatch, maja: Actor
    ):
        await an_app(maja.user_id)
        shown = await page.get_state(FactorsState)
        await calls(FactorsState.load, shown)
        monkeypatch.setattr(factors, "status", failing(StorageAway))
        await calls(FactorsState.load, shown)
        assert (shown.is_known, shown.app_since != "") == (True, True)


class TestAFactorThatComes:
    """What is said of it is whether signing in asked for one before."""

    async def _adds(self, shown: FactorsState, which: str) -> str:
        if which == "passkey":
            await calls(FactorsState.ask, shown, step=Step.ADD_KEY)
            await calls(FactorsState.go_on, shown, form={"name": "Phone", "password": PASSWORD})
            await calls(FactorsState.add_passkey, shown, answer=Device().made(shown.options))
        else:
            await calls(FactorsState.ask, shown, step=Step.BEGIN)
            await calls(FactorsState.go_on, shown, form={"password": PASSWORD})
            code = TOTP(shown.secret.replace(" ", "")).now()
            await calls(FactorsState.go_on, shown, form={"code": code})
        return interface("en")[shown.notice["title"]]

    @pytest.mark.parametrize(
        ("first", "another", "said"),
        [
            ("app", "passkey", "Passkey added"),
            ("passkey", "app", "Authenticator app added"),
        ],
    )
    async def test_is_told_as_two_factor_that_is_on_only_where_it_was_off(
        self, page: Any, first: str, another: str, said: str
    ):
        shown = await page.get_state(FactorsState)
        await calls(FactorsState.load, shown)
        assert await self._adds(shown, first) == "2FA Enabled"
        await calls(FactorsState.leave, shown)
        assert await self._adds(shown, another) == said


class TestTheLastFactorThatGoes:
    """What is said of it is what signing in asks for from then on."""

    @pytest.fixture
    async def shown(self, page: Any, maja: Actor) -> FactorsState:
        await an_app(maja.user_id)
        await a_passkey(maja.user_id)
        shown = await page.get_state(FactorsState)
        await calls(FactorsState.load, shown)
        return shown

    async def _removes(self, shown: FactorsState, which: str) -> tuple[str, str]:
        if which == "passkey":
            key = UUID(shown.passkeys[0]["id"])
            await calls(FactorsState.ask_about, shown, step=Step.REMOVE_KEY, passkey_id=key)
        else:
            await calls(FactorsState.ask, shown, step=Step.REMOVE)
        await calls(FactorsState.go_on, shown, form={"password": PASSWORD})
        return shown.notice["title"], shown.notice["text"]

    @pytest.mark.parametrize(
        ("first", "last"), [("app", "passkey"), ("passkey", "app")], ids=lambda which: which
    )
    async def test_is_told_as_two_factor_that_is_off(
        self, shown: FactorsState, first: str, last: str
    ):
        gone = f"security.{first}_removed"
        assert await self._removes(shown, first) == (gone, f"{gone}_text")
        assert await self._removes(shown, last) == (TURNED_OFF, f"{TURNED_OFF}_text")


class TestTheLinkThatMovesTheAccount:
    async def test_says_on_each_screen_where_it_is_pressed_that_it_has_moved(self, maja: Actor):
        new = "maja.new@example.com"
        async with transaction() as session:
            await addresses.ask(session, maja, new, PASSWORD, a_browser(), now=utc_now())
        (link,) = [one["link"] for one in await letters() if one["recipient"] == new]
        screens: list[EmailState] = []
        for _ in range(2):
            page = a_page()
            at(page, "/email?" + link.partition("?")[2])
            screens.append(await page.get_state(EmailState))
            await calls(EmailState.open, screens[-1])
        assert [screen.stage for screen in screens] == ["use", "use"]
        for screen in screens:
            await calls(EmailState.use, screen)
            assert (screen.stage, screen.address, screen.refusal) == ("used", new, {})
