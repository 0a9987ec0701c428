"""What a cluster is made of, looked at without one that runs."""

import os
import re
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Generator, Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from http.server import BaseHTTPRequestHandler, SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import httpx
import pytest

from tests.cluster.conftest import skip_without
from tests.conftest import SCRATCH
from tools.cluster import engines, programs, proxies, workers
from tools.cluster.programs import CannotStart, program
from tools.cluster.running import PROJECT, Cluster, cluster
from tools.cluster.workers import Worker
from tools.ports import free_port

PORTS = (18301, 18302, 18303)


class _Version(SimpleHTTPRequestHandler):
    """Serves the files of one build."""

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["Content-Length"]))
        self.do_GET()

    def log_message(self, format: str, *args: object) -> None:
        """Nobody reads it."""


class _Taking(BaseHTTPRequestHandler):
    """Takes what a page sends."""

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["content-length"]))
        self.send_response(303)
        self.send_header("location", "/")
        self.send_header("content-length", "0")
        self.end_headers()

    def log_message(self, format: str, *args: object) -> None:
        """Nobody reads it."""


class _Dying(_Taking):
    """Ends before it answers."""

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["content-length"]))


@contextmanager
def _answering(handler: Callable[..., BaseHTTPRequestHandler]) -> Generator[int]:
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield server.server_port
        server.shutdown()
        thread.join()


@contextmanager
def _serving(folder: Path, *names: str) -> Generator[int]:
    (folder / "assets").mkdir(parents=True)
    for name in names:
        (folder / "assets" / name).write_text(name)
    for name in ("healthz", "metrics"):
        (folder / name).write_text(name)
    with _answering(partial(_Version, directory=str(folder))) as port:
        yield port


class TestPrograms:
    @pytest.mark.parametrize(("name", "package"), programs.PACKAGES.items())
    def test_that_are_missing_are_named_as_debian_names_them(
        self, name: str, package: str, monkeypatch: pytest.MonkeyPatch
    ):
        monkeypatch.setattr(programs.shutil, "which", lambda *_, **__: None)
        with pytest.raises(CannotStart) as refusal:
            program(name)
        assert f"apt-get install --no-install-recommends {package}" in str(refusal.value)


class TestPostgres:
    def test_is_not_begun_where_its_account_cannot_go(self, tmp_path: Path):
        if os.geteuid() != 0:
            pytest.skip("Only root gives it another account.")
        skip_without("postgres")
        hidden = tmp_path / "hidden"
        hidden.mkdir(mode=0o700)
        with pytest.raises(CannotStart, match="cannot enter"), engines.postgres(hidden, workers=1):
            pass
        assert list(hidden.iterdir()) == []


