"""What changed: PostgreSQL's NOTIFY carries it to every worker, which fans it out to its tabs."""

import asyncio
import json
from collections import defaultdict
from collections.abc import Awaitable, Callable

import psycopg
import structlog
from sqlalchemy import event, text
from sqlalchemy.orm import Session

from rewards_app.core.connections import hearing
from rewards_app.core.database import AsyncSession, lookup, run
from rewards_app.core.errors import DomainError
from rewards_app.core.notices import CHANNEL, notice
from rewards_app.core.rounds import until_next_beat

RECONNECT_SECONDS = 1.0
TAKEN_UP = "taken_up"
"""Heard by a worker that listens again: what was said meanwhile it has missed."""
EVERYBODYS = ""
"""The key of what concerns whoever listens."""
TELL_EVERY_SECONDS = 0.2
WORKER = "rewards worker"
"""What a worker calls itself where it listens."""

Listener = Callable[[str], Awaitable[None]]
_listeners: dict[str, list[Listener]] = defaultdict(list)
_own_listeners: dict[str, list[Callable[[str], None]]] = defaultdict(list)
_waiting: dict[tuple[str, str], int] = {}
"""What is to be told, and how often it was announced until then."""
_bell: asyncio.Event | None = None
"""Rung by each announcement, while somebody tells them."""
_heard_by: int | None = None
_log = structlog.get_logger(__name__)


def on(topic: str, listener: Listener) -> None:
    """Call `listener` with the key of each change published under `topic`."""
    _listeners[topic].append(listener)


def on_own(topic: str, listener: Callable[[str], None]) -> None:
    """Call `listener` in the very moment in which a transaction of this worker commits.

    PostgreSQL brings it to all workers a little later: the next event may be here before.
    """
    _own_listeners[topic].append(listener)


async def publish(session: AsyncSession, topic: str, key: str = "") -> None:
    """Tell every worker once this transaction commits; a rolled back one tells nobody."""

    def on_commit(_: Session) -> None:
        for listener in _own_listeners[topic]:
            listener(key)

    event.listen(session.sync_session, "after_commit", on_commit)
    await run(
        session,
        text("select pg_notify(:channel, :message)"),
        {"channel": CHANNEL, "message": notice(topic, key)},
    )


def announce(topic: str, key: str = "") -> None:
    """Tell every worker soon: what is announced within a moment travels together, once.

    For what a screen can also learn later: a worker that dies in that moment tells nobody.
    A NOTIFY in every transaction would make all commits wait for each other.
    """
    _waiting[topic, key] = _waiting.get((topic, key), 0) + 1
    if _bell:
        _bell.set()


def announce_after(session: AsyncSession, topic: str, key: str = "") -> None:
    """Announce once this transaction has committed; a rolled back one tells nobody."""

    def on_commit(_: Session) -> None:
        announce(topic, key)

    event.listen(session.sync_session, "after_commit", on_commit, once=True)


async def hear(topic: str, key: str = EVERYBODYS) -> None:
    """Hand this worker's listeners what it has found out itself, and nobody else need know."""
    await _hand_over(topic, key)


async def tell() -> None:
    """Run for the life of a worker: send what was announced."""
    global _bell
    bell = _bell = asyncio.Event()
    if _waiting:
        bell.set()
    while True:
        await bell.wait()
        # All workers of a machine at once: each of them then hears all the others in one go.
        now = asyncio.get_running_loop().time()
        await asyncio.sleep(until_next_beat(TELL_EVERY_SECONDS, now, of=0.0))
        try:
            await tell_now()
        except psycopg.Error:
            _log.exception("live.not_told")
        if not _waiting:
            bell.clear()


async def tell_now() -> None:
    """Also for a program that ends before the next round would come."""
    told = dict(_waiting)
    if not told:
        return
    messages = [notice(topic, key) for topic, key in told]
    try:
        await lookup(
            "select count(pg_notify(%s, message)) from unnest(%s::text[]) as message",
            (CHANNEL, messages),
        )
    except DomainError as failure:
        _log.warning("live.not_told", reason=failure.code, waiting=len(told))
        return
    for known, times in told.items():
        # What changed once more meanwhile may have been heard of before it had changed.
        if _waiting.get(known) == times:
            del _waiting[known]


def heard_by() -> int | None:
    """The process of PostgreSQL that this worker hears the others through, while it does."""
    return _heard_by


async def listen(name: str = "") -> None:
    """Run for the life of a worker: hand each notice to its listeners, reconnect when cut off."""
    was_cut_off = False
    while True:
        try:
            await _listen_once(name, was_cut_off=was_cut_off)
        except (psycopg.Error, OSError) as failure:
            _log.warning("live.cut_off", error=type(failure).__name__)
        was_cut_off = True
        await asyncio.sleep(RECONNECT_SECONDS)


async def _listen_once(name: str, *, was_cut_off: bool) -> None:
    global _heard_by
    async with hearing.listening([CHANNEL], name=name) as connection:
        _heard_by = connection.info.backend_pid
        try:
            if was_cut_off:
                await _hand_over(TAKEN_UP, "")
            async for heard in hearing.notices(connection):
                message = json.loads(heard.payload)
                await _hand_over(message["topic"], message["key"])
        finally:
            _heard_by = None


async def _hand_over(topic: str, key: str) -> None:
    for listener in _listeners[topic]:
        try:
            await listener(key)
        except Exception:
            _log.exception("live.listener_failed", topic=topic)
