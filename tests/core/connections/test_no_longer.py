"""What is waited for only so long."""

import asyncio

import pytest

from rewards_app.core.connections import no_longer
from rewards_app.core.connections.no_longer import no_longer_than


@pytest.fixture(autouse=True)
def _nothing_else_is_ending(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(no_longer, "_ending", set())


async def ends_slowly(told: asyncio.Event, may_end: asyncio.Event) -> None:
    try:
        await asyncio.sleep(60)
    finally:
        told.set()
        await may_end.wait()


async def answers() -> str:
    return "here"


async def breaks() -> str:
    raise ZeroDivisionError


async def test_what_comes_in_time_is_told():
    assert await no_longer_than(60, answers()) == "here"
    with pytest.raises(ZeroDivisionError):
        await no_longer_than(60, breaks())
    assert not no_longer._ending


async def test_what_does_not_come_is_told_to_end_and_not_waited_for():
    told, may_end = asyncio.Event(), asyncio.Event()
    with pytest.raises(TimeoutError):
        await no_longer_than(0.05, ends_slowly(told, may_end))
    await told.wait()
    assert len(no_longer._ending) == 1
    may_end.set()
    while no_longer._ending:
        await asyncio.sleep(0)


async def test_who_does_not_want_it_any_more_leaves_it_as_well():
    told, may_end = asyncio.Event(), asyncio.Event()
    waiting = asyncio.create_task(no_longer_than(60, ends_slowly(told, may_end)))
    await asyncio.sleep(0)
    waiting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await waiting
    await told.wait()
    may_end.set()
    while no_longer._ending:
        await asyncio.sleep(0)
