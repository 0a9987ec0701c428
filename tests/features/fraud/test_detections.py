"""What admins read of detections: the newest first, in stretches, and all of it in figures."""

from datetime import datetime, timedelta
from uuid import UUID

import psycopg
import pytest

from rewards_app.core.actor import Actor
from rewards_app.core.database import transaction, write
from rewards_app.features.fraud import detections
from rewards_app.features.fraud.detections import Detections, Figures
from rewards_app.features.signals import service as signals
from rewards_app.features.signals.rules import Rule
from tests.ads import NOON, SECOND, the_player

pytestmark = pytest.mark.usefixtures("database")


async def note(player: Actor, rule: Rule, *, now=NOON) -> None:
    async with transaction() as session:
        await signals.note(session, player.user_id, rule, now=now)


async def newest(*, before: tuple[datetime, UUID] | None = None, limit: int = 3) -> Detections:
    async with transaction() as session:
        return await detections.newest(session, before=before, limit=limit)


async def figures() -> Figures:
    async with transaction() as session:
        return await detections.figures(session)


class TestTheList:
    async def test_is_empty_at_first(self):
        assert await newest() == Detections([], None)

    async def test_shows_who_it_was_what_was_noticed_and_what_came_of_it(self):
        maja = await the_player("<script>alert(1)</script>")
        await note(maja, Rule.MADE_UP_SESSION)
        await note(maja, Rule.CLOCK_MISMATCH, now=NOON + SECOND)
        [last, _] = (await newest()).shown
        assert (last.name, last.account_id) == ("<script>alert(1)</script>", maja.user_id)
        assert (last.rule, last.risk, last.action_taken) == ("clock_mismatch", 30, "none")
        assert last.patterns == ["clock_mismatch", "made_up_session"]

    async def test_comes_in_stretches_each_signal_once_also_of_one_moment(self):
        maja = await the_player()
        for number in range(10):
            await note(maja, Rule.CLOCK_MISMATCH, now=NOON + number // 4 * SECOND)
        shown, before = [], None
        while True:
            stretch = await newest(before=before)
            shown += stretch.shown
            before = stretch.next_before
            if before is None:
                break
        assert len({one.id for one in shown}) == 10
        moments = [one.created_at for one in shown]
        assert moments == sorted(moments, reverse=True)

    async def test_is_twenty_long(self):
        assert detections.A_PAGE == 20

    async def test_goes_on_before_one_that_is_forgotten_and_ends_before_the_first(self):
        maja = await the_player()
        for number in range(3):
            await note(maja, Rule.CLOCK_MISMATCH, now=NOON + number * SECOND)
        shown = await newest(limit=1)
        async with transaction() as session:
            query = "delete from fraud_signals where id = %(id)s returning id"
            await write(session, query, {"id": shown.shown[0].id})
        assert len((await newest(before=shown.next_before)).shown) == 2
        assert (await newest(before=(NOON, UUID(int=7)))).shown == []


class TestFigures:
    async def test_of_nothing_are_nothing(self):
        assert await figures() == Figures(0, 0, 0, 0)

    async def test_are_what_a_recount_finds(self, database: str):
        for number in range(6):
            player = await the_player(f"Player {number}")
            for day in range(3):
                for _ in range(number):
                    await note(player, Rule.IMPOSSIBLE_PACE, now=NOON + day * timedelta(days=1))
        with psycopg.connect(database) as connection:
            counted = connection.execute(
                "select count(*), count(*) filter (where risk_score >= 70),"
                " count(*) filter (where action_taken = 'account_suspended'),"
                " round(avg(risk_score))::int from fraud_signals"
            ).fetchone()
        assert counted is not None
        assert await figures() == Figures(*counted)
