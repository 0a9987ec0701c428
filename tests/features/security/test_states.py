"""What Account Security keeps of sessions, factors and passwords, and says where it cannot."""

from collections.abc import AsyncIterator
from typing import Any

import pytest
from structlog.testing import capture_logs

from rewards_app.core.actor import Actor
from rewards_app.core.caller import digest
from rewards_app.core.clock import utc_now
from rewards_app.core.errors import StorageAway
from rewards_app.features.accounts import passwords, proving, sessions
from rewards_app.features.factors import service as factors
from rewards_app.features.security.factors_state import FactorsState
from rewards_app.features.security.sessions_state import SessionsState
from rewards_app.features.security.state import AccountSecurityState
from tests.people import PASSWORD, a_browser, an_account, signed_in
from tests.states import acting, calls, failing

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


class TestTheStandingOfFactors:
    @pytest.mark.parametrize("failure", FAILURES)
    async def test_that_cannot_be_read_is_logged(
        self, page: Any, monkeypatch: pytest.MonkeyPatch, failure: type[Exception]
    ):
        shown = await page.get_state(FactorsState)
        monkeypatch.setattr(factors, "status", failing(failure))
        with capture_logs() as events:
            await calls(FactorsState.load, shown)
        assert (shown.is_loaded, shown.notice) == (True, {})
        assert logged(events) == ["factors.not_loaded"]