class TestAWorkerThatDoesNotStart:
    @pytest.fixture
    def worker(self, tmp_path: Path) -> Iterator[Worker]:
        made = Worker(1, free_port(), tmp_path)
        yield made
        made.kill()

    @pytest.fixture
    def impatient(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(workers, "SECONDS_TO_START", 0.5)

    @staticmethod
    def told_of(worker: Worker, doing: str, says: str = "") -> str:
        worker.process = programs.run(["sh", "-c", doing], worker.log)
        while says not in worker.log.read_text():
            time.sleep(0.01)
        with pytest.raises(CannotStart) as refusal:
            worker.wait_until_ready()
        return str(refusal.value)

    @pytest.mark.usefixtures("impatient")
    def test_in_time_is_told_with_the_wait_and_the_log(self, worker: Worker):
        told = self.told_of(worker, "echo loading; sleep 60", says="loading")
        assert "Worker 1 was not ready within 0.5 seconds: " in told
        assert f"/readyz on port {worker.port} does not answer, " in told
        assert told.endswith(f"{worker.log} ends with:\nloading")

    @pytest.mark.usefixtures("impatient")
    def test_in_time_and_in_silence_is_told_as_well(self, worker: Worker):
        assert self.told_of(worker, "sleep 60").endswith(f"{worker.log} is empty.")

    @pytest.mark.usefixtures("impatient")
    def test_since_a_part_is_away_is_told_with_that_part(self, worker: Worker, tmp_path: Path):
        (tmp_path / "version").mkdir()
        (tmp_path / "version/readyz").write_text('{"ready": false, "database": false}\n')
        with _serving(tmp_path / "version") as worker.port:
            told = self.told_of(worker, "sleep 60")
        assert 'says {"ready": false, "database": false}. ' in told

    def test_at_all_is_told_with_its_last_words(self, worker: Worker):
        told = self.told_of(worker, "echo the schema is older; exit 3")
        assert told == f"Worker 1 ended with 3. {worker.log} ends with:\nthe schema is older"


class TestWhileItStarts:
    """Building and migrating takes minutes, in which nobody is served."""

    @pytest.fixture(scope="class")
    def starting(self) -> Iterator[Cluster]:
        skip_without("postgres", "redis-server", "nginx")
        # PostgreSQL runs as somebody else than root, who must get there.
        SCRATCH.chmod(0o711)
        with cluster(SCRATCH / "starting", is_careful=False) as running:
            yield running

    @staticmethod
    def asked(of: Cluster, *words: str) -> subprocess.CompletedProcess[str]:
        line = [sys.executable, "-m", "tools.cluster", *words, "--folder", str(of.folder)]
        return subprocess.run(line, cwd=PROJECT, capture_output=True, text=True, timeout=60)

    def test_status_says_so(self, starting: Cluster):
        done = self.asked(starting, "status")
        assert (done.returncode, done.stderr) == (0, "")
        assert done.stdout.startswith(f"{starting.url} through nginx, version 1\nIt is starting")
        assert done.stdout.count("not started yet") == len(starting.workers) == 2

    def test_there_is_no_worker_to_kill(self, starting: Cluster):
        done = self.asked(starting, "kill", "1")
        assert (done.returncode, done.stderr) == (2, "Worker 1 is not started yet.\n")

    def test_a_second_one_is_refused(self, starting: Cluster):
        """With --fresh it would take the first one's data away."""
        done = self.asked(starting, "--fresh")
        assert done.returncode == 2
        assert f"A cluster runs on {starting.folder} already" in done.stderr
        assert (starting.folder / "postgres").exists()

    def test_a_command_that_takes_too_long_is_named(self, starting: Cluster):
        with pytest.raises(CannotStart, match=r"rewards ledger check did not end within 0\.1 sec"):
            starting.command("ledger", "check", timeout=0.1)


class TestTheProxies:
    def test_nginx_reads_what_deployments_have(self, tmp_path: Path):
        skip_without("nginx")
        proxies.write_nginx(tmp_path / "nginx", 18300, PORTS)
        text = (tmp_path / "nginx/nginx.conf").read_text()
        assert "ssl" not in text
        assert "listen 127.0.0.1:18300;" in text
        servers = (tmp_path / "nginx/workers.conf").read_text()
        assert all(f"server 127.0.0.1:{port} max_fails=0" in servers for port in PORTS)
        assert (tmp_path / "nginx/passing.conf").read_text() == (
            proxies.DEPLOY / "nginx/passing.conf"
        ).read_text()
        done = subprocess.run(
            [program("nginx"), "-t", "-p", tmp_path, "-c", tmp_path / "nginx/nginx.conf"],
            capture_output=True,
            text=True,
        )
        assert done.returncode == 0, done.stderr

    def test_caddy_reads_what_deployments_have(self, tmp_path: Path):
        skip_without("caddy")
        text = proxies.caddy_text(18300, PORTS)
        assert "127.0.0.1:18301 127.0.0.1:18302 127.0.0.1:18303" in text
        assert re.findall(r"^\w\S*(?=.* \{$)", text, re.MULTILINE) == ["http://localhost:18300"]
        file = tmp_path / "Caddyfile"
        file.write_text(text)
        done = subprocess.run(
            [program("caddy"), "validate", "--adapter", "caddyfile", "--config", file],
            capture_output=True,
            text=True,
        )
        assert done.returncode == 0, done.stderr

    def test_caddy_refuses_what_is_too_large(self, tmp_path: Path):
        """Before it asks a worker, of which there is none."""
        skip_without("caddy")
        port = free_port()
        with (
            proxies.caddy(tmp_path, port, PORTS),
            httpx.Client(base_url=f"http://localhost:{port}", timeout=30) as client,
        ):
            large = client.post("/webhooks/stripe", content=b" " * 4 * 2**20)
            assert large.status_code == 413
            small = client.post("/webhooks/stripe", content=b" " * 999_999)
            assert small.status_code in (502, 503)

    def test_caddy_writes_down_nothing_of_what_failed(self, tmp_path: Path):
        """Mailed links carry their secret in the query; addresses of visitors are nobody's."""
        skip_without("caddy")
        port = free_port()
        with (
            proxies.caddy(tmp_path, port, PORTS),
            httpx.Client(base_url=f"http://localhost:{port}", timeout=30) as client,
        ):
            assert client.get("/verify?token=planted-secret").status_code in (502, 503)
        said = (tmp_path / "caddy.log").read_text()
        assert "health_checker" in said
        assert "planted-secret" not in said
        assert "remote_ip" not in said


@pytest.mark.parametrize("proxy", proxies.PROXIES)
class TestWhileANewVersionTakesItsPlace:
    """One worker has files that the other one has not, and nobody knows who is asked."""

    @pytest.fixture
    def asked(self, proxy: str, tmp_path: Path) -> Iterator[httpx.Client]:
        skip_without(proxy)
        port = free_port()
        with ExitStack() as running:
            workers = [
                running.enter_context(_serving(tmp_path / "new", "new.js", "both.js")),
                running.enter_context(_serving(tmp_path / "old", "old.js", "both.js")),
            ]
            running.enter_context(proxies.PROXIES[proxy](tmp_path, port, workers))
            yield running.enter_context(
                httpx.Client(base_url=f"http://localhost:{port}", timeout=30)
            )

    def test_files_of_either_are_found(self, asked: httpx.Client):
        names = [f"/assets/{name}.js" for name in ("new", "old", "both")]
        found = {(name, asked.get(name).status_code) for _ in range(12) for name in names}
        assert found == {(name, 200) for name in names}

    def test_a_file_of_neither_is_not(self, asked: httpx.Client):
        assert {asked.get("/assets/none.js").status_code for _ in range(4)} == {404}

    def test_the_figures_are_nobodys(self, asked: httpx.Client):
        assert asked.get("/metrics").status_code == 404


@pytest.mark.parametrize("proxy", proxies.PROXIES)
def test_who_comes_while_a_worker_is_away_does_not_wait_for_it(proxy: str, tmp_path: Path):
    skip_without(proxy)
    # A machine that stands still holds up one of them, a proxy that waits both.
    rounds = (_seconds_beside_one_away(proxy, tmp_path / name) for name in ("first", "second"))
    assert any(seconds < 2 for seconds in rounds)


def _seconds_beside_one_away(proxy: str, folder: Path) -> float:
    folder.mkdir()
    port = free_port()
    with ExitStack() as running, ExitStack() as dying:
        away = dying.enter_context(_serving(folder / "away", "both.js"))
        there = running.enter_context(_serving(folder / "there", "both.js"))
        running.enter_context(proxies.PROXIES[proxy](folder, port, [away, there]))
        client = running.enter_context(httpx.Client(base_url=f"http://localhost:{port}"))
        assert client.get("/assets/both.js").status_code == 200
        dying.close()
        began = time.monotonic()
        for _ in range(10):
            assert client.get("/assets/both.js").status_code == 200
            assert client.post("/healthz", content=b"ticket=1").status_code == 200
        return time.monotonic() - began


class TestBesideAWorkerThatDies:
    @pytest.fixture
    def asked(self, tmp_path: Path) -> Iterator[httpx.Client]:
        skip_without("nginx")
        port = free_port()
        with (
            _answering(_Dying) as dying,
            _answering(_Taking) as other,
            proxies.nginx(tmp_path, port, [dying, other]),
            httpx.Client(base_url=f"http://localhost:{port}", timeout=30) as client,
        ):
            yield client

    def test_a_sign_in_is_taken_by_the_other_one(self, asked: httpx.Client):
        told = [asked.post("/session/start", data={"ticket": "x"}).status_code for _ in range(6)]
        assert told == [303] * 6

    def test_what_may_have_been_done_is_not_done_twice(self, asked: httpx.Client):
        told = {asked.post("/webhooks/stripe", content=b"{}").status_code for _ in range(6)}
        assert told == {303, 502}
