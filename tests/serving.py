"""The app as users meet it: the production build, served once for each who runs tests."""

import json
import os
import re
import shutil
import signal
import socket
import ssl
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from email.message import EmailMessage
from functools import cache
from pathlib import Path

import redis as redis_client
from aiosmtpd.controller import Controller
from aiosmtpd.handlers import Message

from rewards_app.core.postgres import embedded
from tests import loaded, scratch
from tests.building import PROVIDER, give_pages, taken_as_current
from tests.nights import put_off_nights
from tests.openid import openid_provider
from tools.ports import free_port

PROJECT = Path(__file__).parents[1]
REWARDS = str(Path(sys.executable).parent / "rewards")
SERVES_COMMANDS = "import sys; from tests import loaded; loaded.serve(sys.argv[1])"
LINK = re.compile(r"https?://\S+/(?:auth|email|guardian|keep-factor|mailed|waitlist)\?\S+")


class Letters(Message):
    """A real SMTP server that keeps what it is sent."""

    def __init__(self) -> None:
        super().__init__(EmailMessage)
        self.all: list[EmailMessage] = []

    def handle_message(self, message: EmailMessage) -> None:
        self.all.append(message)

    def to(self, recipient: str) -> list[EmailMessage]:
        return [letter for letter in self.all if letter["To"] == recipient]

    def link_to(self, recipient: str, *, number: int = 1, within: float = 20) -> str:
        """The link in the `number`th letter to `recipient`, once it has come."""
        deadline = time.monotonic() + within
        while time.monotonic() < deadline:
            if len(letters := self.to(recipient)) >= number:
                found = LINK.search(text_of(letters[number - 1]))
                assert found, text_of(letters[number - 1])
                return found.group()
            time.sleep(0.1)
        raise AssertionError(f"no letter {number} to {recipient} within {within} s")


def text_of(letter: EmailMessage) -> str:
    for part in letter.walk():
        if part.get_content_type() == "text/plain":
            return part.get_payload(decode=True).decode(part.get_content_charset() or "utf-8")
    raise AssertionError("a letter without text")


@contextmanager
def smtp_server(
    port: int = 0, *, tls: ssl.SSLContext | None = None, letters: Letters | None = None
) -> Iterator[tuple[Letters, int]]:
    """With `tls` it takes a letter by STARTTLS, and by nothing else."""
    letters = letters or Letters()
    port = port or free_port()
    secure = {"tls_context": tls, "require_starttls": True} if tls else {}
    controller = Controller(letters, hostname="127.0.0.1", port=port, **secure)
    controller.start()
    try:
        yield letters, port
    finally:
        controller.stop()


class Redis:
    """A real Redis that can be stopped and started; it forgets everything in between."""

    def __init__(self, folder: Path | None = None) -> None:
        """What it saves goes into the folder, once somebody has it save."""
        self.port = free_port()
        self.folder = folder
        self.start()

    def start(self) -> None:
        program = shutil.which("redis-server")
        assert program, "make test installs redis-server"
        quiet = ["--save", "", "--appendonly", "no"]
        self.process = subprocess.Popen(
            [program, "--port", str(self.port), "--bind", "127.0.0.1", *quiet],
            cwd=self.folder,
            stdout=subprocess.DEVNULL,
        )
        self._wait_until_it_listens()

    def _wait_until_it_listens(self, within: float = 10) -> None:
        deadline = time.monotonic() + within
        while time.monotonic() < deadline:
            assert self.process.poll() is None, "Redis ended"
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", self.port)) == 0:
                    return
            time.sleep(0.02)
        raise AssertionError(f"Redis does not listen within {within} s")

    @property
    def url(self) -> str:
        return f"redis://127.0.0.1:{self.port}/0"

    def stop(self) -> None:
        self.process.kill()
        self.process.wait(timeout=10)

    @contextmanager
    def away(self) -> Iterator[None]:
        self.stop()
        try:
            yield
        finally:
            self.start()


@contextmanager
def redis_that_cannot_save(folder: Path, *, with_log: bool = False) -> Iterator[Redis]:
    """Its disk is full, or it may copy itself and the folder is gone: it refuses to write."""
    (place := folder / "redis").mkdir()
    one = Redis(place)
    try:
        with redis_client.Redis.from_url(one.url) as client:
            if with_log:
                (place / "appendonlydir").mkdir()
                (place / "appendonlydir/temp-appendonly.aof.incr").symlink_to("/dev/full")
                client.config_set("appendonly", "yes")
            else:
                client.config_set("save", "3600 1")
                place.rmdir()
                client.bgsave()
            _wait_until_it_refuses(client)
        yield one
    finally:
        one.stop()


def _wait_until_it_refuses(client: redis_client.Redis, within: float = 20) -> None:
    deadline = time.monotonic() + within
    while time.monotonic() < deadline:
        if _refuses(client):
            return
        time.sleep(0.05)
    raise AssertionError(f"Redis goes on writing for {within} s")


def _refuses(client: redis_client.Redis) -> bool:
    try:
        client.set("one", "written")
    except redis_client.ResponseError as refusal:
        return "MISCONF" in str(refusal)
    return False


