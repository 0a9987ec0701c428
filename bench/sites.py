"""Both apps as they are served: the production build behind granian, one worker, on 127.0.0.1."""

import asyncio
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

import psutil
import socketio.exceptions

from bench.client import Tab, opened
from bench.people import make_people
from rewards_app.build import REFLEX_ENVIRONMENT, SERVING_ENVIRONMENT
from tools.ports import free_port

PROJECT = Path(__file__).parents[1]
PROGRAMS = Path(sys.executable).parent
SECONDS_TO_BUILD = 240
SECONDS_TO_STOP = 40
OUT_OF_PLACE = {
    *("DATABASE_URL", "REDIS_URL", "PUBLIC_URL", "SECRET_KEY", "SMTP_HOST"),
    *("HOST", "MODE", "GRANIAN_WORKERS"),
}
ENVIRONMENT = {name: value for name, value in os.environ.items() if name not in OUT_OF_PLACE}


@dataclass(frozen=True)
class Site:
    """An app that was built and can be started any number of times, always at one address."""

    name: str
    home: str
    folder: Path
    command: list[str]
    environment: dict[str, str]
    log: Path

    @property
    def origin(self) -> str:
        return f"http://localhost:{self.port}"

    @property
    def port(self) -> int:
        return int(self.environment["PORT"])

    @contextmanager
    def started(self) -> Iterator[psutil.Process]:
        """Serve until the block ends; it begins when a state connects. Yields the worker."""
        with self.log.open("w") as output:
            process = subprocess.Popen(
                self.command,
                cwd=self.folder,
                env=self.environment,
                stdout=output,
                stderr=subprocess.STDOUT,
            )
            try:
                asyncio.run(self._connected(process))
                yield _worker_of(process)
            except Exception:
                print(f"The log of {self.name} ends:\n{self.log.read_text()[-4000:]}", flush=True)
                raise
            finally:
                _stop(process)

    async def _connected(self, process: subprocess.Popen[bytes]) -> None:
        deadline = time.monotonic() + SECONDS_TO_BUILD
        while time.monotonic() < deadline and process.poll() is None:
            with suppress(OSError, socketio.exceptions.ConnectionError):
                socket.create_connection(("127.0.0.1", self.port)).close()
                async with opened([Tab(self.origin, self.home)]):
                    return
            await asyncio.sleep(0.05)
        raise RuntimeError(f"{self.name} did not start:\n{self.log.read_text()[-4000:]}")


def _worker_of(process: subprocess.Popen[bytes]) -> psutil.Process:
    """The process that holds the states: the largest one under granian, which starts it."""
    family = [psutil.Process(process.pid), *psutil.Process(process.pid).children(recursive=True)]
    granian = next(each for each in family if any("bin/granian" in word for word in each.cmdline()))
    return max(granian.children(), key=lambda child: child.memory_info().rss)


def _stop(process: subprocess.Popen[bytes]) -> None:
    process.send_signal(signal.SIGTERM)
    try:
        process.wait(SECONDS_TO_STOP)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


@dataclass
class Sites:
    """Ours and the blank one, each built when first asked for."""

    scratch: Path
    sessions: list[str] = field(default_factory=list)
    """The secrets of signed-in players of ours, one account each; there once `ours` is."""

    @cached_property
    def ours(self) -> Site:
        data = self.scratch / "data"
        site = Site(
            name="WatchCoins",
            home="/landing",
            folder=PROJECT,
            command=[str(PROGRAMS / "rewards"), "run"],
            environment={
                **ENVIRONMENT,
                "PORT": str(free_port()),
                "DATA_DIR": str(data),
                "REFLEX_WEB_WORKDIR": str(PROJECT / ".build" / "bench-web"),
            },
            log=self.scratch / "ours.log",
        )
        print("Building ours …", flush=True)
        with site.started():
            self.sessions = make_people(data)
        return site

    @cached_property
    def blank(self) -> Site:
        folder = self.scratch / "blank"
        shutil.copytree(PROJECT / "bench" / "blank", folder)
        port = str(free_port())
        serve = ["--interface", "asgi", "--factory", "--host", "127.0.0.1", "--port", port]
        site = Site(
            name="blank",
            home="/",
            folder=folder,
            command=[str(PROGRAMS / "granian"), *serve, "--workers", "1", "blank.blank:app"],
            environment={
                **ENVIRONMENT,
                **REFLEX_ENVIRONMENT,
                **SERVING_ENVIRONMENT,
                "PORT": port,
                "REFLEX_WEB_WORKDIR": str(folder / ".web"),
            },
            log=self.scratch / "blank.log",
        )
        print("Building the blank app …", flush=True)
        _build(site)
        return site


def _build(site: Site) -> None:
    building = {k: v for k, v in site.environment.items() if k not in SERVING_ENVIRONMENT}
    command = [str(PROGRAMS / "reflex"), "export", "--frontend-only", "--no-zip"]
    with site.log.open("w") as output:
        done = subprocess.run(
            command,
            cwd=site.folder,
            env=building,
            stdout=output,
            stderr=subprocess.STDOUT,
            timeout=SECONDS_TO_BUILD,
        )
    if done.returncode:
        raise RuntimeError(f"The blank app was not built:\n{site.log.read_text()[-4000:]}")


@contextmanager
def sites() -> Iterator[Sites]:
    with tempfile.TemporaryDirectory(prefix="rewards-bench-") as scratch:
        yield Sites(Path(scratch))
