"""`rewards dev` on a copy of the project: what is saved is shown."""

import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import httpx2 as httpx
import pytest

from tests.building import PROVIDER, give_packages, give_pages
from tests.serving import PROJECT
from tools.ports import free_port

SHOWN_WITHIN = 300
"""In seconds: all pages are built again, beside other tests."""


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    left_out = shutil.ignore_patterns(".git", ".venv", ".web", ".build", "data", "__pycache__")
    return Path(shutil.copytree(PROJECT, tmp_path / "project", ignore=left_out))


@pytest.fixture
def address(copy: Path) -> Iterator[str]:
    port = free_port()
    environment = {
        **os.environ,
        "PYTHONPATH": str(copy),
        "PORT": str(port),
        "DATA_DIR": str(copy / "data"),
        **PROVIDER,
        "OIDC_ISSUER": "http://localhost",
    }
    for inherited in ("DATABASE_URL", "REFLEX_WEB_WORKDIR"):
        environment.pop(inherited, None)
    # It begins with what was built for all tests: what matters here is what comes after.
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
        yield f"http://127.0.0.1:{port}"
        process.send_signal(signal.SIGINT)
        assert process.wait(timeout=40) == 0, (copy / "dev.log").read_text()[-3000:]


def shows(http: httpx.Client, address: str, words: str) -> bool:
    try:
        return words in http.get(f"{address}/landing/").text
    except httpx.HTTPError:
        return False


def until_shown(address: str, words: str) -> None:
    deadline = time.monotonic() + SHOWN_WITHIN
    with httpx.Client(timeout=5) as http:
        while not shows(http, address, words):
            assert time.monotonic() < deadline, f"{words!r} was not shown"
            time.sleep(0.2)


@pytest.mark.timeout(2 * SHOWN_WITHIN)
def test_a_saved_change_is_built_and_shown(address: str, copy: Path):
    until_shown(address, "Create your account")
    part = copy / "rewards_app" / "features" / "landing" / "joining.py"
    before = part.read_text()
    part.write_text(before.replace('t("landing.join")', '"Saved just now"'))
    assert part.read_text() != before
    until_shown(address, "Saved just now")
