"""Figures leave over HTTP for those who may see them alone: each company's own, admins all."""

import csv
from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from uuid import uuid4

import httpx
import pytest
import time_machine
from starlette.applications import Starlette

from rewards_app.api import audit as audit_routes
from rewards_app.api import exports
from rewards_app.core.actor import Role
from rewards_app.core.clock import utc_now
from rewards_app.core.database import transaction
from rewards_app.core.errors import StorageAway, StorageFull
from rewards_app.core.settings import settings
from rewards_app.features.accounts import repository
from rewards_app.features.ads.days import platform_day
from rewards_app.features.advertiser import figures
from rewards_app.features.advertiser.figure_rules import Figures, Period
from rewards_app.features.advertiser.membership import EVERYTHING, Scope
from rewards_app.features.audit import log
from rewards_app.features.audit import service as audit
from rewards_app.features.audit.service import Action
from rewards_app.models import Ad, AdCampaign, Advertiser, AdvertiserMember
from tests.ads import a_campaign, an_ad, an_advertiser
from tests.figures import came_of
from tests.measures import suspends_by_itself
from tests.people import a_browser, an_account, signed_in
from tests.states import failing

PATH = "/exports/analytics.csv"
DAY = timedelta(days=1)


@pytest.fixture
async def http() -> AsyncIterator[httpx.AsyncClient]:
    transport = httpx.ASGITransport(app=Starlette(routes=exports.ROUTES + audit_routes.ROUTES))
    async with httpx.AsyncClient(transport=transport, base_url="http://app.test") as client:
        yield client


async def somebody(
    name: str, role: Role = Role.PLAYER, acts_for: Advertiser | None = None
) -> dict[str, str]:
    """The cookie of somebody who is signed in."""
    account = await an_account(f"{name.lower()}@example.com", role, name=name, now=utc_now())
    if acts_for:
        async with transaction() as session:
            session.add(AdvertiserMember(account_id=account.id, advertiser_id=acts_for.id))
    secret = await signed_in(account.id, a_browser(name), now=utc_now())
    return {"Cookie": f"session={secret}"}


@pytest.fixture
async def fjord(database: str) -> Advertiser:
    return await an_advertiser("Fjord Audio")


@pytest.fixture
async def ads(noon: None, fjord: Advertiser) -> list[Ad]:
    """One of the company's, and one of another."""
    own = await an_ad(await a_campaign(fjord, budget_cents=99_999), title="=Fjord")
    other = await an_ad(await a_campaign(await an_advertiser("Rival"), budget_cents=2500))
    today = platform_day(utc_now())
    for ago in (0, 6, 7, 29, 30, 300):
        await came_of(
            own, today - ago * DAY, impressions=5, completions=ago % 4, refused=2, clicks=1
        )
        await came_of(other, today - ago * DAY, impressions=9, completions=2, clicks=3)
    return [own, other]


def rows_of(answer: httpx.Response) -> list[dict[str, str]]:
    assert answer.status_code == 200, answer.text
    return list(csv.DictReader(answer.content.decode("utf-8-sig").splitlines()))


def sum_of(rows: list[dict[str, str]]) -> Figures:
    return Figures(
        sum(int(row["impressions"]) for row in rows),
        sum(int(row["completed_views"]) for row in rows),
        sum(int(row["clicks"]) for row in rows),
        int(sum(Decimal(row["spend_usd"]) for row in rows) * 100_000),
        sum(int(row["refused_views"]) for row in rows),
    )


async def shown(scope: Scope, period: Period) -> Figures:
    async with transaction() as session:
        return (await figures.analytics(session, scope, period, now=utc_now())).now


