"""The copy of somebody's data leaves for its owner alone, posted by our own page, once."""

import asyncio
from collections.abc import AsyncIterator, MutableMapping
from datetime import timedelta
from functools import partial
from typing import Any

import httpx
import psycopg
import pytest
from starlette.applications import Starlette

from rewards_app.api import privacy
from rewards_app.core.actor import Actor
from rewards_app.core.caller import digest
from rewards_app.core.clock import utc_now
from rewards_app.core.connections.silence import PATIENCE
from rewards_app.core.database import transaction
from rewards_app.core.errors import TooManyAttempts
from rewards_app.core.settings import settings
from rewards_app.features.accounts import restrictions, sessions
from rewards_app.features.accounts.restriction_rules import Kind
from rewards_app.features.privacy import export_rules, exports, handing
from rewards_app.features.privacy.export_rules import Status
from tests.databases import template_with
from tests.features.privacy.archives import Opened
from tests.people import a_browser, an_account, signed_in

PATH = "/privacy/export"
NOT_FOUND = (404, {"error": "not found"})


class Owner:
    def __init__(self, actor: Actor, secret: str) -> None:
        self.actor = actor
        self.cookie = {"Cookie": f"session={secret}"}
        self.token = ""


async def somebody(name: str) -> Owner:
    account = await an_account(f"{name.lower()}@example.com", name=name, now=utc_now())
    secret = await signed_in(account.id, a_browser(name), now=utc_now())
    actor = await sessions.find_actor(digest(secret), now=utc_now())
    assert actor
    return Owner(actor, secret)


async def with_a_copy(name: str) -> Owner:
    owner = await somebody(name)
    async with transaction() as session:
        await exports.ask(session, owner.actor, now=utc_now())
    with psycopg.connect(settings().database_url) as connection:
        found = connection.execute(
            "select id from data_exports where account_id = %s", (owner.actor.user_id,)
        ).fetchone()
    assert found
    await exports.make(found[0])
    owner.token = exports.token_of(found[0])
    return owner


@pytest.fixture(scope="module")
async def made(postgres: str) -> AsyncIterator[tuple[str, Owner]]:
    """A template with a copy that lies ready, and whose it is: a process made it once for all."""
    async with template_with(postgres, partial(with_a_copy, "Maja")) as found:
        yield found


@pytest.fixture
def template(made: tuple[str, Owner]) -> str:
    return made[0]


@pytest.fixture
def maja(made: tuple[str, Owner], database: str) -> Owner:
    return made[1]


@pytest.fixture
async def http() -> AsyncIterator[httpx.AsyncClient]:
    transport = httpx.ASGITransport(app=Starlette(routes=privacy.ROUTES))
    async with httpx.AsyncClient(transport=transport, base_url="http://app.test") as client:
        yield client


async def fetch(
    http: httpx.AsyncClient, owner: Owner, token: str | None = None, **headers: str
) -> httpx.Response:
    form = {"token": owner.token if token is None else token}
    return await http.post(PATH, data=form, headers=owner.cookie | headers)


def said(answer: httpx.Response) -> tuple[int, object]:
    return answer.status_code, answer.json()


async def status_of(owner: Owner) -> Status:
    async with transaction() as session:
        shown = await exports.newest(session, owner.actor, now=utc_now())
    assert shown
    return shown.status


def pieces(url: str) -> int:
    with psycopg.connect(url) as connection:
        found = connection.execute("select count(*) from data_export_parts").fetchone()
    assert found
    return found[0]


class TestFetching:
    async def test_gives_the_whole_file_to_keep(self, http: httpx.AsyncClient, maja: Owner):
        answer = await fetch(http, maja)
        assert answer.status_code == 200
        assert answer.headers["content-type"] == "application/zip"
        name = export_rules.name_of(utc_now())
        assert answer.headers["content-disposition"] == f'attachment; filename="{name}"'
        assert answer.headers["cache-control"] == "no-store, private"
        assert int(answer.headers["content-length"]) == len(answer.content)
        assert Opened(answer.content).zip.testzip() is None

    async def test_happens_once(self, http: httpx.AsyncClient, maja: Owner, database: str):
        await fetch(http, maja)
        assert said(await fetch(http, maja)) == NOT_FOUND
        assert await status_of(maja) is Status.TAKEN
        assert pieces(database) == 0

    async def test_is_for_the_suspended_too(self, http: httpx.AsyncClient, maja: Owner):
        async with transaction() as session:
            await restrictions.begin(
                session, maja.actor.user_id, Kind.SUSPENDED, "test", by=None, now=utc_now()
            )
        assert (await fetch(http, maja)).status_code == 200


