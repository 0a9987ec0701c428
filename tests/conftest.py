"""What every test stands on: a PostgreSQL of its own, a clean limiter, made people."""

import gc
import os
import sys
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import hypothesis
import psycopg
import pytest
import pytest_socket
import time_machine

from tests import scratch
from tools import ports

# Thousands of tests are found, and all of them stay: looking for garbage takes as long again.
gc.disable()

TESTS = Path(__file__).parent
SCRATCH = scratch.a_folder()
os.environ.update(
    MODE="development",
    DATA_DIR=str(SCRATCH / "data"),
    PORT="8300",
    REFLEX_TELEMETRY_ENABLED="false",
    REFLEX_CHECK_LATEST_VERSION="0",
)
# Each of those who run tests takes ports of its own.
os.environ[ports.SHARE] = os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw")
# How long its thread may take to begin is nothing that we test.
os.environ["AIOSMTPD_CONTROLLER_TIMEOUT"] = "120"
for inherited in ("DATABASE_URL", "REDIS_URL", "PUBLIC_URL", "SECRET_KEY", "SMTP_HOST"):
    os.environ.pop(inherited, None)
for inherited in ("STRIPE_SECRET_KEY", "STRIPE_WEBHOOK_SECRET", "STRIPE_API_BASE"):
    os.environ.pop(inherited, None)
# Tests start many programs: where nothing compiled may be kept, each would compile all it imports.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False

from rewards_app import seeding  # noqa: E402
from rewards_app.core import database as app_database  # noqa: E402
from rewards_app.core import limits  # noqa: E402
from rewards_app.core.clock import utc_now  # noqa: E402
from rewards_app.core.database import dispose_engine  # noqa: E402
from rewards_app.core.postgres import embedded, schema  # noqa: E402
from rewards_app.core.settings import settings  # noqa: E402
from tests import ledger, order, paying  # noqa: E402
from tests.databases import (  # noqa: E402
    TEMPLATE,
    Swept,
    connected_to,
    lasting_engine,
    named,
    template_with,
)
from tests.servers import OwnServer  # noqa: E402
from tests.serving import Redis, Served, seeded, serving  # noqa: E402
from tests.stripe_server import StripeServer, stripe_server  # noqa: E402

# Before a test's module takes it by its name.
app_database.engine = lasting_engine

# A machine that others use, too, may be slow: that is no finding.
hypothesis.settings.register_profile("house", deadline=None, database=None)
hypothesis.settings.load_profile("house")


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    items.sort(key=lambda item: order.slowness(item.path.relative_to(TESTS)))


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    return order.ByServer(config, log) if config.getvalue("dist") == "loadfile" else None


def pytest_collection_finish() -> None:
    gc.enable()


def pytest_unconfigure() -> None:
    scratch.remove(SCRATCH)


def pytest_runtest_setup() -> None:
    pytest_socket.socket_allow_hosts(["127.0.0.1", "localhost", "::1"], allow_unix_socket=True)


@pytest.fixture(scope="session")
def postgres() -> Iterator[str]:
    """A server for this run, with the newest schema in a template database."""
    data = SCRATCH / "data"
    with embedded.embedded_database(data) as running:
        url = running.url
        os.environ["DATABASE_URL"] = url
        settings.cache_clear()
        schema.upgrade()
        with psycopg.connect(_maintenance(url), autocommit=True) as connection:
            connection.execute(f"create database {TEMPLATE} template {embedded.DATABASE}")
            # Matters when a machine dies, which no test tries; a disk that others use matters more.
            connection.execute("alter system set fsync = off")
            # Tidying comes when it likes: its transactions hold up what settles behind all others.
            connection.execute("alter system set autovacuum = off")
            connection.execute("select pg_reload_conf()")
        yield url


@pytest.fixture(scope="session")
async def demo(postgres: str) -> AsyncIterator[str]:
    """A template with all that the first start makes to try out."""
    async with template_with(postgres, seeding.seed_once) as (name, is_filled):
        assert is_filled
        yield name


@pytest.fixture
def template() -> str:
    """What the database of a test is when it begins; files that begin with the demo say so."""
    return TEMPLATE


@pytest.fixture(scope="session")
def _swept(postgres: str) -> Iterator[dict[str, Swept]]:
    """What the tests before have left swept, by its template."""
    kept: dict[str, Swept] = {}
    yield kept
    for one in kept.values():
        one.drop()


