"""What the rules weigh is changed by admins alone, with a reason, and written down."""

import asyncio
from typing import Any

import psycopg
import pytest

from rewards_app.core.actor import Actor, Role
from rewards_app.core.database import transaction
from rewards_app.core.errors import DomainError, NotAllowed
from rewards_app.features.signals import policy, rules, service
from rewards_app.features.signals.rules import DEFAULT, Policy, Rule, Weight
from tests.ads import NOON, the_actor, the_player
from tests.people import an_account
from tests.review import an_admin

pytestmark = pytest.mark.usefixtures("database")
HEAVIER = DEFAULT.with_weights({Rule.EARLY_COMPLETION: Weight(40, 8)})


@pytest.fixture
async def linnea(database: str) -> Actor:
    return await an_admin()


async def change(actor: Actor, wanted: Policy, *, seen: Policy = DEFAULT) -> list[Rule]:
    async with transaction() as session:
        return await policy.change(
            session, actor, wanted, seen=seen, reason="Too many complained", now=NOON
        )


async def current() -> Policy:
    async with transaction() as session:
        return await policy.current(session)


async def notes(player: Actor, rule: Rule) -> int:
    async with transaction() as session:
        return await service.note(session, player.user_id, rule, now=NOON)


def audited(database: str) -> list[tuple[Any, ...]]:
    with psycopg.connect(database) as connection:
        return connection.execute(
            "select action, about, actor_name, before, after, reason from audit_entries"
        ).fetchall()


class TestWeights:
    async def test_are_those_of_the_code_until_somebody_changes_them(self):
        assert await current() == DEFAULT

    async def test_that_were_changed_count_for_the_next_signal(self, linnea: Actor):
        maja = await the_player()
        assert await notes(maja, Rule.EARLY_COMPLETION) == 10
        assert await change(linnea, HEAVIER) == [Rule.EARLY_COMPLETION]
        assert await current() == HEAVIER
        assert await notes(maja, Rule.EARLY_COMPLETION) == 48

    async def test_are_written_down_before_and_after(self, linnea: Actor, database: str):
        await change(linnea, HEAVIER)
        assert audited(database) == [
            (
                "weights_changed",
                "fraud:weights",
                "Linnea",
                {"early_completion": "10 + 8"},
                {"early_completion": "40 + 8"},
                "Too many complained",
            )
        ]

    async def test_go_back_to_those_of_the_code(self, linnea: Actor, database: str):
        await change(linnea, HEAVIER)
        async with transaction() as session:
            await policy.change(
                session, linnea, DEFAULT, seen=HEAVIER, reason="A mistake", now=NOON
            )
        assert await current() == DEFAULT
        with psycopg.connect(database) as connection:
            assert connection.execute("select * from fraud_weights").fetchall() == []

    async def test_of_a_rule_that_is_no_more_are_left_alone(self, database: str):
        with psycopg.connect(database) as connection:
            connection.execute("insert into fraud_weights values ('of_yore', 1, 1, now())")
        assert await current() == DEFAULT


class TestRefusals:
    @pytest.mark.parametrize("role", [Role.PLAYER, Role.MODERATOR, Role.COMPANY])
    async def test_meet_everybody_but_admins(self, role: Role, database: str):
        somebody = the_actor(await an_account("e@example.com", role))
        with pytest.raises(NotAllowed):
            await change(somebody, HEAVIER)
        assert await current() == DEFAULT
        assert audited(database) == []

    async def test_meet_who_changes_nothing(self, linnea: Actor, database: str):
        with pytest.raises(rules.NothingChanged):
            await change(linnea, DEFAULT)
        assert audited(database) == []

    async def test_meet_who_saw_other_weights(self, linnea: Actor):
        await change(linnea, HEAVIER)
        with pytest.raises(rules.WeightsChangedMeanwhile):
            await change(linnea, DEFAULT.with_weights({Rule.CLOCKWORK: Weight(1, 1)}))
        assert await current() == HEAVIER

    async def test_meet_all_but_one_of_ten_at_once(self, linnea: Actor, database: str):
        wanted = [
            DEFAULT.with_weights({Rule.EARLY_COMPLETION: Weight(40 + n, 8)}) for n in range(10)
        ]
        done = await asyncio.gather(
            *(change(linnea, one) for one in wanted), return_exceptions=True
        )
        assert sum(not isinstance(one, DomainError) for one in done) == 1
        assert len(audited(database)) == 1
