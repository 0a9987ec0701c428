"""The server's processes: as many as are wanted, on a port of their own."""

import os
import signal
import socket
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Thread

import pytest

from rewards_app import build, launch, server
from rewards_app.core.settings import Settings, settings
from tools.ports import free_port


class TestPort:
    def test_that_is_taken_is_named(self):
        with socket.socket() as other:
            other.bind(("127.0.0.1", 0))
            other.listen()
            port = other.getsockname()[1]
            with pytest.raises(server.CannotRun, match=f"Port {port}"):
                server.refuse_taken_port(Settings(port=port))


class TestLoop:
    """Asyncio's own takes an eighth more of the processor for an event."""

    def test_is_the_quick_one(self):
        command = server.server_command()
        assert command[command.index("--loop") + 1] == "uvloop"


class TestWorkers:
    def test_one_without_redis(self, monkeypatch):
        monkeypatch.delenv("GRANIAN_WORKERS", raising=False)
        assert server.worker_count(Settings()) == 1

    def test_more_with_redis_up_to_eight(self, monkeypatch):
        monkeypatch.delenv("GRANIAN_WORKERS", raising=False)
        monkeypatch.setattr(os, "cpu_count", lambda: 64)
        assert server.worker_count(Settings(redis_url="redis://localhost")) == 8

    def test_as_many_as_one_says(self, monkeypatch):
        monkeypatch.setenv("GRANIAN_WORKERS", "3")
        assert server.worker_count(Settings()) == 3

    @pytest.mark.parametrize(("workers", "is_replaced"), [("1", False), ("2", True)])
    def test_of_several_one_that_was_killed_is_replaced(self, monkeypatch, workers, is_replaced):
        monkeypatch.setenv("GRANIAN_WORKERS", workers)
        assert ("--respawn-failed-workers" in server.server_command()) is is_replaced


ANSWERS_ONCE = """
import http.server, pathlib

class Page(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200)
        self.end_headers()
        self.wfile.write(b'{{"alive": true}}')

begun = pathlib.Path("{begun}")
begun.write_text(begun.read_text() + "begun ")
page = http.server.HTTPServer(("127.0.0.1", {port}), Page)
page.handle_request()
if begun.read_text().count("begun") >= 5:
    page.serve_forever()
"""
ENDS_TWICE = """
echo begun >> {begun}
[ $(wc -l < {begun}) -lt 3 ] || exec sleep 60
"""


@contextmanager
def ended_in_its_life(number: int, made: server.Server, begun: Path) -> Iterator[None]:
    """By a signal, as soon as it has begun for so many times."""

    def end() -> None:
        while begun.read_text().count("begun") < number:
            time.sleep(0.05)
        made.end()

    ending = Thread(target=end)
    ending.start()
    try:
        yield
    finally:
        begun.write_text("begun" * number)
        ending.join()


class TestThatEnds:
    def test_is_started_until_it_stays(self, monkeypatch, tmp_path: Path):
        """What it waits for may be away for longer than one start takes."""
        begun = tmp_path / "begun"
        monkeypatch.setattr(settings(), "data_dir", tmp_path)
        monkeypatch.setattr(settings(), "port", free_port())
        monkeypatch.setattr(launch, "SECONDS_BETWEEN_LOOKS", 0.1)
        monkeypatch.setattr(server.Lives, "PAUSES", (0.1,) * 5)
        begun.touch()
        command = ["sh", "-c", ENDS_TWICE.format(begun=begun)]
        monkeypatch.setattr(server, "server_command", lambda: command)
        made = server.Server()
        with ended_in_its_life(3, made, begun):
            assert launch._keep(made, None) == -signal.SIGTERM

    def test_is_never_given_up_where_it_answered_each_time(self, monkeypatch, tmp_path: Path):
        """Its workers were killed: there is nothing to prepare."""
        begun, port = tmp_path / "begun", free_port()
        for name, value in (("data_dir", tmp_path), ("host", "127.0.0.1"), ("port", port)):
            monkeypatch.setattr(settings(), name, value)
        monkeypatch.setattr(launch, "SECONDS_BETWEEN_LOOKS", 0.05)
        monkeypatch.setattr(server.Lives, "PAUSES", (0.1, 0.2))
        # It answers once: who does not hear that out does not hear it again.
        monkeypatch.setattr(server, "SECONDS_TO_BE_HEARD", 30.0)
        command = [sys.executable, "-c", ANSWERS_ONCE.format(begun=begun, port=port)]
        monkeypatch.setattr(server, "server_command", lambda: command)
        begun.touch()
        made = server.Server()
        with ended_in_its_life(5, made, begun):
            assert launch._keep(made, None) == -signal.SIGTERM

    def test_is_given_up_where_it_ends_at_once_each_time(self, monkeypatch, tmp_path: Path):
        """What it lacks is prepared by whoever starts us: the schema, what is built, its port."""
        begun = tmp_path / "begun"
        monkeypatch.setattr(settings(), "data_dir", tmp_path)
        monkeypatch.setattr(settings(), "port", free_port())
        monkeypatch.setattr(launch, "SECONDS_BETWEEN_LOOKS", 0.05)
        monkeypatch.setattr(server.Lives, "PAUSES", (0.1, 0.2))
        command = ["sh", "-c", f"echo begun >> {begun}; exit 3"]
        monkeypatch.setattr(server, "server_command", lambda: command)
        at = time.monotonic()
        assert launch._keep(server.Server(), None) == 3
        assert begun.read_text().count("begun") == 3
        assert time.monotonic() - at >= 0.3

    def test_counts_anew_after_it_lived_for_long(self, monkeypatch):
        monkeypatch.setattr(server.Lives, "LONG", 0.0)
        lives = server.Lives()
        for _end in range(9):
            lives.ended()
            assert lives.next_is_due
            assert not lives.are_in_vain
            lives.began()


@pytest.mark.timeout(30)
def test_what_is_saved_while_a_build_fails_is_built(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
):
    """Whoever develops has mended it by then, and waits for nothing but that."""
    (saved := tmp_path / "saved").write_text("with a mistake")

    def fails() -> None:
        saved.write_text("mended")
        raise build.BuildFailed("There is a mistake.")

    monkeypatch.setattr(build, "fingerprint", saved.read_text)
    monkeypatch.setattr(build, "build_if_changed", fails)
    launch._serve_until_something_is_saved(lambda: None)
