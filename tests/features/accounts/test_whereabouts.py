"""Where sessions are used: theft becomes an alert, what people do all day does not."""

from collections.abc import Callable, Generator, Iterator
from contextlib import AbstractContextManager, contextmanager
from uuid import UUID

import psycopg
import pytest
from sqlalchemy.exc import DBAPIError
from sqlmodel import col, select

from rewards_app.core.actor import Actor
from rewards_app.core.caller import Caller, digest
from rewards_app.core.clock import utc_now
from rewards_app.core.database import transaction
from rewards_app.core.errors import StorageAway
from rewards_app.features.accounts import sessions, whereabouts
from rewards_app.features.alerts import service as alerts
from rewards_app.features.alerts.service import Alert
from rewards_app.models import AccountSession
from tests.features.accounts.test_place_rules import FIREFOX, NEWER, PIXEL, WINDOWS
from tests.people import a_browser, an_account
from tests.queued import cut_off_once

pytestmark = pytest.mark.usefixtures("database")

HOME, CAFE, FAR_AWAY = "203.0.113.7", "198.51.100.23", "192.0.2.99"
HOME_BY_6 = "2001:db8:7::1"


@pytest.fixture(autouse=True)
def nobody_known() -> Iterator[None]:
    whereabouts.forget()
    yield
    whereabouts.forget()


async def maja_signs_in(user_agent: str = WINDOWS, *, may_log_address: bool = False) -> Actor:
    account = await an_account(now=utc_now())
    browser = a_browser(user_agent=user_agent, address=HOME)
    async with transaction() as session:
        ticket = await sessions.issue_ticket(
            session, account.id, browser, may_log_address=may_log_address, now=utc_now()
        )
    async with transaction() as session:
        secret = await sessions.redeem_ticket(session, ticket, browser, now=utc_now())
    assert secret
    actor = await sessions.find_actor(digest(secret), now=utc_now())
    assert actor
    return actor


def from_(address: str, socket: str = "", user_agent: str = WINDOWS) -> Caller:
    return Caller(socket=socket or f"socket at {address}", address=address, user_agent=user_agent)


async def is_used(actor: Actor, *callers: Caller, looks_each_time: bool = True) -> None:
    for caller in callers:
        whereabouts.note(actor, caller)
        if looks_each_time:
            await whereabouts.look_once()
    await whereabouts.look_once()


async def raised() -> list[Alert]:
    async with transaction() as session:
        return list((await alerts.newest(session)).shown)


async def kept_of(session_id: UUID) -> AccountSession:
    async with transaction() as session:
        found = await session.exec(
            select(AccountSession).where(col(AccountSession.id) == session_id)
        )
        return found.one()


@contextmanager
def finds_no_alerts(database: str) -> Generator[None]:
    with psycopg.connect(database, autocommit=True) as connection:
        connection.execute("alter table security_alerts rename to alerts_away")
        yield
        connection.execute("alter table alerts_away rename to security_alerts")


@contextmanager
def loses_the_connection(database: str) -> Generator[None]:
    cut_off_once(database, "update on account_sessions")
    yield


Failure = Callable[[str], AbstractContextManager[None]]


