"""Starting the app on one machine: its database, its schema, its build, its server."""

import ctypes
import fcntl
import json
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Generator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from types import FrameType
from typing import NoReturn
from urllib.error import URLError

import psutil
import structlog
from watchfiles import watch

from rewards_app import build
from rewards_app.backups import dumping
from rewards_app.core import embedded, months, rights, schema
from rewards_app.core.clock import utc_now
from rewards_app.core.settings import Settings, settings

SECONDS_TO_START = 60
LONGEST_HEAD = 65_536
"""Of a request, in bytes: each socket and each page keeps its own."""
SECONDS_TO_STOP = 5
SECONDS_BETWEEN_LOOKS = 0.5
_log = structlog.get_logger(__name__)
PROJECT = Path(__file__).parents[1]


class CannotRun(Exception):
    """The app cannot start here; the message says why and what to do."""


@contextmanager
def own_data_folder(folder: Path) -> Generator[None]:
    """Only one process works on a data folder; a second one learns where the first serves."""
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "run.lock").open("a+") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            lock.seek(0)
            raise CannotRun(
                f"WatchCoins already runs on the data folder {folder.resolve()}:"
                f" {lock.read().strip()}."
                " Stop it first (Ctrl+C in its window), or choose another folder and port:"
                " make run DATA_DIR=trial PORT=8400"
            ) from None
        lock.seek(0)
        lock.truncate()
        lock.write(f"{settings().origin}, process {os.getpid()}")
        lock.flush()
        yield


@contextmanager
def database() -> Generator[embedded.Embedded | None]:
    """DATABASE_URL for everything that follows: the given one, or our own server's."""
    if settings().database_url:
        yield None
        return
    with embedded.embedded_database(settings().data_dir) as running:
        os.environ["DATABASE_URL"] = running.url
        settings.cache_clear()
        try:
            yield running
        finally:
            del os.environ["DATABASE_URL"]
            settings.cache_clear()


@contextmanager
def as_owner() -> Generator[None]:
    """DATABASE_URL is that of the owner, where there is one: for what the app's role may not do."""
    owner, given = settings().database_owner_url, settings().database_url
    if not owner:
        yield
        return
    os.environ["DATABASE_URL"] = owner
    settings.cache_clear()
    try:
        yield
    finally:
        os.environ["DATABASE_URL"] = given
        settings.cache_clear()


@contextmanager
def changing_tables() -> Generator[None]:
    """As the owner; then the app's role may do with them what it is for."""
    with as_owner():
        if settings().database_owner_url:
            rights.refuse_another_owner()
        yield
    if settings().database_owner_url:
        rights.grant_to_app()


def migrate() -> None:
    """Bring the schema up to date."""
    with changing_tables():
        _migrate()


def _migrate() -> None:
    """Our own server's data is backed up first; an app that slept for months needs room as well."""
    present = schema.present_revision()
    if present == schema.newest_revision():
        if months.may_change():
            months.make_ahead(now=utc_now())
        return
    if present and schema.is_known(present) and "/rewards?host=" in settings().database_url:
        saved = settings().data_dir / "backups" / f"before-{schema.newest_revision()}.dump"
        dumping.dump(saved)
        print(f"The database gets a newer schema; a backup is in {saved}")
    schema.upgrade()


def run(*, seed: Callable[[], None], greet: Callable[[], None]) -> int:
    """Serve until a signal ends it; the exit code of the server."""
    with ExitStack() as house:
        own_database = _prepare(house, seed)
        build.build_if_changed()
        server = _start_server()
        _pass_signals_on(server)
        if not _answers(server):
            return server.wait()
        greet()
        return _watch(server, own_database)


def serve() -> NoReturn:
    """Become the server of what is built and migrated: any number of these, each on its port."""
    refuse_unprepared()
    refuse_taken_port(settings())
    command = server_command()
    os.execve(command[0], command, server_environment())  # noqa: S606


def refuse_unprepared() -> None:
    """Where several serve, none of them changes what the others rely on."""
    if not settings().database_url:
        raise CannotRun(
            "'rewards serve' needs DATABASE_URL: the database in the data folder belongs to one"
            " process alone. Name a PostgreSQL, or start the app with 'rewards run'."
        )
    schema.refuse_outdated()
    if changed := build.what_changed():
        raise CannotRun(
            f"The frontend was not built of what is here ({', '.join(changed)})."
            " Run 'rewards build' with the same settings, then start again."
        )


