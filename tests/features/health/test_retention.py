"""What is kept for a time only is forgotten a day after that time, and not a day before."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

import psycopg
import pytest

from rewards_app.core import forgetting
from rewards_app.core.ids import id_at, new_id
from rewards_app.features.accounts import retention as accounts
from rewards_app.features.ads import retention as ads
from rewards_app.features.alerts import retention as alerts
from rewards_app.features.arrivals import retention as arrivals
from rewards_app.features.forum import retention as forum
from rewards_app.features.health import retention as health
from rewards_app.features.payments import retention as payments
from rewards_app.features.signals import retention as signals
from tests.ads import an_ad, the_player

NOW = datetime(2026, 3, 14, 12, tzinfo=UTC)
DAY = timedelta(days=1)
A_YEAR = timedelta(days=365)
Made = Callable[["House", datetime], None]
Forget = Callable[..., Awaitable[Mapping[str, int] | int]]


@dataclass
class House:
    """A database with one player and an ad."""

    url: str
    maja: UUID
    ad: UUID

    def run(self, query: str, *values: Any) -> list[tuple[Any, ...]]:
        with psycopg.connect(self.url) as connection:
            found = connection.execute(query, values)  # pyright: ignore[reportArgumentType]
            return found.fetchall() if found.description else []

    def count(self, what: str) -> int:
        return self.run(f"select count(*) from {what}")[0][0]


@pytest.fixture
async def house(database: str) -> House:
    maja, ad = (await the_player("Maja")).user_id, (await an_ad()).id
    made = House(database, maja, ad)
    for table in ("account_sessions", "email_links", "sign_in_tickets"):
        made.run(f"delete from {table}")
    return made


def a_session(house: House, at: datetime, *, ended: bool = True) -> None:
    house.run(
        "insert into account_sessions (id, account_id, token_hash, created_at, last_active_at,"
        " ended_at, user_agent, place_hash, place_before_hash)"
        " values (%s, %s, %s, %s, %s, %s, '', '', '')",
        *(id_at(at), house.maja, new_id().hex, at, at, at if ended else None),
    )


def a_session_never_ended(house: House, at: datetime) -> None:
    a_session(house, at, ended=False)


def a_restriction(house: House, at: datetime) -> None:
    house.run(
        "insert into account_restrictions (id, account_id, kind, reason, is_automatic, begun_at,"
        " ended_at, end_reason) values (%s, %s, 'suspended', 'r', false, %s, %s, 'over')",
        *(new_id(), house.maja, at - DAY, at),
    )


def a_link(house: House, at: datetime) -> None:
    house.run(
        "insert into email_links (token_hash, account_id, purpose, created_at, expires_at)"
        " values (%s, %s, 'verify', %s, %s)",
        *(new_id().hex, house.maja, at, at),
    )


def a_ticket(house: House, at: datetime) -> None:
    house.run(
        "insert into sign_in_tickets values (%s, %s, 'door', false, %s)",
        *(new_id().hex, house.maja, at),
    )


def a_step(house: House, at: datetime) -> None:
    house.run(
        "insert into sign_in_steps (token_hash, account_id, door_hash, may_log_address,"
        " has_factor, expires_at) values (%s, %s, 'door', false, true, %s)",
        *(new_id().hex, house.maja, at),
    )


def a_challenge(house: House, at: datetime) -> None:
    house.run(
        "insert into passkey_challenges (id, account_id, purpose, challenge, expires_at)"
        " values (%s, %s, 'sign_in', 'c', %s)",
        *(new_id(), house.maja, at),
    )


def a_signal(house: House, at: datetime) -> None:
    house.run(
        "insert into fraud_signals (id, account_id, rule, risk_score, patterns, action_taken,"
        " evidence, created_at) values (%s, %s, 'r', 1, '{}', 'none', '{}', %s)",
        *(new_id(), house.maja, at),
    )


def a_device(house: House, at: datetime) -> None:
    house.run(
        "insert into device_uses values (%s, %s, %s, %s)", new_id().hex, house.maja, LONG_AGO, at
    )


def an_alert(house: House, at: datetime) -> None:
    house.run(
        "insert into security_alerts (id, severity, alert_type, description, params, about, times,"
        " last_at, resolved, resolved_at, created_at)"
        " values (%s, 'low', 't', 'd', '{}', '', 1, %s, true, %s, %s)",
        *(new_id(), at, at, at),
    )


def a_draft(house: House, at: datetime) -> None:
    house.run("delete from forum_drafts")
    house.run(
        "insert into forum_drafts (id, account_id, category, title, content, updated_at)"
        " values (%s, %s, '', 't', 'c', %s)",
        *(new_id(), house.maja, at),
    )


def a_test_checkout(house: House, at: datetime) -> None:
    house.run(
        "insert into test_checkouts (id, payment_id, account_id, description, amount, currency,"
        " status, returned, expires_at, created_at)"
        " values (%s, %s, %s, 'd', 100, 'sek', 'expired', 0, %s, %s)",
        *(new_id().hex, new_id(), house.maja, at, at),
    )


def a_run(house: House, at: datetime) -> None:
    house.run(
        "insert into job_runs (id, job, started_at, error, did) values (%s, 'j', %s, '', '{}')",
        *(new_id(), at),
    )


def a_presence(house: House, at: datetime) -> None:
    house.run("insert into presence values (%s, %s, %s)", new_id(), house.maja, at)


def a_failed_job(house: House, at: datetime) -> None:
    house.run(
        "insert into procrastinate_jobs (queue_name, task_name) values ('default', 'send_mail')"
    )
    for status in ("doing", "failed"):
        house.run("update procrastinate_jobs set status = %s", status)
    house.run("update procrastinate_events set at = %s", at)


def an_arrival(house: House, at: datetime) -> None:
    house.run(
        "insert into arrival_days (day, source, medium, campaign, visits, sign_ups)"
        " values (%s, 'news', '', '', 1, 0)",
        at.date(),
    )


LONG_AGO = datetime(2020, 1, 1, tzinfo=UTC)
KEPT: dict[str, tuple[str, Made, Forget, timedelta]] = {
    "sessions": ("account_sessions", a_session, accounts.forget_activity, A_YEAR),
    "idle": ("account_sessions", a_session_never_ended, accounts.forget_activity, A_YEAR),
    "restrictions": ("account_restrictions", a_restriction, accounts.forget_activity, A_YEAR),
    "links": ("email_links", a_link, accounts.forget_expired, timedelta(days=7)),
    "tickets": ("sign_in_tickets", a_ticket, accounts.forget_expired, timedelta(0)),
    "steps": ("sign_in_steps", a_step, accounts.forget_expired, timedelta(0)),
    "challenges": ("passkey_challenges", a_challenge, accounts.forget_expired, timedelta(0)),
    "arrivals": ("arrival_days", an_arrival, arrivals.forget_old, A_YEAR),
    "signals": ("fraud_signals", a_signal, signals.forget_old, A_YEAR),
    "devices": ("device_uses", a_device, signals.forget_old, A_YEAR),
    "alerts": ("security_alerts", an_alert, alerts.forget_resolved, A_YEAR),
    "drafts": ("forum_drafts", a_draft, forum.forget_drafts, A_YEAR),
    "test checkouts": ("test_checkouts", a_test_checkout, payments.forget_test_checkouts, A_YEAR),
    "runs": ("job_runs", a_run, health.forget_old, timedelta(days=90)),
    "presence": ("presence", a_presence, health.forget_old, DAY),
    "failed jobs": ("procrastinate_jobs", a_failed_job, health.forget_old, timedelta(days=30)),
}
each = pytest.mark.parametrize("name", KEPT)


@each
class TestWhatIsKeptForATime:
    async def test_is_there_a_day_before_its_time_is_over(self, house: House, name: str):
        table, make, forget, kept = KEPT[name]
        make(house, NOW - kept + DAY)
        await forget(now=NOW)
        assert house.count(table) == 1

    async def test_is_gone_a_day_after(self, house: House, name: str):
        table, make, forget, kept = KEPT[name]
        make(house, NOW - kept - DAY)
        found = await forget(now=NOW)
        assert house.count(table) == 0
        assert (found if isinstance(found, int) else sum(found.values())) == 1
        # Again it finds nothing.
        again = await forget(now=NOW)
        assert not (again if isinstance(again, int) else sum(again.values()))


class TestMany:
    async def test_go_in_batches(self, house: House, monkeypatch):
        monkeypatch.setattr(forgetting, "AT_ONCE", 10)
        for _ in range(25):
            a_signal(house, NOW - A_YEAR - DAY)
        a_signal(house, NOW)
        assert (await signals.forget_old(now=NOW))["signals"] == 25
        assert house.count("fraud_signals") == 1

    async def test_go_once_with_two_workers(self, house: House, monkeypatch):
        monkeypatch.setattr(forgetting, "AT_ONCE", 10)
        for _ in range(25):
            a_device(house, NOW - A_YEAR - DAY)
        found = await asyncio.gather(*(signals.forget_old(now=NOW) for _ in range(2)))
        assert sum(one["devices"] for one in found) == 25
        assert house.count("device_uses") == 0


class TestWhatStays:
    async def test_a_session_that_is_used(self, house: House):
        begun = NOW - A_YEAR - DAY
        a_session(house, begun, ended=False)
        house.run("update account_sessions set last_active_at = %s", NOW)
        await accounts.forget_activity(now=NOW)
        assert house.count("account_sessions") == 1

    async def test_a_restriction_that_is_in_force(self, house: House):
        a_restriction(house, NOW - 3 * A_YEAR)
        house.run("update account_restrictions set ended_at = null, end_reason = ''")
        await accounts.forget_activity(now=NOW)
        assert house.count("account_restrictions") == 1

    async def test_a_restriction_that_an_open_appeal_is_about(self, house: House):
        a_restriction(house, NOW - 3 * A_YEAR)
        house.run(
            "insert into support_tickets (id, account_id, subject, message, about, status,"
            " created_at) select %s, account_id, 's', 'm', 'restriction:' || id, 'open', %s"
            " from account_restrictions",
            *(new_id(), NOW),
        )
        await accounts.forget_activity(now=NOW)
        assert house.count("account_restrictions") == 1

    async def test_an_alert_that_is_open(self, house: House):
        an_alert(house, NOW - 3 * A_YEAR)
        house.run("update security_alerts set resolved = false, resolved_at = null")
        assert await alerts.forget_resolved(now=NOW) == 0

    async def test_a_job_that_waits(self, house: House):
        a_failed_job(house, NOW - A_YEAR)
        house.run("update procrastinate_jobs set status = 'todo'")
        assert (await health.forget_old(now=NOW))["failed"] == 0


def a_view(house: House, at: datetime) -> None:
    house.run(
        "insert into ad_views (id, account_id, ad_id, status, started_at, required_seconds,"
        " reward_coins, expires_at, paused_ms, ended_at, client_seconds, tab_hash, device_hash,"
        " day, price, holds_place, invalid_reason)"
        " values (%s, %s, %s, 'expired', %s, 5, 15, %s, 0, %s, 5, 'tab', 'device', %s, 0, false,"
        " '')",
        *(id_at(at), house.maja, house.ad, at, at, at, at.date()),
    )


@pytest.mark.usefixtures("spoilt_books")
class TestTheTracesOfAView:
    """Views of a day of which no figures are kept here."""

    @pytest.mark.parametrize(("ago", "left"), [(A_YEAR - DAY, 1), (A_YEAR + DAY, 0)])
    async def test_are_forgotten_and_the_view_stays(self, house: House, ago: timedelta, left: int):
        a_view(house, NOW - ago)
        assert await ads.forget_traces(now=NOW) == 1 - left
        assert house.count("ad_views") == 1
        assert house.count("ad_views where tab_hash <> '' or device_hash <> ''") == left
        assert house.count("ad_views where client_seconds is not null") == left

    async def test_of_many_are_forgotten_in_batches(self, house: House, monkeypatch):
        monkeypatch.setattr(forgetting, "AT_ONCE", 2)
        for number in range(5):
            a_view(house, NOW - A_YEAR - DAY - timedelta(minutes=number))
        assert await ads.forget_traces(now=NOW) == 5
        assert house.count("ad_views where tab_hash <> '' or device_hash <> ''") == 0

    async def test_that_are_older_are_forgotten_with_the_month(self, house: House):
        a_view(house, NOW - A_YEAR - 40 * DAY)
        assert await ads.forget_traces(now=NOW) == 0
        assert await ads.forget_traces(now=datetime(2026, 4, 1, tzinfo=UTC)) == 1
