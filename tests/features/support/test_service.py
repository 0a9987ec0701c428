"""Tickets have numbers that both sides can name; one subject has one open ticket."""

import asyncio

import pytest

from rewards_app.core.actor import Actor
from rewards_app.core.database import transaction
from rewards_app.features.support import repository, service
from tests.ads import NOON, the_player
from tests.paying import ask
from tests.waiting import are_waiting

ABOUT = "purchase:1"
WORDS = "The code does not work."


@pytest.fixture
async def maja(database: str) -> Actor:
    return await the_player("Maja")


async def opens(who: Actor, about: str = ABOUT, subject: str = "1000 V-Bucks") -> int:
    async with transaction() as session:
        return await service.open_ticket(
            session, who.user_id, subject, WORDS, about=about, now=NOON
        )


async def known(who: Actor, *abouts: str) -> dict[str, int]:
    async with transaction() as session:
        return await service.open_about(session, who.user_id, list(abouts))


class TestATicket:
    async def test_has_a_number_that_goes_up(self, maja: Actor):
        first = await opens(maja)
        assert first == 1001
        assert await opens(maja, "purchase:2") > first

    async def test_is_known_by_what_it_is_about(self, maja: Actor):
        number = await opens(maja)
        assert await known(maja, ABOUT, "purchase:2") == {ABOUT: number}
        assert await known(maja) == {}

    async def test_is_its_owners(self, maja: Actor):
        await opens(maja)
        assert await known(await the_player("Eva"), ABOUT) == {}

    async def test_asked_for_again_is_the_one_that_is_open(self, maja: Actor, database: str):
        assert await opens(maja) == await opens(maja)
        assert ask(database, "select count(*) from support_tickets") == [(1,)]

    async def test_asked_for_many_times_at_once_is_one(self, maja: Actor, database: str):
        numbers = await asyncio.gather(*(opens(maja) for _ in range(8)))
        assert len(set(numbers)) == 1
        assert ask(database, "select count(*) from support_tickets") == [(1,)]

    async def test_is_a_new_one_once_the_old_one_is_closed(self, maja: Actor, database: str):
        first = await opens(maja)
        ask(database, "update support_tickets set status = 'closed' returning id")
        assert await known(maja, ABOUT) == {}
        assert await opens(maja) != first

    async def test_is_a_new_one_where_the_old_one_is_being_closed(self, maja: Actor, database: str):
        first = await opens(maja)
        async with transaction() as session:
            assert await repository.open_about(session, ABOUT)
            late = asyncio.create_task(opens(maja))
            await are_waiting(database)
            await service.withdraw(session, ABOUT, now=NOON)
        second = await late
        assert second != first
        query = "select number, status from support_tickets order by number"
        assert ask(database, query) == [(first, "closed"), (second, "open")]

    async def test_about_nothing_of_ours_is_always_a_new_one(self, maja: Actor):
        assert await opens(maja, "") != await opens(maja, "")

    async def test_has_a_subject_of_bounded_length(self, maja: Actor, database: str):
        await opens(maja, subject="x" * 500)
        assert ask(database, "select length(subject) from support_tickets") == [(120,)]
