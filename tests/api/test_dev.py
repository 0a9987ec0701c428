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

from tests.serving import PROJECT, free_port

SHOWN_WITHIN = 180
"""In seconds: the first time all pages are built from nothing, beside other tests."""


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
    }
    for inherited in ("DATABASE_URL", "REFLEX_WEB_WORKDIR"):
        environment.pop(inherited, None)
    with (copy / "dev.log").open("w") as log:
        command = [sys.executable, "-m", "rewards_app.cli", "dev"]
        process = subprocess.Popen(command, cwd=copy, env=environment, stdout=log, stderr=log)
        yield f"http://127.0.0.1:{port}"
        process.send_signal(signal.SIGINT)
        assert process.wait(timeout=40) == 0, (copy / "dev.log").read_text()[-3000:]


def shows(address: str, words: str) -> bool:
    try:
        return words in httpx.get(f"{address}/landing/", timeout=5).text
    except httpx.HTTPError:
        return False


def until_shown(address: str, words: str) -> None:
    deadline = time.monotonic() + SHOWN_WITHIN
    while not shows(address, words):
        assert time.monotonic() < deadline, f"{words!r} was not shown"
        time.sleep(0.2)


@pytest.mark.timeout(2 * SHOWN_WITHIN)
def test_a_saved_change_is_built_and_shown(address: str, copy: Path):
    until_shown(address, "Create your account")
    page = copy / "rewards_app" / "features" / "landing" / "pages.py"
    page.write_text(page.read_text().replace('t("landing.join")', '"Saved just now"'))
    until_shown(address, "Saved just now")
