"""The security tab's state: what it lists, tells, resolves, and what it does when it cannot."""

from datetime import timedelta
from typing import Any

import pytest

from rewards_app.core.clock import utc_now
from rewards_app.core.database import transaction
from rewards_app.core.errors import BadArguments, StorageAway
from rewards_app.core.ids import new_id
from rewards_app.features.admin import security_state
from rewards_app.features.admin.pages import panel
from rewards_app.features.admin.security_state import SecurityState
from rewards_app.features.admin.state import AdminState
from rewards_app.features.admin.waiting_state import WaitingState
from rewards_app.features.alerts import service as alerts
from rewards_app.features.alerts.service import Kind
from rewards_app.i18n import catalogues
from rewards_app.models import SecurityAlert
from rewards_app.rewards_app import app
from tests.people import an_account
from tests.states import calls, failing

pytestmark = pytest.mark.usefixtures("admin")
FAILURES = [StorageAway, RuntimeError]


@pytest.fixture
async def tab(page: Any) -> SecurityState:
    (await page.get_state(AdminState)).tab = "security"
    return await page.get_state(SecurityState)


async def raises(kind: Kind = Kind.WEBHOOK_FORGED, **known: Any) -> None:
    async with transaction() as session:
        await alerts.raise_alert(session, kind, **{"now": utc_now()} | known)


async def opens(tab: SecurityState) -> None:
    await calls(SecurityState.load, tab)


async def begins(tab: SecurityState) -> None:
    """The first page that is opened."""
    await calls(SecurityState.hear, tab)


class TestTheList:
    async def test_shows_what_is_open_with_its_words_and_what_to_do(self, tab: SecurityState):
        maja = await an_account()
        await raises(
            Kind.DENIED_STORM, account_id=maja.id, address="192.0.2.7", refusals=20, handler="a.b"
        )
        await opens(tab)
        [row] = tab.alerts
        assert row["text"] == "alerts.kinds.denied_storm"
        assert row["advice"] == "alerts.advice.denied_storm"
        assert row["params"] == {"refusals": 20, "handler": "a.b"}
        assert (row["account"], row["account_id"]) == ("Maja", str(maja.id))
        assert row["address"] == "192.0.2.7"
        assert tab.counts == {"critical": 0, "high": 1, "medium": 0, "low": 0, "all": 1}

    async def test_shows_an_alert_from_before_there_were_words_as_it_was(self, tab: SecurityState):
        async with transaction() as session:
            session.add(
                SecurityAlert(
                    severity="critical", alert_type="ledger_difference", description="Old words"
                )
            )
        await opens(tab)
        assert (tab.alerts[0]["text"], tab.alerts[0]["advice"]) == ("", "")
        assert tab.alerts[0]["description"] == "Old words"
        await calls(SecurityState.resolve, tab, alert_id=tab.alerts[0]["id"])
        assert tab.alerts == []

    async def test_shows_an_alert_that_names_a_role_as_it_is_stored(self, tab: SecurityState):
        params = {"name": "Maja", "before": "player", "after": "moderator", "by": "Linnea"}
        async with transaction() as session:
            session.add(
                SecurityAlert(
                    severity="low", alert_type="role_changed", description="…", params=params
                )
            )
        await opens(tab)
        assert tab.alerts[0]["text"] == "alerts.kinds.role_changed"
        assert tab.alerts[0]["params"] == params

    async def test_is_narrowed_down(self, tab: SecurityState):
        await raises(about="high")
        await raises(Kind.AUDIT_BROKEN, entry=7)
        await opens(tab)
        await calls(SecurityState.choose_severity, tab, severity="critical")
        assert [row["severity"] for row in tab.alerts] == ["critical"]
        await calls(SecurityState.choose_severity, tab, severity="")
        assert len(tab.alerts) == 2
        await calls(SecurityState.choose_standing, tab, standing="resolved")
        assert tab.alerts == []

    async def test_is_leafed_through(self, tab: SecurityState):
        for number in range(60):
            await raises(about=str(number))
        await opens(tab)
        assert len(tab.alerts) == 50
        for _ in range(2):
            await calls(SecurityState.load_more, tab, before=tab.alerts[49]["id"])
        assert (len(tab.alerts), tab.next_before) == (60, "")

    @pytest.mark.parametrize("severity", ["fatal", "' or 1=1", "CRITICAL"])
    async def test_knows_no_other_severity(self, tab: SecurityState, severity: str):
        await calls(SecurityState.choose_severity, tab, severity=severity)
        assert tab.refusal["code"] == BadArguments.code

    async def test_knows_no_other_standing(self, tab: SecurityState):
        await calls(SecurityState.choose_standing, tab, standing="all")
        assert tab.refusal["code"] == BadArguments.code

    @pytest.mark.parametrize("failure", FAILURES)
    async def test_that_cannot_be_loaded_says_so(
        self, tab: SecurityState, monkeypatch: pytest.MonkeyPatch, failure: type[Exception]
    ):
        monkeypatch.setattr(security_state.service, "newest", failing(failure))
        await opens(tab)
        assert (tab.has_failed, tab.is_loaded) == (True, False)
        assert tab.notice["title"] == "admin.security.not_loaded"


