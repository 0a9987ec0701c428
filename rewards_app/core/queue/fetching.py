"""Which worker fetches a new job, and that it looks again for what it hears of meanwhile."""

import asyncio
import json
from collections.abc import Iterable
from contextlib import suppress

import procrastinate
import psycopg
from procrastinate.connector import Notify
from procrastinate.jobs import Job

from rewards_app.core.connections import hearing
from rewards_app.core.queue import turns
from rewards_app.core.queue.outcomes import Outcomes

SECONDS_TO_RECONNECT = 1.0


class Shared(procrastinate.PsycopgConnector):
    """Every worker hears of each new job; one of them fetches it, and all look now and then."""

    heard = 0
    """How often this one was told to look."""

    async def listen_notify(self, on_notification: Notify, channels: Iterable[str]) -> None:
        while True:
            with suppress(psycopg.Error, OSError):
                async with hearing.listening(channels) as connection:
                    async for notice in hearing.notices(connection):
                        if is_ours(notice.payload):
                            self.heard += 1
                            await on_notification(channel=notice.channel, payload=notice.payload)
            await asyncio.sleep(SECONDS_TO_RECONNECT)


def is_ours(payload: str) -> bool:
    """Whether a notice of the queue is for this worker: another one's new job is not."""
    notice = json.loads(payload)
    return notice["type"] != "job_inserted" or turns.turn().has(notice["job_id"])


class Fetching(Outcomes):
    """The queue's worker forgets what it hears while it asks for a job, though the answer may be
    older than that."""

    def __init__(self, shared: Shared) -> None:
        super().__init__(shared)
        self._shared = shared

    async def fetch_job(self, queues: Iterable[str] | None, worker_id: int) -> Job | None:
        while True:
            heard = self._shared.heard
            found = await super().fetch_job(queues, worker_id)
            if found or self._shared.heard == heard:
                return found
