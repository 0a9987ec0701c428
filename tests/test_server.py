"""The server's processes: as many as are wanted, on a port of their own."""

import os
import socket

import pytest

from rewards_app import server
from rewards_app.core.settings import Settings


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
