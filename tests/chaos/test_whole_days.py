"""A bad day of the whole app, as browsers and Stripe meet it."""

import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests import scratch
from tests.chaos.whole import WholeDay, served_on
from tests.chaos.world import World, a_world

SEED = 1815


@pytest.fixture(scope="module")
def world() -> Iterator[World]:
    folder = scratch.a_folder()
    with a_world(folder) as made:
        yield made
    scratch.remove(Path(folder))


@pytest.mark.timeout(600)
async def test_whoever_dies_meanwhile_nothing_is_lost_and_nobody_is_somebody_else(world: World):
    with served_on(world) as served:
        assert await WholeDay(world, served, random.Random(SEED)).is_lived() == {}
