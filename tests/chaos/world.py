"""Everything that the app stands on, real and breakable: what schedules do to it is done here."""

import json
import os
import secrets
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, TextIO
from urllib.parse import parse_qs, urlsplit

import psycopg
from redis import Redis as RedisClient

from rewards_app.core.postgres import embedded
from tests.chaos.proxy import Lines, Proxy, at_port, at_socket
from tests.chaos.worker import Task
from tests.databases import named
from tests.servers import OwnServer
from tests.serving import PROJECT, Letters, Redis, smtp_server
from tests.stripe_server import StripeServer

TEMPLATE = "template_chaos"
DISK_MB = 512
STOPS_AT_MB = 1
SMALL_LOGS = ("max_wal_size = '64MB'", "min_wal_size = '32MB'", "fsync = off")
MIGRATE = "from rewards_app.core.postgres import schema; schema.upgrade()"


class Disk:
    """A small one, where this machine lets us mount it; it can be full."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)
        self.is_small = self._mount()
        self._filler = folder / "filler"

    def _mount(self) -> bool:
        if os.geteuid() != 0 or not shutil.which("mount"):
            return False
        what = ["mount", "-t", "tmpfs", "-o", f"size={DISK_MB}m", "tmpfs", str(self.folder)]
        return subprocess.run(what, capture_output=True).returncode == 0

    def fill(self) -> None:
        free = shutil.disk_usage(self.folder).free
        with suppress(OSError), self._filler.open("wb") as filler:
            os.posix_fallocate(filler.fileno(), 0, max(0, free - STOPS_AT_MB * 4096))

    def empty(self) -> None:
        self._filler.unlink(missing_ok=True)

    def close(self) -> None:
        self.empty()
        if self.is_small:
            subprocess.run(["umount", "-l", str(self.folder)], capture_output=True)


class Workers:
    """The process that the workers are forked from, and those that live."""

    def __init__(self, environment: dict[str, str], log: Path) -> None:
        self._log: TextIO = log.open("a")
        self.alive: list[int] = []
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.chaos.worker"],
            cwd=PROJECT,
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._log,
            text=True,
        )

    def is_ready(self) -> None:
        assert self._hears() == "ready"

    def ask(self, do: str, task: Task | None = None, **more: Any) -> Any:
        assert self._process.stdin
        order = {"do": do, **({"task": asdict(task)} if task else {}), **more}
        self._process.stdin.write(json.dumps(order) + "\n")
        self._process.stdin.flush()
        return self._hears()

    def _hears(self) -> Any:
        assert self._process.stdout
        line = self._process.stdout.readline()
        assert line, "the workers' process has ended"
        return json.loads(line)

    def start(self, task: Task) -> int:
        worker = self.ask("live", task)
        self.alive.append(worker)
        return worker

    def kill(self, worker: int) -> int:
        """kill -9; how it ended, which is by itself where it broke before."""
        os.kill(worker, 9)
        self.alive.remove(worker)
        return self.ask("bury", pid=worker)

    def close(self) -> None:
        for worker in list(self.alive):
            self.kill(worker)
        assert self._process.stdin
        self._process.stdin.close()
        self._process.wait(timeout=20)
        self._log.close()


@dataclass
class World:
    """All servers, each behind a proxy; a new database and a new Stripe for each schedule."""

    folder: Path
    disk: Disk
    postgres: OwnServer
    redis: Redis
    letters: Letters
    lines: Lines
    smtp_port: int
    database: Proxy = field(init=False)
    cache: Proxy = field(init=False)
    post: Proxy = field(init=False)
    cards: Proxy = field(init=False)
    stripe: StripeServer = field(init=False)
    workers: Workers = field(init=False)

    def __post_init__(self) -> None:
        self.database = Proxy(self.lines, at_socket(self._socket))
        self.cache = Proxy(self.lines, at_port(self.redis.port))
        self.post = Proxy(self.lines, at_port(self.smtp_port))
        self.stripe = StripeServer()
        self._key, self._secret = self.stripe.api_key, self.stripe.webhook_secret
        self._sealed_with = secrets.token_urlsafe(48)
        self.cards = Proxy(self.lines, at_port(1))
        self._meet_stripe()
        self.workers = Workers(self.environment, self.folder / "workers.log")

    @property
    def _socket(self) -> str:
        return f"{parse_qs(urlsplit(self.url).query)['host'][0]}/.s.PGSQL.5432"

    @property
    def url(self) -> str:
        """Past the proxy."""
        return self.postgres.url

    @property
    def environment(self) -> dict[str, str]:
        kept = {name: value for name, value in os.environ.items() if name not in FOREIGN}
        return kept | {
            "MODE": "development",
            "DATA_DIR": str(self.folder / "data"),
            "PORT": "8300",
            "SECRET_KEY": self._sealed_with,
            "REFLEX_TELEMETRY_ENABLED": "false",
            "DATABASE_URL": f"postgresql://postgres@127.0.0.1:{self.database.port}/rewards",
            "REDIS_URL": f"redis://127.0.0.1:{self.cache.port}/0",
            "SMTP_HOST": "127.0.0.1",
            "SMTP_PORT": str(self.post.port),
            "SMTP_STARTTLS": "false",
            "STRIPE_SECRET_KEY": self._key,
            "STRIPE_WEBHOOK_SECRET": self._secret,
            "STRIPE_API_BASE": f"http://127.0.0.1:{self.cards.port}",
        }

    def _meet_stripe(self) -> None:
        self.stripe.api_key, self.stripe.webhook_secret = self._key, self._secret
        self.stripe.start()
        self.cards.server = at_port(int(self.stripe.url.rpartition(":")[2]))

    def begin_anew(self) -> None:
        """An empty database, an empty Redis, another Stripe, no letters."""
        self.heal()
        with self.maintaining() as connection:
            connection.execute("drop database if exists rewards with (force)")
            connection.execute(f"create database rewards template {TEMPLATE} strategy file_copy")
        self.stripe.stop()
        self.stripe = StripeServer()
        self._meet_stripe()
        self.forget_cache()
        self.letters.all.clear()

    def heal(self) -> None:
        """Whatever was done to it: all of it works again."""
        self.disk.empty()
        for proxy in (self.database, self.cache, self.post, self.cards):
            proxy.passes()
        self.stripe.swallows_answers, self.stripe.nonsense = 0, None
        self.start_redis()
        self.start_postgres()

    def start_postgres(self, within: float = 30) -> None:
        """It may be dying of a full disk, or be at its recovery."""
        deadline = time.monotonic() + within
        while True:
            self.postgres.start()
            try:
                with self.maintaining() as connection:
                    connection.execute("select 1")
            except psycopg.OperationalError:
                assert time.monotonic() < deadline, "PostgreSQL does not come back"
                time.sleep(0.05)
            else:
                return

    def start_redis(self) -> None:
        if self.redis.process.poll() is not None:
            self.redis.start()

    def forget_cache(self) -> None:
        with RedisClient.from_url(self.redis.url) as client:
            client.flushall()

    def maintaining(self) -> psycopg.Connection[Any]:
        return psycopg.connect(named(self.url, "postgres"), autocommit=True, connect_timeout=5)

    def close(self) -> None:
        self.workers.close()
        self.stripe.stop()
        for proxy in (self.database, self.cache, self.post, self.cards):
            proxy.close()


FOREIGN = {
    *("DATABASE_URL", "REDIS_URL", "PUBLIC_URL", "SECRET_KEY", "SMTP_HOST", "SMTP_PORT"),
    *("STRIPE_SECRET_KEY", "STRIPE_WEBHOOK_SECRET", "STRIPE_API_BASE", "REFLEX_WEB_WORKDIR"),
}


@contextmanager
def a_world(folder: Path) -> Iterator[World]:
    folder.mkdir(parents=True, exist_ok=True)
    disk, lines = Disk(folder / "disk"), Lines()
    try:
        with (
            embedded.embedded_database(disk.folder) as running,
            smtp_server() as (letters, smtp_port),
        ):
            _prepare(running.url, folder)
            redis = Redis()
            world = World(folder, disk, OwnServer(running), redis, letters, lines, smtp_port)
            try:
                world.workers.is_ready()
                yield world
            finally:
                world.close()
                world.heal()
                redis.stop()
    finally:
        lines.close()
        disk.close()


def _prepare(url: str, folder: Path) -> None:
    """The newest schema in a template, and a server that keeps little on its small disk."""
    environment = {**os.environ, "DATABASE_URL": url, "DATA_DIR": str(folder / "data")}
    subprocess.run(
        [sys.executable, "-c", MIGRATE], cwd=PROJECT, env=environment, check=True, timeout=300
    )
    with psycopg.connect(named(url, "postgres"), autocommit=True) as connection:
        connection.execute(f"create database {TEMPLATE} template rewards strategy file_copy")
        for setting in SMALL_LOGS:
            connection.execute(f"alter system set {setting}")
        connection.execute("select pg_reload_conf()")
