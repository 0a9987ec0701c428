"""A PostgreSQL server that a test may stop, as power cuts and careless hands do."""

import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass

import psycopg

from rewards_app.core import database
from rewards_app.core.postgres import embedded
from rewards_app.core.postgres.embedded import Embedded


@dataclass(frozen=True, slots=True)
class OwnServer:
    running: Embedded

    @property
    def url(self) -> str:
        return self.running.url

    def crash(self) -> None:
        """At once, without a word to anybody: what was not committed is gone."""
        embedded._pg_ctl(self.running.server, "-m", "immediate", "stop")

    def stop(self) -> None:
        """Whoever is connected is told, and sent away."""
        embedded._pg_ctl(self.running.server, "-m", "fast", "stop")

    def start(self) -> None:
        """As the app's own watch over its server does, until it answers; one that runs stays."""
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline:
            self.running.revive()
            with suppress(psycopg.OperationalError), psycopg.connect(self.url):
                return
            time.sleep(0.05)
        raise AssertionError(self.running.server.log.read_text()[-4000:])

    def restart(self) -> None:
        self.crash()
        self.start()

    @contextmanager
    def away(self) -> Iterator[None]:
        self.crash()
        try:
            yield
        finally:
            self.start()


@contextmanager
def soon_given_up() -> Iterator[None]:
    """A server that is away is waited for a second instead of five; one that is back, as ever."""
    pool = database._statements()
    before, pool.timeout = pool.timeout, 1.0
    try:
        yield
    finally:
        pool.timeout = before
