"""The waitlist leaves over HTTP with admins alone, and that it did stays."""

import csv
from collections.abc import AsyncIterator

import httpx
import pytest
from starlette.applications import Starlette

from rewards_app.api import waitlist
from rewards_app.core.actor import Role
from rewards_app.core.clock import utc_now
from rewards_app.core.database import rows, transaction
from rewards_app.core.errors import StorageAway
from rewards_app.features.accounts import restrictions
from rewards_app.features.accounts.restriction_rules import Kind
from rewards_app.features.ads.days import platform_day
from rewards_app.features.waitlist import service
from tests.people import a_browser, an_account, signed_in
from tests.states import failing
from tests.waitlist import people_wait, somebody_waits

PATH = "/exports/waitlist.csv"


@pytest.fixture
async def http(database: str) -> AsyncIterator[httpx.AsyncClient]:
    transport = httpx.ASGITransport(app=Starlette(routes=waitlist.ROUTES))
    async with httpx.AsyncClient(transport=transport, base_url="http://app.test") as client:
        yield client


async def somebody(role: Role) -> tuple[dict[str, str], object]:
    """The cookie of somebody who is signed in, and their account's id."""
    account = await an_account(f"{role}@example.com", role, name="Linnea", now=utc_now())
    secret = await signed_in(account.id, a_browser(role.value), now=utc_now())
    return {"Cookie": f"session={secret}"}, account.id


async def exports() -> list[tuple[str, str]]:
    async with transaction() as session:
        query = "select action, actor_name from audit_entries"
        return [tuple(row) for row in await rows(session, query, {})]  # pyright: ignore


class TestTheSheet:
    async def test_of_an_admin_has_everybody_and_its_name_and_leaves_a_trail(self, http, noon):
        people = await people_wait(3)
        await somebody_waits("=1+1@example.com", notified=True)
        cookie, _ = await somebody(Role.ADMIN)
        answer = await http.get(PATH, headers=cookie)
        assert answer.status_code == 200
        assert answer.headers["content-type"] == "text/csv; charset=utf-8"
        assert answer.headers["cache-control"] == "no-store, private"
        name = f'attachment; filename="waitlist-{platform_day(utc_now())}.csv"'
        assert answer.headers["content-disposition"] == name
        lines = list(csv.DictReader(answer.content.decode("utf-8-sig").splitlines()))
        assert {line["Email"] for line in lines} == {
            *(one.email for one in people),
            "'=1+1@example.com",
        }
        assert {line["Notifierad"] for line in lines} == {"Ja", "Nej"}
        assert await exports() == [("waitlist_exported", "Linnea")]

    async def test_whose_first_lines_cannot_be_read_is_refused(self, http, monkeypatch):
        cookie, _ = await somebody(Role.ADMIN)
        monkeypatch.setattr(service.repository, "newest", failing(StorageAway))
        answer = await http.get(PATH, headers=cookie)
        assert (answer.status_code, answer.json()) == (503, {"error": StorageAway.code})

    async def test_is_written_twenty_times_a_minute_at_most(self, http):
        cookie, _ = await somebody(Role.ADMIN)
        answers = [(await http.get(PATH, headers=cookie)).status_code for _ in range(22)]
        assert answers == [200] * 20 + [429] * 2
        assert len(await exports()) == 20


class TestEverybodyElse:
    async def test_finds_nothing_and_leaves_no_trail(self, http):
        await somebody_waits()
        for headers in ({}, {"Cookie": "session=made-up"}):
            answer = await http.get(PATH, headers=headers)
            assert (answer.status_code, answer.json()) == (404, {"error": "not found"})
        for role in (Role.PLAYER, Role.MODERATOR, Role.COMPANY):
            cookie, _ = await somebody(role)
            assert (await http.get(PATH, headers=cookie)).status_code == 404
        assert await exports() == []

    async def test_who_is_suspended_finds_nothing(self, http):
        cookie, account_id = await somebody(Role.ADMIN)
        async with transaction() as session:
            await restrictions.begin(
                session, account_id, Kind.SUSPENDED, "Out of office", by=None, now=utc_now()
            )
        answer = await http.get(PATH, headers=cookie)
        assert answer.status_code == 404

    async def test_writes_to_nothing(self, http):
        cookie, _ = await somebody(Role.ADMIN)
        for method in ("POST", "PUT", "DELETE"):
            assert (await http.request(method, PATH, headers=cookie)).status_code == 405
