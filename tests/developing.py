"""`rewards dev` on a copy of the project that begins with what was built for all tests."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path

import httpx2 as httpx

from tests.building import PROVIDER, give_packages, give_pages
from tests.conftest import SCRATCH
from tools.ports import free_port

SHOWN_WITHIN = 300
"""In seconds: all pages are built again, beside other tests."""


@contextmanager
def developing(copy: Path) -> Generator[httpx.Client]:
    """A client of the server that shows what is saved in the copy."""
    port = free_port()
    environment = {
        **os.environ,
        "PYTHONPATH": str(copy),
        "PORT": str(port),
        # Not in a folder of pytest: another one that begins closes it to the database's own user.
        "DATA_DIR": str(SCRATCH / "developing"),
        **PROVIDER,
        "OIDC_ISSUER": "http://localhost",
    }
    for inherited in ("DATABASE_URL", "REFLEX_WEB_WORKDIR"):
        environment.pop(inherited, None)
    give_pages(copy / ".web", environment, f"localhost:{port}")
    give_packages(copy / ".web")
    with (copy / "dev.log").open("w") as log:
        command = [sys.executable, "-m", "rewards_app.cli", "dev"]
        process = subprocess.Popen(
            command,
            cwd=copy,
            env=environment,
            stdout=log,
            stderr=log,
            # Where the tests run in the background, Ctrl+C is ignored, and a child inherits that.
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
        )
        try:
            with httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=5) as http:
                yield http
        finally:
            # Also where a test has failed: its server must not serve on.
            process.send_signal(signal.SIGINT)
            ended = _ends(process)
        assert ended == 0, (copy / "dev.log").read_text()[-3000:]


def _ends(process: subprocess.Popen[bytes]) -> int:
    try:
        return process.wait(timeout=40)
    except subprocess.TimeoutExpired:
        process.kill()
        return process.wait()


def until(shows: Callable[[], bool]) -> None:
    deadline = time.monotonic() + SHOWN_WITHIN
    while not _is_so(shows):
        assert time.monotonic() < deadline, "what was saved is not shown"
        time.sleep(0.2)


def _is_so(shows: Callable[[], bool]) -> bool:
    try:
        return shows()
    except httpx.HTTPError:
        return False
