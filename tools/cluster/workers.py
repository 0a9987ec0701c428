"""One worker: `rewards serve` on a port of its own, replaced when it ends."""

import json
import subprocess
import sys
import time
import urllib.request
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from tools.cluster.programs import CannotStart, kill, run, stop

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
            url = f"http://127.0.0.1:{self.port}/readyz"
            with urllib.request.urlopen(url, timeout=3) as answer:
                return bool(json.load(answer)["ready"])
        except (OSError, ValueError):
            return False

    def wait_until_ready(self) -> None:
        deadline = time.monotonic() + SECONDS_TO_START
        while not (self.lives and self.is_ready):
            if time.monotonic() > deadline or not self.lives:
                raise CannotStart(
                    f"Worker {self.number} did not start:\n{self.log.read_text()[-3000:]}"
                )
            time.sleep(0.1)
