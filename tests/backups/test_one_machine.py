"""Back again where `rewards run` has its own database: the lines of the handbook, as they are."""

import json
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from rewards_app.features.shop.demo import DEMO_ORDERS
from tests import scratch
from tests.backups import point_in_time
from tests.serving import PROJECT, rewards_once_loaded, seeded

HANDBOOK = (PROJECT / "docs/operating.md").read_text("utf-8")
BLOCK = re.compile(r"^```sh\n(.*?)^```$", re.MULTILINE | re.DOTALL)

OWNER, SERVES = "watchcoins_owner", "serves_only"


def blocks_of(heading: str) -> list[str]:
    return BLOCK.findall(HANDBOOK.partition(f"\n## {heading}\n")[2].partition("\n## ")[0])


def block_of(heading: str, word: str) -> str:
    """The first one below the heading that says the word."""
    return next(block for block in blocks_of(heading) if word in block)


class Machine:
    """Folders of one small machine, with the demo's people in its database."""

    def __init__(self, folder: Path) -> None:
        self.data, self.backups = folder / "data", folder / "backups"
        self.programs, self.settings = folder / "programs", folder / "settings"
        for made in (self.backups, self.programs, self.settings):
            made.mkdir()
        places = {"DATA_DIR": str(self.data), "BACKUP_DIR": str(self.backups)}
        inherited = {k: v for k, v in os.environ.items() if k not in ("DATABASE_URL", "REDIS_URL")}
        self.environment = inherited | places

    def types(self, lines: str) -> subprocess.CompletedProcess[str]:
        """What root's shell does of it; the unit does not run, and is told so."""
        here = lines.replace("/var/backups/watchcoins", str(self.backups))
        here = here.replace("/var/lib/watchcoins", str(self.data))
        here = here.replace("/opt/watchcoins", str(self.programs))
        here = here.replace("/etc/watchcoins", str(self.settings))
        rewards = shlex.join(rewards_once_loaded())
        stand_ins = f'rewards() {{ {rewards} "$@"; }}\nsystemctl() {{ echo "systemctl $*"; }}\n'
        return subprocess.run(
            ["bash", "-euc", stand_ins + here],
            cwd=PROJECT,
            env=self.environment,
            text=True,
            capture_output=True,
        )

    def does(self, lines: str) -> str:
        done = self.types(lines)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def email_of(self, role: str) -> str:
        rows = json.loads((self.data / "demo-accounts.json").read_text())
        [found] = [row["email"] for row in rows if row["role"] == role]
        return found


@pytest.fixture
def machine() -> Iterator[Machine]:
    folder = Path(scratch.a_folder())
    made = Machine(folder)
    seeded(made.data)
    yield made
    scratch.remove(folder)


def test_a_backup_takes_the_place_of_the_database_and_who_was_forgotten_stays_so(
    machine: Machine,
):
    player, company = machine.email_of("player"), machine.email_of("company")
    machine.does("rewards backup make")
    # After it, and on no backup's list but the one that the lines themselves write.
    machine.does(f"rewards promote {company} --role moderator")
    machine.does(f"BACKUP_DIR= rewards erase {player} --now")
    said = machine.does(block_of("One small machine", "import"))
    assert "systemctl stop watchcoins\n" in said
    [before] = machine.data.glob("postgres-before-*")
    assert (before / "PG_VERSION").exists()
    said = machine.does(block_of("Restore", "forget-again"))
    assert "1 of 1 were there again, and are forgotten." in said
    assert "0 codes are withheld" in said
    assert len((machine.backups / "delivered").read_text().split()) == len(DEMO_ORDERS)
    # As it was at the backup, and everybody but the forgotten one is there.
    assert machine.types(f"rewards promote {player} --role player").returncode == 1
    said = machine.does("rewards ledger check; rewards audit check")
    assert said


def test_a_version_that_withholds_no_codes_has_none_to_sell_once_they_are_taken_out(
    machine: Machine,
):
    (machine.settings / "env").touch()
    (machine.programs / "current").symlink_to(PROJECT)
    lines = block_of("Update", "gift_codes").replace(".venv/bin/python", sys.executable)
    machine.does('runuser() { shift 3; "$@"; }\n' + lines)
    assert "0 codes are withheld" in machine.does("rewards codes withhold --all")


@pytest.fixture
def postgresql(blank: Path) -> Iterator[point_in_time.Server]:
    """As Install leaves it: an empty database, of an owner who is not the one who serves."""
    found = point_in_time.Machine()
    server = point_in_time.Server(found, "main")
    server.make(blank)
    server.start()
    try:
        for role in (OWNER, SERVES):
            found.must("createuser", role)
        [made] = re.findall(r"^runuser -u postgres -- (createdb .+)$", HANDBOOK, re.MULTILINE)
        found.must(*made.split())
        yield server
    finally:
        server.stop()
        found.remove()


def test_an_empty_server_takes_the_place_of_one_that_does_not_start(
    postgresql: point_in_time.Server,
):
    """By the lines of the handbook, as far as they are PostgreSQL's; Debian has its files apart."""
    found, data = postgresql.machine, postgresql.data
    postgresql.stop()
    (data / "global/pg_control").unlink()
    here = block_of("Restore", "initdb").replace("/var/lib/postgresql/15/main", str(data))
    here = here.replace("/var/lib/postgresql/15/", f"{found.folder}/")
    here = here.replace("/usr/lib/postgresql/15/bin", str(point_in_time.programs()))
    stand_ins = 'runuser() { shift 3; "$@"; }\nsystemctl() { :; }\n'
    found.must("bash", "-euc", stand_ins + here)
    [before] = found.folder.glob("before-*")
    for name in ("postgresql.conf", "pg_hba.conf"):
        found.must("cp", before / name, data)
    postgresql.start()
    by = {"PGUSER": found.must("id", "-un").strip()}
    found.must("createuser", OWNER, **by)
    [made] = re.findall(r"^runuser -u postgres -- (createdb .+)$", HANDBOOK, re.MULTILINE)
    found.must(*made.split(), **by)
    query = (
        "select datname, datcollate from pg_database where encoding = pg_char_to_encoding('UTF8')"
    )
    said = found.must("psql", "-XAtd", "watchcoins", "-c", query, **by)
    assert {"template1|C.UTF-8", "watchcoins|C.UTF-8"} <= set(said.split())


def test_several_workers_serve_what_was_in_its_own_database(
    machine: Machine, postgresql: point_in_time.Server
):
    player = machine.email_of("player")
    out, over = blocks_of("From one small machine to several workers")
    assert "systemctl disable --now watchcoins\n" in machine.does(out)
    role = f"{SERVES}@"
    machine.environment["DATABASE_URL"] = postgresql.url.replace("watchcoins@", role, 1)
    owner = postgresql.url.replace("watchcoins@", f"{OWNER}@", 1)
    (machine.settings / "env.owner").write_text(f"DATABASE_OWNER_URL='{owner}'\n")
    left = f"{machine.data.resolve()}/postgres has another one"
    assert left in machine.types("rewards doctor").stdout
    assert "Restored." in machine.does(over)
    machine.does(block_of("Restore", "forget-again"))
    assert left not in machine.types("rewards doctor").stdout
    [before] = machine.data.glob("postgres-before-*")
    assert (before / "PG_VERSION").exists()
    machine.does(f"rewards promote {player} --role moderator")