class TestTheLinkOpensNothing:
    async def test_for_somebody_else(self, http: httpx.AsyncClient, maja: Owner):
        otto = await somebody("Otto")
        assert said(await fetch(http, otto, maja.token)) == NOT_FOUND
        assert await status_of(maja) is Status.READY

    async def test_for_somebody_else_who_has_a_copy_too(self, http: httpx.AsyncClient, maja: Owner):
        otto = await with_a_copy("Otto")
        assert said(await fetch(http, otto, maja.token)) == NOT_FOUND
        assert (await fetch(http, otto)).status_code == 200

    async def test_for_who_is_not_signed_in(self, http: httpx.AsyncClient, maja: Owner):
        assert said(await http.post(PATH, data={"token": maja.token})) == NOT_FOUND

    @pytest.mark.parametrize(
        "token", ["", "0" * 64, "g" * 64, "0" * 63, "0" * 10_000, "%00", "' or 1=1 --", "Ж" * 64]
    )
    async def test_when_it_was_guessed(self, http: httpx.AsyncClient, maja: Owner, token: str):
        assert said(await fetch(http, maja, token)) == NOT_FOUND

    async def test_when_it_is_written_otherwise(self, http: httpx.AsyncClient, maja: Owner):
        assert said(await fetch(http, maja, maja.token.upper())) == NOT_FOUND
        assert said(await fetch(http, maja, f"{maja.token} ")) == NOT_FOUND

    async def test_after_seven_days(self, http: httpx.AsyncClient, maja: Owner, database: str):
        with psycopg.connect(database) as connection:
            connection.execute("update data_exports set expires_at = %s", (utc_now(),))
        assert said(await fetch(http, maja)) == NOT_FOUND

    async def test_by_getting_it(self, http: httpx.AsyncClient, maja: Owner):
        answer = await http.get(PATH, params={"token": maja.token}, headers=maja.cookie)
        assert answer.status_code == 405
        assert await status_of(maja) is Status.READY

    @pytest.mark.parametrize(
        "headers",
        [
            {"Origin": "https://evil.example"},
            {"Sec-Fetch-Site": "cross-site"},
            {"Sec-Fetch-Site": "same-site"},
            {"Origin": "null", "Sec-Fetch-Site": "cross-site"},
        ],
        ids=["origin", "cross-site", "same-site", "hidden"],
    )
    async def test_from_another_page(
        self, http: httpx.AsyncClient, maja: Owner, headers: dict[str, str]
    ):
        assert said(await fetch(http, maja, **headers)) == NOT_FOUND
        assert await status_of(maja) is Status.READY

    async def test_when_the_session_has_ended(self, http: httpx.AsyncClient, maja: Owner):
        async with transaction() as session:
            await sessions.end_all(session, maja.actor.user_id, now=utc_now())
        assert said(await fetch(http, maja)) == NOT_FOUND

    async def test_after_too_many_tries(self, http: httpx.AsyncClient, maja: Owner):
        answers = [await fetch(http, maja, "0" * 64) for _ in range(25)]
        assert {answer.status_code for answer in answers} == {404, 429}
        assert (await fetch(http, maja)).status_code == 429


