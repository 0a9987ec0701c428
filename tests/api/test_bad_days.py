"""What dies comes back, and nothing that was acknowledged is lost."""

import os
import signal
import time

import httpx2 as httpx
import psycopg

from rewards_app.core.postgres import embedded
from tests import steady
from tests.processes import is_over
from tests.serving import Served


def is_ready(served: Served) -> bool:
    try:
        return httpx.get(f"{served.url}/readyz", timeout=2).json()["ready"]
    except (httpx.HTTPError, ValueError):
        return False


def ready_by(served: Served, due: float) -> None:
    """The app can work again."""
    while not is_ready(served):
        assert steady.seconds() < due, "it did not come back in time"
        time.sleep(0.05)


def accounts_in(served: Served) -> int:
    with psycopg.connect(embedded.url_of_running(served.data)) as connection:
        return connection.execute("select count(*) from accounts").fetchone()[0]


def postmaster_of(served: Served) -> int:
    first_line = (embedded.database_folder(served.data) / "postmaster.pid").read_text().split()[0]
    return int(first_line)


class TestTheDatabaseDies:
    def test_the_app_serves_again_within_five_seconds_without_its_own_restart(self, served: Served):
        before = accounts_in(served)
        for _ in range(3):
            owner = served.process.pid
            postmaster = postmaster_of(served)
            due = steady.seconds() + 5
            os.kill(postmaster, signal.SIGQUIT)  # what `pg_ctl -m immediate` sends
            assert is_over(postmaster)
            ready_by(served, due)
            assert served.process.pid == owner
            assert served.process.poll() is None
        assert accounts_in(served) == before


class TestTheOwnerIsKilled:
    def test_the_next_start_takes_over_and_has_everything(self, served: Served):
        before = accounts_in(served)
        served.process.kill()
        served.process.wait(timeout=10)
        served.start()
        ready_by(served, steady.seconds() + 5)
        assert accounts_in(served) == before


class TestASecondStart:
    def test_says_where_the_first_one_serves_and_leaves_it_alone(self, served: Served):
        second = served.command("run")
        assert second.returncode == 2
        assert served.url in second.stderr
        assert served.process.poll() is None
        ready_by(served, steady.seconds() + 5)


class TestCommandsBesideTheServer:
    def test_a_promotion_works_while_the_app_runs(self, served: Served):
        done = served.command("promote", "nobody@example.com", "--role", "admin")
        assert done.returncode == 1
        assert "no account" in done.stderr

    def test_everything_can_be_exported_while_the_app_runs(self, served: Served, tmp_path):
        done = served.command("export", str(tmp_path / "all.dump"))
        assert done.returncode == 0, done.stderr
        assert (tmp_path / "all.dump").stat().st_size > 1000
