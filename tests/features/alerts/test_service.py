"""Alerts on a real database: raised, counted, read in stretches, resolved once."""

from collections.abc import Generator
from contextlib import contextmanager
from datetime import timedelta
from typing import Any
from uuid import UUID

import psycopg
import pytest
from sqlalchemy.exc import ProgrammingError
from sqlmodel import select

from rewards_app.core import live
from rewards_app.core.actor import Actor, Role
from rewards_app.core.database import transaction
from rewards_app.core.errors import StorageAway
from rewards_app.core.ids import new_id
from rewards_app.features.admin import alert_desk
from rewards_app.features.alerts import repository, rules, service, soon
from rewards_app.features.alerts.rules import Kind, Severity
from rewards_app.features.alerts.service import Alert, Alerts
from rewards_app.models import AuditEntry
from tests.ads import the_actor
from tests.people import NOON, an_account

pytestmark = pytest.mark.usefixtures("database")


@pytest.fixture(autouse=True)
def nothing_noticed():
    soon.forget()
    yield
    soon.forget()


async def raises(kind: Kind = Kind.WEBHOOK_FORGED, **known: Any) -> None:
    async with transaction() as session:
        await service.raise_alert(session, kind, **{"now": NOON} | known)


async def listed(**wanted: Any) -> Alerts:
    async with transaction() as session:
        return await service.newest(session, **wanted)


async def the_only_one() -> Alert:
    [alert] = (await listed()).shown
    return alert


async def an_admin(name: str = "Linnea") -> Actor:
    account = await an_account(f"{name.lower()}@example.com", Role.ADMIN, name=name)
    return the_actor(account)


async def resolves(admin: Actor, alert_id: UUID) -> None:
    async with transaction() as session:
        await alert_desk.resolve(session, admin, alert_id, now=NOON)


@contextmanager
def alerts_away(database: str) -> Generator[None]:
    with psycopg.connect(database, autocommit=True) as connection:
        connection.execute("alter table security_alerts rename to alerts_away")
        yield
        connection.execute("alter table alerts_away rename to security_alerts")


class TestRaising:
    async def test_keeps_whom_it_concerns_from_where_and_in_which_words(self):
        maja = await an_account()
        await raises(
            Kind.DENIED_STORM,
            account_id=maja.id,
            address="192.0.2.7",
            refusals=20,
            handler="shop_state.buy",
        )
        alert = await the_only_one()
        assert (alert.severity, alert.account, alert.ip_address) == ("high", "Maja", "192.0.2.7")
        assert alert.params == {"refusals": 20, "handler": "shop_state.buy"}
        assert "20 times within a minute (last shop_state.buy)" in alert.description

    async def test_what_happens_again_is_counted_on_the_open_one(self):
        await raises(about="webhook", address="192.0.2.7")
        later = NOON + timedelta(minutes=3)
        await raises(about="webhook", address="192.0.2.8", times=99, now=later)
        alert = await the_only_one()
        assert (alert.times, alert.created_at, alert.last_at) == (100, NOON, later)
        assert alert.ip_address == "192.0.2.8"

    async def test_what_happens_again_is_told_as_it_was_found_last(self):
        await raises(Kind.AUDIT_BROKEN, about="audit", entry=900)
        await raises(Kind.AUDIT_BROKEN, about="audit", entry=40)
        alert = await the_only_one()
        assert (alert.params, alert.times) == ({"entry": 40}, 2)
        assert "broken at line 40:" in alert.description

    async def test_what_happens_after_it_was_resolved_is_a_new_one(self):
        await raises(about="webhook")
        await resolves(await an_admin(), (await the_only_one()).id)
        await raises(about="webhook")
        assert (await the_only_one()).times == 1

    async def test_is_counted_however_often(self):
        for _ in range(30):
            await raises(about="webhook")
        assert (await the_only_one()).times == 30

    async def test_what_is_about_nothing_is_never_joined(self):
        await raises()
        await raises()
        assert len((await listed()).shown) == 2

    async def test_news_are_announced_once_and_repetitions_as_changes(
        self, monkeypatch: pytest.MonkeyPatch
    ):
        heard: list[str] = []

        async def publish(_session: Any, topic: str, _key: str) -> None:
            heard.append(topic)

        monkeypatch.setattr(live, "publish", publish)
        await raises(about="webhook")
        await raises(about="webhook")
        assert heard == [service.RAISED, service.CHANGED]

    async def test_what_others_wrote_stays_text(self):
        hostile = "\u202e<script>alert(1)</script>\n=HYPERLINK(1)\0\ud800" + "x" * 5000
        await raises(Kind.DENIED_STORM, refusals=20, handler=hostile, address="<b>no</b>")
        alert = await the_only_one()
        assert alert.params["handler"].startswith("<script>alert(1)</script> =HYPERLINK(1) x")
        assert len(alert.params["handler"]) == rules.LONGEST_PARAM
        assert alert.ip_address == ""


