"""What the workers share: Debian's PostgreSQL 15 and Redis 7, with data of their own."""

import os
import secrets
import shutil
import signal
import socket
import subprocess
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import psycopg

from tools.cluster.programs import CannotStart, not_started, program, run, stop
from tools.ports import free_port

DATABASE = OWNER = "watchcoins"
UNPRIVILEGED = "postgres"
"""PostgreSQL refuses to run as root; the Debian package makes this account."""
CONNECTIONS = 40
"""Of one worker, and some for whoever looks."""
SECONDS_TO_START = 30


@dataclass(frozen=True, slots=True)
class Engine:
    url: str
    process: "subprocess.Popen[bytes]"


@contextmanager
def postgres(folder: Path, *, workers: int, is_careful: bool = True) -> Generator[Engine]:
    """A server that speaks on 127.0.0.1 alone, to who knows the password.

    One that is not careful forgets its last words when the machine dies.
    """
    user = UNPRIVILEGED if os.geteuid() == 0 else None
    data, key = folder / "postgres", folder / "postgres.password"
    if not data.exists():
        _make(data, key, user)
    port = free_port()
    options = {
        "port": str(port),
        "listen_addresses": "127.0.0.1",
        "unix_socket_directories": "",
        "max_connections": str(40 + CONNECTIONS * workers),
        "fsync": "on" if is_careful else "off",
        "log_timezone": "UTC",
        "timezone": "UTC",
    }
    said = [word for name, value in options.items() for word in ("-c", f"{name}={value}")]
    process = run([program("postgres"), "-D", str(data), *said], folder / "postgres.log", user=user)
    address = f"postgresql://{OWNER}:{key.read_text()}@127.0.0.1:{port}"
    try:
        _wait_for("PostgreSQL", process, folder / "postgres.log", lambda: _is_there(address))
        yield Engine(f"{address}/{DATABASE}", process)
    finally:
        # Fast: connections that are open are cut, what was committed is written.
        stop(process, signal.SIGINT)


def _make(data: Path, key: Path, user: str | None) -> None:
    data.mkdir(parents=True)
    if user:
        _refuse_hidden(data)
        shutil.chown(data, user, user)
    data.chmod(0o700)
    key.touch(0o600)
    key.write_text(secrets.token_urlsafe(24))
    if user:
        shutil.chown(key, user, user)
    done = subprocess.run(
        [
            *(program("initdb"), "-D", str(data), "--username", OWNER, "--encoding", "UTF8"),
            *("--locale", "C.UTF-8", "--auth", "scram-sha-256", "--pwfile", str(key)),
        ],
        text=True,
        capture_output=True,
        user=user,
        group=user,
        cwd="/",
    )
    if done.returncode:
        shutil.rmtree(data)
        raise CannotStart(f"PostgreSQL could not be set up:\n{done.stderr[-2000:]}")


def _refuse_hidden(data: Path) -> None:
    """Whoever is not root may be unable to get to root's folders."""
    hidden = [str(one) for one in data.resolve().parents if not one.stat().st_mode & 0o001]
    if hidden:
        data.rmdir()
        raise CannotStart(
            f"PostgreSQL does not run as root, and {UNPRIVILEGED} cannot enter {hidden[-1]}."
            " Choose another folder: make cluster ARGS='--folder /var/tmp/cluster'"
        )


def _is_there(address: str) -> bool:
    try:
        with psycopg.connect(f"{address}/postgres", autocommit=True) as connection:
            known = connection.execute(
                "select 1 from pg_database where datname = %s", [DATABASE]
            ).fetchone()
            if not known:
                connection.execute(f"create database {DATABASE} template template0")
        return True
    except psycopg.OperationalError:
        return False


@contextmanager
def redis(folder: Path) -> Generator[Engine]:
    """Nothing that lasts is in it: it begins empty, and throws nothing away."""
    port = free_port()
    command = [
        *(program("redis-server"), "--port", str(port), "--bind", "127.0.0.1"),
        *("--save", "", "--appendonly", "no", "--dir", str(folder)),
        *("--maxmemory", "1gb", "--maxmemory-policy", "noeviction"),
        *("--notify-keyspace-events", "K$sgxe"),
    ]
    process = run(command, folder / "redis.log")
    try:
        _wait_for("Redis", process, folder / "redis.log", lambda: listens(port))
        yield Engine(f"redis://127.0.0.1:{port}/0", process)
    finally:
        stop(process)


def listens(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def _wait_for(
    name: str, process: "subprocess.Popen[bytes]", log: Path, is_there: Callable[[], bool]
) -> None:
    deadline = time.monotonic() + SECONDS_TO_START
    while time.monotonic() < deadline and process.poll() is None:
        if is_there():
            return
        time.sleep(0.05)
    raise not_started(name, process, log, seconds=SECONDS_TO_START)