def rewards_once_loaded() -> list[str]:
    """What is typed in place of `rewards`, to the same effect."""
    return [sys.executable, "-I", "-S", loaded.__file__, str(_loaded_rewards()[0])]


@cache
def _loaded_rewards() -> tuple[Path, subprocess.Popen[bytes]]:
    """Its folder, and the process: it ends with ours, which holds the other end of its input."""
    folder = scratch.a_folder()
    return folder, loads_program(folder)


def loads_program(folder: Path, code: str = SERVES_COMMANDS) -> subprocess.Popen[bytes]:
    """A session of its own is told of nothing that is pressed here."""
    with (folder / "log").open("wb") as log:
        process = subprocess.Popen(
            [sys.executable, "-P", "-c", code, str(folder)],
            cwd=PROJECT,
            env={**os.environ, "PYTHONPATH": str(PROJECT)},
            stdin=subprocess.PIPE,
            stdout=log,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    while not (folder / "door").exists():
        assert process.poll() is None, (folder / "log").read_text()
        time.sleep(0.01)
    return process


def seeded(folder: Path) -> Path:
    """As the first start leaves it, with the demo's people: who serves on it starts sooner."""
    subprocess.run(["cp", "-a", _seeded(), folder], check=True)
    return folder


@cache
def _seeded() -> Path:
    """Made once, in a folder that goes with whoever runs our commands."""
    folder = _loaded_rewards()[0] / "seeded"
    environment = {**os.environ, "DATA_DIR": str(folder)}
    environment.pop("DATABASE_URL", None)
    done = subprocess.run(
        [*rewards_once_loaded(), "seed"],
        cwd=PROJECT,
        env=environment,
        text=True,
        capture_output=True,
    )
    assert done.returncode == 0, done.stderr
    return folder


@dataclass
class Served:
    """A running app, its letters, its demo people."""

    url: str
    data: Path
    letters: Letters
    issuer: str
    log: Path
    environment: dict[str, str]
    accounts: dict[str, dict[str, str]] = field(default_factory=dict)
    process: subprocess.Popen[str] = field(init=False)

    @property
    def database(self) -> str:
        """The one that it was given, or its own."""
        return self.environment.get("DATABASE_URL") or embedded.url_of_running(self.data)

    def start(self) -> None:
        """Run the server on this folder and port; what an earlier one wrote stays in the log."""
        said_before = len(self.log.read_text()) if self.log.exists() else 0
        with self.log.open("a") as output:
            self.process = subprocess.Popen(
                [REWARDS, "run"],
                cwd=PROJECT,
                env=self.environment,
                stdout=output,
                stderr=subprocess.STDOUT,
                text=True,
            )
        _wait_until_ready(self, said_before)

    def stop(self) -> None:
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(timeout=40)

    def command(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        """Run `rewards …` beside the server, on its database; what serves is never forked."""
        program = [REWARDS] if arguments[0] == "run" else rewards_once_loaded()
        return subprocess.run(
            [*program, *arguments],
            cwd=PROJECT,
            env=self.environment,
            text=True,
            capture_output=True,
            timeout=60,
        )


@contextmanager
def serving(folder: Path, **settings: str) -> Iterator[Served]:
    """`rewards run` on a data folder of its own, with real servers for mail and providers."""
    port = free_port()
    pages = folder.with_name(f"{folder.name}-pages")
    with smtp_server() as (letters, smtp_port), openid_provider() as issuer:
        environment = {
            **os.environ,
            "PORT": str(port),
            "DATA_DIR": str(folder),
            "REFLEX_WEB_WORKDIR": str(pages),
            # Every test comes from an address of its own, as X-Forwarded-For names it.
            "TRUSTED_PROXY_HOPS": "1",
            "SMTP_HOST": "127.0.0.1",
            "SMTP_PORT": str(smtp_port),
            "SMTP_STARTTLS": "false",
            **PROVIDER,
            "OIDC_ISSUER": issuer,
            **settings,
        }
        environment.pop("DATABASE_URL", None)
        environment.update({k: v for k, v in settings.items() if k == "DATABASE_URL"})
        give_pages(pages, environment, f"localhost:{port}")
        yield from _run(environment, port, folder, letters, issuer)


def _run(
    environment: dict[str, str], port: int, folder: Path, letters: Letters, issuer: str
) -> Iterator[Served]:
    folder.mkdir(parents=True, exist_ok=True)
    served = Served(
        f"http://localhost:{port}", folder, letters, issuer, folder / "server.log", environment
    )
    try:
        with taken_as_current(Path(environment["REFLEX_WEB_WORKDIR"])):
            served.start()
        put_off_nights(served.database)
        rows = json.loads((folder / "demo-accounts.json").read_text())
        served.accounts = {row["role"]: row for row in rows}
        yield served
    finally:
        served.stop()


def _wait_until_ready(served: Served, said_before: int, within: float = 120) -> None:
    deadline = time.monotonic() + within
    while time.monotonic() < deadline:
        if "is ready" in served.log.read_text()[said_before:]:
            return
        if served.process.poll() is not None:
            break
        time.sleep(0.1)
    raise AssertionError(f"the app did not start:\n{served.log.read_text()[-4000:]}")


__all__ = ["Letters", "Redis", "Served", "serving", "smtp_server", "text_of"]
