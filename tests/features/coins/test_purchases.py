"""Purchases are counted on from what was known, and none is missed that was still under way."""

from uuid import UUID, uuid4

import psycopg
import pytest

from rewards_app.core.database import transaction
from rewards_app.features.coins import service
from rewards_app.features.coins.rules import Kind, LaterPurchases, Purchases, counted_on
from tests.ads import NOON, the_player
from tests.plans import plan_of

RICH = 1_000


class TestCountedOn:
    def test_the_first_count_settles_nothing_yet(self):
        found = LaterPurchases(3, 0, newest=12, oldest_open=80, next_open=90)
        assert counted_on(Purchases(), found) == Purchases(3, 0, 0, newest=12, open_until=90)

    def test_what_nothing_can_come_below_of_is_settled(self):
        known = Purchases(3, 0, 0, newest=12, open_until=90)
        found = LaterPurchases(5, 3, newest=20, oldest_open=90, next_open=95)
        assert counted_on(known, found) == Purchases(5, 3, 12, newest=20, open_until=95)

    def test_while_an_older_transaction_is_open_nothing_is_settled(self):
        known = Purchases(3, 0, 0, newest=12, open_until=90)
        found = LaterPurchases(4, 3, newest=20, oldest_open=89, next_open=95)
        assert counted_on(known, found) == Purchases(4, 0, 0, newest=12, open_until=90)

    def test_where_nothing_came_what_is_settled_stays(self):
        known = Purchases(5, 3, 12, newest=20, open_until=95)
        found = LaterPurchases(2, 2, newest=20, oldest_open=99, next_open=99)
        once = counted_on(known, found)
        nothing = LaterPurchases(0, 0, newest=0, oldest_open=100, next_open=100)
        assert once == Purchases(5, 5, 20, newest=20, open_until=99)
        assert counted_on(once, nothing) == Purchases(5, 5, 20, newest=20, open_until=100)


@pytest.mark.usefixtures("database")
class TestPurchases:
    @pytest.fixture
    async def maja(self, database: str) -> UUID:
        return await self._who_has_coins("Maja")

    @pytest.fixture
    async def emil(self, database: str) -> UUID:
        return await self._who_has_coins("Emil")

    async def _who_has_coins(self, name: str) -> UUID:
        owner = (await the_player(name)).user_id
        async with transaction() as session:
            await service.credit(session, owner, RICH, Kind.WELCOME, f"welcome:{name}", now=NOON)
        return owner

    async def _buys(self, owner: UUID) -> None:
        async with transaction() as session:
            held = await service.hold(session, owner, 1, f"order:{uuid4()}", now=NOON)
            await service.settle(session, held, now=NOON)

    async def test_are_only_what_was_settled(self, maja: UUID):
        await self._buys(maja)
        async with transaction() as session:
            await service.hold(session, maja, 5, "order:open", now=NOON)
            released = await service.hold(session, maja, 5, "order:given-up", now=NOON)
            await service.release(session, released, now=NOON)
        assert (await service.purchases(Purchases())).count == 1

    async def test_are_counted_on_and_the_past_is_left_alone(self, maja: UUID):
        known = Purchases()
        for bought in range(1, 6):
            await self._buys(maja)
            known = await service.purchases(known)
            assert known.count == bought
        assert known.settled == 4

    async def test_one_that_was_under_way_below_a_newer_one_is_not_missed(
        self, maja: UUID, emil: UUID
    ):
        """Its number was given out first, and it is seen last."""
        known = Purchases()
        async with transaction() as slow:
            held = await service.hold(slow, emil, 1, "order:slow", now=NOON)
            await service.settle(slow, held, now=NOON)
            await slow.flush()
            await self._buys(maja)
            for _ in range(3):
                known = await service.purchases(known)
            assert (known.count, known.settled) == (1, 0)
        for _ in range(3):
            known = await service.purchases(known)
            assert known.count == 2
        assert known.settled == 2

    async def test_are_read_from_their_own_index(self, maja: UUID, database: str):
        with psycopg.connect(database) as connection:
            connection.execute("set enable_seqscan = off")
            plan = plan_of(
                connection,
                "select count(*) from coin_entries where kind = 'purchase' and number > 9",
            )
        assert plan.indexes == {"ix_coin_entries_purchases"}