class TestSoon:
    async def test_a_storm_of_a_hundred_thousand_is_one_alert(self):
        for _ in range(100_000):
            soon.alert(Kind.WEBHOOK_FORGED, about="webhook", address="192.0.2.7")
        await soon.raise_noticed()
        assert (await the_only_one()).times == 100_000

    async def test_a_storm_from_everywhere_is_a_few(self):
        for number in range(10_000):
            soon.alert(
                Kind.SIGN_INS_FAILED,
                about=f"address:{number}",
                address=f"10.0.{number >> 8}.{number & 255}",
                params={"failures": 10},
            )
        await soon.raise_noticed()
        shown = (await listed()).shown
        assert len(shown) == soon.MOST_OF_A_KIND + 1
        rest = max(shown, key=lambda alert: alert.times)
        assert (rest.times, rest.ip_address) == (10_000 - soon.MOST_OF_A_KIND, "")

    async def test_is_kept_until_the_database_is_back(self, monkeypatch: pytest.MonkeyPatch):
        async def away(*_: Any, **__: Any) -> None:
            raise StorageAway

        with monkeypatch.context() as patched:
            patched.setattr(service, "raise_alert", away)
            soon.alert(Kind.WEBHOOK_FORGED, about="webhook")
            with pytest.raises(StorageAway):
                await soon.raise_noticed()
        soon.alert(Kind.WEBHOOK_FORGED, about="webhook")
        await soon.raise_noticed()
        assert (await the_only_one()).times == 2

    async def test_is_kept_where_the_database_refuses_it_once(self, database: str):
        soon.alert(Kind.WEBHOOK_FORGED, about="webhook")
        with alerts_away(database), pytest.raises(ProgrammingError):
            await soon.raise_noticed()
        soon.alert(Kind.WEBHOOK_FORGED, about="webhook")
        await soon.raise_noticed()
        assert (await the_only_one()).times == 2

    async def test_is_given_up_where_the_database_refuses_it_each_time(self, database: str):
        soon.alert(Kind.WEBHOOK_FORGED, about="webhook")
        with alerts_away(database):
            for _ in range(soon.MOST_TRIES):
                with pytest.raises(ProgrammingError):
                    await soon.raise_noticed()
            await soon.raise_noticed()
        assert (await listed()).shown == []

    async def test_without_anything_noticed_asks_nothing(self):
        await soon.raise_noticed()
        assert (await listed()).shown == []


