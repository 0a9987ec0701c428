"""Clusters to be measured: workers behind nginx on PostgreSQL 15 and Redis, with players inside."""

import asyncio
import os
import tempfile
from collections.abc import Generator, Iterable
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import psutil

from bench.people import people as made_people
from rewards_app.core import sealed
from rewards_app.core.settings import settings
from tests.building import PROVIDER, give_pages
from tools.cluster.running import Cluster, cluster


@dataclass(frozen=True, slots=True)
class Inside:
    """A cluster, and the secrets of the sessions of its players."""

    cluster: Cluster
    sessions: list[str]

    @property
    def origin(self) -> str:
        return self.cluster.url

    def parts(self) -> dict[str, list[psutil.Process]]:
        """Every process of it, by what it does."""
        assert self.cluster.proxy
        return {
            "workers": _families(worker.pid for worker in self.cluster.workers),
            "PostgreSQL": _families([self.cluster.postgres.process.pid]),
            "Redis": _families([self.cluster.redis.process.pid]),
            "nginx": _families([self.cluster.proxy.pid]),
        }

    def seconds(self) -> dict[str, float]:
        """Processor seconds so far; connections that were closed count with their server."""
        return {name: sum(map(_seconds, family)) for name, family in self.parts().items()}

    def memory(self) -> dict[str, int]:
        """Bytes; what processes share is counted once."""
        return {
            name: sum(one.memory_full_info().pss for one in family)
            for name, family in self.parts().items()
        }


@contextmanager
def inside(workers: int, people: int) -> Generator[Inside]:
    """A cluster with an empty database and so many players; its pages are those of the tests."""
    with tempfile.TemporaryDirectory(prefix="rewards-bench-") as scratch:
        # PostgreSQL runs as somebody else than root, who must get there.
        Path(scratch).chmod(0o711)
        settings = PROVIDER | {"OIDC_ISSUER": "http://localhost"}
        with cluster(Path(scratch), workers=workers, settings=settings) as running:
            give_pages(running.pages(1), running.environment, f"localhost:{running.port}")
            running.prepare()
            running.start_workers()
            _work_beside(running)
            try:
                yield Inside(running, asyncio.run(made_people(people)))
            except Exception:
                for worker in running.workers:
                    print(f"{worker.log.name} ends:\n{worker.log.read_text()[-3000:]}", flush=True)
                raise


def _work_beside(running: Cluster) -> None:
    """Our own services on its database, with its key."""
    known = running.environment
    os.environ.update({name: known[name] for name in ("DATABASE_URL", "DATA_DIR")})
    settings.cache_clear()
    sealed.forget_keys()


def _families(roots: Iterable[int]) -> list[psutil.Process]:
    leaders = [psutil.Process(pid) for pid in roots]
    return [*leaders, *(one for root in leaders for one in root.children(recursive=True))]


def _seconds(process: psutil.Process) -> float:
    times = process.cpu_times()
    return times.user + times.system + times.children_user + times.children_system


def spent(before: dict[str, float], after: dict[str, float]) -> dict[str, float]:
    return {name: after[name] - before[name] for name in after}
