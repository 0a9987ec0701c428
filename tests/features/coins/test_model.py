"""Thousands of random steps on the real ledger, beside a model of it that fits on a page."""

import os
import random
from dataclasses import dataclass, field
from uuid import UUID

import pytest

from rewards_app.core.database import transaction
from rewards_app.core.errors import DomainError
from rewards_app.core.ids import new_id
from rewards_app.features.coins import service
from rewards_app.features.coins.rules import Balance, HoldEnded, Kind, NotEnoughCoins
from tests.ads import NOON, the_player
from tests.ledger import what_is_wrong

SEED = int(os.environ.get("LEDGER_SEED", "1815"))
STEPS = int(os.environ.get("LEDGER_STEPS", "600"))
PLAYERS = 3
MOST_ROUNDS = 10
"""What is rare may take more steps than usual to happen at all."""
EVERY_OUTCOME = 7
"""Credited or not, held or too few, ended or not or refused."""


@dataclass
class Promise:
    """Coins that the model holds back; `ended` is empty as long as it does."""

    owner: int
    amount: int
    ended: str = ""


@dataclass
class Purse:
    total: int = 0
    balance: int = 0
    held: int = 0


@dataclass
class Model:
    """What the ledger promises, in plain Python: no locks, no SQL, no rows."""

    purses: list[Purse] = field(default_factory=lambda: [Purse() for _ in range(PLAYERS)])
    paid_causes: set[str] = field(default_factory=set)
    promises: dict[str, Promise] = field(default_factory=dict)

    def credit(self, owner: int, amount: int, kind: Kind, cause: str) -> object:
        if cause in self.paid_causes:
            return False
        self.paid_causes.add(cause)
        self.purses[owner].balance += amount
        self.purses[owner].total += amount if kind in (Kind.AD, Kind.WELCOME) else 0
        return True

    def hold(self, owner: int, amount: int, cause: str) -> object:
        if cause in self.promises:
            return "held"
        if self.purses[owner].balance < amount:
            return NotEnoughCoins
        self.promises[cause] = Promise(owner, amount)
        self.purses[owner].balance -= amount
        self.purses[owner].held += amount
        return "held"

    def end(self, cause: str, how: str) -> object:
        promise = self.promises.get(cause)
        if promise is None or promise.ended not in ("", how):
            return HoldEnded
        if promise.ended == how:
            return False
        promise.ended = how
        self.purses[promise.owner].held -= promise.amount
        if how == "released":
            self.purses[promise.owner].balance += promise.amount
        return True


@dataclass
class Ledger:
    """The real one, spoken to with the model's words."""

    players: list[UUID]
    holds: dict[str, UUID] = field(default_factory=dict)

    async def credit(self, owner: int, amount: int, kind: Kind, cause: str) -> object:
        async with transaction() as session:
            return await service.credit(session, self.players[owner], amount, kind, cause, now=NOON)

    async def hold(self, owner: int, amount: int, cause: str) -> object:
        async with transaction() as session:
            made = await service.hold(session, self.players[owner], amount, cause, now=NOON)
        assert self.holds.setdefault(cause, made) == made
        return "held"

    async def end(self, cause: str, how: str) -> object:
        end = {"settled": service.settle, "released": service.release}[how]
        async with transaction() as session:
            return await end(session, self.holds.get(cause, new_id()), now=NOON)

    async def purses(self) -> list[Purse]:
        found: list[Balance] = [await service.balance_of(player) for player in self.players]
        return [Purse(one.total, one.balance, one.held) for one in found]


def a_step(chance: random.Random) -> tuple[str, tuple[object, ...]]:
    """Causes repeat often, so that calls come twice, late and the wrong way round."""
    owner = chance.randrange(PLAYERS)
    what = chance.choices(["credit", "hold", "end"], weights=[3, 4, 5])[0]
    if what == "credit":
        kind = chance.choice([Kind.AD, Kind.WELCOME, Kind.REFUND])
        return what, (owner, chance.randint(1, 50), kind, f"gift:{chance.randrange(STEPS // 3)}")
    cause = f"order:{chance.randrange(STEPS // 5)}"
    if what == "hold":
        return what, (owner, chance.randint(1, 60), f"{cause}:{owner}")
    return what, (f"{cause}:{owner}", chance.choice(["settled", "released"]))


async def outcome_of(ledger: Ledger, what: str, arguments: tuple[object, ...]) -> object:
    try:
        return await getattr(ledger, what)(*arguments)
    except DomainError as refusal:
        return type(refusal)


@pytest.fixture
async def ledger(database: str) -> Ledger:
    return Ledger([(await the_player()).user_id for _ in range(PLAYERS)])


@pytest.mark.timeout(240 + STEPS // 20)
class TestRandomSteps:
    """LEDGER_SEED replays a run, LEDGER_STEPS makes it longer."""

    async def test_of_the_ledger_end_as_those_of_the_model(self, ledger: Ledger, database: str):
        print(f"LEDGER_SEED={SEED} LEDGER_STEPS={STEPS}")
        chance, model, seen = random.Random(SEED), Model(), set()
        for number in range(MOST_ROUNDS * STEPS):
            if number >= STEPS and len(seen) == EVERY_OUTCOME:
                break
            what, arguments = a_step(chance)
            expected = getattr(model, what)(*arguments)
            assert await outcome_of(ledger, what, arguments) == expected, (number, what, arguments)
            seen.add((what, expected))
            if number % 20 == 0:
                assert await ledger.purses() == model.purses, number
        assert await ledger.purses() == model.purses
        assert not what_is_wrong(database)
        assert len(seen) == EVERY_OUTCOME
