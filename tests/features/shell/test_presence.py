"""Who is online is what all workers tell together."""

from collections.abc import Collection
from datetime import datetime, timedelta
from uuid import UUID

import pytest

from rewards_app.core.database import transaction
from rewards_app.core.ids import new_id
from rewards_app.features.shell import service
from tests.ads import NOON, the_players

pytestmark = pytest.mark.usefixtures("database")


async def online(worker: UUID, here: Collection[UUID], *, now: datetime = NOON) -> int:
    async with transaction() as session:
        return await service.players_online(session, worker, here, now=now)


@pytest.fixture
async def three() -> list[UUID]:
    return [player.user_id for player in await the_players(3)]


class TestPlayersOnline:
    async def test_are_those_of_all_workers_each_once(self, three: list[UUID]):
        maja, eva, per = three
        first, second = new_id(), new_id()
        assert await online(first, {maja, eva}) == 2
        assert await online(second, {eva, per}) == 3

    async def test_who_leaves_is_online_no_more(self, three: list[UUID]):
        worker = new_id()
        assert await online(worker, three) == 3
        assert await online(worker, three[:1]) == 1
        assert await online(worker, []) == 0

    async def test_those_of_a_silent_worker_are_counted_no_more(self, three: list[UUID]):
        assert await online(new_id(), three) == 3
        later = NOON + service.SILENT_AFTER + timedelta(seconds=1)
        assert await online(new_id(), three[:1], now=later) == 1

    async def test_a_worker_that_was_silent_for_long_counts_again(
        self, three: list[UUID], database: str
    ):
        worker, other = new_id(), new_id()
        await online(worker, three)
        later = NOON + 11 * service.SILENT_AFTER
        assert await online(other, three[:1], now=later) == 1
        assert await online(worker, three[1:], now=later) == 3
