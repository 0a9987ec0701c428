"""What changed: PostgreSQL's NOTIFY carries it to every worker, which fans it out to its tabs."""

import asyncio
import json
from collections import defaultdict
from collections.abc import Awaitable, Callable

import psycopg
import structlog
from sqlalchemy import text

from rewards_app.core.database import AsyncSession, run
from rewards_app.core.settings import settings

CHANNEL = "rewards_live"
RECONNECT_SECONDS = 1.0

Listener = Callable[[str], Awaitable[None]]
_listeners: dict[str, list[Listener]] = defaultdict(list)
_log = structlog.get_logger(__name__)


def on(topic: str, listener: Listener) -> None:
    """Call `listener` with the key of each change published under `topic`."""
    _listeners[topic].append(listener)


async def publish(session: AsyncSession, topic: str, key: str = "") -> None:
    """Tell every worker once this transaction commits; a rolled back one tells nobody."""
    message = json.dumps({"topic": topic, "key": key})
    await run(
        session,
        text("select pg_notify(:channel, :message)"),
        {"channel": CHANNEL, "message": message},
    )


async def listen() -> None:
    """Run for the life of a worker: hand each notice to its listeners, reconnect when cut off."""
    while True:
        try:
            await _listen_once()
        except (psycopg.Error, OSError) as failure:
            _log.warning("live.cut_off", error=type(failure).__name__)
        await asyncio.sleep(RECONNECT_SECONDS)


async def _listen_once() -> None:
    connection = await psycopg.AsyncConnection.connect(settings().database_url, autocommit=True)
    async with connection:
        await connection.execute(f"listen {CHANNEL}")
        async for notice in connection.notifies():
            await _hand_over(notice.payload)


async def _hand_over(payload: str) -> None:
    message = json.loads(payload)
    for listener in _listeners[message["topic"]]:
        try:
            await listener(message["key"])
        except Exception:
            _log.exception("live.listener_failed", topic=message["topic"])
