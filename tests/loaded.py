"""A program that is loaded once, and forked for each command: loading takes longer than most do.

Run as a script this asks for one. It needs nothing but the standard library, and begins at once.
"""

import contextlib
import gc
import json
import os
import select
import shutil
import signal
import socket
import sys
import time
from collections.abc import Callable
from typing import Any, NoReturn

MOST_BYTES = 200_000
NOBODY_ANSWERED = 255
SECONDS_TO_END = 5


def app() -> Callable[[], object]:
    """As the installed `rewards` begins."""
    gc.disable()
    from rewards_app.cli import main

    gc.freeze()
    gc.enable()
    return main


def serve(folder: str, load: Callable[[], Callable[[], object]] = app) -> None:
    """Run commands until our input ends, which whoever started us holds open while they live.

    The folder is ours, and goes with us.
    """
    with _door_in(folder) as door:
        main = load()
        # Whoever looks at our processes finds none that is over.
        signal.signal(signal.SIGCHLD, signal.SIG_IGN)
        while asker := _next_asker(door):
            if os.fork() == 0:
                door.close()
                _answer(asker, main)
            asker.close()
    shutil.rmtree(folder, ignore_errors=True)


def _door_in(folder: str) -> socket.socket:
    """It is there once it is open: who comes before everything is loaded waits.

    It is named from within: a socket's path has a hundred letters at most.
    """
    door = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    with contextlib.chdir(folder):
        door.bind("opening")
        door.listen()
        os.rename("opening", "door")
    return door


def _next_asker(door: socket.socket) -> socket.socket | None:
    ready, *_ = select.select([door, sys.stdin.fileno()], [], [])
    return None if sys.stdin.fileno() in ready else door.accept()[0]


def _answer(asker: socket.socket, main: Callable[[], object]) -> NoReturn:
    """As a process below one that tells how it ended."""
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    said, streams, *_ = socket.recv_fds(asker, MOST_BYTES, 3)
    if child := os.fork():
        for stream in streams:
            os.close(stream)
        _tell_how_it_ends(asker, child)
        os._exit(0)
    asker.close()
    _become(json.loads(said), streams)
    sys.exit(main())  # pyright: ignore[reportArgumentType]


def _become(order: dict[str, Any], streams: list[int]) -> None:
    for number, stream in enumerate(streams):
        os.dup2(stream, number)
        os.close(stream)
    os.chdir(order["folder"])
    os.umask(order["umask"])
    os.environ.clear()
    os.environ.update(order["environment"])
    time.tzset()
    sys.argv = ["rewards", *order["words"]]


def _tell_how_it_ends(asker: socket.socket, child: int) -> None:
    """Whoever asked and is gone, or was ended, takes the command along, which tidies up first."""
    ended = os.pidfd_open(child)
    ready, *_ = select.select([ended, asker], [], [])
    if ended not in ready:
        os.kill(child, signal.SIGINT)
        if not select.select([ended], [], [], SECONDS_TO_END)[0]:
            os.kill(child, signal.SIGKILL)
    _, status = os.waitpid(child, 0)
    with contextlib.suppress(OSError):
        asker.send(str(os.waitstatus_to_exitcode(status)).encode())


def ask(folder: str, words: list[str]) -> int:
    """How the command ended; it has our folder, environment, umask and streams."""
    order = {
        "words": words,
        "folder": os.getcwd(),
        "environment": dict(os.environ),
        "umask": _umask(),
    }
    with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as line, contextlib.chdir(folder):
        line.connect("door")
        socket.send_fds(line, [json.dumps(order).encode()], [0, 1, 2])
        return int(line.recv(16))


def _umask() -> int:
    os.umask(mask := os.umask(0))
    return mask


def _end_as_it_did() -> NoReturn:
    try:
        code = ask(sys.argv[1], sys.argv[2:])
    except (OSError, ValueError) as failure:
        print(f"nobody ran this command: {failure!r}", file=sys.stderr)
        sys.exit(NOBODY_ANSWERED)
    if code < 0:
        os.kill(os.getpid(), -code)
    sys.exit(code)


if __name__ == "__main__":
    _end_as_it_did()
