"""A few bad days of the thousand of `make chaos`, each fault alone, and one of the whole app."""

import random
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests import scratch
from tests.chaos.faults import possible
from tests.chaos.plan import FAULTS, Schedule, drawn, in_turn
from tests.chaos.running import COMES_ABOUT, Came, never_came_about, run
from tests.chaos.whole import WholeDay, served_on
from tests.chaos.world import World, a_world

SEED = 1815
RANDOM_DAYS = range(6)
ALONE = tuple(zip(*[iter(FAULTS)] * 3, strict=True))
"""Three of them in each life, one after the other."""


@pytest.fixture(scope="module")
def world() -> Iterator[World]:
    folder = scratch.a_folder()
    with a_world(folder) as made:
        yield made
    scratch.remove(Path(folder))


@pytest.fixture(scope="module")
def lived() -> Iterator[list[Came]]:
    """All days of this file; in sum everything has succeeded that people try."""
    days: list[Came] = []
    yield days
    if len(days) == len(RANDOM_DAYS) + len(ALONE):
        assert never_came_about(days) == []


def lives_through(world: World, schedule: Schedule, lived: list[Came]) -> None:
    came = run(world, schedule)
    lived.append(came)
    print(schedule, dict(came.counts))
    assert not came.wrong, f"make chaos ARGS='--seed {schedule.seed} --only {schedule.number}'"


@pytest.mark.timeout(400)
class TestABadDay:
    @pytest.mark.parametrize("number", RANDOM_DAYS)
    def test_loses_nothing_and_doubles_nothing(self, world: World, lived: list[Came], number: int):
        lives_through(world, drawn(SEED, number, possible(world)), lived)

    @pytest.mark.parametrize("names", ALONE, ids=lambda names: ", ".join(names))
    def test_of_one_fault_after_the_other_neither(
        self, world: World, lived: list[Came], names: tuple[str, ...]
    ):
        faults = tuple(name for name in names if name in possible(world))
        lives_through(world, in_turn(SEED, FAULTS.index(names[0]), faults), lived)


@pytest.mark.timeout(600)
async def test_a_bad_day_of_the_whole_app_loses_nothing_and_nobody_is_somebody_else(world: World):
    with served_on(world) as served:
        assert await WholeDay(world, served, random.Random(SEED)).is_lived() == {}


def test_days_on_which_something_never_succeeds_are_named():
    bad = Came(drawn(7, 0), Counter(what for what in COMES_ABOUT if what != "paid"))
    good = Came(drawn(7, 1), Counter(["paid"]))
    assert never_came_about([bad, bad]) == ["paid"]
    assert never_came_about([bad, good]) == []


class TestAPlan:
    def test_comes_again_by_its_seed_and_number(self):
        assert drawn(7, 31) == drawn(7, 31)
        assert drawn(7, 31) != drawn(7, 32)

    def test_has_every_fault_sooner_or_later(self):
        plans = (drawn(7, number) for number in range(200))
        assert {fault.what for plan in plans for fault in plan.faults} == set(FAULTS)
