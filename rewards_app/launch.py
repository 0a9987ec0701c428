"""Starting the app on one machine: its database, its schema, its build, its server."""

import fcntl
import os
import signal
import sys
import time
from collections.abc import Callable, Generator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import NoReturn

import structlog
from watchfiles import watch

from rewards_app import build
from rewards_app.backups import dumping
from rewards_app.core.clock import utc_now
from rewards_app.core.postgres import embedded, months, rights, schema
from rewards_app.core.settings import settings
from rewards_app.server import (
    PROJECT,
    CannotRun,
    Lives,
    Server,
    end_orphan,
    refuse_taken_port,
    server_command,
    server_environment,
)

SECONDS_BETWEEN_LOOKS = 0.5
_log = structlog.get_logger(__name__)


@contextmanager
def own_data_folder(folder: Path) -> Generator[None]:
    """Only one process works on a data folder; a second one learns where the first serves."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        lock = (folder / "run.lock").open("a+")
    except OSError as failure:
        raise embedded.CannotStart(
            f"The data folder {folder.resolve()} cannot be used: {failure.strerror}."
            " Name another one in DATA_DIR, or run this as the user who owns it."
        ) from failure
    with lock:
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
    rights.refuse_unchecked_server()
    rights.refuse_another_database()
    os.environ["DATABASE_URL"] = owner
    settings.cache_clear()
    try:
        yield
    finally:
        os.environ["DATABASE_URL"] = given
        settings.cache_clear()


@contextmanager
def changing_tables() -> Generator[None]:
    """As the owner, and by nobody else meanwhile; then the app's role may do what it is for.

    Also with what was made before it broke off: else not even a backup may read that.
    """
    rights.refuse_unchecked_server()
    with schema.changed_by_one_alone(), ExitStack() as afterwards:
        with as_owner():
            if settings().database_owner_url:
                rights.refuse_another_owner()
        if settings().database_owner_url:
            afterwards.callback(rights.grant_to_app)
        with as_owner():
            yield


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
        server = Server()
        server.ends_with_signals()
        if not server.answers():
            return server.wait()
        greet()
        return _keep(server, own_database)


def _keep(server: Server, own_database: embedded.Embedded | None) -> int:
    """Until a signal ends it: who dies meanwhile is started again, our own database as well.

    Granian ends by itself where a worker dies right after it took another one's place. Nobody waits
    here until it answers: the database that it waits for may be one to start again.
    """
    lives = Lives()
    while not server.is_told_to_end and not lives.are_in_vain:
        is_gone = server.has_ended(SECONDS_BETWEEN_LOOKS)
        lives.has_answered = lives.has_answered or (not is_gone and server.is_heard())
        if own_database and own_database.revive():
            _log.warning("database.revived")
        if is_gone and not server.is_told_to_end:
            _start_again(server, lives)
    return server.wait()


def _start_again(server: Server, lives: Lives) -> None:
    lives.ended()
    if lives.are_in_vain:
        return
    if not lives.next_is_due:
        time.sleep(SECONDS_BETWEEN_LOOKS)
        return
    _log.warning("server.revived")
    server.start()
    lives.began()


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
    tried = build.fingerprint()
    try:
        build.build_if_changed()
        server = Server()
        if server.answers():
            greet()
    except build.BuildFailed as failure:
        print(failure, file=sys.stderr)
    try:
        while (build.is_current() if server else build.fingerprint() == tried) and not next(saved):
            pass
        print("Something was saved: building …", flush=True)
    finally:
        if server:
            server.end()
            server.wait()


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
