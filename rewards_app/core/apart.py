"""Work that a worker leaves to a process of its own: how that begins, and both ends of it.

The process is nicer than the app, so that nobody's events wait for it, inherits none of our secrets
and is told on its standard input what it must know. It ends with the worker that started it.
"""

import asyncio
import os
import sys
import threading

NICE = 10
INHERITED = {
    *("PATH", "HOME", "TZ", "LANG", "LC_ALL", "TMPDIR", "LD_LIBRARY_PATH"),
    *("PYTHONPATH", "PYTHONDONTWRITEBYTECODE", "PYTHONUNBUFFERED"),
}
OF_THE_DRIVER = "PG"
"""libpq reads its certificates and its password file by such names."""


async def run(program: str, *arguments: str, told: str) -> int:
    """How it ended; it dies with this worker, or when this is cancelled. `told` is one line."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", program, *arguments),
        stdin=asyncio.subprocess.PIPE,
        env=environment(),
    )
    try:
        assert process.stdin
        process.stdin.write(f"{told}\n".encode())
        return await process.wait()
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()


def environment() -> dict[str, str]:
    """How it finds its libraries and the database, and none of our secrets."""
    return {
        name: value
        for name, value in os.environ.items()
        if name in INHERITED or name.startswith(OF_THE_DRIVER)
    }


def hear_parent() -> str:
    """In the process: make way for others, and hear the line that it is told."""
    os.nice(NICE)
    told = sys.stdin.buffer.readline().decode()
    _end_with_parent()
    return told.rstrip("\n")


def _end_with_parent() -> None:
    """Whoever started this holds the other end of the pipe: it closes when they die."""

    def wait() -> None:
        while os.read(sys.stdin.fileno(), 1):
            pass
        os._exit(1)

    threading.Thread(target=wait, daemon=True).start()
