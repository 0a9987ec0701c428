"""Whose account moves to another address waits there, and goes with the account from there."""

from datetime import timedelta

import pytest

import rewards_app.rewards_app
from rewards_app.core.database import rows, transaction
from rewards_app.features.accounts import closing
from rewards_app.features.privacy import erasing
from tests.features.accounts.test_addresses import NEW, OLD, maja, moved, stop
from tests.features.waitlist.test_service import known
from tests.people import NOON
from tests.waitlist import somebody_waits

pytestmark = pytest.mark.usefixtures("database")
assert rewards_app.rewards_app, "it says what moves along"


async def waiting() -> list[str]:
    async with transaction() as session:
        return [row[0] for row in await rows(session, "select email from waitlist", {})]


async def test_the_place_moves_along():
    entry = await somebody_waits(OLD)
    await moved(await maja())
    there = await known(entry)
    assert (there.email, there.stands_at) == (NEW, entry.stands_at)


async def test_the_link_that_brings_the_account_back_brings_it_back():
    entry = await somebody_waits(OLD)
    await stop(await moved(await maja()))
    assert (await known(entry)).email == OLD


async def test_one_that_the_new_address_has_already_counts():
    entry = await somebody_waits(NEW)
    await somebody_waits(OLD)
    await moved(await maja())
    assert await waiting() == [NEW]
    assert (await known(entry)).stands_at == entry.stands_at


async def test_one_that_was_only_typed_gives_way_to_the_place_that_was_confirmed():
    entry = await somebody_waits(OLD)
    await somebody_waits(NEW, is_confirmed=False)
    await moved(await maja())
    assert await waiting() == [NEW]
    assert (await known(entry)).email == NEW


async def test_whoever_waits_elsewhere_stays():
    await somebody_waits("ola@example.com")
    await moved(await maja())
    assert await waiting() == ["ola@example.com"]


async def test_nothing_of_it_is_left_once_they_are_forgotten():
    await somebody_waits(OLD)
    actor = await maja()
    await moved(actor)
    async with transaction() as session:
        await closing.close(session, actor.user_id, now=NOON)
    assert await erasing.erase(actor.user_id, now=NOON + timedelta(days=60))
    assert await waiting() == []