def develop(*, seed: Callable[[], None], greet: Callable[[], None]) -> int:
    """Serve what is saved: after each change the pages are built and the server starts anew.

    Open pages reconnect by themselves, and reload where their state has another shape.
    """
    with ExitStack() as house:
        _prepare(house, seed)
        signal.signal(signal.SIGTERM, signal.default_int_handler)
        with suppress(KeyboardInterrupt):
            while True:
                _serve_until_something_is_saved(greet)
    return 0


def _serve_until_something_is_saved(greet: Callable[[], None]) -> None:
    # It wakes with nothing, too: what was saved just before it began to look is seen then.
    saved = watch(
        *(PROJECT / name for name in build.SOURCES), raise_interrupt=True, yield_on_timeout=True
    )
    server = None
    try:
        build.build_if_changed()
        server = _start_server()
        if _answers(server):
            greet()
    except build.BuildFailed as failure:
        print(failure, file=sys.stderr)
    try:
        while (build.is_current() or server is None) and not next(saved):
            pass
        print("Something was saved: building …", flush=True)
    finally:
        if server:
            server.terminate()
            server.wait(timeout=SECONDS_TO_STOP * 3)


def _prepare(house: ExitStack, seed: Callable[[], None]) -> embedded.Embedded | None:
    """All that a server needs: the folder, the port, the database with its schema."""
    house.enter_context(own_data_folder(settings().data_dir))
    end_orphan(settings().data_dir)
    refuse_taken_port(settings())
    own_database = house.enter_context(database())
    migrate()
    schema.refuse_outdated()
    if not settings().is_production:
        seed()
    return own_database


def _start_server() -> subprocess.Popen[bytes]:
    server = subprocess.Popen(
        server_command(), env=server_environment(), preexec_fn=_die_with_parent
    )
    _server_file(settings().data_dir).write_text(str(server.pid))
    return server


def _watch(server: subprocess.Popen[bytes], own_database: embedded.Embedded | None) -> int:
    """Wait for the server's end; meanwhile our own database is started again if it dies."""
    while True:
        try:
            return server.wait(timeout=SECONDS_BETWEEN_LOOKS)
        except subprocess.TimeoutExpired:
            if own_database and own_database.revive():
                _log.warning("database.revived")


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
        # It leads a group of its own, with its workers.
        os.killpg(int(file.read_text()), signal.SIGKILL)
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
        *("--interface", "asgi", "--factory"),
        *("--log-config", str(PROJECT / "rewards_app/core/granian_logs.json")),
        *("--host", chosen.host, "--port", str(chosen.port)),
        *("--workers", str(workers)),
        # One that was killed is replaced; else the others would end with it. A single one that
        # cannot start is to be seen at once.
        *(["--respawn-failed-workers"] if workers > 1 else []),
        *("--workers-kill-timeout", "10", "--log-level", "warning"),
        *("--http1-buffer-size", str(LONGEST_HEAD)),
        "rewards_app.rewards_app:app",
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


def _pass_signals_on(server: subprocess.Popen[bytes]) -> None:
    def stop(_signal: int, _frame: FrameType | None) -> None:
        server.terminate()

    signal.signal(signal.SIGINT, stop)
    signal.signal(signal.SIGTERM, stop)


def _answers(server: subprocess.Popen[bytes]) -> bool:
    """Wait until the server is ready; False when it ended instead."""
    url = f"http://{settings().host}:{settings().port}/readyz"
    deadline = time.monotonic() + SECONDS_TO_START
    while time.monotonic() < deadline and server.poll() is None:
        try:
            with urllib.request.urlopen(url, timeout=2) as answer:
                if json.load(answer)["ready"]:
                    return True
        except (URLError, OSError, ValueError):
            time.sleep(0.1)
    server.terminate()
    return False


@contextmanager
def database_for_a_command() -> Generator[None]:
    """The database for one command: the running app's own server is used, not started twice."""
    with ExitStack() as house:
        try:
            house.enter_context(own_data_folder(settings().data_dir))
        except CannotRun:
            house.enter_context(database_that_runs())
        else:
            house.enter_context(database())
        yield


@contextmanager
def database_that_runs() -> Generator[None]:
    """The given one, or our own as another process started it; CannotStart where none did."""
    if not settings().database_url:
        os.environ["DATABASE_URL"] = embedded.url_of_running(settings().data_dir)
        settings.cache_clear()
    yield