class TestReading:
    async def test_is_newest_first_and_in_stretches(self):
        for number in range(120):
            await raises(about=f"{number:03}")
        first = await listed()
        second = await listed(before=first.next_before)
        third = await listed(before=second.next_before)
        assert [len(part.shown) for part in (first, second, third)] == [50, 50, 20]
        assert third.next_before is None
        ids = [alert.id for part in (first, second, third) for alert in part.shown]
        assert ids == sorted(set(ids), reverse=True)

    async def test_is_narrowed_down_by_severity_and_standing(self):
        await raises(Kind.WEBHOOK_FORGED, about="high")
        await raises(Kind.AUDIT_BROKEN, entry=7)
        [critical] = (await listed(severity=Severity.CRITICAL)).shown
        assert critical.kind == Kind.AUDIT_BROKEN
        await resolves(await an_admin(), critical.id)
        assert (await listed(severity=Severity.CRITICAL)).shown == []
        [resolved] = (await listed(is_resolved=True, severity=Severity.CRITICAL)).shown
        assert resolved.id == critical.id
        assert (await listed(is_resolved=True, severity=Severity.HIGH)).shown == []

    async def test_counts_what_is_open_by_severity(self):
        await raises(Kind.WEBHOOK_FORGED)
        await raises(Kind.AUDIT_BROKEN, entry=7)
        await raises(Kind.AUDIT_BROKEN, entry=8)
        async with transaction() as session:
            counts = await service.open_by_severity(session)
        assert counts == {
            Severity.CRITICAL: 2,
            Severity.HIGH: 1,
            Severity.MEDIUM: 0,
            Severity.LOW: 0,
        }

    async def test_counts_no_further_than_anybody_reads(self, monkeypatch: pytest.MonkeyPatch):
        monkeypatch.setattr(repository, "MOST_COUNTED", 3)
        for _ in range(5):
            await raises()
        async with transaction() as session:
            assert (await service.open_by_severity(session))[Severity.HIGH] == 3


class TestResolving:
    async def test_says_who_and_when_and_is_written_down(self):
        await raises(about="webhook")
        alert, linnea = await the_only_one(), await an_admin()
        await resolves(linnea, alert.id)
        [resolved] = (await listed(is_resolved=True)).shown
        assert (resolved.resolved_by, resolved.resolved_at) == ("Linnea", NOON)
        async with transaction() as session:
            [line] = (await session.exec(select(AuditEntry))).all()
        assert (line.action, line.about) == ("alert_resolved", f"alert:{alert.id}")
        assert (line.actor_name, line.label) == ("Linnea", alert.description[:120])

    async def test_is_written_down_without_names(self):
        """The alert is forgotten a year later, and with it whose they were: the log never is."""
        await raises(Kind.ADMIN_MADE, name="Maja Storm", by="Linnea")
        alert = await the_only_one()
        await resolves(await an_admin("Anna"), alert.id)
        async with transaction() as session:
            [line] = (await session.exec(select(AuditEntry))).all()
        assert line.label == "… is an admin now, made by …."
        assert alert.description == "Maja Storm is an admin now, made by Linnea."

    async def test_happens_once(self):
        await raises()
        alert = await the_only_one()
        await resolves(await an_admin("Linnea"), alert.id)
        with pytest.raises(rules.ResolvedMeanwhile):
            await resolves(await an_admin("Emil"), alert.id)
        [resolved] = (await listed(is_resolved=True)).shown
        assert resolved.resolved_by == "Linnea"

    async def test_of_what_was_decided_elsewhere_is_done_with_it(self):
        linnea = await an_admin()
        for about in ("account:1", "account:2"):
            await raises(Kind.EARNING_PAUSED, about=about, risk=75)
        async with transaction() as session:
            await service.settle(
                session, Kind.EARNING_PAUSED, about="account:1", by=linnea.user_id, now=NOON
            )
            await service.settle(
                session, Kind.ACCOUNT_SUSPENDED, about="account:2", by=None, now=NOON
            )
        [resolved] = (await listed(is_resolved=True)).shown
        assert (resolved.resolved_by, resolved.resolved_at) == ("Linnea", NOON)
        assert len((await listed()).shown) == 1

    async def test_of_what_never_was_is_refused(self):
        with pytest.raises(rules.UnknownAlert):
            await resolves(await an_admin(), new_id())


class TestAddresses:
    async def test_are_forgotten_90_days_after_it_happened_last(self):
        await raises(about="old", address="192.0.2.7", now=NOON - timedelta(days=91))
        await raises(about="new", address="192.0.2.8", now=NOON - timedelta(days=89))
        async with transaction() as session:
            assert await service.forget_addresses(session, now=NOON) == 1
        known = {alert.ip_address for alert in (await listed()).shown}
        assert known == {"", "192.0.2.8"}
