"""What a page tells is counted where its browser allows it, and as numbers alone."""

import asyncio
from datetime import timedelta

import psycopg
import pytest

from rewards_app.core import limits
from rewards_app.core.database import transaction
from rewards_app.core.watching import storms
from rewards_app.core.watching.storms import STORMS_FROM, What
from rewards_app.features.arrivals import repository, rules, service
from rewards_app.features.arrivals.rules import OTHERS, Arrived, Campaign
from rewards_app.features.arrivals.state import ArrivalState
from rewards_app.features.consent.state import ConsentState
from tests.paying import ask
from tests.people import NOON, a_browser
from tests.states import a_page, calls

pytestmark = pytest.mark.usefixtures("database")
SPRING = "news/email/spring"
MARKETING = '{"essential": true, "marketing": true}'
EVERYTHING_ELSE = '{"essential": true, "analytics": true, "ipLogging": true}'
TODAY = rules.day_of(NOON)


async def comes(*consents: str, by: str = SPRING) -> None:
    page = a_page()
    consent = await page.get_state(ConsentState)
    for stored in consents:
        await calls(ConsentState.remember, consent, stored=stored)
    await calls(ArrivalState.come, await page.get_state(ArrivalState), campaign=by)


async def visits(told: str = SPRING, *, now=NOON, of: str = "127.0.0.1") -> None:
    async with transaction() as session:
        await service.note_visit(session, told, a_browser(address=of), now=now)


def was_counted(database: str, name: str, days_ago: int) -> None:
    with psycopg.connect(database) as connection:
        connection.execute(
            "insert into arrival_days (day, source, medium, campaign, visits, sign_ups)"
            " values (%s, '', '', %s, 1, 0)",
            (TODAY - timedelta(days=days_ago), name),
        )


async def counted() -> list[Arrived]:
    async with transaction() as session:
        return list(await service.of_days(session, TODAY - timedelta(days=6), TODAY))


def rows(database: str) -> list[tuple]:
    query = "select source, medium, campaign, visits, sign_ups from arrival_days order by 1, 2, 3"
    return ask(database, query)


class TestAVisit:
    async def test_is_counted_for_those_who_allow_marketing(self, database: str):
        await comes(MARKETING)
        await comes(MARKETING)
        assert rows(database) == [("news", "email", "spring", 2, 0)]

    @pytest.mark.parametrize("stored", ["", EVERYTHING_ELSE, '{"marketing": "true"}', "spoilt"])
    async def test_is_not_counted_for_anybody_else(self, database: str, stored: str):
        await comes(stored)
        assert rows(database) == []

    async def test_is_not_counted_of_a_browser_that_has_said_nothing(self, database: str):
        await comes()
        assert rows(database) == []

    @pytest.mark.parametrize("stored", ["", EVERYTHING_ELSE])
    async def test_is_not_counted_once_the_consent_is_withdrawn(self, database: str, stored: str):
        await comes(MARKETING, stored)
        assert rows(database) == []

    @pytest.mark.parametrize("told", ["", "//", "<b>/'/\\", "a/b", "/" * 300, "//" + "a" * 41])
    async def test_by_what_is_no_campaign_is_not_counted(self, database: str, told: str):
        await comes(MARKETING, by=told)
        assert rows(database) == []

    async def test_tells_nothing_of_who_came(self, database: str):
        await comes(MARKETING)
        columns = "select column_name from information_schema.columns where table_name = %s"
        assert {name for (name,) in ask(database, columns, "arrival_days")} == {
            *("day", "source", "medium", "campaign", "visits", "sign_ups")
        }

    async def test_is_counted_so_often_only_from_one_address(
        self, database: str, monkeypatch: pytest.MonkeyPatch
    ):
        """Whoever comes too often is not refused anything: nobody hears of a storm."""
        heard: list[storms.Storm] = []
        monkeypatch.setattr(storms, "_listeners", [heard.append])
        for _ in range(service.VISITS_PER_ADDRESS.amount + STORMS_FROM[What.LIMITED]):
            await visits()
        assert heard == []
        assert rows(database) == [("news", "email", "spring", service.VISITS_PER_ADDRESS.amount, 0)]