class TestNews:
    async def test_stand_on_top_where_the_tab_is_open(self, tab: SecurityState):
        await opens(tab)
        await raises(about="first")
        await calls(SecurityState.refresh, tab)
        await raises(Kind.AUDIT_BROKEN, entry=7)
        await calls(SecurityState.refresh, tab)
        assert [row["severity"] for row in tab.alerts] == ["critical", "high"]
        assert tab.counts["all"] == 2

    async def test_keep_the_older_ones_that_were_loaded(self, tab: SecurityState):
        for number in range(60):
            await raises(about=str(number))
        await opens(tab)
        await calls(SecurityState.load_more, tab, before=tab.next_before)
        await raises(Kind.AUDIT_BROKEN, entry=7)
        shown = [row["id"] for row in tab.alerts]
        await calls(SecurityState.refresh, tab)
        assert [row["id"] for row in tab.alerts[1:]] == shown
        assert (tab.alerts[0]["severity"], len(shown)) == ("critical", 60)

    async def test_are_read_by_no_tab_that_shows_something_else(self, page: Any):
        (await page.get_state(AdminState)).tab = "orders"
        tab = await page.get_state(SecurityState)
        await raises()
        await calls(SecurityState.refresh, tab)
        assert tab.alerts == []

    async def test_are_told_on_every_tab_once(self, page: Any):
        (await page.get_state(AdminState)).tab = "orders"
        tab = await page.get_state(SecurityState)
        await begins(tab)
        await raises()
        await calls(SecurityState.hear, tab)
        assert tab.notice["title"] == "alerts.new_title"
        assert (tab.notice["text"], tab.notice["style"]) == ("alerts.new.high", "default")
        assert tab.notice["params"]["description"].startswith("Somebody sent a payment message")
        told = tab.notice["id"]
        await calls(SecurityState.hear, tab)
        assert tab.notice["id"] == told

    async def test_are_told_in_red_when_they_are_critical_and_in_the_readers_language(
        self, tab: SecurityState
    ):
        tab.language = "sv"
        await begins(tab)
        await raises(Kind.AUDIT_BROKEN, entry=1284)
        await raises()
        await calls(SecurityState.hear, tab)
        assert (tab.notice["text"], tab.notice["style"]) == ("alerts.new.critical", "destructive")
        assert "rad 1\u00a0284" in tab.notice["params"]["description"]

    async def test_name_roles_and_sums_as_the_reader_does(self, tab: SecurityState):
        tab.language = "sv"
        await begins(tab)
        roles = {"before": ["roles.player"], "after": ["roles.moderator"]}
        await raises(Kind.ROLE_CHANGED, name="Maja", by="Linnea", **roles)
        await calls(SecurityState.hear, tab)
        assert "från Spelare till Moderator" in tab.notice["params"]["description"]
        await raises(Kind.ADVERTISER_LEFT_MONEY, cents=123_450, company="7", payments="8")
        await calls(SecurityState.hear, tab)
        assert "1\u00a0234,50\u00a0$ av pengarna" in tab.notice["params"]["description"]

    async def test_from_before_the_first_page_was_opened_are_not_told(self, tab: SecurityState):
        await raises()
        await begins(tab)
        await calls(SecurityState.hear, tab)
        assert tab.notice == {}

    async def test_that_are_none_any_more_are_not_told(self, tab: SecurityState):
        await begins(tab)
        await raises(now=utc_now() - timedelta(minutes=10))
        await calls(SecurityState.hear, tab)
        assert tab.notice == {}

    async def test_of_a_check_that_took_minutes_are_told(self, tab: SecurityState):
        await begins(tab)
        await raises(Kind.AUDIT_BROKEN, entry=1284, now=utc_now() - timedelta(minutes=5))
        await calls(SecurityState.hear, tab)
        assert tab.notice["text"] == "alerts.new.critical"

    async def test_that_are_kept_after_later_ones_are_told(self, tab: SecurityState):
        await begins(tab)
        async with transaction() as session:
            await alerts.raise_alert(session, Kind.AUDIT_BROKEN, now=utc_now(), entry=1284)
            await raises()
            await calls(SecurityState.hear, tab)
            assert tab.notice["text"] == "alerts.new.high"
        await calls(SecurityState.hear, tab)
        assert tab.notice["text"] == "alerts.new.critical"

    async def test_are_counted_on_the_tabs_label(self, page: Any):
        waiting = await page.get_state(WaitingState)
        await raises()
        await calls(WaitingState.count, waiting)
        assert waiting.open_alerts == 1