@pytest.fixture
async def database(
    postgres: str, template: str, _swept: dict[str, Swept], request: pytest.FixtureRequest
) -> AsyncIterator[str]:
    """A database of its own for this test; after it money, coins and codes must add up."""
    own = _swept.pop(template, None) or Swept(postgres, template)
    os.environ["DATABASE_URL"] = own.url
    settings.cache_clear()
    # A pool that an earlier test left open leads to another database.
    await dispose_engine()
    yield own.url
    await dispose_engine()
    os.environ["DATABASE_URL"] = postgres
    settings.cache_clear()
    promised = {} if "spoilt_books" in request.fixturenames else ledger.ALWAYS
    spoilt = ledger.broken_promises(own.connection, promised)
    if own.sweep():
        _swept[template] = own
    else:
        own.drop()
    assert not spoilt


@pytest.fixture
async def without_tables(database: str, postgres: str) -> AsyncIterator[None]:
    """The database answers, and has nothing of what is asked of it: whoever asks breaks."""
    with connected_to(_maintenance(postgres)):
        await dispose_engine()
        yield
        await dispose_engine()


@pytest.fixture
def noon() -> Iterator[None]:
    """Of today: no day ends while what was counted on it is compared."""
    with time_machine.travel(utc_now().replace(hour=12), tick=True):
        yield


@pytest.fixture
def stripe(database: str) -> Iterator[StripeServer]:
    """Cards are taken, by a Stripe of this test's own; without it the sandbox stands in."""
    with stripe_server() as running, paying.cards_by(running):
        yield running


@pytest.fixture
def spoilt_books() -> None:
    """For tests that spoil the ledger on purpose: nobody proves afterwards that it adds up."""


@pytest.fixture(scope="session")
def _own_server() -> Iterator[OwnServer]:
    """Beside the one of all other tests, which must never stop."""
    with embedded.embedded_database(SCRATCH / "own-server") as running:
        own = OwnServer(running)
        with connected_to(own.url):
            schema.upgrade()
        yield own
        own.start()


@pytest.fixture
async def own_server(_own_server: OwnServer) -> AsyncIterator[OwnServer]:
    """A server that the test may stop as it likes; after it the coins must add up."""
    _own_server.start()
    with connected_to(_own_server.url):
        await dispose_engine()
        yield _own_server
        await dispose_engine()
    _own_server.start()
    assert not ledger.what_is_wrong(_own_server.url)


@pytest.fixture
def its_own_server() -> Iterator[None]:
    """A bench starts one; the other tests find theirs again."""
    before = os.environ.get("DATABASE_URL")
    yield
    os.environ.pop("DATABASE_URL", None)
    if before:
        os.environ["DATABASE_URL"] = before
    settings.cache_clear()


@pytest.fixture(autouse=True)
def _fresh_limits() -> None:
    limits.forget_everything()


def _maintenance(url: str) -> str:
    return named(url, "postgres")


@pytest.fixture(scope="session")
def served() -> Iterator[Served]:
    """The production build with everything real around it, started once.

    After all of its tests money, coins and codes must add up.
    """
    with serving(seeded(SCRATCH / "served")) as running:
        yield running
        assert not ledger.what_is_wrong(running.database, ledger.ALWAYS)


@pytest.fixture(scope="session")
def redis() -> Iterator[Redis]:
    server = Redis()
    yield server
    server.stop()


@pytest.fixture
def in_redis(redis: Redis, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is counted is counted there, as several workers do."""
    storage = limits.SharedStorage(redis.url)
    monkeypatch.setattr(limits, "_storage", lambda: storage)


@pytest.fixture(scope="session")
def cards() -> Iterator[StripeServer]:
    """Who takes the cards of the app with two workers."""
    with stripe_server() as server:
        yield server


@pytest.fixture(scope="session")
def two_workers(redis: Redis, cards: StripeServer) -> Iterator[Served]:
    """The same app with two workers, their pages' states in Redis, and Stripe for cards."""
    with serving(
        seeded(SCRATCH / "workers"),
        REDIS_URL=redis.url,
        GRANIAN_WORKERS="2",
        STRIPE_SECRET_KEY=cards.api_key,
        STRIPE_WEBHOOK_SECRET=cards.webhook_secret,
        STRIPE_API_BASE=cards.url,
    ) as both:
        cards.webhook_url = f"{both.url}/webhooks/stripe"
        yield both
        assert not ledger.what_is_wrong(both.database, ledger.ALWAYS)
