"""The whole of it: engines, workers and a proxy, begun in their order and ended in the other."""

import json
import os
import shutil
import subprocess
import threading
import time
from collections.abc import Generator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from tools.cluster import engines, proxies
from tools.cluster.engines import Engine
from tools.cluster.programs import CannotStart, last_words, refuse_missing
from tools.cluster.workers import REWARDS, SECONDS_TO_START, Worker
from tools.ports import free_port

PROJECT = Path(__file__).parents[2]
NOTES = "cluster.json"
SECONDS_BETWEEN_LOOKS = 0.2
SECONDS_TO_BUILD = 900
SECONDS_UNTIL_KNOWN = {"nginx": 2.0, "caddy": 6.0}
"""The proxy looks again after a while whether a worker that was away is back: deploy/ says when."""
OF_ANOTHER_INSTALLATION = (
    *("DATABASE_URL", "REDIS_URL", "PUBLIC_URL", "HOST", "PORT", "MODE", "GRANIAN_WORKERS"),
    *("DATA_DIR", "REFLEX_WEB_WORKDIR", "TRUSTED_PROXY_HOPS"),
)


@dataclass
class Cluster:
    folder: Path
    port: int
    proxy_name: str
    settings: Mapping[str, str]
    """Settings of the app beyond those that the cluster chooses itself."""
    workers: list[Worker]
    postgres: Engine
    redis: Engine
    version: int = 1
    """Each has a folder of built pages: a worker goes on with those that it began with."""
    proxy: "subprocess.Popen[bytes] | None" = None
    has_started: bool = False
    """Whether every worker was ready once."""
    _turn: threading.Lock = field(default_factory=threading.Lock)
    _has_ended: threading.Event = field(default_factory=threading.Event)

    @property
    def url(self) -> str:
        return f"http://localhost:{self.port}"

    @property
    def data(self) -> Path:
        return self.folder / "data"

    def pages(self, version: int) -> Path:
        return self.folder / f"pages-{version}"

    @property
    def environment(self) -> dict[str, str]:
        """What every command and every worker of it is told."""
        inherited = {k: v for k, v in os.environ.items() if k not in OF_ANOTHER_INSTALLATION}
        return {
            **inherited,
            "MODE": "development",
            "HOST": "127.0.0.1",
            "PORT": str(self.port),
            "PUBLIC_URL": self.url,
            "DATA_DIR": str(self.data),
            "DATABASE_URL": self.postgres.url,
            "REDIS_URL": self.redis.url,
            "TRUSTED_PROXY_HOPS": "1",
            "GRANIAN_WORKERS": "1",
            "REFLEX_WEB_WORKDIR": str(self.pages(self.version)),
            **self.settings,
        }

    def command(self, *words: str, timeout: float = 120) -> "subprocess.CompletedProcess[str]":
        """`rewards …` with the settings of the workers."""
        try:
            return subprocess.run(
                [str(REWARDS), *words],
                cwd=PROJECT,
                env=self.environment,
                text=True,
                capture_output=True,
                timeout=timeout,
            )
        except subprocess.TimeoutExpired:
            asked = " ".join(words)
            raise CannotStart(f"rewards {asked} did not end within {timeout} seconds.") from None

    def adopt_pages(self) -> None:
        """Begin with what an earlier run built: the newest is version 1, the others are gone."""
        found = sorted(self.folder.glob("pages-*"), key=lambda one: int(one.name.split("-")[1]))
        for stale in found[:-1]:
            shutil.rmtree(stale)
        if found:
            found[-1].rename(self.pages(1))

    def prepare(self) -> None:
        """Build what changed and bring the schema up to date, as one does before workers start."""
        for words in (("build",), ("migrate",)):
            done = self.command(*words, timeout=SECONDS_TO_BUILD)
            if done.returncode:
                raise CannotStart(
                    f"rewards {words[0]} failed:\n{(done.stdout + done.stderr)[-3000:]}"
                )

    def start_workers(self) -> None:
        for worker in self.workers:
            worker.start(self.environment)
        self.write_down()
        for worker in self.workers:
            worker.wait_until_ready()
        self.has_started = True
        self.write_down()
        threading.Thread(target=self._keep_looking, daemon=True).start()

    def kill(self, number: int) -> None:
        """kill -9; it is replaced like one that died by itself."""
        with self._turn:
            self.workers[number - 1].kill()
        self.write_down()

    def wait_for(self, number: int, *, starts: int = 1) -> None:
        """Until the worker is ready, having been started so many times."""
        worker = self.workers[number - 1]
        deadline = time.monotonic() + SECONDS_TO_START
        while worker.starts < starts or not worker.lives:
            if time.monotonic() > deadline:
                raise CannotStart(
                    f"Worker {number} was not replaced within {SECONDS_TO_START} seconds."
                    f" {last_words(worker.log)}"
                )
            time.sleep(0.1)
        worker.wait_until_ready()

    def deploy(self) -> None:
        """Build and migrate what is in the folder now; then one worker after the other takes it."""
        before = self.pages(self.version)
        with self._turn:
            self.version += 1
            # Its packages are there already, and what is as it was is not built again.
            shutil.copytree(before, self.pages(self.version), symlinks=True)
        try:
            self.prepare()
        except CannotStart:
            self.version -= 1
            raise
        self.restart_all()
        self.write_down()

    def restart_all(self) -> None:
        """One after the other: at every moment all but one serve, and the proxy knows it."""
        for worker in self.workers:
            with self._turn:
                worker.stop()
                worker.start(self.environment)
            worker.wait_until_ready()
            self.write_down()
            time.sleep(SECONDS_UNTIL_KNOWN[self.proxy_name])

    def _look(self) -> None:
        """Replace the workers that ended."""
        for worker in self.workers:
            with self._turn:
                if worker.is_due(now=time.monotonic()) and not self._has_ended.is_set():
                    worker.start(self.environment)
                    self.write_down()

    def _keep_looking(self) -> None:
        while not self._has_ended.wait(SECONDS_BETWEEN_LOOKS):
            self._look()

    def end(self) -> None:
        self._has_ended.set()
        for worker in self.workers:
            if worker.process and worker.lives:
                worker.process.terminate()
        for worker in self.workers:
            worker.stop()

    def write_down(self) -> None:
        """For the commands of other windows: who runs, and where."""
        notes = {
            "owner": os.getpid(),
            "url": self.url,
            "proxy": self.proxy_name,
            "version": self.version,
            "has_started": self.has_started,
            "postgres": self.postgres.process.pid,
            "redis": self.redis.process.pid,
            "workers": [
                {"number": one.number, "port": one.port, "pid": one.pid, "starts": one.starts}
                for one in self.workers
            ],
        }
        file = self.folder / NOTES
        new = file.with_suffix(".new")
        new.touch(0o600)
        new.write_text(json.dumps(notes, indent=2) + "\n")
        new.replace(file)


@contextmanager
def cluster(
    folder: Path,
    *,
    workers: int = 2,
    port: int = 0,
    proxy: str = "nginx",
    settings: Mapping[str, str] | None = None,
    is_careful: bool = True,
) -> Generator[Cluster]:
    """Engines and a proxy run, workers are known and not started: the caller prepares first."""
    refuse_missing(["postgres", "redis-server", proxy])
    folder = folder.resolve()
    folder.mkdir(parents=True, exist_ok=True)
    port = port or free_port()
    if engines.listens(port):
        raise CannotStart(f"Port {port} is taken. Choose another one: make cluster PORT={port + 1}")
    with ExitStack() as house:
        database = house.enter_context(
            engines.postgres(folder, workers=workers, is_careful=is_careful)
        )
        redis = house.enter_context(engines.redis(folder))
        known = [Worker(number, free_port(), folder) for number in range(1, workers + 1)]
        all_of_it = Cluster(folder, port, proxy, settings or {}, known, database, redis)
        house.callback((folder / NOTES).unlink, missing_ok=True)
        house.callback(all_of_it.end)
        all_of_it.write_down()
        all_of_it.proxy = house.enter_context(
            proxies.PROXIES[proxy](folder, port, [one.port for one in known])
        )
        yield all_of_it
