"""`make cluster`: start it, or with ARGS tell the one that runs what to do."""

import json
import os
import shutil
import signal
import sys
import time
from pathlib import Path
from types import FrameType
from typing import Annotated, Any

import psutil
import typer

from tools.cluster.programs import CannotStart
from tools.cluster.proxies import PROXIES
from tools.cluster.running import NOTES, PROJECT, Cluster, cluster
from tools.cluster.workers import Worker

app = typer.Typer(add_completion=False, help=__doc__)
FOLDER = PROJECT / ".build" / "cluster"
SECONDS_FOR_A_DEPLOYMENT = 1200
Folder = Annotated[Path, typer.Option(help="where its data and logs are")]


@app.callback(invoke_without_command=True)
def start(
    chosen: typer.Context,
    folder: Folder = FOLDER,
    workers: Annotated[int, typer.Option(min=1, max=16, envvar="WORKERS")] = 2,
    port: Annotated[int, typer.Option(envvar="PORT")] = 8400,
    proxy: Annotated[str, typer.Option(envvar="PROXY", help=" or ".join(PROXIES))] = "nginx",
    fresh: Annotated[bool, typer.Option(help="begin with an empty database")] = False,
) -> None:
    """Start PostgreSQL, Redis, the workers and a proxy; Ctrl+C stops them."""
    if chosen.invoked_subcommand:
        return
    if proxy not in PROXIES:
        raise CannotStart(f"PROXY is {' or '.join(PROXIES)}, not {proxy}.")
    _refuse_second(folder)
    if fresh:
        shutil.rmtree(folder, ignore_errors=True)
    asked = _Asked()
    with cluster(folder, workers=workers, port=port, proxy=proxy) as running:
        _begin(running)
        while (word := asked.next()) != "end":
            if word == "deploy":
                _deploy(running)


class _Asked:
    """What signals ask for: those that come while something is done are done after it."""

    def __init__(self) -> None:
        self.waiting: list[str] = []
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, self._end)
        signal.signal(signal.SIGHUP, self._deploy)

    def _end(self, _number: int, _frame: FrameType | None) -> None:
        raise KeyboardInterrupt

    def _deploy(self, _number: int, _frame: FrameType | None) -> None:
        self.waiting.append("deploy")

    def next(self) -> str:
        try:
            while not self.waiting:
                time.sleep(0.2)
            return self.waiting.pop(0)
        except KeyboardInterrupt:
            return "end"


def _begin(running: Cluster) -> None:
    print("Building and migrating …", flush=True)
    running.adopt_pages()
    running.prepare()
    seeded = running.command("seed")
    if seeded.returncode:
        raise CannotStart(seeded.stderr[-2000:])
    print(f"Starting {len(running.workers)} workers …", flush=True)
    running.start_workers()
    print(f"\nWatchCoins is ready: {running.url}\n")
    for row in json.loads((running.data / "demo-accounts.json").read_text()):
        print(f"  {row['role']:<10} {row['email']:<28} {row['password']}")
    print(f"\nLogs and data: {running.folder}")
    print('In another window: make cluster ARGS="status", "kill 1", "deploy". Ctrl+C stops it.')
    sys.stdout.flush()


def _deploy(running: Cluster) -> None:
    print("Deploying: building, migrating, then one worker after the other …", flush=True)
    try:
        running.deploy()
    except CannotStart as failure:
        print(f"Not deployed, the version before serves on. {failure}", flush=True)
    else:
        print(f"Version {running.version} serves.", flush=True)


@app.command()
def status(folder: Folder = FOLDER) -> None:
    """Which workers run, how often each was started, and whether it is ready."""
    notes = _notes(folder)
    print(f"{notes['url']} through {notes['proxy']}, version {notes['version']}")
    if not notes["has_started"]:
        print("It is starting: it builds and migrates, then starts the workers.")
    for row in notes["workers"]:
        print(
            f"  worker {row['number']}  port {row['port']}  process {row['pid']}"
            f"  started {row['starts']} times  {_state(row, folder)}"
        )


def _state(row: dict[str, Any], folder: Path) -> str:
    if not row["starts"]:
        return "not started yet"
    return "ready" if Worker(row["number"], row["port"], folder).is_ready else "NOT READY"


@app.command()
def kill(number: int, folder: Folder = FOLDER) -> None:
    """kill -9 a worker and all that it started: another one takes its place."""
    rows = {row["number"]: row for row in _notes(folder)["workers"]}
    if number not in rows:
        raise CannotStart(f"There is no worker {number}: {', '.join(map(str, rows))}.")
    if not rows[number]["starts"]:
        raise CannotStart(f"Worker {number} is not started yet.")
    os.killpg(rows[number]["pid"], signal.SIGKILL)
    print(f"Worker {number} is dead; in two seconds another one starts.")


@app.command()
def deploy(folder: Folder = FOLDER) -> None:
    """Build what is in the folder now, and have one worker after the other take it."""
    before = _notes(folder)
    wanted = before["version"] + 1
    starts = [row["starts"] for row in before["workers"]]
    os.kill(before["owner"], signal.SIGHUP)
    print("Asked for; what happens is told where the cluster was started.")
    deadline = time.monotonic() + SECONDS_FOR_A_DEPLOYMENT
    while time.monotonic() < deadline:
        now = _notes(folder)
        renewed = [row["starts"] for row in now["workers"]]
        if now["version"] >= wanted and all(b > a for a, b in zip(starts, renewed, strict=True)):
            print(f"Version {now['version']} serves.")
            return
        time.sleep(0.5)
    raise CannotStart("It was not deployed; see where the cluster was started.")


def _notes(folder: Path) -> dict[str, Any]:
    file = folder / NOTES
    if not file.exists():
        raise CannotStart("No cluster runs here: start one with make cluster.")
    return json.loads(file.read_text())


def _refuse_second(folder: Path) -> None:
    if (folder / NOTES).exists() and psutil.pid_exists(_notes(folder)["owner"]):
        raise CannotStart(f"A cluster runs on {folder} already: {_notes(folder)['url']}")


def main() -> None:
    try:
        app()
    except CannotStart as refusal:
        print(refusal, file=sys.stderr)
        sys.exit(2)


main()
