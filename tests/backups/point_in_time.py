"""A PostgreSQL of the machine's own, run from plain files by a user without rights, as one of a
deployment is: Debian's where it is installed, else the one that the app brings."""

import os
import shutil
import subprocess
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from rewards_app.core.postgres import embedded
from tests import scratch
from tests.serving import PROJECT

SCRIPTS = PROJECT / "deploy/postgres"
NOBODY = "nobody"


def programs() -> Path:
    """The newest of Debian's, as an operator has them."""
    debian = sorted(Path("/usr/lib/postgresql").glob("*/bin/pg_verifybackup"))
    return debian[-1].parent if debian else Path(embedded.binary("postgres")).parent


@dataclass
class Machine:
    """A folder of its own, and the user who owns it; the server refuses to run as root."""

    folder: Path = field(default_factory=partial(scratch.a_folder, for_programs=True))

    def __post_init__(self) -> None:
        made = [self.folder, self.backups, self.backups / "base", self.backups / "wal"]
        for folder in made:
            folder.mkdir(exist_ok=True, mode=0o700)
            if os.getuid() == 0:
                shutil.chown(folder, NOBODY)
        # What lies in a home or in a checkout is not everybody's to read.
        for script in SCRIPTS.iterdir():
            shutil.copy(script, self.folder / script.name)
            (self.folder / script.name).chmod(0o755)

    @property
    def backups(self) -> Path:
        return self.folder / "backups"

    @property
    def path(self) -> str:
        return f"{programs()}:/usr/bin:/bin"

    def run(self, *command: str | Path, **environment: str) -> subprocess.CompletedProcess[str]:
        drop = ("setpriv", f"--reuid={NOBODY}", "--regid=nogroup", "--clear-groups")
        return subprocess.run(
            [*(drop if os.getuid() == 0 else ()), *map(str, command)],
            cwd=self.folder,
            env={
                "PATH": self.path,
                "POINT_IN_TIME": str(self.backups),
                "PGHOST": str(self.folder),
                "PGUSER": "watchcoins",
                **environment,
            },
            capture_output=True,
            text=True,
            timeout=240,
        )

    def must(self, *command: str | Path, **environment: str) -> str:
        done = self.run(*command, **environment)
        assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"
        return done.stdout

    def remove(self) -> None:
        scratch.remove(self.folder)


def a_blank(machine: Machine) -> Path:
    """A server's folder as `initdb` makes it: each one begins with a copy."""
    made = machine.folder / "blank"
    options = ("-U", "watchcoins", "-A", "trust", "-E", "UTF8", "--locale=C.UTF-8")
    machine.must(programs() / "initdb", "-D", made, *options)
    return made


@dataclass
class Server:
    machine: Machine
    name: str

    @property
    def data(self) -> Path:
        return self.machine.folder / self.name

    @property
    def url(self) -> str:
        return f"postgresql://watchcoins@/watchcoins?host={self.machine.folder}"

    def make(self, blank: Path) -> None:
        """Of a blank one, with the settings of `deploy/`, whose paths lead here."""
        self.machine.must("cp", "-a", blank, self.data)
        said = (SCRIPTS / "archive.conf").read_text("utf-8")
        here = said.replace(
            "/opt/watchcoins/current/deploy/postgres/archive-wal",
            f"POINT_IN_TIME={self.machine.backups} {self.machine.folder}/archive-wal",
        )
        with (self.data / "postgresql.conf").open("a") as settings:
            settings.write(f"{here}\nlisten_addresses = ''\n")
            settings.write(f"unix_socket_directories = '{self.machine.folder}'\n")
            settings.write("timezone = 'Asia/Tokyo'\n")

    def start(self) -> None:
        self._pg_ctl("-w", "-t", "120", "-l", self.machine.folder / f"{self.name}.log", "start")

    def stop(self) -> None:
        self._pg_ctl("-w", "-m", "fast", "stop")

    def crash(self) -> None:
        """As a machine that dies: nothing more is written down or handed over."""
        self._pg_ctl("-w", "-m", "immediate", "stop")

    def promote(self) -> None:
        self._pg_ctl("-w", "promote")

    def _pg_ctl(self, *arguments: str | Path) -> None:
        self.machine.must(programs() / "pg_ctl", "-D", self.data, *arguments)