class TestADay:
    async def test_has_room_for_so_many_campaigns_and_counts_the_rest_together(
        self, database: str, monkeypatch: pytest.MonkeyPatch
    ):
        monkeypatch.setattr(repository, "NEW_A_DAY", 20)
        for number in range(23):
            await visits(f"//made-up-{number}", of=f"192.0.2.{number}")
        # One that was there before has its room.
        await visits("//made-up-7")
        found = {Campaign(*row[:3]): row[3] for row in rows(database)}
        assert len(found) == 20 + 1
        assert found[OTHERS] == 3
        assert found[Campaign("", "", "made-up-7")] == 2

    async def test_has_no_more_of_them_when_they_come_at_once(
        self, database: str, monkeypatch: pytest.MonkeyPatch
    ):
        monkeypatch.setattr(repository, "NEW_A_DAY", 3)
        await asyncio.gather(
            *(visits(f"//made-up-{number}", of=f"192.0.2.{number}") for number in range(12))
        )
        assert len(rows(database)) == 4
        assert sum(row[3] for row in rows(database)) == 12

    async def test_keeps_its_room_when_one_address_makes_a_hundred_words_up(
        self, database: str, monkeypatch: pytest.MonkeyPatch
    ):
        monkeypatch.setattr(service, "VISITS_PER_ADDRESS", limits.parse("1000/minute"))
        monkeypatch.setattr(repository, "NEW_A_DAY", 6)
        await visits(now=NOON - timedelta(days=1), of="192.0.2.7")
        for number in range(101):
            await visits(f"//made-up-{number}")
        await visits(of="192.0.2.8")
        await visits("//summer", of="192.0.2.9")
        found = {one.campaign: one.visits for one in await counted()}
        begun = {Campaign("", "", f"made-up-{number}"): 1 for number in range(5)}
        assert found == begun | {
            Campaign("news", "email", "spring"): 2,
            Campaign("", "", "summer"): 1,
            OTHERS: 96,
        }

    async def test_has_room_for_what_came_by_the_address_itself_yesterday(self, database: str):
        for number in range(8):
            await visits(f"//spring-{number}", now=NOON - timedelta(days=1), of=f"192.0.2.{number}")
        for number in range(8):
            await visits(f"//spring-{number}")
        assert OTHERS not in {one.campaign for one in await counted()}

    async def test_knows_a_campaign_for_thirty_days(
        self, database: str, monkeypatch: pytest.MonkeyPatch
    ):
        monkeypatch.setattr(repository, "NEW_A_DAY", 0)
        for name, days in (("late", 30), ("lost", 31)):
            was_counted(database, name, days)
        await visits("//late")
        await visits("//lost")
        assert await counted() == [
            Arrived(OTHERS, 1, 0),
            Arrived(Campaign("", "", "late"), 1, 0),
        ]

    async def test_has_room_for_so_many_known_ones_too(
        self, database: str, monkeypatch: pytest.MonkeyPatch
    ):
        monkeypatch.setattr(repository, "KNOWN_A_DAY", 2)
        for number in range(4):
            was_counted(database, f"spring-{number}", 20)
        for number in range(4):
            await visits(f"//spring-{number}")
        await visits("//summer")
        assert {one.campaign.name: one.visits for one in await counted()} == {
            "": 2,
            "spring-0": 1,
            "spring-1": 1,
            "summer": 1,
        }

    async def test_counts_sign_ups_by_made_up_words_among_the_others(self, database: str):
        for number in range(6):
            async with transaction() as session:
                told = f"//made-up-{number}"
                await service.note_sign_up(session, told, a_browser(), now=NOON)
        found = {one.campaign.name: one.sign_ups for one in await counted()}
        assert found == {f"made-up-{number}": 1 for number in range(5)} | {"": 1}

    async def test_is_one_of_those_that_are_asked_for(self):
        for days in (0, 6, 7):
            await visits(now=NOON - timedelta(days=days))
        await visits("//summer")
        await visits("//summer")
        await visits("//summer")
        assert await counted() == [
            Arrived(Campaign("", "", "summer"), 3, 0),
            Arrived(Campaign("news", "email", "spring"), 2, 0),
        ]
