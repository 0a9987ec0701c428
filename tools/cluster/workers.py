"""One worker: `rewards serve` on a port of its own, replaced when it ends."""

import json
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from tools.cluster.programs import kill, not_started, run, stop

REWARDS = Path(sys.executable).parent / "rewards"
SECONDS_TO_START = 120
SECONDS_UNTIL_REPLACED = 2.0
"""As RestartSec of deploy/systemd has it."""


@dataclass(slots=True)
class Worker:
    number: int
    port: int
    folder: Path
    process: "subprocess.Popen[bytes] | None" = None
    starts: int = 0
    """How many times it was started, the first one included."""
    _ended_at: float = field(default=0.0)

    @property
    def log(self) -> Path:
        return self.folder / f"worker-{self.number}.log"

    @property
    def pid(self) -> int:
        return self.process.pid if self.process else 0

    @property
    def lives(self) -> bool:
        return self.process is not None and self.process.poll() is None

    def start(self, environment: Mapping[str, str]) -> None:
        own = {**environment, "PORT": str(self.port), "GRANIAN_WORKERS": "1"}
        self.process = run([str(REWARDS), "serve"], self.log, environment=own)
        self.starts += 1
        self._ended_at = 0.0

    def is_due(self, *, now: float) -> bool:
        """Whether it ended a while ago and is to be replaced."""
        if self.lives:
            return False
        self._ended_at = self._ended_at or now
        return now - self._ended_at >= SECONDS_UNTIL_REPLACED

    def kill(self) -> None:
        if self.process:
            kill(self.process)

    def stop(self) -> None:
        if self.process:
            stop(self.process)

    @property
    def is_ready(self) -> bool:
        try:
            return bool(json.loads(self._answer()).get("ready"))
        except (OSError, ValueError):
            return False

    def _answer(self) -> str:
        """What it says of its parts; one that lacks any says that with an error's status."""
        try:
            url = f"http://127.0.0.1:{self.port}/readyz"
            with urllib.request.urlopen(url, timeout=3) as answer:
                return answer.read().decode()
        except urllib.error.HTTPError as refusal:
            return refusal.read().decode()

    def wait_until_ready(self) -> None:
        assert self.process, "it was started"
        deadline = time.monotonic() + SECONDS_TO_START
        while not (self.lives and self.is_ready):
            if time.monotonic() > deadline or not self.lives:
                name, said = f"Worker {self.number}", self._how_it_is()
                raise not_started(name, self.process, self.log, seconds=SECONDS_TO_START, said=said)
            time.sleep(0.1)

    def _how_it_is(self) -> str:
        try:
            return f"/readyz on port {self.port} says {self._answer().strip()}"
        except OSError as failure:
            return f"/readyz on port {self.port} does not answer, {failure}"