class TestTransfers:
    async def test_that_break_off_may_be_repeated(self, http: httpx.AsyncClient, maja: Owner):
        leaving = await handing.begin(maja.actor, maja.token, now=utc_now())
        sent = leaving.pieces()
        await anext(sent)
        await sent.aclose()
        await leaving.end()
        assert await status_of(maja) is Status.READY
        assert (await fetch(http, maja)).status_code == 200

    async def test_give_up_a_database_that_is_gone_without_a_word(self, maja: Owner):
        leaving = await handing.begin(maja.actor, maja.token, now=utc_now())
        known = leaving.connection.info.get_parameters()
        assert {name: known.get(name) for name in PATIENCE} == {
            name: str(value) for name, value in PATIENCE.items()
        }
        await leaving.end()

    async def test_wait_for_one_another(self, http: httpx.AsyncClient, maja: Owner):
        leaving = await handing.begin(maja.actor, maja.token, now=utc_now())
        second = asyncio.create_task(fetch(http, maja))
        await asyncio.sleep(0.3)
        assert not second.done()
        assert b"".join([piece async for piece in leaving.pieces()])
        await leaving.note_taken()
        await leaving.end()
        assert said(await second) == NOT_FOUND

    async def test_that_the_browser_hangs_up_on_are_no_taking(self, maja: Owner):
        """Before anything has left."""

        async def receive() -> dict[str, object]:
            return {"type": "http.disconnect"}

        async def send(message: object) -> None:
            await asyncio.sleep(0)

        leaving = await handing.begin(maja.actor, maja.token, now=utc_now())
        await privacy.Leaving(leaving)({"type": "http"}, receive, send)
        assert await status_of(maja) is Status.READY

    async def test_that_are_whole_count_though_the_browser_hangs_up_at_once(self, maja: Owner):
        has_all = asyncio.Event()

        async def receive() -> dict[str, object]:
            await has_all.wait()
            return {"type": "http.disconnect"}

        async def send(message: MutableMapping[str, Any]) -> None:
            if message.get("body"):
                has_all.set()
                await asyncio.sleep(0.05)

        leaving = await handing.begin(maja.actor, maja.token, now=utc_now())
        await privacy.Leaving(leaving)({"type": "http"}, receive, send)
        assert await status_of(maja) is Status.TAKEN

    async def test_go_on_where_the_first_broke_off(self, http: httpx.AsyncClient, maja: Owner):
        leaving = await handing.begin(maja.actor, maja.token, now=utc_now())
        second = asyncio.create_task(fetch(http, maja))
        await asyncio.sleep(0.3)
        await leaving.end()
        assert (await second).status_code == 200

    async def test_do_not_wait_for_ever(
        self, http: httpx.AsyncClient, maja: Owner, monkeypatch: pytest.MonkeyPatch
    ):
        monkeypatch.setattr(handing, "WAITING", "-c lock_timeout=200ms")
        leaving = await handing.begin(maja.actor, maja.token, now=utc_now())
        assert (await fetch(http, maja)).status_code == 409
        await leaving.end()

    async def test_of_ten_at_once_one_gets_it(self, http: httpx.AsyncClient, maja: Owner):
        answers = await asyncio.gather(*(fetch(http, maja) for _ in range(10)))
        assert sorted(answer.status_code for answer in answers) == [200] + [404] * 9

    async def test_leave_no_connection_behind(
        self, http: httpx.AsyncClient, maja: Owner, database: str
    ):
        await fetch(http, maja)
        waiting = """select count(*) from pg_locks where locktype = 'advisory'
            and database = (select oid from pg_database where datname = current_database())"""
        with psycopg.connect(database, autocommit=True) as connection:
            # PostgreSQL lets go of it once it has noticed; that takes a moment, and no more.
            async with asyncio.timeout(10):
                while connection.execute(waiting).fetchone() != (0,):
                    await asyncio.sleep(0.01)


class TestWhatKeptItFromComing:
    async def test_is_another_window_that_gets_it(self, maja: Owner):
        leaving = await handing.begin(maja.actor, maja.token, now=utc_now())
        with pytest.raises(export_rules.ExportIsBeingTaken):
            await handing.explain(maja.actor, maja.token, now=utc_now())
        await leaving.end()

    async def test_is_its_way_while_it_lies_ready(self, http: httpx.AsyncClient, maja: Owner):
        with pytest.raises(export_rules.ExportDidNotCome):
            await handing.explain(maja.actor, maja.token, now=utc_now())
        assert (await fetch(http, maja)).status_code == 200

    async def test_is_said_to_its_owner_alone(self, maja: Owner):
        otto = await somebody("Otto")
        with pytest.raises(export_rules.UnknownExport):
            await handing.explain(otto.actor, maja.token, now=utc_now())

    async def test_is_that_it_was_fetched(self, http: httpx.AsyncClient, maja: Owner):
        await fetch(http, maja)
        with pytest.raises(export_rules.UnknownExport):
            await handing.explain(maja.actor, maja.token, now=utc_now())

    async def test_is_that_it_was_tried_too_often(self, http: httpx.AsyncClient, maja: Owner):
        for _ in range(20):
            await fetch(http, maja, "0" * 64)
        with pytest.raises(TooManyAttempts):
            await handing.explain(maja.actor, maja.token, now=utc_now())

    async def test_costs_no_try(self, http: httpx.AsyncClient, maja: Owner):
        for _ in range(25):
            with pytest.raises(export_rules.ExportDidNotCome):
                await handing.explain(maja.actor, maja.token, now=utc_now())
        assert (await fetch(http, maja)).status_code == 200


class TestAfterSevenDays:
    async def test_the_last_second_still_counts(self, maja: Owner):
        async with transaction() as session:
            shown = await exports.newest(session, maja.actor, now=utc_now())
        assert shown
        ends = shown.expires_at
        assert ends
        leaving = await handing.begin(maja.actor, maja.token, now=ends - timedelta(seconds=1))
        await leaving.end()
        with pytest.raises(export_rules.UnknownExport):
            await handing.begin(maja.actor, maja.token, now=ends)