class TestResolving:
    async def test_takes_it_off_the_list(self, tab: SecurityState):
        await raises()
        await opens(tab)
        await calls(SecurityState.resolve, tab, alert_id=tab.alerts[0]["id"])
        assert (tab.alerts, tab.counts["all"]) == ([], 0)
        assert tab.notice["title"] == "admin.security.resolved_title"
        await calls(SecurityState.choose_standing, tab, standing="resolved")
        assert tab.alerts[0]["resolved_by"] == "Linnea"
        assert tab.alerts[0]["resolved_at"]

    async def test_what_another_admin_resolved_says_so(self, tab: SecurityState, page: Any):
        await raises()
        await opens(tab)
        alert_id = tab.alerts[0]["id"]
        await calls(SecurityState.resolve, tab, alert_id=alert_id)
        await calls(SecurityState.resolve, tab, alert_id=alert_id)
        assert tab.notice["title"] == "alerts.not_resolved"
        assert tab.notice["text"] == "errors.alerts.resolved_meanwhile"

    @pytest.mark.parametrize("failure", FAILURES)
    async def test_that_fails_says_so(
        self, tab: SecurityState, monkeypatch: pytest.MonkeyPatch, failure: type[Exception]
    ):
        await raises()
        await opens(tab)
        monkeypatch.setattr(security_state.alert_desk, "resolve", failing(failure))
        await calls(SecurityState.resolve, tab, alert_id=tab.alerts[0]["id"])
        assert tab.notice["title"] == "alerts.not_resolved"
        assert (len(tab.alerts), tab._doing) == (1, "")

    async def test_what_never_was_is_refused(self, tab: SecurityState):
        await calls(SecurityState.resolve, tab, alert_id=str(new_id()))
        assert tab.notice["text"] == "errors.alerts.unknown"


class TestWords:
    @pytest.mark.parametrize(
        ("key", "said"),
        [
            ("admin.tabs.advertisers", "Advertisers"),
            ("admin.tabs.security", "Security"),
            ("admin.tabs.fraud", "Fraud Detection"),
            ("admin.tabs.health", "System Health"),
            ("admin.loading", "Loading admin panel..."),
            ("admin.denied_title", "Access Denied"),
            ("admin.denied_signed_out", "You must be logged in to access the admin panel."),
            ("admin.denied_text", "You don't have permission to access the admin panel."),
            ("admin.security.none", "No security alerts. System is operating normally."),
            ("admin.security.not_loaded", "Failed to fetch security alerts"),
            ("alerts.not_resolved", "Failed to resolve alert"),
            ("admin.security.resolved_title", "Alert resolved successfully"),
            ("alerts.new_title", "New Security Alert"),
        ],
    )
    def test_are_the_specifications(self, key: str, said: str):
        assert catalogues.interface("en")[key] == said

    def test_of_denial_stand_in_its_place(self):
        shown = str(app._unevaluated_pages["admin"].component().render())
        for key in ("denied_title", "denied_text", "denied_signed_out"):
            assert f"admin.{key}" in shown

    def test_of_waiting_stand_in_the_panel_until_its_tab_is_known(self):
        assert "admin.loading" in str(panel().render())
