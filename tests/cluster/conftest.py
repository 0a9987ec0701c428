"""Two workers behind nginx on PostgreSQL 15 and Redis, and browsers in front of them."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests import ledger
from tests.browser.conftest import (
    a_chromium,  # noqa: F401 # pyright: ignore[reportUnusedImport]
    a_person,  # noqa: F401 # pyright: ignore[reportUnusedImport]
    come,  # noqa: F401 # pyright: ignore[reportUnusedImport]
    maja,  # noqa: F401 # pyright: ignore[reportUnusedImport]
    pytest_runtest_makereport,  # noqa: F401 # pyright: ignore[reportUnusedImport]
    pytest_runtest_setup,  # noqa: F401 # pyright: ignore[reportUnusedImport]
)
from tests.building import PROVIDER, give_pages, taken_as_current
from tests.conftest import SCRATCH
from tests.openid import openid_provider
from tests.serving import Served, smtp_server
from tools.cluster.programs import CannotStart, refuse_missing
from tools.cluster.running import Cluster, cluster


def skip_without(*names: str) -> None:
    """Not every system has them; tests/prepare.sh installs them where it can."""
    try:
        refuse_missing(names)
    except CannotStart as refusal:
        pytest.skip(str(refusal))


@pytest.fixture(scope="session")
def letters_and_cluster() -> Iterator[tuple[Cluster, Served]]:
    skip_without("postgres", "redis-server", "nginx")
    folder = SCRATCH / "cluster"
    # PostgreSQL runs as somebody else than root, who must get there.
    SCRATCH.chmod(0o711)
    with smtp_server() as (letters, smtp_port), openid_provider() as issuer:
        settings = {
            **PROVIDER,
            "OIDC_ISSUER": issuer,
            "SMTP_HOST": "127.0.0.1",
            "SMTP_PORT": str(smtp_port),
            "SMTP_STARTTLS": "false",
        }
        with cluster(folder, settings=settings, is_careful=False) as running:
            pages = Path(running.environment["REFLEX_WEB_WORKDIR"])
            give_pages(pages, running.environment, f"localhost:{running.port}")
            with taken_as_current(pages):
                running.prepare()
                running.start_workers()
            log = running.workers[0].log
            known = running.environment
            served = Served(running.url, running.data, letters, issuer, log, known)
            yield running, served
            assert not ledger.what_is_wrong(served.database, ledger.ALWAYS)


@pytest.fixture(scope="session")
def workers(letters_and_cluster: tuple[Cluster, Served]) -> Cluster:
    return letters_and_cluster[0]


@pytest.fixture(scope="session")
def served(letters_and_cluster: tuple[Cluster, Served]) -> Served:
    """What visitors meet: the address of the proxy."""
    return letters_and_cluster[1]


@pytest.fixture
def all_ready(workers: Cluster) -> None:
    """What an earlier test killed is there again."""
    for worker in workers.workers:
        workers.wait_for(worker.number)