class TestTheSheet:
    async def test_adds_up_to_what_the_page_shows(self, http, ads, fjord: Advertiser):
        cookie = await somebody("Astrid", Role.COMPANY, fjord)
        for period in Period:
            rows = rows_of(await http.get(PATH, params={"period": period}, headers=cookie))
            assert sum_of(rows) == await shown(Scope(fjord.id), period)
            assert {row["ad"] for row in rows} == {"'=Fjord"}
            assert "company" not in rows[0]

    async def test_of_an_admin_has_every_company(self, http, ads):
        cookie = await somebody("Ada", Role.ADMIN)
        rows = rows_of(await http.get(PATH, params={"period": "1y"}, headers=cookie))
        assert sum_of(rows) == await shown(EVERYTHING, Period.YEAR)
        assert {row["company"] for row in rows} == {"Fjord Audio", "Rival"}

    async def test_of_a_player_whose_company_is_approved_is_their_companys(
        self, http, ads, fjord: Advertiser
    ):
        cookie = await somebody("Maja", Role.PLAYER, fjord)
        rows = rows_of(await http.get(PATH, headers=cookie))
        assert sum_of(rows) == await shown(Scope(fjord.id), Period.MONTH)

    async def test_of_an_admin_can_be_one_companys(self, http, ads, fjord: Advertiser):
        cookie = await somebody("Ada", Role.ADMIN)
        asked = {"period": "1y", "company": str(fjord.id)}
        rows = rows_of(await http.get(PATH, params=asked, headers=cookie))
        assert sum_of(rows) == await shown(Scope(fjord.id), Period.YEAR)
        gone = await http.get(PATH, params={"company": str(uuid4())}, headers=cookie)
        assert gone.status_code >= 400

    async def test_can_be_of_all_days_of_one_campaign(self, http, ads, fjord: Advertiser):
        cookie = await somebody("Astrid", Role.COMPANY, fjord)
        await an_ad(await a_campaign(fjord))
        asked = {"period": "all", "campaign": str(ads[0].campaign_id)}
        rows = rows_of(await http.get(PATH, params=asked, headers=cookie))
        assert (len(rows), sum_of(rows).impressions) == (6, 30)

    async def test_of_one_company_has_nothing_of_another_whatever_is_asked_for(
        self, http, ads, fjord: Advertiser
    ):
        cookie = await somebody("Astrid", Role.COMPANY, fjord)
        async with transaction() as session:
            rival = (await session.get_one(AdCampaign, ads[1].campaign_id)).advertiser_id
        rows = rows_of(await http.get(PATH, params={"company": str(rival)}, headers=cookie))
        assert sum_of(rows) == await shown(Scope(fjord.id), Period.MONTH)
        theirs = {"campaign": str(ads[1].campaign_id)}
        refused = await http.get(PATH, params=theirs, headers=cookie)
        assert refused.status_code >= 400
        assert "Rival" not in refused.text

    async def test_is_a_file_that_nobody_keeps(self, http, ads, fjord: Advertiser):
        cookie = await somebody("Astrid", Role.COMPANY, fjord)
        answer = await http.get(PATH, headers=cookie)
        assert answer.headers["content-type"] == "text/csv; charset=utf-8"
        assert answer.headers["cache-control"] == "no-store, private"
        disposition = answer.headers["content-disposition"]
        assert disposition.startswith('attachment; filename="watchcoins-')
        assert disposition.isascii()

    async def test_of_a_made_up_period_is_that_of_the_usual_one(self, http, ads, fjord):
        cookie = await somebody("Astrid", Role.COMPANY, fjord)
        usual = (await http.get(PATH, headers=cookie)).text
        for period in ("", "99y", "' or 1=1 --", "30d\r\nX: y", "x" * 5000):
            assert (await http.get(PATH, params={"period": period}, headers=cookie)).text == usual

    async def test_is_written_twenty_times_a_minute_at_most(self, http, fjord: Advertiser):
        cookie = await somebody("Astrid", Role.COMPANY, fjord)
        answers = [(await http.get(PATH, headers=cookie)).status_code for _ in range(22)]
        assert answers == [200] * 20 + [429] * 2


def is_nothing(answer: httpx.Response) -> bool:
    return (answer.status_code, answer.json()) == (404, {"error": "not found"})


class TestWhoeverMayNotAct:
    async def test_finds_nothing_while_the_account_is_suspended(self, http, ads, fjord: Advertiser):
        cookie = await somebody("Astrid", Role.COMPANY, fjord)
        assert rows_of(await http.get(PATH, headers=cookie))
        async with transaction() as session:
            astrid = await repository.account_by_email(session, "astrid@example.com")
        assert astrid
        await suspends_by_itself(astrid.id)
        assert is_nothing(await http.get(PATH, headers=cookie))

    async def test_finds_nothing_as_an_admin_whom_a_password_alone_lets_in(
        self, http, ads, monkeypatch
    ):
        monkeypatch.setattr(settings(), "admin_second_factor", True)
        assert is_nothing(await http.get(PATH, headers=await somebody("Ada", Role.ADMIN)))


class TestEverybodyElse:
    async def test_finds_nothing(self, http, ads):
        assert is_nothing(await http.get(PATH))
        for cookie in ("session=", "session=made-up", "session=" + "x" * 5000):
            assert is_nothing(await http.get(PATH, headers={"Cookie": cookie}))
        for role in (Role.PLAYER, Role.MODERATOR, Role.COMPANY):
            assert is_nothing(await http.get(PATH, headers=await somebody(role.value, role)))

    @pytest.mark.parametrize("status", ["pending", "rejected"])
    async def test_whose_company_is_not_approved_finds_nothing(
        self, http, database: str, status: str
    ):
        company = await an_advertiser("Not yet", status=status)
        cookie = await somebody("Astrid", Role.COMPANY, company)
        assert is_nothing(await http.get(PATH, headers=cookie))

    async def test_writes_to_nothing(self, http, fjord: Advertiser):
        cookie = await somebody("Astrid", Role.COMPANY, fjord)
        for method in ("POST", "PUT", "DELETE"):
            assert (await http.request(method, PATH, headers=cookie)).status_code == 405


