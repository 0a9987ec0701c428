"""What a page tells is counted where its browser allows it, and as numbers alone."""

import asyncio
from datetime import timedelta

import pytest

from rewards_app.core.database import transaction
from rewards_app.features.arrivals import repository, rules, service
from rewards_app.features.arrivals.rules import CAMPAIGNS_A_DAY, OTHERS, Arrived, Campaign
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


async def visits(told: str = SPRING, *, now=NOON) -> None:
    async with transaction() as session:
        await service.note_visit(session, told, a_browser(), now=now)


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

    async def test_is_counted_so_often_only_from_one_address(self, database: str):
        for _ in range(service.VISITS_PER_ADDRESS.amount + 5):
            await visits()
        assert rows(database) == [("news", "email", "spring", service.VISITS_PER_ADDRESS.amount, 0)]


class TestADay:
    async def test_has_room_for_so_many_campaigns_and_counts_the_rest_together(self, database: str):
        async with transaction() as session:
            for number in range(CAMPAIGNS_A_DAY + 3):
                made_up = Campaign("", "", f"made-up-{number}")
                await repository.count(session, made_up, TODAY, visits=1)
            # One that was there before has its room.
            await repository.count(session, Campaign("", "", "made-up-7"), TODAY, visits=1)
        found = {Campaign(*row[:3]): row[3] for row in rows(database)}
        assert len(found) == CAMPAIGNS_A_DAY + 1
        assert found[OTHERS] == 3
        assert found[Campaign("", "", "made-up-7")] == 2

    async def test_has_no_more_of_them_when_they_come_at_once(
        self, database: str, monkeypatch: pytest.MonkeyPatch
    ):
        monkeypatch.setattr(repository, "CAMPAIGNS_A_DAY", 3)
        await asyncio.gather(*(visits(f"//made-up-{number}") for number in range(12)))
        assert len(rows(database)) == 4
        assert sum(row[3] for row in rows(database)) == 12

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