class TestAStolenCookie:
    async def test_in_another_browser_is_noticed_at_once(self):
        maja = await maja_signs_in()
        await is_used(maja, from_(HOME), from_(FAR_AWAY, user_agent=FIREFOX))
        [alert] = await raised()
        assert (alert.kind, alert.account_id) == ("session_in_two_places", maja.user_id)
        assert alert.params == {
            "first": "Chrome, Windows",
            "second": "Firefox, Windows, 192.0.2.0/24",
        }

    async def test_in_the_same_browser_elsewhere_is_noticed_when_its_owner_goes_on(self):
        maja = await maja_signs_in()
        await is_used(maja, from_(HOME), from_(FAR_AWAY))
        assert await raised() == []
        await is_used(maja, from_(HOME))
        [alert] = await raised()
        assert alert.params == {
            "first": "Chrome, Windows, 192.0.2.0/24",
            "second": "Chrome, Windows, 203.0.113.0/24",
        }

    async def test_is_noticed_when_all_of_it_happens_between_two_looks(self):
        maja = await maja_signs_in()
        await is_used(maja, from_(HOME))
        await is_used(maja, from_(FAR_AWAY), from_(HOME), looks_each_time=False)
        assert len(await raised()) == 1

    async def test_is_noticed_by_another_worker(self):
        """Each worker remembers for itself; the session's row is what they share."""
        maja, known = await maja_signs_in(), whereabouts._connections
        await is_used(maja, from_(HOME))
        owners = dict(known)
        whereabouts.forget()
        await is_used(maja, from_(FAR_AWAY))
        whereabouts.forget()
        known.update(owners)
        await is_used(maja, from_(HOME))
        [alert] = await raised()
        assert alert.params["first"] == "?"

    async def test_is_one_alert_however_often_both_go_on(self):
        maja = await maja_signs_in()
        for _ in range(5):
            await is_used(maja, from_(HOME), from_(FAR_AWAY))
        [alert] = await raised()
        assert alert.times == 8

    async def test_by_the_other_kind_of_address_and_browser_is_noticed_too(self):
        maja = await maja_signs_in()
        await is_used(maja, from_(HOME), from_(HOME_BY_6, user_agent=FIREFOX))
        assert len(await raised()) == 1

    @pytest.mark.parametrize("failure", [loses_the_connection, finds_no_alerts])
    async def test_is_noticed_although_the_first_look_fails(self, database: str, failure: Failure):
        maja = await maja_signs_in()
        await is_used(maja, from_(HOME))
        whereabouts.note(maja, from_(FAR_AWAY, user_agent=FIREFOX))
        with failure(database), pytest.raises((DBAPIError, StorageAway)):
            await whereabouts.look_once()
        await whereabouts.look_once()
        assert [alert.times for alert in await raised()] == [1]

    async def test_is_given_up_where_each_look_fails(self, database: str):
        maja = await maja_signs_in()
        await is_used(maja, from_(HOME))
        whereabouts.note(maja, from_(FAR_AWAY, user_agent=FIREFOX))
        with finds_no_alerts(database):
            for _ in range(whereabouts.MOST_TRIES):
                with pytest.raises(DBAPIError):
                    await whereabouts.look_once()
            await whereabouts.look_once()
        assert await raised() == []

    async def test_names_an_address_only_where_its_owner_lets_us_note_it(self):
        maja = await maja_signs_in(may_log_address=True)
        await is_used(maja, from_(HOME), from_(FAR_AWAY, user_agent=FIREFOX))
        assert [alert.ip_address for alert in await raised()] == [FAR_AWAY]

    async def test_names_none_once_its_owner_has_taken_that_back(self):
        maja = await maja_signs_in(may_log_address=True)
        await sessions.forget_address(maja)
        await is_used(maja, from_(HOME), from_(FAR_AWAY, user_agent=FIREFOX))
        assert [alert.ip_address for alert in await raised()] == [""]

    async def test_names_none_otherwise(self):
        maja = await maja_signs_in()
        await is_used(maja, from_(HOME), from_(FAR_AWAY, user_agent=FIREFOX))
        assert [alert.ip_address for alert in await raised()] == [""]


class TestAnHonestPlayer:
    @pytest.mark.parametrize(
        "day",
        [
            pytest.param([from_(HOME), from_(CAFE)], id="goes to a café"),
            pytest.param(
                [from_(HOME, "1"), from_(CAFE, "2"), from_(HOME, "3"), from_(CAFE, "4")],
                id="loses the network at the door again and again",
            ),
            pytest.param(
                [from_(HOME, "1"), from_(HOME_BY_6, "2"), from_(HOME, "1")],
                id="has addresses of both kinds",
            ),
            pytest.param([from_(HOME, "1"), from_(HOME, "2", NEWER)], id="updates the browser"),
            pytest.param([from_(HOME, "1"), from_(HOME, "2"), from_(HOME, "1")], id="has tabs"),
        ],
    )
    async def test_is_no_alert(self, day: list[Caller]):
        await is_used(await maja_signs_in(), *day)
        assert await raised() == []

    async def test_with_two_phones_has_two_sessions(self):
        maja, other = await maja_signs_in(), a_browser(user_agent=PIXEL, address=CAFE)
        async with transaction() as session:
            ticket = await sessions.issue_ticket(
                session, maja.user_id, other, may_log_address=False, now=utc_now()
            )
        async with transaction() as session:
            secret = await sessions.redeem_ticket(session, ticket, other, now=utc_now())
        on_phone = await sessions.find_actor(digest(secret or ""), now=utc_now())
        assert on_phone
        await is_used(maja, from_(HOME))
        await is_used(on_phone, from_(CAFE, user_agent=PIXEL))
        await is_used(maja, from_(HOME))
        assert await raised() == []


class TestWhatIsKept:
    async def test_says_nobody_where_it_was(self):
        maja = await maja_signs_in()
        await is_used(maja, from_(HOME), from_(CAFE))
        kept = await kept_of(maja.session_id)
        assert len({kept.place_hash, kept.place_before_hash}) == 2
        assert all(len(mark) == 64 for mark in (kept.place_hash, kept.place_before_hash))
        assert kept.ip_address is None

    async def test_of_an_ended_session_is_nothing_new(self):
        maja = await maja_signs_in()
        async with transaction() as session:
            await sessions.end_all(session, maja.user_id, now=utc_now())
        await is_used(maja, from_(FAR_AWAY, user_agent=FIREFOX))
        assert await raised() == []
        assert (await kept_of(maja.session_id)).place_hash == ""

    async def test_in_memory_is_bounded(self, monkeypatch: pytest.MonkeyPatch):
        monkeypatch.setattr(whereabouts, "MOST_REMEMBERED", 10)
        maja = await maja_signs_in()
        for number in range(50):
            whereabouts.note(maja, from_(f"10.0.{number}.1"))
        assert len(whereabouts._connections) == 10
