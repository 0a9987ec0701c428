"""The server's processes: Granian with its workers, a group of its own that ends with us."""

import ctypes
import json
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from contextlib import suppress
from http.client import HTTPException
from pathlib import Path
from types import FrameType
from urllib.error import URLError

import psutil

from rewards_app import build
from rewards_app.core.settings import Settings, settings

SECONDS_TO_START = 60
SECONDS_TO_STOP = 5
SECONDS_TO_BE_HEARD = 0.5
UNHEARD = (URLError, OSError, ValueError, HTTPException)
LONGEST_HEAD = 65_536
"""Of a request, in bytes: each socket and each page keeps its own."""
PROJECT = Path(__file__).parents[1]


class CannotRun(Exception):
    """The app cannot start here; the message says why and what to do."""


class Lives:
    """How long a server lives that is started again and again.

    One that ends soon each time, and never answered, waits longer and longer, and is given up:
    something has to be prepared anew, by whoever starts us. Whoever has answered was well, and was
    ended by something else: by somebody, or by a machine without memory.
    """

    LONG = 60.0
    PAUSES = (1.0, 2.0, 4.0, 8.0, 16.0)

    def __init__(self) -> None:
        self.has_answered = False
        self._in_vain = 0
        self._began = time.monotonic()
        self._ended: float | None = None

    def ended(self) -> None:
        """Said as often as it is seen; it counts once."""
        if self._ended is None:
            self._ended = time.monotonic()
            was_well = self.has_answered or self._ended - self._began >= self.LONG
            self._in_vain = 0 if was_well else self._in_vain + 1

    @property
    def are_in_vain(self) -> bool:
        return self._in_vain > len(self.PAUSES)

    @property
    def next_is_due(self) -> bool:
        pause = self.PAUSES[self._in_vain - 1] if self._in_vain else 0.0
        return self._ended is not None and time.monotonic() - self._ended >= pause

    def began(self) -> None:
        self.has_answered = False
        self._began, self._ended = time.monotonic(), None


class Server:
    """It runs until it is told to end, or ends by itself; then it can be started again."""

    def __init__(self) -> None:
        self.is_told_to_end = False
        self.start()

    def start(self) -> None:
        self._process = subprocess.Popen(
            server_command(), env=server_environment(), preexec_fn=_die_with_parent
        )
        _server_file(settings().data_dir).write_text(str(self._process.pid))
        if self.is_told_to_end:
            self._process.terminate()

    def ends_with_signals(self) -> None:
        def stop(_signal: int, _frame: FrameType | None) -> None:
            self.end()

        signal.signal(signal.SIGINT, stop)
        signal.signal(signal.SIGTERM, stop)

    def end(self) -> None:
        self.is_told_to_end = True
        self._process.terminate()

    def has_ended(self, within: float) -> bool:
        try:
            self._process.wait(timeout=within)
        except subprocess.TimeoutExpired:
            return False
        _end_group(self._process.pid)
        return True

    def wait(self) -> int:
        """Until it has ended; its exit code."""
        code = self._process.wait()
        _end_group(self._process.pid)
        return code

    def is_heard(self) -> bool:
        """Whether a worker answers now, whatever it may be without."""
        with suppress(*UNHEARD):
            return _said("healthz", within=SECONDS_TO_BE_HEARD)["alive"]
        return False

    def answers(self) -> bool:
        """Wait until the server is ready; False when it ended instead."""
        deadline = time.monotonic() + SECONDS_TO_START
        while time.monotonic() < deadline and self._process.poll() is None:
            try:
                if _said("readyz", within=2)["ready"]:
                    return True
            except UNHEARD:
                time.sleep(0.1)
        self._process.terminate()
        return False


def _said(path: str, *, within: float) -> dict[str, bool]:
    url = f"http://{settings().host}:{settings().port}/{path}"
    with urllib.request.urlopen(url, timeout=within) as answer:
        return json.load(answer)


def _end_group(leader: int) -> None:
    """Workers whose server was killed would go on, and keep the port."""
    with suppress(ProcessLookupError):
        os.killpg(leader, signal.SIGKILL)


def _server_file(data_dir: Path) -> Path:
    return data_dir / "server.pid"


def end_orphan(data_dir: Path) -> None:
    """A server whose owner was killed may still be stopping: wait for it, then end it."""
    file = _server_file(data_dir)
    try:
        orphan = psutil.Process(int(file.read_text()))
        if "granian" not in " ".join(orphan.cmdline()):
            return
        orphan.terminate()
        orphan.wait(timeout=SECONDS_TO_STOP)
    except psutil.TimeoutExpired:
        _end_group(int(file.read_text()))
    except (OSError, ValueError, psutil.Error):
        return


def refuse_taken_port(chosen: Settings) -> None:
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((chosen.host, chosen.port))
        except OSError:
            raise CannotRun(
                f"Port {chosen.port} on {chosen.host} is taken by another program."
                f" Choose another one: make run PORT={chosen.port + 100}"
            ) from None


def server_command() -> list[str]:
    chosen = settings()
    workers = worker_count(chosen)
    return [
        str(Path(sys.executable).parent / "granian"),
        *("--interface", "asgi", "--factory", "--loop", "uvloop"),
        *("--log-config", str(PROJECT / "rewards_app/core/watching/granian_logs.json")),
        *("--host", chosen.host, "--port", str(chosen.port)),
        *("--workers", str(workers)),
        # One that was killed is replaced; else the others would end with it. A single one that
        # cannot start is to be seen at once.
        *(["--respawn-failed-workers"] if workers > 1 else []),
        *("--workers-kill-timeout", "10", "--log-level", "warning"),
        *("--http1-buffer-size", str(LONGEST_HEAD)),
        "rewards_app.served:app",
    ]


def worker_count(chosen: Settings) -> int:
    """Reflex's state lives in one process, or in Redis for several."""
    if given := os.environ.get("GRANIAN_WORKERS"):
        return int(given)
    return min(2 * (os.cpu_count() or 1) + 1, 8) if chosen.redis_url else 1


def server_environment() -> dict[str, str]:
    """Who serves does not know the owner of the database."""
    known = {name: said for name, said in os.environ.items() if name != "DATABASE_OWNER_URL"}
    return {**known, **build.REFLEX_ENVIRONMENT, **build.SERVING_ENVIRONMENT}


def _die_with_parent() -> None:
    """A server without its owner would keep the port: on Linux it goes when the owner goes."""
    if sys.platform == "linux":
        pr_set_pdeathsig = 1
        ctypes.CDLL(None).prctl(pr_set_pdeathsig, signal.SIGTERM)
    os.setpgrp()
