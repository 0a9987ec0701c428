"""A forked command is as one that was started: it has all of whoever asks, and nothing else."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import psutil
import pytest

from tests import loaded, scratch
from tests.processes import is_over
from tests.serving import PROJECT, REWARDS, loads_program, rewards_once_loaded

COMMANDS = """
import json, os, signal, sys, threading, time
from tests import loaded

def tells():
    umask = os.umask(0)
    print(json.dumps({
        "words": sys.argv[1:],
        "folder": os.getcwd(),
        "environment": dict(os.environ),
        "hour": time.localtime(0).tm_hour,
        "umask": umask,
        "input": sys.stdin.read(),
        "open": sorted(map(int, os.listdir("/proc/self/fd")))[:-1],
        "signals": [str(signal.getsignal(number)) for number in signal.valid_signals()],
        "blocked": list(signal.pthread_sigmask(signal.SIG_BLOCK, [])),
        "threads": threading.active_count(),
    }))
    print("aside", file=sys.stderr)

def ends():
    sys.exit(7)

def dies():
    os.kill(os.getpid(), signal.SIGKILL)

def stays():
    try:
        print(os.getpid(), flush=True)
        time.sleep(60)
    finally:
        open("tidied", "w").close()

loaded.serve(sys.argv[1], lambda: lambda: globals()[sys.argv[1]]())
"""
STARTER = f"""
import sys
from pathlib import Path
from tests.serving import loads_program
print(loads_program(Path(sys.argv[1]), {COMMANDS!r}).pid, flush=True)
sys.stdin.read()
"""
TELLS_ITSELF = COMMANDS.partition("loaded.serve")[0] + "tells()"

Asks = Callable[..., list[str]]


@pytest.fixture
def asks() -> Iterator[Asks]:
    """What is typed for a command of the program above."""
    folder = scratch.a_folder()
    process = loads_program(folder, COMMANDS)
    yield lambda *words: [sys.executable, "-I", "-S", loaded.__file__, str(folder), *words]
    assert process.stdin
    process.stdin.close()
    assert process.wait(10) == 0
    assert not folder.exists()


def run(words: list[str], **options: Any) -> subprocess.CompletedProcess[str]:
    return subprocess.run(words, text=True, capture_output=True, timeout=60, **options)


class TestACommand:
    def test_has_what_a_started_program_has(self, asks: Asks, tmp_path: Path):
        environment = {"PATH": os.environ["PATH"], "ONLY": "this", "TZ": "Asia/Tokyo"}
        options = {"cwd": tmp_path, "env": environment, "input": "typed", "umask": 0o027}
        started = run(
            [sys.executable, "-P", "-c", TELLS_ITSELF, "tells", "a b", "ö\udcff"],
            **options | {"env": environment | {"PYTHONPATH": str(PROJECT)}},
        )
        forked = run(asks("tells", "a b", "ö\udcff"), **options)
        expected = json.loads(started.stdout)
        del expected["environment"]["PYTHONPATH"]
        assert json.loads(forked.stdout) == expected
        assert expected["umask"] == 0o027
        assert expected["hour"] == 9
        assert forked.stderr == started.stderr == "aside\n"

    def test_leaves_no_process_behind(self, asks: Asks):
        command = asks("ends")
        (program,) = (one for one in psutil.Process().children() if command[4] in one.cmdline())
        run(command)
        deadline = time.monotonic() + 10
        while program.children(recursive=True):
            assert time.monotonic() < deadline
            time.sleep(0.02)

    def test_ends_as_it_did(self, asks: Asks):
        assert run(asks("ends")).returncode == 7
        assert run(asks("dies")).returncode == -signal.SIGKILL
        failed = run(asks("is unknown"))
        assert failed.returncode == 1
        assert "KeyError" in failed.stderr

    def test_ends_with_whoever_asked_and_tidies_up(self, asks: Asks, tmp_path: Path):
        asking = subprocess.Popen(
            asks("stays"),
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            cwd=tmp_path,
        )
        assert asking.stdout
        command = int(asking.stdout.readline())
        assert not is_over(command, within=0)
        asking.kill()
        asking.wait(10)
        assert is_over(command)
        assert (tmp_path / "tidied").exists()


class TestTheProgram:
    def test_ends_with_whoever_started_it(self):
        folder = scratch.a_folder()
        starter = subprocess.Popen(
            [sys.executable, "-P", "-c", STARTER, str(folder)],
            env={**os.environ, "PYTHONPATH": str(PROJECT)},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        assert starter.stdout
        program = int(starter.stdout.readline())
        starter.kill()
        starter.wait(10)
        assert is_over(program)
        assert not folder.exists()

    def test_that_is_gone_is_no_refusal_of_a_command(self, tmp_path: Path):
        asked = run([sys.executable, "-I", "-S", loaded.__file__, str(tmp_path), "promote"])
        assert asked.returncode == loaded.NOBODY_ANSWERED
        assert "nobody ran this command" in asked.stderr


def test_rewards_says_the_same_whether_it_is_loaded_or_started():
    forked, started = (run([*one, "promote"]) for one in (rewards_once_loaded(), [REWARDS]))
    assert (forked.returncode, forked.stdout) == (started.returncode, started.stdout) == (2, "")
    assert forked.stderr == started.stderr
    assert "Usage: rewards promote" in forked.stderr