class TestTheAuditLog:
    """It leaves for admins alone, whole or narrowed down, and that it left stands in it."""

    PATH = "/exports/audit.csv"

    async def wrote(self, *reasons: str, label: str = "Maja") -> None:
        for reason in reasons:
            async with transaction() as session:
                await audit.record(
                    session,
                    None,
                    Action.ROLE_CHANGED,
                    "account:1",
                    label=label,
                    before={"role": "player"},
                    after={"role": "admin"},
                    reason=reason,
                    now=utc_now(),
                )

    async def actions(self) -> list[tuple[str, dict[str, object]]]:
        async with transaction() as session:
            found = await log.find(session, log.Search())
        return [(line.action, dict(line.after)) for line in found.shown]

    async def test_comes_newest_first_without_the_line_on_this_export(self, http, database: str):
        cookie = await somebody("Ada", Role.ADMIN)
        await self.wrote("first", "second")
        rows = rows_of(await http.get(self.PATH, headers=cookie))
        assert [row["reason"] for row in rows] == ["second", "first"]
        assert (await self.actions())[0] == ("audit_exported", {"up_to": 2})
        assert len(rows_of(await http.get(self.PATH, headers=cookie))) == 3

    async def test_is_named_after_the_platforms_day(self, http, database: str):
        with time_machine.travel(datetime(2026, 10, 23, 22, 30, tzinfo=UTC)):
            cookie = await somebody("Ada", Role.ADMIN)
            answer = await http.get(self.PATH, headers=cookie)
        assert 'filename="watchcoins-audit-2026-10-24.csv"' in answer.headers["content-disposition"]

    async def test_is_what_was_looked_for(self, http, database: str):
        cookie = await somebody("Ada", Role.ADMIN)
        await self.wrote("first", "second")
        rows = rows_of(await http.get(self.PATH, params={"search": "seco"}, headers=cookie))
        assert [row["reason"] for row in rows] == ["second"]
        assert (await self.actions())[0][1] == {"search": "seco", "up_to": 2}

    async def test_runs_nothing_in_a_spreadsheet(self, http, database: str):
        cookie = await somebody("Ada", Role.ADMIN)
        formulas = ("=1+1", "+cmd|' /C calc'!A0", "@SUM(1)", "-2", "\t=1")
        await self.wrote(*formulas, label="=HYPERLINK(1)")
        for row in rows_of(await http.get(self.PATH, headers=cookie)):
            assert row["reason"].startswith("'")
            assert row["label"] == "'=HYPERLINK(1)"

    async def test_of_many_lines_comes_in_parts(self, http, database: str, monkeypatch):
        monkeypatch.setattr(log, "READ_AT_ONCE", 2)
        cookie = await somebody("Ada", Role.ADMIN)
        await self.wrote(*(f"{n}" for n in range(5)))
        rows = rows_of(await http.get(self.PATH, headers=cookie))
        assert [row["number"] for row in rows] == ["5", "4", "3", "2", "1"]

    @pytest.mark.parametrize("failure", [StorageAway, StorageFull])
    async def test_whose_first_lines_cannot_be_read_is_refused(
        self, http, database: str, monkeypatch, failure
    ):
        cookie = await somebody("Ada", Role.ADMIN)
        monkeypatch.setattr(log.repository, "with_hashes", failing(failure))
        answer = await http.get(self.PATH, headers=cookie)
        assert (answer.status_code, answer.json()) == (503, {"error": failure.code})

    async def test_is_for_nobody_else(self, http, database: str):
        await self.wrote("first")
        assert is_nothing(await http.get(self.PATH))
        for role in (Role.PLAYER, Role.MODERATOR, Role.COMPANY):
            assert is_nothing(await http.get(self.PATH, headers=await somebody(role.value, role)))
        assert [action for action, _ in await self.actions()] == ["role_changed"]

    @pytest.mark.parametrize(
        "asked",
        [
            {"action": "deleted"},
            {"by": "' or 1=1 --"},
            {"by": "x" * 5000},
            {"search": "x" * 201},
            {"about": "x" * 121},
            {"search": "a\0b"},
        ],
    )
    async def test_that_no_page_asks_for_is_not_there(self, http, database: str, asked):
        cookie = await somebody("Ada", Role.ADMIN)
        assert is_nothing(await http.get(self.PATH, params=asked, headers=cookie))
        assert await self.actions() == []

    async def test_leaves_ten_times_a_minute_at_most(self, http, database: str):
        cookie = await somebody("Ada", Role.ADMIN)
        answers = [(await http.get(self.PATH, headers=cookie)).status_code for _ in range(11)]
        assert answers == [200] * 10 + [429]
